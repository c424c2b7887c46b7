#include "logoptions.h"

#include "numberranges.h"

#include <QCoreApplication>
#include <QDateTime>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("logoptions", text);
}

/// An error of the value of an option.
Error inOption(Error error, const char *option)
{
    const QString name = QLatin1String(option);
    error.where = error.where.isEmpty() ? name : QStringLiteral("%1 %2").arg(name, error.where);
    return error;
}

Result<LogFilter> filterFrom(const Options &options)
{
    LogFilterSpec spec;
    const bool isRegex = !options.has("--fixed-strings");
    const bool caseSensitive = !options.has("--ignore-case");
    const QStringList wanted = options.list("--grep");
    for (const QString &text : wanted) {
        if (spec.patterns.empty() || options.has("--all-match"))
            spec.patterns.emplace_back();
        spec.patterns.back().push_back({text, isRegex, caseSensitive, false});
    }
    const QStringList unwanted = options.list("--exclude");
    for (const QString &text : unwanted)
        spec.patterns.push_back({{text, isRegex, caseSensitive, true}});
    if (options.hasValue("--level")) {
        const auto severity = severityNamed(options.value("--level"));
        if (!severity)
            return inOption(severity.error(), "--level");
        spec.leastSeverity = *severity;
    }
    if (options.hasValue("--since")) {
        const auto time = timeGiven(options.value("--since"), QDateTime::currentDateTime());
        if (!time)
            return inOption(time.error(), "--since");
        spec.since = *time;
    }
    const auto filter = LogFilter::create(spec);
    if (!filter)
        return inOption(filter.error(), wanted.isEmpty() ? "--exclude" : "--grep");
    return *filter;
}

} // namespace

QString logsUsage()
{
    return tr(
        "Usage: rankdeckctl logs RUN [options]\n"
        "       rankdeckctl logs --open DIR [options]\n"
        "\n"
        "Prints the logs of a run, or those that any launcher left in DIR, whole lines with their rank.\n"
        "\n"
        "Which logs:\n"
        "  --rank R,…            of these ranks: 3, or 0,4-7; a single one is printed without its name\n"
        "  --scheduler           the scheduler's\n"
        "  --stderr              standard error alone, where it has a file of its own\n"
        "  --attempt N           of the Nth attempt, from 0; else of the newest\n"
        "  --tail N              of each log the last N lines that are there\n"
        "  --follow              go on with what is added, until the run has ended\n"
        "\n"
        "In which order:\n"
        "  --merge               all logs in one, by the time stamps of their lines\n"
        "  --fold                merged, and what several ranks print alike once, with these ranks\n"
        "\n"
        "Which lines:\n"
        "  --grep PATTERN        those that match; given again: those that match any of them\n"
        "  --all-match           those that match all of them\n"
        "  --exclude PATTERN     not those that match; may be given again\n"
        "  --ignore-case         upper and lower case are the same\n"
        "  --fixed-strings       patterns are the text itself, no regular expressions (RE2)\n"
        "  --level LEVEL         debug, info, warning, error or critical, and worse\n"
        "  --since TIME          not before 14:22, \"2024-12-26 14:22:26\", or 10m (s, h, d) ago\n"
        "\n"
        "  --color WHEN          auto (on a terminal, unless NO_COLOR is set), always, never\n"
        "\n"
        "A line without a stamp or level has those of the line before it in its log.");
}

Result<LogOptions> readLogOptions(const Options &options)
{
    LogOptions wanted;
    wanted.scheduler = options.has("--scheduler");
    if (options.hasValue("--rank")) {
        const auto ranks = numbersFromRanges(options.value("--rank"));
        if (!ranks)
            return Error{tr("\"%1\" are no ranks").arg(options.value("--rank")), QStringLiteral("--rank"),
                         tr("Give for example 3, or 0,4-7.")};
        wanted.ranks.assign(ranks->begin(), ranks->end());
    }
    if (!wanted.ranks.empty() && wanted.scheduler)
        return Error{tr("a rank and the scheduler exclude each other"), QStringLiteral("--scheduler"),
                     tr("Give one of them.")};
    const auto filter = filterFrom(options);
    if (!filter)
        return filter.error();
    const QString color = options.hasValue("--color") ? options.value("--color") : QStringLiteral("auto");
    if (!QStringList{QStringLiteral("auto"), QStringLiteral("always"), QStringLiteral("never")}.contains(
            color))
        return Error{tr("\"%1\" is no choice of colours").arg(color), QStringLiteral("--color"),
                     tr("Give auto, always or never.")};
    wanted.view.filter = *filter;
    wanted.view.isFolded = options.has("--fold");
    wanted.view.isMerged = options.has("--merge") || wanted.view.isFolded;
    wanted.view.isColored = usesColor(color);
    wanted.hasView = wanted.view.isMerged || wanted.view.isColored || !filter->isEmpty();
    return wanted;
}

} // namespace rankdeck
