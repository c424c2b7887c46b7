#include "widgets/tiles.h"

#include <QApplication>
#include <QEvent>
#include <QGridLayout>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rankdeck
{

constexpr int frameWidth = 2; // pixels
constexpr int gapWidth = 5;
constexpr int leastSide = 60; ///< Least height or width of a pane that the user makes smaller.

/// Returns the sizes after the boundary behind `index` moved by `distance`, as far as both neighbours allow.
static QList<int> moved(QList<int> sizes, int index, int distance)
{
    const int before = sizes.at(index);
    const int after = sizes.at(index + 1);
    const int most = std::max(0, after - leastSide);
    const int step = std::clamp(distance, std::min(0, leastSide - before), most);
    sizes[index] = before + step;
    sizes[index + 1] = after - step;
    return sizes;
}

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
    , m_grid(withoutMargins(new QGridLayout(this), gapWidth))
{
    setMouseTracking(true); // For the pointer's shape over gaps; panes cover the rest.
}

void TileGrid::setPanes(const QList<QWidget *> &panes)
{
    m_panes = panes;
    m_columns = 0;
    fit();
}

QSize TileGrid::minimumSizeHint() const
{
    QSize least;
    for (const QWidget *const pane : m_panes)
        least = least.expandedTo(pane->minimumSizeHint());
    return {least.width(), rows() * (least.height() + gapWidth)};
}

/// Returns in how many columns the panes are not cut.
int TileGrid::mostColumns() const
{
    const int pane = std::max(1, minimumSizeHint().width());
    return std::max(1, (width() + gapWidth) / (pane + gapWidth));
}

void TileGrid::fit()
{
    const int fitting = std::min(tileColumns(int(m_panes.size()), size()), mostColumns());
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

    for (int i = 0; i < int(m_panes.size()); ++i) {
        m_grid->addWidget(m_panes[i], i / m_columns, i % m_columns);
        m_panes[i]->show();
    }
    chainTabOrder(m_panes);
    share();
}

/// Gives all panes the same size.
void TileGrid::share()
{
    for (int column = 0; column < m_columns; ++column)
        m_grid->setColumnStretch(column, 1);
    for (int row = 0; row < rows(); ++row)
        m_grid->setRowStretch(row, 1);
}

QList<int> TileGrid::widths() const
{
    QList<int> widths;
    for (int column = 0; column < m_columns; ++column)
        widths << m_grid->cellRect(0, column).width();
    return widths;
}

QList<int> TileGrid::heights() const
{
    QList<int> heights;
    for (int row = 0; row < rows(); ++row)
        heights << m_grid->cellRect(row, 0).height();
    return heights;
}

TileGrid::Gaps TileGrid::gapsAt(const QPoint &place) const
{
    Gaps gaps;
    for (int column = 0; column + 1 < m_columns; ++column) {
        if (place.x() > m_grid->cellRect(0, column).right() &&
            place.x() < m_grid->cellRect(0, column + 1).left())
            gaps.column = column;
    }
    for (int row = 0; row + 1 < rows(); ++row) {
        if (place.y() > m_grid->cellRect(row, 0).bottom() && place.y() < m_grid->cellRect(row + 1, 0).top())
            gaps.row = row;
    }
    return gaps;
}

void TileGrid::mousePressEvent(QMouseEvent *event)
{
    const Gaps gaps = gapsAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || gaps.isNone()) {
        QWidget::mousePressEvent(event);
        return;
    }
    m_dragged = gaps;
    m_dragFrom = event->position().toPoint();
    m_widthsBefore = widths();
    m_heightsBefore = heights();
}

void TileGrid::mouseMoveEvent(QMouseEvent *event)
{
    const QPoint place = event->position().toPoint();
    if (m_dragged.isNone()) {
        const Gaps gaps = gapsAt(place);
        if (gaps.isNone())
            unsetCursor();
        else
            setCursor(gaps.column < 0 ? Qt::SplitVCursor
                      : gaps.row < 0  ? Qt::SplitHCursor
                                      : Qt::SizeAllCursor);
        return;
    }
    const QPoint distance = place - m_dragFrom;
    if (m_dragged.column >= 0) {
        const QList<int> widths = moved(m_widthsBefore, m_dragged.column, distance.x());
        for (int column = 0; column < m_columns; ++column)
            m_grid->setColumnStretch(column, widths.at(column));
    }
    if (m_dragged.row >= 0) {
        const QList<int> heights = moved(m_heightsBefore, m_dragged.row, distance.y());
        for (int row = 0; row < rows(); ++row)
            m_grid->setRowStretch(row, heights.at(row));
    }
}

void TileGrid::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (!gapsAt(event->position().toPoint()).isNone())
        share();
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
    m_status = resultLabel("");
    // A long sentence must not push the buttons out of a narrow tile.
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);

    auto *const row = new QHBoxLayout(m_strip);
    row->setContentsMargins(6, 1, 2, 1);
    row->setSpacing(8);
    addParts(row, {m_title, {m_status, 1}});
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(frameWidth, frameWidth, frameWidth, frameWidth);
    column->setSpacing(0);
    column->addWidget(m_strip);
    m_strip->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, &TilePane::onFocusChanged);
}

TilePane::~TilePane()
{
    // Children lose the focus while they are destroyed, when this is not a TilePane any more.
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
    if (std::exchange(m_hasFocus, hasFocus) == hasFocus)
        return;
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
