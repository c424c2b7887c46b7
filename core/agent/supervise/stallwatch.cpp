#include "agent/supervise/stallwatch.h"

#include "base/listcomma.h"
#include "base/numberranges.h"
#include "device/sampling/devicealarm.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"

#include <QFileInfo>

namespace rankdeck
{

constexpr qint64 lookMs = 1000;
/// Ranks that stop together are noticed within a few looks, and reported together.
constexpr qint64 settleMs = 2000;
constexpr qint64 longestSettleMs = 10'000;
constexpr qint64 longestGapMs = 10'000;
/// Longest time to wait for stacks; after it no agent will answer.
constexpr qint64 longestDeafMs = 120'000;
constexpr int mostTellings = 10;
constexpr qint64 refillMs = 5LL * 60 * 1000;
/// Time between two readings of the steps, for each rank; each reading takes some tenths of a ms.
constexpr qint64 msPerRank = 30;
/// A rank whose NPU is that busy computes. One that waits for others in a collective is far below.
constexpr int busyFrom = 20;
/// An older sample does not show the present. npu-smi may take some seconds, and is then asked less often.
constexpr qint64 longestSampleMs = 60'000;
constexpr qint64 nearMs = 30'000;

static ProgressReader readerOf(const LaunchSpec &spec)
{
    const auto reader = ProgressReader::create(spec.common.progressPattern);
    return reader ? *reader : ProgressReader();
}

static Sentence goesOnText(const QList<int> &processes, const QList<int> &ranks, bool haveOthersEnded)
{
    QList<int> numbers = listOf(processes, [&](int process) { return ranks.value(process); });
    std::sort(numbers.begin(), numbers.end());
    if (numbers.isEmpty())
        return haveOthersEnded ? Sentence::tr("The ranks that were ahead have ended.")
                               : Sentence::tr("All ranks have caught up.");
    return Sentence::tr("Ranks %1 continue.", "Rank %1 continues.", static_cast<int>(numbers.size()))
        .arg(numberRanges(numbers));
}

StallWatch::StallWatch(const LaunchSpec &spec, const LaunchPlan &plan)
    : m_processes(plan.processes)
    , m_reader(readerOf(spec))
    , m_copiesAll(spec.nodes.mirror)
    , m_afterMs(qint64(spec.common.stallAfterSeconds) * 1000)
    , m_isHeld(plan.processes.size())
    , m_hasGrown(plan.processes.size())
    , m_isMute(plan.processes.size())
    , m_deafUntil(plan.processes.size())
    , m_behindSince(plan.processes.size())
    , m_isUnseen(plan.processes.size())
    , m_isUnreached(plan.processes.size())
    , m_npus(plan.processes.size())
    , m_tellings(mostTellings)
{
    for (const ProcessPlan &process : m_processes) {
        m_ranks << process.rank.value;
        if (process.role == Role::Console)
            m_commandLog = process.logFile;
    }
    const auto count = static_cast<qint64>(m_processes.size());
    m_stepsEveryMs = std::max(std::clamp<qint64>(m_afterMs / 12, lookMs, 10 * lookMs), msPerRank * count);
    if (m_afterMs > 0)
        m_detector = std::make_unique<StallDetector>(StallLimits{m_afterMs}, static_cast<int>(count),
                                                     [this](int process) { return hintOf(process); });
    show({}, 0);
}

/// Returns false for a scheduler, which prints only at the start and at the end.
bool StallWatch::isWatched(int process) const
{
    return m_detector && process >= 0 && process < static_cast<int>(m_processes.size()) &&
           m_processes[static_cast<std::size_t>(process)].role == Role::Worker;
}

/// Lines of a rank that was found may be in the log of its command, without a word of whose they are.
bool StallWatch::isWithoutLines(int process) const
{
    const ProcessPlan &plan = m_processes[static_cast<std::size_t>(process)];
    return plan.isFound && plan.console == Streams::None && QFileInfo(plan.logFile).size() == 0;
}

LogHint StallWatch::hintOf(int process) const
{
    const ProcessPlan &plan = m_processes[static_cast<std::size_t>(process)];
    LogHint hint = hintOfLog(plan.logFile, m_reader);
    if (plan.stderrFile.isEmpty())
        return hint;
    const LogHint other = hintOfLog(plan.stderrFile, m_reader);
    hint.isCompiling = hint.isCompiling || other.isCompiling;
    if (!hint.step)
        hint.step = other.step;
    return hint;
}

void StallWatch::take(const RunEvent &event, qint64 now)
{
    if (event.is<events::LinkLost, events::AgentLost, events::LinkBack>())
        setNodeSeen(event.node, event.is<events::LinkBack>(), now);
    const int process = event.process();
    if (!isWatched(process))
        return;
    const auto index = static_cast<std::size_t>(process);
    if (event.is<events::ProcessStarted>() && isWithoutLines(process)) {
        m_isMute[index] = true;
    } else if (event.is<events::ProcessStarted>()) {
        m_detector->start(process, now);
        m_isChanged = true;
        m_isHeld[index] = {};
    } else if (event.is<events::ProcessHeld, events::ProcessReleased>()) {
        m_isHeld[index].fromOutside = event.is<events::ProcessHeld>();
        showHeld(process, now);
    } else if (event.is<events::AtPrompt, events::PromptLeft>()) {
        m_isHeld[index].atPrompt = event.is<events::AtPrompt>();
        showHeld(process, now);
    } else if (event.is<events::StacksDumped>()) {
        m_deafUntil[index] = std::min(m_deafUntil[index], now + settleMs);
    } else if (event.is<events::ProcessExited, events::ProcessNotStarted>()) {
        m_detector->end(process);
        m_isChanged = true;
        // The exit is reported by itself; "it is no longer silent" would be wrong.
        m_told.stalled.removeOne(process);
        if (m_told.stalled.isEmpty() && m_told.kind != StallVerdict::Kind::Behind)
            m_told = {};
    }
}

void StallWatch::showHeld(int process, qint64 now)
{
    const Held &held = m_isHeld[static_cast<std::size_t>(process)];
    m_detector->setHeld(process, held.fromOutside || held.atPrompt, now);
    m_isChanged = true;
}

void StallWatch::awaitStacks(const QList<int> &processes, qint64 now)
{
    for (const int process : processes) {
        const auto index = static_cast<std::size_t>(process);
        if (index < m_activities.size() && m_activities[index].kind == RankActivity::Kind::Stalled)
            m_deafUntil[index] = now + longestDeafMs;
    }
}

void StallWatch::setNodeSeen(const QString &node, bool isSeen, qint64 now)
{
    for (int process = 0; process < static_cast<int>(m_processes.size()); ++process) {
        const auto index = static_cast<std::size_t>(process);
        if (m_processes[index].node != node)
            continue;
        m_isUnreached[index] = !isSeen;
        showSeen(process, now);
    }
}

void StallWatch::show(const QList<int> &processes, qint64 now)
{
    for (int process = 0; process < static_cast<int>(m_processes.size()) && !m_copiesAll; ++process) {
        const auto index = static_cast<std::size_t>(process);
        m_isUnseen[index] = !m_processes[index].copiedFrom.join(QString()).isEmpty() &&
                            !std::binary_search(processes.begin(), processes.end(), process);
        showSeen(process, now);
    }
}

void StallWatch::showSeen(int process, qint64 now)
{
    const auto index = static_cast<std::size_t>(process);
    if (isWatched(process))
        m_detector->setSeen(process, !m_isUnseen[index] && !m_isUnreached[index], now);
    m_isChanged = true;
}

/// The lines of a wrapped command are those of all its ranks where none of them has lines of its own: they
/// fall silent together. A server without steps is silent whenever nobody asks it.
void StallWatch::growMute(qint64 now)
{
    const bool isAnyMute = std::ranges::find(m_isMute, true) != m_isMute.end();
    const bool haveSteps = m_detector && isAnyMute && hintOfLog(m_commandLog, m_reader).step;
    for (std::size_t index = 0; index < m_isMute.size(); ++index) {
        const int process = static_cast<int>(index);
        if (m_isMute[index] && haveSteps) {
            m_isMute[index] = false;
            m_processes[index].logFile = m_commandLog;
            m_detector->start(process, now);
        }
        if (isWatched(process) && m_processes[index].logFile == m_commandLog && now >= m_deafUntil[index]) {
            m_detector->grow(process, now);
            m_hasGrown[index] = true;
        }
    }
}

void StallWatch::grow(const std::vector<int> &processes, qint64 now)
{
    for (const int process : processes) {
        if (process >= 0 && process < static_cast<int>(m_processes.size()) &&
            m_processes[static_cast<std::size_t>(process)].role == Role::Console)
            growMute(now);
        if (!isWatched(process) || now < m_deafUntil[static_cast<std::size_t>(process)])
            continue;
        if (m_isMute[static_cast<std::size_t>(process)])
            m_detector->start(process, now);
        m_isMute[static_cast<std::size_t>(process)] = false;
        m_detector->grow(process, now);
        m_hasGrown[static_cast<std::size_t>(process)] = true;
    }
}

void StallWatch::sample(const NodeSample &sample, qint64 now)
{
    // Several samples may bring the same reading.
    if (!sample.devices ||
        std::exchange(m_readings[sample.node], sample.devices->time) == sample.devices->time)
        return;
    for (auto chip = sample.chips.begin(); chip != sample.chips.end(); ++chip) {
        const DeviceSample device = sample.devices->samples.value(chip.value());
        const auto percent = busyPercent(device);
        if (!isWatched(chip.key()) || !percent)
            continue;
        Npu &npu = m_npus[static_cast<std::size_t>(chip.key())];
        const bool wasIdle = isFresh(npu, now) && npu.percent == 0;
        npu = {now, wasIdle ? npu.idleSince : now, *percent, device.rates.aiCore.has_value()};
        m_detector->setBusy(chip.key(), *percent >= busyFrom);
    }
}

bool StallWatch::isFresh(const Npu &npu, qint64 now) const
{
    return npu.time > 0 && std::abs(now - npu.time) <= longestSampleMs;
}

void StallWatch::forgetOldSamples(qint64 now)
{
    for (std::size_t process = 0; process < m_npus.size(); ++process) {
        Npu &npu = m_npus[process];
        if (npu.time == 0 || isFresh(npu, now))
            continue;
        npu = {};
        m_detector->setBusy(static_cast<int>(process), false);
    }
}

bool StallWatch::isStallNear() const
{
    return m_detector && m_detector->isStallNear(std::min(nearMs, m_afterMs / 4));
}

/// Returns the load of these processes' NPUs, in a sentence or two; empty: not known.
Sentence StallWatch::npuText(const QList<int> &processes, qint64 now) const
{
    QList<int> idle;
    QList<Sentence> busy;
    qint64 idleMs = now;
    bool isAiCore = true;
    for (const int process : processes) {
        const Npu &npu = m_npus[static_cast<std::size_t>(process)];
        if (!isFresh(npu, now))
            continue;
        const int rank = m_ranks.value(process);
        if (npu.percent == 0) {
            idle << rank;
            idleMs = std::min(idleMs, now - npu.idleSince);
            isAiCore = isAiCore && npu.isAiCore;
        } else if (npu.percent >= busyFrom) {
            busy << Sentence::tr("%1 (%2 %)").arg(rank).arg(npu.percent);
        }
    }
    QList<Sentence> sentences;
    if (!idle.isEmpty()) {
        std::sort(idle.begin(), idle.end());
        const int count = static_cast<int>(idle.size());
        const auto seconds = static_cast<int>(idleMs / 1000);
        const Sentence sentence = isAiCore
                                      ? Sentence::tr("AICore of ranks %1 has been at 0 % for %2 s.",
                                                     "AICore of rank %1 has been at 0 % for %2 s.", count)
                                      : Sentence::tr("The NPUs of ranks %1 have been at 0 % for %2 s.",
                                                     "The NPU of rank %1 has been at 0 % for %2 s.", count);
        sentences << sentence.arg(numberRanges(idle)).arg(seconds);
    }
    if (!busy.isEmpty())
        sentences << Sentence::tr("The NPUs of ranks %1 are busy: they may be computing.",
                                  "The NPU of rank %1 is busy: it may be computing.",
                                  static_cast<int>(busy.size()))
                         .arg(Sentence::joined(busy, nameComma()));
    return joinedBySpaces(sentences);
}

/// Reads the steps of all ranks at once: a rank that is read later would seem to be ahead.
void StallWatch::readSteps(qint64 now)
{
    if (m_stepsReadAt && now >= *m_stepsReadAt && now - *m_stepsReadAt < m_stepsEveryMs)
        return;
    m_stepsReadAt = now;
    for (int process = 0; process < static_cast<int>(m_processes.size()); ++process) {
        const auto index = static_cast<std::size_t>(process);
        if (!m_hasGrown[index])
            continue;
        m_hasGrown[index] = false;
        if (const auto step = hintOf(process).step)
            m_detector->place(process, *step);
        m_isChanged = true;
    }
}

std::optional<RunEvent> StallWatch::look(qint64 now)
{
    if (!m_detector || (m_lookedAt && now >= *m_lookedAt && now - *m_lookedAt < lookMs))
        return {};
    const qint64 passed = now - m_lookedAt.value_or(now);
    m_lookedAt = now;
    if (passed < 0 || passed > longestGapMs) { // Not observed: the machine slept, or its clock was set.
        for (qint64 &since : m_behindSince)
            since += since > 0 ? passed : 0;
    }
    forgetOldSamples(now);
    readSteps(now);
    m_isChanged = m_detector->look(now) || m_isChanged;
    if (std::exchange(m_isChanged, false)) {
        m_activities = m_detector->activities();
        m_verdict = stallVerdict(m_activities);
        hideWhoHasJustFallenBehind(now);
        if (m_verdict.kind == StallVerdict::Kind::Behind)
            m_verdict = stallVerdict(m_activities);
    }
    const Told found{m_verdict.kind, m_verdict.stalled, m_verdict.named};
    if (found == m_told) {
        m_news.reset();
        return {};
    }
    if (!m_news)
        m_oldSince = now;
    if (m_news != found) {
        m_news = found;
        m_newsSince = now;
    }
    if ((now - m_newsSince < settleMs && now - m_oldSince < longestSettleMs) || !mayTell(now))
        return {};
    const RunEvent event = eventOf(now);
    m_told = found;
    m_news.reset();
    return event;
}

/// Ranks fall behind and catch up more easily than they stop.
void StallWatch::hideWhoHasJustFallenBehind(qint64 now)
{
    for (std::size_t process = 0; process < m_activities.size(); ++process) {
        RankActivity &activity = m_activities[process];
        qint64 &since = m_behindSince[process];
        if (activity.stepsBehind == 0 || activity.kind == RankActivity::Kind::Stalled ||
            activity.kind == RankActivity::Kind::Held) {
            since = 0;
            continue;
        }
        since = since > 0 ? since : now;
        m_isChanged = true; // Until it is told, or has caught up.
        if (now - since < m_afterMs - settleMs)
            activity.stepsBehind = 0;
    }
}

bool StallWatch::mayTell(qint64 now)
{
    if (m_tellings == mostTellings || now < m_refilledAt)
        m_refilledAt = now;
    const auto refills = (now - m_refilledAt) / refillMs;
    m_refilledAt += refills * refillMs;
    m_tellings = static_cast<int>(std::min<qint64>(mostTellings, m_tellings + refills));
    return m_tellings > 0 && m_tellings-- > 0;
}

RunEvent StallWatch::eventOf(qint64 now) const
{
    if (m_verdict.kind == StallVerdict::Kind::None) {
        const bool haveEnded =
            std::ranges::count(m_activities, RankActivity::Kind::Ended, &RankActivity::kind) > 0;
        return RunEvent::now(events::StallEnded{goesOnText(m_told.stalled, m_ranks, haveEnded)});
    }
    QList<Sentence> sentences{stallSentence(m_verdict, m_ranks, QDateTime::currentDateTime()),
                              npuText(m_verdict.stalled, now)};
    sentences.removeIf([](const Sentence &each) { return each.isEmpty(); });
    events::Stalled stalled{joinedBySpaces(sentences), {}, numberRanges(m_verdict.named)};
    for (const int process : m_verdict.stalled)
        stalled.silences.insert(process, m_activities[static_cast<std::size_t>(process)].since / 1000 * 1000);
    return RunEvent::now(stalled);
}

} // namespace rankdeck
