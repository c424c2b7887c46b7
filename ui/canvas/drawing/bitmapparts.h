#pragma once

#include <QImage>
#include <QRect>

#include <vector>

namespace rankdeck
{

/// A part of an image that can be sent to an X server in one way.
struct BitmapPart {
    enum class Kind {
        Fill,   ///< One colour, the background.
        Bitmap, ///< Two colours: a bit for each pixel.
        Pixels, ///< More.
    };
    QRect area;
    Kind kind = Kind::Fill;
    QRgb background = 0;
    QRgb foreground = 0;

    bool operator==(const BitmapPart &) const = default;
};

/// Cut `area` of an image (Format_RGB32), in which text stands in cells of this size, into parts that take
/// few bytes. Bitmaps and pixels lie on fills that come before them. All in device pixels.
std::vector<BitmapPart> bitmapParts(const QImage &image, const QRect &area, const QSize &cell);

/// A bit for each pixel of the part's area, set where it has the foreground. Each row begins with a byte of
/// its own, `padBits` are a multiple of that and of the row; the first pixel is the least significant bit or
/// the most significant one.
std::vector<uint8_t> bitmapBits(const QImage &image, const BitmapPart &part, int padBits, bool leastFirst);

} // namespace rankdeck
