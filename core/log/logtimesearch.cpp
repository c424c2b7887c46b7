#include "log/logtimesearch.h"

#include "log/logfile.h"
#include "log/loglinereader.h"

#include <QByteArray>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int mostStretchesWithoutStamp = 64;
/// Of a stretch that holds a longer line.
constexpr qint64 mostBytes = 1024 * 1024;

/// The lines of a stretch, until `visit(number, line)` returns true.
template <typename Visit>
bool visitLines(const LogFile &file, int index, Visit visit)
{
    const LogFile::Stretch stretch = file.stretch(index);
    QByteArray bytes(std::min(mostBytes, stretch.end.value - stretch.begin.value), Qt::Uninitialized);
    bytes.truncate(file.readBytes(stretch.begin, bytes.data(), bytes.size()));
    LogLineReader reader;
    qint64 number = stretch.firstLine.value;
    for (qsizetype at = 0; at < bytes.size(); ++number) {
        const qsizetype newline = bytes.indexOf('\n', at);
        const qsizetype end = newline < 0 ? bytes.size() : newline;
        if (visit(LineNumber(number), reader.read(QByteArrayView(bytes).sliced(at, end - at))))
            return true;
        at = end + 1;
    }
    return false;
}

std::optional<LogTime> firstTime(const LogFile &file, int from, int end)
{
    std::optional<LogTime> found;
    for (int index = from; index < std::min(end, from + mostStretchesWithoutStamp) && !found; ++index) {
        visitLines(file, index, [&](LineNumber, const LogLineReader::Line &said) {
            found = said.time;
            return found.has_value();
        });
    }
    return found;
}

} // namespace

std::optional<LineNumber> lineAtTime(const LogFile &file, LogTime time)
{
    int low = 0; // What is looked for does not begin before it.
    int high = file.stretchCount();
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        const std::optional<LogTime> first = firstTime(file, middle, high);
        (first && *first < time ? low : high) = middle;
    }
    std::optional<LineNumber> found;
    for (int index = low; index < std::min(file.stretchCount(), low + mostStretchesWithoutStamp) && !found;
         ++index) {
        visitLines(file, index, [&](LineNumber line, const LogLineReader::Line &said) {
            if (said.time && *said.time >= time)
                found = line;
            return found.has_value();
        });
    }
    return found;
}

} // namespace rankdeck
