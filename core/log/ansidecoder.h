#pragma once

#include <QByteArrayView>
#include <QList>
#include <QString>

namespace rankdeck
{

/// A colour as a program asked for it: none, one of the terminal's 256, or RGB.
struct LogColor {
    enum class Kind : quint8 { Default, Indexed, Rgb };

    Kind kind = Kind::Default;
    quint32 value = 0; ///< Index 0..255, or 0xRRGGBB.

    bool operator==(const LogColor &) const = default;
};

/// How a stretch of a log line wants to look (SGR, ECMA-48 8.3.117).
struct LogStyle {
    LogColor foreground;
    LogColor background;
    bool bold = false;
    bool underline = false;

    bool operator==(const LogStyle &) const = default;
};

/// Text of one look. Free of control characters.
struct LogRun {
    QString text;
    LogStyle style;

    bool operator==(const LogRun &) const = default;
};

/// Turns the bytes of one log line into what a terminal would leave on the screen. Every line starts in the
/// default look, as lines are decoded in any order.
///
/// Kept: SGR 0, 1, 4, 22, 24, 30-49, 90-107 with 38/48 by index and RGB. Every other escape sequence is
/// dropped. A line that is no UTF-8 but is GBK is read as GBK;
/// other bytes that are not UTF-8 become U+FFFD, control characters their pictures (U+2400 block), a tab
/// spaces up to the next multiple of 8 cells. What follows a carriage return overwrites what was before: the
/// last segment with something on it is shown.
class AnsiDecoder
{
public:
    /// Cells that a code point takes; tabs need it.
    using CellWidth = int (*)(char32_t);

    /// Without `cellWidth` every code point counts as one cell.
    explicit AnsiDecoder(CellWidth cellWidth = nullptr)
        : m_cellWidth(cellWidth)
    {
    }

    QList<LogRun> decode(QByteArrayView line) const;
    /// The text of decode() alone.
    static QString plainText(QByteArrayView line);

private:
    CellWidth m_cellWidth;
};

} // namespace rankdeck
