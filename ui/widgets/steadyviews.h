#pragma once

#include "base/tr.h"

#include <QListView>
#include <QRect>
#include <QScrollBar>

namespace rankdeck
{

/// A scroll bar that is painted only when it would look different. Beside a growing log its range changes all
/// the time while its handle stays, and on a remote display its pixels cost more than the log's text.
class SteadyScrollBar : public QScrollBar
{
    Q_OBJECT

public:
    using QScrollBar::QScrollBar;

protected:
    void sliderChange(SliderChange change) override;
    void paintEvent(QPaintEvent *event) override
    {
        m_painted = look();
        QScrollBar::paintEvent(event);
    }

private:
    /// Where the handle is, and whether there is anything to scroll.
    QRect look() const;

    QRect m_painted;
};

/// A list whose rows all have the same height: a change repaints its row only. QListView lays out again at
/// every change, which sends the whole list to the display.
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
