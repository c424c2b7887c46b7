#include "log/file/bytesuntil.h"

#include <QFile>

namespace rankdeck
{

constexpr qint64 stampBlockBytes = 64 * 1024;
/// Longest stretch without a stamp that is skipped to find one.
constexpr qint64 mostWithoutStamp = 256 * 1024;

/// Calls `visit(offset of a line, its own or inherited stamp)` for the lines that begin from `from` on and
/// before `to`, until it returns true. The line at `from` counts only if one begins there.
static void visitStamps(QFile &file, qint64 from, qint64 to, const auto &visit)
{
    // One byte before shows whether a line begins at `from`.
    const qint64 begin = std::max<qint64>(0, from - 1);
    if (!file.seek(begin))
        return;
    const QByteArray bytes = file.read(to - begin);
    qsizetype at = from == 0 ? 0 : bytes.indexOf('\n') + 1;
    if (from > 0 && at == 0)
        return;
    LogLineReader reader;
    while (at < bytes.size()) {
        const qsizetype newline = bytes.indexOf('\n', at);
        const qsizetype end = newline < 0 ? bytes.size() : newline;
        const auto time = reader.read(QByteArrayView(bytes).sliced(at, end - at)).time;
        if (time && visit(begin + at, *time))
            return;
        at = end + 1;
    }
}

std::optional<LogSpan> logSpan(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return std::nullopt;
    std::optional<LogTime> first;
    std::optional<LogTime> last;
    visitStamps(file, 0, mostWithoutStamp, [&](qint64, LogTime time) {
        first = time;
        return true;
    });
    visitStamps(file, std::max<qint64>(0, file.size() - mostWithoutStamp), file.size(),
                [&](qint64, LogTime time) {
                    last = time;
                    return false;
                });
    if (!first || !last)
        return std::nullopt;
    return LogSpan{*first, std::max(*first, *last)};
}

std::optional<qint64> bytesUntil(const QString &path, LogTime time)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return std::nullopt;
    const qint64 size = file.size();
    bool hasStamps = false;
    // The first line that is stamped later begins behind `low`, or at the start, and before `high`.
    qint64 low = 0;
    qint64 high = size;
    while (high - low > stampBlockBytes) {
        const qint64 middle = low + (high - low) / 2;
        std::optional<LogTime> found;
        for (qint64 at = middle; at < std::min(high, middle + mostWithoutStamp) && !found;
             at += stampBlockBytes)
            visitStamps(file, at, std::min(high, at + stampBlockBytes), [&](qint64, LogTime stamp) {
                found = stamp;
                return true;
            });
        hasStamps = hasStamps || found;
        (found && *found <= time ? low : high) = middle;
    }
    std::optional<qint64> later;
    visitStamps(file, low, std::min(size, high + mostWithoutStamp), [&](qint64 offset, LogTime stamp) {
        hasStamps = true;
        if (stamp > time)
            later = offset;
        return later.has_value();
    });
    if (!hasStamps)
        return std::nullopt;
    return later.value_or(size);
}

} // namespace rankdeck
