#pragma once

#include "base/tr.h"

class QAction;
class QMainWindow;
class QWidget;

namespace rankdeck
{

/// Shows the window to a room: it fills the screen, its text is 1.5 times or twice as large, and the list of
/// runs gives its room away. Space and Shift+Space go from view to view, Escape ends it.
class Presentation : public QObject
{
    Q_OBJECT

public:
    /// @param list is hidden during the presentation.
    Presentation(QMainWindow *window, QWidget *list);

    /// Goes on from the usual size to 1.5 times, then to twice as large, then back.
    QAction *action() const { return m_action; }
    bool isOn() const { return m_size > 0; }

Q_SIGNALS:
    void viewRequested(bool isNext);
    void said(const QString &sentence);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setSize(int size);

    QMainWindow *m_window;
    QWidget *m_list;
    QAction *m_action;
    int m_size = 0; ///< 0: off.
    bool m_wasFullScreen = false;
    bool m_wasListShown = true;
};

} // namespace rankdeck
