#include "progressplot/progressplot.h"

#include "background/inbackground.h"
#include "launch/plan/launchplan.h"
#include "widgets/labels.h"

#include <QHeaderView>
#include <QIODevice>
#include <QTableWidget>

namespace rankdeck
{

constexpr int lossChart = 0;
constexpr int timeChart = 1;

static QString rangeText(const PlotPoint &point, QString (*words)(float))
{
    if (!point.hasValue)
        return ProgressPlot::tr("no number");
    const QString last = words(point.last);
    if (words(point.least) == words(point.most))
        return last;
    return ProgressPlot::tr("%1 (%2 to %3)").arg(last, words(point.least), words(point.most));
}

ProgressPlot::ProgressPlot(QWidget *parent)
    : CurvePlot(parent)
{
    setManualPage(this, "progress.md");
    named(this, "progressPlot", tr("Loss and step time by step"));
    setCurves({});
}

void ProgressPlot::setCurves(const QList<PlotCurve> &curves)
{
    m_curves = curves;
    refresh();
}

void ProgressPlot::refresh()
{
    QList<PlotName> names;
    const bool isSmooth = m_smoothing > 0;
    PlotChart loss{isSmooth ? tr("loss, smoothed") : tr("loss"), {}, {}, {}, m_isLog};
    // Durations are compared against 0.
    PlotChart time{isSmooth ? tr("step time (s), smoothed") : tr("step time (s)"), {}, 0, {}, m_isLog};
    for (const PlotCurve &curve : std::as_const(m_curves)) {
        const QString number = QString::number(names.size() + 1);
        names.append(curve.run.isEmpty()
                         ? PlotName{tr("rank %1").arg(curve.rank), QString::number(curve.rank)}
                         : PlotName{tr("%1: %2", "number: run").arg(number, curve.run), number});
        loss.curves.push_back(smoothed(plotPoints(curve.loss), m_smoothing));
        time.curves.push_back(smoothed(plotPoints(curve.stepTime, msPerSecond), m_smoothing));
    }
    setContents(names, {loss, time});
}

PlotAxis ProgressPlot::axisFor(qint64 first, qint64 last, int marks, AxisEnd end) const
{
    if (end == AxisEnd::Exact)
        return stepAxis(first, last, marks);
    qint64 planned = 0;
    for (const PlotCurve &curve : m_curves)
        planned = std::max(planned, curve.planned);
    const qint64 roomy = roomySteps(last);
    return stepAxis(0, planned >= last && planned > 0 ? std::min(planned, roomy) : roomy, marks);
}

QString ProgressPlot::emptyText() const
{
    return m_curves.isEmpty() ? tr("No rank is selected.")
                              : tr("No selected rank has printed a loss or a step time.");
}

QString ProgressPlot::readoutAt(std::optional<qint64> place, const QString &separator) const
{
    if (isEmpty())
        return {};
    const qint64 step = place.value_or(std::numeric_limits<qint64>::max());
    QStringList parts;
    for (qsizetype curve = 0; curve < m_curves.size(); ++curve) {
        QStringList values;
        const auto at = std::size_t(curve);
        if (const PlotPoint *loss = pointAt(charts().at(lossChart).curves[at], step))
            values << tr("loss %1").arg(
                rangeText(*loss, [](float value) { return lossText(double(value)); }));
        if (const PlotPoint *time = pointAt(charts().at(timeChart).curves[at], step))
            values << rangeText(*time,
                                [](float seconds) { return stepTimeText(double(seconds) * msPerSecond); });
        if (!values.isEmpty())
            parts << tr("%1: %2", "rank 3: its values").arg(names().at(curve).name, values.join(listComma()));
    }
    const QString what = parts.join(separator);
    return place ? tr("step %1: %2").arg(countText(*place), what) : tr("last: %1").arg(what);
}

ProgressPane::ProgressPane(QWidget *parent)
    : QWidget(parent)
    , m_plot(new ProgressPlot(this))
    , m_smoothing(named(new QComboBox(this), "smoothing", tr("Smoothing")))
    , m_logScale(named(new QCheckBox(tr("&Log scale"), this), "logScale"))
    , m_csv(named(new QPushButton(tr("Save &values…"), this), "saveValuesButton"))
    , m_picture(named(new QPushButton(tr("Save &picture…"), this), "savePictureButton"))
{
    setObjectName(u"progressPane"_s);
    m_csv->setToolTip(tr("Saves all values of the shown ranks as comma-separated values."));
    m_picture->setToolTip(tr("Saves the plot as PNG, SVG or PDF."));
    m_smoothing->setToolTip(
        tr("Shows each value as a mean with earlier ones. What is saved as values stays exact."));
    m_smoothing->addItem(tr("Not smoothed"), 0.0);
    m_smoothing->addItem(tr("Smoothed a little"), 0.6);
    m_smoothing->addItem(tr("Smoothed"), 0.9);
    m_smoothing->addItem(tr("Smoothed much"), 0.98);
    m_logScale->setToolTip(tr("Each tenfold value is as far from the last."));
    connect(m_smoothing, &QComboBox::currentIndexChanged, this,
            [this] { m_plot->setSmoothing(m_smoothing->currentData().toDouble()); });
    connect(m_logScale, &QCheckBox::toggled, m_plot, &ProgressPlot::setLogScale);
    connect(m_csv, &QPushButton::clicked, this, [this] {
        askWhereToSave(this, tr("Save values"), u"progress.csv"_s,
                       [this](const QString &path) { saveCsv(path); });
    });
    QAction *const saves =
        pictureAction(m_plot, u"progress"_s, [this] { return m_plot->picture(u"progress"_s); });
    m_plot->addAction(saves);
    m_plot->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_picture, &QPushButton::clicked, saves, &QAction::trigger);

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(8);
    auto *title = new ElidedLabel(Qt::ElideRight, this);
    title->setText(tr("Training progress of the selected ranks"));
    addParts(bar, {{title, 1}, m_smoothing, m_logScale, m_csv, m_picture});
    addParts(withoutMargins(new QVBoxLayout(this), 0), {bar, {m_plot, 1}});
    setFocusProxy(m_plot);
    clear();
}

