#include "collective/store/storeclient.h"

#include "base/numberranges.h"
#include "collective/store/disterror.h"
#include "collective/store/storeline.h"

#include <cerrno>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace rankdeck
{

constexpr qsizetype longestLine = 1 << 20;
constexpr std::chrono::seconds untilMissingIsSaid{10}; ///< The store may be busy, or behind a slow line.

/// Writes to any kind of descriptor. A peer that has gone is noticed by reading.
static void writeAll(int file, const QByteArray &bytes)
{
    const char *at = bytes.constData();
    qsizetype left = bytes.size();
    while (left > 0) {
        ssize_t written = send(file, at, static_cast<std::size_t>(left), MSG_NOSIGNAL);
        if (written < 0 && errno == ENOTSOCK)
            written = write(file, at, static_cast<std::size_t>(left));
        if (written >= 0) {
            at += written;
            left -= written;
        } else if (errno == EAGAIN) {
            pollfd waited{file, POLLOUT, 0};
            poll(&waited, 1, -1);
        } else if (errno != EINTR) {
            return;
        }
    }
}

static DistError unheard(const QByteArray &about)
{
    return DistError(tr("nothing was heard of %1 in time").arg(QString::fromUtf8(about.left(200))));
}

void waitForRanks(StoreClient &store, const QByteArray &prefix, int worldSize,
                  std::chrono::milliseconds patience)
{
    const QList<int> missing = store.missingOf(prefix, worldSize, QDeadlineTimer(patience));
    if (!missing.isEmpty())
        throw DistError(tr("nothing was heard within %1 s of rank %2")
                            .arg(static_cast<double>(patience.count()) / 1000)
                            .arg(numberRanges(missing)));
}

StoreClient::StoreClient(Streams streams, OnOver onOver)
    : m_streams(std::move(streams))
    , m_onOver(std::move(onOver))
    , m_wake(eventfd(0, EFD_CLOEXEC))
    , m_thread(inOwnThread([this] { read(); }))
{
}

StoreClient::~StoreClient()
{
    const quint64 one = 1;
    writeAll(m_wake.number(), QByteArray(reinterpret_cast<const char *>(&one), sizeof one));
    m_thread.join();
}

void StoreClient::set(const QByteArray &key, const QByteArray &value)
{
    say(jsonTextOf(StoreLine{.set = key, .value = value.toBase64()}));
}

QByteArray StoreClient::get(const QByteArray &key, QDeadlineTimer deadline)
{
    const auto value = find(key, deadline);
    if (!value)
        throw unheard(key);
    return *value;
}

std::optional<QByteArray> StoreClient::find(const QByteArray &key, QDeadlineTimer deadline)
{
    const auto answer = ask({.get = key}, deadline);
    return answer ? std::optional(QByteArray::fromBase64(*answer)) : std::nullopt;
}

void StoreClient::wait(const QList<QByteArray> &keys, QDeadlineTimer deadline)
{
    if (!ask({.wait = keys}, deadline))
        throw unheard(keys.join(", "));
}

QList<int> StoreClient::missingOf(const QByteArray &prefix, int count, QDeadlineTimer deadline)
{
    QList<QByteArray> keys;
    for (int number = 0; number < count; ++number)
        keys << prefix + QByteArray::number(number);
    if (ask({.wait = keys}, deadline))
        return {};
    // This question is answered at once.
    const auto missing = ask({.missing = keys}, QDeadlineTimer(untilMissingIsSaid));
    if (!missing)
        throw unheard(keys.join(", "));
    return numbersFromRanges(QString::fromLatin1(QByteArray::fromBase64(*missing))).value_or(QList<int>());
}

void StoreClient::say(const QByteArray &line)
{
    const std::lock_guard lock(m_writing);
    writeAll(m_streams.out.number(), line + '\n');
}

QString StoreClient::over(std::chrono::milliseconds patience)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, patience, [this] { return !m_over.isEmpty(); });
    return m_over;
}

/// Returns nothing if there is no answer before the deadline.
std::optional<QByteArray> StoreClient::ask(StoreLine question, QDeadlineTimer deadline)
{
    const std::lock_guard asking(m_asking);
    {
        const std::lock_guard lock(m_mutex);
        question.number = ++m_question;
        m_answer.reset();
    }
    say(jsonTextOf(question));
    std::unique_lock lock(m_mutex);
    m_changed.wait_until(lock, deadline.deadline<std::chrono::steady_clock>(),
                         [this] { return m_answer || !m_over.isEmpty(); });
    if (!m_answer && !m_over.isEmpty())
        throw DistError(m_over);
    return std::exchange(m_answer, std::nullopt);
}

void StoreClient::read()
{
    QByteArray bytes;
    for (;;) {
        pollfd waited[] = {{m_streams.in.number(), POLLIN, 0}, {m_wake.number(), POLLIN, 0}};
        if (poll(waited, 2, -1) < 0 && errno != EINTR)
            return end(errnoWords(errno));
        if (waited[1].revents)
            return;
        if (!waited[0].revents)
            continue;
        char part[16 * 1024];
        const ssize_t size = ::read(m_streams.in.number(), part, sizeof part);
        if (size < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (size <= 0)
            return end(m_streams.gone);
        bytes.append(part, size);
        qsizetype from = 0;
        for (qsizetype lineEnd; (lineEnd = bytes.indexOf('\n', from)) >= 0; from = lineEnd + 1) {
            if (!takeLine(bytes.mid(from, lineEnd - from)))
                return;
        }
        bytes.remove(0, from);
        if (bytes.size() > longestLine)
            return end(tr("the store sent an invalid answer"));
    }
}

/// Returns false after the last line.
bool StoreClient::takeLine(const QByteArray &line)
{
    const auto said = fromJsonText<StoreLine>(line);
    if (said && said->over) {
        end(*said->over);
        return false;
    }
    if (said && (said->value || said->isReady)) {
        const std::lock_guard lock(m_mutex);
        // An answer to a question that has timed out is ignored.
        if (said->number == m_question)
            m_answer = said->value.value_or(QByteArray());
        m_changed.notify_all();
    }
    return true;
}

void StoreClient::end(const QString &why)
{
    {
        const std::lock_guard lock(m_mutex);
        m_over = why.isEmpty() ? tr("the store has ended") : why;
        m_changed.notify_all();
    }
    if (m_onOver)
        m_onOver(m_over);
}

} // namespace rankdeck
