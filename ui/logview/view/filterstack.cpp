#include "logview/view/filterstack.h"

namespace rankdeck
{

FilterView::FilterView(std::vector<MergedSpec::Log> logs, StartLines start, bool isLabelled, QWidget *parent)
    : QWidget(parent)
    , m_logs(std::move(logs))
    , m_start(std::move(start))
    , m_isLabelled(isLabelled)
    , m_bar(new FilterBar(this))
    , m_view(new LogView(this))
{
    setObjectName(u"filterView"_s);
    auto *const again =
        named(flatButton(this, tr("Filter these"), tr("Filter these lines again, in another view below")),
              "filterAgain");
    auto *const close = flatButton(this, tr("Close"), tr("Close the filtered view (Esc)"));
    setLook({});
    m_view->setTitle(tr("filtered lines"));
    m_view->setEmptyText(tr("No matching lines yet."));

    auto *const row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 2, 0);
    addParts(row, {{m_bar, 1}, again, close});
    addParts(withoutMargins(new QVBoxLayout(this), 0), {row, {m_view, 1}});

    connect(close, &QToolButton::clicked, this, &FilterView::closed);
    connect(again, &QToolButton::clicked, this, &FilterView::againRequested);
    connect(m_bar, &FilterBar::changed, this, &FilterView::showLines);
    connect(m_bar, &FilterBar::changed, this, &FilterView::filterChanged);
    connect(m_view, &LogView::lineCountChanged, m_bar, &FilterBar::setLineCount);
    connect(m_view, &LogView::linePressed, this, &FilterView::lineRequested);
    connect(m_view, &LogView::placeRequested, this, &FilterView::lineRequested);
}

void FilterView::open()
{
    if (!m_lines)
        showLines();
    m_bar->focusText();
}

void FilterView::setWithin(const LogFilter &filter)
{
    m_within = filter;
    if (m_lines)
        showLines();
    Q_EMIT filterChanged();
}

void FilterView::setLogs(std::vector<MergedSpec::Log> logs)
{
    m_logs = std::move(logs);
    if (m_lines)
        showLines();
}

void FilterView::setLook(const LogLook &look)
{
    LogLook numbered = look;
    numbered.isNumbered = true;
    m_view->setLook(numbered);
}

void FilterView::showLines()
{
    MergedSpec spec;
    spec.logs = m_logs;
    spec.filter = filter();
    spec.context = m_bar->context();
    spec.isLabelled = m_isLabelled;
    m_view->setSource(nullptr);
    m_lines = m_start(spec);
    m_view->setSource(m_lines.get());
}

void FilterView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT closed();
    else
        QWidget::keyPressEvent(event);
}

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
    const QStringList directories = listOf(logs, &MergedSpec::Log::directory);
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
    const QStringList directories = listOf(m_logs, &MergedSpec::Log::directory);
    view->view()->setDirectories(directories);
    view->setLook(m_look);
    if (FilterView *const above = isOpen() ? m_views.constLast() : nullptr) {
        view->setWithin(above->filter());
        connect(above, &FilterView::filterChanged, view, [above, view] { view->setWithin(above->filter()); });
    } else {
        view->setWithin(m_within);
    }
    connect(view, &FilterView::lineRequested, this, &FilterStack::lineRequested);
    connect(view, &FilterView::closed, this, [this, view] { closeFrom(m_views.indexOf(view)); });
    connect(view, &FilterView::againRequested, this, [this, view] {
        closeFrom(m_views.indexOf(view) + 1);
        addView();
    });
    connect(view->view(), &LogView::filterRequested, view->bar(), &FilterBar::add);
    connect(view->view(), &LogView::highlightRequested, m_view, &LogView::highlightRequested);
    connect(view->view(), &LogView::allRequested, m_view, &LogView::allRequested);
    connect(view->view(), &LogView::zoomRequested, m_view, &LogView::zoomRequested);
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
        gone->deleteLater(); // The stack may be the sender of the present signal.
    }
    if (first > 0) {
        m_views.constLast()->view()->setFocus(Qt::OtherFocusReason);
        return;
    }
    m_view->clearMark();
    m_view->setFocus(Qt::OtherFocusReason);
    Q_EMIT openChanged(false);
}

} // namespace rankdeck
