#include "logview/steadyscrollbar.h"

#include <QStyle>
#include <QStyleOptionSlider>

namespace rankdeck
{

QRect SteadyScrollBar::look() const
{
    if (minimum() == maximum())
        return {};
    QStyleOptionSlider option;
    initStyleOption(&option);
    return style()->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarSlider, this);
}

void SteadyScrollBar::sliderChange(SliderChange change)
{
    if (change == SliderOrientationChange) {
        QScrollBar::sliderChange(change);
        return;
    }
    // Range and value follow each other: in between, the handle is where it will not stay.
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (look() != m_painted)
                update();
        },
        Qt::QueuedConnection);
}

void SteadyScrollBar::paintEvent(QPaintEvent *event)
{
    m_painted = look();
    QScrollBar::paintEvent(event);
}

} // namespace rankdeck
