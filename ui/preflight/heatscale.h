#pragma once

#include <QColor>
#include <QList>
#include <QPalette>

namespace rankdeck
{

/// Colours for values of one kind: shades of a single hue, from faint for what is quick to strong for what is
/// slow, by ratio. Values that differ little are all faint, so that noise does not look like news.
class HeatScale
{
public:
    /// Which values are slow.
    enum class Slow { High, Low };
    static constexpr int markCount = 5;

    HeatScale() = default;
    /// @param least, most of what is shown, both above 0.
    HeatScale(const QPalette &palette, Slow slow, double least, double most);

    /// Behind a value; those beyond the scale have its end.
    QColor color(double value) const;
    /// Black or white, the one that reads better: at least 4.5:1 on every colour there is.
    static QColor textOn(const QColor &behind);
    /// Values for a legend, from quick to slow, evenly spaced by ratio.
    QList<double> marks() const;

    bool operator==(const HeatScale &) const = default;

private:
    QColor m_faint = Qt::white;
    QColor m_strong = Qt::blue;
    double m_quick = 1;
    double m_slow = 10;
};

} // namespace rankdeck
