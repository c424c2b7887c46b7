#include "base/result.h"

#include "base/listcomma.h"

#include <cstring>

namespace rankdeck
{

QString Error::sentence() const
{
    QString text = what;
    if (!where.isEmpty())
        text = withColon(where, text);
    if (mend.isEmpty())
        return text;
    const bool isSentence = text.endsWith(QLatin1Char('.')) || text.endsWith(QChar(0x3002));
    return (isSentence ? tr("%1 %2", "error with a full stop, advice") : tr("%1. %2", "error, advice"))
        .arg(text, mend);
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
