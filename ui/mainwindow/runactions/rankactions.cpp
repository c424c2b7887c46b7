#include "mainwindow/runactions/rankactions.h"

#include "base/listcomma.h"
#include "base/widespaces.h"
#include "launch/plan/launchplan.h"
#include "mainwindow/runlogs/runlogs.h"
#include "widgets/editor.h"
#include "widgets/preferences.h"

#include <QAction>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString howTheyEnd(const RunState &run, StopQuestion::How how)
{
    if (how == StopQuestion::How::Stop && run.plan->adopted)
        return StopQuestion::tr("Only the watching ends. Rankdeck did not start the ranks, and they go on.");
    return how == StopQuestion::How::Kill
               ? StopQuestion::tr("SIGKILL leaves no time to save anything.")
               : StopQuestion::tr("Sends SIGTERM; %1 s later, SIGKILL to everything that still runs.")
                     .arg(run.plan->graceSeconds);
}

/// Fills a question that has Cancel as its default. Returns the button that confirms, without a mnemonic: a
/// letter alone would press it.
QPushButton *setUpQuestion(QMessageBox *box, const char *name, const QString &title, const QString &text,
                           const QString &confirm)
{
    setUpBox(box, name, QMessageBox::Warning, title, text);
    QPushButton *yes = box->addButton(confirm, QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    return yes;
}

struct SignalWords {
    int number;
    const char *meaning;
    const char *consequence = nullptr; ///< Text of the question before it is sent; null for no question.
};

constexpr SignalWords signalWords[] = {
    {SIGINT, QT_TRANSLATE_NOOP("rankdeck::SignalActions", "interrupt, like Ctrl+C")},
    {SIGTERM, QT_TRANSLATE_NOOP("rankdeck::SignalActions", "ask to end"),
     QT_TRANSLATE_NOOP("rankdeck::SignalActions",
                       "A rank that this signal ends counts as failed. The run reacts as to any failure.")},
    {SIGKILL, QT_TRANSLATE_NOOP("rankdeck::SignalActions", "kill immediately"),
     QT_TRANSLATE_NOOP("rankdeck::SignalActions",
                       "SIGKILL gives the rank no time to save, and the rank counts as failed. To end ranks "
                       "without failing the run, use Kill.")},
    {SIGSTOP, QT_TRANSLATE_NOOP("rankdeck::SignalActions", "pause"),
     QT_TRANSLATE_NOOP(
         "rankdeck::SignalActions",
         "The rank is paused until it receives SIGCONT. Other ranks may wait for it and time out.")},
    {SIGCONT, QT_TRANSLATE_NOOP("rankdeck::SignalActions", "resume")},
};

SignalWords wordsOf(int number)
{
    const auto found = std::ranges::find(signalWords, number, &SignalWords::number);
    return found != std::end(signalWords)
               ? *found
               : SignalWords{number, QT_TRANSLATE_NOOP("rankdeck::SignalActions", "program-defined")};
}

/// Returns "rank 3", "3 ranks" or "scheduler"; "chosen ranks" if there are none.
QString nameOfRanks(const RunState &run, const QList<int> &processes)
{
    if (!run.plan || processes.isEmpty())
        return RankActions::tr("selected ranks");
    if (processes.size() > 1)
        return RankActions::tr("%n ranks", "%n rank", int(processes.size()));
    const ProcessPlan &process = run.plan->processes.at(size_t(processes.constFirst()));
    return processName(process);
}

} // namespace

QString runningRanks(const RunState &run)
{
    int ranks = 0;
    int running = 0;
    for (std::size_t process = 0; process < run.ranks.size(); ++process) {
        const bool isRank = run.plan->processes[process].role == Role::Worker;
        ranks += isRank ? 1 : 0;
        running += isRank && run.ranks[process].phase == RankPhase::Running ? 1 : 0;
    }
    if (ranks == 1 && running == 1)
        return StopQuestion::tr("Its rank is running.");
    return running == ranks ? StopQuestion::tr("All %1 ranks are running.").arg(ranks)
                            : StopQuestion::tr("%1 of %2 ranks are running.").arg(running).arg(ranks);
}

