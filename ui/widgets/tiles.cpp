#include "logview/tilepane.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

constexpr int frameWidth = 2; // pixels

} // namespace

TilePane::TilePane(QWidget *parent)
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
    // What has the focus loses it while it is destroyed, when this is a TilePane no more.
    disconnect(qApp, &QApplication::focusChanged, this, nullptr);
}

QToolButton *TilePane::addStripButton(const QString &text, const QString &toolTip)
{
    auto *const button = new QToolButton(m_strip);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    m_strip->layout()->addWidget(button);
    return button;
}

void TilePane::addBelow(QWidget *widget, int stretch)
{
    static_cast<QVBoxLayout *>(layout())->addWidget(widget, stretch);
}

void TilePane::showTitle(const QString &title)
{
    m_titleText = title;
    m_title->setText(title);
    elide();
}

void TilePane::setHint(const QString &hint)
{
    m_title->setToolTip(hint);
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
    // The frame alone: what stands in it would be sent again for nothing.
    update(QRegion(rect()) - rect().adjusted(frameWidth, frameWidth, -frameWidth, -frameWidth));
}

/// A thin frame keeps panes apart; a thick one in another colour is where the keys go.
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
