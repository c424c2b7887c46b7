#include "launchform/numberedit.h"

#include <QWheelEvent>

namespace rankdeck
{

NumberEdit::NumberEdit(QWidget *parent)
    : QSpinBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
}

void NumberEdit::setAnyValue(int value)
{
    setRange(qMin(minimum(), value), qMax(maximum(), value));
    setValue(value);
}

void NumberEdit::wheelEvent(QWheelEvent *event)
{
    if (hasFocus())
        QSpinBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace rankdeck
