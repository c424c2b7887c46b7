#pragma once

#include <QListView>

namespace rankdeck
{

/// A list whose rows are all as high, whatever they say: what changes is painted, and nothing is laid out
/// anew. QListView does that at every change, and sends the whole list to the display.
class SteadyListView : public QListView
{
    Q_OBJECT

public:
    using QListView::QListView;

protected:
    void dataChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight,
                     const QList<int> &roles) override
    {
        QAbstractItemView::dataChanged(topLeft, bottomRight, roles); // NOLINT(bugprone-parent-virtual-call)
    }
};

} // namespace rankdeck
