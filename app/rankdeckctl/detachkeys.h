#pragma once

#include <QByteArray>

namespace rankdeck
{

/// Finds Ctrl-P Ctrl-Q, docker's keys, in what is typed. A Ctrl-P waits for the key after it.
class DetachKeys
{
public:
    /// What of these bytes, and of a Ctrl-P before them, is to be typed.
    QByteArray take(const QByteArray &bytes);
    /// The keys came; nothing after them is to be typed.
    bool isDetached() const { return m_isDetached; }

private:
    bool m_isBegun = false;
    bool m_isDetached = false;
};

} // namespace rankdeck
