#include "base/listcomma.h"
#include "base/textcells.h"
#include "launch/nodes/planlaunch.h"
#include "launch/text/commandline.h"
#include "preflight/preflight.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/launch/launchreading.h"
#include "run/process/unixsignals.h"

namespace rankdeck
{

namespace
{

constexpr int failedChecks = 1;
constexpr int longestLimit = 3600;

void printCheck(const PreflightCheck &check)
{
    const QString subject = check.subject.isEmpty() ? QString() : withColon(check.subject, QString());
    constexpr int indent = 9;
    print(filled(preflightStatusName(check.status), indent) +
          withColon(preflightPartName(check.part), visibleText(subject + check.sentence)));
    if (!check.mend.isEmpty())
        print(QString(indent, ' '_L1) + visibleText(check.mend));
    if (!check.fix.isEmpty()) {
        const QString option = check.fix.contains('='_L1) ? u"--env"_s : u"--unset-env"_s;
        print(QString(indent, ' '_L1) +
              tr("For this launch alone: %1").arg(visibleText(joinCommandLine({option, check.fix}))));
    }
}

Result<PreflightOptions> preflightOptions(const Options &given)
{
    PreflightOptions options;
    const auto limit = given.number("--limit", 1, options.limitSeconds);
    if (!limit)
        return limit.error();
    if (*limit > longestLimit)
        return Error{tr("%1 is too long").arg(*limit), u"--limit"_s,
                     tr("Give 1 to %1 seconds.").arg(longestLimit)};
    options.limitSeconds = *limit;
    options.imports = given.list("--import");
    return options;
}

int runPreflight(const PreflightOptions &options, const LaunchSpec &spec, bool asJson)
{
    const auto facts = gatherLaunchFacts(spec);
    if (!facts)
        return refuse(facts.error());
    const auto plan = planOfLaunch(spec, *facts, 0);
    if (!plan)
        return refuse(plan.error());
    Preflight preflight(spec, *plan, *facts, options);
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
    if (asJson)
        printJson(preflight.report());
    for (const PreflightCheck &check : preflight.report().checks) {
        if (!asJson)
            printCheck(check);
    }
    if (!asJson)
        print(preflight.report().summary());
    if (endedBy != 0)
        return 128 + endedBy;
    return preflight.report().isPassed() ? 0 : failedChecks;
}

} // namespace

int preflightCommand(const Options &options)
{
    const auto wanted = preflightOptions(options);
    if (!wanted)
        return refuse(wanted.error());
    QStringList found = options.switches;
    const auto spec = readLaunch(options.positional.first(), options.positional.mid(1), {u"--json"_s}, found);
    if (!spec)
        return 0;
    return *spec ? runPreflight(*wanted, **spec, found.contains("--json"_L1)) : refuse(spec->error());
}

} // namespace rankdeck
