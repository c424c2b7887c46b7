#include "logview/source/shownline.h"

#include "canvas/cells/celltext.h"

namespace rankdeck
{

qint64 LogMarks::shownLine(qint64 fileLine) const
{
    const auto behind =
        std::ranges::upper_bound(m_marks, fileLine, {}, [](const LogMark &mark) { return mark.line.value; });
    return fileLine + (behind - m_marks.begin());
}

qsizetype LogMarks::marksBefore(qint64 shownLine) const
{
    qsizetype count = 0;
    while (count < m_marks.size() && m_marks[count].line.value + count < shownLine)
        ++count;
    return count;
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

/// Calls `visit(cluster, firstCell)` for each cluster until it returns false.
template <typename Visit>
static void forEachCluster(QStringView text, Visit visit)
{
    int cell = 0;
    for (qsizetype at = 0; at < text.size();) {
        const Cluster cluster = clusterAt(text, at);
        if (!visit(cluster, cell))
            return;
        cell += cluster.cells;
        at += cluster.size;
    }
}

ShownLine::ShownLine(QByteArrayView bytes)
    : m_runs(AnsiDecoder([](char32_t codePoint) { return cellWidth(codePoint); }).decode(bytes))
{
    for (const LogRun &run : std::as_const(m_runs)) {
        m_text += run.text;
        m_cells += cellWidth(run.text);
    }
}

QString ShownLine::textIn(CellRange range) const
{
    QString found;
    forEachCluster(m_text, [&](const Cluster &cluster, int cell) {
        if (cell >= range.begin && cell < range.end)
            found += QStringView(m_text).sliced(cluster.begin, cluster.size);
        return cell < range.end;
    });
    return found;
}

QList<int> ShownLine::breaks(int columns) const
{
    QList<int> begins{0};
    if (m_cells <= columns)
        return begins;
    forEachCluster(m_text, [&](const Cluster &cluster, int cell) {
        if (cell + cluster.cells > begins.constLast() + std::max(2, columns))
            begins.append(cell);
        return true;
    });
    return begins;
}

int ShownLine::borderNear(int halfCell) const
{
    int border = m_cells;
    forEachCluster(m_text, [&](const Cluster &cluster, int cell) {
        if (halfCell < 2 * cell + cluster.cells) {
            border = cell;
            return false;
        }
        return true;
    });
    return std::max(0, border);
}

CellRange ShownLine::wordAt(int cell) const
{
    CellRange word;
    bool inWord = false;
    forEachCluster(m_text, [&](const Cluster &cluster, int begin) {
        const int end = begin + cluster.cells;
        const QChar c = m_text.at(cluster.begin);
        const bool isWord = c.isLetterOrNumber() || c.isSurrogate() || QStringView(u"_-./~@%+").contains(c);
        if (isWord && inWord)
            word.end = end;
        else if (begin > cell)
            return false;
        else
            word = {begin, end};
        inWord = isWord;
        return true;
    });
    return cell < word.end ? word : CellRange{cell, cell};
}

QList<CellRange> ShownLine::matches(const LogMatcher &matcher) const
{
    const QByteArray bytes = m_text.toUtf8();
    QList<CellRange> found;
    qsizetype at = 0;
    int cell = 0;
    const auto cellAt = [&](qsizetype end) {
        cell += cellWidth(QString::fromUtf8(QByteArrayView(bytes).sliced(at, end - at)));
        at = end;
        return cell;
    };
    for (const LogMatcher::Range &range : matcher.matches(bytes)) {
        const int begin = cellAt(range.begin);
        found.append({begin, cellAt(range.end)});
    }
    return found;
}

CellRange LogSelection::cellsOf(qint64 line) const
{
    if (isEmpty() || line < begin().line || line > end().line)
        return {};
    return {line == begin().line ? begin().cell : 0, line == end().line ? end().cell : endOfLine};
}

} // namespace rankdeck
