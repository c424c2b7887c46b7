#include "logview/logpane.h"

#include "logview/filterview.h"
#include "logview/logview.h"

#include <QLocale>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>

namespace rankdeck
{

LogPane::LogPane(QWidget *parent)
    : TilePane(parent)
{
    auto *const find = addStripButton(tr("Find"), tr("Find in this log (Ctrl+F)"));
    m_filter = addStripButton(tr("Filter"), tr("Show only some lines, below the log (Ctrl+Shift+F)"));
    m_filter->setObjectName(QStringLiteral("filterButton"));
    m_filter->setCheckable(true);
    m_filter->hide();
    m_follow = addStripButton(tr("Follow"), tr("Keep the last line in view (End)"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setChildrenCollapsible(false);
    m_view = new LogView(m_splitter);
    addBelow(m_splitter, 1);
    setFocusProxy(m_view);

    connect(m_follow, &QToolButton::clicked, m_view, &LogView::setFollowing);
    connect(m_view, &LogView::followingChanged, m_follow, &QToolButton::setChecked);
    connect(find, &QToolButton::clicked, m_view, &LogView::openFind);
    auto *const filterKey = new QShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_F, this);
    filterKey->setContext(Qt::WidgetWithChildrenShortcut);
    connect(filterKey, &QShortcut::activated, this, &LogPane::openFilter);
    connect(m_filter, &QToolButton::clicked, this,
            [this](bool isOpen) { isOpen ? openFilter() : closeFilter(); });
    connect(m_view, &LogView::newLinesChanged, this, [this](qint64 count) {
        m_newLines = count;
        showStatus();
    });
    connect(m_view, &LogView::noticeChanged, this, [this](const QString &sentence) {
        m_notice = sentence;
        showStatus();
    });
}

LogPane::~LogPane() = default;

void LogPane::setSource(LogLines *lines)
{
    m_view->setSource(lines);
}

void LogPane::setFilterable(const MergedSpec::Log &log, const StartLines &start)
{
    m_filtered = log;
    m_startLines = start;
    m_filter->show();
}

void LogPane::setTextSize(qreal points)
{
    m_textSize = points;
    m_view->setTextSize(points);
    if (m_filterView)
        m_filterView->view()->setTextSize(points);
}

void LogPane::setHighlights(const QList<Highlight> &highlights)
{
    m_highlights = highlights;
    m_view->setHighlights(highlights);
    if (m_filterView)
        m_filterView->view()->setHighlights(highlights);
}

void LogPane::setWrapped(bool wrapped)
{
    m_isWrapped = wrapped;
    m_view->setWrapped(wrapped);
    if (m_filterView)
        m_filterView->view()->setWrapped(wrapped);
}

void LogPane::openFilter()
{
    if (!m_startLines)
        return;
    m_filter->setChecked(true);
    if (!m_filterView) {
        m_filterView = new FilterView(m_filtered, m_startLines, m_splitter);
        if (m_textSize > 0)
            m_filterView->view()->setTextSize(m_textSize);
        m_filterView->view()->setWrapped(m_isWrapped);
        m_filterView->view()->setHighlights(m_highlights);
        connect(m_filterView, &FilterView::lineWanted, m_view,
                [this](qint64 line) { m_view->markLine(line); });
        connect(m_filterView, &FilterView::closed, this, &LogPane::closeFilter);
    }
    m_filterView->show();
    m_filterView->open();
}

void LogPane::closeFilter()
{
    m_filter->setChecked(false);
    m_view->clearMark();
    if (FilterView *const gone = std::exchange(m_filterView, nullptr)) {
        gone->hide();
        gone->deleteLater(); // It may be the one that speaks.
    }
    m_view->setFocus(Qt::OtherFocusReason);
}

void LogPane::setTitle(const QString &title)
{
    showTitle(title);
    m_view->setTitle(title);
    const QString whose = title.isEmpty() ? tr("Log") : tr("Log of %1").arg(title);
    setAccessibleName(whose);
}

void LogPane::setState(const QString &state)
{
    m_state = state;
    showStatus();
}

void LogPane::showStatus()
{
    QStringList parts;
    if (!m_state.isEmpty())
        parts.append(m_state);
    if (m_newLines > 0)
        parts.append(m_newLines == 1 ? tr("1 new line")
                                     : tr("%1 new lines").arg(QLocale().toString(m_newLines)));
    // A log without lines says it in their place.
    if (!m_notice.isEmpty() && m_notice != m_view->visibleText())
        parts.append(m_notice);
    showStatusText(parts.join(QStringLiteral(" · ")));
}

} // namespace rankdeck
