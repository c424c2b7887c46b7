#include "result.h"

namespace rankdeck
{

QString Error::sentence() const
{
    QString text = what;
    if (!where.isEmpty())
        text = where + QStringLiteral(": ") + text;
    if (!mend.isEmpty()) {
        if (!text.endsWith(QLatin1Char('.')))
            text += QLatin1Char('.');
        text += QLatin1Char(' ') + mend;
    }
    return text;
}

} // namespace rankdeck
