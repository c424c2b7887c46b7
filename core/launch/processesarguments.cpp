#include "launch/processesarguments.h"

#include "launch/launchoption.h"
#include "launch/processesspec.h"

#include <QCoreApplication>

#include <array>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("processesArguments", text);
}

constexpr std::array options{
    LaunchOption{"--nproc", "N", QT_TRANSLATE_NOOP("processesArguments", "ranks of this node (1)")},
    LaunchOption{"--nnodes", "N", QT_TRANSLATE_NOOP("processesArguments", "nodes of the launch (1)")},
    LaunchOption{"--node-rank", "R",
                 QT_TRANSLATE_NOOP("processesArguments", "which of them this one is (0)")},
    LaunchOption{"--master-addr", "ADDR",
                 QT_TRANSLATE_NOOP("processesArguments", "host of rank 0, for MASTER_ADDR (127.0.0.1)")},
    LaunchOption{"--master-port", "PORT", QT_TRANSLATE_NOOP("processesArguments", "for MASTER_PORT (29500)")},
    LaunchOption{"--role", "NAME", QT_TRANSLATE_NOOP("processesArguments", "for ROLE_NAME (default)")},
    LaunchOption{
        "--redirects", "STREAMS",
        QT_TRANSLATE_NOOP("processesArguments",
                          "streams with files of their own: 0-3, NONE, OUT, ERR, ALL, or 0:1,1:2 by rank")},
    LaunchOption{
        "--tee", "STREAMS",
        QT_TRANSLATE_NOOP("processesArguments", "the same, and printed with [NAME<local rank>]: in front")},
    LaunchOption{"--log-dir", "DIR",
                 QT_TRANSLATE_NOOP("processesArguments",
                                   "an empty directory for <local rank>/stdout.log … (the run directory)")},
    LaunchOption{"--work-dir", "DIR",
                 QT_TRANSLATE_NOOP("processesArguments", "working directory of every rank (./)")},
    LaunchOption{"--max-restarts", "N",
                 QT_TRANSLATE_NOOP("processesArguments", "restarts are not supported yet: only 0")},
    LaunchOption{"--grace", "SECONDS",
                 QT_TRANSLATE_NOOP("processesArguments", "between SIGTERM and SIGKILL (30)")},
    LaunchOption{"--env", "NAME=VALUE",
                 QT_TRANSLATE_NOOP("processesArguments", "a variable for every rank; may be repeated")},
    LaunchOption{"--name", "NAME",
                 QT_TRANSLATE_NOOP("processesArguments", "for the run's name; the script's by default")},
    LaunchOption{"--no-raise", nullptr,
                 QT_TRANSLATE_NOOP("processesArguments", "do not open the error dialog by itself")},
};

/// torchrun's spellings as ours.
QString ourName(QString name)
{
    name.replace(QLatin1Char('_'), QLatin1Char('-'));
    if (name == QLatin1String("--nproc-per-node"))
        return QStringLiteral("--nproc");
    if (name == QLatin1String("-r"))
        return QStringLiteral("--redirects");
    if (name == QLatin1String("-t"))
        return QStringLiteral("--tee");
    return name;
}

std::optional<Error> setNumber(int &target, const QString &name, const QString &value)
{
    bool isNumber = false;
    target = value.toInt(&isNumber);
    if (isNumber)
        return std::nullopt;
    return Error{tr("\"%1\" is not a whole number").arg(value), name, {}};
}

struct StreamsChoice {
    QMap<int, Streams> &byRank;
    Streams &otherwise;
    bool given = false;
};

