#include "run/record/growthmarks.h"

#include "base/regularfile.h"
#include "base/times.h"
#include "launch/plan/attempt.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QtEndian>

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

constexpr qint64 markBytes = 16;
constexpr qint64 marksAtOnce = 256;
constexpr qint64 lookMs = 100;
constexpr qint64 minuteMs = 60'000;
constexpr qint64 hourMs = 60 * minuteMs;
constexpr qint64 dayMs = 24 * hourMs;
/// Half an hour of marks.
constexpr int thinAfter = 3600;
/// The year 10000: a file that was damaged holds any number.
constexpr qint64 latestMs = 253'402'300'800'000;

/// Appends the whole mark or nothing: half a mark would shift all later ones. Does not wait for a pipe.
static bool appendMark(const QByteArray &path, const std::array<qint64, 2> &mark)
{
    const int file = open(path.constData(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0)
        return false;
    struct stat info = {};
    const bool isThere = fstat(file, &info) == 0;
    const off_t end = info.st_size - info.st_size % static_cast<off_t>(sizeof mark);
    const bool isWhole = isThere && pwrite(file, mark.data(), sizeof mark, end) == sizeof mark;
    close(file);
    return isWhole;
}

/// Returns the path of the gaps beside `marks`.
static QByteArray gapsFile(const QByteArray &marks)
{
    return marks + "-gaps";
}

GrowthTimes::GrowthTimes(const QString &file)
    : m_file(QFile::encodeName(file))
{
}

std::optional<GrowthTimes::Mark> GrowthTimes::mark(qint64 size)
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
    struct stat its = {};
    if (!file.open(QIODevice::ReadOnly) || fstat(file.handle(), &its) != 0)
        return false;
    if (std::exchange(m_inode, its.st_ino) != its.st_ino || its.st_size < m_offset)
        m_offset = 0;
    if (!file.seek(m_offset))
        return false;
    const QByteArray bytes = file.read(marksAtOnce * markBytes);
    m_marks.clear();
    m_next = 0;
    for (qint64 at = 0; at + markBytes <= bytes.size(); at += markBytes) {
        const auto time = qFromLittleEndian<qint64>(bytes.constData() + at);
        if (time >= 0 && time < latestMs)
            m_marks.push_back({time, qFromLittleEndian<qint64>(bytes.constData() + at + markBytes / 2)});
        m_offset += markBytes;
    }
    if (!m_marks.empty())
        m_sinceEnd.invalidate();
    return !m_marks.empty();
}

std::optional<std::vector<GrowthTimes::Mark>> marksUntil(const QString &marksFile, qint64 ms, int most)
{
    RegularFile file(marksFile);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return std::nullopt;
    const qint64 count = file.size() / markBytes;
    const auto timeOf = [&](qint64 mark) {
        std::array<char, sizeof(qint64)> bytes{};
        return file.seek(mark * markBytes) && file.read(bytes.data(), bytes.size()) == qint64(bytes.size())
                   ? qFromLittleEndian<qint64>(bytes.data())
                   : std::numeric_limits<qint64>::max();
    };
    qint64 low = 0; // Marks before it are not later.
    for (qint64 high = count; low < high;) {
        const qint64 middle = low + (high - low) / 2;
        if (timeOf(middle) <= ms)
            low = middle + 1;
        else
            high = middle;
    }
    if (count == 0)
        return std::nullopt;
    const qint64 first = std::max<qint64>(0, low - most);
    std::vector<GrowthTimes::Mark> marks;
    if (!file.seek(first * markBytes))
        return marks;
    const QByteArray bytes = file.read((low - first) * markBytes);
    for (qint64 at = 0; at + markBytes <= bytes.size(); at += markBytes)
        marks.push_back({qFromLittleEndian<qint64>(bytes.constData() + at),
                         qFromLittleEndian<qint64>(bytes.constData() + at + markBytes / 2)});
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
    const QString marks = marksFile(growthFolder, process, isError);
    RegularFile file(QFile::decodeName(gapsFile(QFile::encodeName(marks))));
    if (!file.open(QIODevice::ReadOnly))
        return gaps;
    std::array<qint64, 2> mark{};
    while (file.read(reinterpret_cast<char *>(mark.data()), sizeof mark) == sizeof mark)
        gaps.push_back({qFromLittleEndian(mark[1]), utcTime(qFromLittleEndian(mark[0]))});
    return gaps;
}

void thinMarks(const QString &marksFile, qint64 now)
{
    RegularFile file(marksFile);
    if (!file.open(QIODevice::ReadOnly))
        return;
    const QByteArray marks = file.readAll();
    const auto timeAt = [&](qint64 at) {
        return at + markBytes <= marks.size() ? qFromLittleEndian<qint64>(marks.constData() + at) : latestMs;
    };
    QByteArray kept;
    for (qint64 at = 0; at + markBytes <= marks.size(); at += markBytes) {
        const qint64 time = timeAt(at);
        const qint64 step = now - time <= hourMs ? 1 : now - time <= dayMs ? minuteMs : 10 * minuteMs;
        if (step == 1 || time / step != timeAt(at + markBytes) / step)
            kept += QByteArrayView(marks).sliced(at, markBytes);
    }
    QSaveFile anew(marksFile);
    if (kept.size() < marks.size() && anew.open(QIODevice::WriteOnly) && anew.write(kept) == kept.size())
        anew.commit();
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
    m_logs.push_back({QFile::encodeName(logFile), QFile::encodeName(marks), process});
}

std::vector<int> GrowthMarks::mark()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    std::vector<int> grown;
    bool mayThin = true; // One file at a time is written anew.
    for (Log &log : m_logs) {
        struct stat info = {};
        if (stat(log.path.constData(), &info) != 0)
            continue;
        if (std::exchange(log.seen, info.st_size) != info.st_size)
            grown.push_back(log.process);
        if (info.st_size == log.size)
            continue;
        if (appendMark(log.marks, {qToLittleEndian(now), qToLittleEndian(qint64(info.st_size))})) {
            log.size = info.st_size;
            if (++log.added >= thinAfter && std::exchange(mayThin, false)) {
                log.added = 0;
                thinMarks(QFile::decodeName(log.marks), now);
            }
        } else if (errno == ENOENT) {
            QDir().mkpath(m_folder); // The folder was removed; the next call writes the mark.
        }
    }
    while (!m_gaps.empty() && appendMark(m_gaps.front().file, m_gaps.front().mark))
        m_gaps.erase(m_gaps.begin());
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
                {gapsFile(log.marks), {qToLittleEndian(now), qToLittleEndian(qint64(info.st_size))}});
    }
}

} // namespace rankdeck
