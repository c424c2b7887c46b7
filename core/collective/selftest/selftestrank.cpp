#include "collective/selftest/selftestrank.h"

#include "base/fields.h"
#include "base/numberranges.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <cstring>

namespace rankdeck
{

constexpr int tileSize = 61 * 2 * 32; // A multiple of the length after which the pattern repeats.

constexpr int repetitions = 3;

// Small whole numbers, so that a float holds every sum of up to 4,000 ranks exactly, in whatever order they
// are added. They differ by place, so that data that comes to the wrong place is noticed, and by rank.
static float pattern(int index)
{
    return static_cast<float>(index % 61);
}

/// What a rank adds to the pattern: more at even places, less at odd ones; no rank is largest everywhere.
static float share(int index, int rank)
{
    return static_cast<float>(index % 2 ? -rank : rank);
}

CollectiveCheck::CollectiveCheck(std::shared_ptr<ProcessGroup> group, QList<qint64> sizes, OnResult result,
                                 OnStep step)
    : m_group(std::move(group))
    , m_sizes(std::move(sizes))
    , m_result(std::move(result))
    , m_step(std::move(step))
{
}

void CollectiveCheck::run()
{
    barrier();
    for (const qint64 bytes : m_sizes)
        broadcast(bytes);
    for (const Reduction reduction : {Reduction::Sum, Reduction::Max}) {
        for (const qint64 bytes : m_sizes)
            allreduce(bytes, reduction);
    }
}

void CollectiveCheck::barrier()
{
    std::vector<double> times;
    for (int turn = 0; turn < repetitions; ++turn) {
        QElapsedTimer clock;
        clock.start();
        m_group->barrier();
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    tell({u"barrier"_s, m_group->members(), 0, 0, {}}, times, {});
}

void CollectiveCheck::broadcast(qint64 bytes)
{
    m_data.resize(static_cast<std::size_t>(bytes) / sizeof(float));
    std::vector<double> times;
    QString problem;
    for (int turn = 0; turn < repetitions; ++turn) {
        for (const int root : {0, m_group->size() - 1}) {
            const auto of = [](int rank) {
                return [rank](int index) {
                    return pattern(index) + share(index, rank + 1);
                };
            };
            times.push_back(timed({tr("broadcast"), of(m_group->rank()), of(root),
                                   [&] {
                                       m_group->broadcast(std::span(m_data), root);
                                   }},
                                  problem));
        }
    }
    tell({u"broadcast"_s, m_group->members(), bytes, 0, {}}, times, problem);
}

void CollectiveCheck::allreduce(qint64 bytes, Reduction reduction)
{
    m_data.resize(static_cast<std::size_t>(bytes) / sizeof(float));
    const bool isSum = reduction == Reduction::Sum;
    const int ranks = m_group->size();
    const auto input = [rank = m_group->rank()](int index) {
        return pattern(index) + share(index, rank);
    };
    const auto expected = [ranks, isSum](int index) {
        if (!isSum)
            return pattern(index) + (index % 2 ? 0 : share(index, ranks - 1));
        return static_cast<float>(ranks) * pattern(index) + share(index, ranks * (ranks - 1) / 2);
    };
    std::vector<double> times;
    QString problem;
    for (int turn = 0; turn < repetitions; ++turn) {
        times.push_back(timed({isSum ? tr("allreduce sum") : tr("allreduce max"), input, expected,
                               [&] {
                                   m_group->allreduce(std::span(m_data), reduction);
                               }},
                              problem));
    }
    tell({isSum ? u"allreduce sum"_s : u"allreduce max"_s, m_group->members(), bytes, 0, QString()}, times,
         problem);
}

/// Returns the duration in ms. All ranks have their data before any clock starts.
double CollectiveCheck::timed(const Operation &operation, QString &problem)
{
    // The values repeat: comparing one tile at a time is much faster than computing each value.
    std::vector<float> tile(tileSize);
    std::vector<float> expected(tileSize);
    for (int index = 0; index < tileSize; ++index) {
        tile[static_cast<std::size_t>(index)] = operation.input(index);
        expected[static_cast<std::size_t>(index)] = operation.expected(index);
    }
    for (std::size_t at = 0; at < m_data.size(); at += tileSize)
        std::copy_n(tile.begin(), std::min<std::size_t>(tileSize, m_data.size() - at),
                    m_data.begin() + static_cast<std::ptrdiff_t>(at));
    m_group->barrier();
    QElapsedTimer clock;
    clock.start();
    operation.run();
    const double ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    for (std::size_t at = 0; at < m_data.size() && problem.isEmpty(); at += tileSize) {
        const auto begin = m_data.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = begin + std::min<std::ptrdiff_t>(tileSize, m_data.end() - begin);
        const auto [wrong, right] = std::mismatch(begin, end, expected.begin());
        if (wrong != end)
            problem = tr("rank %1 has %2 at index %3, not %4")
                          .arg(m_group->members()[m_group->rank()])
                          .arg(static_cast<double>(*wrong))
                          .arg(wrong - m_data.begin())
                          .arg(static_cast<double>(*right));
    }
    return ms;
}

/// Returns, at every rank, the problem of the first rank that has one.
QString CollectiveCheck::agreed(const QString &problem)
{
    std::array<std::int32_t, 1> first{problem.isEmpty() ? 0 : m_group->size() - m_group->rank()};
    m_group->allreduce(std::span<std::int32_t>(first), Reduction::Max);
    if (first[0] == 0)
        return {};
    std::array<std::byte, 256> text{};
    const QByteArray bytes = problem.toUtf8().left(static_cast<qsizetype>(text.size()) - 1);
    std::memcpy(text.data(), bytes.constData(), static_cast<std::size_t>(bytes.size()));
    m_group->broadcast(std::span<std::byte>(text), m_group->size() - first[0]);
    return QString::fromUtf8(reinterpret_cast<const char *>(text.data()));
}

void CollectiveCheck::tell(CollectiveResult result, std::vector<double> times, const QString &problem)
{
    if (m_problem.isEmpty())
        m_problem = problem.isEmpty() ? QString() : result.operation + u": "_s + problem;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    result.ms = rounded(*middle);
    result.problem = agreed(problem);
    if (m_group->rank() == 0)
        m_result(result);
    m_step();
}

constexpr char arrivalPrefix[] = "rank/";
constexpr int ranksAPart = 100; // This many places fit into a value of the store.

static QByteArray rankKey(int rank)
{
    return arrivalPrefix + QByteArray::number(rank);
}

static QByteArray partKey(int part)
{
    return "ranks/" + QByteArray::number(part);
}

static void visitFields(Fields &fields, ProbePlace &place)
{
    fields("host", place.host);
    fields("addresses", place.addresses);
    fields("port", place.port);
}

static QByteArray randomToken()
{
    std::array<quint32, PairAcceptor::tokenSize / sizeof(quint32)> numbers{};
    QRandomGenerator::system()->fillRange(numbers.data(), static_cast<qsizetype>(numbers.size()));
    return {reinterpret_cast<const char *>(numbers.data()), PairAcceptor::tokenSize};
}

static QList<int> usualGroupSizes(int worldSize)
{
    QList<int> sizes{worldSize};
    if (worldSize >= 4 && worldSize <= 32 && worldSize % 2 == 0)
        sizes << worldSize / 2;
    if (worldSize > 4 && worldSize % 2 == 0)
        sizes << 2;
    return sizes;
}

/// Returns bytes of each rank's data for groups of this size, so that all takes about a second on one host.
static QList<qint64> usualSelfTestSizes(int worldSize, int groupSize)
{
    QList<qint64> sizes{4, 64 * 1024};
    if (worldSize <= 32)
        sizes << 1024 * 1024;
    if (worldSize <= 8 && groupSize == worldSize)
        sizes << 4 * 1024 * 1024;
    return sizes;
}

/// Returns the groups of `groupSize` consecutive ranks.
static QList<QList<int>> consecutiveGroups(int worldSize, int groupSize)
{
    QList<QList<int>> groups;
    for (int rank = 0; rank < worldSize; ++rank) {
        if (rank % groupSize == 0)
            groups << QList<int>();
        groups.last() << rank;
    }
    return groups;
}

SelfTestRank::SelfTestRank(SelfTestSettings settings, StoreClient &store, OnEvent event)
    : m_settings(std::move(settings))
    , m_store(store)
    , m_event(std::move(event))
{
    if (m_settings.groupSizes.isEmpty())
        m_settings.groupSizes = usualGroupSizes(m_settings.worldSize);
}

bool SelfTestRank::run()
{
    m_stepBegan = std::chrono::steady_clock::now();
    meet();
    auto probe = std::make_unique<PairProbe>(m_store, std::move(m_listener), m_settings.rank, m_places,
                                             m_token, m_settings.timeout);
    if (m_settings.hasCollectives && !hasGloo() && m_settings.worldSize > 1)
        m_leftOut = tr("without collectives, as Rankdeck was built without Gloo");
    for (int round = 0; m_settings.rounds == 0 || round < m_settings.rounds; ++round) {
        if (m_settings.hasPairs) {
            stage(SelfTestStage::Pairs);
            if (round == 0)
                probe->connectAll();
            pairs(*probe);
            if (round == 0)
                agreeOnPairs(*probe);
        }
        const bool hasCollectives =
            m_settings.hasCollectives && m_leftOut.isEmpty() && m_settings.worldSize > 1;
        if (!hasCollectives && (!m_settings.hasPairs || m_settings.worldSize == 1))
            break; // Further rounds would do nothing.
        if (!hasCollectives)
            continue;
        if (m_groups.empty())
            connect(probe->ownAddress());
        collectives();
    }
    if (m_problem.isEmpty())
        stage(SelfTestStage::Done, m_leftOut);
    else
        stage(SelfTestStage::Failed, m_problem);
    return m_problem.isEmpty();
}

/// Waits for all ranks; then rank 0 publishes their addresses.
void SelfTestRank::meet()
{
    auto listener = listenOn(Listening::Everywhere, 0);
    if (!listener)
        throw DistError(listener.error().sentence());
    m_listener = std::move(listener.value());
    const ProbePlace own{loopbackIdentity(),
                         m_settings.addresses.isEmpty() ? ownAddresses() : m_settings.addresses,
                         m_listener.port};
    m_store.set(rankKey(m_settings.rank), jsonTextOf(own));
    stage(SelfTestStage::Arrived);
    // The store's keeper knows best who has not come, and should report it first.
    waitForRanks(m_store, arrivalPrefix, m_settings.worldSize, m_settings.timeout + std::chrono::seconds(2));
    if (m_settings.rank == 0)
        publishPlaces();
    readPlaces();
    pause();
}

void SelfTestRank::publishPlaces()
{
    m_store.set("token", randomToken());
    QList<ProbePlace> part;
    for (int rank = 0; rank < m_settings.worldSize; ++rank) {
        if (const auto place = fromJsonText<ProbePlace>(m_store.get(rankKey(rank), deadline())))
            part << *place;
        if (rank % ranksAPart == ranksAPart - 1 || rank + 1 == m_settings.worldSize) {
            m_store.set(partKey(rank / ranksAPart), jsonTextOf(part));
            part.clear();
        }
    }
}

void SelfTestRank::readPlaces()
{
    m_token = m_store.get("token", deadline());
    for (int rank = 0; rank < m_settings.worldSize; rank += ranksAPart) {
        const QByteArray part = m_store.get(partKey(rank / ranksAPart), deadline());
        m_places << fromJsonText<QList<ProbePlace>>(part).value_or(QList<ProbePlace>());
    }
    if (m_places.size() != m_settings.worldSize)
        throw DistError(tr("the store did not return the addresses of all ranks"));
}

void SelfTestRank::pairs(PairProbe &probe)
{
    const auto result = [this](const PairResult &pair) {
        m_event({.kind = SelfTestEvent::Kind::Pair, .rank = m_settings.rank, .pair = pair});
    };
    probe.measureAll(result, [this] { pause(); });
    const auto &problems = probe.problems();
    if (!problems.empty() && m_problem.isEmpty())
        m_problem = tr("the connection to rank %1 does not work: %2")
                        .arg(QString::number(problems.begin()->first), problems.begin()->second);
}

/// Decides whether there are collectives: if a single pair does not work, no rank runs them.
void SelfTestRank::agreeOnPairs(const PairProbe &probe)
{
    const QByteArray prefix = "pairs/failed/";
    m_store.set(prefix + QByteArray::number(m_settings.rank), probe.problems().empty() ? "" : "1");
    // A rank in a pair with a rank that hangs is later than the others.
    waitForRanks(m_store, prefix, m_settings.worldSize, m_settings.timeout + std::chrono::seconds(10));
    if (m_settings.rank == 0) {
        QList<int> failed;
        for (int rank = 0; rank < m_settings.worldSize; ++rank) {
            if (!m_store.get(prefix + QByteArray::number(rank), deadline()).isEmpty())
                failed << rank;
        }
        m_store.set("pairs/verdict", numberRanges(failed).toUtf8());
    }
    const QByteArray failed = m_store.get("pairs/verdict", deadline());
    if (!failed.isEmpty())
        m_leftOut =
            tr("without collectives, as ranks %1 cannot all reach each other").arg(QString::fromUtf8(failed));
}

void SelfTestRank::connect(const QString &address)
{
    stage(SelfTestStage::Connecting);
    const bool isOneHost = std::ranges::all_of(
        m_places, [this](const ProbePlace &each) { return each.host == m_places.first().host; });
    GlooSettings settings{m_settings.rank, m_settings.worldSize, address, m_settings.timeout};
    if (isOneHost)
        settings.address = u"127.0.0.1"_s;
    else if (settings.address.isEmpty())
        settings.address = m_settings.glooAddress;
    if (settings.address.isEmpty())
        settings.address = m_places[m_settings.rank].addresses.value(0, u"127.0.0.1"_s);
    const std::shared_ptr<ProcessGroup> world = connectGloo(m_store, settings);
    for (const int size : m_settings.groupSizes) {
        if (size < 1 || m_settings.worldSize % size != 0)
            continue;
        const auto groups = consecutiveGroups(m_settings.worldSize, size);
        const QList<int> &own = groups[m_settings.rank / size];
        m_groups.emplace_back(groups, size == m_settings.worldSize ? world : world->subgroup(own));
    }
    pause();
}

void SelfTestRank::collectives()
{
    stage(SelfTestStage::Collectives);
    for (const auto &[groups, own] : m_groups) {
        if (m_settings.rank == 0)
            m_event({.kind = SelfTestEvent::Kind::Groups, .groups = groups});
        if (own->size() < 2)
            continue;
        const auto result = [this](const CollectiveResult &collective) {
            m_event(
                {.kind = SelfTestEvent::Kind::Collective, .rank = m_settings.rank, .collective = collective});
        };
        const QList<qint64> sizes = m_settings.sizes.isEmpty()
                                        ? usualSelfTestSizes(m_settings.worldSize, own->size())
                                        : m_settings.sizes;
        CollectiveCheck check(own, sizes, result, [this] { pause(); });
        check.run();
        if (m_problem.isEmpty())
            m_problem = check.problem();
    }
}

void SelfTestRank::stage(SelfTestStage stage, const QString &text)
{
    m_event({.rank = m_settings.rank, .stage = stage, .text = text});
}

/// Finishes a step: waits until it has lasted as long as the pace.
void SelfTestRank::pause()
{
    std::this_thread::sleep_until(m_stepBegan + m_settings.pace);
    m_stepBegan = std::chrono::steady_clock::now();
}

} // namespace rankdeck
