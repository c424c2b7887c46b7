#include "commands.h"
#include "options.h"
#include "output.h"
#include "ranktable/ranktableconversion.h"
#include "ranktable/ranktablereader.h"
#include "ranktable/ranktablewriter.h"
#include "sdk/distributedtrain.h"

#include <QCoreApplication>
#include <QDir>

namespace rankdeck
{

namespace
{

/// Exit code of `ranktable init` when there is no table to initialise from.
constexpr int noTable = 3;

QString tr(const char *text)
{
    return QCoreApplication::translate("ranktablecommands", text);
}

QString shellQuoted(QString text)
{
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

int convert(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {}, {QStringLiteral("--output"), QStringLiteral("-o")}, 1);
    if (!options)
        return refuse(options.error());
    const QString path = options->positional.first();
    const auto table = readRankTable(path);
    if (!table)
        return refuse(table.error());
    if (!table->isCompleted())
        return refuse(
            {tr("the rank table's status is \"%1\", not \"completed\"").arg(table->status), path, {}});
    const auto converted = convertToServerList(*table);
    if (!converted)
        return refuse({converted.error().what, path, converted.error().mend});
    const QByteArray text = toJson(*converted);
    const QString output = options->hasValue("-o") ? options->value("-o") : options->value("--output");
    if (output.isEmpty()) {
        print(QString::fromUtf8(text).trimmed());
        return 0;
    }
    const auto written = writeRankTable(text, QDir::current().absoluteFilePath(output));
    return written ? 0 : refuse(written.error());
}

int init(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {}, {}, 0);
    if (!options)
        return refuse(options.error());
    const auto variables = initRankTable();
    if (!variables)
        return refuse(variables.error());
    if (!*variables) {
        say(tr("rankdeckctl: there is no rank table, so nothing is set."));
        return noTable;
    }
    for (auto it = (*variables)->begin(); it != (*variables)->end(); ++it)
        print(QStringLiteral("export %1=%2").arg(it.key(), shellQuoted(it.value())));
    return 0;
}

} // namespace

int rankTableCommand(const QStringList &arguments)
{
    const QString action = arguments.value(0);
    if (action == QLatin1String("convert"))
        return convert(arguments.mid(1));
    if (action == QLatin1String("init"))
        return init(arguments.mid(1));
    return refuse(
        {tr("there is no \"ranktable %1\"").arg(action), {}, tr("Use ranktable convert or ranktable init.")});
}

} // namespace rankdeck
