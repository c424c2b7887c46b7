#include "collective/selftest/pairconnecting.h"

#include "collective/store/disterror.h"

#include <QtEndian>

#include <algorithm>
#include <cerrno>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

constexpr std::size_t mostGuests = 4096;

/// One of the addresses of a target.
struct Try {
    enum class State { Connecting, Connected, Greeted, Over };

    const ProbeTarget *target = nullptr;
    FileDescriptor socket;
    State state = State::Connecting;
    QByteArray said; ///< By the other end, so far.
    int error = 0;

    void end(int why)
    {
        state = State::Over;
        error = why;
        socket = FileDescriptor();
    }
};

class Connecting
{
public:
    Connecting(const std::vector<ProbeTarget> &targets, int from, QByteArray token)
        : m_targets(targets)
        , m_from(from)
        , m_token(std::move(token))
    {
        for (const ProbeTarget &target : targets) {
            for (const QString &address : target.addresses)
                start(target, address);
        }
    }

    PairConnections run()
    {
        while (!m_deadline.hasExpired() && isAnybodyOpen())
            step();
        for (const ProbeTarget &target : m_targets) {
            if (!m_found.sockets.count(target.rank))
                m_found.problems[target.rank] = problemOf(target);
        }
        return std::move(m_found);
    }

private:
    void start(const ProbeTarget &target, const QString &address)
    {
        const auto resolved = resolve(address, target.port);
        Try attempt;
        attempt.target = &target;
        if (resolved)
            attempt.socket = startConnecting(resolved->front());
        if (!attempt.socket)
            attempt.end(resolved ? errno : EADDRNOTAVAIL);
        m_tries.push_back(std::move(attempt));
    }

    bool isAnybodyOpen() const
    {
        return std::ranges::any_of(m_tries, [](const Try &each) { return each.state != Try::State::Over; });
    }

    void step()
    {
        std::vector<pollfd> waited;
        for (const Try &each : m_tries) {
            const short events = each.state == Try::State::Connecting ? POLLOUT : POLLIN;
            // poll() passes over the number -1.
            waited.push_back({each.socket.number(), events, 0});
        }
        if (poll(waited.data(), waited.size(), static_cast<int>(m_deadline.remainingTime())) < 0)
            return;
        for (std::size_t each = 0; each < m_tries.size(); ++each) {
            if (waited[each].revents && m_tries[each].state != Try::State::Over)
                advance(m_tries[each]);
        }
        for (Try &each : m_tries) {
            if (each.state == Try::State::Connected && !isGreeted(each.target))
                greet(each);
        }
    }

    void advance(Try &attempt)
    {
        if (attempt.state == Try::State::Connecting) {
            int error = 0;
            socklen_t size = sizeof error;
            getsockopt(attempt.socket.number(), SOL_SOCKET, SO_ERROR, &error, &size);
            if (error)
                attempt.end(error);
            else
                attempt.state = Try::State::Connected;
            return;
        }
        const QByteArray expected = PairAcceptor::greeting(m_token, m_from, attempt.target->rank);
        char part[64];
        const ssize_t size = recv(attempt.socket.number(), part,
                                  static_cast<std::size_t>(expected.size() - attempt.said.size()), 0);
        if (size < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (size <= 0)
            return attempt.end(ECONNRESET);
        attempt.said.append(part, size);
        if (attempt.said.size() < expected.size())
            return;
        if (attempt.said != expected)
            return attempt.end(EPROTO);
        const ProbeTarget *const target = attempt.target;
        m_found.sockets[target->rank] = std::move(attempt.socket);
        for (Try &each : m_tries) {
            if (each.target == target)
                each.end(0);
        }
    }

    /// One address at a time is greeted: the other end takes the first that greets for the one that is used.
    bool isGreeted(const ProbeTarget *target) const
    {
        return std::ranges::any_of(m_tries, [&](const Try &each) {
            return each.target == target && each.state == Try::State::Greeted;
        });
    }

    void greet(Try &attempt)
    {
        const QByteArray greeting = PairAcceptor::greeting(m_token, m_from, attempt.target->rank);
        // The greeting is so short that a new connection takes it at once.
        if (sendAll(attempt.socket, greeting.constData(), static_cast<std::size_t>(greeting.size()),
                    QDeadlineTimer(0)))
            attempt.state = Try::State::Greeted;
        else
            attempt.end(errno);
    }

    QString problemOf(const ProbeTarget &target) const
    {
        const QString place = u"%1:%2"_s.arg(target.addresses.join('|'_L1)).arg(target.port);
        int error = 0;
        for (const Try &each : m_tries) {
            if (each.target != &target)
                continue;
            if (each.state == Try::State::Greeted)
                return tr("%1 accepts connections, but does not answer as rank %2 within %3 s")
                    .arg(place)
                    .arg(target.rank)
                    .arg(connectLimit.count());
            if (each.state != Try::State::Over || each.error == ETIMEDOUT)
                return tr("no connection to %1 within %2 s").arg(place).arg(connectLimit.count());
            error = each.error;
        }
        if (error == 0)
            return tr("rank %1 has not reported its address").arg(target.rank);
        return tr("no connection to %1: %2").arg(place, errnoWords(error));
    }

    const std::vector<ProbeTarget> &m_targets;
    int m_from;
    QByteArray m_token;
    QDeadlineTimer m_deadline{connectLimit};
    std::vector<Try> m_tries;
    PairConnections m_found;
};

} // namespace

