#pragma once

#include <QProxyStyle>

namespace rankdeck
{

/// The desktop's style without what costs bytes on the wire and tells nothing: no repaint because the pointer
/// passes over something, no animation.
class CalmStyle : public QProxyStyle
{
    Q_OBJECT

public:
    void polish(QWidget *widget) override;
    using QProxyStyle::polish;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *returnData) const override;
};

} // namespace rankdeck
