#include "widgets/tone.h"

#include <algorithm>
#include <cmath>

namespace rankdeck
{

static bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Base).lightness() < 128;
}

static double luminance(const QColor &color)
{
    const auto linear = [](double value) {
        return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QColor mixed(const QColor &base, const QColor &other, double share)
{
    const auto channel = [share](int one, int two) {
        return qRound(one + (two - one) * share);
    };
    return {channel(base.red(), other.red()), channel(base.green(), other.green()),
            channel(base.blue(), other.blue())};
}

Tone toneOf(RunPhase phase)
{
    switch (phase) {
    case RunPhase::Starting:
        return Tone::Idle;
    case RunPhase::Running:
    case RunPhase::Writing:
        return Tone::Active;
    case RunPhase::Stopping:
    case RunPhase::Lost:
        return Tone::Caution;
    case RunPhase::Succeeded:
        return Tone::Good;
    case RunPhase::Failed:
        return Tone::Bad;
    case RunPhase::Stopped:
    case RunPhase::Recorded:
        return Tone::Ended;
    }
    return Tone::Idle;
}

Tone toneOf(RankPhase phase)
{
    switch (phase) {
    case RankPhase::Waiting:
        return Tone::Idle;
    case RankPhase::Running:
    case RankPhase::Writing:
        return Tone::Active;
    case RankPhase::Exited:
        return Tone::Good;
    case RankPhase::Failed:
        return Tone::Bad;
    case RankPhase::Ended:
    case RankPhase::Stopped:
    case RankPhase::Unknown:
        return Tone::Ended;
    }
    return Tone::Idle;
}

QColor toneColor(Tone tone, const QPalette &palette)
{
    const bool dark = isDark(palette);
    switch (tone) {
    case Tone::Idle:
    case Tone::Ended:
        return dark ? QColor(0xc2c7cc) : QColor(0x565c64);
    case Tone::Active:
        return dark ? QColor(0x8cc2ff) : QColor(0x0b57a4);
    case Tone::Good:
        return dark ? QColor(0x8ada98) : QColor(0x1b6430);
    case Tone::Bad:
        return dark ? QColor(0xffa59d) : QColor(0xab1f17);
    case Tone::Caution:
        return dark ? QColor(0xf2c069) : QColor(0x7a4f00);
    }
    return palette.color(QPalette::Text);
}

QColor toneBackground(Tone tone, const QPalette &palette)
{
    const double share = tone == Tone::Bad ? 0.12 : tone == Tone::Idle || tone == Tone::Ended ? 0.05 : 0.07;
    return mixed(palette.color(QPalette::Base), toneColor(tone, palette), share);
}

QColor quietColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.3);
}

double contrastRatio(const QColor &one, const QColor &other)
{
    const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
    return (lighter + 0.05) / (darker + 0.05);
}

} // namespace rankdeck
