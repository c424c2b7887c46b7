#pragma once

#include <QByteArrayView>

namespace rankdeck
{

/// The offset behind the closing quote of the string token that begins at `begin`; the text's length when it
/// is never closed.
inline qsizetype endOfJsonString(QByteArrayView text, qsizetype begin)
{
    for (qsizetype at = begin + 1; at < text.size();) {
        const qsizetype quote = text.indexOf('"', at);
        if (quote < 0)
            break;
        const qsizetype escape = text.sliced(at, quote - at).indexOf('\\');
        if (escape < 0)
            return quote + 1;
        at += escape + 2;
    }
    return text.size();
}

} // namespace rankdeck
