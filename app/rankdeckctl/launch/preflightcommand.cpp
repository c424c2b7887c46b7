#include "base/json.h"
#include "launch/nodes/planlaunch.h"
#include "preflight/preflight.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/launch/launchreading.h"

namespace rankdeck
{

namespace
{

constexpr int failedChecks = 1;
constexpr int longestLimit = 3600;

QString usage()
{
    return tr(
        "Usage: rankdeckctl preflight [options] LAUNCHER …   look whether a launch would find what it "
        "needs\n"
        "\n"
        "LAUNCHER … are the launcher and its arguments, as for rankdeckctl plan. Nothing of the launch is\n"
        "started. On every node of it: the plan and its rank table, variables against their ranges,\n"
        "interpreter, script, room, limits, ports, who holds devices; then its ranks try each other, in\n"
        "pairs and in collective operations; and the NPUs' own network where hccn_tool is installed.\n"
        "\n"
        "  --import MODULE   each node's Python must import it; as often as needed\n"
        "  --limit SECONDS   for all of it (default 30)\n"
        "  --json            what was found as JSON\n"
        "\n"
        "Returns 0 when nothing failed, 1 otherwise.");
}

void printCheck(const PreflightCheck &check)
{
    const QString subject = check.subject.isEmpty() ? QString() : check.subject + u": "_s;
    print(
        u"%1  %2 %3%4"_s.arg(preflightStatusName(check.status), -7)
            .arg(preflightPartName(check.part) + ':'_L1, visibleText(subject), visibleText(check.sentence)));
    if (!check.mend.isEmpty())
        print(QString(9, ' '_L1) + visibleText(check.mend));
}

void printReport(const PreflightReport &report)
{
    for (const PreflightCheck &check : report.checks)
        printCheck(check);
    print(report.summary());
}

/// The options before the launcher, and the launcher with its arguments.
struct PreflightArguments {
    PreflightOptions options;
    bool json = false;
    QStringList launch;
};

Result<PreflightArguments> readArguments(const QStringList &arguments)
{
    PreflightArguments read;
    const QStringList withValue{u"--import"_s, u"--limit"_s};
    qsizetype index = 0;
    for (; index < arguments.size() && arguments[index].startsWith('-'_L1); ++index)
        index += withValue.contains(arguments[index]) ? 1 : 0;
    const auto options = parseOptions(arguments.mid(0, index), {"--json", "--limit", "--import"});
    if (!options)
        return options.error();
    const auto limit = options->number("--limit", 1, read.options.limitSeconds);
    if (!limit)
        return limit.error();
    if (*limit > longestLimit)
        return Error{tr("%1 is too long").arg(*limit), u"--limit"_s,
                     tr("Give 1 to %1 seconds.").arg(longestLimit)};
    read.options.limitSeconds = *limit;
    read.options.imports = options->list("--import");
    read.json = options->has("--json");
    read.launch = arguments.mid(index);
    return read;
}

int runPreflight(const PreflightArguments &arguments, const LaunchSpec &spec)
{
    const auto facts = gatherLaunchFacts(spec);
    if (!facts)
        return refuse(facts.error());
    const auto plan = planOfLaunch(spec, *facts, 0);
    if (!plan)
        return refuse(plan.error());
    Preflight preflight(spec, *plan, *facts, arguments.options);
    const UnixSignals signals({SIGINT, SIGTERM});
    int endedBy = 0;
    QObject::connect(&signals, &UnixSignals::received, &preflight, [&](int number) {
        endedBy = number;
        preflight.cancel();
    });
    QObject::connect(&preflight, &Preflight::progressed, &preflight,
                     [](const QString &sentence) { say(visibleText(sentence)); });
    QObject::connect(&preflight, &Preflight::finished, QCoreApplication::instance(), &QCoreApplication::quit,
                     Qt::QueuedConnection);
    QMetaObject::invokeMethod(&preflight, &Preflight::start, Qt::QueuedConnection);
    QCoreApplication::exec();
    if (arguments.json)
        print(visibleJson(jsonText(toJson(preflight.report()), 2)));
    else
        printReport(preflight.report());
    if (endedBy != 0)
        return 128 + endedBy;
    return preflight.report().isPassed() ? 0 : failedChecks;
}

} // namespace

int preflightCommand(const QStringList &arguments)
{
    if (arguments.value(0) == "--help"_L1) {
        print(usage());
        return 0;
    }
    auto read = readArguments(arguments);
    if (!read)
        return refuse(read.error());
    if (read->launch.isEmpty())
        return refuse({tr("the launcher is missing"), {}, tr("See rankdeckctl preflight --help.")});
    const QString asJson = u"--json"_s;
    QStringList found;
    const auto spec = readLaunch(read->launch.first(), read->launch.mid(1), {asJson}, found);
    if (!spec)
        return refuse(spec.error());
    read->json = read->json || found.contains(asJson);
    return runPreflight(*read, *spec);
}

} // namespace rankdeck
