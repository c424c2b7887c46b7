#pragma once

#include "faultarena.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// A launcher of others, a shell script: it starts ranks with RANK and WORLD_SIZE in their environment, waits
/// for them, and leaves them at SIGUSR1. Each rank counts on, half of them in a log of their own, and has a
/// grandchild in a session of its own.
class RankLauncher
{
public:
    static constexpr int ranks = 4;

    explicit RankLauncher(const QString &folder)
        : m_folder(folder)
    {
        for (const QString &name : {u"pids"_s, u"counts"_s})
            QDir().mkpath(path(name));
        write(u"launcher.sh"_s, "trap 'exit 0' USR1; pids=; code=0; cd %1\n"
                                "for i in 0 1 2 3; do\n"
                                "  RANK=$i LOCAL_RANK=$i WORLD_SIZE=4 sh rank.sh & pids=\"$pids $!\"\n"
                                "done\n"
                                "for pid in $pids; do wait $pid || code=$?; done\n"
                                "exit $code\n");
        write(u"rank.sh"_s, "[ $RANK -lt 2 ] && exec >>own$RANK.log 2>&1\n"
                            "echo $$ >pids/$RANK; (setsid sleep 86400 &); n=0\n"
                            "until [ -e end ]; do\n"
                            "  n=$((n + 1))\n"
                            "  if [ $RANK -lt 2 ]; then echo $n; else echo \"[rank$RANK]: $n\"; fi\n"
                            "  echo $n >counts/$RANK; sleep 0.1\n"
                            "done\n");
    }

    QStringList command() const { return {u"sh"_s, path(u"launcher.sh"_s)}; }
    /// Each rank ends by itself, with exit code 0.
    void finish() const { write(u"end"_s, ""); }
    /// As the rank wrote it; 0: not yet.
    qint64 pidOf(int rank) const { return numberIn(u"pids/%1"_s.arg(rank)); }
    /// How many lines a rank knows that it has printed.
    int counted(int rank) const { return int(numberIn(u"counts/%1"_s.arg(rank))); }
    /// Says what is wrong with the log of a rank: the numbers in it follow each other.
    static QString logProblem(const ProcessPlan &rank, int least)
    {
        int count = 0;
        for (const QByteArray &line : linesOf(fileText(rank.logFile))) {
            // A shell says by which signal a child has ended.
            if (!line.isEmpty() && line.front() >= 'A' && line.front() <= 'Z')
                continue;
            bool isNumber = false;
            const int number = line.toInt(&isNumber);
            if (!isNumber || number != count + 1)
                return u"\"%1\" follows %2 in a log"_s.arg(QString::fromUtf8(line)).arg(count);
            count = number;
        }
        return count >= least ? QString() : u"%1 lines of %2 are in a log"_s.arg(count).arg(least);
    }
    /// Whether all ranks of the newest run have been found, and run.
    static bool isUp()
    {
        const auto areFound = [] {
            const auto directory = findRun(u"last"_s);
            const auto state = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
            int running = 0;
            for (std::size_t index = 0; state && index < state->ranks.size(); ++index)
                running += state->plan->processes[index].role == Role::Worker &&
                           state->ranks[index].phase == RankPhase::Running && state->ranks[index].pid > 0;
            return running == ranks;
        };
        return QTest::qWaitFor(areFound, programLimitMs);
    }

private:
    QString path(const QString &name) const { return m_folder + '/'_L1 + name; }
    void write(const QString &name, const char *text) const
    {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray(text).replace("%1", m_folder.toUtf8()));
    }
    qint64 numberIn(const QString &name) const { return fileText(path(name)).trimmed().toLongLong(); }

    QString m_folder;
};

