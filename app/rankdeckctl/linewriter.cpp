#include "linewriter.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

constexpr qsizetype blockBytes = 256 * 1024;
constexpr QByteArrayView reset("\x1b[0m");

/// SGR of a severity; empty for the default look.
QByteArrayView sgrOf(LogSeverity severity)
{
    constexpr std::array<QByteArrayView, 6> looks{"", "2", "", "33", "31", "1;31"};
    return looks[static_cast<std::size_t>(severity)];
}

} // namespace

LineWriter::LineWriter()
    : m_block(new char[blockBytes])
    , m_capacity(blockBytes)
{
}

char *LineWriter::append(char *end, QByteArrayView bytes)
{
    return std::copy(bytes.begin(), bytes.end(), end);
}

void LineWriter::makeRoom(qsizetype size)
{
    flush();
    if (size <= m_capacity)
        return;
    m_block.reset(new char[static_cast<std::size_t>(size)]);
    m_capacity = size;
}

void LineWriter::writeColored(QByteArrayView prefix, QByteArrayView sgr, QByteArrayView line,
                              LogSeverity severity)
{
    const bool hasOwnColors = line.contains('\x1b');
    const QByteArrayView look = hasOwnColors ? QByteArrayView() : sgrOf(severity);
    constexpr qsizetype longestEscapes = 64;
    char *const begin = roomFor(prefix.size() + line.size() + longestEscapes);
    char *end = begin;
    const auto colored = [&](QByteArrayView text, QByteArrayView how) {
        if (!how.isEmpty() && !text.isEmpty())
            end = append(append(append(end, "\x1b["), how), "m");
        end = append(end, text);
        if (!how.isEmpty() && !text.isEmpty())
            end = append(end, reset);
    };
    colored(prefix, sgr);
    colored(line, look);
    if (hasOwnColors)
        end = append(end, reset);
    *end++ = '\n';
    m_size += end - begin;
}

void LineWriter::flush()
{
    const char *at = m_block.get();
    while (m_size > 0) {
        const ssize_t written = ::write(STDOUT_FILENO, at, static_cast<std::size_t>(m_size));
        if (written >= 0) {
            at += written;
            m_size -= written;
        } else if (errno == EAGAIN) {
            // Whoever shares the terminal may have made it so.
            pollfd ready{STDOUT_FILENO, POLLOUT, 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            m_size = 0;
        }
    }
}

bool usesColor(const QString &choice)
{
    if (choice != QLatin1String("auto"))
        return choice == QLatin1String("always");
    return isatty(STDOUT_FILENO) != 0 && qEnvironmentVariableIsEmpty("NO_COLOR") &&
           !qEnvironmentVariableIsEmpty("TERM") && qgetenv("TERM") != "dumb";
}

} // namespace rankdeck
