#include "failure/failuredialog.h"

#include "base/listcomma.h"
#include "base/widespaces.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdicttext.h"
#include "failure/bundlesaving.h"
#include "failure/verdicttabs.h"
#include "picture/picture.h"
#include "run/record/rundirectory.h"
#include "widgets/statelook.h"
#include "widgets/tone.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QResizeEvent>
#include <QScrollArea>

namespace rankdeck
{

static QString fateWord(RankPhase phase)
{
    if (phase == RankPhase::Waiting)
        return tr("never started");
    return phase == RankPhase::Running ? tr("still running") : shownWord(phase);
}

/// Adds a label whose text can be selected; it is hidden while it has none.
static QLabel *addLabel(QLayout *layout, const char *name)
{
    auto *label = plainLabel(name);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(label);
    return label;
}

static QLabel *selectableLabel(const char *name)
{
    auto *label = plainLabel(name);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

static void setShownText(QLabel *label, const QString &text)
{
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

/// Returns the dialog's headline: "Rank 3 failed first", "Rank 3 could not be started", "Which rank failed
/// first is undecided".
static QString failureHeadline(const Verdict &verdict, const Failure &failure)
{
    const bool neverStarted = failure.status.kind == ExitStatus::Kind::NotStarted &&
                              verdict.role == failure.role && verdict.rank == failure.rank;
    if (!verdict.hasRoot() || !neverStarted)
        return verdictHeadline(verdict);
    return verdict.role == Role::Scheduler ? tr("The scheduler could not be started")
                                           : tr("Rank %1 could not be started").arg(verdict.rank.value);
}

/// Returns the cause in words: the error of the rank itself, else how it ended and what usually causes that.
static QString failureCause(const Verdict &verdict)
{
    QStringList parts{verdict.cause.isEmpty() ? verdict.known.title : verdict.cause.text(), verdict.ending};
    parts += textsOf(verdict.notes);
    parts.removeAll(QString());
    parts.removeDuplicates();
    return parts.join('\n'_L1);
}

QString runEnding(const RunState &state)
{
    constexpr std::array phases{RankPhase::Failed, RankPhase::Stopped, RankPhase::Exited, RankPhase::Running,
                                RankPhase::Waiting};
    QStringList fates;
    for (const RankPhase phase : phases) {
        int count = 0;
        for (const RankState &rank : state.ranks)
            count += state.shownPhase(rank) == phase ? 1 : 0;
        if (count > 0)
            fates << tr("%1 %2", "number, state").arg(count).arg(fateWord(phase));
    }
    const auto unseen = std::ranges::count_if(
        state.ranks, [](const RankState &rank) { return rank.phase == RankPhase::Ended && !rank.status; });
    if (unseen > 0)
        fates << tr("%1 with unknown exit status").arg(unseen);

    QStringList sentences;
    // The cause already has the time at which a supervisor was lost.
    if (state.ended.isValid() && state.phase != RunPhase::Lost)
        sentences << tr("Ended %1.").arg(state.ended.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s));
    if (!fates.isEmpty())
        sentences << tr("Processes: %1.").arg(fates.join(listComma()));
    if (unseen > 0)
        sentences << tr("If some are still alive, end them with \"rankdeckctl stop %1\".").arg(state.name);
    return joinedBySpaces(sentences);
}

int failedProcess(const RunState &state)
{
    if (!state.plan || !state.failure || state.failure->rank == Failure::noRank)
        return -1;
    const auto &processes = state.plan->processes;
    const auto found = std::ranges::find_if(processes, [&](const ProcessPlan &process) {
        return process.rank == state.failure->rank && process.role == state.failure->role;
    });
    return found == processes.end() ? -1 : int(found - processes.begin());
}

ExplanationBox::ExplanationBox(QWidget *parent)
    : QFrame(parent)
{
    setObjectName(u"explanationBox"_s);
    setFrameShape(QFrame::StyledPanel);
    auto *layout = new QVBoxLayout(this);
    m_title = addLabel(layout, "explanationTitle");
    m_meaning = addLabel(layout, "explanationMeaning");
    m_mend = addLabel(layout, "explanationMend");
    m_commands = addLabel(layout, "explanationCommands");
    m_problem = addLabel(layout, "explanationProblem");
    makeBold(m_title);
    useFixedFont(m_commands);
    m_commands->setAccessibleName(tr("Commands that may help"));
    hide();
}

void ExplanationBox::setExplanation(const FailureExplanation &explanation)
{
    setShownText(m_title, explanation.isKnown()
                              ? tr("%1 (%2)", "error, its id").arg(explanation.title, explanation.id)
                              : QString());
    setShownText(m_meaning, explanation.meaning);
    setShownText(m_mend, explanation.mend);
    setShownText(m_commands, explanation.commands.join('\n'_L1));
    setShownText(m_problem, explanation.catalogueProblem);
    setVisible(explanation.isKnown() || !explanation.catalogueProblem.isEmpty());
}

FailureView::FailureView(const RunState &state, QWidget *parent, VerdictWatch *watch,
                         QDialogButtonBox::StandardButtons more)
    : QWidget(parent)
    , m_state(state)
    , m_watch(watch ? watch : new VerdictWatch(this))
    , m_ownsWatch(!watch)
    , m_suggestedName(u"%1-failure.txt"_s.arg(state.name.isEmpty() ? tr("run") : state.name))
    , m_headline(selectableLabel("failureHeadline"))
    , m_place(selectableLabel("failurePlace"))
    , m_cause(selectableLabel("failureCause"))
    , m_reason(selectableLabel("failureReason"))
    , m_explanation(new ExplanationBox(this))
    , m_advice(selectableLabel("failureAdvice"))
    , m_tabs(new VerdictTabs(this))
    , m_logFile(selectableLabel("failureLogFile"))
    , m_ending(selectableLabel("failureEnding"))
    , m_message(selectableLabel("failureMessage"))
    , m_buttons(new QDialogButtonBox(more, this))
    , m_hasLog(!state.failure || !state.failure->logFile.isEmpty())
{
    setManualPage(this, "errors.md");
    makeBold(m_headline, 1.3);
    makeBold(m_cause);
    setTextColor(m_cause, toneColor(Tone::Bad, palette()));
    addButtons();
    addAction(pictureAction(this, u"error"_s, [this] { return pictureOf(this, u"error"_s); }));
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_tabs, &VerdictTabs::lineRequested, this, &FailureView::openLog);

    auto *layout = new QVBoxLayout(this);
    addParts(layout, {m_headline, m_place, m_cause, m_reason, m_ending, m_explanation, m_advice});
    addParts(layout, {Gap{8}, {m_tabs, 1}, m_logFile, Gap{8}, m_message, m_buttons});
    m_tabs->setVisible(m_hasLog);
    m_message->hide();
    setState(state);
    showVerdict();
    connect(m_watch, &VerdictWatch::changed, this, &FailureView::showVerdict);
}

void FailureView::addButtons()
{
    const auto addButton = [this](const QString &text, const char *name, const auto &slot) {
        auto *button = named(m_buttons->addButton(text, QDialogButtonBox::ActionRole), name);
        button->setAutoDefault(false); // Enter on a line of a table presses none.
        connect(button, &QPushButton::clicked, this, slot);
        return button;
    };
    m_openButton =
        addButton(tr("&Open log"), "openLogButton", [this] { Q_EMIT openLog(m_verdict.process, {}, -1); });
    m_againButton = addButton(tr("Run a&gain"), "failureRunAgainButton", &FailureView::runAgainRequested);
    addButton(tr("&Copy"), "copyReportButton", &FailureView::copy);
    addButton(tr("&Save report…"), "saveReportButton", &FailureView::chooseFile);
    if (m_ownsWatch || !m_watch->isRecorded())
        addButton(tr("Save &bundle…"), "saveBundleButton", [this] {
            // Not a child of a dialog, so that saving goes on after that is closed.
            QWidget *const over = window()->parentWidget();
            BundleSaving::ask(m_state, over ? over : this);
        });
}

void FailureView::setState(const RunState &state)
{
    m_state = state;
    if (m_ownsWatch)
        m_watch->setState(state);
    setShownText(m_ending, m_hasLog ? QString() : runEnding(state));
    m_againButton->setVisible(!hasLogsAlone(state.phase) && !state.seenAt.isValid());
    m_againButton->setEnabled(!isLive(state.phase));
    takeVerdict();
    showTabs();
}

void FailureView::showVerdict()
{
    takeVerdict();
    showHead();
    showTabs();
    Q_EMIT changed();
}

void FailureView::takeVerdict()
{
    m_verdict = m_watch->verdict();
    if (!m_watch->isRecorded())
        m_verdict.exits = exitsOf(m_state);
}

void FailureView::showTabs()
{
    if (m_state.plan && m_verdict.process >= 0 &&
        std::size_t(m_verdict.process) < m_state.plan->processes.size())
        m_tabs->setDirectory(m_state.plan->processes[std::size_t(m_verdict.process)].workDir);
    m_tabs->setVerdict(m_verdict, lastLinesOf(m_verdict, m_state), isDiagnosed());
}

void FailureView::showHead()
{
    m_headline->setText(failureHeadline(m_verdict, m_state.failure.value_or(Failure())));
    setShownText(m_place, verdictPlace(m_verdict));
    setShownText(m_cause, failureCause(m_verdict));
    setShownText(m_reason, isDiagnosed() ? verdictReason(m_verdict) : tr("Analysing the logs of all ranks…"));
    m_explanation->setExplanation(m_verdict.known);
    setShownText(m_advice, m_verdict.known.isKnown() ? m_verdict.ownAdvice : m_verdict.advice);
    m_openButton->setEnabled(m_verdict.process >= 0);
    const QString log = logOf(m_verdict, m_state);
    m_logFile->setText(log.isEmpty() ? tr("Journal: %1").arg(journalPath(m_state.directory))
                                     : tr("Log: %1").arg(log));
}

int FailureView::heightFor(int width) const
{
    m_explanation->layout()->activate(); // Passes the present needs of its labels to this layout.
    layout()->activate();
    return layout()->totalHeightForWidth(width);
}

QString FailureView::report() const
{
    return u"DistributedRuntimeError: "_s + verdictText(m_verdict, m_state);
}

void FailureView::copy()
{
    QGuiApplication::clipboard()->setText(report());
    m_message->setText(tr("The report is on the clipboard."));
    m_message->show();
}

void FailureView::chooseFile()
{
    auto *chooser =
        saveFileDialog(this, tr("Save the report"), QDir::home().filePath(m_suggestedName),
                       {tr("Text files (*.txt)"), tr("Web pages (*.html)"), tr("All files (*)")}, u"txt"_s);
    connect(chooser, &QFileDialog::fileSelected, this, &FailureView::save);
    chooser->open();
}

void FailureView::save(const QString &path)
{
    const bool isPage = path.endsWith(".html"_L1, Qt::CaseInsensitive);
    const auto write = [isPage, path, text = report(), state = m_state, verdict = m_verdict] {
        if (!isPage)
            return saveText(text, path);
        const auto written = writeReportPage(state, verdict, path);
        return written ? std::nullopt : std::optional(written.error());
    };
    inBackground(this, write, [this, path](const std::optional<Error> &error) {
        m_message->setText(error ? error->sentence() : tr("The report was saved as %1.").arg(path));
        m_message->show();
    });
}

FailureDialog::FailureDialog(const RunState &state, QWidget *parent, VerdictWatch *watch)
    : QDialog(parent)
    , m_view(new FailureView(state, this, watch, QDialogButtonBox::Close))
{
    setObjectName(u"failureDialog"_s);
    // Where the screen is too small for large text, the words scroll and the buttons stay.
    auto *const area = new QScrollArea;
    area->setWidget(m_view);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    auto *const layout = withoutMargins(new QVBoxLayout(this), 0);
    layout->addWidget(area, 1);
    m_view->buttons()->setContentsMargins(m_view->layout()->contentsMargins());
    layout->addWidget(m_view->buttons());
    QPushButton *const close = m_view->buttons()->button(QDialogButtonBox::Close);
    close->setAutoDefault(false);
    connect(m_view->buttons(), &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_view, &FailureView::openLog, this, &FailureDialog::openLog);
    connect(m_view, &FailureView::runAgainRequested, this, &FailureDialog::runAgainRequested);
    connect(m_view, &FailureView::changed, this, [this] {
        setWindowTitle(m_view->title());
        if (m_ownSizes.contains(size()))
            fit();
    });
    setWindowTitle(m_view->title());
    fit();
    auto *const open = m_view->buttons()->findChild<QPushButton *>(u"openLogButton"_s);
    (open->isEnabled() ? open : close)->setFocus();
}

constexpr int titleHeight = 40; // The frame is not known before the window is shown.

void FailureDialog::fit()
{
    constexpr int leastWidth = 820;
    constexpr int letters = 100;
    constexpr int frame = 16;
    const QSize room = screen()->availableSize() - QSize(frame, titleHeight);
    const int width =
        std::min(std::max(leastWidth, letters * fontMetrics().horizontalAdvance(u'n')), room.width());
    const int needed = m_view->heightFor(width) + m_view->buttons()->sizeHint().height();
    resize(width, std::min(needed, room.height()));
    m_ownSizes.append(size());
    keepOnScreen();
}

/// A dialog also grows when its parts need more room at the least.
void FailureDialog::resizeEvent(QResizeEvent *event)
{
    QDialog::resizeEvent(event);
    if (!event->spontaneous())
        m_ownSizes.append(event->size());
}

/// A window that grows before the window manager has placed it would be put at the screen's corner, its title
/// cut off: its place is chosen before it is shown, and kept here.
void FailureDialog::keepOnScreen()
{
    const QRect room = screen()->availableGeometry();
    QPoint place = pos();
    if (!isVisible()) {
        const QRect over = parentWidget() ? parentWidget()->window()->frameGeometry() : room;
        place = over.center() - QPoint(width() / 2, height() / 2);
    }
    place.setX(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - width())));
    place.setY(
        std::clamp(place.y(), room.top(), std::max(room.top(), room.bottom() - height() - titleHeight)));
    if (place != pos())
        move(place);
}

