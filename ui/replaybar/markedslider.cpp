#include "replaybar/markedslider.h"

#include "base/times.h"
#include "widgets/tone.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionSlider>
#include <QToolTip>

namespace rankdeck
{

static Tone toneOf(ReplayMark::Kind kind)
{
    static constexpr std::array tones{Tone::Bad,     Tone::Caution, Tone::Caution,
                                      Tone::Caution, Tone::Ended,   Tone::Ended};
    static_assert(tones.size() == std::size_t(ReplayMark::Kind::Note) + 1);
    return tones.at(std::size_t(kind));
}

MarkedSlider::MarkedSlider(QWidget *parent)
    : QSlider(Qt::Horizontal, parent)
{
    setFocusPolicy(Qt::StrongFocus);
}

void MarkedSlider::setMarks(const QDateTime &begin, const QDateTime &end, const QList<ReplayMark> &marks)
{
    m_begin = begin;
    m_marks = marks;
    std::ranges::stable_sort(m_marks, std::greater(), &ReplayMark::kind);
    constexpr int perSecond = 1000 / msOfStep;
    constexpr int secondsOfStep = 10;
    setRange(0, int(std::min<qint64>(begin.msecsTo(end) / msOfStep, std::numeric_limits<int>::max())));
    setSingleStep(secondsOfStep * perSecond);
    setPageStep(std::max(singleStep(), maximum() / 10));
    update();
}

QSize MarkedSlider::sizeHint() const
{
    return QSlider::sizeHint() + QSize(0, letterHeight() * (m_steps.isEmpty() ? 1 : 2));
}

int MarkedSlider::valueAt(int x) const
{
    const int handle = style()->pixelMetric(QStyle::PM_SliderLength, nullptr, this);
    return QStyle::sliderValueFromPosition(minimum(), maximum(), x - handle / 2, width() - handle);
}

void MarkedSlider::setSteps(const QList<ReplayStep> &steps)
{
    m_steps = steps;
    updateGeometry();
    update();
}

int MarkedSlider::placeOf(const QDateTime &time) const
{
    const int handle = style()->pixelMetric(QStyle::PM_SliderLength, nullptr, this);
    const qint64 value = std::clamp<qint64>(m_begin.msecsTo(time) / msOfStep, 0, maximum());
    return handle / 2 + QStyle::sliderPositionFromValue(minimum(), maximum(), int(value), width() - handle);
}

const ReplayMark *MarkedSlider::markAt(const QPoint &place) const
{
    if (place.y() >= letterHeight())
        return nullptr;
    const int reach = fontMetrics().averageCharWidth();
    const ReplayMark *nearest = nullptr;
    for (const ReplayMark &mark : m_marks) {
        const int distance = std::abs(placeOf(mark.time) - place.x());
        if (distance <= reach && (!nearest || mark.kind != ReplayMark::Kind::Note))
            nearest = &mark;
    }
    return nearest;
}

bool MarkedSlider::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QSlider::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const ReplayMark *const mark = markAt(help->pos()))
        QToolTip::showText(help->globalPos(), (clockText(mark->time) + u' ' + mark->text).toHtmlEscaped(),
                           this);
    else
        QToolTip::hideText();
    return true;
}

void MarkedSlider::drawMarks(QPainter &painter) const
{
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    const int cell = painter.fontMetrics().horizontalAdvance(u'N') + 2;
    QRegion drawn;
    // Where letters would overlap, what matters most is shown.
    for (auto mark = m_marks.crbegin(); mark != m_marks.crend(); ++mark) {
        const QRect area(placeOf(mark->time) - cell / 2, 0, cell, letterHeight());
        if (drawn.intersects(area))
            continue;
        drawn += area;
        painter.setPen(toneColor(toneOf(mark->kind), palette()));
        painter.drawText(area, Qt::AlignCenter, markLetter(mark->kind));
    }
}

void MarkedSlider::drawSteps(QPainter &painter) const
{
    painter.setFont(font());
    painter.setPen(quietColor(palette()));
    const int gap = 2 * fontMetrics().averageCharWidth();
    int free = 0; // Where the next text may begin.
    qint64 last = -1;
    for (const ReplayStep &step : m_steps) {
        const QString text = tr("step %1").arg(step.step);
        const int width = fontMetrics().horizontalAdvance(text);
        const int left = placeOf(step.time) - width / 2;
        if (left < free || left + width > this->width() || step.step == last)
            continue;
        last = step.step;
        painter.drawText(QRect(left, height() - letterHeight(), width, letterHeight()), Qt::AlignCenter,
                         text);
        free = left + width + gap;
    }
}

void MarkedSlider::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    drawMarks(painter);
    drawSteps(painter);
    QStyleOptionSlider option;
    initStyleOption(&option);
    option.rect.adjust(0, letterHeight(), 0, m_steps.isEmpty() ? 0 : -letterHeight());
    option.subControls = QStyle::SC_SliderGroove | QStyle::SC_SliderHandle;
    style()->drawComplexControl(QStyle::CC_Slider, &option, &painter, this);
}

void MarkedSlider::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const ReplayMark *const mark = markAt(event->position().toPoint());
    setSliderDown(true);
    setValue(mark ? int(m_begin.msecsTo(mark->time) / msOfStep) : valueAt(event->position().toPoint().x()));
}

void MarkedSlider::mouseMoveEvent(QMouseEvent *event)
{
    if (isSliderDown())
        setValue(valueAt(event->position().toPoint().x()));
}

} // namespace rankdeck
