#pragma once

#include "cablednodes.h"
#include "liverun.h"
#include "smalldisk.h"
#include "steadyrun.h"

#include <QRandomGenerator>
#include <QSaveFile>
#include <QStandardPaths>

#include <functional>
#include <set>

namespace rankdeck
{

struct ProcessPlan;

/// A live run in a place where something besides its processes can break.
class FaultArena
{
public:
    FaultArena() = default;
    virtual ~FaultArena() = default;
    Q_DISABLE_COPY_MOVE(FaultArena)

    /// Returns false if this place cannot be had here.
    virtual bool start() = 0;
    /// Waits until every rank runs.
    virtual bool isUp() = 0;
    /// Breaks or repairs a part of the place. Returns which, for a message; empty: no part can break.
    virtual QString breakPlace(QRandomGenerator &random)
    {
        Q_UNUSED(random)
        return {};
    }
    /// Ends the window and its X server, which only show the run. Continues a command that was stopped, as a
    /// user would.
    virtual void leave() = 0;
    /// How many ranks clients may name: 0 and up.
    virtual int ranks() const = 0;
    /// All ranks end by themselves, with exit code 0.
    void finish()
    {
        m_isFinishing = true;
        tellRanksToEnd();
    }
    bool isFinishing() const { return m_isFinishing; }
    /// The processes that must be gone in the end.
    virtual QList<qint64> alive() const = 0;
    /// The processes that a signal may hit.
    virtual QList<qint64> victims() const { return alive(); }
    /// Says which process has ended that Rankdeck must not end; empty: none has.
    /// @param wasHit whether a process was, or a rank on a client's request; rank -1: none.
    virtual QString endProblem(const std::function<bool(qint64 pid, int rank)> &wasHit) const
    {
        Q_UNUSED(wasHit)
        return {};
    }
    /// Says what is wrong with the log of a rank that has ended; empty: nothing is.
    /// @param isWhole the run's supervisor lived to its end, and lacked nothing.
    virtual QString logProblem(const ProcessPlan &rank, bool isWhole) const = 0;
    /// Whether the last line of the journal may be torn, as where the disk stays full.
    virtual bool mayTearTheEnd() const { return false; }
    /// How long the processes of a stopped run may take to end.
    virtual int goneMs() const { return 15000; }

    static void goOn(const QProcess &process)
    {
        if (process.processId() > 0)
            ::kill(pid_t(process.processId()), SIGCONT);
    }

protected:
    virtual void tellRanksToEnd() = 0;

private:
    bool m_isFinishing = false;
};

/// On this machine.
class LocalArena : public FaultArena
{
public:
    bool start() override
    {
        m_run.start();
        return true;
    }
    bool isUp() override { return m_run.isUp(); }
    void leave() override { goOn(m_run.ctlProcess()); }
    int ranks() const override { return LiveRun::ranks; }
    QList<qint64> alive() const override { return m_run.alive(); }
    /// No line that a rank had written is missing or torn.
    QString logProblem(const ProcessPlan &rank, bool) const override
    {
        int count = 0;
        for (const QByteArray &line : linesOf(fileText(rank.logFile))) {
            if (line.endsWith("echo: I/O error"))
                return {}; // It was started with too few descriptors for a shell to print.
            // The shell says by which signal a child has ended.
            if (line.startsWith('o') && line != "on")
                return u"in a log: %1"_s.arg(QString::fromUtf8(line));
            count += line == "on" ? 1 : 0;
        }
        const int written = m_run.counted(rank.rank.value);
        return count >= written ? QString() : u"%1 lines of %2 are in a log"_s.arg(count).arg(written);
    }

protected:
    void tellRanksToEnd() override { m_run.finish(); }
    LiveRun &run() { return m_run; }

private:
    LiveRun m_run;
};

/// The run directory and the logs are on a small disk, which can run out of room or of inodes.
class SmallDiskArena : public LocalArena
{
public:
    bool start() override
    {
        // The disk hides the folder that the run had made.
        return m_disk.isThere() && QDir().mkpath(run().home().path("counts")) && LocalArena::start();
    }
    QString breakPlace(QRandomGenerator &random) override
    {
        m_disk.makeRoom();
        switch (random.bounded(3)) {
        case 0:
            m_disk.fill();
            return u"a full disk"_s;
        case 1:
            m_disk.takeInodes();
            return u"no inode left"_s;
        default:
            return u"room on the disk"_s;
        }
    }
    /// Lines may be missing and torn.
    QString logProblem(const ProcessPlan &, bool) const override { return {}; }
    bool mayTearTheEnd() const override { return true; }

private:
    SmallDisk m_disk{run().home().path()};
};

/// The library faketime makes the time of day jump.
class JumpingClockArena : public LocalArena
{
public:
    ~JumpingClockArena() override
    {
        for (const char *variable : variables)
            qunsetenv(variable);
    }
    bool start() override
    {
#ifdef __SANITIZE_ADDRESS__
        return false; // The sanitizer has to be loaded first.
#endif
        const QDir libraries(u"/usr/lib"_s);
        for (const QString &folder : libraries.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QString library = libraries.filePath(folder + u"/faketime/libfaketime.so.1"_s);
            if (!QFile::exists(library))
                continue;
            jump(0);
            qputenv("LD_PRELOAD", library.toLocal8Bit());
            qputenv("FAKETIME_TIMESTAMP_FILE", clock().toLocal8Bit());
            qputenv("FAKETIME_NO_CACHE", "1");
            qputenv("FAKETIME_DONT_FAKE_MONOTONIC", "1");
            qputenv("NO_FAKE_STAT", "1");
            return LocalArena::start();
        }
        return false;
    }
    QString breakPlace(QRandomGenerator &random) override
    {
        const int seconds = random.bounded(-100000, 100000);
        jump(seconds);
        return u"a clock that is %1 s ahead"_s.arg(seconds);
    }

private:
    static constexpr std::array variables{"LD_PRELOAD", "FAKETIME_TIMESTAMP_FILE", "FAKETIME_NO_CACHE",
                                          "FAKETIME_DONT_FAKE_MONOTONIC", "NO_FAKE_STAT"};

