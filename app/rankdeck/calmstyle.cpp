#include "calmstyle.h"

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
    if (hint == SH_Widget_Animation_Duration)
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, returnData);
}

} // namespace rankdeck
