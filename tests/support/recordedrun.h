#pragma once

#include "handmaderun.h"
#include "launch/plan/attempt.h"
#include "run/process/processtree.h"
#include "run/record/journal.h"
#include "run/record/rundirectory.h"
#include "run/record/runrecord.h"
#include "run/record/runstate.h"

#include <QDir>
#include <QFile>

namespace rankdeck
{

/// A run directory that a test writes as a supervisor would, with no process behind it: the test itself is
/// the supervisor. XDG_STATE_HOME should name a temporary directory.
class RecordedRun
{
public:
    /// The ranks of the first `launched` servers are of the run.
    explicit RecordedRun(int servers = 1, int devices = 8, bool raiseOnFailure = true, int launched = 1)
    {
        const RunState model = handMadeRun(servers, devices, launched);
        m_record.plan = *model.plan;
        m_record.plan.raiseOnFailure = raiseOnFailure;
        m_record.name = u"train"_s;
        m_record.socketPath = u"/nonexistent"_s;
        m_record.supervisor = thisSupervisor();
        for (ProcessPlan &process : m_record.plan.processes)
            process.logFile.clear();
        const auto made = createRunDirectory(m_record);
        if (!made)
            qFatal("%s", qPrintable(made.error().sentence()));
        m_directory = *made;
        m_logDirectory = m_directory;
        m_record.socketPath = m_directory + u"/no-socket"_s;
        for (ProcessPlan &process : m_record.plan.processes)
            process.logFile = u"%1/%2.txt"_s.arg(m_directory, process.label());
        write();
    }

    const QString &directory() const { return m_directory; }
    const LaunchPlan &plan() const { return m_record.plan; }

    /// Where its clients look for a supervisor.
    void setSocket(const QString &path)
    {
        m_record.socketPath = path;
        write();
    }

    /// Standard error of every process has a file of its own.
    void keepErrorsApart()
    {
        for (ProcessPlan &process : m_record.plan.processes)
            process.stderrFile = u"%1/%2.err"_s.arg(m_directory, process.label());
        write();
    }

    /// Every process has a terminal.
    void giveTerminals()
    {
        for (ProcessPlan &process : m_record.plan.processes)
            process.hasTerminal = true;
        write();
    }

    /// Its processes log to files in `folder`, outside the run directory.
    void logTo(const QString &folder)
    {
        m_logDirectory = folder;
        for (ProcessPlan &process : m_record.plan.processes)
            process.logFile = u"%1/%2.txt"_s.arg(folder, process.label());
        write();
    }

    /// Its processes may be started anew this often; each attempt logs to a folder of its own.
    void allowRestarts(int most)
    {
        m_record.plan.maxRestarts = most;
        for (ProcessPlan &process : m_record.plan.processes)
            process.logFile = u"%1/%2/%3.txt"_s.arg(
                m_logDirectory, attemptFolder(QLatin1String(attemptPlaceholder)), process.label());
        write();
        makeAttemptFolder();
    }

    void restart(const QString &why)
    {
        ++m_attempt;
        makeAttemptFolder();
        append(events::Restart{m_attempt, Sentence(why)});
    }

    void startAll()
    {
        m_record.phase = RunPhase::Running;
        write();
        for (int process = 0; process < int(m_record.plan.processes.size()); ++process)
            append(events::ProcessStarted{process, 1000 + process});
    }

    void print(int process, const QByteArray &text) const
    {
        QFile log(forAttempt(m_record.plan, m_record.plan.processes.at(size_t(process)).logFile, m_attempt));
        if (!log.open(QIODevice::Append) || log.write(text) != text.size())
            qFatal("a log cannot be written");
    }

    void printError(int process, const QByteArray &text) const
    {
        QFile log(m_record.plan.processes.at(size_t(process)).stderrFile);
        if (!log.open(QIODevice::Append) || log.write(text) != text.size())
            qFatal("a log cannot be written");
    }

