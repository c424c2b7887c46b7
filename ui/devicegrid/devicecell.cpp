#include "devicegrid/devicecell.h"

#include "state/statewords.h"
#include "timewords.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

struct DeviceGridText {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::DeviceGrid)
};

QString elapsed(const RankState &rank, const QDateTime &now)
{
    if (!rank.started.isValid())
        return {};
    return elapsedText(rank.started.secsTo(rank.ended.isValid() ? rank.ended : now));
}

/// Of today the time alone.
QString shortTime(const QDateTime &time, const QDateTime &now)
{
    const QDateTime local = time.toLocalTime();
    return local.toString(local.date() == now.toLocalTime().date() ? QStringLiteral("HH:mm")
                                                                   : QStringLiteral("MM-dd HH:mm"));
}

QString joined(const QString &one, const QString &other)
{
    return one.isEmpty() || other.isEmpty() ? one + other : one + QStringLiteral(" · ") + other;
}

/// Those that are held, for whom others wait; empty: none is.
QString waitedFor(const RunState &state)
{
    const auto isHeld = [](const RankState &rank) {
        return rank.isHeld();
    };
    const auto held = std::count_if(state.ranks.begin(), state.ranks.end(), isHeld);
    const auto first = std::find_if(state.ranks.begin(), state.ranks.end(), isHeld);
    if (held == 0)
        return {};
    const auto index = static_cast<std::size_t>(first - state.ranks.begin());
    return held == 1 ? DeviceGridText::tr("rank %1").arg(state.plan->processes[index].rank.value)
                     : DeviceGridText::tr("%1 ranks").arg(held);
}

} // namespace

QString DeviceCell::spoken() const
{
    QStringList parts;
    for (int line = 0; line < lineCount - 1; ++line)
        parts << lines[size_t(line)].left << lines[size_t(line)].right;
    for (const SampleLine &line : samples)
        parts << line.spoken;
    parts << note.spoken << lines[lineCount - 1].left;
    if (process < 0)
        parts.append(DeviceGridText::tr("not launched here"));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

DeviceCell deviceCell(const PlacedDevice &device, const RunState &state, const QString &lastLine,
                      const QDateTime &now, const DeviceCell::Line &progress)
{
    DeviceCell cell;
    cell.process = device.process;
    cell.lines[0].left = device.title;
    cell.lines[1].left = device.address;
    if (device.process < 0)
        return cell;
    const auto index = size_t(device.process);
    const RankState rank = index < state.ranks.size() ? state.ranks[index] : RankState();
    cell.tone = toneOf(rank.phase);
    cell.lines[0].right = shownWord(rank.phase);
    if (rank.pid > 0)
        cell.lines[1].right = DeviceGridText::tr("pid %1").arg(rank.pid);
    const bool isTraining = rank.phase == RankPhase::Running && !progress.right.isEmpty();
    cell.lines[2] = {joined(rank.status ? rank.status->text() : QString(), progress.left),
                     isTraining ? progress.right : elapsed(rank, now)};
    if (rank.hold != Hold::None) {
        cell.tone = Tone::Caution;
        cell.lines[0].right = shownWord(rank.hold);
        cell.lines[2] = {joined(rank.hold == Hold::Suspended ? DeviceGridText::tr("by SIGSTOP")
                                                             : DeviceGridText::tr("by a debugger"),
                                progress.left),
                         {}};
    }
    if (rank.prompt) {
        const RankPrompt &prompt = *rank.prompt;
        cell.tone = Tone::Caution;
        cell.lines[0].right = QStringLiteral("❯ ") + prompt.word;
        cell.lines[2] = {joined(prompt.place(), prompt.function),
                         DeviceGridText::tr("%1.").arg(state.promptOrder(device.process))};
    }
    if (const QDateTime since = state.silentSince(device.process); since.isValid()) {
        // Nothing that ticks: it stands.
        cell.tone = Tone::Caution;
        const QString held = waitedFor(state);
        cell.lines[0].right =
            held.isEmpty() ? DeviceGridText::tr("⚠ stalled") : DeviceGridText::tr("… waits");
        const QString text = held.isEmpty()
                                 ? DeviceGridText::tr("silent since %1").arg(shortTime(since, now))
                                 : DeviceGridText::tr("for %1 since %2").arg(held, shortTime(since, now));
        cell.lines[2] = {joined(text, progress.left), {}};
    }
    cell.lines[3].left = lastLine;
    return cell;
}

} // namespace rankdeck
