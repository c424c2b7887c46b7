#include "log/loglinereader.h"

#include <QDate>
#include <QDateTime>

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

constexpr qint64 dayMicroseconds = 86400LL * 1000 * 1000;
constexpr qint64 epochDay = 2440588; ///< Julian day of 1970-01-01.
constexpr QByteArrayView tracebackHead("Traceback (most recent call last):");

/// The last such moment up to a day after `reference`: clocks differ.
LogTime inLastYear(const LogLineHead::YearlessTime &time, LogTime reference)
{
    const qint64 latest = reference.value + dayMicroseconds;
    const int year = QDateTime::fromMSecsSinceEpoch(latest / 1000, Qt::UTC).date().year();
    const auto in = [&](int which) {
        return dayMicroseconds * (QDate(which, time.month, 1).toJulianDay() - epochDay + time.day - 1) +
               time.microseconds;
    };
    return LogTime(in(year) <= latest ? in(year) : in(year - 1));
}

} // namespace

LogLineReader::Line LogLineReader::read(QByteArrayView line)
{
    const LogLineHead head = readLogLineHead(line);
    if (head.time) {
        m_last.time = head.time;
        m_reference = *head.time;
    } else if (head.yearless) {
        m_last.time = inLastYear(*head.yearless, m_reference);
    }
    const bool isBehindErrorHead = std::exchange(m_isBehindErrorHead, false);
    if (head.saysAnything()) {
        m_isInTraceback = false;
        m_last.severity = head.severity;
        m_isBehindErrorHead = head.severity >= LogSeverity::Error;
        return {m_last.severity, m_last.time, Source::Head};
    }
    const QByteArrayView text = line.sliced(rankPrefixSize(line));
    const bool isFirst = text.startsWith(tracebackHead);
    if (!isFirst && !m_isInTraceback)
        return m_last;
    m_isInTraceback = isFirst || text.isEmpty() || text.front() == ' ';
    const bool begins = isFirst && !isBehindErrorHead;
    return {std::max(m_last.severity, LogSeverity::Error), m_last.time,
            begins ? Source::TracebackBegin : Source::Traceback};
}

} // namespace rankdeck
