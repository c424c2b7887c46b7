#pragma once

#include "widgets/widgetparts.h"

namespace rankdeck
{

/// Two groups of widgets in a row; where that is too long, the first group stands above the second.
class WrappingRow : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Sets the groups, once.
    /// @param firstStretch, secondStretch of the groups while they share a row.
    void setGroups(QHBoxLayout *first, int firstStretch, QHBoxLayout *second, int secondStretch);
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;

private:
    void arrange();

    QHBoxLayout *m_first = nullptr;
    QHBoxLayout *m_second = nullptr;
    QBoxLayout *m_rows = nullptr;
};

} // namespace rankdeck
