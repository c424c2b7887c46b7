#pragma once

#include <QByteArrayView>
#include <QString>

#include <optional>

namespace rankdeck
{

/// The text of a line in GBK, the encoding of Chinese Windows and of old terminals; nothing where it is not.
/// As almost any two bytes are a character of GBK, half of those beyond ASCII must be ones of GB 2312, which
/// has what is in use. Decoded by iconv(3) of the C library, where it has GBK.
std::optional<QString> gbkText(QByteArrayView line);

} // namespace rankdeck
