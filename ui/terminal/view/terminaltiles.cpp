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
    connect(pane->view(), &TerminalView::zoomRequested, this, &TerminalTiles::zoomRequested);
    connect(pane->view(), &TerminalView::neighbourRequested, this,
            [this, pane](int arrow) { goToNeighbour(pane, arrow); });
    return pane;
}

void TerminalTiles::setTiles(const QList<TerminalTile> &tiles, const FollowTerminal &follow)
{
    const auto isSame = [](const Shown &shown, const TerminalTile &tile) {
        return shown.tile.logFile == tile.logFile;
    };
    showTiles(tiles, isSame, [&](const TerminalTile &tile, TerminalPane *same) {
        TerminalPane *const pane = same ? same : makePane(tile, follow);
        pane->setTitle(tile.title);
        if (!tile.none.isEmpty())
            pane->showNone(tile.none);
        return pane;
    });
}

void TerminalTiles::setText(const QString &family, qreal points)
{
    m_family = family;
    m_textSize = points;
    for (const Shown &each : shownTiles())
        each.pane->setText(family, points);
}

void TerminalTiles::setKeyboard(bool isOurs, const QString &holder)
{
    m_isOurs = isOurs;
    m_holder = holder;
    for (const Shown &each : shownTiles())
        each.pane->setKeyboard(isOurs, holder);
}

void TerminalTiles::goToNeighbour(const TerminalPane *pane, int arrow)
{
    const auto count = int(shownTiles().size());
    int index = 0;
    while (index < count && shownTiles()[index].pane != pane)
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
        shownTiles()[index].pane->setFocus(Qt::OtherFocusReason);
}

} // namespace rankdeck
