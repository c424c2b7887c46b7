#include "consolekeys.h"

#include <utility>

namespace rankdeck
{

namespace
{

constexpr char ctrlK = 0x0b;
constexpr char ctrlP = 0x10;
constexpr char ctrlQ = 0x11;

} // namespace

QByteArray ConsoleKeys::take(const QByteArray &bytes)
{
    QByteArray typed;
    for (const char key : bytes) {
        if (m_isDetached)
            break;
        const bool wasBegun = std::exchange(m_isBegun, false);
        if (wasBegun && key == ctrlQ) {
            m_isDetached = true;
        } else if (wasBegun && key == ctrlK) {
            m_wantsKeyboard = true;
        } else if (key == ctrlP && !wasBegun) {
            m_isBegun = true;
        } else {
            if (wasBegun)
                typed += ctrlP;
            typed += key;
        }
    }
    return typed;
}

} // namespace rankdeck