StopQuestion::StopQuestion(const RunState &run, How how, QWidget *parent)
    : QMessageBox(parent)
{
    QString consequences = howTheyEnd(run, how);
    if (how == How::Kill && !run.plan->adopted)
        consequences += ' '_L1 + tr("Use Stop to end them gracefully.");
    ask(how == How::Kill ? "killQuestion" : "stopQuestion",
        how == How::Kill ? tr("Kill the run") : tr("Stop the run"),
        (how == How::Kill ? tr("Kill every process of %1 at once?") : tr("Stop %1?")).arg(run.name),
        runningRanks(run) + '\n'_L1 + consequences, how);
}

StopQuestion::StopQuestion(const RunState &run, const QString &part, int processes, How how, QWidget *parent)
    : QMessageBox(parent)
{
    const QString others = processes < run.count(RankPhase::Running) + run.count(RankPhase::Waiting)
                               ? tr("The other ranks keep running, but may hang in their next collective "
                                    "operation. This rank is not restarted.")
                               : tr("No other rank will be left.");
    ask("rankQuestion", how == How::Kill ? tr("Kill ranks") : tr("Stop ranks"),
        (how == How::Kill ? tr("Kill %1 of %2?") : tr("Stop %1 of %2?")).arg(part, run.name),
        howTheyEnd(run, how) + '\n'_L1 + others, how);
}

void StopQuestion::ask(const char *name, const QString &title, const QString &question,
                       const QString &consequences, How how)
{
    QPushButton *yes = setUpQuestion(this, name, title, question + u"\n\n"_s + consequences,
                                     how == How::Kill ? tr("Kill") : tr("Stop"));
    connect(named(yes, "confirmStopButton"), &QPushButton::clicked, this, &StopQuestion::confirmed);
}

RankActions::RankActions(QWidget *page)
    : QObject(page)
    , m_page(page)
    , m_start(named(new QAction(this), "startRanksAction"))
{
    connect(m_start, &QAction::triggered, this, &RankActions::askToStart);
    const std::array names{"stopRanksAction", "killRanksAction", "stopNodeAction", "killNodeAction"};
    for (std::size_t index = 0; index < m_parts.size(); ++index) {
        m_parts[index].action = named(new QAction(this), names[index]);
        connect(m_parts[index].action, &QAction::triggered, this, [this, index] {
            const Part &part = m_parts[index];
            const auto how = part.request.kill ? StopQuestion::How::Kill : StopQuestion::How::Stop;
            const int processes = int(part.request.processes.size());
            ask(new StopQuestion(m_run, part.name, processes, how, m_page), part.request);
        });
    }
    setChosen({}, {});
}

QList<QAction *> RankActions::actions() const
{
    QList<QAction *> all = listOf(m_parts, &Part::action);
    all.insert(2, m_start); // Behind those that end the ranks.
    return all;
}

void RankActions::setChosen(const RunState &run, const QList<int> &processes)
{
    m_run = run;
    if (m_question && !(run.plan && run.isLiveNow()))
        m_question->close(); // There is nothing left to stop.
    QList<int> chosen;
    QList<int> ofNode;
    QString node;
    const QString ranks = nameOfRanks(run, processes);
    if (run.plan && !processes.isEmpty()) {
        const std::vector<ProcessPlan> &all = run.plan->processes;
        chosen = processes;
        node = all.at(size_t(processes.constFirst())).node;
        for (int process = 0; process < int(all.size()); ++process) {
            if (all[size_t(process)].node == node)
                ofNode << process;
        }
    }
    const QString nodeName = node.isEmpty() ? tr("node") : tr("node %1").arg(node);
    update(m_parts[0], false, ranks, chosen);
    update(m_parts[1], true, ranks, chosen);
    update(m_parts[2], false, nodeName, ofNode);
    update(m_parts[3], true, nodeName, ofNode);
    std::ranges::sort(chosen);
    m_order = run.plan && run.isLiveNow() ? startOrder(chosen, run, false) : StartOrder();
    m_start->setText(withWord(tr("Start %1 again…"), ranks));
    m_start->setEnabled(!m_order.asked.isEmpty());
    m_start->setToolTip(m_order.refusals.isEmpty() ? QString() : m_order.refusals.constFirst().text());
}

