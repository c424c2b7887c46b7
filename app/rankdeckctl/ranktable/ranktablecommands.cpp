#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/ranktable/actions.h"

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

struct Action {
    const char *name;
    std::function<int(const QStringList &)> run;
    const char *usage;
    const char *help;    ///< In the list of actions.
    const char *details; ///< In the action's own help: its options, one a line.
    bool writes = false; ///< Has outputOptions, too.
};

constexpr char outputOptions[] = QT_TRANSLATE_NOOP(
    "rankdeck", "  -o, --output FILE   write there instead of to the terminal; into a folder "
                "under the usual name\n"
                "  --force             replace a file that is there already\n"
                "  --diff              show what would change, write nothing");

const std::array actions{
    Action{"check", withOptions(checkRankTablesAction, {"--json", "--chip", {}, 1, OptionNames::any}),
           QT_TRANSLATE_NOOP("rankdeck", "FILE… [--chip NAME] [--json]"),
           QT_TRANSLATE_NOOP("rankdeck", "say what is wrong with tables, and where"),
           QT_TRANSLATE_NOOP(
               "rankdeck",
               "  --chip NAME   also check what depends on the chip: 910, 910b, 910_93, 950 or 310p\n"
               "  --json        one JSON document with an object for each file\n\n"
               "Exits with 0 when there are no errors, 1 when there are, 2 when a file cannot be read.")},
    Action{"show", withOptions(showRankTableAction, {"--json", {}, {}, 1, 1}),
           QT_TRANSLATE_NOOP("rankdeck", "FILE [--json]"),
           QT_TRANSLATE_NOOP("rankdeck", "list a table's servers and ranks"),
           QT_TRANSLATE_NOOP("rankdeck", "  --json   the same as a JSON document")},
    Action{"convert",
           withOptions(convertRankTableAction,
                       {"--force --diff", "--to -o --output", "--super-pod --super-device-id", 1, 1}),
           QT_TRANSLATE_NOOP("rankdeck", "FILE [options]"),
           QT_TRANSLATE_NOOP("rankdeck", "turn template 2 into version 1.0, or add super pods (1.2)"),
           QT_TRANSLATE_NOOP(
               "rankdeck",
               "  --to VERSION        1.0 or 1.2; without it 1.2 when super pods are given\n"
               "  --super-pod ID=SERVER[,SERVER…]\n"
               "                      servers of a super pod by their server_id; once for each super pod\n"
               "  --super-device-id SERVER/DEVICE=ID\n"
               "                      for a device whose entry has no super_device_id; once for each"),
           true},
    Action{
        "merge",
        withOptions(mergeRankTablesAction,
                    {"--keep-order --force --diff", "-o --output", {}, 2, OptionNames::any}),
        QT_TRANSLATE_NOOP("rankdeck", "FILE FILE… [options]"),
        QT_TRANSLATE_NOOP("rankdeck", "make one table of those of several servers"),
        QT_TRANSLATE_NOOP(
            "rankdeck",
            "  --keep-order        number the ranks in the order of the arguments, as merge_hccl.py does;\n"
            "                      without it in the order of server_id, as MindSpore wants it"),
        true},
    Action{
        "subset",
        withOptions(subsetOfRankTableAction, {"--force --diff", "--devices -o --output", "--server", 1, 1}),
        QT_TRANSLATE_NOOP("rankdeck", "FILE [options]"),
        QT_TRANSLATE_NOOP("rankdeck", "keep some devices or servers, number the ranks anew"),
        QT_TRANSLATE_NOOP("rankdeck",
                          "  --devices LIST      such as 0-3,6 or [0,8); without it all\n"
                          "  --server ID         a server to keep, once for each; without it all"),
        true},
    Action{"generate",
           withOptions(generateRankTableAction,
                       {"--host-nic-ip --force", "--devices --server-id -o --output", "--device-ip"}),
           QT_TRANSLATE_NOOP("rankdeck", "[options]"),
           QT_TRANSLATE_NOOP("rankdeck", "make a table of this host's NPUs"),
           QT_TRANSLATE_NOOP(
               "rankdeck",
               "  --devices LIST      such as [0,8), which is the default, 0-7 or 0,2,4\n"
               "  --server-id ADDRESS this host's address; without it its first IPv4 address\n"
               "  --device-ip IP[,IP…]\n"
               "                      one address for each device; without it hccn_tool and /etc/hccn.conf\n"
               "                      are asked\n"
               "  --host-nic-ip       add host_nic_ip, as hccl_tools.py does\n"
               "  -o, --output FILE   write there; into a folder as hccl_<n>p_<devices>_<server>.json\n"
               "  --force             replace a file that is there already")},
    Action{"init", withOptions(initRankTableAction, {"--json --null"}),
           QT_TRANSLATE_NOOP("rankdeck", "[--json | --null]"),
           QT_TRANSLATE_NOOP("rankdeck", "convert the platform's table, print its variables"),
           QT_TRANSLATE_NOOP("rankdeck", "  --json   a JSON object instead of lines for a shell\n"
                                         "  --null   NAME=VALUE, each ended by a zero byte\n\n"
                                         "Exits with 3 when there is no rank table.")},
    Action{
        "wait", withOptions(waitForRankTableAction, {{}, "--timeout", {}, 0, 1}),
        QT_TRANSLATE_NOOP("rankdeck", "[FILE] [--timeout S]"),
        QT_TRANSLATE_NOOP("rankdeck", "wait until a table is completed"),
        QT_TRANSLATE_NOOP(
            "rankdeck",
            "  --timeout S   give up after S seconds; without it after 1800\n\n"
            "Without FILE it waits for the table that davincirun would read. Exits with 0 when the table is\n"
            "completed, 1 when the time is up, 2 when it cannot be read.")},
};

QString call(const Action &action)
{
    return u"%1 %2"_s.arg(QLatin1String(action.name), tr(action.usage));
}

QString helpOfAll()
{
    QString text = tr("Usage: rankdeckctl ranktable ACTION …\n\n");
    for (const Action &action : actions)
        text += u"  %1 %2\n"_s.arg(call(action), -40).arg(tr(action.help));
    return text + tr("\nrankdeckctl ranktable ACTION --help lists the action's options.");
}

QString helpOf(const Action &action)
{
    QString text = tr("Usage: rankdeckctl ranktable %1\n\n%2\n").arg(call(action), tr(action.details));
    if (action.writes)
        text += tr(outputOptions) + '\n'_L1;
    return text.trimmed();
}

} // namespace

int rankTableCommand(const QStringList &arguments)
{
    const QString name = arguments.value(0);
    if (asksForHelp({name})) {
        print(helpOfAll());
        return 0;
    }
    const auto *const action = std::find_if(actions.begin(), actions.end(), [&](const Action &known) {
        return name == QLatin1String(known.name);
    });
    if (action == actions.end())
        return refuse({tr("there is no \"ranktable %1\"").arg(name),
                       {},
                       tr("Use check, show, convert, merge, subset, generate, init or wait.")});
    const QStringList rest = arguments.mid(1);
    if (asksForHelp(rest)) {
        print(helpOf(*action));
        return 0;
    }
    return action->run(rest);
}

} // namespace rankdeck
