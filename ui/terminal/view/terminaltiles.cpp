#include "terminal/view/terminaltiles.h"

#include "terminal/view/terminalpane.h"
#include "terminal/view/terminalview.h"

namespace rankdeck
{

TerminalPane *TerminalTiles::makePane(const TerminalTile &tile, const FollowTerminal &follow)
{
    auto *const pane = new TerminalPane(tile.process, this);
    if (m_textSize > 0)
        pane->setText(m_family, m_textSize);
    pane->setKeyboard(m_isOurs, m_holder);
    if (tile.none.isEmpty())
        pane->follow(follow(tile.process));
    connect(pane, &TerminalPane::typed, this, &TerminalTiles::typed);
    connect(pane, &TerminalPane::keyboardRequested, this, &TerminalTiles::keyboardRequested);
    connect(pane, &TerminalPane::focused, this, [this, pane] { m_focused = pane; });
    connect(pane, &TerminalPane::activated, this,
            [this, process = tile.process] { Q_EMIT activated(process); });
    connect(pane->view(), &TerminalView::zoomRequested, this, &TerminalTiles::zoomRequested);
    connect(pane->view(), &TerminalView::neighbourRequested, this,
            [this, pane](int arrow) { goToNeighbour(pane, arrow); });
    return pane;
}

void TerminalTiles::setTiles(const QList<TerminalTile> &tiles, const FollowTerminal &follow)
{
    QList<Shown> before = std::exchange(m_shown, {});
    QList<QWidget *> panes;
    for (const TerminalTile &tile : tiles) {
        const auto same = std::ranges::find_if(before, [&](const Shown &shown) {
            return shown.pane->process() == tile.process && shown.logFile == tile.logFile;
        });
        TerminalPane *pane = nullptr;
        if (same != before.end()) {
            pane = same->pane;
            before.erase(same);
        } else {
            pane = makePane(tile, follow);
        }
        pane->setTitle(tile.title);
        if (!tile.none.isEmpty())
            pane->showNone(tile.none);
        m_shown.append({pane, tile.logFile});
        panes.append(pane);
    }
    for (const Shown &gone : std::as_const(before)) {
        // Later, because this pane may be handling a double click.
        gone.pane->stopFollowing();
        gone.pane->hide();
        gone.pane->deleteLater();
    }
    setPanes(panes);
}

QList<int> TerminalTiles::processes() const
{
    return listOf(m_shown, [&](const Shown &shown) { return shown.pane->process(); });
}

TerminalPane *TerminalTiles::pane(int process) const
{
    const auto found = std::ranges::find_if(
        m_shown, [process](const Shown &shown) { return shown.pane->process() == process; });
    return found == m_shown.end() ? nullptr : found->pane;
}

TerminalPane *TerminalTiles::currentPane() const
{
    if (std::ranges::find(m_shown, m_focused.data(), &Shown::pane) != m_shown.end())
        return m_focused;
    return m_shown.isEmpty() ? nullptr : m_shown.front().pane;
}

void TerminalTiles::setText(const QString &family, qreal points)
{
    m_family = family;
    m_textSize = points;
    for (const Shown &shown : std::as_const(m_shown))
        shown.pane->setText(family, points);
}

void TerminalTiles::setKeyboard(bool isOurs, const QString &holder)
{
    m_isOurs = isOurs;
    m_holder = holder;
    for (const Shown &shown : std::as_const(m_shown))
        shown.pane->setKeyboard(isOurs, holder);
}

void TerminalTiles::goToNeighbour(const TerminalPane *pane, int arrow)
{
    const auto count = int(m_shown.size());
    int index = 0;
    while (index < count && m_shown[index].pane != pane)
        ++index;
    const int column = columns() > 0 ? index % columns() : 0;
    if (arrow == Qt::Key_Left && column > 0)
        --index;
    else if (arrow == Qt::Key_Right && column + 1 < columns())
        ++index;
    else if (arrow == Qt::Key_Up)
        index -= columns();
    else if (arrow == Qt::Key_Down)
        index += columns();
    if (index >= 0 && index < count)
        m_shown[index].pane->setFocus(Qt::OtherFocusReason);
}

} // namespace rankdeck