void RankActions::update(Part &part, bool kill, const QString &name, const QList<int> &processes)
{
    part.request = {kill, {}};
    part.name = name;
    for (const int process : processes) {
        const RankState &rank = m_run.ranks.at(size_t(process));
        // A rank that is being stopped can still be killed.
        if (!rank.status && (kill || !rank.stopRequested))
            part.request.processes << process;
    }
    std::ranges::sort(part.request.processes);
    part.action->setText(withWord(kill ? tr("Kill %1…") : tr("Stop %1…"), name));
    const bool isOver = !m_run.isLiveNow() || (!kill && m_run.phase == RunPhase::Stopping);
    // A rank that Rankdeck did not start gets no signal for a word that says Stop.
    const bool isForeign = !kill && m_run.plan && m_run.plan->adopted;
    part.action->setEnabled(!isOver && !isForeign && !part.request.isWhole());
}

void RankActions::ask(StopQuestion *question, const StopRequest &request)
{
    connect(question, &StopQuestion::confirmed, this, [this, request] { Q_EMIT requested(request); });
    if (Preferences::load().asksToStop) {
        question->open();
        return;
    }
    question->deleteLater();
    Q_EMIT requested(request);
}

void RankActions::askForRun(bool kill)
{
    delete m_question;
    m_question = new StopQuestion(m_run, kill ? StopQuestion::How::Kill : StopQuestion::How::Stop, m_page);
    ask(m_question, {kill, {}});
}

void RankActions::askToStart()
{
    QString text = tr("Start %1 of %2 again?").arg(nameOfRanks(m_run, m_order.asked), m_run.name) + u"\n\n"_s;
    if (!m_order.ended.isEmpty())
        text += tr("What still runs is ended first: SIGTERM; %1 s later, SIGKILL.")
                    .arg(m_run.plan->graceSeconds) +
                '\n'_L1;
    text += rejoinHint();
    const auto start = [this, processes = m_order.asked] {
        Q_EMIT requested(StartRequest{processes});
    };
    if (!Preferences::load().asksToStop) {
        start();
        return;
    }
    auto *question = new QMessageBox(m_page);
    QPushButton *yes =
        setUpQuestion(question, "startQuestion", tr("Start ranks again"), text, tr("Start again"));
    connect(named(yes, "confirmStartButton"), &QPushButton::clicked, this, start);
    question->open();
}

void RankActions::stopRun()
{
    // No process loses work if none runs.
    if (m_run.count(RankPhase::Running) == 0)
        Q_EMIT requested(StopRequest());
    else
        askForRun(false);
}

SignalActions::SignalActions(QWidget *page)
    : QObject(page)
    , m_page(page)
    , m_menu(std::make_unique<QMenu>())
{
    m_menu->menuAction()->setObjectName(u"signalMenuAction"_s);
    for (const int number : sendableSignals()) {
        const QString name = ExitStatus::signalName(number);
        const SignalWords words = wordsOf(number);
        QAction *action =
            m_menu->addAction(withColon(name, tr(words.meaning)) + (words.consequence ? u"…"_s : QString()));
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, [this, number] { send(number); });
    }
    setChosen({}, {});
}

void SignalActions::setChosen(const RunState &run, const QList<int> &processes)
{
    m_runName = run.name;
    m_running.clear();
    for (const int process : processes) {
        if (run.plan && run.ranks.at(size_t(process)).phase == RankPhase::Running)
            m_running << process;
    }
    std::ranges::sort(m_running);
    m_chosenName = nameOfRanks(run, processes);
    m_menu->setTitle(withWord(tr("Si&gnal %1"), m_chosenName));
    m_menu->menuAction()->setEnabled(run.isLiveNow() && !m_running.isEmpty());
}

void SignalActions::send(int number)
{
    const SignalRequest request{number, m_running};
    const char *const consequence = wordsOf(number).consequence;
    if (!consequence) {
        Q_EMIT requested(request);
        return;
    }
    auto *question = new QMessageBox(m_page);
    const QString text =
        tr("Send %1 to %2 of %3?").arg(ExitStatus::signalName(number), m_chosenName, m_runName);
    QPushButton *yes = setUpQuestion(question, "signalQuestion", tr("Send a signal"),
                                     text + u"\n\n"_s + tr(consequence), tr("Send"));
    connect(named(yes, "confirmSignalButton"), &QPushButton::clicked, this,
            [this, request] { Q_EMIT requested(request); });
    question->open();
}

