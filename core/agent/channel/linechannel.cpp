#include "agent/channel/linechannel.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace rankdeck
{

/// Lines closer together than this are a burst.
constexpr int burstMs = 20;

/// A plan for thousands of processes takes some megabytes.
constexpr qsizetype longestLine = 256 * 1024 * 1024;

static void makeNonBlocking(int descriptor)
{
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

LineChannel::LineChannel(int readFrom, int writeTo)
    : m_writeTo(writeTo)
    , m_readable(readFrom, QSocketNotifier::Read)
    , m_writable(writeTo, QSocketNotifier::Write)
    , m_lines(longestLine)
{
    makeNonBlocking(readFrom);
    makeNonBlocking(writeTo);
    m_writable.setEnabled(false);
    connect(&m_readable, &QSocketNotifier::activated, this, &LineChannel::read);
    connect(&m_writable, &QSocketNotifier::activated, this, &LineChannel::write);
}

void LineChannel::add(const QByteArray &bytes)
{
    if (m_closed)
        return;
    m_unsent += bytes;
    // Each write wakes the other side, so the lines of a burst go together.
    if (!m_sinceWrite.isValid() || m_sinceWrite.hasExpired(burstMs))
        write();
    else
        m_writable.setEnabled(true);
}

void LineChannel::flush()
{
    fcntl(m_writeTo, F_SETFL, fcntl(m_writeTo, F_GETFL) & ~O_NONBLOCK);
    write();
}

void LineChannel::write()
{
    m_sinceWrite.start();
    while (!m_unsent.isEmpty()) {
        const ssize_t written =
            ::write(m_writeTo, m_unsent.constData(), static_cast<size_t>(m_unsent.size()));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            if (errno == EAGAIN)
                break;
            close();
            return;
        }
        m_unsent.remove(0, written);
    }
    m_writable.setEnabled(!m_unsent.isEmpty());
}

void LineChannel::drain()
{
    while (!m_closed && read())
        continue;
}

bool LineChannel::read()
{
    std::array<char, 65536> buffer{};
    const ssize_t size = ::read(static_cast<int>(m_readable.socket()), buffer.data(), buffer.size());
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (size <= 0) {
        close();
        return false;
    }
    m_lines.add(QByteArrayView(buffer.data(), size));
    while (const auto line = m_lines.take())
        Q_EMIT received(*line);
    if (m_lines.isOverlong())
        close();
    return true;
}

void LineChannel::close()
{
    if (m_closed)
        return;
    m_closed = true;
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    Q_EMIT closed();
}

constexpr std::chrono::milliseconds betweenTicks{1000};
/// A tick that comes so late finds that this process did not run.
constexpr std::chrono::milliseconds wasAsleepAfter = 4 * betweenTicks;

Silence::Silence()
    : m_tick(this)
{
    m_tick.setInterval(betweenTicks);
    connect(&m_tick, &QTimer::timeout, this, &Silence::look);
}

void Silence::setLimit(std::chrono::milliseconds limit)
{
    m_limit = limit;
    if (m_limit.count() == 0)
        stop();
}

void Silence::start()
{
    m_silent = {};
    if (m_tick.isActive() || m_limit.count() == 0)
        return;
    m_sinceTick.start();
    m_tick.start();
}

void Silence::look()
{
    const std::chrono::milliseconds passed(m_sinceTick.restart());
    m_silent = passed > wasAsleepAfter ? std::chrono::milliseconds(0) : m_silent + passed;
    if (m_silent < m_limit)
        return;
    stop();
    Q_EMIT reached();
}

} // namespace rankdeck
