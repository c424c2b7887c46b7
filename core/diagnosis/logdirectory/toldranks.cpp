#include "diagnosis/logdirectory/toldranks.h"

#include "base/regularfile.h"

#include <QRegularExpression>

#include <algorithm>
#include <set>

namespace rankdeck
{

constexpr qint64 mostBytes = 4LL * 1024 * 1024;

/// Returns the rank that the last line of `text` tells that tells one.
static std::optional<Rank> lastTold(const QByteArray &text)
{
    static const QRegularExpression form(
        u"\\b(?:This node \\d{1,6} rank id|Global rank id): ?(\\d{1,6})\\b"_s);
    constexpr qsizetype reach = 40; // More than stands before these words.
    constexpr QByteArrayView words("rank id: ");
    for (qsizetype at = text.lastIndexOf(words); at >= 0;
         at = at > 0 ? text.lastIndexOf(words, at - 1) : -1) {
        const qsizetype begin = std::max<qsizetype>(0, at - reach);
        const auto match = form.match(QString::fromUtf8(text.mid(begin, at - begin + reach)));
        if (match.hasMatch())
            return Rank(match.captured(1).toInt());
    }
    return std::nullopt;
}

void ToldRanks::read(const LaunchPlan &plan)
{
    for (const ProcessPlan &worker : plan.processes) {
        if (worker.role != Role::Worker)
            continue;
        Log &log = m_logs[worker.logFile];
        RegularFile file(worker.logFile);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        if (file.size() < log.read) // Another launch has begun it anew.
            log = {};
        if (log.read >= mostBytes || !file.seek(log.read))
            continue;
        QByteArray text = file.read(mostBytes - log.read);
        text.truncate(text.lastIndexOf('\n') + 1); // The rest of the last line is still to come.
        log.read += text.size();
        if (const auto rank = lastTold(text))
            log.rank = rank;
    }
}

std::optional<Rank> ToldRanks::toldTo(const ProcessPlan &worker) const
{
    const auto log = m_logs.find(worker.logFile);
    return log == m_logs.end() ? std::nullopt : log->second.rank;
}

bool ToldRanks::areAllTold(const LaunchPlan &plan) const
{
    return std::ranges::all_of(plan.processes, [this](const ProcessPlan &process) {
        return process.role != Role::Worker || toldTo(process);
    });
}

bool ToldRanks::giveTo(LaunchPlan &plan) const
{
    std::vector<ProcessPlan> processes = plan.processes;
    std::set<Rank> ranks;
    for (ProcessPlan &worker : processes) {
        if (worker.role != Role::Worker)
            continue;
        if (const auto told = toldTo(worker)) {
            if (worker.startedAs < 0 && worker.rank != *told)
                worker.startedAs = worker.rank.value;
            worker.rank = *told;
            worker.isRankOpen = false;
        }
        if (!ranks.insert(worker.rank).second)
            return false;
    }
    if (processes == plan.processes)
        return false;
    plan.processes = std::move(processes);
    return true;
}

} // namespace rankdeck
