#pragma once

#include "base/result.h"

#include <QByteArrayList>
#include <QDateTime>

#include <concepts>
#include <functional>

namespace rankdeck
{

// The text of a point is its values with commas between them and none at the end; "," for a point without
// values. A type of points has a function forEachValue(point, visit), which calls visit(name,
// std::optional<value> &) for each value in the file's order. New values come last.

template <std::integral Number>
QByteArray valueText(const std::optional<Number> &value)
{
    return value ? QByteArray::number(*value) : QByteArray();
}
/// Rounds to 0.1.
QByteArray valueText(const std::optional<double> &value);

// These return false for other text.
bool readValue(const QByteArray &text, std::optional<int> &value);
bool readValue(const QByteArray &text, std::optional<qint64> &value);
bool readValue(const QByteArray &text, std::optional<double> &value);

template <typename Point>
QByteArray pointText(const Point &point)
{
    QByteArrayList values;
    forEachValue(point, [&](const char *, const auto &value) { values << valueText(value); });
    while (!values.isEmpty() && values.last().isEmpty())
        values.removeLast();
    return values.isEmpty() ? "," : values.join(',');
}

/// Returns nothing for other text.
template <typename Point>
std::optional<Point> pointFrom(const QByteArray &text)
{
    const QByteArrayList values = text.split(',');
    Point point;
    qsizetype at = 0;
    bool isSound = true;
    forEachValue(point, [&](const char *, auto &value) {
        const QByteArray word = values.value(at++);
        isSound = isSound && (word.isEmpty() || readValue(word, value));
    });
    return isSound ? std::optional(point) : std::nullopt;
}

/// Returns a point for each text; nothing if one of them is not a point.
template <typename Point>
std::optional<QList<Point>> pointsFrom(const QList<QByteArray> &texts)
{
    QList<Point> points;
    for (const QByteArray &text : texts) {
        const auto point = pointFrom<Point>(text);
        if (!point)
            return std::nullopt;
        points << *point;
    }
    return points;
}

// The file of a history: a heading that ends with the number EVERY, then lines "C " with the subjects of the
// points (any text), and lines "S MS" with a point for each subject of the last "C", or "=" for the subject's
// point of the moment before. A point is a word without spaces.

/// Reports the content of a history in order, without torn lines. Returns false if its heading is another.
/// @param takeSubjects called with the subjects of the moments that follow.
/// @param takeMoment ms since 1970, UTC, and a point for each subject, as many as there are in the line.
bool readHistory(QByteArrayView text, QByteArrayView heading,
                 const std::function<void(const QByteArray &subjects)> &takeSubjects,
                 const std::function<void(qint64 ms, const QList<QByteArray> &points)> &takeMoment);

/// Returns the text of a history's file, up to the largest size of ours. Fails if it cannot be read.
Result<QByteArray> historyText(const QString &path);

/// Reads a history from its file. Fails if it cannot be read, or, with `otherwise`, if it is of another kind.
template <typename History>
Result<History> historyIn(const QString &path, const QString &otherwise)
{
    const auto text = historyText(path);
    if (!text)
        return text.error();
    auto history = History::from(*text);
    return history ? Result<History>(std::move(*history)) : Error{otherwise, path, {}};
}

/// Returns the text as a cell of CSV, quoted if it needs that; names of hosts and addresses do not.
QByteArray csvCell(const QString &text);

/// Writes the file: a line for each moment, appended with one write; an unchanged point takes 2 bytes. When
/// the file would grow beyond its limit, a new file without every second moment replaces it, and from then on
/// only every second moment is kept, and so on: the file always spans the whole time. Blocks for a write;
/// once in a long while for a rewrite of the file.
class HistoryFile
{
public:
    static constexpr qint64 usualLimit = 4 * 1024 * 1024;

    /// @param path of a file that may exist already; it is then continued.
    /// @param heading first line of files of this kind, and of no others.
    HistoryFile(QString path, QByteArray heading, qint64 limit = usualLimit);

    /// Whether the next moment is to be dropped: then it need not be added.
    bool isSkipped();
    /// Fails if it cannot be written; the next moment is tried again.
    std::optional<Error> add(const QByteArray &subjects, const QDateTime &time,
                             const QList<QByteArray> &points);

private:
    std::optional<Error> begin();
    std::optional<Error> thin();
    std::optional<Error> append(const QByteArray &lines);
    Error forget(const QString &why);
    QByteArray linesOf(const QByteArray &subjects, qint64 ms, const QList<QByteArray> &points);

    QString m_path;
    QByteArray m_heading;
    qint64 m_limit;
    qint64 m_size = -1; ///< Size of the file; -1: not opened yet.
    int m_every = 1;    ///< One of this many moments is kept.
    int m_skipped = 0;
    std::optional<QByteArray> m_subjects; ///< The file's last; nothing: write them again.
    QList<QByteArray> m_last;             ///< The file's last points; empty: write all of them.
};

} // namespace rankdeck
