#include "logview/source/logmarks.h"

#include <algorithm>

namespace rankdeck
{

qint64 LogMarks::shownLine(qint64 fileLine) const
{
    const auto behind =
        std::upper_bound(m_marks.begin(), m_marks.end(), fileLine,
                         [](qint64 line, const LogMark &mark) { return line < mark.line.value; });
    return fileLine + (behind - m_marks.begin());
}

qsizetype LogMarks::marksBefore(qint64 shownLine) const
{
    qsizetype count = 0;
    while (count < m_marks.size() && m_marks[count].line.value + count < shownLine)
        ++count;
    return count;
}

qint64 LogMarks::fileLine(qint64 shownLine) const
{
    return shownLine - marksBefore(shownLine);
}

bool LogMarks::isMark(qint64 shownLine) const
{
    const qsizetype index = marksBefore(shownLine);
    return index < m_marks.size() && m_marks[index].line.value + index == shownLine;
}

QByteArray LogMarks::line(qint64 shownLine) const
{
    if (!isMark(shownLine))
        return {};
    return "\x1B[1;33m──── " + m_marks[marksBefore(shownLine)].text.toUtf8() + " ────\x1B[0m";
}

} // namespace rankdeck
