#include "devicegrid/grid/devicegrid.h"

namespace rankdeck
{

DeviceGrid::DeviceGrid(QWidget *parent)
    : ServerGrid(parent)
{
    connect(&m_typing, &QTimer::timeout, this, &DeviceGrid::goToTyped);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &ServerGrid::serversReplaced, this, [this] { m_anchor = {}; });
}

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
        setChosen(rangeTo(item));
    } else {
        const QList<int> processes = processesOf(item);
        if (processes.isEmpty())
            return;
        m_anchor = item;
        if (choice == Choice::Toggle)
            toggleChosen(processes);
        else
            setChosen(processes);
    }
    if (const QList<int> processes = chosen(); !processes.isEmpty())
        Q_EMIT ranksChosen(processes);
}

void DeviceGrid::enterEvent(QEnterEvent *event)
{
    ServerGrid::enterEvent(event);
    hold();
}

void DeviceGrid::moveCurrent(Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    const int index = geometry().indexOf(current());
    const bool isSingleHeading = current().isHeading() && geometry().isAloneInRow(index);
    if (isSingleHeading && isFolded(current().server) == (key == Qt::Key_Right) &&
        (key == Qt::Key_Left || key == Qt::Key_Right)) {
        setFolded(current(), key == Qt::Key_Left);
        return;
    }
    ServerGrid::moveCurrent(key, modifiers);
    if (choiceFor(modifiers) == Choice::Range)
        choose(current(), Choice::Range);
}

bool DeviceGrid::typeNumber(QKeyEvent *event)
{
    constexpr int mostDigits = 9;
    const QString text = event->text();
    const bool isTyping = !m_typed.isEmpty();
    const bool isDigit = text.size() == 1 && text.front() >= u'0' && text.front() <= u'9';
    if (isDigit && m_typed.size() < mostDigits)
        m_typed += text;
    else if (isTyping && event->key() == Qt::Key_Backspace)
        m_typed.chop(1);
    else if (isTyping && event->key() == Qt::Key_Escape)
        m_typed.clear();
    else if (isTyping && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        goToTyped();
        return true;
    } else if (!isTyping || !isDigit) {
        return false;
    }
    m_typed.isEmpty() ? m_typing.stop() : m_typing.start();
    Q_EMIT message(m_typed.isEmpty() ? QString() : tr("Go to rank %1_").arg(m_typed));
    return true;
}

void DeviceGrid::goToTyped()
{
    m_typing.stop();
    const int number = std::exchange(m_typed, {}).toInt();
    const int process = processOfRank(number);
    if (process < 0) {
        Q_EMIT message(tr("There is no rank %1.").arg(number));
        return;
    }
    reveal(process);
    if (currentProcess() != process && !currentHolds(process)) {
        Q_EMIT message(tr("The filter hides rank %1.").arg(number));
        return;
    }
    m_anchor = current();
    setChosen({process});
    Q_EMIT message(tr("Rank %1").arg(number));
    Q_EMIT ranksChosen({process});
}

void DeviceGrid::keyPressEvent(QKeyEvent *event)
{
    hold();
    if (typeNumber(event))
        return;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Minus:
        setFolded(current(), event->key() == Qt::Key_Minus);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        choose(current(), choiceFor(event->modifiers()));
        return;
    default:
        ServerGrid::keyPressEvent(event);
    }
}

void DeviceGrid::mousePressEvent(QMouseEvent *event)
{
    hold();
    if (event->button() != Qt::LeftButton) {
        ServerGrid::mousePressEvent(event);
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
    const GridItem item = isByKey ? current() : itemAt(event->pos());
    const QList<int> processes = processesOf(item);
    if (processes.isEmpty())
        return;
    // As in file managers: on a chosen item the menu is for all chosen ones, else for the item.
    if (!areChosen(processes)) {
        setCurrent(item);
        choose(item, Choice::Only);
    }
    Q_EMIT menuRequested(isByKey ? mapToGlobal(placeOf(item).center()) : event->globalPos());
}

void DeviceGrid::wheelEvent(QWheelEvent *event)
{
    hold();
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        ServerGrid::wheelEvent(event);
        return;
    }
    const int step = event->angleDelta().y() > 0 ? 1 : event->angleDelta().y() < 0 ? -1 : 0;
    const int wanted = std::clamp(int(density()) + step, int(GridDensity::Tiles8), int(GridDensity::Cells));
    setDensities(DensityRange::only(GridDensity(wanted)));
}

} // namespace rankdeck
