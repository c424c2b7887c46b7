#include "collective/store/storeserver.h"

#include "base/numberranges.h"
#include "collective/store/disterror.h"
#include "collective/store/storeline.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace rankdeck
{

constexpr qsizetype longestRequest = 1 << 20;
constexpr std::size_t mostStrangers = 256; ///< Connections beyond the ranks' own.

constexpr qsizetype longestValue = 64 * 1024;         ///< Bytes.
constexpr qsizetype longestKey = 1024;                ///< Bytes.
constexpr qsizetype longestQuestion = 16 * 64 * 1024; ///< A question may name many keys.
constexpr qsizetype mostKeys = 100'000;

static bool isKey(const QByteArray &key)
{
    return !key.isEmpty() && key.size() <= longestKey;
}

QByteArray leftKey(int rank)
{
    return "left/" + QByteArray::number(rank);
}

TcpStoreServer::TcpStoreServer(Listener listener, int worldSize, std::chrono::milliseconds arrival)
    : m_listener(std::move(listener))
    , m_worldSize(worldSize)
    , m_arrival(arrival)
    , m_wake(eventfd(0, EFD_CLOEXEC))
    , m_hasJoined(static_cast<std::size_t>(worldSize))
{
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0) {
        m_ownEnd = FileDescriptor(ends[0]);
        m_connections.push_back(std::make_unique<Connection>());
        m_connections.back()->socket = FileDescriptor(ends[1]);
    }
    m_thread = inOwnThread([this] { serve(); });
}

TcpStoreServer::~TcpStoreServer()
{
    const quint64 one = 1;
    if (write(m_wake.number(), &one, sizeof one) < 0)
        std::abort(); // Cannot happen; without it the thread would never end.
    m_thread.join();
}

bool TcpStoreServer::waitUntilAllLeft(QDeadlineTimer deadline)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_until(lock, deadline.deadline<std::chrono::steady_clock>(),
                         [this] { return m_isOver || m_haveAllLeft; });
    return m_haveAllLeft && !m_isOver;
}

void TcpStoreServer::serve()
{
    const QDeadlineTimer arrival(m_arrival);
    bool haveAllCome = false;
    for (;;) {
        std::vector<pollfd> waited{{m_wake.number(), POLLIN, 0}, {m_listener.socket.number(), POLLIN, 0}};
        for (const auto &each : m_connections)
            waited.push_back({each->socket.number(),
                              static_cast<short>(each->out.isEmpty() ? POLLIN : POLLIN | POLLOUT), 0});
        const qint64 left = haveAllCome || !m_over.isEmpty() ? -1 : arrival.remainingTime();
        if (poll(waited.data(), waited.size(), static_cast<int>(left)) < 0 && errno != EINTR)
            return;
        if (waited[0].revents)
            return;
        const std::size_t known = m_connections.size();
        if (waited[1].revents)
            accept();
        for (std::size_t each = 0; each < known; ++each) {
            if (waited[each + 2].revents & ~POLLOUT)
                receive(*m_connections[each]);
            flush(*m_connections[each]);
        }
        std::erase_if(m_connections, [](const auto &each) { return each->isClosed; });
        haveAllCome = missing().isEmpty();
        if (!haveAllCome && m_over.isEmpty() && arrival.hasExpired())
            end(tr(missing().size() == 1
                       ? QT_TRANSLATE_NOOP("rankdeck", "rank %1 has not arrived within %2 s")
                       : QT_TRANSLATE_NOOP("rankdeck", "ranks %1 have not arrived within %2 s"))
                    .arg(numberRanges(missing()))
                    .arg(static_cast<double>(m_arrival.count()) / 1000));
    }
}

void TcpStoreServer::accept()
{
    while (FileDescriptor socket = acceptFrom(m_listener.socket)) {
        if (m_connections.size() > static_cast<std::size_t>(m_worldSize) + mostStrangers)
            continue; // Closes it.
        m_connections.push_back(std::make_unique<Connection>());
        m_connections.back()->socket = std::move(socket);
    }
}

void TcpStoreServer::receive(Connection &connection)
{
    char part[16 * 1024];
    const ssize_t size = recv(connection.socket.number(), part, sizeof part, 0);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (size <= 0)
        return closed(connection);
    connection.in.append(part, size);
    qsizetype from = 0;
    for (qsizetype lineEnd; (lineEnd = connection.in.indexOf('\n', from)) >= 0; from = lineEnd + 1)
        takeLine(connection, connection.in.mid(from, lineEnd - from));
    connection.in.remove(0, from);
    if (connection.in.size() > longestRequest)
        closed(connection);
}

void TcpStoreServer::takeLine(Connection &connection, const QByteArray &line)
{
    if (connection.rank < 0) {
        const auto said = fromJsonText<StoreLine>(line);
        if (said && said->join && said->of)
            return join(connection, *said->join, *said->of);
        connection.isClosed = true; // Not one of our ranks.
        return;
    }
    for (const StoreServer::Answer &answer : m_store.take(connection.rank, line)) {
        for (const auto &each : m_connections) {
            if (each->rank == answer.rank)
                send(*each, answer.line);
        }
    }
    if (haveAllLeft()) {
        const std::lock_guard lock(m_mutex);
        m_haveAllLeft = true;
        m_changed.notify_all();
    }
}

