#include "base/filename.h"

namespace rankdeck
{

QString asFileName(QString name)
{
    for (QChar &letter : name) {
        if (letter == '/'_L1 || letter.unicode() < 0x20 || letter.unicode() == 0x7f)
            letter = '_'_L1;
    }
    return name.startsWith('.'_L1) ? '_'_L1 + name : name;
}

} // namespace rankdeck
