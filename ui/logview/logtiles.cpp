#include "logview/logtiles.h"

#include "logview/logpane.h"
#include "logview/logview.h"
#include "logview/tilegrid.h"

#include <QGridLayout>

#include <algorithm>

namespace rankdeck
{

LogTiles::LogTiles(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(4);
}

LogPane *LogTiles::makePane(const LogTile &tile, const StartLines &start)
{
    auto *const pane = new LogPane(this);
    pane->view()->setNumbered(m_isNumbered);
    pane->setWrapped(m_isWrapped);
    if (m_textSize > 0)
        pane->setTextSize(m_textSize);
    pane->setHighlights(m_highlights);
    pane->setSource(tile.lines);
    if (start)
        pane->setFilterable(tile.filtered, start);
    connect(pane->view(), &LogView::zoomWanted, this, &LogTiles::zoomWanted);
    connect(pane, &LogPane::focused, this, [this, pane] { m_focused = pane; });
    connect(pane->view(), &LogView::scrolledTo, this,
            [this, view = pane->view()](LogTime time) { alignOthers(view, time); });
    connect(pane->view(), &LogView::followingChanged, this, [this, view = pane->view()](bool following) {
        if (following)
            followWith(view);
    });
    connect(pane, &LogPane::activated, this, [this, key = tile.key] { Q_EMIT activated(key); });
    return pane;
}

void LogTiles::setTiles(const QList<LogTile> &tiles, const StartLines &start)
{
    QList<Shown> before = std::exchange(m_shown, {});
    for (const LogTile &tile : tiles) {
        const auto same = std::find_if(before.begin(), before.end(), [&](const Shown &shown) {
            return shown.key == tile.key && shown.pane->view()->source() == tile.lines;
        });
        LogPane *pane = nullptr;
        if (same != before.end()) {
            pane = same->pane;
            before.erase(same);
        } else {
            pane = makePane(tile, start);
        }
        pane->setTitle(tile.title);
        pane->setState(m_states.value(tile.key));
        m_shown.append({tile.key, pane});
    }
    for (const Shown &gone : std::as_const(before)) {
        // Later: it may be this pane that was double-clicked.
        gone.pane->hide();
        gone.pane->deleteLater();
    }
    m_columns = 0;
    arrange();
}

QList<int> LogTiles::keys() const
{
    QList<int> keys;
    for (const Shown &shown : m_shown)
        keys.append(shown.key);
    return keys;
}

LogPane *LogTiles::pane(int key) const
{
    const auto found =
        std::find_if(m_shown.begin(), m_shown.end(), [key](const Shown &shown) { return shown.key == key; });
    return found == m_shown.end() ? nullptr : found->pane;
}

LogView *LogTiles::currentView() const
{
    for (const Shown &shown : m_shown) {
        if (shown.pane == m_focused)
            return shown.pane->view();
    }
    return m_shown.isEmpty() ? nullptr : m_shown.front().pane->view();
}

void LogTiles::alignOthers(const LogView *view, LogTime time)
{
    for (const Shown &shown : std::as_const(m_shown)) {
        if (m_isTogether && shown.pane->view() != view)
            shown.pane->view()->alignTo(time);
    }
}

void LogTiles::followWith(const LogView *view)
{
    for (const Shown &shown : std::as_const(m_shown)) {
        if (m_isTogether && shown.pane->view() != view)
            shown.pane->view()->setFollowing(true);
    }
}

void LogTiles::setNumbered(bool numbered)
{
    m_isNumbered = numbered;
    for (const Shown &shown : std::as_const(m_shown))
        shown.pane->view()->setNumbered(numbered);
}

void LogTiles::setWrapped(bool wrapped)
{
    m_isWrapped = wrapped;
    for (const Shown &shown : std::as_const(m_shown))
        shown.pane->setWrapped(wrapped);
}

void LogTiles::setTextSize(qreal points)
{
    m_textSize = points;
    for (const Shown &shown : std::as_const(m_shown))
        shown.pane->setTextSize(points);
}

void LogTiles::setHighlights(const QList<Highlight> &highlights)
{
    m_highlights = highlights;
    for (const Shown &shown : std::as_const(m_shown))
        shown.pane->setHighlights(highlights);
}

void LogTiles::setState(int key, const QString &state)
{
    m_states.insert(key, state);
    if (LogPane *const shown = pane(key))
        shown->setState(state);
}

void LogTiles::arrange()
{
    QList<QWidget *> panes;
    for (const Shown &shown : std::as_const(m_shown))
        panes.append(shown.pane);
    fitTiles(m_grid, panes, size(), m_columns);
}

void LogTiles::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace rankdeck
