// Mouse and keyboard input of DeviceGrid.

#include "devicegrid/grid/devicegrid.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace rankdeck
{

DeviceGrid::Choice DeviceGrid::choiceFor(Qt::KeyboardModifiers modifiers)
{
    return modifiers.testFlag(Qt::ControlModifier) ? Choice::Toggle
           : modifiers.testFlag(Qt::ShiftModifier) ? Choice::Range
                                                   : Choice::Only;
}

QList<int> DeviceGrid::rangeTo(const GridItem &item) const
{
    QList<int> processes;
    const auto [first, last] = std::minmax({geometry().indexOf(m_anchor), geometry().indexOf(item)});
    for (int index = first; index <= last; ++index) {
        const GridItem each = geometry().item(index);
        // The heading of an open server adds nothing to its cells.
        if (!each.isHeading() || isFolded(each.server))
            processes += processesOf(each);
    }
    return processes;
}

void DeviceGrid::choose(const GridItem &item, Choice choice)
{
    if (geometry().indexOf(item) < 0)
        return;
    schedule();
    if (choice == Choice::Range && geometry().indexOf(m_anchor) >= 0) {
        m_chosen.set(rangeTo(item));
    } else {
        const QList<int> processes = processesOf(item);
        if (processes.isEmpty())
            return;
        m_anchor = item;
        if (choice == Choice::Toggle)
            m_chosen.toggle(processes);
        else
            m_chosen.set(processes);
    }
    if (!m_chosen.isEmpty())
        Q_EMIT ranksChosen(chosen());
}

void DeviceGrid::focusInEvent(QFocusEvent *)
{
    // The base class would repaint the whole widget, but only one cell differs.
    describeCurrent();
    schedule();
}

void DeviceGrid::focusOutEvent(QFocusEvent *)
{
    schedule();
}

void DeviceGrid::enterEvent(QEnterEvent *event)
{
    ScrolledGrid::enterEvent(event);
    m_hold.start();
}

void DeviceGrid::moveCursor(Qt::Key key, Choice choice)
{
    const int index = geometry().indexOf(m_current);
    const bool isSingleHeading = m_current.isHeading() && geometry().isAloneInRow(index);
    if (isSingleHeading && isFolded(m_current.server) == (key == Qt::Key_Right) &&
        (key == Qt::Key_Left || key == Qt::Key_Right)) {
        setFolded(m_current, key == Qt::Key_Left);
        return;
    }
    setCurrent(geometry().item(geometry().neighbour(index, key, height())));
    if (choice == Choice::Range)
        choose(m_current, Choice::Range);
}

void DeviceGrid::keyPressEvent(QKeyEvent *event)
{
    m_hold.start();
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        moveCursor(Qt::Key(event->key()), choiceFor(event->modifiers()));
        return;
    case Qt::Key_Plus:
    case Qt::Key_Minus:
        setFolded(m_current, event->key() == Qt::Key_Minus);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        choose(m_current, choiceFor(event->modifiers()));
        return;
    default:
        ScrolledGrid::keyPressEvent(event);
    }
}

void DeviceGrid::mousePressEvent(QMouseEvent *event)
{
    m_hold.start();
    if (event->button() != Qt::LeftButton) {
        ScrolledGrid::mousePressEvent(event);
        return;
    }
    const QPoint place = event->position().toPoint();
    const GridItem item = itemAt(place);
    if (!item.isValid())
        return;
    if (item.isHeading() && foldMarkArea(placeOf(item)).contains(place)) {
        setFolded(item, !isFolded(item.server));
        return;
    }
    setCurrent(item);
    choose(item, choiceFor(event->modifiers()));
}

void DeviceGrid::mouseDoubleClickEvent(QMouseEvent *event)
{
    const QPoint place = event->position().toPoint();
    const GridItem item = itemAt(place);
    if (event->button() == Qt::LeftButton && item.isHeading() && !foldMarkArea(placeOf(item)).contains(place))
        setFolded(item, !isFolded(item.server));
    else
        mousePressEvent(event);
}

void DeviceGrid::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    const GridItem item = isByKey ? m_current : itemAt(event->pos());
    const QList<int> processes = processesOf(item);
    if (processes.isEmpty())
        return;
    // As in file managers: on a chosen item the menu is for all chosen ones, else for the item.
    if (!m_chosen.containsAll(processes)) {
        setCurrent(item);
        choose(item, Choice::Only);
    }
    Q_EMIT menuWanted(isByKey ? mapToGlobal(placeOf(item).center()) : event->globalPos());
}

void DeviceGrid::wheelEvent(QWheelEvent *event)
{
    m_hold.start();
    ScrolledGrid::wheelEvent(event);
}

bool DeviceGrid::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return ScrolledGrid::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const GridItem item = itemAt(help->pos());
    const QString words = noteOf(item);
    if (words.isEmpty())
        QToolTip::hideText();
    else // Process names may look like markup.
        QToolTip::showText(help->globalPos(), QStringLiteral("<p>%1</p>").arg(words.toHtmlEscaped()), this,
                           placeOf(item));
    return true;
}

QString DeviceGrid::noteOf(const GridItem &item) const
{
    if (!item.isValid())
        return {};
    return item.isHeading() ? summary(item.server).problem : m_contents.cell(item).note.spoken;
}

} // namespace rankdeck
