#include "run/replay/runreplay.h"

#include "base/regularfile.h"
#include "base/times.h"
#include "base/wordtable.h"
#include "log/file/bytesuntil.h"
#include "run/record/rundirectory.h"

#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

/// Most states that are kept as starting points.
constexpr std::size_t mostCheckpoints = 128;
constexpr std::size_t leastSpacing = 64;
constexpr qint64 journalBytesAtOnce = 4 * 1024 * 1024;

constexpr std::array markWords{"failure", "stall", "alarm", "node", "end", "note"};

QChar markLetter(ReplayMark::Kind kind)
{
    switch (kind) {
    case ReplayMark::Kind::Failure:
        return u'F';
    case ReplayMark::Kind::Stall:
        return u'!';
    case ReplayMark::Kind::Alarm:
        return u'A';
    case ReplayMark::Kind::Node:
        return u'N';
    case ReplayMark::Kind::End:
        return u'E';
    case ReplayMark::Kind::Note:
        break;
    }
    return u'·';
}

QString markWord(ReplayMark::Kind kind)
{
    return wordIn(markWords, kind);
}

/// Returns the moment at which a stamp of this machine's zone was written, ms since 1970.
static qint64 momentOf(LogTime stamp)
{
    constexpr qint64 usPerMs = 1000;
    const QDateTime local = utcTime(stamp.value / usPerMs);
    return QDateTime(local.date(), local.time()).toMSecsSinceEpoch();
}

Result<RunReplay> RunReplay::of(const RunState &ended)
{
    RunReplay replay;
    replay.m_ended = ended;
    replay.readJournal();
    if (!replay.m_events.empty()) {
        replay.m_begin = ended.created.isValid()
                             ? std::min(ended.created, utcTime(replay.m_events.front().ms))
                             : utcTime(replay.m_events.front().ms);
        replay.m_end = utcTime(replay.m_events.back().ms);
        if (ended.ended.isValid())
            replay.m_end = std::max(replay.m_end, ended.ended);
        replay.keepCheckpoints();
        replay.findMarks();
    } else if (!replay.findStamps()) {
        return Error{
            tr("nothing tells when these logs were written: no line has a time stamp"), ended.directory, {}};
    }
    const auto nodes = static_cast<int>(sampledNodes(*ended.plan).size());
    for (int node = 0; node < nodes; ++node)
        replay.m_samples.emplace_back(ended.directory, node, *ended.plan);
    return replay;
}

void RunReplay::readJournal()
{
    RegularFile journal(journalPath(m_ended.directory));
    if (!journal.open(QIODevice::ReadOnly))
        return;
    qint64 last = 0;
    while (!journal.atEnd()) {
        const QByteArray line = journal.readLine(journalBytesAtOnce);
        auto event = RunEvent::fromLine(line.endsWith('\n') ? line.chopped(1) : line);
        if (!event || !event->wall.isValid())
            continue;
        last = std::max(last, event->wall.toMSecsSinceEpoch());
        m_events.push_back({last, std::move(*event)});
    }
}

void RunReplay::keepCheckpoints()
{
    const std::size_t spacing = std::max(leastSpacing, m_events.size() / mostCheckpoints);
    RunState state;
    state.name = m_ended.name;
    state.directory = m_ended.directory;
    state.spec = m_ended.spec;
    state.created = m_ended.created;
    state.setPlan(*m_ended.recordedPlan);
    state.recordedPlan = m_ended.recordedPlan;
    if (m_ended.recordedPlan == m_ended.plan || m_ended.attempt == 0)
        state.plan = m_ended.plan;
    for (std::size_t at = 0; at < m_events.size(); ++at) {
        if (at % spacing == 0)
            m_checkpoints.push_back({at, state});
        const RunEvent &event = m_events[at].event;
        if (event.is<events::FailureRecorded>() && m_ended.failure)
            m_failureAt = at + 1;
        state.apply(event);
    }
}

/// Returns the kind of an event's mark; nothing for an event without news for a user.
static std::optional<ReplayMark::Kind> kindOfMark(const RunEvent &event)
{
    using Kind = ReplayMark::Kind;
    if (const auto *exited = event.as<events::ProcessExited>())
        return exited->status && !exited->status->isSuccess() ? std::optional(Kind::Failure) : std::nullopt;
    if (event.is<events::ProcessNotStarted, events::BeforeFailed, events::Survived>())
        return Kind::Failure;
    if (event.is<events::Stalled>())
        return Kind::Stall;
    if (event.is<events::DeviceAlarm, events::DeviceWell>())
        return Kind::Alarm;
    if (event.is<events::LinkLost, events::LinkBack, events::AgentLost, events::AgentEnds>())
        return Kind::Node;
    if (event.is<events::Finished, events::StopRequested, events::Restart>())
        return Kind::End;
    if (event.is<events::Note, events::StallEnded, events::CollectivesRead>())
        return Kind::Note;
    return std::nullopt;
}

