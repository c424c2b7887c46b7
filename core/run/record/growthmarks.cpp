#include "run/record/growthmarks.h"

#include "base/regularfile.h"
#include "base/times.h"
#include "launch/plan/attempt.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QtEndian>

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

/// A file of marks begins with this word and, in 15 digits, when it was written anew, so that who reads on in
/// it sees that. A file without it is an older one: pairs of 64-bit numbers.
constexpr QByteArrayView markWord("marks ");
constexpr qsizetype markHeadingSize = 6 + 15 + 1;
/// A week of an older file is 19 MB. A damaged one may be of any size.
constexpr qint64 mostMarkBytes = 64 << 20;
constexpr qint64 markBytesAtOnce = 4096;
constexpr char gapsEnding[] = "-gaps"; ///< Of the file beside the marks.
constexpr qint64 tickMs = 10;
constexpr qint64 lookMs = 100;
constexpr qint64 minuteMs = 60'000;
constexpr qint64 hourMs = 60 * minuteMs;
constexpr qint64 dayMs = 24 * hourMs;
/// Five minutes of marks.
constexpr int thinAfter = 600;
/// The year 10000: a file that was damaged holds any number.
constexpr qint64 latestMs = 253'402'300'800'000;

/// Writes all bytes behind the first `end` ones of a file, as its last, or none. Does not wait for a pipe.
/// Sets errno to ENOENT where these first ones are not there any more.
static bool writeBehind(const QByteArray &path, qint64 end, const QByteArray &bytes)
{
    const int file = open(path.constData(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0)
        return false;
    struct stat info = {};
    const bool isThere = fstat(file, &info) == 0 && info.st_size >= end;
    const bool isWhole = isThere && pwrite(file, bytes.constData(), bytes.size(), end) == bytes.size();
    const qint64 last = isWhole ? end + bytes.size() : end;
    const bool isLast = isThere && ((isWhole && info.st_size <= last) || ftruncate(file, last) == 0);
    close(file);
    errno = isThere ? ENOSPC : ENOENT;
    return isWhole && isLast;
}

/// Appends a difference in LEB128, its lowest bit the sign (DWARF 5, 7.6; protocol buffers' sint64).
static void addDifference(QByteArray &bytes, qint64 to, qint64 from)
{
    const auto difference = qint64(quint64(to) - quint64(from));
    quint64 rest = (quint64(difference) << 1) ^ quint64(difference >> 63);
    for (; rest > 0x7f; rest >>= 7)
        bytes += static_cast<char>(rest | 0x80);
    bytes += static_cast<char>(rest);
}

/// Takes a difference from the front of `bytes` and adds it; false if it is not all there.
static bool takeDifference(QByteArrayView &bytes, qint64 &to)
{
    quint64 rest = 0;
    for (qsizetype at = 0; at < std::min<qsizetype>(bytes.size(), 10); ++at) {
        rest |= quint64(bytes[at] & 0x7f) << (7 * at);
        if ((bytes[at] & 0x80) == 0) {
            to = qint64(quint64(to) + ((rest >> 1) ^ (0 - (rest & 1))));
            bytes = bytes.sliced(at + 1);
            return true;
        }
    }
    return false;
}

static QByteArray difference(const GrowthMark &mark, const GrowthMark &before)
{
    QByteArray bytes;
    addDifference(bytes, mark.time / tickMs, before.time / tickMs);
    addDifference(bytes, mark.size, before.size);
    return bytes;
}

std::vector<GrowthMark> MarkReader::take(QByteArrayView bytes, qint64 until)
{
    std::vector<GrowthMark> marks;
    if (offset == 0) {
        areNumbers = !bytes.startsWith(markWord);
        if (!areNumbers && bytes.size() < markHeadingSize)
            return marks;
        offset = areNumbers ? 0 : markHeadingSize;
        last = {};
        bytes = bytes.sliced(offset);
    }
    for (QByteArrayView rest = bytes; !rest.isEmpty(); bytes = rest) {
        GrowthMark mark = last;
        if (areNumbers && rest.size() >= qsizetype(2 * sizeof(qint64))) {
            mark = {qFromLittleEndian<qint64>(rest.data()),
                    qFromLittleEndian<qint64>(rest.data() + sizeof(qint64))};
            rest = rest.sliced(2 * sizeof(qint64));
        } else {
            mark.time /= tickMs;
            if (areNumbers || !takeDifference(rest, mark.time) || !takeDifference(rest, mark.size))
                break;
            mark.time = std::clamp<qint64>(mark.time, -1, latestMs / tickMs) * tickMs;
        }
        if (mark.time > until)
            break;
        offset += bytes.size() - rest.size();
        last = mark;
        if (mark.time >= 0 && mark.time < latestMs)
            marks.push_back(mark);
    }
    return marks;
}

std::optional<std::vector<GrowthMark>> growthMarks(const QString &marksFile, qint64 until)
{
    RegularFile file(marksFile);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    return MarkReader().take(file.read(std::min(file.size(), mostMarkBytes)), until);
}

QByteArray growthBytes(const std::vector<GrowthMark> &marks, qint64 now)
{
    QByteArray bytes = markWord.toByteArray() + QByteArray::number(now).rightJustified(15, '0') + '\n';
    GrowthMark before{};
    for (const GrowthMark &mark : marks)
        bytes += difference(mark, std::exchange(before, mark));
    return bytes;
}

GrowthTimes::GrowthTimes(const QString &file)
    : m_file(QFile::encodeName(file))
{
}

std::optional<GrowthMark> GrowthTimes::mark(qint64 size)
{
    while ((!m_last || m_last->size < size) && (m_next < m_marks.size() || readOn()))
        m_last = m_marks[m_next++];
    if (m_next == m_marks.size()) {
        m_marks.clear();
        m_marks.shrink_to_fit(); // A run can have thousands of logs.
        m_next = 0;
    }
    return m_last && m_last->size >= size ? m_last : std::nullopt;
}

std::optional<QDateTime> GrowthTimes::reached(qint64 size)
{
    mark(size);
    return m_last ? std::optional(utcTime(m_last->time)) : std::nullopt;
}

bool GrowthTimes::readOn()
{
    if (m_sinceEnd.isValid() && m_sinceEnd.elapsed() < lookMs)
        return false;
    m_sinceEnd.start();
    // Not kept open: a run of many ranks already has many files open.
    RegularFile file(QFile::decodeName(m_file));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray heading = file.read(markHeadingSize);
    if (std::exchange(m_heading, heading) != heading || file.size() < m_reader.offset)
        m_reader.offset = 0;
    if (!file.seek(m_reader.offset))
        return false;
    m_marks = m_reader.take(file.read(markBytesAtOnce));
    m_next = 0;
    if (!m_marks.empty())
        m_sinceEnd.invalidate();
    return !m_marks.empty();
}

std::optional<std::vector<GrowthMark>> marksUntil(const QString &marksFile, qint64 ms, int most)
{
    auto marks = growthMarks(marksFile, ms);
    if (!marks || (marks->empty() && QFile(marksFile).size() <= markHeadingSize))
        return std::nullopt;
    marks->erase(marks->begin(), marks->end() - std::min<qsizetype>(most, std::ssize(*marks)));
    return marks;
}

QString growthFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt)
{
    const QString folder = runDirectory + u"/growth"_s;
    return plan.maxRestarts > 0 ? folder + '/'_L1 + attemptFolder(QString::number(attempt)) : folder;
}

