#include "logview/canvas/accessiblelog.h"

#include "canvas/cells/celltext.h"

namespace rankdeck
{

static QAccessibleInterface *makeAccessible(const QString &, QObject *object)
{
    auto *const canvas = qobject_cast<LogCanvas *>(object);
    return canvas ? new AccessibleLog(canvas) : nullptr;
}

void AccessibleLog::install()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
    Q_UNUSED(isInstalled);
}

void AccessibleLog::tellCursor(LogCanvas *canvas)
{
    if (!QAccessible::isActive())
        return;
    auto *const log = dynamic_cast<AccessibleLog *>(QAccessible::queryAccessibleInterface(canvas));
    if (!log)
        return;
    QAccessibleTextCursorEvent event(canvas, log->cursorPosition());
    QAccessible::updateAccessibility(&event);
}

AccessibleLog::AccessibleLog(LogCanvas *canvas)
    : QAccessibleWidget(canvas, QAccessible::Terminal)
    , m_canvas(canvas)
{
}

void *AccessibleLog::interface_cast(QAccessible::InterfaceType type)
{
    if (type == QAccessible::TextInterface)
        return static_cast<QAccessibleTextInterface *>(this);
    return QAccessibleWidget::interface_cast(type);
}

QString AccessibleLog::text(QAccessible::Text kind) const
{
    return kind == QAccessible::Value ? m_canvas->visibleText() : QAccessibleWidget::text(kind);
}

QAccessible::State AccessibleLog::state() const
{
    QAccessible::State state = QAccessibleWidget::state();
    state.readOnly = true;
    state.multiLine = true;
    state.selectableText = true;
    return state;
}

/// Returns the place in the log of a character of the visible text.
CellPosition AccessibleLog::placeOf(int offset) const
{
    const QString text = m_canvas->visibleText();
    const QString before = text.left(std::clamp<qsizetype>(offset, 0, text.size()));
    const qsizetype begin = before.lastIndexOf('\n'_L1) + 1;
    return {m_canvas->top() + before.count('\n'_L1), cellWidth(QStringView(before).sliced(begin))};
}

int AccessibleLog::offsetOf(const CellPosition &place) const
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

void AccessibleLog::selection(int index, int *start, int *end) const
{
    *start = index == 0 ? offsetOf(m_canvas->selection().begin()) : 0;
    *end = index == 0 ? offsetOf(m_canvas->selection().end()) : 0;
}

void AccessibleLog::setSelection(int, int start, int end)
{
    m_canvas->setSelection({placeOf(start), placeOf(end)});
}

QString AccessibleLog::text(int start, int end) const
{
    const QString text = m_canvas->visibleText();
    const qsizetype last = end < 0 ? text.size() : std::min<qsizetype>(end, text.size());
    return text.mid(start, std::max<qsizetype>(0, last - start));
}

QRect AccessibleLog::characterRect(int offset) const
{
    const QRect cell = m_canvas->rectOf(placeOf(offset));
    return cell.translated(m_canvas->mapToGlobal(QPoint()));
}

int AccessibleLog::offsetAtPoint(const QPoint &point) const
{
    const QPoint inside = m_canvas->mapFromGlobal(point);
    return m_canvas->rect().contains(inside) ? offsetOf(m_canvas->positionAt(inside)) : -1;
}

QString AccessibleLog::attributes(int, int *start, int *end) const
{
    *start = 0;
    *end = characterCount();
    return {};
}

} // namespace rankdeck
