#include "collective/pairacceptor.h"

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
    , m_thread([this] { serve(); })
{
}

PairAcceptor::~PairAcceptor()
{
    const quint64 one = 1;
    if (write(m_wake.number(), &one, sizeof one) < 0)
        std::abort(); // An eventfd takes it; without, the thread would never end.
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

/// False: it has become a rank's connection, or is nobody's.
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

} // namespace rankdeck
