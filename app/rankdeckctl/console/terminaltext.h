#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns text in a form that cannot control the terminal: colours (SGR), tabs, line ends and carriage
/// returns stay, each other control character is spelled out, "^[" or "\\u202e", and so are characters that
/// change the direction of text. Bytes that are not UTF-8 become U+FFFD.
QByteArray terminalText(QByteArrayView text);

} // namespace rankdeck
