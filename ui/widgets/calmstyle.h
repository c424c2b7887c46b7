#pragma once

#include "base/tr.h"

#include <QProxyStyle>

namespace rankdeck
{

/// The desktop's style without effects that cost bytes on the wire and have no information: no repaint when
/// the pointer passes over a widget, no animation; and without parts that are drawn for light windows and
/// disappear in dark ones: icons on the buttons of dialogs, a shadow behind disabled words. Check boxes have
/// visible frames; they and icons grow with the text.
class CalmStyle : public QProxyStyle
{
    Q_OBJECT

public:
    using QProxyStyle::polish;
    void polish(QWidget *widget) override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *returnData) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
};

} // namespace rankdeck
