#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns text as a terminal may get it that must not obey the program which printed it: colours (SGR),
/// tabs, line ends and carriage returns as they are, each other control character spelled out, "^[" or
/// "\\u202e", and so is what changes the direction of text. Bytes that are not UTF-8 become U+FFFD.
QByteArray terminalText(QByteArrayView text);

} // namespace rankdeck
