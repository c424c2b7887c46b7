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
        .split(','_L1, Qt::SkipEmptyParts);
}

Result<int> countedRanks(const LaunchSpec &spec, const HostFacts &facts, QList<Sentence> &notes)
{
    const QString option = u"--nproc"_s;
    const QString &word = spec.processes.nprocOf;
    static const QStringList words{u"auto"_s, u"cpu"_s, u"gpu"_s, u"npu"_s};
    if (!words.contains(word))
        return Error{tr("\"%1\" is neither a number nor a kind of device").arg(word), option,
                     tr("Give a number, auto, cpu, gpu or npu.")};
    if (spec.nodes.isForNodes())
        return Error{tr("\"%1\" counts the devices of this machine, not of the given nodes").arg(word),
                     option, tr("Give the number of ranks per node.")};
    const auto named = static_cast<int>(namedDevices(spec, facts).size());
    const int npus = named > 0 ? named : facts.npuCount;
    if (npus == 0 && (word == "gpu"_L1 || word == "npu"_L1))
        return Error{tr("this node has no NPU"), option, tr("Give a number, auto or cpu.")};
    const bool isByCpu = word == "cpu"_L1 || npus == 0;
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
                     u"--virtual-local-rank"_s, tr("Name one for each rank.")};
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
    const QString option = u"--numa-binding"_s;
    const QString &mode = spec.processes.numaBinding;
    if (mode.isEmpty())
        return QList<QList<int>>();
    const bool isSocket = mode == "socket"_L1;
    const bool isComplex = mode == "core-complex"_L1;
    const bool isExclusive = mode == "exclusive"_L1;
    if (!isSocket && !isComplex && !isExclusive && mode != "node"_L1)
        return Error{tr("unknown binding \"%1\"").arg(mode), option,
                     tr("Give node, socket, exclusive or core-complex.")};
    if (spec.common.bindCore.compare("false"_L1, Qt::CaseInsensitive) != 0)
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
               ? launchEnvironment(spec, facts).value(u"TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE"_s)
               : spec.processes.linePrefixTemplate;
}

QString linePrefix(const QString &text, const PrefixWords &words)
{
    if (text.isEmpty())
        return u"[%1%2]:"_s.arg(words.name).arg(words.localRank);
    const QMap<QString, QString> values{{u"role_name"_s, words.role},
                                        {u"local_rank"_s, QString::number(words.localRank)},
                                        {u"rank"_s, QString::number(words.rank)},
                                        {u"hostname"_s, words.host},
                                        {u"$"_s, u"$"_s}};
    static const QRegularExpression place(u"\\$(?:(\\$)|([A-Za-z_]\\w*)|\\{([A-Za-z_]\\w*)\\})"_s);
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
