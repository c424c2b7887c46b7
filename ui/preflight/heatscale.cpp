#include "preflight/heatscale.h"

#include "state/tone.h"

#include <algorithm>
#include <cmath>

namespace rankdeck
{

namespace
{

/// From one end of the scale to the other at least: what usually differs between pairs that are alike.
constexpr double leastRange = 4;
constexpr double faintShare = 0.1;

QColor mixed(const QColor &one, const QColor &other, double share)
{
    const auto channel = [share](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * share));
    };
    return {channel(one.red(), other.red()), channel(one.green(), other.green()),
            channel(one.blue(), other.blue())};
}

} // namespace

HeatScale::HeatScale(const QPalette &palette, Slow slow, double least, double most)
{
    const QColor hue = toneColor(Tone::Active, palette);
    m_faint = mixed(palette.color(QPalette::Base), hue, faintShare);
    m_strong = hue;
    if (slow == Slow::High) {
        m_quick = least;
        m_slow = std::max(most, least * leastRange);
    } else {
        m_quick = most;
        m_slow = std::min(least, most / leastRange);
    }
}

QColor HeatScale::color(double value) const
{
    if (!(value > 0))
        return m_strong;
    const double share = std::log(value / m_quick) / std::log(m_slow / m_quick);
    return mixed(m_faint, m_strong, std::clamp(share, 0.0, 1.0));
}

QColor HeatScale::textOn(const QColor &behind)
{
    return contrastRatio(behind, Qt::black) >= contrastRatio(behind, Qt::white) ? Qt::black : Qt::white;
}

QList<double> HeatScale::marks() const
{
    QList<double> marks;
    for (int mark = 0; mark < markCount; ++mark)
        marks.append(m_quick * std::pow(m_slow / m_quick, double(mark) / (markCount - 1)));
    return marks;
}

} // namespace rankdeck
