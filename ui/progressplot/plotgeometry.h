#pragma once

#include <QRect>
#include <QSize>

namespace rankdeck
{

/// Where the parts of a plot of loss and step time are: a row that names the ranks, one for the values at the
/// cursor, two charts above each other, their scales at the left, room for the ranks' numbers at the right,
/// and the scale of steps below.
class PlotGeometry
{
public:
    /// @param cell of a character.
    PlotGeometry(const QSize &size, const QSize &cell);

    QRect legend() const;
    QRect readout() const;
    /// Within its frame. 0: loss, 1: step time. Empty where there is no room.
    QRect chart(int index) const;
    QRect scale(int index) const;
    QRect numbers(int index) const;
    QRect stepScale() const;
    /// What a chart shows, at its top.
    QRect title(int index) const;
    /// Marks that a chart's scale has room for, and that of steps.
    int valueMarks() const;
    int stepMarks() const;

private:
    QSize m_size;
    QSize m_cell;
    int m_chartHeight;
};

} // namespace rankdeck
