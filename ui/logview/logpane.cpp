#include "logview/logpane.h"

#include "logview/filterview.h"
#include "logview/logview.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

constexpr int frameWidth = 2; // pixels

QToolButton *stripButton(const QString &text, const QString &toolTip, QWidget *parent)
{
    auto *const button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

LogPane::LogPane(QWidget *parent)
    : QWidget(parent)
{
    m_strip = new QWidget(this);
    m_title = new QLabel(m_strip);
    m_title->setTextFormat(Qt::PlainText);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_status = new QLabel(m_strip);
    m_status->setTextFormat(Qt::PlainText);
    // A long sentence must not push the buttons out of a narrow tile; it is elided, and whole in the tool
    // tip.
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *const find = stripButton(tr("Find"), tr("Find in this log (Ctrl+F)"), m_strip);
    m_filter = stripButton(tr("Filter"), tr("Show only some lines, below the log (Ctrl+Shift+F)"), m_strip);
    m_filter->setObjectName(QStringLiteral("filterButton"));
    m_filter->setCheckable(true);
    m_filter->hide();
    m_follow = stripButton(tr("Follow"), tr("Keep the last line in view (End)"), m_strip);
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setChildrenCollapsible(false);
    m_view = new LogView(m_splitter);

    auto *const row = new QHBoxLayout(m_strip);
    row->setContentsMargins(6, 1, 2, 1);
    row->setSpacing(8);
    row->addWidget(m_title);
    row->addWidget(m_status, 1);
    row->addWidget(find);
    row->addWidget(m_filter);
    row->addWidget(m_follow);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(frameWidth, frameWidth, frameWidth, frameWidth);
    column->setSpacing(0);
    column->addWidget(m_strip);
    column->addWidget(m_splitter, 1);
    setFocusProxy(m_view);
    m_strip->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, &LogPane::onFocusChanged);

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

LogPane::~LogPane()
{
    // The log that has the focus loses it while it is destroyed, when this is a LogPane no more.
    disconnect(qApp, &QApplication::focusChanged, this, nullptr);
}

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
    m_titleText = title;
    m_title->setText(title);
    m_view->setTitle(title);
    const QString whose = title.isEmpty() ? tr("Log") : tr("Log of %1").arg(title);
    setAccessibleName(whose);
    elide();
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
    m_statusText = parts.join(QStringLiteral(" · "));
    m_status->setToolTip(m_statusText);
    m_status->setAccessibleName(m_statusText);
    elide();
}

void LogPane::elide()
{
    const QString shown = m_status->fontMetrics().elidedText(m_statusText, Qt::ElideRight, m_status->width());
    if (shown != m_status->text())
        m_status->setText(shown);
}

void LogPane::onFocusChanged(QWidget *, QWidget *now)
{
    const bool hasFocus = now && isAncestorOf(now);
    if (hasFocus == m_hasFocus)
        return;
    m_hasFocus = hasFocus;
    if (hasFocus)
        Q_EMIT focused();
    // The frame alone: what stands in it would be sent again for nothing.
    update(QRegion(rect()) - rect().adjusted(frameWidth, frameWidth, -frameWidth, -frameWidth));
}

/// A thin frame keeps panes apart; a thick one in another colour is where the keys go.
void LogPane::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int width = m_hasFocus ? frameWidth : 1;
    const QColor color = palette().color(m_hasFocus ? QPalette::Highlight : QPalette::Mid);
    const QRegion frame = QRegion(rect()) - rect().adjusted(width, width, -width, -width);
    for (const QRect &side : frame)
        painter.fillRect(side, color);
}

void LogPane::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_strip->layout()->activate();
    elide();
}

bool LogPane::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_strip && event->type() == QEvent::MouseButtonDblClick) {
        Q_EMIT activated();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace rankdeck
