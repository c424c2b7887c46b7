#include "terminal/screen/terminalguard.h"

#include <algorithm>

namespace rankdeck
{

constexpr char escape = '\x1b';
constexpr char cancel = '\x18';
constexpr char substitute = '\x1a'; ///< Also cancels a sequence.

/// Control characters are allowed within a sequence and take effect there.
static bool isControl(char byte)
{
    return static_cast<unsigned char>(byte) < 0x20 || byte == '\x7f';
}

/// Counts a byte of a control sequence against the limits.
bool TerminalGuard::isPassedOn(char byte)
{
    if (byte == ';' || byte == ':') {
        m_digits = 0;
        return ++m_parameters <= mostParameters;
    }
    if (byte < '0' || byte > '9')
        return isControl(byte) || ++m_others <= mostOthers;
    if (m_parameters > mostParameters || ++m_digits > mostDigits)
        return false;
    if (m_parameters == 1)
        m_first = m_first * 10 + (byte - '0');
    return true;
}

QList<TerminalGuard::Part> TerminalGuard::parts(QByteArrayView printed)
{
    // Well-formed UTF-8 without 8-bit control characters.
    QString text = m_decoder(printed);
    text.removeIf([](QChar c) { return c.unicode() >= 0x80 && c.unicode() < 0xA0; });
    const QByteArray bytes = text.toUtf8();
    QList<Part> parts(1);
    const auto endPart = [&](Part::Then then) {
        parts.last().then = then;
        parts.last().count = std::max(1, m_first);
        parts.append(Part());
    };
    for (qsizetype at = 0; at < bytes.size(); ++at) {
        const char byte = bytes[at];
        if (m_state == State::Text && byte != escape) {
            const qsizetype found = bytes.indexOf(escape, at);
            const qsizetype end = found < 0 ? bytes.size() : found;
            parts.last().bytes += QByteArrayView(bytes).sliced(at, end - at);
            at = end - 1;
        } else if (byte == escape) {
            m_state = State::Escape;
            m_parameters = 1;
            m_digits = 0;
            m_others = 0;
            m_first = 0;
            parts.last().bytes += byte;
        } else if (byte == cancel || byte == substitute) {
            m_state = State::Text;
            parts.last().bytes += byte;
        } else if (static_cast<unsigned char>(byte) >= 0x80) {
            // Text ends a sequence.
            m_state = State::Text;
            parts.last().bytes.append(cancel).append(byte);
        } else if (m_state == State::Sequence && byte >= '@' && byte <= '~') {
            // The byte ends the sequence.
            m_state = State::Text;
            parts.last().bytes += byte == 'b' ? cancel : byte;
            if (byte == 'b')
                endPart(Part::Then::Repeat);
            else if (byte == 'u' || byte == 'l')
                endPart(Part::Then::CheckCursor);
        } else if (m_state == State::Sequence || isControl(byte)) {
            if (isPassedOn(byte))
                parts.last().bytes += byte;
        } else if (byte >= ' ' && byte <= '/') {
            // ESC ( B and its like.
            if (++m_others <= mostOthers)
                parts.last().bytes += byte;
        } else {
            m_state = byte == '[' ? State::Sequence : State::Text;
            parts.last().bytes += byte;
            if (byte == '8')
                endPart(Part::Then::CheckCursor);
        }
    }
    return parts;
}

} // namespace rankdeck
