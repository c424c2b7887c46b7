#pragma once

#include <QSpinBox>

namespace rankdeck
{

/// A spin box in a page that scrolls: the wheel turns it only once it has the focus, else the page.
class NumberEdit : public QSpinBox
{
    Q_OBJECT

public:
    explicit NumberEdit(QWidget *parent = nullptr);

    /// Widens the range where `value` is outside of it, so that a wrong value is shown as it is and can be
    /// told of.
    void setAnyValue(int value);

protected:
    void wheelEvent(QWheelEvent *event) override;
};

} // namespace rankdeck
