#include "mainwindow/runlogs/terminalboard.h"

#include "base/numberranges.h"
#include "mainwindow/runlogs/runlogs.h"
#include "mainwindow/session/runsession.h"
#include "terminal/many/answersview.h"
#include "terminal/many/commandbar.h"
#include "terminal/view/terminalpane.h"
#include "terminal/view/terminaltiles.h"
#include "widgets/steadyviews.h"

#include <QSignalBlocker>

namespace rankdeck
{

static QString boardName(const ProcessPlan &process)
{
    if (process.role == Role::Tool)
        return processTitle(process);
    if (process.isRankOpen)
        return processInSentence(process);
    return process.role == Role::Scheduler ? TerminalBoard::tr("The scheduler")
                                           : TerminalBoard::tr("Rank %1").arg(process.rank.value);
}

/// Returns "ranks 0-6" or, for a tool, "gdb at rank 3".
static QString namesOf(const RunState &state, const QList<int> &processes)
{
    QList<int> ranks;
    for (const int process : processes) {
        const ProcessPlan *plan = state.planOf(process);
        if (plan && plan->role == Role::Tool)
            return processTitle(*plan);
        if (plan)
            ranks << plan->rank.value;
    }
    std::ranges::sort(ranks);
    return TerminalBoard::tr("ranks %1", "rank %1", int(ranks.size())).arg(numberRanges(ranks));
}

static QString noTerminalSentence(const ProcessPlan &process)
{
    if (process.role == Role::Scheduler)
        return TerminalBoard::tr("The scheduler has no terminal; only ranks can have one.");
    return TerminalBoard::
        tr("Rank %1 has no terminal. Launch with Terminals: %1 (--tty %1), or all.\nIts log: Ctrl+Shift+T.")
            .arg(process.rank.value);
}

TerminalBoard::TerminalBoard(QWidget *parent)
    : QWidget(parent)
    , m_tiles(new TerminalTiles(this))
    , m_answersBox(new QWidget(this))
    , m_answersView(new AnswersView(m_answersBox))
    , m_answersBar(new SteadyScrollBar(Qt::Vertical, m_answersBox))
    , m_commands(new CommandBar(this))
{
    m_tiles->setObjectName(u"terminalTiles"_s);
    auto *const closeButton = named(new QToolButton(m_answersBox), "closeAnswers");
    closeButton->setText(u"✕"_s);
    closeButton->setAutoRaise(true);
    closeButton->setToolTip(tr("Close the answers"));
    closeButton->setAccessibleName(closeButton->toolTip());
    addParts(withoutMargins(new QHBoxLayout(m_answersBox), 0),
             {{m_answersView, 1}, m_answersBar, {closeButton, 0, Qt::AlignTop}});
    m_answersBox->hide();
    addParts(withoutMargins(new QVBoxLayout(this), 0), {{m_tiles, 1}, m_answersBox, m_commands});

    connect(m_tiles, &TerminalTiles::typed, this, [this](const TerminalInput &input) {
        if (m_session)
            m_session->request(input);
    });
    connect(m_tiles, &TerminalTiles::keyboardRequested, this, [this] {
        if (m_session)
            m_session->askForKeyboard(true);
    });
    connect(m_commands, &CommandBar::aboutToRead, this, [this] {
        const TerminalPane *const pane = m_tiles->currentPane();
        m_commands->setNow({pane ? pane->process() : -1, m_tiles->processes()});
    });
    connect(m_commands, &CommandBar::wanted, this, &TerminalBoard::send);
    connect(m_commands, &CommandBar::refused, this, [this](const QString &sentence) {
        m_answersView->setMessage(sentence);
        m_answersBox->show();
    });
    connect(m_answersView, &AnswersView::changed, this, &TerminalBoard::fitAnswers);
    connect(m_answersBar, &QScrollBar::valueChanged, m_answersView, &AnswersView::setTop);
    connect(closeButton, &QToolButton::clicked, m_answersBox, &QWidget::hide);
}

TerminalBoard::~TerminalBoard() = default;

void TerminalBoard::show(RunSession &session, const QList<int> &processes)
{
    if (m_session != &session) {
        clear();
        m_session = &session;
        connect(&session, &RunSession::keyboardChanged, this, &TerminalBoard::setKeyboard);
        session.askForKeyboard(false);
        setKeyboard(session.keyboard());
    }
    QList<TerminalTile> tiles;
    for (const int process : processes) {
        const ProcessPlan &plan = *session.state().planOf(process);
        tiles.append({process, processTitle(plan), plan.logFile,
                      plan.hasTerminal ? QString() : noTerminalSentence(plan)});
    }
    m_tiles->setTiles(tiles, [this](int process) { return m_session->followTerminal(process); });
    setState(session.state());
}

void TerminalBoard::clear()
{
    m_tiles->setTiles({}, {});
    if (m_session)
        m_session->disconnect(this);
    m_session.clear();
    m_answers.reset();
    m_answersBox->hide();
}

void TerminalBoard::setKeyboard(const Keyboard &keyboard)
{
    // A free keyboard goes to the first who types.
    const bool mayType = keyboard.isOurs || keyboard.isFree();
    m_tiles->setKeyboard(mayType, keyboard.holder);
    m_commands->setKeyboard(mayType, keyboard.holder);
}

void TerminalBoard::send(const QList<int> &processes, const QByteArray &bytes, bool isCommand)
{
    if (!m_session)
        return;
    if (!isCommand) {
        m_session->request(TerminalInput{processes, bytes, {}});
        return;
    }
    if (!m_answers) {
        m_answers = m_session->answers();
        connect(m_answers.get(), &RankAnswers::begun, this, [this] {
            if (m_session && !m_unsent.processes.isEmpty())
                m_session->request(std::exchange(m_unsent, {}));
        });
        connect(m_answers.get(), &RankAnswers::changed, this, &TerminalBoard::takeAnswers);
    }
    QList<RankAnswers::Source> sources;
    for (const int process : processes)
        sources << RankAnswers::Source{process, m_state.planOf(process)->logFile};
    m_unsent = {processes, bytes, {}};
    QMetaObject::invokeMethod(m_answers.get(), [answers = m_answers.get(), bytes, sources] {
        answers->begin(QString::fromUtf8(bytes), sources);
    });
}

void TerminalBoard::takeAnswers(const QList<RankAnswer> &answers)
{
    QList<AnswersView::Answer> shown;
    for (const RankAnswer &answer : answers) {
        const QString names = namesOf(m_state, answer.processes);
        shown << AnswersView::Answer{names, int(answer.processes.size()), answer.text, answer.isWhole};
    }
    m_answersView->setAnswers(shown);
    m_answersBox->setVisible(!shown.isEmpty());
}

/// Makes the answers as high as they need, at most a third of the board.
void TerminalBoard::fitAnswers()
{
    const int most = std::max(height() / 3, 1);
    m_answersView->setFixedHeight(std::min(m_answersView->heightForAll(), most));
    const QSignalBlocker blocker(m_answersBar);
    m_answersBar->setPageStep(m_answersView->pageLines());
    m_answersBar->setRange(0, std::max(0, m_answersView->lineCount() - m_answersView->pageLines()));
    m_answersBar->setValue(m_answersView->top());
    m_answersBar->setVisible(m_answersBar->maximum() > 0);
}

void TerminalBoard::setState(const RunState &state)
{
    m_state = state;
    m_commands->setState(state);
    m_commands->setVisible(state.isLiveNow());
    for (const int process : m_tiles->processes()) {
        const RankState *its = state.stateOf(process);
        if (!its)
            continue; // A tool of the previous attempt.
        TerminalPane *const pane = m_tiles->pane(process);
        pane->setState(processStateWords(*its, state));
        const QString name = boardName(*state.planOf(process));
        if (its->status)
            pane->setEnding(tr("%1 has ended: %2.", "process: exit status").arg(name, its->status->text()));
        else if (!isLive(state.phase))
            pane->setEnding(tr("%1 ended; its exit status is unknown.", "process").arg(name));
        else
            pane->setEnding({});
    }
}

} // namespace rankdeck
