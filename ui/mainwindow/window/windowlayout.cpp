#include "mainwindow/window/windowlayout.h"

#include "mainwindow/runpage/runpage.h"
#include "mainwindow/window/presentation.h"

#include <QEvent>
#include <QLockFile>
#include <QMainWindow>
#include <QSettings>
#include <QStandardPaths>

namespace rankdeck
{

const QString geometryKey = u"window/geometry"_s;
const QString splitterKey = u"window/splitter"_s;
const QString pageSplitterKey = u"window/runSplitter"_s;
const QString tableSplitterKey = u"window/rankTableSplitters"_s;

/// Returns the place of this window among the user's windows on this machine, from 0.
static int windowNumber()
{
    static std::unique_ptr<QLockFile> held;
    static int number = 0;
    for (constexpr int most = 8; !held && number < most;) {
        auto lock =
            std::make_unique<QLockFile>(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation) +
                                        u"/rankdeck-window-%1.lock"_s.arg(number));
        lock->setStaleLockTime(0);
        if (lock->tryLock())
            held = std::move(lock);
        else
            ++number;
    }
    return number;
}

WindowLayout::WindowLayout(QMainWindow *window, QSplitter *splitter, RunPage *page, RankTablePage *tablePage,
                           const Presentation *presentation)
    : QObject(window)
    , m_window(window)
    , m_splitter(splitter)
    , m_page(page)
    , m_tablePage(tablePage)
    , m_presentation(presentation)
{
    connect(&m_timer, &QTimer::timeout, this, &WindowLayout::save);
    window->installEventFilter(this);
}

void WindowLayout::restore()
{
    // The window must fit on a small screen with its frame, or its lower end is cut off.
    constexpr QSize frame(16, 48);
    m_window->resize(QSize(1200, 800).boundedTo(m_window->screen()->availableSize() - frame));
    m_splitter->setSizes({260, 940});
    const QSettings settings;
    m_window->restoreGeometry(settings.value(geometryKey).toByteArray());
    // A further window does not hide the first one.
    constexpr int step = 32;
    if (const int shift = windowNumber() * step; shift > 0 && !m_window->isMaximized()) {
        const QRect screen = m_window->screen()->availableGeometry();
        const QPoint place = m_window->pos() + QPoint(shift, shift);
        m_window->move(
            qBound(screen.left(), place.x(), qMax(screen.left(), screen.right() - m_window->width())),
            qBound(screen.top(), place.y(), qMax(screen.top(), screen.bottom() - m_window->height())));
    }
    m_splitter->restoreState(settings.value(splitterKey).toByteArray());
    m_page->restoreDivision(settings.value(pageSplitterKey).toByteArray());
    m_tablePage->restoreDivision(settings.value(tableSplitterKey).toByteArray());
}

void WindowLayout::save() const
{
    if (m_presentation->isOn())
        return;
    QSettings settings;
    if (windowNumber() == 0)
        settings.setValue(geometryKey, m_window->saveGeometry());
    settings.setValue(splitterKey, m_splitter->saveState());
    settings.setValue(pageSplitterKey, m_page->saveDivision());
    settings.setValue(tableSplitterKey, m_tablePage->saveDivision());
}

bool WindowLayout::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        m_timer.start();
    return QObject::eventFilter(watched, event);
}

} // namespace rankdeck