std::optional<Error> setStreams(StreamsChoice &choice, const QString &name, const QString &value)
{
    const Error error{
        tr("\"%1\" names no streams").arg(value), name,
        tr("Give 0 to 3, NONE, OUT, ERR or ALL, or one of these by local rank, such as 0:1,1:ALL.")};
    choice.given = true;
    choice.byRank.clear();
    choice.otherwise = Streams::None;
    if (!value.contains(QLatin1Char(':'))) {
        const auto streams = streamsFrom(value);
        choice.otherwise = streams.value_or(Streams::None);
        return streams ? std::nullopt : std::optional(error);
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
    return std::nullopt;
}

class Reader
{
public:
    std::optional<Error> set(const QString &name, const QString &value)
    {
        ProcessesOptions &own = m_spec.processes;
        const std::array numbers{
            std::pair("--nproc", &own.nproc),
            std::pair("--nnodes", &own.nnodes),
            std::pair("--node-rank", &own.nodeRank),
            std::pair("--master-port", &own.masterPort),
            std::pair("--max-restarts", &own.maxRestarts),
            std::pair("--grace", &m_spec.graceSeconds),
        };
        const std::array texts{
            std::pair("--master-addr", &own.masterAddr), std::pair("--role", &own.role),
            std::pair("--log-dir", &m_spec.logDir),      std::pair("--work-dir", &m_spec.workDir),
            std::pair("--name", &m_spec.name),
        };
        for (const auto &[option, target] : numbers) {
            if (name == QLatin1String(option))
                return setNumber(*target, name, value);
        }
        for (const auto &[option, target] : texts) {
            if (name == QLatin1String(option))
                *target = value;
        }
        if (name == QLatin1String("--redirects"))
            return setStreams(m_redirects, name, value);
        if (name == QLatin1String("--tee"))
            return setStreams(m_tee, name, value);
        if (name == QLatin1String("--no-raise"))
            m_spec.raiseOnFailure = false;
        if (name == QLatin1String("--env"))
            return setVariable(name, value);
        return std::nullopt;
    }

    LaunchSpec finish(const QStringList &command)
    {
        if (m_redirects.given && !m_tee.given)
            m_tee.otherwise = Streams::None;
        if (m_tee.given && !m_redirects.given)
            m_redirects.otherwise = Streams::None;
        m_spec.command = command;
        return m_spec;
    }

private:
    std::optional<Error> setVariable(const QString &name, const QString &value)
    {
        const auto equals = value.indexOf(QLatin1Char('='));
        if (equals < 1)
            return Error{tr("\"%1\" is not NAME=VALUE").arg(value), name, {}};
        m_spec.environment.insert(value.left(equals), value.mid(equals + 1));
        return std::nullopt;
    }

    LaunchSpec m_spec = processesDefaults();
    StreamsChoice m_redirects{m_spec.processes.redirects, m_spec.processes.defaultRedirect};
    StreamsChoice m_tee{m_spec.processes.tee, m_spec.processes.defaultTee};
};

/// As setStreams() reads it.
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

} // namespace

Result<LaunchSpec> parseProcessesArguments(const QStringList &arguments, const QStringList &frontEndSwitches,
                                           QStringList *found)
{
    Reader reader;
    qsizetype next = 0;
    while (next < arguments.size() && arguments[next].startsWith(QLatin1Char('-'))) {
        const QString &argument = arguments[next++];
        if (argument == QLatin1String("--"))
            break;
        if (frontEndSwitches.contains(argument)) {
            if (found)
                *found << argument;
            continue;
        }
        const auto equals = argument.indexOf(QLatin1Char('='));
        const QString name = ourName(argument.left(equals));
        const LaunchOption *option = findLaunchOption(options, name);
        if (!option)
            return Error{tr("there is no such option"), argument.left(equals),
                         tr("See rankdeckctl processes --help; the command to run comes after the options.")};
        if (!option->value && equals >= 0)
            return Error{tr("this option takes no value"), name, {}};
        QString value;
        if (equals >= 0)
            value = argument.mid(equals + 1);
        else if (option->value && next == arguments.size())
            return Error{tr("a value is missing"), name,
                         tr("Write %1 %2.").arg(name, QLatin1String(option->value))};
        else if (option->value)
            value = arguments[next++];
        if (const auto error = reader.set(name, value))
            return *error;
    }
    return reader.finish(arguments.mid(next));
}

QString processesOptionsHelp()
{
    return launchOptionsHelp(options, "processesArguments");
}

QStringList processesArguments(const LaunchSpec &spec)
{
    const LaunchSpec defaults = processesDefaults();
    const ProcessesOptions &own = spec.processes;
    QStringList arguments;
    const auto add = [&](const char *name, const auto &value, const auto &otherwise) {
        if (value == otherwise)
            return;
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, int>)
            arguments << QLatin1String(name) << QString::number(value);
        else
            arguments << QLatin1String(name) << value;
    };
    add("--nproc", own.nproc, defaults.processes.nproc);
    add("--nnodes", own.nnodes, defaults.processes.nnodes);
    add("--node-rank", own.nodeRank, defaults.processes.nodeRank);
    add("--master-addr", own.masterAddr, defaults.processes.masterAddr);
    add("--master-port", own.masterPort, defaults.processes.masterPort);
    add("--role", own.role, defaults.processes.role);
    const ProcessesOptions asIs;
    if (own.redirects != asIs.redirects || own.defaultRedirect != asIs.defaultRedirect ||
        own.tee != asIs.tee || own.defaultTee != asIs.defaultTee)
        arguments << QStringLiteral("--redirects")
                  << streamsText(own.redirects, own.defaultRedirect, own.nproc) << QStringLiteral("--tee")
                  << streamsText(own.tee, own.defaultTee, own.nproc);
    add("--log-dir", spec.logDir, defaults.logDir);
    add("--work-dir", spec.workDir, defaults.workDir);
    add("--max-restarts", own.maxRestarts, defaults.processes.maxRestarts);
    add("--grace", spec.graceSeconds, defaults.graceSeconds);
    add("--name", spec.name, defaults.name);
    for (auto it = spec.environment.begin(); it != spec.environment.end(); ++it)
        arguments << QStringLiteral("--env") << it.key() + QLatin1Char('=') + it.value();
    if (!spec.raiseOnFailure)
        arguments << QStringLiteral("--no-raise");
    return arguments + QStringList{QStringLiteral("--")} + spec.command;
}

} // namespace rankdeck
