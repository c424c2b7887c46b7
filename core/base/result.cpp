#include "base/result.h"

#include "base/listcomma.h"

#include <QIODevice>

#include <cerrno>
#include <cstring>

namespace rankdeck
{

/// Errors that users may meet, in words; the others keep the system's words.
constexpr std::array<std::pair<int, const char *>, 28> errnoTable{{
    {EPERM, QT_TRANSLATE_NOOP("rankdeck", "Operation not permitted")},
    {ENOENT, QT_TRANSLATE_NOOP("rankdeck", "No such file or directory")},
    {ESRCH, QT_TRANSLATE_NOOP("rankdeck", "No such process")},
    {EIO, QT_TRANSLATE_NOOP("rankdeck", "Input/output error")},
    {ENOEXEC, QT_TRANSLATE_NOOP("rankdeck", "Exec format error")},
    {EAGAIN, QT_TRANSLATE_NOOP("rankdeck", "Resource temporarily unavailable")},
    {ENOMEM, QT_TRANSLATE_NOOP("rankdeck", "Cannot allocate memory")},
    {EACCES, QT_TRANSLATE_NOOP("rankdeck", "Permission denied")},
    {EBUSY, QT_TRANSLATE_NOOP("rankdeck", "Device or resource busy")},
    {EEXIST, QT_TRANSLATE_NOOP("rankdeck", "File exists")},
    {ENOTDIR, QT_TRANSLATE_NOOP("rankdeck", "Not a directory")},
    {EISDIR, QT_TRANSLATE_NOOP("rankdeck", "Is a directory")},
    {EINVAL, QT_TRANSLATE_NOOP("rankdeck", "Invalid argument")},
    {EMFILE, QT_TRANSLATE_NOOP("rankdeck", "Too many open files")},
    {EFBIG, QT_TRANSLATE_NOOP("rankdeck", "File too large")},
    {ENOSPC, QT_TRANSLATE_NOOP("rankdeck", "No space left on device")},
    {EROFS, QT_TRANSLATE_NOOP("rankdeck", "Read-only file system")},
    {EPIPE, QT_TRANSLATE_NOOP("rankdeck", "Broken pipe")},
    {ENAMETOOLONG, QT_TRANSLATE_NOOP("rankdeck", "File name too long")},
    {ELOOP, QT_TRANSLATE_NOOP("rankdeck", "Too many levels of symbolic links")},
    {EADDRINUSE, QT_TRANSLATE_NOOP("rankdeck", "Address already in use")},
    {ENETUNREACH, QT_TRANSLATE_NOOP("rankdeck", "Network is unreachable")},
    {ECONNRESET, QT_TRANSLATE_NOOP("rankdeck", "Connection reset by peer")},
    {ETIMEDOUT, QT_TRANSLATE_NOOP("rankdeck", "Connection timed out")},
    {ECONNREFUSED, QT_TRANSLATE_NOOP("rankdeck", "Connection refused")},
    {EHOSTUNREACH, QT_TRANSLATE_NOOP("rankdeck", "No route to host")},
    {ESTALE, QT_TRANSLATE_NOOP("rankdeck", "Stale file handle")},
    {EDQUOT, QT_TRANSLATE_NOOP("rankdeck", "Disk quota exceeded")},
}};

static QString wordsOfSystem(int number)
{
    return QString::fromLocal8Bit(std::strerror(number));
}

QString Error::sentence() const
{
    QString text = what;
    if (!where.isEmpty())
        text = withColon(where, text);
    if (mend.isEmpty())
        return text;
    const bool isSentence = text.endsWith('.'_L1) || text.endsWith(QChar(0x3002));
    return (isSentence ? tr("%1 %2", "error with a full stop, advice") : tr("%1. %2", "error, advice"))
        .arg(text, mend);
}

QString errnoWords(int number)
{
    const auto *known = std::ranges::find(errnoTable, number, &std::pair<int, const char *>::first);
    return known == errnoTable.end() ? wordsOfSystem(number) : tr(known->second);
}

QString problemOf(const QIODevice &device)
{
    const QString problem = device.errorString();
    for (const auto &[number, words] : errnoTable) {
        if (const QString found = wordsOfSystem(number); problem.endsWith(found)) // "execve: No such file…"
            return problem.chopped(found.size()) + tr(words);
    }
    return problem;
}

QString lastLineOf(const QByteArray &output)
{
    return QString::fromUtf8(output.trimmed().split('\n').last()).simplified().left(300);
}

} // namespace rankdeck
