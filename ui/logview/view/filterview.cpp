#include "logview/view/filterview.h"

#include "logview/find/filterbar.h"
#include "logview/view/logview.h"

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
    setObjectName(QStringLiteral("filterView"));
    auto *const again =
        named(flatButton(this, tr("Filter these"), tr("Filter these lines again, in another view below")),
              "filterAgain");
    auto *const close = flatButton(this, tr("Close"), tr("Close the filtered view (Esc)"));
    setLook({});
    m_view->setTitle(tr("filtered lines"));
    m_view->setEmptyText(tr("No matching lines yet."));

    auto *const row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 2, 0);
    row->addWidget(m_bar, 1);
    row->addWidget(again);
    row->addWidget(close);
    auto *const column = withoutMargins(new QVBoxLayout(this));
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_view, 1);

    connect(close, &QToolButton::clicked, this, &FilterView::closed);
    connect(again, &QToolButton::clicked, this, &FilterView::againWanted);
    connect(m_bar, &FilterBar::changed, this, &FilterView::showLines);
    connect(m_bar, &FilterBar::changed, this, &FilterView::filterChanged);
    connect(m_view, &LogView::lineCountChanged, m_bar, &FilterBar::setLineCount);
    connect(m_view, &LogView::linePressed, this, &FilterView::lineWanted);
    connect(m_view, &LogView::placeWanted, this, &FilterView::lineWanted);
}

FilterView::~FilterView()
{
    m_view->setSource(nullptr);
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

LogFilter FilterView::filter() const
{
    return LogFilter::both(m_within, m_bar->filter());
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

} // namespace rankdeck
