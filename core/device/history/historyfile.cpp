#include "device/history/historyfile.h"

#include "base/regularfile.h"
#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include <fcntl.h>
#include <unistd.h>

namespace rankdeck
{

/// Sixteen times the size of our files; a file may be foreign.
constexpr qint64 mostBytes = 64 * 1024 * 1024;
constexpr int mostEvery = 1 << 20;

/// Replaces each "=" by the point of the moment before. Returns false if that moment has no such point.
static bool resolve(QList<QByteArray> &points, const QList<QByteArray> &before)
{
    for (qsizetype index = 0; index < points.size(); ++index) {
        if (points[index] != "=")
            continue;
        if (index >= before.size())
            return false;
        points[index] = before[index];
    }
    return true;
}

QByteArray valueText(const std::optional<double> &value)
{
    return value ? QByteArray::number(*value, 'f', 1) : QByteArray();
}

bool readValue(const QByteArray &text, std::optional<int> &value)
{
    bool isNumber = false;
    value = text.toInt(&isNumber);
    return isNumber;
}

bool readValue(const QByteArray &text, std::optional<qint64> &value)
{
    bool isNumber = false;
    value = text.toLongLong(&isNumber);
    return isNumber;
}

bool readValue(const QByteArray &text, std::optional<double> &value)
{
    bool isNumber = false;
    value = text.toDouble(&isNumber);
    return isNumber && std::isfinite(*value);
}

bool readHistory(QByteArrayView text, QByteArrayView heading,
                 const std::function<void(const QByteArray &subjects)> &takeSubjects,
                 const std::function<void(qint64 ms, const QList<QByteArray> &points)> &takeMoment)
{
    if (!text.startsWith(heading))
        return false;
    QList<QByteArray> before;
    qsizetype begin = 0;
    // A line without an end is being written, or was cut off.
    for (qsizetype end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
        const QByteArray line = text.sliced(begin, end - begin).toByteArray();
        begin = end + 1;
        if (line.startsWith("C ")) {
            before.clear();
            takeSubjects(line.mid(2));
        } else if (line.startsWith("S ")) {
            QList<QByteArray> points = line.mid(2).split(' ');
            bool isTime = false;
            const qint64 ms = points.takeFirst().toLongLong(&isTime);
            if (!isTime || !resolve(points, before))
                continue;
            before = points;
            takeMoment(ms, points);
        } else {
            before.clear(); // Something is missing here, and "=" may refer to it.
        }
    }
    return true;
}

QByteArray csvCell(const QString &text)
{
    const QByteArray cell = text.toUtf8();
    const bool isPlain = std::ranges::none_of(
        cell, [](char letter) { return letter == ',' || letter == '"' || letter == '\n' || letter == '\r'; });
    return isPlain ? cell : '"' + QByteArray(cell).replace('"', "\"\"") + '"';
}

Result<QByteArray> historyText(const QString &path)
{
    RegularFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(problemOf(file)), path, {}};
    return file.read(mostBytes);
}

HistoryFile::HistoryFile(QString path, QByteArray heading, qint64 limit)
    : m_path(std::move(path))
    , m_heading(std::move(heading))
    , m_limit(limit)
{
}

QByteArray HistoryFile::linesOf(const QByteArray &subjects, qint64 ms, const QList<QByteArray> &points)
{
    QByteArray lines;
    if (subjects != m_subjects) {
        lines += "C " + subjects + '\n';
        m_last.clear();
    }
    lines += "S " + QByteArray::number(ms);
    for (qsizetype index = 0; index < points.size(); ++index)
        lines += index < m_last.size() && m_last[index] == points[index] ? " =" : ' ' + points[index];
    m_subjects = subjects;
    m_last = points;
    return lines + '\n';
}

/// Makes the next write open the file again, begin a new line, and write all points.
Error HistoryFile::forget(const QString &why)
{
    m_size = -1;
    m_subjects.reset();
    m_last.clear();
    return {tr("cannot be written: %1").arg(why), m_path, {}};
}

std::optional<Error> HistoryFile::append(const QByteArray &lines)
{
    const int file = open(QFile::encodeName(m_path).constData(),
                          O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    const ssize_t written =
        file < 0 ? -1 : write(file, lines.constData(), static_cast<std::size_t>(lines.size()));
    const int problem = errno;
    if (file >= 0)
        close(file);
    if (written == lines.size()) {
        m_size += written;
        return std::nullopt;
    }
    // Part of the line may have been written.
    return forget(written < 0 ? errnoWords(problem) : tr("the disk is full"));
}

std::optional<Error> HistoryFile::begin()
{
    QFile file(m_path);
    if (!file.exists() || file.size() == 0) {
        m_size = 0;
        return append(m_heading + QByteArray::number(m_every) + '\n');
    }
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(problemOf(file)), m_path, {}};
    const QByteArray first = file.readLine(1024);
    if (!first.startsWith(m_heading))
        return Error{tr("not a history of that kind"), m_path, {}};
    m_every = std::clamp(first.mid(m_heading.size()).trimmed().toInt(), 1, mostEvery);
    m_size = file.size();
    file.seek(m_size - 1);
    // The next line must not be joined to one that was cut off, whose last number may be incomplete.
    return file.read(1) == "\n" ? std::nullopt : append(" cut\n");
}

std::optional<Error> HistoryFile::thin()
{
    const auto old = historyText(m_path);
    if (!old)
        return old.error();
    const int every = std::min(m_every * 2, mostEvery);
    m_subjects.reset();
    m_last.clear();
    QByteArray text = m_heading + QByteArray::number(every) + '\n';
    QByteArray subjects;
    qsizetype moments = 0;
    const auto takeMoment = [&](qint64 ms, const QList<QByteArray> &points) {
        if (moments++ % 2 == 0)
            text += linesOf(subjects, ms, points);
    };
    if (!readHistory(
            *old, m_heading, [&](const QByteArray &next) { subjects = next; }, takeMoment))
        return forget(tr("not a history of that kind"));
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) ||
        file.write(text) != text.size() || !file.commit())
        return forget(problemOf(file));
    m_every = every;
    m_size = text.size();
    return std::nullopt;
}

bool HistoryFile::isSkipped()
{
    if (m_size < 0 || m_skipped + 1 >= m_every)
        return false;
    ++m_skipped;
    return true;
}

std::optional<Error> HistoryFile::add(const QByteArray &subjects, const QDateTime &time,
                                      const QList<QByteArray> &points)
{
    if (m_size < 0) {
        if (const auto error = begin())
            return error;
        if (isSkipped())
            return std::nullopt;
    }
    if (m_size > m_limit) {
        if (const auto error = thin())
            return error;
    }
    m_skipped = 0;
    return append(linesOf(subjects, time.toMSecsSinceEpoch(), points));
}

} // namespace rankdeck