QString marksFile(const QString &growthFolder, int process, bool isError)
{
    return growthFolder + '/'_L1 + (isError ? u"%1-stderr"_s.arg(process) : QString::number(process));
}

std::vector<LogGap> logGaps(const QString &growthFolder, int process, bool isError)
{
    std::vector<LogGap> gaps;
    const QString file = marksFile(growthFolder, process, isError) + QLatin1String(gapsEnding);
    for (const GrowthMark &gap : growthMarks(file).value_or(std::vector<GrowthMark>()))
        gaps.push_back({gap.size, utcTime(gap.time)});
    return gaps;
}

std::optional<MarksEnd> thinMarks(const QString &marksFile, qint64 now, bool mayThin)
{
    RegularFile file(marksFile);
    if (!file.open(QIODevice::ReadOnly))
        return QFile::exists(marksFile) ? std::nullopt : std::optional(MarksEnd());
    const QByteArray bytes = file.read(std::min(file.size(), mostMarkBytes));
    if (bytes.isEmpty() || bytes.size() != file.size())
        return file.size() > 0 ? std::nullopt : std::optional(MarksEnd());
    MarkReader reader;
    const std::vector<GrowthMark> marks = reader.take(bytes);
    std::vector<GrowthMark> kept;
    for (std::size_t at = 0; at < marks.size(); ++at) {
        const qint64 age = now - marks[at].time;
        const qint64 step = age <= hourMs ? 1 : age <= dayMs ? minuteMs : 10 * minuteMs;
        if (step == 1 || at + 1 == marks.size() || marks[at].time / step != marks[at + 1].time / step)
            kept.push_back(marks[at]);
    }
    const QByteArray shorter = growthBytes(kept, now);
    QSaveFile anew(marksFile);
    if (mayThin && (reader.areNumbers || shorter.size() < bytes.size()) && anew.open(QIODevice::WriteOnly) &&
        anew.write(shorter) == shorter.size() && anew.commit())
        return MarksEnd{kept.empty() ? GrowthMark{} : kept.back(), shorter.size()};
    return reader.areNumbers ? std::nullopt : std::optional(MarksEnd{reader.last, reader.offset});
}

