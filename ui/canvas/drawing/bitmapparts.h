#pragma once

#include "base/tr.h"

#include <QImage>
#include <QRect>

#include <vector>

namespace rankdeck
{

/// A part of an image that can be sent to an X server in one way.
struct BitmapPart {
    enum class Kind {
        Fill,   ///< One colour, the background.
        Bitmap, ///< Two colours: one bit per pixel.
        Pixels, ///< More than two colours.
    };
    QRect area;
    Kind kind = Kind::Fill;
    QRgb background = 0;
    QRgb foreground = 0;

    bool operator==(const BitmapPart &) const = default;
};

/// Cuts `area` of an image (Format_RGB32) with text in cells of size `cell` into parts that take few bytes. A
/// fill that a bitmap lies on comes before it. All in device pixels.
std::vector<BitmapPart> bitmapParts(const QImage &image, const QRect &area, const QSize &cell);

/// Returns one bit per pixel of the part's area, set where it has the foreground colour. Each row is padded
/// to a multiple of `padBits` (itself a multiple of 8); the first pixel is the least significant bit if
/// `leastFirst`, else the most significant one.
std::vector<uint8_t> bitmapBits(const QImage &image, const BitmapPart &part, int padBits, bool leastFirst);

} // namespace rankdeck
