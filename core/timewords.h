#pragma once

#include <QDateTime>
#include <QString>

namespace rankdeck
{

/// How long ago, coarsely: "now", "3 min", "2 h", "5 d". A time in the future (another host's clock) is
/// "now".
QString ageText(const QDateTime &when, const QDateTime &now);

/// A duration to the second: "0:07", "12:34", "1:02:03", "3 d 1:02:03". Negative durations are shown as 0.
QString elapsedText(qint64 seconds);

} // namespace rankdeck
