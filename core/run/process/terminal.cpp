#include "run/process/terminal.h"

#include "run/process/exitstatus.h"

#include <QFile>

#include <array>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace rankdeck
{

constexpr auto chunkBytes = std::size_t(64 * 1024); ///< Read at once; then other work has its turn.
/// Read at most after the process has ended: the kernel keeps far less, but its children may print on.
constexpr int mostChunksAtEnd = 64;

static Error terminalError(int errorNumber)
{
    return {tr("cannot open a terminal: %1").arg(errnoWords(errorNumber)), QString(),
            tr("Give fewer ranks a terminal (--tty), or check /proc/sys/kernel/pty/max.")};
}

Result<std::unique_ptr<Terminal>> Terminal::open(const QString &logFile)
{
    const int ownEnd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (ownEnd < 0)
        return terminalError(errno);
    std::array<char, 64> name{};
    const bool isThere =
        grantpt(ownEnd) == 0 && unlockpt(ownEnd) == 0 && ptsname_r(ownEnd, name.data(), name.size()) == 0;
    const int processEnd = isThere ? ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
    if (processEnd < 0) {
        const int problem = errno;
        close(ownEnd);
        return terminalError(problem);
    }
    const int log = ::open(QFile::encodeName(logFile).constData(),
                           O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (log < 0) {
        const Error problem{errnoWords(errno), logFile, {}};
        close(ownEnd);
        close(processEnd);
        return problem;
    }
    std::unique_ptr<Terminal> terminal(new Terminal(ownEnd, processEnd, log));
    terminal->resize({});
    return terminal;
}

Terminal::Terminal(int ownEnd, int processEnd, int log)
    : m_ownEnd(ownEnd)
    , m_processEnd(processEnd)
    , m_log(log)
    , m_readable(ownEnd, QSocketNotifier::Read)
    , m_writable(ownEnd, QSocketNotifier::Write)
{
    m_writable.setEnabled(false);
    connect(&m_readable, &QSocketNotifier::activated, this, &Terminal::read);
    connect(&m_writable, &QSocketNotifier::activated, this, &Terminal::writeTyped);
    connect(&m_retry, &QTimer::timeout, this, [this] { m_readable.setEnabled(writeLog()); });
}

Terminal::~Terminal()
{
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    close(m_log);
    close(m_processEnd);
    close(m_ownEnd);
}

bool Terminal::adopt() const
{
    if (ioctl(m_processEnd, TIOCSCTTY, 0) != 0)
        return false;
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (dup2(m_processEnd, stream) != stream)
            return false;
    }
    return true;
}

bool Terminal::type(const QByteArray &bytes)
{
    if (m_typed.size() + bytes.size() > mostUntaken)
        return false;
    m_typed += bytes;
    writeTyped();
    return true;
}

void Terminal::writeTyped()
{
    while (!m_typed.isEmpty()) {
        const ssize_t written =
            ::write(m_ownEnd, m_typed.constData(), static_cast<std::size_t>(m_typed.size()));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            break;
        m_typed.remove(0, written);
    }
    m_writable.setEnabled(!m_typed.isEmpty());
}

void Terminal::resize(const TerminalSize &size)
{
    struct winsize window = {};
    window.ws_row = static_cast<unsigned short>(size.rows);
    window.ws_col = static_cast<unsigned short>(size.columns);
    ioctl(m_ownEnd, TIOCSWINSZ, &window);
}

bool Terminal::interrupt()
{
    return ioctl(m_ownEnd, TIOCSIG, SIGINT) == 0;
}

/// Returns true if there may be more.
bool Terminal::read()
{
    std::array<char, chunkBytes> chunk;
    const ssize_t count = ::read(m_ownEnd, chunk.data(), chunk.size());
    if (count <= 0)
        return count < 0 && errno == EINTR;
    m_printed.append(chunk.data(), count);
    Q_EMIT printed(QByteArrayView(chunk.data(), count));
    const bool isWritten = writeLog();
    m_readable.setEnabled(isWritten);
    return isWritten;
}

/// Returns false if the disk is full; tries again soon then. What cannot be written otherwise is lost.
bool Terminal::writeLog()
{
    while (!m_printed.isEmpty()) {
        const ssize_t written =
            ::write(m_log, m_printed.constData(), static_cast<std::size_t>(m_printed.size()));
        if (written > 0) {
            m_printed.remove(0, written);
        } else if (written < 0 && (errno == ENOSPC || errno == EDQUOT)) {
            m_retry.start();
            return false;
        } else if (written >= 0 || errno != EINTR) {
            m_printed.clear();
        }
    }
    return true;
}

void Terminal::drain()
{
    for (int chunk = 0; chunk < mostChunksAtEnd && read(); ++chunk) {
    }
}

} // namespace rankdeck
