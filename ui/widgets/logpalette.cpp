#include "widgets/logpalette.h"

#include "log/line/logtypes.h"
#include "widgets/tone.h"

namespace rankdeck
{

using Sixteen = std::array<QRgb, 16>;

// Black, red, green, yellow, blue, magenta, cyan, white, and the bright ones, as text on each surrounding.
// "White" on white and "black" on black are greys.
constexpr Sixteen onLight{0x000000, 0xB71C1C, 0x1B6E20, 0x805800, 0x1A4FB4, 0x862786, 0x00666F, 0x5F6368,
                          0x6B6B6B, 0xCC2B2B, 0x257A29, 0x8F6300, 0x2A62D0, 0xA034A0, 0x00757F, 0x3C3C3C};
constexpr Sixteen onDark{0x8A8A8A, 0xFF6B68, 0x6BCF6B, 0xE0B84C, 0x6EA8FE, 0xD98ADF, 0x5FC9CF, 0xD0D0D0,
                         0x9A9A9A, 0xFF8A86, 0x8BE08B, 0xF2CF6B, 0x93C0FF, 0xE6A8EA, 0x86E0E4, 0xFFFFFF};
// Backgrounds have the plain colour.
constexpr Sixteen asBackground{0x000000, 0xAA2222, 0x22772A, 0x99790F, 0x2450B0, 0x8A2F8A,
                               0x117A80, 0xD0D0D0, 0x6B6B6B, 0xE04848, 0x3FA845, 0xD8B030,
                               0x5585E0, 0xC060C0, 0x40B0B8, 0xFFFFFF};

constexpr std::size_t red = 1;
constexpr std::size_t yellow = 3;
constexpr std::size_t magenta = 5;

/// Colours 16..255 of xterm: a cube of 6 x 6 x 6, then 24 greys.
static QRgb xtermColor(quint32 index)
{
    if (index >= 232) {
        const int grey = int(8 + 10 * (index - 232));
        return qRgb(grey, grey, grey);
    }
    const auto level = [](quint32 step) {
        return int(step == 0 ? 0 : 55 + 40 * step);
    };
    const quint32 cube = index - 16;
    return qRgb(level(cube / 36), level(cube / 6 % 6), level(cube % 6));
}

static QColor fromTable(const LogColor &color, const Sixteen &sixteen)
{
    if (color.kind == LogColor::Kind::Rgb)
        return QColor(QRgb(color.value));
    return QColor(color.value < 16 ? sixteen[color.value] : xtermColor(color.value));
}

static bool isDark(const QColor &color)
{
    return contrastRatio(color, Qt::white) > contrastRatio(color, Qt::black);
}

QColor legibleOn(const QColor &behind, const QColor &color, qreal leastRatio)
{
    const QColor goal = isDark(behind) ? Qt::white : Qt::black;
    QColor result = color;
    for (int step = 1; step <= 10 && contrastRatio(behind, result) < leastRatio; ++step)
        result = mixed(color, goal, step / 10.0);
    return result;
}

LogPalette::LogPalette(const QPalette &palette)
    : m_base(palette.color(QPalette::Base))
    , m_text(palette.color(QPalette::Text))
    , m_muted(legibleOn(m_base, mixed(m_text, m_base, 0.4), 4.5))
    , m_selection(palette.color(QPalette::Highlight))
    , m_selectedText(legibleOn(m_selection, palette.color(QPalette::HighlightedText), 3.0))
    , m_foundLine(mixed(m_base, m_selection, 0.25))
    , m_foundMark(legibleOn(m_base, m_selection, leastContrast))
    , m_errorLine(mixed(m_base, QColor(0xE0, 0x40, 0x30), 0.1))
    , m_match(mixed(m_base, m_selection, 0.35))
    , m_dark(isDark(m_base))
{
}

QColor LogPalette::severityColor(LogSeverity severity, const QColor &behind) const
{
    const Sixteen &colors = m_dark ? onDark : onLight;
    const QColor color = severity == LogSeverity::Warning    ? QColor(colors[yellow])
                         : severity == LogSeverity::Error    ? QColor(colors[red])
                         : severity == LogSeverity::Critical ? QColor(colors[magenta])
                                                             : m_text;
    return legibleOn(behind, color, leastContrast);
}

QColor LogPalette::highlight(int index) const
{
    constexpr std::array<QRgb, highlightColors> hues{0xFFE000, 0x40C040, 0x20C0D0,
                                                     0x5090FF, 0xC060FF, 0xFF5050};
    return mixed(m_base, QColor(hues.at(std::size_t(index))), 0.4);
}

QColor LogPalette::background(const LogStyle &style) const
{
    if (style.reverse && style.foreground.kind == LogColor::Kind::Default)
        return m_text;
    if (style.reverse)
        return fromTable(style.foreground, m_dark ? onDark : onLight);
    if (style.background.kind == LogColor::Kind::Default)
        return {};
    return fromTable(style.background, asBackground);
}

QColor LogPalette::foreground(const LogStyle &style, const QColor &behind) const
{
    if (style.reverse) {
        const bool isPlain = style.background.kind == LogColor::Kind::Default;
        return legibleOn(behind, isPlain ? m_base : fromTable(style.background, asBackground), leastContrast);
    }
    const bool plain = style.foreground.kind == LogColor::Kind::Default;
    return legibleOn(behind, plain ? m_text : fromTable(style.foreground, m_dark ? onDark : onLight),
                     leastContrast);
}

QColor LogPalette::ofRank(int member, const QColor &behind) const
{
    const QByteArray look = "\x1b[" + rankColor(member).toByteArray() + "mx";
    return foreground(AnsiDecoder().decode(look).first().style, behind);
}

} // namespace rankdeck
