#pragma once

#include "base/tr.h"

#include <optional>
#include <variant>

namespace rankdeck
{

/// Bulk bytes on the stream between a supervisor and an agent, beside the lines of JSON.
struct Frame {
    quint16 channel = 0; ///< What the bytes are for; each user of the stream has one.
    QByteArray bytes;

    bool operator==(const Frame &) const = default;
};

/// The most bytes that a frame may hold.
inline constexpr qsizetype mostFrameBytes = 1024 * 1024;

/// A frame as it is sent: NUL, 'F', the channel in two bytes and the number of bytes in four, both
/// little-endian, then the bytes. No line of text begins like that. It may stand wherever a line may begin.
/// @param bytes at most mostFrameBytes.
QByteArray framed(quint16 channel, QByteArrayView bytes);

/// Splits a stream into lines and frames. Keeps what has not been taken, and at most one unfinished line or
/// frame. Anything else in the stream makes it unusable.
class FrameDecoder
{
public:
    using Item = std::variant<QByteArray, Frame>;

    /// @param longestLine bytes, without the line end.
    explicit FrameDecoder(qsizetype longestLine);

    void add(QByteArrayView bytes);
    /// Returns the next whole line, without its end, or frame; nothing until one is complete.
    std::optional<Item> take();
    /// Returns true after a broken or too large frame or a too long line: take() returns nothing more.
    bool isUnusable() const { return m_isUnusable; }

private:
    std::optional<Item> takeFrame(QByteArrayView rest);
    std::optional<Item> takeLine(QByteArrayView rest);
    void giveUp();

    qsizetype m_longestLine;
    QByteArray m_bytes;
    qsizetype m_taken = 0;    ///< Bytes at the beginning that have been taken.
    qsizetype m_searched = 0; ///< Behind these there is no line end up to here.
    bool m_isUnusable = false;
};

/// A piece of a file that a flight recorder has written on a node that does not share the run directory. The
/// pieces of a file come in order.
struct DumpPiece {
    QString name; ///< The file's, without a folder: letters, digits, "_", "-", "."; not hidden.
    bool isFirst = false;
    QByteArray bytes; ///< At most mostBytes.

    static constexpr qsizetype mostBytes = 512 * 1024;

    QByteArray toBytes() const;
    /// Returns nothing for another text, or a name that could lead elsewhere.
    static std::optional<DumpPiece> fromBytes(QByteArrayView text);
    bool operator==(const DumpPiece &) const = default;
};

} // namespace rankdeck
