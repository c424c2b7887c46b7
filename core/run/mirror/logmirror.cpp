#include "run/mirror/logmirror.h"

#include "base/result.h"
#include "run/record/runkeeper.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

/// With a limited rate at most the bytes of one second are granted, but at least one chunk.
static qint64 windowFor(const LogMirror::Options &options)
{
    constexpr auto least = qint64(LogChunk::mostBytes);
    const qint64 window = std::max(options.window, least);
    return options.bytesPerSecond > 0 ? std::min(window, std::max(options.bytesPerSecond, least)) : window;
}

/// Opens the file and makes missing folders, for this user alone.
static int openMirror(const QByteArray &path)
{
    constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
    const int file = open(path.constData(), flags, 0600);
    if (file >= 0 || errno != ENOENT)
        return file;
    const QString folder = QFileInfo(QFile::decodeName(path)).path();
    QDir().mkpath(QFileInfo(folder).path());
    mkdir(QFile::encodeName(folder).constData(), 0700);
    return open(path.constData(), flags, 0600);
}

LogMirror::LogMirror(const QStringList &files, const Options &options)
    : m_options(options)
    , m_window(windowFor(options))
    , m_grantTimer(20, this)
    , m_retry(500, this)
{
    for (const QString &path : files) {
        Log log;
        log.path = QFile::encodeName(path);
        log.place.file = static_cast<int>(m_logs.size());
        log.place.offset = path.isEmpty() ? 0 : QFileInfo(path).size();
        log.end = log.place;
        log.isFollowed = options.followAll && !path.isEmpty();
        m_logs.push_back(log);
    }
    connect(&m_grantTimer, &QTimer::timeout, this, &LogMirror::grant);
    connect(&m_retry, &QTimer::timeout, this, &LogMirror::writeWaiting);
}

void LogMirror::connected()
{
    LogWish start;
    for (Log &log : m_logs) {
        if (log.isFollowed)
            start.follow << requestFrom(log, log.place.offset);
    }
    start.first = m_first;
    start.compress = m_options.compress;
    m_isConnected = true;
    // Bytes that were on their way are lost and requested again.
    m_granted = 0;
    m_free = m_window - m_waitingBytes;
    Q_EMIT wish(start.toLine());
    grant();
}

void LogMirror::setFirst(const QList<int> &files)
{
    m_first = files;
    if (m_isConnected)
        Q_EMIT wish(LogWish{.first = files}.toLine());
}

void LogMirror::follow(const QList<int> &files)
{
    LogWish change;
    for (const int file : files) {
        Log *log = logIn(m_logs, file);
        if (!log || log->path.isEmpty() || std::exchange(log->isFollowed, true))
            continue;
        change.follow << requestFrom(*log, log->place.offset);
    }
    if (m_isConnected && !change.follow.isEmpty())
        Q_EMIT wish(change.toLine());
}

void LogMirror::leave(const QList<int> &files)
{
    LogWish change;
    for (const int file : files) {
        Log *log = logIn(m_logs, file);
        if (log && std::exchange(log->isFollowed, false))
            change.leave << file;
    }
    if (m_isConnected && !change.leave.isEmpty())
        Q_EMIT wish(change.toLine());
}

bool LogMirror::takeNews(const QByteArray &line)
{
    const auto news = LogNews::fromLine(line);
    if (!news)
        return false;
    for (const LogPlace &end : news->ends) {
        Log *log = logIn(m_logs, end.file);
        if (!log)
            return false;
        log->end = end;
    }
    return true;
}

qint64 LogMirror::behind() const
{
    qint64 bytes = 0;
    for (const Log &log : m_logs) {
        const bool beginsAnew = log.end.generation != log.place.generation;
        const qint64 rest = log.end.offset - (beginsAnew ? 0 : log.place.offset);
        bytes += log.isFollowed ? std::max<qint64>(0, rest) : 0;
    }
    return bytes;
}

bool LogMirror::takeChunk(QByteArrayView bytes)
{
    auto chunk = LogChunk::fromBytes(bytes);
    Log *log = chunk ? logIn(m_logs, static_cast<int>(chunk->file)) : nullptr;
    if (!log || chunk->bytes.size() > m_granted || chunk->request == 0 || chunk->request > log->place.request)
        return false;
    m_granted -= chunk->bytes.size();
    // Bytes of an earlier wish; they are requested again when they are needed.
    if (chunk->request < log->place.request || !log->isFollowed) {
        release(chunk->bytes.size());
        return true;
    }
    // The next piece of its log, or the first one after the log restarted on the node.
    const bool isNext = chunk->generation == log->place.generation
                            ? chunk->offset == log->place.offset
                            : chunk->generation > log->place.generation && chunk->offset == 0;
    if (!isNext)
        return false;
    log->place.generation = chunk->generation;
    log->place.offset = chunk->offset + chunk->bytes.size();
    if (log->end.generation == chunk->generation)
        log->end.offset = std::max(log->end.offset, log->place.offset);
    m_waitingBytes += chunk->bytes.size();
    m_waiting.push_back(std::move(*chunk));
    if (!m_retry.isActive())
        writeWaiting();
    return true;
}