void FailureDialog::giveWay(const QRect &area)
{
    const QRect room = screen()->availableGeometry();
    QRect frame = frameGeometry();
    const QRect before = frame;
    const auto covered = [&area](const QRect &place) {
        const QRect common = place.intersected(area);
        return common.width() * common.height();
    };
    QRect best = frame;
    for (const QPoint &corner :
         {QPoint(area.left(), area.top() - frame.height()), QPoint(area.right() + 1, area.top()),
          QPoint(area.left() - frame.width(), area.top()), QPoint(area.left(), area.bottom() + 1)}) {
        frame.moveTo(corner);
        frame.moveRight(std::min(frame.right(), room.right()));
        frame.moveBottom(std::min(frame.bottom(), room.bottom()));
        frame.moveTo(std::max(frame.left(), room.left()), std::max(frame.top(), room.top()));
        if (covered(frame) < covered(best))
            best = frame;
    }
    if (best != before)
        move(best.topLeft());
}

FailureNotice::FailureNotice(QWidget *page)
    : QObject(page)
    , m_page(page)
{
    connect(&m_verdict, &VerdictWatch::changed, this,
            [this] { Q_EMIT verdictChanged(m_verdict.verdict(), m_verdict.isDiagnosed()); });
}

void FailureNotice::reset(bool watched)
{
    delete m_dialog;
    delete m_view;
    m_state = {};
    m_verdict.clear();
    m_watched = watched;
}

