#include "logview/view/filterstack.h"

#include "logview/find/filterbar.h"

namespace rankdeck
{

FilterStack::FilterStack(LogView *view, QWidget *parent)
    : QSplitter(Qt::Vertical, parent)
    , m_view(view)
{
    setChildrenCollapsible(false);
    addWidget(view);
}

void FilterStack::setLogs(const std::vector<MergedSpec::Log> &logs, const StartLines &start, bool isLabelled)
{
    m_logs = logs;
    m_start = start;
    m_isLabelled = isLabelled;
    QStringList directories;
    for (const MergedSpec::Log &log : logs)
        directories << log.directory;
    m_view->setDirectories(directories);
    if (!start || logs.empty())
        closeAll();
    for (FilterView *const view : std::as_const(m_views)) {
        view->view()->setDirectories(directories);
        view->setLogs(logs);
    }
}

void FilterStack::setWithin(const LogFilter &filter)
{
    m_within = filter;
    if (isOpen())
        m_views.constFirst()->setWithin(filter);
}

void FilterStack::setLook(const LogLook &look)
{
    m_look = look;
    m_view->setLook(look);
    for (FilterView *const view : std::as_const(m_views))
        view->setLook(look);
}

void FilterStack::open()
{
    if (!isOpen())
        addView();
    else
        m_views.constFirst()->open();
}

void FilterStack::filterBy(const QString &text, bool isExcluded)
{
    open();
    if (isOpen())
        m_views.constFirst()->bar()->add(text, isExcluded);
}

void FilterStack::addView()
{
    if (!m_start)
        return;
    auto *const view = new FilterView(m_logs, m_start, m_isLabelled, this);
    QStringList directories;
    for (const MergedSpec::Log &log : m_logs)
        directories << log.directory;
    view->view()->setDirectories(directories);
    view->setLook(m_look);
    if (FilterView *const above = isOpen() ? m_views.constLast() : nullptr) {
        view->setWithin(above->filter());
        connect(above, &FilterView::filterChanged, view, [above, view] { view->setWithin(above->filter()); });
    } else {
        view->setWithin(m_within);
    }
    connect(view, &FilterView::lineWanted, this, &FilterStack::lineWanted);
    connect(view, &FilterView::closed, this, [this, view] { closeFrom(m_views.indexOf(view)); });
    connect(view, &FilterView::againWanted, this, [this, view] {
        closeFrom(m_views.indexOf(view) + 1);
        addView();
    });
    connect(view->view(), &LogView::filterWanted, view->bar(), &FilterBar::add);
    connect(view->view(), &LogView::highlightWanted, m_view, &LogView::highlightWanted);
    connect(view->view(), &LogView::allWanted, m_view, &LogView::allWanted);
    connect(view->view(), &LogView::zoomWanted, m_view, &LogView::zoomWanted);
    m_views.append(view);
    view->show();
    view->open();
    Q_EMIT openChanged(true);
}

/// Views below one that is closed filter lines that are not shown any more.
void FilterStack::closeFrom(qsizetype first)
{
    if (first < 0 || first >= m_views.size())
        return;
    while (m_views.size() > first) {
        FilterView *const gone = m_views.takeLast();
        gone->hide();
        gone->deleteLater(); // It may be the sender.
    }
    if (first > 0) {
        m_views.constLast()->view()->setFocus(Qt::OtherFocusReason);
        return;
    }
    m_view->clearMark();
    m_view->setFocus(Qt::OtherFocusReason);
    Q_EMIT openChanged(false);
}

void FilterStack::closeAll()
{
    closeFrom(0);
}

} // namespace rankdeck