    /// @param when none: now.
    void exit(int process, ExitStatus status, const QDateTime &when = {})
    {
        RunEvent event = RunEvent::now(events::ProcessExited{process, 1000 + process, status});
        if (when.isValid())
            event.wall = when;
        Journal(m_directory).append(event);
    }

    void exitAll(ExitStatus status = {})
    {
        for (int process = 0; process < int(m_record.plan.processes.size()); ++process)
            exit(process, status);
    }

    void hold(int process, Hold how) const { append(events::ProcessHeld{process, 1000 + process, how}); }
    void release(int process) const { append(events::ProcessReleased{process, 1000 + process}); }

    /// The rank's end is what the run fails for.
    void fail(int process, ExitStatus status, const QDateTime &when = {})
    {
        const ProcessPlan &plan = m_record.plan.processes.at(size_t(process));
        exit(process, status, when);
        Failure failure;
        failure.rank = plan.rank;
        failure.device = plan.device;
        failure.node = plan.node;
        failure.pid = 1000 + process;
        failure.status = status;
        failure.logTail = {u"RuntimeError: loss is not a number"_s};
        failure.logFile = plan.logFile;
        m_record.failure = failure;
        write();
        append(events::FailureRecorded());
        tearDown();
    }

    void note(const QString &text) { append(events::Note{Sentence(text)}); }

    /// These have been silent since then, by what its supervisor says; `named` are those that stand out.
    void stall(const QString &sentence, const QMap<int, qint64> &silences, const QString &named = {})
    {
        append(events::Stalled{Sentence(sentence), silences, named});
    }
    /// All ranks end as one does whose run is stopped by its user.
    void stop()
    {
        append(events::StopRequested());
        for (int process = 0; process < int(plan().processes.size()); ++process)
            exit(process, {ExitStatus::Kind::Signalled, SIGTERM});
        finish(RunPhase::Stopped, 143);
    }
    void endStall(const QString &sentence) { append(events::StallEnded{Sentence(sentence)}); }

    /// Somebody has asked for the stacks of a process, and these were found.
    void dump(int process, const QByteArray &stacks)
    {
        const QString name = u"stacks/20240101-120000-rank-%1.txt"_s.arg(process);
        QDir(m_directory).mkdir(u"stacks"_s);
        QFile file(m_directory + '/'_L1 + name);
        if (!file.open(QIODevice::WriteOnly) || file.write(stacks) != stacks.size())
            qFatal("stacks cannot be written");
        file.close();
        append(events::StacksDumped{.process = process, .file = name});
    }
    /// There were none.
    void dumpNothing(int process, const QString &problem)
    {
        append(events::StacksDumped{.process = process, .text = Sentence(problem)});
    }

    /// Its supervisor, and the guardian that would have written down how it ended, are gone.
    void loseSupervisor()
    {
        m_record.phase = RunPhase::Running;
        m_record.supervisor = thisSupervisor();
        ++m_record.supervisor->startTime; // That of another process.
        write();
    }

    void tearDown() { append(events::TearDown()); }

    void finish(RunPhase phase, int exitCode)
    {
        m_record.phase = phase;
        m_record.ended = QDateTime::currentDateTimeUtc();
        m_record.exitCode = exitCode;
        write();
        append(events::Finished{phase, exitCode});
    }

private:
    void write() const
    {
        if (const auto error = writeRunRecord(m_directory, m_record))
            qFatal("%s", qPrintable(error->sentence()));
    }

    void append(const AnyEvent &what) const { Journal(m_directory).append(RunEvent::now(what)); }

    void makeAttemptFolder() const
    {
        if (!QDir(m_logDirectory).mkpath(attemptFolder(QString::number(m_attempt))))
            qFatal("a folder for logs cannot be made");
    }

    RunRecord m_record;
    QString m_directory;
    QString m_logDirectory; ///< Where logs are; the run directory unless logTo() said otherwise.
    int m_attempt = 0;
};

} // namespace rankdeck
