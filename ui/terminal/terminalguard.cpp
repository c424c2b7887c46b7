#include "terminal/terminalguard.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr char escape = '\x1b';
constexpr int mostCount = 9999;

bool isDigit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/// Of a control sequence.
bool isFinal(char byte)
{
    return byte >= '@' && byte <= '~';
}

bool givesUp(char byte)
{
    return byte == '\x18' || byte == '\x1a';
}

} // namespace

QByteArray TerminalGuard::cleaned(QByteArrayView bytes)
{
    QString text = m_decoder(bytes);
    const auto isControl = [](QChar c) {
        return c.unicode() >= 0x80 && c.unicode() < 0xA0;
    };
    text.removeIf(isControl);
    return text.toUtf8();
}

std::optional<TerminalGuard::Found> TerminalGuard::find(QByteArrayView bytes)
{
    for (qsizetype at = 0; at < bytes.size(); ++at) {
        const char byte = bytes[at];
        if (byte == escape) {
            m_state = State::Escape;
        } else if (m_state == State::Text) {
            const qsizetype next = bytes.indexOf(escape, at);
            if (next < 0)
                return {};
            at = next - 1;
        } else if (givesUp(byte)) {
            m_state = State::Text;
        } else if (m_state == State::Escape) {
            // Control characters may stand in between.
            if (byte == '[') {
                m_state = State::Sequence;
                m_count = 0;
            } else if (static_cast<unsigned char>(byte) >= 0x20 && byte != '\x7f') {
                m_state = State::Text;
                if (byte == '8')
                    return Found{Found::What::Restore, at};
            }
        } else if (isDigit(byte)) {
            m_count = std::min(mostCount, m_count * 10 + (byte - '0'));
        } else if (isFinal(byte)) {
            m_state = State::Text;
            if (byte == 'b')
                return Found{Found::What::Repeat, at, std::max(1, m_count)};
            if (byte == 'u' || byte == 'l')
                return Found{Found::What::Restore, at};
        }
    }
    return {};
}

} // namespace rankdeck