PlaceActions::PlaceActions(QObject *parent)
    : QObject(parent)
    , m_copyPids(named(new QAction(tr("Cop&y pid"), this), "copyPidAction"))
    , m_copyLogs(named(new QAction(tr("Copy path of the log"), this), "copyLogPathAction"))
    , m_openLog(named(new QAction(tr("Open the log in an e&ditor"), this), "openLogInEditorAction"))
    , m_openFolder(named(new QAction(tr("Open folder of the log"), this), "openLogFolderAction"))
{
    connect(m_copyPids, &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(m_pids.join(' '_L1)); });
    connect(m_copyLogs, &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(m_logs.join('\n'_L1)); });
    connect(m_openLog, &QAction::triggered, this, [this] { Q_EMIT said(openInEditor(m_logs.value(0))); });
    connect(m_openFolder, &QAction::triggered, this,
            [this] { Q_EMIT said(openFolder(QFileInfo(m_logs.value(0)).path())); });
    setChosen({}, {});
}

void PlaceActions::setChosen(const RunState &run, const QList<int> &processes)
{
    m_pids.clear();
    m_logs.clear();
    for (const int process : processes) {
        if (!run.plan)
            break;
        if (const qint64 pid = run.ranks.at(size_t(process)).pid; pid > 0)
            m_pids << QString::number(pid);
        if (const QString log = run.plan->processes.at(size_t(process)).logFile; !log.isEmpty())
            m_logs << log;
    }
    m_copyPids->setEnabled(!m_pids.isEmpty());
    for (QAction *const action : {m_copyLogs, m_openLog, m_openFolder})
        action->setEnabled(!m_logs.isEmpty());
}

ToolActions::ToolActions(QObject *parent)
    : QObject(parent)
    , m_menu(std::make_unique<QMenu>())
{
    m_menu->menuAction()->setObjectName(u"toolMenuAction"_s);
    for (const ToolKind &kind : toolKinds()) {
        QAction *action = m_menu->addAction(withColon(kind.name, kind.purpose));
        action->setObjectName(kind.name);
        connect(action, &QAction::triggered, this, [this, name = kind.name] { request(name); });
        m_kinds << action;
    }
    setChosen({}, {});
}

void ToolActions::request(const QString &name)
{
    if (m_process < 0)
        return;
    ++m_awaited;
    Q_EMIT requested(ToolRequest{name, m_process});
}

void ToolActions::listRunning(const RunState &run)
{
    QList<int> running;
    for (int index = int(run.ranks.size()); const RankState *its = run.stateOf(index); ++index) {
        if (its->phase == RankPhase::Running)
            running << index;
    }
    if (running == m_runningTools)
        return;
    m_runningTools = running;
    qDeleteAll(std::exchange(m_running, {}));
    if (!running.isEmpty())
        m_running << m_menu->addSeparator();
    for (const int index : std::as_const(running)) {
        QAction *action = m_menu->addAction(tr("Show %1").arg(processTitle(*run.planOf(index))));
        connect(action, &QAction::triggered, this, [this, index] { Q_EMIT attached(index); });
        m_running << action;
    }
}

void ToolActions::setChosen(const RunState &run, const QList<int> &processes)
{
    if (std::exchange(m_directory, run.directory) != run.directory ||
        std::exchange(m_attempt, run.attempt) != run.attempt)
        m_known = run.tools.size();
    const int chosen = processes.size() == 1 ? processes.constFirst() : -1;
    const bool isRank =
        chosen >= 0 && run.plan && run.plan->processes.at(size_t(chosen)).role == Role::Worker;
    m_process =
        isRank && run.isLiveNow() && run.ranks.at(size_t(chosen)).phase == RankPhase::Running ? chosen : -1;
    m_menu->setTitle(withWord(tr("De&bug %1 with"), nameOfRanks(run, processes)));
    for (QAction *kind : std::as_const(m_kinds))
        kind->setEnabled(m_process >= 0);
    listRunning(run);
    m_menu->menuAction()->setEnabled(m_process >= 0 || !m_running.isEmpty());
    const std::size_t known = std::exchange(m_known, run.tools.size());
    if (run.tools.size() <= known || m_awaited == 0)
        return;
    m_awaited = 0;
    Q_EMIT attached(static_cast<int>(run.ranks.size() + run.tools.size()) - 1);
}

} // namespace rankdeck
