#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace rankdeck
{

/// Cuts a stream of bytes into lines. Whoever sends a line that does not end makes the stream useless instead
/// of filling our memory.
class LineBuffer
{
public:
    /// @param longestLine bytes, without the line end.
    explicit LineBuffer(qsizetype longestLine);

    void add(QByteArrayView bytes);
    /// Of the lines that are taken from now on.
    void setLongestLine(qsizetype bytes) { m_longestLine = bytes; }
    /// The next whole line, without its end; nothing until there is one.
    std::optional<QByteArray> take();
    /// A line is longer than any may be. There will be no further line.
    bool isOverlong() const { return m_isOverlong; }

private:
    qsizetype m_longestLine;
    QByteArray m_bytes;
    qsizetype m_searched = 0; ///< Up to here there is no line end.
    bool m_isOverlong = false;
};

} // namespace rankdeck