void FailureNotice::setState(const RunState &state, const std::optional<Verdict> &recordedVerdict)
{
    m_state = state;
    m_verdict.setState(state, recordedVerdict);
    m_watched = m_watched || (state.isLiveNow() && !state.failure);
    // At the run's end another rank may turn out to have failed first; one that is started again has not
    // failed.
    const Failure failure = state.failure.value_or(Failure());
    const bool isOther = std::exchange(m_shownFailure, failure) != failure || !state.hasTrouble();
    const bool hadDialog = m_dialog;
    if (isOther) {
        for (QWidget *const old : std::array<QWidget *, 2>{m_dialog, m_view}) {
            if (old)
                old->deleteLater();
        }
        m_dialog.clear();
        m_view.clear();
    }
    if (!state.hasTrouble())
        return;
    if (m_dialog)
        m_dialog->setState(state);
    else if (hadDialog)
        show();
    if (m_view)
        m_view->setState(state);
    if (m_watched && state.failure && state.plan->raiseOnFailure) {
        m_watched = false;
        show();
    }
}

void FailureNotice::show()
{
    if (!m_state.hasTrouble())
        return;
    if (!m_dialog) {
        m_dialog = new FailureDialog(m_state, m_page, &m_verdict);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &FailureDialog::openLog, this, &FailureNotice::openLog);
        connect(m_dialog, &FailureDialog::runAgainRequested, this, &FailureNotice::runAgainRequested);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

FailureView *FailureNotice::view()
{
    if (!m_view && m_state.hasTrouble()) {
        m_view = new FailureView(m_state, nullptr, &m_verdict);
        connect(m_view, &FailureView::openLog, this, &FailureNotice::openLog);
        connect(m_view, &FailureView::runAgainRequested, this, &FailureNotice::runAgainRequested);
    }
    return m_view;
}

void FailureNotice::giveWay(const QRect &area)
{
    if (m_dialog)
        m_dialog->giveWay(area);
}

} // namespace rankdeck