void RunReplay::findMarks()
{
    bool isTornDown = false;
    for (const TimedEvent &timed : m_events) {
        const RunEvent &event = timed.event;
        if (event.is<events::Restart>())
            isTornDown = false;
        const auto kind = kindOfMark(event);
        // The failure of a rank that was stopped because another one failed does not count.
        const bool isFollower = kind == ReplayMark::Kind::Failure && isTornDown;
        if (event.is<events::TearDown, events::StopRequested>())
            isTornDown = true;
        if (!kind || isFollower)
            continue;
        const int process = event.process();
        ReplayMark mark{*kind, utcTime(timed.ms), process, event.text()};
        if (const auto *finished = event.as<events::Finished>())
            mark.text = tr("The run ended: %1.").arg(shownWord(finished->phase));
        if (process >= 0 && process < static_cast<int>(m_ended.plan->processes.size())) {
            const ProcessPlan &plan = m_ended.plan->processes[static_cast<std::size_t>(process)];
            const auto status = event.status();
            const QString what = mark.text.isEmpty() && status ? status->text() : mark.text;
            if (kind == ReplayMark::Kind::Failure)
                mark.text = tr("%1: %2", "rank 3: exit code 1").arg(processName(plan), what);
        }
        m_marks << mark;
    }
}

bool RunReplay::findStamps()
{
    qint64 first = std::numeric_limits<qint64>::max();
    qint64 last = 0;
    for (const ProcessPlan &process : m_ended.plan->processes) {
        std::optional<Written> written;
        for (const QString &path : {process.logFile, process.stderrFile}) {
            const auto span = path.isEmpty() ? std::nullopt : logSpan(path);
            if (!span)
                continue;
            const Written found{momentOf(span->first), momentOf(span->last)};
            written =
                written ? Written{std::min(written->first, found.first), std::max(written->last, found.last)}
                        : found;
        }
        m_written.push_back(written);
        if (written) {
            first = std::min(first, written->first);
            last = std::max(last, written->last);
        }
    }
    if (last == 0)
        return false;
    m_begin = utcTime(first);
    m_end = utcTime(last);
    for (std::size_t index = 0; index < m_ended.ranks.size(); ++index) {
        if (m_ended.ranks[index].phase != RankPhase::Failed || !m_written[index])
            continue;
        const ProcessPlan &plan = m_ended.plan->processes[index];
        m_marks << ReplayMark{ReplayMark::Kind::Failure, utcTime(m_written[index]->last),
                              static_cast<int>(index),
                              tr("%1: its log ends", "rank 3").arg(processName(plan))};
    }
    std::ranges::stable_sort(m_marks, {}, &ReplayMark::time);
    return true;
}

RunState RunReplay::stateByStamps(qint64 ms) const
{
    RunState state = m_ended;
    state.phase = RunPhase::Writing;
    state.ended = {};
    state.forgetTrouble();
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const auto &written = m_written[index];
        RankState &rank = state.ranks[index];
        if (!written || ms >= written->last)
            continue;
        const bool hasBegun = ms >= written->first;
        rank = {};
        rank.phase = hasBegun ? RankPhase::Writing : RankPhase::Waiting;
        if (hasBegun)
            rank.started = utcTime(written->first);
    }
    return state;
}

std::optional<ReplayMark> RunReplay::markAfter(const QDateTime &time) const
{
    const auto found =
        std::ranges::find_if(m_marks, [&](const ReplayMark &mark) { return mark.time > time; });
    return found == m_marks.end() ? std::nullopt : std::optional(*found);
}

std::optional<ReplayMark> RunReplay::markBefore(const QDateTime &time) const
{
    std::optional<ReplayMark> found;
    for (const ReplayMark &mark : m_marks) {
        if (mark.time >= time)
            break;
        found = mark;
    }
    return found;
}

RunState RunReplay::stateAt(const QDateTime &time) const
{
    RunState state = recordedAt(time);
    state.seenAt = time;
    return state;
}

RunState RunReplay::recordedAt(const QDateTime &time) const
{
    if (time >= m_end)
        return m_ended;
    const qint64 ms = time.toMSecsSinceEpoch();
    if (hasLogsAlone())
        return stateByStamps(ms);
    const auto end = static_cast<std::size_t>(std::ranges::upper_bound(m_events, ms, {}, &TimedEvent::ms) -
                                              m_events.begin());
    const auto after = std::ranges::upper_bound(m_checkpoints, end, {}, &Checkpoint::next);
    const Checkpoint &from = *std::prev(after);
    RunState state = from.state;
    for (std::size_t at = from.next; at < end; ++at)
        state.apply(m_events[at].event);
    takeFailure(state, end);
    return state;
}

