#pragma once

#include "recordedrun.h"

#include "base/times.h"
#include "madesamples.h"
#include "run/record/growthmarks.h"
#include "run/record/runreader.h"
#include "run/samples/loadhistory.h"
#include "run/samples/nodehistory.h"

#include <QtEndian>

namespace rankdeck
{

/// A run that is over, written with times of its own: seconds since its first event.
class PastRun
{
public:
    explicit PastRun(int devices = 8)
        : m_run(1, devices)
    {
        m_journal.setFileName(journalPath(m_run.directory()));
        if (!m_journal.open(QIODevice::WriteOnly | QIODevice::Truncate))
            qFatal("the journal cannot be written");
        // Where it begins.
        auto record = readRunRecord(m_run.directory());
        record.value().created = at(0);
        if (!record || writeRunRecord(m_run.directory(), *record))
            qFatal("the record cannot be written");
    }

    static QDateTime at(double seconds) { return utcTime(beginMs + qint64(seconds * msPerSecond)); }

    const QString &directory() const { return m_run.directory(); }
    const LaunchPlan &plan() const { return m_run.plan(); }
    const QList<RunEvent> &events() const { return m_events; }
    int ranks() const { return int(plan().processes.size()); }
    QString log(int process) const { return plan().processes.at(size_t(process)).logFile; }

    void add(double seconds, RunEvent event)
    {
        event.wall = at(seconds);
        m_events << event;
        m_journal.write(event.toLine() + '\n');
        m_journal.flush();
    }
    void add(double seconds, const AnyEvent &what) { add(seconds, RunEvent::now(what)); }
    void start(double seconds, int process)
    {
        add(seconds, events::ProcessStarted{process, firstPid + process});
    }
    void startAll(double seconds)
    {
        for (int process = 0; process < ranks(); ++process)
            start(seconds, process);
    }
    void exit(double seconds, int process, const ExitStatus &status)
    {
        add(seconds, events::ProcessExited{process, firstPid + process, status});
    }
    void finish(double seconds, RunPhase phase, int code)
    {
        auto record = readRunRecord(directory());
        record.value().phase = phase;
        record.value().ended = at(seconds);
        record.value().exitCode = code;
        if (!record || writeRunRecord(directory(), *record))
            qFatal("the record cannot be written");
        add(seconds, events::Finished{phase, code});
    }
    void recordFailure(double seconds, int process)
    {
        auto record = readRunRecord(directory());
        Failure failure;
        failure.rank = plan().processes.at(size_t(process)).rank;
        failure.status = {ExitStatus::Kind::Exited, 1};
        record.value().failure = failure;
        if (!record || writeRunRecord(directory(), *record))
            qFatal("the record cannot be written");
        add(seconds, events::FailureRecorded());
    }
    /// A rank prints, and its supervisor marks how far its log has grown.
    void print(double seconds, int process, const QByteArray &text) const
    {
        m_run.print(process, text);
        mark(seconds, process, QFile(log(process)).size());
    }
    void mark(double seconds, int process, qint64 size) const
    {
        const QString folder = growthFolder(directory(), plan(), 0);
        QDir().mkpath(folder);
        QFile marks(marksFile(folder, process, false));
        const std::array<qint64, 2> mark{qToLittleEndian(at(seconds).toMSecsSinceEpoch()),
                                         qToLittleEndian(size)};
        if (!marks.open(QIODevice::Append) ||
            marks.write(reinterpret_cast<const char *>(mark.data()), sizeof mark) < 0)
            qFatal("marks cannot be written");
    }
    NodeSample sample(double seconds, int step) const
    {
        QList<int> processes;
        for (int process = 0; process < ranks(); ++process)
            processes << process;
        return madeNodeSample(plan().processes.front().node, processes, at(seconds), step);
    }
    /// Samples at these steps, one each `every` seconds from `from` on.
    void addSamples(double from, double every, int steps) const
    {
        QDir().mkpath(samplesFolder(directory()));
        DeviceHistoryWriter devices(deviceHistoryPath(directory(), 0));
        LoadHistoryWriter loads(loadHistoryPath(directory(), 0));
        for (int step = 0; step < steps; ++step) {
            const NodeSample one = sample(from + step * every, step);
            if (devices.add(*one.devices, one.chips) || loads.add(one))
                qFatal("samples cannot be written");
        }
    }
    RunState ended() const
    {
        const auto state = RunReader(directory()).open();
        if (!state)
            qFatal("the run cannot be read");
        return *state;
    }

private:
    static constexpr qint64 beginMs = 1'700'000'000'000;
    static constexpr double msPerSecond = 1000;
    static constexpr qint64 firstPid = 1000;

    RecordedRun m_run;
    QFile m_journal;
    QList<RunEvent> m_events;
};

} // namespace rankdeck
