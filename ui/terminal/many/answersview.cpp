#include "terminal/many/answersview.h"

#include "base/listcomma.h"
#include "widgets/tone.h"

#include <QMenu>

namespace rankdeck
{

constexpr int wheelStep = 120;
constexpr int linesAStep = 3;
constexpr int mostNameCells = 28;

AnswersView::AnswersView(QWidget *parent)
    : CanvasWidget(parent)
{
    setObjectName(u"answers"_s);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Answers"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void AnswersView::setAnswers(const QList<Answer> &answers)
{
    const auto most = std::ranges::max_element(answers, {}, &Answer::ranks);
    QList<Row> rows;
    for (const Answer &answer : answers) {
        const bool isOdd = answer.ranks < most->ranks; // If all differ, none is marked.
        const QStringList lines = answer.text.split('\n'_L1);
        const bool isSilent = answer.text.isEmpty();
        const QString silence = answer.isWhole ? tr("(no output)") : tr("(no answer yet)");
        rows << Row{(isOdd ? u"≠ "_s : u"  "_s) + answer.names, isSilent ? silence : lines.first(), isOdd,
                    isSilent};
        for (const QString &line : lines.mid(1))
            rows << Row{{}, line, isOdd, false};
        if (!answer.isWhole && !isSilent)
            rows << Row{{}, tr("(still running)"), isOdd, true};
    }
    setRows(rows);
}

void AnswersView::setRows(const QList<Row> &rows)
{
    m_rows = rows;
    m_nameCells = 0;
    for (const Row &row : rows)
        m_nameCells = std::max(m_nameCells, std::min(cellWidth(row.names), mostNameCells));
    m_top = 0;
    setAccessibleDescription(text());
    schedule();
    Q_EMIT changed();
}

QString AnswersView::text() const
{
    QStringList lines;
    for (const Row &row : m_rows)
        lines << (row.names.isEmpty() ? row.text : withColon(row.names.trimmed(), row.text));
    return lines.join('\n'_L1);
}

void AnswersView::setTop(int line)
{
    const int top = std::clamp(line, 0, std::max(0, lineCount() - pageLines()));
    if (top == m_top)
        return;
    m_top = top;
    schedule();
    Q_EMIT changed();
}

void AnswersView::drawCanvas(Canvas &canvas, bool)
{
    const QSize cell = canvas.cellSize();
    const QRect area(QPoint(), canvas.size());
    const QColor base = palette().color(QPalette::Base);
    canvas.fill(area, base);
    const int textLeft = margin + (m_nameCells > 0 ? (m_nameCells + 2) * cell.width() : 0);
    const int cells = std::max(1, (area.width() - textLeft - margin) / cell.width());
    for (int index = 0; index < pageLines() && m_top + index < lineCount(); ++index) {
        const Row &row = m_rows[m_top + index];
        const int y = margin + index * cell.height();
        const QColor plain = row.isQuiet ? quietColor(palette()) : palette().color(QPalette::Text);
        const QColor color = row.isOdd && !row.isQuiet ? toneColor(Tone::Caution, palette()) : plain;
        canvas.text({margin, y}, elidedToCells(row.names, m_nameCells),
                    {row.isOdd ? color : quietColor(palette()), base, row.isOdd}, area);
        canvas.text({textLeft, y}, elidedToCells(row.text, cells), {color, base, row.isOdd}, area);
    }
}

void AnswersView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        copy();
    else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        setTop(m_top + (event->key() == Qt::Key_Up ? -1 : 1));
    else if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown)
        setTop(m_top + (event->key() == Qt::Key_PageUp ? -pageLines() : pageLines()));
    else if (event->key() == Qt::Key_Home || event->key() == Qt::Key_End)
        setTop(event->key() == Qt::Key_Home ? 0 : lineCount());
    else
        CanvasWidget::keyPressEvent(event);
}

void AnswersView::wheelEvent(QWheelEvent *event)
{
    m_wheelRest += event->angleDelta().y();
    const int steps = m_wheelRest / wheelStep;
    m_wheelRest -= steps * wheelStep;
    setTop(m_top - steps * linesAStep);
    event->accept();
}

void AnswersView::resizeEvent(QResizeEvent *event)
{
    CanvasWidget::resizeEvent(event);
    setTop(m_top);
    Q_EMIT changed();
}

void AnswersView::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu menu(this);
    connect(menu.addAction(tr("&Copy all")), &QAction::triggered, this, &AnswersView::copy);
    menu.exec(event->globalPos());
}

} // namespace rankdeck
