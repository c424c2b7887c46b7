#include "mainwindow/runpage/runheader.h"

#include "base/times.h"
#include "diagnosis/failure/failurereport.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/plan/launchplan.h"
#include "stacks/stackdumps.h"
#include "widgets/labels.h"
#include "widgets/statelook.h"
#include "widgets/tone.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace rankdeck
{

namespace
{

constexpr int widestBar = 240; // pixels
constexpr int barShare = 4;    // At most a quarter of the width.
constexpr int barHeight = 10;
constexpr int gap = 10;
constexpr int fewestCells = 20;
constexpr int fewestLetters = 26;

QString details(const RunState &state)
{
    if (!state.plan)
        return {};
    const LaunchPlan &plan = *state.plan;
    const int here = int(std::ranges::count(plan.processes, Role::Worker, &ProcessPlan::role));
    QSet<QString> nodes;
    for (const ProcessPlan &process : plan.processes)
        nodes.insert(process.node);
    const QString ranks = plan.worldSize() > here
                              ? RunHeader::tr("%1 of %2 ranks").arg(here).arg(plan.worldSize())
                              : RunHeader::tr("%n ranks", "%n rank", here);
    QStringList parts{
        plan.launcher,
        nodes.size() > 1
            ? RunHeader::tr("%1 on %2 servers", "8 ranks on 2 servers").arg(ranks).arg(nodes.size())
            : ranks};
    if (state.attempt > 0)
        parts << RunHeader::tr("restart %1 of %2").arg(state.attempt).arg(plan.maxRestarts);
    if (state.created.isValid())
        parts << RunHeader::tr("started %1")
                     .arg(QLocale().toString(state.created.toLocalTime(), u"yyyy-MM-dd HH:mm:ss"_s));
    return parts.join(u" · "_s);
}

} // namespace

QString shownName(const RunState &state)
{
    const QString path = QDir::cleanPath(state.directory);
    const bool isDirectory = hasLogsAlone(state.phase) && path.section('/'_L1, -1) == state.name;
    return isDirectory ? path.section('/'_L1, -2) : state.name;
}

ProgressLine::ProgressLine(QWidget *parent)
    : CanvasWidget(parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setAccessibleName(tr("Progress"));
}

void ProgressLine::setProgress(std::optional<double> fraction, const QString &text)
{
    if (std::exchange(m_fraction, fraction) == fraction && m_text == text)
        return;
    m_text = text;
    setAccessibleDescription(text);
    setToolTip(text);
    schedule();
}

QSize ProgressLine::sizeHint() const
{
    const QSize cell = canvas().cellSize();
    return {cellWidth(m_text) * cell.width() + widestBar + gap, std::max(cell.height(), barHeight)};
}

QSize ProgressLine::minimumSizeHint() const
{
    return {fewestCells * canvas().cellSize().width(), sizeHint().height()};
}

QRect ProgressLine::barRect() const
{
    if (!m_fraction)
        return {};
    return {0, (height() - barHeight) / 2, std::min(widestBar, width() / barShare), barHeight};
}

QRect ProgressLine::filledRect() const
{
    const QRect inner = barRect().adjusted(1, 1, -1, -1);
    if (!m_fraction || inner.isEmpty())
        return {};
    return {inner.topLeft(), QSize(static_cast<int>(*m_fraction * inner.width()), inner.height())};
}

void ProgressLine::drawCanvas(Canvas &canvas, bool everything)
{
    const QColor behind = palette().color(backgroundRole());
    const QRect bar = barRect();
    const QRect filled = filledRect();
    const bool isNew = everything || bar != m_drawnBar;
    if (isNew)
        canvas.fill(QRect(QPoint(), canvas.size()), behind);
    if (!bar.isEmpty() && (isNew || filled != m_drawnFilled)) {
        const bool isLess = isNew || filled.width() < m_drawnFilled.width();
        if (isNew)
            canvas.fill(bar, palette().color(QPalette::Mid));
        if (isLess)
            canvas.fill(bar.adjusted(1, 1, -1, -1), palette().color(QPalette::Base));
        const QRect drawn = isLess ? filled : filled.adjusted(m_drawnFilled.width(), 0, 0, 0);
        if (!drawn.isEmpty())
            canvas.fill(drawn, toneColor(Tone::Active, palette()));
    }
    if (isNew || m_text != m_drawnText) {
        const int left = bar.isEmpty() ? 0 : bar.right() + 1 + gap;
        const QRect area(left, 0, width() - left, height());
        if (!isNew)
            canvas.fill(area, behind);
        const int cells = area.width() / canvas.cellSize().width();
        canvas.text({left, (height() - canvas.cellSize().height()) / 2}, elidedToCells(m_text, cells),
                    {palette().color(foregroundRole()), {}}, area);
    }
    m_drawnBar = bar;
    m_drawnFilled = filled;
    m_drawnText = m_text;
}

BundleLine::BundleLine(QWidget *parent)
    : QWidget(parent)
    , m_text(named(new ElidedLabel(Qt::ElideRight, this), "bundleText"))
    , m_cancel(named(new QPushButton(tr("Ca&ncel"), this), "cancelUnpackingButton"))
{
    setObjectName(u"bundleLine"_s);
    connect(m_cancel, &QPushButton::clicked, this, &BundleLine::cancelRequested);
    connect(&m_moment, &QTimer::timeout, this, &QWidget::show);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 0, 10, 6);
    addParts(layout, {{m_text, 1}, m_cancel});
    hide();
}

