#include "base/json.h"
#include "base/tr.h"
#include "rankdeckctl/console/options.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/ranktable/actions.h"
#include "sdk/distributedtrain.h"

#include <cstdio>

namespace rankdeck
{

namespace
{

/// Exit code when there is no table to initialise from.
constexpr int noTable = 3;

QString shellQuoted(QString text)
{
    return '\''_L1 + text.replace('\''_L1, "'\\''"_L1) + '\''_L1;
}

int printExports(const QMap<QString, QString> &variables)
{
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        if (visibleText(it.value()) != it.value())
            return refuse({tr("its value holds a control character: %1").arg(visibleText(it.value())),
                           it.key(),
                           tr("Correct the rank table, or read the variables with --null or --json.")});
    }
    for (auto it = variables.begin(); it != variables.end(); ++it)
        print(u"export %1=%2"_s.arg(it.key(), shellQuoted(it.value())));
    return 0;
}

int printJson(const QMap<QString, QString> &variables)
{
    print(visibleJson(jsonText(nlohmann::json(variables), 2)));
    return 0;
}

int printNullSeparated(const QMap<QString, QString> &variables)
{
    QByteArray bytes;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        bytes += it.key().toUtf8() + '=' + it.value().toLocal8Bit() + '\0';
    std::fwrite(bytes.constData(), 1, static_cast<size_t>(bytes.size()), stdout);
    return 0;
}

} // namespace

int initRankTableAction(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, "--json --null", {}, 0);
    if (!options)
        return refuse(options.error());
    if (options->has("--json") && options->has("--null"))
        return refuse({tr("--json and --null exclude each other"), {}, tr("Give one of them.")});
    const auto variables = initRankTable();
    if (!variables)
        return refuse(variables.error());
    if (!*variables) {
        say(tr("rankdeckctl: there is no rank table, so nothing is set."));
        return noTable;
    }
    if (options->has("--json"))
        return printJson(**variables);
    return options->has("--null") ? printNullSeparated(**variables) : printExports(**variables);
}

} // namespace rankdeck
