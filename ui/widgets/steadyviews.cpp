#include "widgets/steadyviews.h"

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
    // Queued: range and value change one after the other, and the handle is wrong in between.
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (look() != m_painted)
                update();
        },
        Qt::QueuedConnection);
}

} // namespace rankdeck
