#include "collective/store/rendezvous.h"

#include <QRegularExpression>

#include <array>

namespace rankdeck
{

namespace
{

constexpr int mostRanks = 65536;
constexpr int usualPort = 29500;

struct Names {
    const char *rank;
    const char *size;
};
constexpr Names slurm{"SLURM_PROCID", "SLURM_NTASKS"};
constexpr Names ascend{"RANK_ID", "RANK_SIZE"};
constexpr Names torch{"RANK", "WORLD_SIZE"};

Result<int> numberOf(const QProcessEnvironment &environment, const char *name, int least)
{
    const QString variable = QString::fromLatin1(name);
    if (!environment.contains(variable))
        return Error{tr("is not set"), variable, tr("Start this process with a launcher that sets it.")};
    bool isNumber = false;
    const QString text = environment.value(variable);
    const int number = text.toInt(&isNumber);
    if (!isNumber || number < least || number > mostRanks)
        return Error{
            tr("\"%1\" is not a number from %2 to %3").arg(text).arg(least).arg(mostRanks), variable, {}};
    return number;
}

Result<Placement> placementOf(const QProcessEnvironment &environment, const Names &names)
{
    const auto rank = numberOf(environment, names.rank, 0);
    if (!rank)
        return rank.error();
    const auto size = numberOf(environment, names.size, 1);
    if (!size)
        return size.error();
    if (*rank >= *size)
        return Error{
            tr("%1 is not less than %2=%3").arg(*rank).arg(QString::fromLatin1(names.size)).arg(*size),
            QString::fromLatin1(names.rank), QString()};
    return Placement{*rank, *size};
}

QString firstOf(const QProcessEnvironment &environment, std::initializer_list<const char *> names)
{
    for (const char *name : names) {
        const QString value = environment.value(QString::fromLatin1(name));
        if (!value.isEmpty())
            return value;
    }
    return {};
}

} // namespace

Result<std::optional<Placement>> placementFrom(const QProcessEnvironment &environment, DistMethod method)
{
    const std::array order =
        method == DistMethod::Slurm ? std::array{slurm, ascend, torch} : std::array{ascend, torch, slurm};
    for (const Names &names : order) {
        if (!environment.contains(QString::fromLatin1(names.rank)) &&
            !environment.contains(QString::fromLatin1(names.size)))
            continue;
        const auto placement = placementOf(environment, names);
        if (!placement)
            return placement.error();
        return std::optional(*placement);
    }
    return std::optional<Placement>();
}

/// Returns the first host of a list as Slurm writes it: "node[03-05,9],login" -> "node03".
static QString firstHost(const QString &nodeList)
{
    static const QRegularExpression expression(u"^([^\\[,]+)(?:\\[([0-9]+)[^\\]]*\\]([^,\\[]*))?"_s);
    const auto match = expression.match(nodeList);
    return match.captured(1) + match.captured(2) + match.captured(3);
}

Result<Master> masterFrom(const QProcessEnvironment &environment, DistMethod method)
{
    Master master{firstOf(environment, {"MASTER_ADDR"}), usualPort};
    const QString port = firstOf(environment, {"MASTER_PORT"});
    const bool isSlurm = method == DistMethod::Slurm && environment.contains(u"SLURM_PROCID"_s);
    if (master.host.isEmpty() && isSlurm)
        master.host = firstHost(firstOf(environment, {"SLURM_STEP_NODELIST", "SLURM_NODELIST"}));
    if (master.host.isEmpty())
        master.host = u"127.0.0.1"_s;
    if (!port.isEmpty()) {
        bool isNumber = false;
        master.port = port.toUShort(&isNumber);
        if (!isNumber || master.port == 0)
            return Error{tr("\"%1\" is not a port from 1 to 65535").arg(port), u"MASTER_PORT"_s, {}};
    } else if (isSlurm) {
        const quint64 job = firstOf(environment, {"SLURM_JOB_ID", "SLURM_JOBID"}).toULongLong();
        const quint64 step = firstOf(environment, {"SLURM_STEP_ID", "SLURM_STEPID"}).toULongLong();
        master.port = static_cast<quint16>(20000 + (job * 131 + step) % 10000);
    }
    return master;
}

Rendezvous::Rendezvous(const Placement &placement, const Master &master, std::chrono::milliseconds timeout,
                       StoreClient::OnOver onOver)
    : m_placement(placement)
    , m_timeout(timeout)
{
    const QString place = u"%1:%2"_s.arg(master.host).arg(master.port);
    FileDescriptor socket;
    if (placement.rank == 0) {
        auto listener =
            listenOn(isLoopback(master.host) ? Listening::Loopback : Listening::Everywhere, master.port);
        if (!listener)
            throw DistError(
                tr("rank 0 cannot open the store for the ranks: %1").arg(listener.error().sentence()));
        m_server =
            std::make_unique<TcpStoreServer>(std::move(listener.value()), placement.worldSize, timeout);
        socket = m_server->takeOwnEnd();
        // The other ranks reach this host by that name.
        const auto addresses = resolve(master.host, 0);
        m_ownAddress = addresses ? textOf(addresses->front()) : master.host;
    } else {
        const auto addresses = resolve(master.host, master.port);
        if (!addresses)
            throw DistError(addresses.error().sentence());
        auto connected = connectTo(*addresses, place, QDeadlineTimer(timeout));
        if (!connected)
            throw DistError(tr("rank 0, which keeps the store at %1, has not arrived within %2 s: %3")
                                .arg(place)
                                .arg(static_cast<double>(timeout.count()) / 1000)
                                .arg(connected.error().what));
        socket = std::move(connected.value());
        m_ownAddress = addressOfThisEnd(socket);
    }
    m_store = joinStore(std::move(socket), placement.rank, placement.worldSize, std::move(onOver));
}

void Rendezvous::leave()
{
    m_store->set(leftKey(m_placement.rank), "1");
    if (m_server)
        m_server->waitUntilAllLeft(QDeadlineTimer(m_timeout));
}

} // namespace rankdeck
