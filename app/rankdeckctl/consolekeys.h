#pragma once

#include <QByteArray>

#include <utility>

namespace rankdeck
{

/// Finds what is meant for the console itself in what is typed: Ctrl-P Ctrl-Q detaches, as with docker, and
/// Ctrl-P Ctrl-K takes the keyboard. A Ctrl-P waits for the key after it.
class ConsoleKeys
{
public:
    /// What of these bytes, and of a Ctrl-P before them, is to be typed.
    QByteArray take(const QByteArray &bytes);
    /// The keys to detach came; nothing after them is to be typed.
    bool isDetached() const { return m_isDetached; }
    /// Whether the keys for the keyboard have come since the last call.
    bool takeKeyboardWish() { return std::exchange(m_wantsKeyboard, false); }

private:
    bool m_isBegun = false;
    bool m_isDetached = false;
    bool m_wantsKeyboard = false;
};

} // namespace rankdeck
