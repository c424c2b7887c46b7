#include "widgets/calmstyle.h"

#include "widgets/tone.h"

#include <QApplication>
#include <QStyleOptionButton>
#include <QWidget>

namespace rankdeck
{

void CalmStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    widget->setAttribute(Qt::WA_Hover, false);
}

int CalmStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                         QStyleHintReturn *returnData) const
{
    switch (hint) {
    case SH_Widget_Animation_Duration:
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_EtchDisabledText:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

int CalmStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    const int usual = QProxyStyle::pixelMetric(metric, option, widget);
    const int line = QFontMetrics(widget ? widget->font() : QApplication::font()).height();
    switch (metric) {
    case PM_SmallIconSize:
        return std::max(usual, line);
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return std::max(usual, line * 3 / 4);
    default:
        return usual;
    }
}

void CalmStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                              const QWidget *widget) const
{
    const bool isBox = element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton;
    const auto *const button = isBox ? qstyleoption_cast<const QStyleOptionButton *>(option) : nullptr;
    if (!button) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    }
    // Fusion frames it in a shade of the window, which is made up for here.
    constexpr int shade = 127;
    QStyleOptionButton framed(*button);
    const QPalette &palette = button->palette;
    const QColor frame = mixed(palette.window().color(), palette.windowText().color(), 0.6);
    framed.palette.setColor(QPalette::Window, frame.lighter(shade));
    QProxyStyle::drawPrimitive(element, &framed, painter, widget);
}

} // namespace rankdeck
