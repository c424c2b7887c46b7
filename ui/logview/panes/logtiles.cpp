#include "logview/panes/logtiles.h"

#include <QShortcut>

namespace rankdeck
{

LogPane::LogPane(QWidget *parent)
    : TilePane(parent)
{
    auto *const find = addStripButton(tr("Find"), tr("Find in this log (Ctrl+F)"));
    m_filter = named(addStripButton(tr("Filter"), tr("Show matching lines below the log (Ctrl+Shift+F)")),
                     "filterButton");
    m_filter->setCheckable(true);
    m_filter->hide();
    m_follow = addStripButton(tr("Follow"), tr("Keep the last line in view (End)"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_view = new LogView;
    m_stack = new FilterStack(m_view);
    addBelow(m_stack, 1);
    setFocusProxy(m_view);
    setHint(tr("Double-click to show this log alone, or the others again"));

    connect(m_follow, &QToolButton::clicked, m_view, &LogView::setFollowing);
    connect(m_view, &LogView::followingChanged, m_follow, &QToolButton::setChecked);
    connect(find, &QToolButton::clicked, m_view, &LogView::openFind);
    auto *const filterKey = new QShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_F, this);
    filterKey->setContext(Qt::WidgetWithChildrenShortcut);
    connect(filterKey, &QShortcut::activated, this, &LogPane::openFilter);
    connect(m_filter, &QToolButton::clicked, this,
            [this](bool isOpen) { isOpen ? openFilter() : m_stack->closeAll(); });
    connect(m_stack, &FilterStack::openChanged, m_filter, &QToolButton::setChecked);
    connect(m_stack, &FilterStack::lineRequested, this,
            [this](const LogPage::Origin &origin) { markLine(origin.log, origin.line.value); });
    connect(m_view, &LogView::filterRequested, m_stack, &FilterStack::filterBy);
    connect(m_view, &LogView::newLinesChanged, this, [this](qint64 count) {
        m_newLines = count;
        showStatus();
    });
    connect(m_view, &LogView::noticeChanged, this, [this](const QString &sentence) {
        m_notice = sentence;
        showStatus();
    });
}

void LogPane::setFilterable(const std::vector<MergedSpec::Log> &logs, const StartLines &start)
{
    m_logCount = logs.size();
    m_stack->setLogs(logs, start, false);
    m_filter->show();
}

void LogPane::markLine(int log, qint64 line)
{
    if (m_logCount > 1)
        m_view->markOrigin(log, line);
    else
        m_view->markLine(line);
}

void LogPane::setTitle(const QString &title)
{
    showTitle(title);
    m_view->setTitle(title);
    setAccessibleName(title.isEmpty() ? tr("Log") : tr("Log of %1").arg(title));
}

void LogPane::setState(const QString &state)
{
    m_state = state;
    showStatus();
}

void LogPane::showStatus()
{
    QStringList parts{m_state};
    if (m_newLines > 0)
        parts.append(tr("%Ln new lines", "%Ln new line", int(m_newLines)));
    // A log without lines shows the notice in their place.
    if (!m_notice.isEmpty() && m_notice != m_view->visibleText())
        parts.append(m_notice);
    parts.removeAll(QString());
    showStatusText(parts.join(u" · "_s));
}

LogPane *LogTiles::makePane(const LogTile &tile, const StartLines &start)
{
    auto *const pane = new LogPane(this);
    pane->setLook(m_look);
    pane->setSource(tile.lines);
    if (start)
        pane->setFilterable(tile.logs, start);
    LogView *const view = pane->view();
    connect(view, &LogView::zoomRequested, this, &LogTiles::zoomRequested);
    connect(view, &LogView::highlightRequested, this, &LogTiles::highlightRequested);
    connect(view, &LogView::allRequested, this, &LogTiles::allRequested);
    view->offerAll();
    connect(view, &LogView::scrolledTo, this, [this, view](LogTime time) {
        for (LogView *const other : viewsMovedWith(view))
            other->jumps()->alignTo(time);
    });
    connect(view, &LogView::followingChanged, this, [this, view](bool following) {
        for (LogView *const other : following ? viewsMovedWith(view) : QList<LogView *>())
            other->setFollowing(true);
    });
    return pane;
}

void LogTiles::setTiles(const QList<LogTile> &tiles, const StartLines &start)
{
    const auto isSame = [](const Shown &shown, const LogTile &tile) {
        return shown.pane->view()->source() == tile.lines;
    };
    showTiles(tiles, isSame, [&](const LogTile &tile, LogPane *same) {
        LogPane *const pane = same ? same : makePane(tile, start);
        pane->setTitle(tile.title);
        pane->setState(m_states.value(tile.key));
        return pane;
    });
}

LogView *LogTiles::currentView() const
{
    const LogPane *const pane = currentPane();
    return pane ? pane->view() : nullptr;
}

QList<LogView *> LogTiles::viewsMovedWith(const LogView *view) const
{
    QList<LogView *> others;
    for (const Shown &each : shownTiles()) {
        if (m_isTogether && each.pane->view() != view)
            others.append(each.pane->view());
    }
    return others;
}

void LogTiles::setLook(const LogLook &look)
{
    m_look = look;
    for (const Shown &each : shownTiles())
        each.pane->setLook(look);
}

void LogTiles::setState(int key, const QString &state)
{
    m_states.insert(key, state);
    if (LogPane *const shown = pane(key))
        shown->setState(state);
}

} // namespace rankdeck
