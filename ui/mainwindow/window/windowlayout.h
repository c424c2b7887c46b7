#pragma once

#include "base/oneshottimer.h"
#include "ranktable/page/ranktablepage.h"

class QMainWindow;

namespace rankdeck
{

class Presentation;
class RunPage;

/// Keeps the place and division of the window for the next one. A further window stands a step beside the
/// first, and does not change the first one's stored place.
class WindowLayout : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this object. Call restore() once the window has all its parts.
    WindowLayout(QMainWindow *window, QSplitter *splitter, RunPage *page, RankTablePage *tablePage,
                 const Presentation *presentation);

    void restore();
    /// Does nothing during a presentation.
    void save() const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QMainWindow *m_window;
    QSplitter *m_splitter;
    RunPage *m_page;
    RankTablePage *m_tablePage;
    const Presentation *m_presentation;
    OneShotTimer m_timer{1000}; ///< Saves once the window rests: it may end without a close.
};

} // namespace rankdeck
