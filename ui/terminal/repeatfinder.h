#pragma once

#include <QByteArrayView>

#include <optional>

namespace rankdeck
{

/// Finds where a program asks to have its last character again (REP, ECMA-48 8.3.103: CSI count b). libvterm
/// 0.1.4 writes beyond the row when that is a wide one, so it must not see these. Keeps what it needs
/// of a sequence that was begun; one inside of a string, such as a title, is found too.
class RepeatFinder
{
public:
    struct Found {
        qsizetype final = 0; ///< Where the sequence's last byte is.
        int count = 1;       ///< 1 .. 9999
    };
    /// The first in what follows on what was given before; of `bytes` nothing is looked at behind it.
    std::optional<Found> find(QByteArrayView bytes);

private:
    enum class State { Text, Escape, Sequence };

    State m_state = State::Text;
    int m_count = 0;
};

} // namespace rankdeck
