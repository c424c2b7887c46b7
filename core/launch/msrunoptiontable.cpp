#include "launch/msrunoptiontable.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("msrunOptions", text);
}

MsrunOption number(const char *name, int MsrunOptions::*field, const QString &help)
{
    const QString option = QLatin1String(name);
    return {option, QStringLiteral("N"), help,
            [option, field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                bool isNumber = false;
                spec.msrun.*field = text.trimmed().toInt(&isNumber);
                if (isNumber)
                    return std::nullopt;
                return Error{tr("\"%1\" is not a whole number").arg(text), option, {}};
            },
            [field](const LaunchSpec &spec) {
                return QStringList{QString::number(spec.msrun.*field)};
            }};
}

template <typename Field>
MsrunOption text(const char *name, const char *valueName, Field field, const QString &help)
{
    return {QLatin1String(name), QLatin1String(valueName), help,
            [field](LaunchSpec &spec, const QString &value) -> std::optional<Error> {
                field(spec) = value;
                return std::nullopt;
            },
            [field](const LaunchSpec &spec) {
                LaunchSpec copy = spec;
                return QStringList{field(copy)};
            }};
}

/// As ast.literal_eval reads it, with True and False the only choices, to which 1 and 0 are equal.
std::optional<Error> readJoin(LaunchSpec &spec, const QString &value)
{
    const QString word = value.trimmed();
    const bool isTrue = word == QLatin1String("True") || word == QLatin1String("1");
    if (!isTrue && word != QLatin1String("False") && word != QLatin1String("0"))
        return Error{tr("\"%1\" is neither True nor False").arg(value), QStringLiteral("--join"),
                     tr("Write --join=True or --join=False, with a capital letter.")};
    spec.msrun.join = isTrue;
    return std::nullopt;
}

/// Its JSON is looked at with the other values.
std::optional<Error> readBindCore(LaunchSpec &spec, const QString &value)
{
    spec.common.bindCore = value;
    for (const QString &word : {QStringLiteral("True"), QStringLiteral("False")}) {
        if (value.compare(word, Qt::CaseInsensitive) == 0)
            spec.common.bindCore = word;
    }
    return std::nullopt;
}

std::optional<Error> readGrace(LaunchSpec &spec, const QString &value)
{
    bool isNumber = false;
    spec.graceSeconds = value.toInt(&isNumber);
    if (isNumber)
        return std::nullopt;
    return Error{tr("\"%1\" is not a whole number of seconds").arg(value), QStringLiteral("--grace"), {}};
}

std::optional<Error> readVariable(LaunchSpec &spec, const QString &value)
{
    const auto equals = value.indexOf(QLatin1Char('='));
    if (equals < 1)
        return Error{tr("\"%1\" is not NAME=VALUE").arg(value), QStringLiteral("--env"), {}};
    spec.environment.insert(value.left(equals), value.mid(equals + 1));
    return std::nullopt;
}

QStringList writtenVariables(const LaunchSpec &spec)
{
    QStringList variables;
    for (auto it = spec.environment.begin(); it != spec.environment.end(); ++it)
        variables << it.key() + QLatin1Char('=') + it.value();
    return variables;
}

} // namespace

std::vector<MsrunOption> msrunOptionTable()
{
    using Spec = LaunchSpec;
    return {
        number("--worker_num", &MsrunOptions::workerNum, tr("ranks of all nodes (8)")),
        number("--local_worker_num", &MsrunOptions::localWorkerNum, tr("ranks of this node (8)")),
        text(
            "--master_addr", "HOST", [](Spec &spec) -> QString & { return spec.msrun.masterAddr; },
            tr("where the scheduler runs: a name or an IPv4 address (127.0.0.1)")),
        number("--master_port", &MsrunOptions::masterPort, tr("the scheduler's port, 1024 to 65535 (8118)")),
        number("--node_rank", &MsrunOptions::nodeRank,
               tr("this node's place among the nodes, from 0 (-1: not given)")),
        text(
            "--log_dir", "DIR", [](Spec &spec) -> QString & { return spec.logDir; },
            tr("where logs go, those that are there are overwritten (the current directory)")),
        {QStringLiteral("--join"), QStringLiteral("True|False"),
         tr("wait for the run's end, print its lines (False)"), readJoin,
         [](const Spec &spec) {
             return QStringList{spec.msrun.join ? QStringLiteral("True") : QStringLiteral("False")};
         }},
        number("--cluster_time_out", &MsrunOptions::clusterTimeOut,
               tr("seconds the cluster has to form, negative: without end (600)")),
        {QStringLiteral("--bind_core"), QStringLiteral("True|False|JSON"),
         tr("bind ranks to cpus: {\"device0\":[\"0-10\"],…} (False)"), readBindCore,
         [](const Spec &spec) {
             return QStringList{spec.common.bindCore};
         }},
        number("--sim_level", &MsrunOptions::simLevel, tr("dry run, 0 to 3 (-1: none)")),
        number("--sim_rank_id", &MsrunOptions::simRankId, tr("the one rank of a dry run (-1: all)")),
        text(
            "--rank_table_file", "FILE", [](Spec &spec) -> QString & { return spec.rankTableFile; },
            tr("RANK_TABLE_FILE of every process")),
        text(
            "--worker_log_name", "NAME", [](Spec &spec) -> QString & { return spec.msrun.workerLogName; },
            tr("logs are NAME_<rank>.log; may hold {ip} and {hostname} (worker)")),
        text(
            "--tail_worker_log", "RANKS", [](Spec &spec) -> QString & { return spec.msrun.tailWorkerLog; },
            tr("whose lines --join=True prints, with commas (-1: all)")),
        text(
            "--name", "NAME", [](Spec &spec) -> QString & { return spec.name; },
            tr("for the run's name; the script's by default")),
        text(
            "--work-dir", "DIR", [](Spec &spec) -> QString & { return spec.workDir; },
            tr("working directory of every process (./)")),
        {QStringLiteral("--grace"), QStringLiteral("SECONDS"), tr("between SIGTERM and SIGKILL (15)"),
         readGrace,
         [](const Spec &spec) {
             return QStringList{QString::number(spec.graceSeconds)};
         }},
        {QStringLiteral("--env"), QStringLiteral("NAME=VALUE"),
         tr("a variable for every process; may be repeated"), readVariable, writtenVariables},
    };
}

} // namespace rankdeck
