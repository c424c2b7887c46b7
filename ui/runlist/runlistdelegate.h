#pragma once

#include <QStyledItemDelegate>

namespace rankdeck
{

/// Draws a run as two lines: title and age; mark, state word and details.
class RunListDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace rankdeck
