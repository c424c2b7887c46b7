#include "widgets/tone.h"

#include <cmath>

namespace rankdeck
{

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
    static constexpr std::array tones{Tone::Idle,  Tone::Active,  Tone::Caution, Tone::Good,   Tone::Bad,
                                      Tone::Ended, Tone::Caution, Tone::Ended,   Tone::Active, Tone::Ended};
    static_assert(tones.size() == std::size_t(RunPhase::Unknown) + 1);
    return tones.at(std::size_t(phase));
}

Tone toneOf(RankPhase phase)
{
    static constexpr std::array tones{Tone::Idle,  Tone::Active, Tone::Good,  Tone::Bad,
                                      Tone::Ended, Tone::Ended,  Tone::Ended, Tone::Active};
    static_assert(tones.size() == std::size_t(RankPhase::Writing) + 1);
    return tones.at(std::size_t(phase));
}

Tone toneOf(DeviceHealth health)
{
    static constexpr std::array tones{Tone::Idle, Tone::Caution, Tone::Bad, Tone::Bad, Tone::Caution};
    static_assert(tones.size() == std::size_t(DeviceHealth::Unknown) + 1);
    return tones.at(std::size_t(health));
}

QColor toneColor(Tone tone, const QPalette &palette)
{
    static constexpr std::array<QRgb, 6> dark{0xc2c7cc, 0x8cc2ff, 0x8ada98, 0xffa59d, 0xc2c7cc, 0xf2c069};
    static constexpr std::array<QRgb, 6> light{0x565c64, 0x0b57a4, 0x1b6430, 0xab1f17, 0x565c64, 0x7a4f00};
    static_assert(dark.size() == std::size_t(Tone::Caution) + 1);
    return QColor((palette.color(QPalette::Base).lightness() < 128 ? dark : light).at(std::size_t(tone)));
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
