#pragma once

#include "run/record/growthmarks.h"
#include "run/record/runevent.h"
#include "run/record/runstate.h"
#include "run/replay/replaysamples.h"

#include <deque>
#include <map>

namespace rankdeck
{

/// Something on the time line of a run that a user may want to go to.
struct ReplayMark {
    enum class Kind { // Most important kind first.
        Failure,      ///< A process ended badly, or could not be started.
        Stall,        ///< Ranks fell silent.
        Alarm,        ///< Alarm of an NPU.
        Node,         ///< A connection or an agent was lost, or is back.
        End,          ///< The run ended, was stopped or began again.
        Note,         ///< Any other sentence of the journal.
    };
    Kind kind = Kind::Note;
    QDateTime time;   ///< UTC.
    int process = -1; ///< By index in the plan; -1: none.
    QString text;     ///< A sentence, or a few words: "rank 3: exit code 1".

    bool operator==(const ReplayMark &) const = default;
};

/// "failure", "stall", "alarm", "node", "end", "note".
QString markWord(ReplayMark::Kind kind);
/// The letter of a mark on a time line: F, !, A, N, E or ·.
QChar markLetter(ReplayMark::Kind kind);

/// A past run as it was known at any time. It is read once and then answers for any time, in any order;
/// memory: its journal, at most 8 MB of samples for each node. Reads files and writes none. Keep it off the
/// GUI thread: an answer takes some milliseconds, opening it as long as the journal is.
class RunReplay
{
public:
    /// @param ended the run in its present state: from a RunReader, from a bundle, or from logs alone. A live
    /// run is replayed up to now. Fails if it has neither events nor logs with stamps or sizes.
    static Result<RunReplay> of(const RunState &ended);

    /// Returns the run in its final state.
    const RunState &ended() const { return m_ended; }
    QDateTime begin() const { return m_begin; } ///< UTC.
    QDateTime end() const { return m_end; }     ///< UTC; the last that is known.
    bool hasLogsAlone() const { return m_events.empty(); }
    const QList<ReplayMark> &marks() const { return m_marks; }
    /// Returns the first mark after `time`, or the last one before it; nothing if there is none.
    std::optional<ReplayMark> markAfter(const QDateTime &time) const;
    std::optional<ReplayMark> markBefore(const QDateTime &time) const;

    /// Returns the state that a client had at this time. Its plan is that of the end, in attempts too. At the
    /// end and later it is ended().
    RunState stateAt(const QDateTime &time) const;
    /// Returns how long the logs of the processes of `state`, stateAt() of that time, were.
    std::vector<LogLengths> logsAt(const RunState &state, const QDateTime &time) const;
    /// Returns the samples that a client had at this time, without those of processes that do not run then.
    RunSamples samplesAt(const RunState &state, const QDateTime &time) const;

private:
    struct TimedEvent {
        qint64 ms = 0; ///< Never less than that of the event before.
        RunEvent event;
    };
    /// The state before the event with this index.
    struct Checkpoint {
        std::size_t next = 0;
        RunState state;
    };
    /// The times at which the log of a process was written, if only its stamps show them.
    struct Written {
        qint64 first = 0; ///< ms since 1970.
        qint64 last = 0;
    };

    void readJournal();
    void keepCheckpoints();
    void findMarks();
    bool findStamps();
    RunState recordedAt(const QDateTime &time) const;
    RunState stateByStamps(qint64 ms) const;
    void takeFailure(RunState &state, std::size_t events) const
    {
        state.failure = m_failureAt > 0 && events >= m_failureAt ? m_ended.failure : std::nullopt;
    }
    qint64 lengthAt(const QString &path, const QString &marksFile, const QDateTime &time) const;

    RunState m_ended;
    QDateTime m_begin;
    QDateTime m_end;
    std::vector<TimedEvent> m_events;
    std::deque<Checkpoint> m_checkpoints;
    std::size_t m_failureAt = 0; ///< Index of the event that recorded ended().failure, +1; 0: none did.
    QList<ReplayMark> m_marks;
    std::vector<std::optional<Written>> m_written; ///< By process, without a journal.
    std::vector<SampleTime> m_samples;
};

/// Current time of a replay that plays. A value without a timer: the caller passes the time of a steady
/// clock.
class ReplayClock
{
public:
    static constexpr double leastSpeed = 1;
    static constexpr double mostSpeed = 1000;

    ReplayClock(QDateTime begin, QDateTime end)
        : m_begin(std::move(begin))
        , m_end(std::move(end))
        , m_at(m_begin)
    {
    }

    /// @param now ms of a steady clock, as in the other functions.
    QDateTime time(qint64 now) const;
    bool isPlaying() const { return m_since.has_value(); }
    double speed() const { return m_speed; }
    /// Whether it has played up to the end.
    bool isAtEnd(qint64 now) const { return time(now) >= m_end; }
    /// 0 .. 1.
    double fraction(qint64 now) const;

    /// Plays from the present place, or from the start if that is the end.
    void play(qint64 now);
    void pause(qint64 now);
    /// A time outside the run becomes its begin or end.
    void seek(const QDateTime &time, qint64 now);
    /// Limited to leastSpeed .. mostSpeed.
    void setSpeed(double speed, qint64 now);

private:
    QDateTime m_begin;
    QDateTime m_end;
    QDateTime m_at;                ///< At m_since, or while it is paused.
    std::optional<qint64> m_since; ///< While it plays.
    double m_speed = 1;
};

/// Reads a place in a run: "failure" or "stall" (its first one), "end", "50%", "90" or "1:30" or "1:02:03"
/// (since its begin), or an ISO time, which is local without a zone. Fails for other text, and if the run has
/// no such mark.
Result<QDateTime> replayTime(const QString &text, const RunReplay &replay);

} // namespace rankdeck