QByteArray PairAcceptor::greeting(const QByteArray &token, int from, int to)
{
    QByteArray text = token.leftJustified(tokenSize, '\0', true);
    for (const int rank : {from, to}) {
        const qint32 inOrder = qToBigEndian<qint32>(rank);
        text.append(reinterpret_cast<const char *>(&inOrder), sizeof inOrder);
    }
    return text;
}

PairAcceptor::PairAcceptor(Listener listener, int rank, QByteArray token)
    : m_listener(std::move(listener))
    , m_rank(rank)
    , m_token(std::move(token))
    , m_wake(eventfd(0, EFD_CLOEXEC))
    , m_thread(inOwnThread([this] { serve(); }))
{
}

PairAcceptor::~PairAcceptor()
{
    const quint64 one = 1;
    if (write(m_wake.number(), &one, sizeof one) < 0)
        std::abort(); // Cannot happen; without it the thread would never end.
    m_thread.join();
}

FileDescriptor PairAcceptor::take(int from)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_connections.find(from);
    if (found == m_connections.end())
        return {};
    FileDescriptor socket = std::move(found->second);
    m_connections.erase(found);
    return socket;
}

void PairAcceptor::serve()
{
    for (;;) {
        std::vector<pollfd> waited{{m_wake.number(), POLLIN, 0}, {m_listener.socket.number(), POLLIN, 0}};
        for (const Guest &guest : m_guests)
            waited.push_back({guest.socket.number(), POLLIN, 0});
        if (poll(waited.data(), waited.size(), -1) < 0 && errno != EINTR)
            return;
        if (waited[0].revents)
            return;
        std::vector<Guest> unknown;
        for (std::size_t each = 0; each < m_guests.size(); ++each) {
            if (!waited[each + 2].revents || isStillUnknown(m_guests[each]))
                unknown.push_back(std::move(m_guests[each]));
        }
        m_guests = std::move(unknown);
        if (!waited[1].revents)
            continue;
        while (FileDescriptor socket = acceptFrom(m_listener.socket)) {
            if (m_guests.size() < mostGuests)
                m_guests.push_back({std::move(socket), {}});
        }
    }
}

/// Returns false if it has become a rank's connection, or is to be dropped.
bool PairAcceptor::isStillUnknown(Guest &guest)
{
    const qsizetype whole = greeting(m_token, 0, 0).size();
    char part[64];
    const auto left = static_cast<std::size_t>(whole - guest.said.size());
    const ssize_t size = recv(guest.socket.number(), part, left, 0);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (size <= 0)
        return false;
    guest.said.append(part, size);
    if (guest.said.size() < whole)
        return true;
    const int from = qFromBigEndian<qint32>(guest.said.constData() + tokenSize);
    if (guest.said != greeting(m_token, from, m_rank))
        return false;
    // Kept before the answer: who has it may count on being known here.
    const std::lock_guard lock(m_mutex);
    FileDescriptor &kept = m_connections[from] = std::move(guest.socket);
    sendAll(kept, guest.said.constData(), static_cast<std::size_t>(whole), QDeadlineTimer(0));
    return false;
}

PairConnections connectPairs(const std::vector<ProbeTarget> &targets, int from, const QByteArray &token)
{
    return Connecting(targets, from, token).run();
}

} // namespace rankdeck
