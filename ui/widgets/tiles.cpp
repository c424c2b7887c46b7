#include "widgets/tiles.h"

#include <QApplication>
#include <QEvent>
#include <QGridLayout>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rankdeck
{

constexpr int frameWidth = 2; // pixels

int tileColumns(int count, const QSize &area)
{
    // A pane of 80 cells by 20 lines or so is about twice as wide as high.
    constexpr double wantedShape = 2.0;
    constexpr double gapPenalty = 0.15;
    int best = 1;
    double bestCost = 1e9;
    for (int columns = 1; columns <= std::max(1, count); ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double width = double(std::max(1, area.width())) / columns;
        const double height = double(std::max(1, area.height())) / std::max(1, rows);
        const double cost =
            std::abs(std::log(width / height / wantedShape)) + gapPenalty * (rows * columns - count);
        if (cost < bestCost - 1e-9) {
            bestCost = cost;
            best = columns;
        }
    }
    return best;
}

TileGrid::TileGrid(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(4);
}

void TileGrid::setPanes(const QList<QWidget *> &panes)
{
    m_panes = panes;
    m_columns = 0;
    fit();
}

void TileGrid::fit()
{
    const int fitting = tileColumns(int(m_panes.size()), size());
    if (std::exchange(m_columns, fitting) != fitting)
        arrange();
}

void TileGrid::arrange()
{
    for (QWidget *const pane : std::as_const(m_panes))
        m_grid->removeWidget(pane);
    for (int i = 0; i < m_grid->columnCount(); ++i)
        m_grid->setColumnStretch(i, 0);
    for (int i = 0; i < m_grid->rowCount(); ++i)
        m_grid->setRowStretch(i, 0);

    QWidget *previous = nullptr;
    for (int i = 0; i < int(m_panes.size()); ++i) {
        m_grid->addWidget(m_panes[i], i / m_columns, i % m_columns);
        m_grid->setColumnStretch(i % m_columns, 1);
        m_grid->setRowStretch(i / m_columns, 1);
        m_panes[i]->show();
        if (previous)
            QWidget::setTabOrder(previous, m_panes[i]);
        previous = m_panes[i];
    }
}

void TileGrid::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

TilePane::TilePane(QWidget *parent)
    : QWidget(parent)
{
    m_strip = new QWidget(this);
    m_title = new QLabel(m_strip);
    m_title->setTextFormat(Qt::PlainText);
    makeBold(m_title);
    m_status = new QLabel(m_strip);
    m_status->setTextFormat(Qt::PlainText);
    // A long sentence must not push the buttons out of a narrow tile.
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    auto *const row = new QHBoxLayout(m_strip);
    row->setContentsMargins(6, 1, 2, 1);
    row->setSpacing(8);
    row->addWidget(m_title);
    row->addWidget(m_status, 1);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(frameWidth, frameWidth, frameWidth, frameWidth);
    column->setSpacing(0);
    column->addWidget(m_strip);
    m_strip->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, &TilePane::onFocusChanged);
}

TilePane::~TilePane()
{
    // Children lose the focus while they are destroyed, when this is no TilePane any more.
    disconnect(qApp, &QApplication::focusChanged, this, nullptr);
}

QToolButton *TilePane::addStripButton(const QString &text, const QString &toolTip)
{
    auto *const button = flatButton(m_strip, text, toolTip);
    m_strip->layout()->addWidget(button);
    return button;
}

void TilePane::showTitle(const QString &title)
{
    m_titleText = title;
    m_title->setText(title);
    elide();
}

void TilePane::showStatusText(const QString &text)
{
    m_statusText = text;
    m_status->setToolTip(text);
    m_status->setAccessibleName(text);
    elide();
}

void TilePane::elide()
{
    const QString shown = m_status->fontMetrics().elidedText(m_statusText, Qt::ElideRight, m_status->width());
    if (shown != m_status->text())
        m_status->setText(shown);
}

void TilePane::onFocusChanged(QWidget *, QWidget *now)
{
    const bool hasFocus = now && isAncestorOf(now);
    if (hasFocus == m_hasFocus)
        return;
    m_hasFocus = hasFocus;
    if (hasFocus)
        Q_EMIT focused();
    // Only the frame: the content has not changed.
    update(QRegion(rect()) - rect().adjusted(frameWidth, frameWidth, -frameWidth, -frameWidth));
}

/// A thin frame separates panes; a thick one in another colour marks the focus.
void TilePane::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int width = m_hasFocus ? frameWidth : 1;
    const QColor color = palette().color(m_hasFocus ? QPalette::Highlight : QPalette::Mid);
    const QRegion frame = QRegion(rect()) - rect().adjusted(width, width, -width, -width);
    for (const QRect &side : frame)
        painter.fillRect(side, color);
}

void TilePane::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_strip->layout()->activate();
    elide();
}

bool TilePane::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_strip && event->type() == QEvent::MouseButtonDblClick) {
        Q_EMIT activated();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace rankdeck
