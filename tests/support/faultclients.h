#pragma once

#include "launch/plan/launchplan.h"
#include "programs.h"
#include "run/control/runclient.h"
#include "toldevents.h"

#include <QRandomGenerator>

#include <memory>
#include <vector>

namespace rankdeck
{

/// Clients that ask different things of the newest run at the same moment: commands, and what a window has.
class FaultClients
{
public:
    FaultClients() = default;
    ~FaultClients()
    {
        for (const Command &command : m_commands) {
            command.process->kill();
            command.process->waitForFinished();
        }
    }
    Q_DISABLE_COPY_MOVE(FaultClients)

    /// One to three of them about one rank or its neighbour, most often one that starts it again. Returns
    /// what they ask, for a message.
    QString askAtOnce(QRandomGenerator &random, int ranks)
    {
        const int rank = random.bounded(ranks);
        QStringList told;
        for (int left = 1 + random.bounded(3); left > 0; --left) {
            const bool isFirst = told.isEmpty();
            const int asked = !isFirst && random.bounded(4) == 0 ? (rank + 1) % ranks : rank;
            const QStringList words =
                isFirst && random.bounded(2) == 0 ? restart(asked) : anyWords(random, asked);
            const bool isByWindow = random.bounded(3) == 0 && askByWindow(words);
            if (!isByWindow)
                askByCommand(words);
            told << (isByWindow ? u"window "_s : QString()) + words.join(' '_L1);
        }
        return told.join(u" + "_s);
    }
    bool haveAsked() const { return !m_asked.empty(); }
    /// Whether one of them has requested the end of the rank by a signal; rank -1: of all processes.
    bool haveSignalled(int rank, bool isByRequestToo) const
    {
        return std::ranges::any_of(m_asked, [&](const QStringList &words) {
            const bool isSignal =
                words.first() == "signal"_L1 || (isByRequestToo && words.contains(u"--kill"_s));
            return isSignal && (rankIn(words) < 0 || rankIn(words) == rank);
        });
    }
    /// Continues commands that were stopped.
    void goOn() const
    {
        for (const Command &command : m_commands) {
            if (command.process->processId() > 0)
                ::kill(pid_t(command.process->processId()), SIGCONT);
        }
    }
    /// Says which command did not end as it should, once the run has ended; empty: all did.
    /// @param state null: there was no run.
    template <typename WasHit>
    QString problem(const RunState *state, bool isJournalWhole, const WasHit &wasHit) const
    {
        for (const Command &command : m_commands) {
            const Outcome outcome = outcomeOf(*command.process);
            const QString name = command.words.join(' '_L1);
            if (outcome.code < 0)
                return name + u" did not return"_s;
            if (wasHit(command.pid))
                continue;
            const bool watches = command.words.first() == "attach"_L1 || command.words.first() == "wait"_L1;
            if (outcome.code > 2 && !(watches && state && outcome.code == state->exitCode))
                return u"%1 ended with %2: %3"_s.arg(name)
                    .arg(outcome.code)
                    .arg(QString::fromUtf8(outcome.err));
            if (state && isJournalWhole && outcome.code == 0 && command.words.first() == "restart"_L1 &&
                starts(*state, rankIn(command.words)) < 2)
                return name + u" has returned 0, but it was not started again"_s;
        }
        return {};
    }
    int count() const { return int(m_asked.size()); }

private:
    struct Command {
        QStringList words;
        std::unique_ptr<QProcess> process;
        qint64 pid = 0;
    };

    static QStringList restart(int rank) { return {u"restart"_s, u"--rank"_s, QString::number(rank)}; }
    static QStringList anyWords(QRandomGenerator &random, int rank)
    {
        const QString number = QString::number(rank);
        switch (random.bounded(12)) {
        case 0:
            return {u"attach"_s};
        case 1:
            return {u"wait"_s};
        case 2:
            return {u"stop"_s};
        case 3:
            return {u"stop"_s, u"--kill"_s, u"--yes"_s};
        case 4:
        case 5:
            return {u"stop"_s, u"--rank"_s, number};
        case 6:
            return {u"stop"_s, u"--kill"_s, u"--rank"_s, number};
        case 7:
            return {u"signal"_s, u"USR1"_s, u"--rank"_s, number};
        case 8:
            return {u"signal"_s, u"KILL"_s, u"--rank"_s, number};
        case 9:
            return {u"list"_s, u"--json"_s};
        case 10:
            return {u"report"_s, u"--json"_s};
        default:
            return restart(rank);
        }
    }
    /// -1: none is named.
    static int rankIn(const QStringList &words)
    {
        const qsizetype at = words.indexOf(u"--rank"_s);
        return at < 0 ? -1 : words.value(at + 1).toInt();
    }
    static int starts(const RunState &state, int rank)
    {
        const auto told = toldOf<events::ProcessStarted>(journalOf(state.directory));
        return int(std::ranges::count(told, state.plan->processOfRank(rank),
                                      &Told<events::ProcessStarted>::process));
    }
    void askByCommand(const QStringList &words)
    {
        QStringList arguments = words;
        if (words.first() != "list"_L1)
            arguments.insert(1, u"last"_s);
        Command command{words, std::make_unique<QProcess>(), 0};
        command.process->setStandardOutputFile(QProcess::nullDevice());
        command.process->start(buildPath("bin/rankdeckctl"), arguments);
        command.process->waitForStarted();
        command.pid = command.process->processId();
        m_commands.push_back(std::move(command));
        m_asked.push_back(words);
    }
    /// Returns false if a window cannot ask that of the run.
    bool askByWindow(const QStringList &words)
    {
        const auto directory = findRun(u"last"_s);
        const auto record = directory ? readRunRecord(*directory) : Result<RunRecord>(directory.error());
        const int process = record ? record->plan.processOfRank(rankIn(words)) : -1;
        std::optional<Request> request;
        if (process >= 0 && words.first() == "restart"_L1)
            request = StartRequest{{process}};
        else if (process >= 0 && words.first() == "stop"_L1)
            request = StopRequest{words.contains(u"--kill"_s), {process}};
        else if (process >= 0 && words.first() == "signal"_L1)
            request = SignalRequest{words.contains(u"KILL"_s) ? SIGKILL : SIGUSR1, {process}};
        if (!request)
            return false;
        m_windows.push_back(std::make_unique<RunClient>(*directory));
        m_windows.back()->open();
        m_windows.back()->request(*request);
        QCoreApplication::processEvents();
        m_asked.push_back(words);
        return true;
    }

    std::vector<Command> m_commands;
    std::vector<std::unique_ptr<RunClient>> m_windows;
    std::vector<QStringList> m_asked;
};

} // namespace rankdeck
