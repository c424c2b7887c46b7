#include "progressplot/progresspane.h"

#include "diagnosis/progress/progresscsv.h"
#include "plot/plotsaving.h"
#include "progressplot/progressplot.h"

#include <QHBoxLayout>
#include <QIODevice>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck
{

ProgressPane::ProgressPane(QWidget *parent)
    : QWidget(parent)
    , m_plot(new ProgressPlot(this))
    , m_csv(new QPushButton(tr("Save &values…"), this))
    , m_picture(new QPushButton(tr("Save &picture…"), this))
{
    setObjectName(QStringLiteral("progressPane"));
    m_csv->setObjectName(QStringLiteral("saveValuesButton"));
    m_picture->setObjectName(QStringLiteral("savePictureButton"));
    m_csv->setToolTip(tr("As comma-separated values: all that is kept of the ranks that are shown."));
    m_picture->setToolTip(tr("As PNG."));
    connect(m_csv, &QPushButton::clicked, this, [this] {
        askWhereToSave(this, tr("Save values"), QStringLiteral("progress.csv"),
                       [this](const QString &path) { saveCsv(path); });
    });
    connect(m_picture, &QPushButton::clicked, this, [this] {
        askWhereToSave(this, tr("Save picture"), QStringLiteral("progress.png"),
                       [this](const QString &path) { savePicture(path); });
    });

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(8);
    auto *title = new QLabel(tr("Training progress of the ranks that are chosen"), this);
    title->setTextFormat(Qt::PlainText);
    bar->addWidget(title, 1);
    bar->addWidget(m_csv);
    bar->addWidget(m_picture);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_plot, 1);
    setFocusProxy(m_plot);
    clear();
}

void ProgressPane::clear()
{
    setCurves(nullptr, {});
}

void ProgressPane::setCurves(std::shared_ptr<const LaunchPlan> plan, const ProgressCurves &curves)
{
    m_plan = std::move(plan);
    m_curves = curves;
    QList<PlotCurve> shown;
    for (const ProgressCurves::Curve &curve : curves.curves) {
        const ProcessPlan &process = m_plan->processes.at(static_cast<std::size_t>(curve.process));
        if (process.role == Role::Worker)
            shown.append({process.rank.value, curve.loss, curve.stepTime});
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

void ProgressPane::savePicture(const QString &path)
{
    rankdeck::savePicture(this, tr("Progress"), path, m_plot->picture());
}

} // namespace rankdeck
