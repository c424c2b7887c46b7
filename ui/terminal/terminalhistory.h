#pragma once

#include "terminal/terminalline.h"

#include <deque>
#include <vector>

namespace rankdeck
{

/// The lines that have left a terminal at its top, packed: a line of 80 characters takes less than 500 bytes.
class TerminalHistory
{
public:
    /// Lines that are kept; the oldest go first.
    static constexpr qint64 mostLines = 10'000;

    qint64 size() const { return static_cast<qint64>(m_lines.size()); }
    /// How many have gone.
    qint64 dropped() const { return m_dropped; }
    void push(const TerminalLine &line);
    /// The youngest; there must be one.
    TerminalLine pop();
    /// 0: the oldest that is there.
    TerminalLine line(qint64 index) const { return unpacked(m_lines[static_cast<std::size_t>(index)]); }

private:
    /// Cells that look alike.
    struct Look {
        LogStyle style;
        bool isInverse = false;
        bool operator==(const Look &) const = default;
    };
    struct Packed {
        std::vector<char32_t> characters;        ///< Each cell's first one with its width, followed by marks.
        std::vector<std::pair<int, Look>> looks; ///< How many cells have it.
        bool isFull = false;
    };
    static TerminalLine unpacked(const Packed &packed);

    std::deque<Packed> m_lines;
    qint64 m_dropped = 0;
};

} // namespace rankdeck
