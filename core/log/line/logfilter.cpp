#include "log/line/logfilter.h"

#include "log/line/ansidecoder.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

struct Finder {
    LogMatcher matcher;
    bool isNegated;

    bool wants(QByteArrayView line) const { return matcher.isIn(line) != isNegated; }
};

/// Returns true if the line is shown in another form, because of escapes, carriage returns or GBK.
bool isShownOtherwise(QByteArrayView line)
{
    return !line.isValidUtf8() || line.contains('\x1b') || line.contains('\r');
}

} // namespace

struct LogFilter::Content {
    std::vector<std::vector<Finder>> patterns;
    LogSeverity leastSeverity = LogSeverity::None;
    std::optional<LogTime> since;

    bool wantsText(QByteArrayView line) const
    {
        return std::ranges::all_of(patterns, [&](const std::vector<Finder> &any) {
            return std::ranges::any_of(any, [&](const Finder &each) { return each.wants(line); });
        });
    }
};

LogFilter::LogFilter()
    : m_content(std::make_shared<Content>())
{
}

Result<LogFilter> LogFilter::create(const LogFilterSpec &spec)
{
    auto content = std::make_shared<Content>();
    content->leastSeverity = spec.leastSeverity;
    content->since = spec.since;
    for (const std::vector<LogPattern> &any : spec.patterns) {
        std::vector<Finder> &finders = content->patterns.emplace_back();
        for (const LogPattern &pattern : any) {
            const Result<LogMatcher> matcher = LogMatcher::create(pattern);
            if (!matcher)
                return matcher.error();
            finders.push_back({*matcher, pattern.isNegated});
        }
    }
    LogFilter filter;
    filter.m_content = std::move(content);
    return filter;
}

LogFilter LogFilter::both(const LogFilter &one, const LogFilter &other)
{
    auto content = std::make_shared<Content>(*one.m_content);
    const Content &more = *other.m_content;
    content->patterns.insert(content->patterns.end(), more.patterns.begin(), more.patterns.end());
    content->leastSeverity = std::max(content->leastSeverity, more.leastSeverity);
    content->since = std::max(content->since, more.since);
    LogFilter filter;
    filter.m_content = std::move(content);
    return filter;
}

bool LogFilter::wants(QByteArrayView line, const LogLineReader::Line &said) const
{
    if (said.severity < m_content->leastSeverity)
        return false;
    if (m_content->since && (!said.time || *said.time < *m_content->since))
        return false;
    if (m_content->patterns.empty())
        return true;
    if (isShownOtherwise(line))
        return m_content->wantsText(AnsiDecoder::plainText(line).toUtf8());
    return m_content->wantsText(line);
}

bool LogFilter::isEmpty() const
{
    return m_content->patterns.empty() && !needsHeads();
}

bool LogFilter::needsHeads() const
{
    return m_content->leastSeverity != LogSeverity::None || m_content->since;
}

Result<LogSeverity> severityNamed(const QString &name)
{
    static const std::array<std::pair<const char *, LogSeverity>, 6> names{
        {{"debug", LogSeverity::Debug},
         {"info", LogSeverity::Info},
         {"warning", LogSeverity::Warning},
         {"warn", LogSeverity::Warning},
         {"error", LogSeverity::Error},
         {"critical", LogSeverity::Critical}}};
    for (const auto &[word, severity] : names) {
        if (name.compare(QLatin1String(word), Qt::CaseInsensitive) == 0)
            return severity;
    }
    return Error{
        tr("\"%1\" is not a severity").arg(name), {}, tr("Give debug, info, warning, error or critical.")};
}

Result<LogTime> timeGiven(const QString &text, const QDateTime &now)
{
    const QString trimmed = text.trimmed();
    bool isNumber = false;
    const qint64 count = trimmed.chopped(trimmed.isEmpty() ? 0 : 1).toLongLong(&isNumber);
    const qsizetype unit = trimmed.isEmpty() ? -1 : u"smhd"_s.indexOf(trimmed.back());
    if (isNumber && unit >= 0 && count >= 0 && count <= 1000000) {
        constexpr std::array<qint64, 4> seconds{1, 60, 3600, 86400};
        return logTimeOf(now.addSecs(-count * seconds[std::size_t(unit)]));
    }
    const QDate today = now.toLocalTime().date();
    const QString time = trimmed.section(' '_L1, -1).section('T'_L1, -1);
    for (const QString &form : {u"HH:mm:ss.z"_s, u"HH:mm:ss"_s, u"HH:mm"_s}) {
        const QTime clock = QTime::fromString(time, form);
        if (!clock.isValid())
            continue;
        const QString day = trimmed.chopped(time.size()).trimmed().remove('T'_L1);
        const QDate date = day.isEmpty() ? today : QDate::fromString(day, Qt::ISODate);
        if (date.isValid())
            return logTimeOf(QDateTime(date, clock));
    }
    const QDate date = QDate::fromString(trimmed, Qt::ISODate);
    if (date.isValid())
        return logTimeOf(date.startOfDay());
    return Error{tr("\"%1\" is not a time").arg(text),
                 {},
                 tr("Give e.g. 14:22, \"2024-12-26 14:22:26\", or 10m for ten minutes ago.")};
}

} // namespace rankdeck
