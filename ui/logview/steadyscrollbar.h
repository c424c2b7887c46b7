#pragma once

#include <QRect>
#include <QScrollBar>

namespace rankdeck
{

/// A scroll bar that is painted only when it would look different. Beside a growing log its range changes all
/// the time while its handle stays where it is, and on a remote display its pixels cost more than the log's
/// text.
class SteadyScrollBar : public QScrollBar
{
    Q_OBJECT

public:
    using QScrollBar::QScrollBar;

protected:
    void sliderChange(SliderChange change) override;
    void paintEvent(QPaintEvent *event) override;

private:
    /// Where the handle is, and whether there is anything to scroll.
    QRect look() const;

    QRect m_painted;
};

} // namespace rankdeck
