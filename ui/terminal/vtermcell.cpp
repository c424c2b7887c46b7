#include "terminal/vtermcell.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

/// The right half of a wide character, as libvterm marks it.
constexpr uint32_t rightHalf = static_cast<uint32_t>(-1);

LogColor fromVTerm(const VTermColor &color)
{
    if ((color.type & VTERM_COLOR_DEFAULT_MASK) != 0)
        return {};
    if (VTERM_COLOR_IS_INDEXED(&color))
        return {LogColor::Kind::Indexed, color.indexed.idx};
    return {LogColor::Kind::Rgb, static_cast<quint32>(color.rgb.red) << 16 |
                                     static_cast<quint32>(color.rgb.green) << 8 | color.rgb.blue};
}

VTermColor toVTerm(const LogColor &color, const VTermColor &usual)
{
    VTermColor result = usual;
    if (color.kind == LogColor::Kind::Indexed)
        vterm_color_indexed(&result, static_cast<uint8_t>(color.value));
    else if (color.kind == LogColor::Kind::Rgb)
        vterm_color_rgb(&result, static_cast<uint8_t>(color.value >> 16),
                        static_cast<uint8_t>(color.value >> 8), static_cast<uint8_t>(color.value));
    return result;
}

} // namespace

TerminalCell fromVTerm(const VTermScreenCell &cell)
{
    TerminalCell result;
    if (cell.chars[0] == rightHalf) {
        result.width = 0;
    } else {
        result.width = static_cast<quint8>(std::clamp<int>(cell.width, 1, 2));
        std::copy_n(cell.chars, result.characters.size(), result.characters.begin());
    }
    result.style.foreground = fromVTerm(cell.fg);
    result.style.background = fromVTerm(cell.bg);
    result.style.bold = cell.attrs.bold != 0;
    result.style.underline = cell.attrs.underline != VTERM_UNDERLINE_OFF;
    result.isInverse = cell.attrs.reverse != 0;
    return result;
}

VTermScreenCell toVTerm(const TerminalCell &cell, const VTermColor &foreground, const VTermColor &background)
{
    VTermScreenCell result{};
    if (cell.width == 0)
        result.chars[0] = rightHalf;
    else
        std::copy(cell.characters.begin(), cell.characters.end(), std::begin(result.chars));
    result.width = static_cast<char>(std::max<quint8>(1, cell.width));
    result.attrs.bold = cell.style.bold ? 1U : 0U;
    result.attrs.underline = cell.style.underline ? VTERM_UNDERLINE_SINGLE : VTERM_UNDERLINE_OFF;
    result.attrs.reverse = cell.isInverse ? 1U : 0U;
    result.fg = toVTerm(cell.style.foreground, foreground);
    result.bg = toVTerm(cell.style.background, background);
    return result;
}

} // namespace rankdeck
