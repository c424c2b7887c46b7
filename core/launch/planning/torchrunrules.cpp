#include "launch/planning/torchrunrules.h"

#include "launch/planning/commonplan.h"
#include "launch/planning/launchbasics.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

constexpr char visibleDevices[] = "ASCEND_RT_VISIBLE_DEVICES";

/// Returns what ASCEND_RT_VISIBLE_DEVICES names; empty if it is not set.
static QStringList namedDevices(const LaunchSpec &spec, const HostFacts &facts)
{
    return launchEnvironment(spec, facts)
        .value(QLatin1String(visibleDevices))
        .split(QLatin1Char(','), Qt::SkipEmptyParts);
}

Result<int> countedRanks(const LaunchSpec &spec, const HostFacts &facts, QList<Sentence> &notes)
{
    const QString option = QStringLiteral("--nproc");
    const QString &word = spec.processes.nprocOf;
    static const QStringList words{QStringLiteral("auto"), QStringLiteral("cpu"), QStringLiteral("gpu"),
                                   QStringLiteral("npu")};
    if (!words.contains(word))
        return Error{tr("\"%1\" is neither a number nor a kind of device").arg(word), option,
                     tr("Give a number, auto, cpu, gpu or npu.")};
    if (spec.nodes.isForNodes())
        return Error{tr("\"%1\" counts the devices of this machine, not of the given nodes").arg(word),
                     option, tr("Give the number of ranks per node.")};
    const auto named = static_cast<int>(namedDevices(spec, facts).size());
    const int npus = named > 0 ? named : facts.npuCount;
    if (npus == 0 && (word == QLatin1String("gpu") || word == QLatin1String("npu")))
        return Error{tr("this node has no NPU"), option, tr("Give a number, auto or cpu.")};
    const bool isByCpu = word == QLatin1String("cpu") || npus == 0;
    const int ranks = isByCpu ? std::max(facts.onlineCpus, 1) : npus;
    notes << (isByCpu ? Sentence::tr("--nproc %1 means %2 here: one rank for each cpu.")
                      : Sentence::tr("--nproc %1 means %2 here: one rank for each NPU."))
                 .arg(word)
                 .arg(ranks);
    return ranks;
}

Result<QStringList> devicesByLocalRank(const LaunchSpec &spec, const HostFacts &facts)
{
    if (!spec.processes.virtualLocalRank)
        return QStringList();
    QStringList devices = namedDevices(spec, facts);
    if (devices.isEmpty()) {
        for (int device = 0; device < spec.processes.nproc; ++device)
            devices << QString::number(device);
    }
    if (devices.size() < spec.processes.nproc)
        return Error{tr("%1 names %n NPUs for %2 ranks", "%1 names %n NPU for %2 ranks",
                        static_cast<int>(devices.size()))
                         .arg(QLatin1String(visibleDevices))
                         .arg(spec.processes.nproc),
                     QStringLiteral("--virtual-local-rank"), tr("Name one for each rank.")};
    return devices;
}

/// Returns the groups with their cpus that this process may use; without those that have none.
static QList<QList<int>> usable(const QList<QList<int>> &groups, const QList<int> &cpus)
{
    QList<QList<int>> found;
    for (QList<int> group : groups) {
        group.removeIf([&](int cpu) { return !cpus.contains(cpu); });
        if (!group.isEmpty())
            found << group;
    }
    return found;
}

/// Shares out the cpus of each group among the ranks that have it.
static QList<QList<int>> exclusiveShares(const QList<QList<int>> &groups, int ranks)
{
    QList<QList<int>> shares;
    const auto groupOf = [&](int rank) {
        return rank * groups.size() / ranks;
    };
    for (int rank = 0; rank < ranks; ++rank) {
        const auto group = groupOf(rank);
        int first = rank;
        int end = rank;
        while (first > 0 && groupOf(first - 1) == group)
            --first;
        while (end < ranks && groupOf(end) == group)
            ++end;
        shares << evenShares(groups[group], end - first)[rank - first];
    }
    return shares;
}

Result<QList<QList<int>>> cpusByLocalRank(const LaunchSpec &spec, const HostFacts &facts,
                                          QList<Sentence> &notes)
{
    const QString option = QStringLiteral("--numa-binding");
    const QString &mode = spec.processes.numaBinding;
    if (mode.isEmpty())
        return QList<QList<int>>();
    const bool isSocket = mode == QLatin1String("socket");
    const bool isComplex = mode == QLatin1String("core-complex");
    const bool isExclusive = mode == QLatin1String("exclusive");
    if (!isSocket && !isComplex && !isExclusive && mode != QLatin1String("node"))
        return Error{tr("unknown binding \"%1\"").arg(mode), option,
                     tr("Give node, socket, exclusive or core-complex.")};
    if (spec.common.bindCore.compare(QLatin1String("false"), Qt::CaseInsensitive) != 0)
        return Error{tr("--bind-core already binds the ranks"), option, tr("Remove one of the two.")};
    const CpuLayout &layout = facts.cpuLayout;
    const QList<QList<int>> groups = usable(isSocket    ? layout.sockets
                                            : isComplex ? layout.coreComplexes
                                                        : layout.numaNodes,
                                            facts.cpus);
    const int ranks = spec.processes.nproc;
    if (groups.isEmpty()) {
        notes << Sentence::tr("The ranks are not bound to cpus: this machine does not report its topology.");
        return QList<QList<int>>();
    }
    QList<QList<int>> shares;
    if (isExclusive) {
        shares = exclusiveShares(groups, ranks);
    } else {
        for (int rank = 0; rank < ranks; ++rank)
            shares << groups[rank * groups.size() / ranks];
    }
    if (std::ranges::any_of(shares, &QList<int>::isEmpty))
        notes << Sentence::tr("Some ranks are not bound to cpus: a NUMA node has fewer cpus than ranks.");
    return shares;
}

QString linePrefixTemplate(const LaunchSpec &spec, const HostFacts &facts)
{
    return spec.processes.linePrefixTemplate.isEmpty()
               ? launchEnvironment(spec, facts).value(QStringLiteral("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE"))
               : spec.processes.linePrefixTemplate;
}

QString linePrefix(const QString &text, const PrefixWords &words)
{
    if (text.isEmpty())
        return QStringLiteral("[%1%2]:").arg(words.name).arg(words.localRank);
    const QMap<QString, QString> values{{QStringLiteral("role_name"), words.role},
                                        {QStringLiteral("local_rank"), QString::number(words.localRank)},
                                        {QStringLiteral("rank"), QString::number(words.rank)},
                                        {QStringLiteral("$"), QStringLiteral("$")}};
    static const QRegularExpression place(
        QStringLiteral("\\$(?:(\\$)|([A-Za-z_]\\w*)|\\{([A-Za-z_]\\w*)\\})"));
    QString prefix;
    qsizetype done = 0;
    auto matches = place.globalMatch(text);
    while (matches.hasNext()) {
        const auto match = matches.next();
        const QString name = match.captured(1) + match.captured(2) + match.captured(3);
        prefix += text.mid(done, match.capturedStart() - done) + values.value(name, match.captured());
        done = match.capturedEnd();
    }
    return prefix + text.mid(done);
}

} // namespace rankdeck
