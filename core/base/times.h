#pragma once

#include "base/tr.h"

#include <QDateTime>
#include <QTimeZone>

namespace rankdeck
{

// Times in UTC that print as such ("Z"). Qt 6.4 knows them by Qt::UTC alone and newer versions deprecate it
// in favour of a time zone; toUTC() is the same in both.

/// @param ms milliseconds since 1970.
inline QDateTime utcTime(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms, QTimeZone::utc()).toUTC();
}

inline QDateTime utcTime(const QDate &date, const QTime &time)
{
    return QDateTime(date, time, QTimeZone::utc()).toUTC();
}

/// Returns the time of day here: "14:03:59".
QString clockText(const QDateTime &time);

/// Returns the time as JSON has it, in UTC; empty if it is invalid.
QString jsonTime(const QDateTime &time);

/// Returns how long ago, coarsely: "now", "3 min", "2 h", "5 d". The future (of another clock) is "now".
QString ageText(const QDateTime &when, const QDateTime &now);

/// Returns a duration to the second: "0:07", "12:34", "1:02:03", "3 d 1:02:03". Negative ones are shown as 0.
QString elapsedText(qint64 seconds);

} // namespace rankdeck