GrowthMarks::GrowthMarks(const QString &folder, const QStringList &logFiles,
                         const QMap<int, QString> &errorFiles)
    : m_folder(folder)
{
    QDir().mkpath(folder);
    for (qsizetype index = 0; index < logFiles.size(); ++index)
        add(logFiles[index], static_cast<int>(index), false);
    for (auto it = errorFiles.begin(); it != errorFiles.end(); ++it)
        add(it.value(), it.key(), true);
}

void GrowthMarks::add(const QString &logFile, int process, bool isError)
{
    const QString marks = marksFile(m_folder, process, isError);
    m_logs.push_back({QFile::encodeName(logFile), QFile::encodeName(marks), process, {}});
}

std::vector<int> GrowthMarks::mark(qint64 now)
{
    std::vector<int> grown;
    bool mayThin = true; // One file at a time is written anew.
    for (Log &log : m_logs) {
        struct stat info = {};
        if (stat(log.path.constData(), &info) != 0)
            continue;
        if (std::exchange(log.seen, info.st_size) != info.st_size)
            grown.push_back(log.process);
        if (info.st_size == (log.end ? log.end->last.size : 0))
            continue;
        const bool isNew = !log.end;
        if (isNew)
            log.end = thinMarks(QFile::decodeName(log.marks), now, mayThin);
        if (!log.end)
            continue;
        mayThin = mayThin && !isNew;
        const GrowthMark mark{now / tickMs * tickMs, info.st_size};
        const QByteArray bytes =
            log.end->bytes > 0 ? difference(mark, log.end->last) : growthBytes({mark}, now);
        if (writeBehind(log.marks, log.end->bytes, bytes)) {
            log.end = {mark, log.end->bytes + bytes.size()};
            ++log.added;
        } else if (errno == ENOENT) {
            log.end.reset(); // The folder was removed; the next call writes the mark.
            QDir().mkpath(m_folder);
        }
    }
    const auto longest = std::ranges::max_element(m_logs, {}, &Log::added);
    if (mayThin && longest != m_logs.end() && longest->added >= thinAfter) {
        longest->added = 0;
        longest->end = thinMarks(QFile::decodeName(longest->marks), now);
    }
    while (!m_gaps.empty()) {
        const auto &[file, gap] = m_gaps.front();
        const qint64 size = QFileInfo(QFile::decodeName(file)).size();
        if (!writeBehind(file, size - size % qint64(sizeof gap),
                         QByteArray::fromRawData(reinterpret_cast<const char *>(gap.data()), sizeof gap)))
            break;
        m_gaps.erase(m_gaps.begin());
    }
    return grown;
}

void GrowthMarks::markGaps(const QString &folder)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    struct stat fileSystem = {};
    if (stat(QFile::encodeName(folder).constData(), &fileSystem) != 0)
        return;
    for (const Log &log : m_logs) {
        struct stat info = {};
        if (stat(log.path.constData(), &info) == 0 && info.st_dev == fileSystem.st_dev)
            m_gaps.push_back(
                {log.marks + gapsEnding, {qToLittleEndian(now), qToLittleEndian(qint64(info.st_size))}});
    }
}

} // namespace rankdeck