void ProgressPane::setCurves(std::shared_ptr<const LaunchPlan> plan, const ProgressCurves &curves)
{
    m_plan = std::move(plan);
    m_curves = curves;
    QList<PlotCurve> shown;
    for (const ProgressCurves::Curve &curve : curves.curves) {
        const ProcessPlan &process = m_plan->processes.at(std::size_t(curve.process));
        if (process.role == Role::Worker)
            shown.append({process.rank.value, curve.loss, curve.stepTime, curve.planned, {}});
    }
    m_plot->setCurves(shown);
    m_csv->setEnabled(!m_plot->isEmpty());
    m_picture->setEnabled(!m_plot->isEmpty());
}

void ProgressPane::saveCsv(const QString &path)
{
    if (!m_plan)
        return;
    saveInBackground(this, tr("Progress"), path, [plan = m_plan, curves = m_curves](QIODevice &file) {
        file.write(progressCsv(*plan, curves));
        return std::optional<Error>();
    });
}

static Result<std::vector<ComparedRun>> readAll(const QStringList &directories)
{
    std::vector<ComparedRun> runs;
    for (const QString &directory : directories) {
        auto run = readComparedRun(directory);
        if (!run)
            return run.error();
        runs.push_back(std::move(run.value()));
    }
    return runs;
}

ComparisonDialog::ComparisonDialog(const QStringList &directories, QWidget *parent)
    : QDialog(parent)
    , m_status(plainLabel(
          "", tr("Reading the logs of %n runs…", "Reading the log of %n run…", int(directories.size()))))
    , m_table(named(new QTableWidget(this), "comparison", tr("How the runs differ")))
    , m_plot(new ProgressPlot(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"comparisonDialog"_s);
    setWindowTitle(tr("Compare runs"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    fitRowsToText(m_table);
    m_table->setWordWrap(false);
    auto *parts = splitterOf(Qt::Vertical, {m_table, m_plot});
    parts->setSizes({1, 1}); // Both halves alike.
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    addParts(new QVBoxLayout(this), {m_status, {parts, 1}, buttons});
    resizeInText(this, 110, 36);
    inBackground(
        this, [directories] { return readAll(directories); },
        [this](const Result<std::vector<ComparedRun>> &runs) { showRuns(runs); });
}

void ComparisonDialog::showRuns(const Result<std::vector<ComparedRun>> &runs)
{
    if (!runs) {
        m_status->setText(runs.error().sentence());
        return;
    }
    const QList<ComparisonRow> rows = compareRuns(*runs);
    QStringList header{tr("What")};
    QList<PlotCurve> curves;
    for (const ComparedRun &run : *runs) {
        header << run.state.name;
        curves.append({run.rank, run.loss, run.stepTime, run.progress.steps.value_or(0), run.state.name});
    }
    m_table->setColumnCount(int(header.size()));
    m_table->setHorizontalHeaderLabels(header);
    m_table->setRowCount(int(rows.size()));
    int differing = 0;
    for (int row = 0; row < rows.size(); ++row) {
        const ComparisonRow &its = rows.at(row);
        differing += its.isOption ? 1 : 0;
        for (int column = 0; column < header.size(); ++column) {
            const QString text = column == 0 ? its.name : its.values.at(column - 1);
            auto *item = new QTableWidgetItem(text);
            item->setToolTip(u"<p>%1</p>"_s.arg(text.toHtmlEscaped()));
            m_table->setItem(row, column, item);
        }
    }
    m_table->resizeColumnToContents(0);
    for (int column = 1; column < header.size(); ++column)
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    m_plot->setCurves(curves);
    const QString options = differing == 0 ? tr("All options are the same.")
                                           : tr("%n options differ.", "%n option differs.", differing);
    m_status->setText(
        tr("%1 A run's curve is that of its rank that came farthest.", "which options differ").arg(options));
}

} // namespace rankdeck