LogPlace LogMirror::requestFrom(Log &log, qint64 offset)
{
    log.place.offset = offset;
    ++log.place.request;
    return log.place;
}

void LogMirror::writeWaiting()
{
    while (!m_waiting.empty()) {
        LogChunk &chunk = m_waiting.front();
        Log &log = m_logs[chunk.file];
        const qint64 before = chunk.bytes.size();
        // The log was abandoned, has restarted, or is fetched again.
        const bool isStale = log.path.isEmpty() || chunk.generation != log.place.generation ||
                             chunk.offset >= log.place.offset;
        const int errorNumber = isStale ? 0 : write(log, chunk);
        const qint64 done = errorNumber == 0 ? before : before - chunk.bytes.size();
        m_waitingBytes -= done;
        release(done);
        if (leavesNoRoom(errorNumber)) {
            m_retry.start();
            return;
        }
        if (errorNumber != 0) {
            m_waitingBytes -= chunk.bytes.size();
            release(chunk.bytes.size());
            giveUp(log, errorNumber);
        }
        m_waiting.pop_front();
    }
}

/// Removes the written part from the chunk. Returns an errno; 0: all was written, or is no longer needed.
int LogMirror::write(Log &log, LogChunk &chunk)
{
    const int file = openMirror(log.path);
    if (file < 0)
        return errno;
    struct stat info = {};
    int errorNumber = fstat(file, &info) == 0 ? 0 : errno;
    const bool beginsAnew = chunk.offset == 0 && info.st_size > 0;
    if (errorNumber == 0 && beginsAnew && ftruncate(file, 0) != 0)
        errorNumber = errno;
    const bool isMissing = errorNumber == 0 && info.st_size < chunk.offset;
    while (errorNumber == 0 && !isMissing && !chunk.bytes.isEmpty()) {
        const ssize_t written = pwrite(file, chunk.bytes.constData(), static_cast<size_t>(chunk.bytes.size()),
                                       static_cast<off_t>(chunk.offset));
        if (written < 0 && errno != EINTR)
            errorNumber = errno;
        if (written > 0) {
            chunk.offset += written;
            chunk.bytes.remove(0, written);
        }
    }
    close(file);
    if (isMissing) { // The mirror was removed or cut off.
        const LogPlace again = requestFrom(log, info.st_size);
        if (m_isConnected && log.isFollowed)
            Q_EMIT wish(LogWish{.follow = {again}}.toLine());
    }
    return errorNumber;
}

void LogMirror::giveUp(Log &log, int errorNumber)
{
    const Error error{tr("cannot mirror the log of another node: %1").arg(errnoWords(errorNumber)),
                      QFile::decodeName(std::exchange(log.path, {})), QString()};
    leave({log.place.file});
    Q_EMIT failed(log.place.file, error.sentence());
}

void LogMirror::release(qint64 bytes)
{
    m_free += bytes;
    if (!m_isConnected || m_free <= 0)
        return;
    // Do not let a node that waits for credit wait for the timer too.
    if (m_options.bytesPerSecond == 0 && m_free >= m_window / 4)
        grant();
    else if (!m_grantTimer.isActive())
        m_grantTimer.start();
}

void LogMirror::grant()
{
    qint64 credit = m_free;
    if (m_options.bytesPerSecond > 0) {
        const double second = static_cast<double>(m_options.bytesPerSecond);
        const double passed = m_sinceGrant.isValid() ? static_cast<double>(m_sinceGrant.restart()) / 1000 : 0;
        if (!m_sinceGrant.isValid())
            m_sinceGrant.start();
        m_allowance = std::min(m_allowance + passed * second, second);
        credit = std::min(credit, static_cast<qint64>(m_allowance));
        m_allowance -= static_cast<double>(credit);
        if (credit < m_free)
            m_grantTimer.start();
    }
    if (credit <= 0)
        return;
    m_free -= credit;
    m_granted += credit;
    Q_EMIT wish(LogWish{.credit = credit}.toLine());
}

} // namespace rankdeck
