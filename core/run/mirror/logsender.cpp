#include "run/mirror/logsender.h"

#include <QFile>

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

constexpr qint64 turnBytes = 1024 * 1024; ///< Sent at once; then other work of this thread has its turn.
constexpr qint64 mostCredit = qint64(1) << 60;

LogSender::LogSender(const QStringList &paths, std::chrono::milliseconds lookEvery)
    : m_look(this)
    , m_goOn(0, this)
{
    for (const QString &path : paths) {
        Log log;
        log.path = QFile::encodeName(path);
        log.end.file = static_cast<int>(m_logs.size());
        m_logs.push_back(log);
    }
    m_look.setInterval(lookEvery);
    connect(&m_look, &QTimer::timeout, this, &LogSender::look);
    connect(&m_goOn, &QTimer::timeout, this, &LogSender::send);
}

void LogSender::take(const LogWish &wish)
{
    if (wish.compress)
        m_compresses = *wish.compress;
    if (wish.first)
        m_first = std::set<int>(wish.first->begin(), wish.first->end());
    for (const int file : wish.leave) {
        if (Log *log = logIn(m_logs, file))
            log->isFollowed = false;
    }
    for (const LogPlace &place : wish.follow)
        follow(place);
    m_credit = std::min(m_credit + wish.credit, mostCredit);
    if (!m_look.isActive()) {
        m_look.start();
        look();
    } else {
        tell();
        m_goOn.start();
    }
}

/// Goes on where the head is; from the beginning if the present file has no such place.
void LogSender::follow(const LogPlace &place)
{
    Log *log = logIn(m_logs, place.file);
    if (!log)
        return;
    // A log may have restarted before this program started.
    if (log->end.generation == 0)
        log->end.generation = place.generation;
    lookAt(*log);
    log->isFollowed = true;
    log->request = place.request;
    log->isTold = false;
    const bool isThere = place.generation == log->end.generation && place.offset <= log->end.offset;
    log->offset = isThere ? place.offset : 0;
    if (!isThere && place.generation >= log->end.generation)
        log->end.generation = place.generation + 1;
}

void LogSender::lookAt(Log &log)
{
    struct stat info = {};
    if (stat(log.path.constData(), &info) != 0)
        return;
    const bool beganAnew =
        log.inode != 0 && (info.st_ino != log.inode || qint64(info.st_size) < log.end.offset);
    if (beganAnew) {
        ++log.end.generation;
        log.offset = 0;
    }
    log.inode = info.st_ino;
    log.isTold = log.isTold && !beganAnew && log.end.offset == qint64(info.st_size);
    log.end.offset = info.st_size;
}

void LogSender::look()
{
    for (Log &log : m_logs)
        lookAt(log);
    tell();
    send();
}

void LogSender::tell()
{
    LogNews told;
    for (Log &log : m_logs) {
        if (!std::exchange(log.isTold, true))
            told.ends << log.end;
    }
    if (!told.ends.isEmpty())
        Q_EMIT news(told.toLine());
}

void LogSender::send()
{
    const qint64 enough = m_credit - turnBytes;
    Log *log = nextToSend();
    const bool hadUnsent = log;
    for (; log && m_credit > std::max<qint64>(0, enough); log = nextToSend())
        sendSomeOf(*log);
    if (log && m_credit > 0)
        m_goOn.start();
    else if (!log && hadUnsent)
        Q_EMIT caughtUp();
}

/// Returns the next log in turn; logs that are shown come before others.
LogSender::Log *LogSender::nextToSend()
{
    Log *other = nullptr;
    for (std::size_t step = 1; step <= m_logs.size(); ++step) {
        Log &log = m_logs[(m_lastSent + step) % m_logs.size()];
        if (!log.hasUnsent())
            continue;
        if (m_first.contains(log.end.file))
            return &log;
        if (!other)
            other = &log;
    }
    return other;
}

void LogSender::sendSomeOf(Log &log)
{
    m_lastSent = static_cast<std::size_t>(log.end.file);
    LogChunk piece;
    piece.file = static_cast<quint32>(log.end.file);
    piece.generation = log.end.generation;
    piece.request = log.request;
    piece.offset = log.offset;
    piece.bytes.resize(static_cast<qsizetype>(
        std::min({qint64(LogChunk::mostBytes), m_credit, log.end.offset - log.offset})));
    const int file = open(log.path.constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info = {};
    const bool isSame = file >= 0 && fstat(file, &info) == 0 && info.st_ino == log.inode;
    const ssize_t size = isSame ? pread(file, piece.bytes.data(), static_cast<size_t>(piece.bytes.size()),
                                        static_cast<off_t>(log.offset))
                                : -1;
    if (file >= 0)
        close(file);
    if (size <= 0) {
        // The log was replaced, cut off or removed since; the next look() notices.
        log.end.offset = log.offset;
        return;
    }
    piece.bytes.truncate(size);
    log.offset += size;
    m_credit -= size;
    Q_EMIT chunk(piece.toBytes(m_compresses));
}

} // namespace rankdeck
