#pragma once

#include "base/tr.h"

#include <QStringDecoder>

namespace rankdeck
{

/// Filters a program's output for libvterm 0.1.4, because some makes it write out of bounds: a wide character
/// repeated (REP, ECMA-48 8.3.103) beyond its row; a cursor restored to where a larger screen was; sequences
/// of more than 16 parameters; 8-bit control characters in UTF-8; interrupted UTF-8.
class TerminalGuard
{
public:
    /// Limits of a control sequence: parameters, digits of each, other bytes before the final one.
    static constexpr int mostParameters = 16;
    static constexpr int mostDigits = 5;
    static constexpr int mostOthers = 4;

    struct Part {
        enum class Then { Nothing, Repeat, CheckCursor };
        QByteArray bytes; ///< Safe to write to libvterm.
        Then then = Then::Nothing;
        int count = 1; ///< Repetitions of the last character.
    };
    /// Splits the next output into parts that are safe.
    QList<Part> parts(QByteArrayView printed);

private:
    enum class State { Text, Escape, Sequence };

    bool isPassedOn(char byte);

    QStringDecoder m_decoder{QStringDecoder::Utf8};
    State m_state = State::Text;
    int m_parameters = 0; ///< Parameters of the sequence so far, like the following members.
    int m_digits = 0;
    int m_others = 0;
    int m_first = 0; ///< Value of the first parameter.
};

} // namespace rankdeck
