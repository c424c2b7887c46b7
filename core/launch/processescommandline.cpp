#include "launch/processescommandline.h"

#include "launch/commonoptiontable.h"
#include "launch/processesspec.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("processesOptions", text);
}

/// Streams as text, read.
struct StreamsChoice {
    QMap<int, Streams> byRank;
    Streams otherwise = Streams::None;
};

Result<StreamsChoice> readStreams(const QString &name, const QString &value)
{
    const Error error{
        tr("\"%1\" names no streams").arg(value), name,
        tr("Give 0 to 3, NONE, OUT, ERR or ALL, or one of these by local rank, such as 0:1,1:ALL.")};
    StreamsChoice choice;
    if (!value.contains(QLatin1Char(':'))) {
        const auto streams = streamsFrom(value);
        if (!streams)
            return error;
        choice.otherwise = *streams;
        return choice;
    }
    const QStringList entries = value.split(QLatin1Char(','));
    for (const QString &entry : entries) {
        const auto colon = entry.indexOf(QLatin1Char(':'));
        bool isNumber = false;
        const int localRank = entry.left(colon).toInt(&isNumber);
        const auto streams = streamsFrom(entry.mid(colon + 1));
        if (colon < 1 || !isNumber || localRank < 0 || !streams)
            return error;
        if (choice.byRank.contains(localRank))
            return Error{tr("local rank %1 is named twice").arg(localRank), name, {}};
        choice.byRank.insert(localRank, *streams);
    }
    return choice;
}

/// As readStreams() reads it.
QString streamsText(const QMap<int, Streams> &byRank, Streams otherwise, int nproc)
{
    if (byRank.isEmpty())
        return streamsWord(otherwise);
    QMap<int, Streams> all = byRank;
    for (int localRank = 0; otherwise != Streams::None && localRank < nproc; ++localRank) {
        if (!all.contains(localRank))
            all.insert(localRank, otherwise);
    }
    QStringList entries;
    for (auto it = all.begin(); it != all.end(); ++it)
        entries << QStringLiteral("%1:%2").arg(it.key()).arg(streamsWord(it.value()));
    return entries.join(QLatin1Char(','));
}

/// Whether neither --redirects nor --tee was given.
bool streamsAreAsIs(const ProcessesOptions &options)
{
    const ProcessesOptions asIs;
    return options.redirects == asIs.redirects && options.defaultRedirect == asIs.defaultRedirect &&
           options.tee == asIs.tee && options.defaultTee == asIs.defaultTee;
}

/// One of --redirects and --tee: given alone it leaves nothing to the other, so both are written or none.
LaunchOption streamsOption(const QString &name, const QString &help,
                           QMap<int, Streams> ProcessesOptions::*byRank, Streams ProcessesOptions::*otherwise)
{
    return {name, QStringLiteral("STREAMS"), help,
            [=](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                const auto choice = readStreams(name, text);
                if (!choice)
                    return choice.error();
                if (streamsAreAsIs(spec.processes))
                    spec.processes.defaultRedirect = spec.processes.defaultTee = Streams::None;
                spec.processes.*byRank = choice->byRank;
                spec.processes.*otherwise = choice->otherwise;
                return std::nullopt;
            },
            [=](const LaunchSpec &spec) {
                const ProcessesOptions &own = spec.processes;
                return streamsAreAsIs(own) ? QStringList()
                                           : QStringList{streamsText(own.*byRank, own.*otherwise, own.nproc)};
            }};
}

} // namespace

QMap<QString, QString> torchrunsNames(const LaunchOptions &options)
{
    QMap<QString, QString> names{{QStringLiteral("--nproc-per-node"), QStringLiteral("--nproc")},
                                 {QStringLiteral("--nproc_per_node"), QStringLiteral("--nproc")},
                                 {QStringLiteral("-r"), QStringLiteral("--redirects")},
                                 {QStringLiteral("-t"), QStringLiteral("--tee")}};
    for (const LaunchOption &option : options) {
        QString underscores = option.name.mid(2);
        names.insert(QStringLiteral("--") + underscores.replace(QLatin1Char('-'), QLatin1Char('_')),
                     option.name);
    }
    return names;
}

LaunchCommandLine processesCommandLine()
{
    using Spec = LaunchSpec;
    LaunchCommandLine line;
    line.defaults = processesDefaults();
    line.commandName = tr("the command");
    line.common = commonOptions(line.defaults);
    line.own = {
        numberOption(
            "--nproc N", [](Spec &spec) -> int & { return spec.processes.nproc; },
            tr("ranks of this node (1)")),
        numberOption(
            "--nnodes N", [](Spec &spec) -> int & { return spec.processes.nnodes; },
            tr("nodes of the launch (1)")),
        numberOption(
            "--node-rank R", [](Spec &spec) -> int & { return spec.processes.nodeRank; },
            tr("which of them this one is (0)")),
        textOption(
            "--master-addr ADDR", [](Spec &spec) -> QString & { return spec.processes.masterAddr; },
            tr("host of rank 0, for MASTER_ADDR (127.0.0.1)")),
        numberOption(
            "--master-port PORT", [](Spec &spec) -> int & { return spec.processes.masterPort; },
            tr("for MASTER_PORT (29500)")),
        textOption(
            "--role NAME", [](Spec &spec) -> QString & { return spec.processes.role; },
            tr("for ROLE_NAME (default)")),
        streamsOption(QStringLiteral("--redirects"),
                      tr("streams with files of their own: 0-3, NONE, OUT, ERR, ALL, or 0:1,1:2 by rank"),
                      &ProcessesOptions::redirects, &ProcessesOptions::defaultRedirect),
        streamsOption(QStringLiteral("--tee"), tr("the same, and printed with [NAME<local rank>]: in front"),
                      &ProcessesOptions::tee, &ProcessesOptions::defaultTee),
        textOption(
            "--log-dir DIR", [](Spec &spec) -> QString & { return spec.logDir; },
            tr("an empty directory for <local rank>/stdout.log … (the run directory)")),
        numberOption(
            "--max-restarts N", [](Spec &spec) -> int & { return spec.processes.maxRestarts; },
            tr("how often all ranks are started anew after a failure (0)")),
    };
    line.synonym = torchrunsNames(line.own);
    return line;
}

} // namespace rankdeck