    QString clock()
    {
        return run().home().path("clock");
    }
    void jump(int seconds)
    {
        QSaveFile file(clock());
        if (file.open(QIODevice::WriteOnly)) {
            file.write(u"%1%2\n"_s.arg(QLatin1String(seconds < 0 ? "" : "+")).arg(seconds).toLatin1());
            file.commit();
        }
    }
};

/// Launched by a window on an X server of its own, which may be killed.
class WindowArena : public LocalArena
{
public:
    bool start() override
    {
        const QString program = QStandardPaths::findExecutable(u"Xvfb"_s);
        if (program.isEmpty() || !QFile::exists(buildPath("bin/rankdeck")))
            return false;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove(u"WAYLAND_DISPLAY"_s);
        environment.remove(u"XDG_STATE_HOME"_s); // It is no part of the run.
        m_display.setProcessEnvironment(environment);
        m_display.start(program, {u"-displayfd"_s, u"1"_s, u"-nolisten"_s, u"tcp"_s});
        if (!QTest::qWaitFor([this] { return m_display.canReadLine(); }, programLimitMs))
            return false;
        environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"DISPLAY"_s, ':'_L1 + QString::fromUtf8(m_display.readLine().trimmed()));
        environment.insert(u"QT_QPA_PLATFORM"_s, u"xcb"_s);
        environment.insert(u"XDG_CONFIG_HOME"_s, run().home().path("config"));
        m_window.setProcessEnvironment(environment);
        m_window.start(buildPath("bin/rankdeck"), run().arguments());
        return true;
    }
    QString breakPlace(QRandomGenerator &) override
    {
        m_display.kill();
        return u"the X server gone"_s;
    }
    void leave() override
    {
        for (QProcess *process : {&m_window, &m_display}) {
            process->kill();
            process->waitForFinished();
        }
    }

private:
    QProcess m_display;
    QProcess m_window;
};

/// On two nodes, each behind a cable that may be cut without a word to either side.
class RemoteArena : public FaultArena
{
public:
    ~RemoteArena() override
    {
        m_ctl.kill();
        m_ctl.waitForFinished();
        for (const qint64 pid : alive())
            ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
    bool start() override
    {
        if (!CabledNodes::canBe() || !m_nodes.start())
            return false;
        m_remote.setConfiguration(m_nodes.configuration());
        m_ctl.setStandardOutputFile(QProcess::nullDevice());
        m_ctl.setStandardErrorFile(m_remote.home().path("ctl.err"));
        m_ctl.start(buildPath("bin/rankdeckctl"), m_run.arguments(m_remote.nodeOptions()));
        return true;
    }
    bool isUp() override { return m_run.isUp(); }
    void leave() override { goOn(m_ctl); }
    int ranks() const override { return SteadyRun::ranks; }
    QString breakPlace(QRandomGenerator &random) override
    {
        const char *node = random.bounded(2) == 0 ? "alpha" : "beta";
        if (random.bounded(3) == 0) {
            CabledNodes::mend(node);
            return u"the cable to %1 repaired"_s.arg(QLatin1String(node));
        }
        CabledNodes::cut(node);
        return u"the cable to %1 cut"_s.arg(QLatin1String(node));
    }
    QList<qint64> alive() const override
    {
        std::set<qint64> found;
        for (const QString &mark : {m_remote.home().path("mark"), m_remote.home().path("state")}) {
            for (const qint64 pid : processesOf(mark)) {
                if (nameOf(pid) != "sshd"_L1)
                    found.insert(pid);
            }
        }
        for (const qint64 pid : m_remote.alive())
            found.insert(pid);
        return {found.begin(), found.end()};
    }
    /// The sshd of each connection as well.
    QList<qint64> victims() const override
    {
        QList<qint64> found = alive();
        std::set<qint64> sessions;
        for (const qint64 pid : alive()) {
            if (const pid_t session = SteadyRun::above(pid_t(pid), "sshd"))
                sessions.insert(session);
        }
        for (const qint64 pid : sessions)
            found << pid;
        return found;
    }
    /// Each life of a rank counts from 1.
    QString logProblem(const ProcessPlan &rank, bool) const override
    {
        int before = 0;
        for (const QByteArray &line : linesOf(fileText(rank.logFile))) {
            bool isNumber = false;
            const int number = line.toInt(&isNumber);
            if (isNumber && number != 1 && number != before + 1)
                return u"%1 follows %2 in a log"_s.arg(number).arg(before);
            before = isNumber ? number : before;
        }
        return {};
    }
    int goneMs() const override { return SteadyRun::goneSilentlyMs + FaultArena::goneMs(); }

protected:
    void tellRanksToEnd() override { m_run.finish(); }

private:
    static QString nameOf(qint64 pid)
    {
        const auto process = readProcess(pid_t(pid));
        return process ? process->name : QString();
    }

    RemoteRun m_remote;
    CabledNodes m_nodes{m_remote.home().path("nodes")};
    SteadyRun m_run{m_remote};
    QProcess m_ctl;
};

} // namespace rankdeck