void TcpStoreServer::join(Connection &connection, int rank, int size)
{
    if (!m_over.isEmpty())
        return send(connection, m_over);
    const bool isRank = rank >= 0 && rank < m_worldSize;
    if (size != m_worldSize || !isRank) {
        send(connection, jsonTextOf(StoreLine{.over = tr("rank 0 is one of %1 ranks").arg(m_worldSize)}));
        return end(tr("rank %1 was started as one of %2 ranks, but rank 0 as one of %3")
                       .arg(rank)
                       .arg(size)
                       .arg(m_worldSize));
    }
    if (m_hasJoined[static_cast<std::size_t>(rank)]) {
        send(connection, jsonTextOf(StoreLine{.over = tr("rank %1 already exists").arg(rank)}));
        return end(tr("two processes were started as rank %1").arg(rank));
    }
    m_hasJoined[static_cast<std::size_t>(rank)] = true;
    connection.rank = rank;
}

void TcpStoreServer::closed(Connection &connection)
{
    connection.isClosed = true;
    const int rank = connection.rank;
    if (rank < 0)
        return;
    m_store.forget(rank);
    if (!m_store.contains(leftKey(rank)))
        end(tr("rank %1 has gone away").arg(rank));
}

void TcpStoreServer::send(Connection &connection, const QByteArray &line)
{
    connection.out += line + '\n';
    flush(connection);
}

void TcpStoreServer::flush(Connection &connection)
{
    while (!connection.isClosed && !connection.out.isEmpty()) {
        const ssize_t sent = ::send(connection.socket.number(), connection.out.constData(),
                                    static_cast<std::size_t>(connection.out.size()), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return; // Sent later, or its end is read.
        connection.out.remove(0, sent);
    }
}

void TcpStoreServer::end(const QString &why)
{
    if (!m_over.isEmpty())
        return;
    m_over = jsonTextOf(StoreLine{.over = why});
    // This process may exit as soon as its own connection has the line: the others must have it before.
    for (auto each = m_connections.rbegin(); each != m_connections.rend(); ++each) {
        if ((*each)->rank >= 0)
            send(**each, m_over);
    }
    const std::lock_guard lock(m_mutex);
    m_isOver = true;
    m_changed.notify_all();
}

QList<int> TcpStoreServer::missing() const
{
    QList<int> ranks;
    for (int rank = 0; rank < m_worldSize; ++rank) {
        if (!m_hasJoined[static_cast<std::size_t>(rank)])
            ranks << rank;
    }
    return ranks;
}

bool TcpStoreServer::haveAllLeft() const
{
    for (int rank = 1; rank < m_worldSize; ++rank) {
        if (!m_store.contains(leftKey(rank)))
            return false;
    }
    return true;
}

std::unique_ptr<StoreClient> joinStore(FileDescriptor socket, int rank, int worldSize,
                                       StoreClient::OnOver onOver)
{
    FileDescriptor out(dup(socket.number()));
    auto client = std::make_unique<StoreClient>(
        StoreClient::Streams{std::move(socket), std::move(out),
                             tr("rank 0, which keeps the store, has gone away")},
        std::move(onOver));
    client->say(jsonTextOf(StoreLine{.join = rank, .of = worldSize}));
    return client;
}

std::vector<StoreServer::Answer> StoreServer::take(int rank, const QByteArray &line)
{
    if (line.size() > longestQuestion)
        return {};
    const auto said = fromJsonText<StoreLine>(line);
    if (!said)
        return {};
    if (said->set)
        return said->value && isKey(*said->set) ? set(*said->set, *said->value) : std::vector<Answer>();

    Question question;
    question.number = said->number.value_or(question.number);
    if (said->missing) {
        m_open.remove(rank);
        return {valueFor(rank, question, numberRanges(missing(*said->missing)).toLatin1().toBase64())};
    }
    if (said->get) {
        if (!isKey(*said->get))
            return {};
        question.get = *said->get;
        question.missing.insert(question.get);
    } else if (said->wait) {
        question.missing = QSet<QByteArray>(said->wait->begin(), said->wait->end());
    } else {
        return {};
    }
    question.missing.removeIf([this](const QByteArray &key) { return m_values.contains(key); });
    m_open.remove(rank);
    if (question.missing.isEmpty())
        return {answerTo(rank, question)};
    m_open.insert(rank, question);
    return {};
}

std::vector<StoreServer::Answer> StoreServer::set(const QByteArray &key, const QByteArray &value)
{
    if (value.size() > (longestValue + 2) / 3 * 4 ||
        !QByteArray::fromBase64Encoding(value, QByteArray::AbortOnBase64DecodingErrors) ||
        (m_values.size() >= mostKeys && !m_values.contains(key)))
        return {};
    m_values.insert(key, value);
    std::vector<Answer> answers;
    for (auto open = m_open.begin(); open != m_open.end();) {
        if (!open->missing.remove(key) || !open->missing.isEmpty()) {
            ++open;
            continue;
        }
        answers.push_back(answerTo(open.key(), *open));
        open = m_open.erase(open);
    }
    std::ranges::sort(answers, {}, &Answer::rank);
    return answers;
}

QList<int> StoreServer::missing(const QList<QByteArray> &keys) const
{
    QList<int> places;
    for (int place = 0; place < keys.size(); ++place) {
        if (!m_values.contains(keys[place]))
            places << place;
    }
    return places;
}

StoreServer::Answer StoreServer::valueFor(int rank, const Question &question, const QByteArray &base64)
{
    return {rank, jsonTextOf(StoreLine{.number = question.number, .value = base64})};
}

StoreServer::Answer StoreServer::answerTo(int rank, const Question &question) const
{
    if (question.get.isEmpty())
        return {rank, jsonTextOf(StoreLine{.number = question.number, .isReady = true})};
    return valueFor(rank, question, m_values.value(question.get));
}

} // namespace rankdeck