qint64 RunReplay::lengthAt(const QString &path, const QString &marksFile, const QDateTime &time) const
{
    if (path.isEmpty())
        return 0;
    if (const auto marks = marksUntil(marksFile, time.toMSecsSinceEpoch(), 1))
        return marks->empty() ? 0 : marks->back().size;
    if (const auto bytes = bytesUntil(path, logTimeOf(time)))
        return *bytes;
    // The time of the file's bytes is unknown: use all of it.
    return QFileInfo(path).size();
}

std::vector<LogLengths> RunReplay::logsAt(const RunState &state, const QDateTime &time) const
{
    std::vector<LogLengths> lengths;
    const QString folder = growthFolder(state.directory, *state.recordedPlan, state.attempt);
    for (std::size_t index = 0; index < state.plan->processes.size(); ++index) {
        const ProcessPlan &process = state.plan->processes[index];
        LogLengths length;
        if (time >= m_end) {
            length = {QFileInfo(process.logFile).size(),
                      process.stderrFile.isEmpty() ? 0 : QFileInfo(process.stderrFile).size()};
        } else if (index < state.ranks.size() && state.ranks[index].phase != RankPhase::Waiting) {
            const auto number = static_cast<int>(index);
            length = {lengthAt(process.logFile, marksFile(folder, number, false), time),
                      lengthAt(process.stderrFile, marksFile(folder, number, true), time)};
        }
        lengths.push_back(length);
    }
    return lengths;
}

RunSamples RunReplay::samplesAt(const RunState &state, const QDateTime &time) const
{
    RunSamples samples;
    for (const SampleTime &node : m_samples)
        node.addUntil(time.toMSecsSinceEpoch(), samples);
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        if (state.ranks[index].phase != RankPhase::Running)
            samples.forget(static_cast<int>(index));
    }
    return samples;
}

QDateTime ReplayClock::time(qint64 now) const
{
    if (!m_since)
        return m_at;
    return std::min(m_end, m_at.addMSecs(static_cast<qint64>(double(now - *m_since) * m_speed)));
}

double ReplayClock::fraction(qint64 now) const
{
    const qint64 all = m_begin.msecsTo(m_end);
    return all <= 0 ? 1.0 : std::clamp(double(m_begin.msecsTo(time(now))) / double(all), 0.0, 1.0);
}

void ReplayClock::play(qint64 now)
{
    if (isAtEnd(now))
        m_at = m_begin;
    else
        m_at = time(now);
    m_since = now;
}

void ReplayClock::pause(qint64 now)
{
    m_at = time(now);
    m_since.reset();
}

void ReplayClock::seek(const QDateTime &time, qint64 now)
{
    m_at = std::clamp(time, m_begin, std::max(m_begin, m_end));
    if (m_since)
        m_since = now;
}

void ReplayClock::setSpeed(double speed, qint64 now)
{
    seek(time(now), now);
    m_speed = std::clamp(speed, leastSpeed, mostSpeed);
}

/// Reads "90", "1:30" or "1:02:03" as seconds; nothing for other text.
static std::optional<qint64> secondsFrom(const QString &text)
{
    constexpr qint64 base = 60;
    const QStringList parts = text.split(':'_L1);
    qint64 seconds = 0;
    for (qsizetype at = 0; at < parts.size(); ++at) {
        bool isNumber = false;
        const uint number = parts[at].toUInt(&isNumber);
        if (!isNumber || parts.size() > 3 || (at > 0 && number >= base))
            return std::nullopt;
        seconds = seconds * base + number;
    }
    return seconds;
}

Result<QDateTime> replayTime(const QString &text, const RunReplay &replay)
{
    const auto within = [&](const QDateTime &time) {
        return std::clamp(time, replay.begin(), replay.end());
    };
    if (text == "end"_L1)
        return replay.end();
    for (const auto kind : {ReplayMark::Kind::Failure, ReplayMark::Kind::Stall}) {
        if (text != markWord(kind))
            continue;
        const auto found = std::ranges::find(replay.marks(), kind, &ReplayMark::kind);
        if (found == replay.marks().end())
            return Error{tr("the run has no such mark"), text,
                         tr("\"rankdeckctl replay --json\" lists them.")};
        return found->time;
    }
    if (text.endsWith('%'_L1)) {
        constexpr double most = 100;
        bool isNumber = false;
        const double percent = text.chopped(1).toDouble(&isNumber);
        if (isNumber && percent >= 0 && percent <= most)
            return replay.begin().addMSecs(
                static_cast<qint64>(double(replay.begin().msecsTo(replay.end())) * percent / most));
    }
    if (const auto seconds = secondsFrom(text))
        return within(replay.begin().addSecs(*seconds));
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (time.isValid())
        return within(time.toUTC());
    return Error{
        tr("this is no time in a run"), text,
        tr("Write seconds since its start (90, 1:30, 1:02:03), a part of it (50%), failure, stall, end, "
           "or a date and time (2026-01-31T14:03:59).")};
}

} // namespace rankdeck