/// A launcher of others, begun by wrap.
class WrapArena : public FaultArena
{
public:
    ~WrapArena() override
    {
        m_ctl.kill();
        m_ctl.waitForFinished();
        killProcessesOf(m_home);
    }
    bool start() override
    {
        m_ctl.setStandardOutputFile(QProcess::nullDevice());
        m_ctl.setStandardErrorFile(m_home.path("ctl.err"));
        m_ctl.start(buildPath("bin/rankdeckctl"),
                    QStringList{u"wrap"_s, u"--grace"_s, u"2"_s, u"--"_s} + m_launcher.command());
        return true;
    }
    bool isUp() override { return RankLauncher::isUp(); }
    void leave() override { goOn(m_ctl); }
    int ranks() const override { return RankLauncher::ranks; }
    QList<qint64> alive() const override { return processesOf(m_home.path("state")); }
    QString breakPlace(QRandomGenerator &) override
    {
        const auto directory = findRun(u"last"_s);
        const auto state = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        if (!state || state->ranks.front().pid <= 0 || state->ranks.front().status)
            return {};
        ::kill(pid_t(state->ranks.front().pid), SIGUSR1);
        return u"a launcher that leaves its ranks"_s;
    }
    /// A rank without a log of its own has its lines in the one that the launcher's was split into.
    QString logProblem(const ProcessPlan &rank, bool isWhole) const override
    {
        return rank.role == Role::Worker
                   ? RankLauncher::logProblem(rank, isWhole ? m_launcher.counted(rank.rank.value) : 0)
                   : QString();
    }

protected:
    void tellRanksToEnd() override { m_launcher.finish(); }

private:
    TestHome m_home;
    RankLauncher m_launcher{m_home.path()};
    QProcess m_ctl;
};

/// A launcher that was started outside Rankdeck, and adopted: it and its ranks go on, whatever happens to who
/// watches them, unless they are hit themselves.
class AdoptArena : public FaultArena
{
public:
    ~AdoptArena() override
    {
        m_ctl.kill();
        m_ctl.waitForFinished();
        killProcessesOf(m_home);
        for (const qint64 pid : outside())
            ::kill(pid_t(pid), SIGKILL);
        m_outside.waitForFinished();
    }
    bool start() override
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove(u"XDG_STATE_HOME"_s); // By which Rankdeck's own processes are known.
        environment.insert(u"STARTED_OUTSIDE"_s, mark());
        m_outside.setProcessEnvironment(environment);
        m_outside.setStandardOutputFile(m_home.path("outside.log"), QIODevice::Append);
        m_outside.setProcessChannelMode(QProcess::MergedChannels);
        m_outside.start(m_launcher.command().first(), m_launcher.command().mid(1));
        if (!m_outside.waitForStarted())
            return false;
        m_pid = m_outside.processId();
        m_ctl.setStandardOutputFile(QProcess::nullDevice());
        m_ctl.setStandardErrorFile(m_home.path("ctl.err"));
        m_ctl.start(buildPath("bin/rankdeckctl"), {u"adopt"_s, QString::number(m_pid)});
        return true;
    }
    bool isUp() override { return RankLauncher::isUp(); }
    void leave() override { goOn(m_ctl); }
    int ranks() const override { return RankLauncher::ranks; }
    QList<qint64> alive() const override { return processesOf(m_home.path("state")); }
    QList<qint64> victims() const override { return alive() + outside(); }
    QString endProblem(const std::function<bool(qint64 pid, int rank)> &wasHit) const override
    {
        bool isAnyAlive = false;
        for (int rank = 0; rank < RankLauncher::ranks; ++rank) {
            const qint64 pid = m_launcher.pidOf(rank);
            const bool isRunning = isAlive(pid);
            isAnyAlive = isAnyAlive || isRunning;
            if (pid > 0 && !isRunning && !isFinishing() && !wasHit(pid, rank))
                return u"the adopted rank %1 (%2) was ended"_s.arg(rank).arg(pid);
        }
        return isAnyAlive && !isAlive(m_pid) && !wasHit(m_pid, -1)
                   ? u"the adopted launcher (%1) was ended"_s.arg(m_pid)
                   : QString();
    }
    /// It goes on after the run, which has a part of its lines.
    QString logProblem(const ProcessPlan &rank, bool) const override
    {
        return rank.role == Role::Worker ? RankLauncher::logProblem(rank, 0) : QString();
    }

protected:
    void tellRanksToEnd() override { m_launcher.finish(); }

private:
    QString mark() const { return m_home.path("outside"); }
    QList<qint64> outside() const { return processesOf(mark()); }
    static bool isAlive(qint64 pid)
    {
        const auto process = readProcess(pid_t(pid));
        return pid > 0 && process && process->state != 'Z';
    }

    TestHome m_home;
    RankLauncher m_launcher{m_home.path()};
    QProcess m_outside;
    qint64 m_pid = 0;
    QProcess m_ctl;
};

} // namespace rankdeck
