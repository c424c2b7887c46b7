#include "logview/canvas/accessiblelog.h"

#include "canvas/widget/accessiblecanvas.h"

namespace rankdeck
{

namespace
{

/// The lines of a log that are on the screen. Their text is composed only when a screen reader asks.
class AccessibleLog : public QAccessibleWidget, public QAccessibleTextInterface
{
public:
    explicit AccessibleLog(LogCanvas *canvas)
        : QAccessibleWidget(canvas, QAccessible::Terminal)
        , m_canvas(canvas)
    {
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TextInterface)
            return static_cast<QAccessibleTextInterface *>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_canvas->visibleText() : QAccessibleWidget::text(kind);
    }
    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = true;
        state.multiLine = true;
        state.selectableText = true;
        return state;
    }

    // QAccessibleTextInterface
    void selection(int index, int *start, int *end) const override
    {
        *start = index == 0 ? offsetOf(m_canvas->selection().begin()) : 0;
        *end = index == 0 ? offsetOf(m_canvas->selection().end()) : 0;
    }
    int selectionCount() const override { return m_canvas->selection().isEmpty() ? 0 : 1; }
    void addSelection(int start, int end) override { setSelection(0, start, end); }
    void removeSelection(int) override { m_canvas->setSelection({}); }
    void setSelection(int, int start, int end) override
    {
        m_canvas->setSelection({placeOf(start), placeOf(end)});
    }
    int cursorPosition() const override { return offsetOf({m_canvas->lineMeant(), m_canvas->cellMeant()}); }
    void setCursorPosition(int position) override { m_canvas->setCurrentLine(placeOf(position).line); }
    QString text(int start, int end) const override
    {
        const QString text = m_canvas->visibleText();
        const qsizetype last = end < 0 ? text.size() : std::min<qsizetype>(end, text.size());
        return text.mid(start, std::max<qsizetype>(0, last - start));
    }
    int characterCount() const override { return int(m_canvas->visibleText().size()); }
    QRect characterRect(int offset) const override
    {
        const QRect cell = m_canvas->rectOf(placeOf(offset));
        return cell.translated(m_canvas->mapToGlobal(QPoint()));
    }
    int offsetAtPoint(const QPoint &point) const override
    {
        const QPoint inside = m_canvas->mapFromGlobal(point);
        return m_canvas->rect().contains(inside) ? offsetOf(m_canvas->positionAt(inside)) : -1;
    }
    void scrollToSubstring(int, int) override {} // All of the text is on the screen.
    QString attributes(int, int *start, int *end) const override
    {
        *start = 0;
        *end = characterCount();
        return {};
    }

private:
    /// Returns the place in the log of a character of the visible text.
    CellPosition placeOf(int offset) const
    {
        const QString text = m_canvas->visibleText();
        const QString before = text.left(std::clamp<qsizetype>(offset, 0, text.size()));
        const qsizetype begin = before.lastIndexOf('\n'_L1) + 1;
        return {m_canvas->top() + before.count('\n'_L1), cellWidth(QStringView(before).sliced(begin))};
    }
    int offsetOf(const CellPosition &place) const
    {
        const QStringList lines = m_canvas->visibleText().split('\n'_L1);
        qsizetype offset = 0;
        for (qsizetype at = 0; at < lines.size(); ++at) {
            const QString &line = lines[at];
            const qint64 number = m_canvas->top() + at;
            if (number >= place.line) {
                int cells = number > place.line ? LogSelection::endOfLine : 0;
                qsizetype character = 0;
                while (character < line.size() && cells < place.cell) {
                    const Cluster cluster = clusterAt(line, character);
                    cells += cluster.cells;
                    character += cluster.size;
                }
                return int(offset + character);
            }
            offset += line.size() + 1;
        }
        return int(std::max<qsizetype>(0, offset - 1));
    }

    LogCanvas *m_canvas;
};

} // namespace

void installAccessibleLog()
{
    installAccessible<LogCanvas, AccessibleLog>();
}

void tellCursor(LogCanvas *canvas)
{
    if (!QAccessible::isActive())
        return;
    auto *const log = dynamic_cast<AccessibleLog *>(QAccessible::queryAccessibleInterface(canvas));
    if (!log)
        return;
    QAccessibleTextCursorEvent event(canvas, log->cursorPosition());
    QAccessible::updateAccessibility(&event);
}

} // namespace rankdeck
