#pragma once

#include "log/logmark.h"

#include <QByteArray>
#include <QList>

namespace rankdeck
{

/// Counts the lines of a log with our marks among them as lines of their own. A "shown" line is 0-based and
/// may be a mark; a line of the file is 0-based and counts no marks.
class LogMarks
{
public:
    /// In the order of their lines.
    void set(const QList<LogMark> &marks) { m_marks = marks; }
    qint64 count() const { return m_marks.size(); }

    qint64 shownLine(qint64 fileLine) const;
    /// How many lines of the file stand before a shown line; that is its own number unless it is a mark.
    qint64 fileLine(qint64 shownLine) const;
    bool isMark(qint64 shownLine) const;
    /// What a mark looks like as a line of a log: its text with styles. Null for other lines.
    QByteArray line(qint64 shownLine) const;

private:
    qsizetype marksBefore(qint64 shownLine) const;

    QList<LogMark> m_marks;
};

} // namespace rankdeck
