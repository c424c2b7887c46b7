#pragma once

#include "programs.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "toldevents.h"

#include <algorithm>
#include <csignal>
#include <memory>

namespace rankdeck
{

/// A real launch to do something to: ranks that print ten lines a second, each with a child in its process
/// group and a grandchild in a session of its own whose parent is gone. Whatever a failed check leaves of it
/// is killed by pid in the end.
class LiveRun
{
public:
    static constexpr int ranks = 8;
    /// Within this much time a run goes on whole after a fault, or nothing of it is alive.
    static constexpr int limitMs = 10000;

    LiveRun()
    {
        QDir().mkpath(countFolder());
        m_ctl.setStandardOutputFile(QProcess::nullDevice());
        m_ctl.setStandardErrorFile(m_home.path("ctl.err"));
    }
    ~LiveRun()
    {
        m_ctl.kill();
        m_ctl.waitForFinished();
        for (const qint64 pid : alive())
            ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
    LiveRun(const LiveRun &) = delete;
    LiveRun &operator=(const LiveRun &) = delete;

    /// The launch, as a command line for rankdeckctl or rankdeck.
    QStringList arguments() const
    {
        const QString rank =
            u"(setsid sleep 86400 &); sleep 86400 & child=$!; "
            "trap 'kill $child; exit 143' TERM; echo child $child; "
            "n=0; until [ -e %1/end ]; do echo on; n=$((n + 1)); "
            "echo $n >%1/$RANK_ID.$$; sleep 0.1; done; kill $child; exit 0"_s.arg(countFolder());
        return {u"davincirun"_s,
                u"--rank-table"_s,
                demoTable(),
                u"--log-dir"_s,
                m_home.path("logs"),
                u"--grace"_s,
                u"2"_s,
                u"sh"_s,
                u"-c"_s,
                rank};
    }
    /// Start it with rankdeckctl. Check isUp().
    void start() { m_ctl.start(buildPath("bin/rankdeckctl"), arguments()); }
    /// Waits until all of it runs.
    bool isUp()
    {
        const bool isThere = QTest::qWaitFor([] { return bool(findRun(u"last"_s)); }, programLimitMs);
        if (!isThere)
            return false;
        m_directory = *findRun(u"last"_s);
        return QTest::qWaitFor(
            [this] {
                const RunState run = state();
                return run.count(RankPhase::Running) == ranks && supervisor() != 0 &&
                       std::all_of(run.plan->processes.begin(), run.plan->processes.end(),
                                   [](const ProcessPlan &rank) {
                                       return fileText(rank.logFile).contains("on\non\n");
                                   }) &&
                       sleepers() == 2 * ranks;
            },
            programLimitMs);
    }

    const TestHome &home() const { return m_home; }
    QProcess &ctlProcess() { return m_ctl; }
    const QString &directory() const { return m_directory; }
    RunState state() const
    {
        const auto read = RunReader(m_directory).open();
        return read ? *read : RunState();
    }
    RunRecord record() const
    {
        const auto read = readRunRecord(m_directory);
        return read ? *read : RunRecord();
    }
    QList<RunEvent> journal() const { return journalOf(m_directory); }
    bool journalSays(const QString &text) const
    {
        const QList<RunEvent> events = journal();
        return std::any_of(events.begin(), events.end(),
                           [&](const RunEvent &event) { return event.text().text().contains(text); });
    }

    pid_t supervisor() const
    {
        const RunRecord run = record();
        return run.supervisor ? static_cast<pid_t>(run.supervisor->pid) : 0;
    }
    pid_t keeper() const { return readProcess(guardian())->parent; }
    pid_t guardian() const
    {
        const RunRecord run = record();
        return run.guardian ? static_cast<pid_t>(run.guardian->pid) : 0;
    }
    pid_t agent() const { return pidTold<events::AgentStarted>(journal()); }
    pid_t rank(int index) const { return static_cast<pid_t>(state().ranks.at(std::size_t(index)).pid); }
    /// The child in the rank's process group.
    pid_t childOf(int index) const
    {
        const QByteArray log = fileText(state().plan->processes.at(std::size_t(index)).logFile);
        return log.mid(log.indexOf("child ") + 6).left(10).split('\n').first().toInt();
    }
    /// How many lines all lives of a rank know that they have printed.
    int counted(int rank) const
    {
        int sum = 0;
        const QStringList lives = QDir(countFolder()).entryList({QString::number(rank) + u".*"_s});
        for (const QString &life : lives)
            sum += fileText(countFolder() + '/'_L1 + life).trimmed().toInt();
        return sum;
    }
    /// Each rank ends by itself, with exit code 0.
    void finish() const
    {
        QFile file(countFolder() + u"/end"_s);
        (void)file.open(QIODevice::WriteOnly);
    }
    /// All that lives of it, rankdeckctl and the window included.
    QList<qint64> alive() const { return processesOf(m_home.path("state")); }
    /// All ranks live, print, and have their children.
    bool goesOnWhole() const
    {
        const RunState before = state();
        if (before.phase != RunPhase::Running || before.count(RankPhase::Running) != ranks)
            return false;
        return sleepers() == 2 * ranks && everyLogGrows(before);
    }

private:
    QString countFolder() const { return m_home.path("counts"); }
    /// Children and grandchildren; a loop's own come and go.
    int sleepers() const
    {
        int count = 0;
        for (const qint64 pid : alive()) {
            const QByteArray command = fileText(u"/proc/%1/cmdline"_s.arg(pid));
            count += command == QByteArray("sleep\0"
                                           "86400\0",
                                           12)
                         ? 1
                         : 0;
        }
        return count;
    }
    static bool everyLogGrows(const RunState &run)
    {
        return std::all_of(
            run.plan->processes.begin(), run.plan->processes.end(), [](const ProcessPlan &rank) {
                const qint64 size = QFile(rank.logFile).size();
                return QTest::qWaitFor([&] { return QFile(rank.logFile).size() > size; }, limitMs);
            });
    }

    TestHome m_home;
    QProcess m_ctl;
    QString m_directory;
};

} // namespace rankdeck
