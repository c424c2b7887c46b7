#pragma once

#include "logview/canvas/logcanvas.h"

#include <QAccessibleWidget>

namespace rankdeck
{

/// Lets screen readers read the lines of a log that are on the screen, as a text with a selection and a
/// cursor where a search or jump led to. The text is composed only when one asks.
class AccessibleLog : public QAccessibleWidget, public QAccessibleTextInterface
{
public:
    /// To be called once or more, before the first log is shown.
    static void install();
    /// Reports to screen readers, if there are any, that the cursor is on another line.
    static void tellCursor(LogCanvas *canvas);

    explicit AccessibleLog(LogCanvas *canvas);

    void *interface_cast(QAccessible::InterfaceType type) override;
    QString text(QAccessible::Text kind) const override;
    QAccessible::State state() const override;

    // QAccessibleTextInterface
    void selection(int index, int *start, int *end) const override;
    int selectionCount() const override { return m_canvas->selection().isEmpty() ? 0 : 1; }
    void addSelection(int start, int end) override { setSelection(0, start, end); }
    void removeSelection(int) override { m_canvas->setSelection({}); }
    void setSelection(int index, int start, int end) override;
    int cursorPosition() const override { return offsetOf({m_canvas->lineMeant(), m_canvas->cellMeant()}); }
    void setCursorPosition(int position) override { m_canvas->setCurrentLine(placeOf(position).line); }
    QString text(int start, int end) const override;
    int characterCount() const override { return int(m_canvas->visibleText().size()); }
    QRect characterRect(int offset) const override;
    int offsetAtPoint(const QPoint &point) const override;
    void scrollToSubstring(int, int) override {} // All of the text is on the screen.
    QString attributes(int offset, int *start, int *end) const override;

private:
    CellPosition placeOf(int offset) const;
    int offsetOf(const CellPosition &place) const;

    LogCanvas *m_canvas;
};

} // namespace rankdeck
