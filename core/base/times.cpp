#include "base/times.h"

#include <algorithm>

namespace rankdeck
{

constexpr qint64 minute = 60;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;

QString clockText(const QDateTime &time)
{
    return time.toLocalTime().toString(u"HH:mm:ss"_s);
}

QString jsonTime(const QDateTime &time)
{
    return time.isValid() ? time.toUTC().toString(Qt::ISODateWithMs) : QString();
}

QString ageText(const QDateTime &when, const QDateTime &now)
{
    if (!when.isValid())
        return {};
    const qint64 seconds = when.secsTo(now);
    if (seconds < minute)
        return tr("now");
    if (seconds < hour)
        return tr("%1 min").arg(seconds / minute);
    return seconds < day ? tr("%1 h").arg(seconds / hour) : tr("%1 d").arg(seconds / day);
}

QString elapsedText(qint64 seconds)
{
    seconds = std::max<qint64>(seconds, 0);
    const QLatin1Char zero('0');
    const QString tail = u"%1:%2"_s.arg(seconds % hour / minute, seconds < hour ? 1 : 2, 10, zero)
                             .arg(seconds % minute, 2, 10, zero);
    if (seconds < hour)
        return tail;
    const QString clock = u"%1:%2"_s.arg(seconds % day / hour).arg(tail);
    return seconds < day ? clock : tr("%1 d %2").arg(seconds / day).arg(clock);
}

} // namespace rankdeck
