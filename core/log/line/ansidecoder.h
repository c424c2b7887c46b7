#pragma once

#include "base/tr.h"

#include <optional>

namespace rankdeck
{

/// Returns whether a byte is in a range, both ends included.
inline bool isBetween(char c, int low, int high)
{
    return uchar(c) >= low && uchar(c) <= high;
}

/// Returns the text of a line in GBK, the encoding of Chinese Windows and of old terminals; nothing if it is
/// not GBK. Almost any two bytes are a GBK character, so half of those beyond ASCII must be in GB 2312, the
/// set in common use. Decoded by iconv(3), if the C library has GBK.
std::optional<QString> gbkText(QByteArrayView line);

/// A colour: the default, one of the terminal's 256, or RGB.
struct LogColor {
    enum class Kind : quint8 { Default, Indexed, Rgb };

    Kind kind = Kind::Default;
    quint32 value = 0; ///< Index 0..255, or 0xRRGGBB.

    bool operator==(const LogColor &) const = default;
};

/// Colours and weight of a stretch of a log line (SGR, ECMA-48 8.3.117).
struct LogStyle {
    LogColor foreground;
    LogColor background;
    bool bold = false;
    bool underline = false;
    bool reverse = false; ///< Text and background change places.

    bool operator==(const LogStyle &) const = default;
};

/// Text of one style. Free of control characters.
struct LogRun {
    QString text;
    LogStyle style;

    bool operator==(const LogRun &) const = default;
};

/// Turns the bytes of one log line into the text that a terminal would show. Every line starts in the default
/// style, because lines are decoded in any order.
///
/// Kept: SGR 0, 1, 4, 7, 22, 24, 27, 30-49, 90-107 with 38/48 by index and RGB. Every other escape sequence
/// is dropped. A line that is not UTF-8 but GBK is read as GBK; other invalid bytes become U+FFFD, control
/// characters their pictures (U+2400 block), a tab spaces up to the next multiple of 8 cells. A carriage
/// return overwrites what stands before it: the last segment that is not blank is shown.
class AnsiDecoder
{
public:
    /// Returns how many cells a code point takes; needed for tabs.
    using CellWidth = int (*)(char32_t);

    /// Without `cellWidth` every code point counts as one cell.
    explicit AnsiDecoder(CellWidth cellWidth = nullptr)
        : m_cellWidth(cellWidth)
    {
    }

    QList<LogRun> decode(QByteArrayView line) const;
    /// Returns the text of decode() without styles.
    static QString plainText(QByteArrayView line);

private:
    CellWidth m_cellWidth;
};

} // namespace rankdeck
