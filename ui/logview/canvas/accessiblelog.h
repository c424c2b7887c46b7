#pragma once

#include "base/tr.h"

#include <QAccessibleWidget>

namespace rankdeck
{

class LogCanvas;
struct CellPosition;

/// Lets screen readers read the lines of a log that are on the screen, as a text with a cursor and a
/// selection. The cursor stands at the line that a search or jump led to. The text is composed only when one
/// asks.
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
    int selectionCount() const override;
    void addSelection(int start, int end) override { setSelection(0, start, end); }
    void removeSelection(int index) override;
    void setSelection(int index, int start, int end) override;
    int cursorPosition() const override;
    void setCursorPosition(int position) override;
    QString text(int start, int end) const override;
    int characterCount() const override;
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
