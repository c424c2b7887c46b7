#include "base/filename.h"

namespace rankdeck
{

QString asFileName(QString name)
{
    for (QChar &letter : name) {
        if (letter == QLatin1Char('/') || letter.unicode() < 0x20 || letter.unicode() == 0x7f)
            letter = QLatin1Char('_');
    }
    return name.startsWith(QLatin1Char('.')) ? QLatin1Char('_') + name : name;
}

} // namespace rankdeck