void BundleLine::setUnpacking(const QString &path)
{
    m_text->setText(tr("Unpacking %1…").arg(QFileInfo(path).fileName()));
    m_cancel->show();
    m_moment.start();
}

void BundleLine::setOrigin(const QString &sentence)
{
    m_moment.stop();
    m_text->setText(sentence);
    m_cancel->hide();
    show();
}

void BundleLine::clear()
{
    m_moment.stop();
    hide();
}

NothingShown::NothingShown(QWidget *parent)
    : QWidget(parent)
    , m_title(plainLabel("nothingShownTitle"))
    , m_text(plainLabel("nothingShownText"))
{
    setObjectName(u"nothingShown"_s);
    makeBold(m_title, 1.4);
    for (QLabel *label : {m_title, m_text})
        label->setAlignment(Qt::AlignCenter);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *open = plainButton(tr("&Open another…"), "openAnotherButton");
    auto *close = plainButton(tr("&Close"), "closeNothingButton");
    connect(open, &QPushButton::clicked, this, &NothingShown::openRequested);
    connect(close, &QPushButton::clicked, this, &NothingShown::closeRequested);
    auto *buttons = rowOf({Stretch{1}, open, close, Stretch{1}});
    addParts(new QVBoxLayout(this), {Stretch{2}, m_title, m_text, Gap{gap}, buttons, Stretch{3}});
    hide();
}

void NothingShown::setProblem(const QString &path, const QString &sentence)
{
    m_title->setText(tr("%1 is not shown").arg(QFileInfo(path).fileName()));
    m_text->setText(sentence);
}

RunHeader::RunHeader(QWidget *parent)
    : QWidget(parent)
    , m_name(named(new ElidedLabel(Qt::ElideMiddle, this), "runName"))
    , m_badge(named(new StateBadge(this), "runState"))
    , m_elapsed(named(new CanvasLabel(this), "runElapsed"))
    , m_notes(named(flatButton(this, {}, {}), "notesButton"))
    , m_details(named(new ElidedLabel(Qt::ElideRight, this), "runDetails"))
    , m_progress(named(new ProgressLine(this), "runProgress"))
    , m_stall(new StallNotice(this))
    , m_buttons(new QWidget(this))
    , m_stop(named(new QPushButton(tr("&Stop…"), this), "stopButton"))
    , m_kill(named(new QPushButton(tr("&Kill…"), this), "killButton"))
    , m_runAgain(named(new QPushButton(tr("Run &again"), this), "runAgainButton"))
    , m_showError(named(new QPushButton(tr("Show &error…"), this), "showErrorButton"))
{
    setObjectName(u"runHeader"_s);
    m_progress->hide();
    m_notes->hide();
    makeBold(m_name, 1.25);
    makeBold(m_badge);
    // Wide enough for a run of a day, so that nothing moves while the seconds pass.
    m_elapsed->setMinimumWidth(fontMetrics().horizontalAdvance(u"00:00:00"_s));

    connect(m_stall, &StallNotice::dumpRequested, this, &RunHeader::dumpRequested);
    connect(m_stall, &StallNotice::stopRequested, this, &RunHeader::stopRequested);
    connect(m_stop, &QPushButton::clicked, this, &RunHeader::stopRequested);
    connect(m_kill, &QPushButton::clicked, this, &RunHeader::killRequested);
    connect(m_runAgain, &QPushButton::clicked, this, &RunHeader::runAgainRequested);
    connect(m_notes, &QToolButton::clicked, this, &RunHeader::showNotes);
    connect(m_showError, &QPushButton::clicked, this, &RunHeader::showErrorRequested);
    m_clock.setInterval(1000);
    connect(&m_clock, &QTimer::timeout, this, &RunHeader::updateElapsed);

    auto *top = new QHBoxLayout;
    top->setSpacing(14);
    addParts(top, {{m_name, 1}, m_notes, m_badge, m_elapsed});
    auto *bottom = new QHBoxLayout;
    bottom->setSpacing(6);
    bottom->addWidget(m_details, 1);
    auto *buttons = withoutMargins(new QHBoxLayout(m_buttons), 6);
    for (QPushButton *button : std::array{m_stop, m_kill, m_runAgain, m_showError}) {
        button->setEnabled(false);
        buttons->addWidget(button);
    }
    bottom->addWidget(m_buttons);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(6);
    addParts(layout, {top, bottom, m_progress, m_stall});
}

void RunHeader::setVerdict(const Verdict &verdict, bool isDiagnosed)
{
    m_verdict = verdict;
    m_isDiagnosed = isDiagnosed;
    updateDetails();
}

