#pragma once

#include <QByteArrayView>
#include <QStringDecoder>

#include <optional>

namespace rankdeck
{

/// What a program prints, before libvterm 0.1.4 sees it, which can be made to write where it must not. Known
/// are: a wide character that is repeated (REP, ECMA-48 8.3.103: CSI count b) beyond its row; a cursor that
/// is restored where a larger screen once was; control characters of 8 bits as UTF-8, and UTF-8
/// that is interrupted.
class TerminalGuard
{
public:
    /// Well-formed UTF-8 without control characters of 8 bits; a character that was begun comes with its end.
    QByteArray cleaned(QByteArrayView bytes);

    /// What needs care in what was cleaned.
    struct Found {
        enum class What { Repeat, Restore };
        What what = What::Repeat;
        qsizetype final = 0; ///< Where the sequence's last byte is.
        int count = 1;       ///< Of a Repeat, 1 .. 9999.
    };
    /// The first in what follows on what was given before; `bytes` are not looked at behind it. What only
    /// looks like one, as in a title, is found too.
    std::optional<Found> find(QByteArrayView bytes);

private:
    enum class State { Text, Escape, Sequence };

    QStringDecoder m_decoder{QStringDecoder::Utf8};
    State m_state = State::Text;
    int m_count = 0;
};

} // namespace rankdeck
