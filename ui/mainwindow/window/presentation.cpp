#include "mainwindow/window/presentation.h"

#include "widgets/preferences.h"
#include "widgets/widgetparts.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>

#include <array>

namespace rankdeck
{

constexpr std::array zooms{100, 150, 200}; // Percent of the usual size.

Presentation::Presentation(QMainWindow *window, QWidget *list)
    : QObject(window)
    , m_window(window)
    , m_list(list)
    , m_action(named(new QAction(tr("&Presentation"), this), "presentationAction"))
{
    m_action->setShortcut(Qt::Key_F5);
    m_action->setCheckable(true);
    connect(m_action, &QAction::triggered, this, [this] { setSize((m_size + 1) % int(zooms.size())); });
}

/// Space would press a button that has the focus from before, or from the view that was left.
static void leaveButton()
{
    if (auto *button = qobject_cast<QAbstractButton *>(QApplication::focusWidget()))
        button->clearFocus();
}

void Presentation::setSize(int size)
{
    if (!isOn()) {
        m_wasFullScreen = m_window->isFullScreen();
        m_wasListShown = !m_list->isHidden();
        qApp->installEventFilter(this);
    }
    m_size = size;
    m_action->setChecked(isOn());
    // The preferences keep their zoom: the next window begins with it.
    Preferences look = Preferences::load();
    look.zoom = std::min(look.zoom * zooms.at(std::size_t(size)) / zooms.front(), Preferences::mostZoom);
    applyLook(look);
    Q_EMIT preferencesNews().changed(look); // Logs and terminals follow it.
    if (isOn()) {
        leaveButton();
        m_list->hide();
        m_window->setWindowState(m_window->windowState() | Qt::WindowFullScreen);
        Q_EMIT said(tr("F5: larger or off. Space: the next view. Esc: the end of the presentation."));
        return;
    }
    qApp->removeEventFilter(this);
    m_list->setVisible(m_wasListShown);
    if (!m_wasFullScreen)
        m_window->setWindowState(m_window->windowState() & ~Qt::WindowFullScreen);
}

/// Passes keys through that a text, a terminal or a button uses itself.
bool Presentation::eventFilter(QObject *watched, QEvent *event)
{
    const QWidget *const focus = QApplication::focusWidget();
    if (event->type() != QEvent::KeyPress || (watched != focus && watched != m_window) ||
        !m_window->isActiveWindow())
        return false;
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool isTyped = focus && (focus->testAttribute(Qt::WA_InputMethodEnabled) ||
                                   qobject_cast<const QAbstractButton *>(focus));
    if (isTyped)
        return false;
    if (key->key() == Qt::Key_Escape) {
        setSize(0);
        return true;
    }
    if (key->key() != Qt::Key_Space || (key->modifiers() & ~Qt::ShiftModifier) != 0)
        return false;
    Q_EMIT viewRequested(!(key->modifiers() & Qt::ShiftModifier));
    leaveButton();
    return true;
}

} // namespace rankdeck
