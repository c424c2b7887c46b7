#include "base/result.h"

#include <cstring>

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

QString errnoWords(int number)
{
    return QString::fromLocal8Bit(std::strerror(number));
}

QString lastLineOf(const QByteArray &output)
{
    return QString::fromUtf8(output.trimmed().split('\n').last()).simplified().left(300);
}

} // namespace rankdeck
