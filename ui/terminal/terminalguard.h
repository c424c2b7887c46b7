#pragma once

#include <QByteArray>
#include <QList>
#include <QStringDecoder>

namespace rankdeck
{

/// What a program prints on its way to libvterm 0.1.4, which some of it makes write where it must not. Known
/// are: a wide character that is repeated (REP, ECMA-48 8.3.103) beyond its row; a cursor that is restored
/// where a larger screen once was; control sequences of more than 16 parameters; control characters of 8 bits
/// in UTF-8, and UTF-8 that is interrupted.
class TerminalGuard
{
public:
    /// Parameters of a control sequence that are passed on, digits of each, and other bytes before its last.
    static constexpr int mostParameters = 16;
    static constexpr int mostDigits = 5;
    static constexpr int mostOthers = 4;

    struct Part {
        enum class Then { Nothing, Repeat, LookAtCursor };
        QByteArray bytes; ///< Can be written.
        Then then = Then::Nothing;
        int count = 1; ///< The last character again, as often as this.
    };
    /// What to do with what was printed next.
    QList<Part> parts(QByteArrayView printed);

private:
    enum class State { Text, Escape, Sequence };

    bool isPassedOn(char byte);
    void begin();

    QStringDecoder m_decoder{QStringDecoder::Utf8};
    State m_state = State::Text;
    int m_parameters = 0; ///< Of the sequence so far, as the others.
    int m_digits = 0;
    int m_others = 0;
    int m_first = 0; ///< The value of its first parameter.
};

} // namespace rankdeck