void RunHeader::updateDetails()
{
    const auto &failure = m_state.failure;
    const bool isTold = m_state.hasTrouble() && m_verdict.hasFailure;
    const QString title = isTold ? verdictTitle(m_verdict) : QString();
    m_details->setText(title.isEmpty() ? (failure ? failureTitle(*failure) : details(m_state))
                       : m_isDiagnosed ? title
                                       : tr("%1. Analysing the logs of all ranks…").arg(title));
    m_details->setVoice(failure || isTold ? ElidedLabel::Voice::Bad : ElidedLabel::Voice::Quiet);
}

void RunHeader::setState(const RunState &state)
{
    const bool isNews = state.directory == m_state.directory && state.phase != m_state.phase;
    if (state.directory != m_state.directory)
        m_verdict = {};
    m_state = state;
    m_name->setText(shownName(state));
    m_badge->setPhase(state.phase);
    m_badge->setVisible(state.plan != nullptr);
    if (isNews)
        announce(m_badge);
    updateDetails();
    const int notes = int(state.notes.size());
    m_notes->setText(tr("%n notes", "%n note", notes));
    m_notes->setToolTip(tr("Show what Rankdeck noted about this run"));
    m_notes->setVisible(notes > 0);

    for (QPushButton *button : std::array{m_stop, m_kill, m_runAgain})
        button->setVisible(!hasLogsAlone(state.phase) && !state.seenAt.isValid());
    const RunAbilities can = RunAbilities::of(state);
    m_stop->setEnabled(can.stop);
    m_kill->setEnabled(can.kill);
    m_runAgain->setEnabled(can.runAgain);
    m_showError->setEnabled(can.showError);
    m_stall->setState(state);
    updateElapsed();
    updateProgress();
    if (can.kill && isVisible())
        m_clock.start();
    else
        m_clock.stop();
}

void RunHeader::setProgress(const RunProgress &progress)
{
    m_runProgress = progress;
    updateProgress();
}

void RunHeader::updateProgress()
{
    const QString text = progressText(m_runProgress, mayGrow(m_state.phase));
    m_progress->setProgress(m_runProgress.fraction(), text);
    m_progress->setVisible(!text.isEmpty());
}

void RunHeader::updateElapsed()
{
    if (!m_state.created.isValid()) {
        m_elapsed->setText({});
        return;
    }
    const QDateTime end = m_state.ended.isValid() ? m_state.ended : m_state.timeSeen();
    const bool known = m_state.ended.isValid() || isLive(m_state.phase);
    m_elapsed->setText(known ? elapsedText(m_state.created.secsTo(end)) : QString());
    m_elapsed->setAccessibleName(tr("Elapsed: %1").arg(m_elapsed->text()));
}

void RunHeader::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    setState(RunState(m_state));
}

QSize RunHeader::minimumSizeHint() const
{
    const QSize needed = QWidget::minimumSizeHint();
    return needed.boundedTo({fewestLetters * fontMetrics().averageCharWidth(), needed.height()});
}

void RunHeader::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    // Menus and tool bar have these actions too; only the header shows the state of the run.
    m_buttons->setVisible(width() >=
                          m_buttons->sizeHint().width() + fewestLetters * fontMetrics().averageCharWidth());
}

void RunHeader::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_clock.stop();
}

const QString captionsKey = u"window/captions"_s;

CaptionLine::CaptionLine(QWidget *parent)
    : QFrame(parent)
    , m_text(plainLabel("captionText"))
    , m_action(named(new QAction(tr("&Captions of demos"), this), "captionsAction"))
{
    setObjectName(u"captionLine"_s);
    setAutoFillBackground(true);
    adaptToPalette(parent, [this] {
        QPalette tinted = palette();
        const QColor color = toneBackground(Tone::Active, parentWidget()->palette());
        if (tinted.color(QPalette::Window) == color)
            return;
        tinted.setColor(QPalette::Window, color);
        setPalette(tinted);
    });
    m_action->setCheckable(true);
    m_action->setChecked(QSettings().value(captionsKey, true).toBool());
    connect(m_action, &QAction::toggled, this, [this](bool isOn) {
        QSettings().setValue(captionsKey, isOn);
        showText();
    });
    auto *off = plainButton(tr("Turn off"), "captionsOffButton");
    off->setFlat(true);
    off->setToolTip(tr("Hide the captions of all demos; the menu View shows them again"));
    connect(off, &QPushButton::clicked, m_action, [this] { m_action->setChecked(false); });
    makeBold(m_text);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 10, 4);
    addParts(layout, {{m_text, 1}, off});
    hide();
}

void CaptionLine::setCaption(const QString &caption)
{
    if (m_text->text() == caption)
        return;
    m_text->setText(caption);
    showText();
    if (isVisible())
        announce(m_text);
}

void RunHeader::showNotes()
{
    auto *box = new QMessageBox(this);
    box->setStandardButtons(QMessageBox::Close);
    setUpBox(box, "notesBox", QMessageBox::NoIcon, tr("Notes"),
             tr("Notes of %1").arg(m_state.name) + u"\n\n"_s + m_state.notes.join('\n'_L1));
    box->open();
}

} // namespace rankdeck
