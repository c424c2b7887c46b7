#pragma once

#include "result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QDateTime>
#include <QList>
#include <QString>

#include <functional>
#include <optional>

namespace rankdeck
{

// The file of a history: a heading that ends with the number EVERY, then lines "C " with what it is about
// (text of its own), and lines "S MS" with a point for each of the last "C", or "=" for that of the moment
// before. A point is a word without spaces.

/// What a history's file says, one after the other.
struct HistoryReader {
    /// What the moments that follow are about.
    std::function<void(const QByteArray &subjects)> takeSubjects;
    /// Milliseconds since 1970, UTC, and a point for each subject, as many as there are in the line.
    std::function<void(qint64 ms, const QList<QByteArray> &points)> takeMoment;

    /// False when the text does not begin with that heading. Passes over what is torn.
    bool read(QByteArrayView text, QByteArrayView heading) const;
};

/// The text of a history's file, as far as one of ours can reach. Error: it cannot be read.
Result<QByteArray> historyText(const QString &path);

/// Writes the file: a line for each moment, appended with one write; a point that is as it was takes 2 bytes.
/// Where the file would grow beyond its limit every second moment is dropped, in a new file that takes the
/// old one's place, and from then on only every second moment is kept, and so on: what is kept always spans
/// the whole time. Blocks for a write; once in a long while for a rewrite of the file.
class HistoryFile
{
public:
    static constexpr qint64 usualLimit = 4 * 1024 * 1024;

    /// @param path of a file that may be there already; it is then continued.
    /// @param heading what files of this kind begin with, and others do not.
    HistoryFile(QString path, QByteArray heading, qint64 limit = usualLimit);

    /// Whether the next moment is one of those that are dropped: then it need not be added.
    bool isSkipped();
    /// Error: it cannot be written. The next moment is tried anew.
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
    qint64 m_size = -1; ///< Of the file; -1: it has not been looked at.
    int m_every = 1;    ///< Of so many moments one is kept.
    int m_skipped = 0;
    std::optional<QByteArray> m_subjects; ///< The file's last; nothing: they are to be written.
    QList<QByteArray> m_last;             ///< The file's last points; empty: all are to be written.
};

} // namespace rankdeck
