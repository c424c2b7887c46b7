#include "launch/text/environmentrules.h"

#include "launch/text/variablerules.h"

#include <QHostAddress>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString escaped(QString value)
{
    value.replace('\\'_L1, "\\\\"_L1);
    value.replace('\n'_L1, "\\n"_L1);
    return value;
}

QString unescaped(const QString &text)
{
    QString value;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar next = i + 1 < text.size() ? text.at(i + 1) : QChar();
        if (text.at(i) == '\\'_L1 && (next == 'n'_L1 || next == '\\'_L1)) {
            value += next == 'n'_L1 ? '\n'_L1 : '\\'_L1;
            ++i;
        } else {
            value += text.at(i);
        }
    }
    return value;
}

Error lineError(int number, const QString &what, const QString &mend)
{
    return Error{tr("Line %1: %2").arg(QString::number(number), what), u"--env"_s, mend};
}

constexpr int defaultBasePort = 60000;
constexpr int defaultExecTimeout = 1836;
/// By how much torch_npu's default of HCCL_EVENT_TIMEOUT is longer.
constexpr int eventMarginSeconds = 32;
/// The longest HCCL_RDMA_TIMEOUT of all chips but the 910A.
constexpr int longestRdmaTimeout = 20;

/// Checks one environment and keeps the findings.
class Reviewer
{
public:
    explicit Reviewer(const VariableLookup &valueOf)
        : m_valueOf(valueOf)
    {
    }

    QString value(const char *variable) const { return m_valueOf(QLatin1String(variable)); }
    bool isSet(const char *variable) const { return !value(variable).isEmpty(); }
    std::optional<qint64> number(const char *variable) const
    {
        bool isNumber = false;
        const qint64 read = value(variable).toLongLong(&isNumber);
        return isNumber ? std::optional(read) : std::nullopt;
    }
    void error(const char *variable, const QString &what, const QString &mend, const VariableFix &fix = {})
    {
        m_problems.push_back({QLatin1String(variable), true, what, mend, fix});
    }
    void warn(const char *variable, const QString &what, const QString &mend, const VariableFix &fix = {})
    {
        m_problems.push_back({QLatin1String(variable), false, what, mend, fix});
    }
    std::vector<EnvironmentProblem> take() { return std::move(m_problems); }

private:
    const VariableLookup &m_valueOf;
    std::vector<EnvironmentProblem> m_problems;
};

void reviewTimeouts(Reviewer &reviewer)
{
    const qint64 exec = reviewer.number("HCCL_EXEC_TIMEOUT").value_or(defaultExecTimeout);
    const auto event = reviewer.number("HCCL_EVENT_TIMEOUT");
    if (event && *event > 0 && *event <= exec)
        reviewer.warn("HCCL_EVENT_TIMEOUT",
                      tr("it is %1 s, not longer than HCCL_EXEC_TIMEOUT (%2 s), so torch_npu gives up before "
                         "HCCL reports the cause")
                          .arg(*event)
                          .arg(exec),
                      tr("Set it higher than HCCL_EXEC_TIMEOUT."),
                      {u"HCCL_EVENT_TIMEOUT"_s, QString::number(exec + eventMarginSeconds)});
    const auto rdma = reviewer.number("HCCL_RDMA_TIMEOUT");
    if (rdma && *rdma > longestRdmaTimeout && *rdma <= 24)
        reviewer.warn("HCCL_RDMA_TIMEOUT", tr("it is %1, supported by the Ascend 910A only").arg(*rdma),
                      tr("Set it to 5 to 20 for any other chip."),
                      {u"HCCL_RDMA_TIMEOUT"_s, QString::number(longestRdmaTimeout)});
}

void reviewAddresses(Reviewer &reviewer)
{
    const QString address = reviewer.value("HCCL_IF_IP");
    if (!address.isEmpty() && QHostAddress(address).isNull())
        reviewer.error(
            "HCCL_IF_IP", tr("it is \"%1\", not a single IP address").arg(address),
            tr("Set it to the address of this host's network card, a different one on each node."));
    if (reviewer.value("HCCL_WHITELIST_DISABLE") == "0"_L1 && !reviewer.isSet("HCCL_WHITELIST_FILE"))
        reviewer.error("HCCL_WHITELIST_DISABLE",
                       tr("it is 0, but no HCCL_WHITELIST_FILE lists the allowed hosts"),
                       tr("Set HCCL_WHITELIST_FILE, or HCCL_WHITELIST_DISABLE=1."),
                       {u"HCCL_WHITELIST_DISABLE"_s, u"1"_s});
}

void reviewDevices(Reviewer &reviewer)
{
    const QStringList visible = reviewer.value("ASCEND_RT_VISIBLE_DEVICES").split(','_L1, Qt::SkipEmptyParts);
    for (const char *variable : {"DEVICE_ID", "ASCEND_DEVICE_ID"}) {
        const auto device = reviewer.number(variable);
        if (!visible.isEmpty() && device && *device >= visible.size())
            reviewer.error(variable,
                           tr("it is %1, but ASCEND_RT_VISIBLE_DEVICES shows %n devices, numbered from 0",
                              "it is %1, but ASCEND_RT_VISIBLE_DEVICES shows %n device, number 0",
                              static_cast<int>(visible.size()))
                               .arg(*device),
                           tr("Make more devices visible, or start fewer ranks on this node."));
    }
    static const QRegularExpression form(u"^[^\\s,]+(,[^\\s,]+)*$"_s);
    const QString mounted = reviewer.value("ASCEND_VISIBLE_DEVICES");
    if (!mounted.isEmpty() && !form.match(mounted).hasMatch())
        reviewer.error("ASCEND_VISIBLE_DEVICES",
                       tr("it is \"%1\", not a list, e.g. 0,1,3 or 0-3").arg(mounted),
                       tr("Write comma-separated physical ids without spaces."));
}

void reviewContradictions(Reviewer &reviewer)
{
    for (const char *variable : {"CM_CHIEF_IP", "CM_CHIEF_PORT", "CM_WORKER_SIZE"}) {
        for (const char *other : {"RANK_TABLE_FILE", "RANK_ID"}) {
            if (!reviewer.isSet(variable) || !reviewer.isSet(other))
                continue;
            reviewer.error(
                variable,
                tr("it is set together with %1, and they exclude each other").arg(QLatin1String(other)),
                tr("Unset the variables CM_…, which are for launches without a rank table."));
            return;
        }
    }
    if (reviewer.value("ASCEND_LAUNCH_BLOCKING") == "1"_L1)
        reviewer.warn(
            "ASCEND_LAUNCH_BLOCKING",
            tr("it is 1: every operator is synchronous, which is slow and turns TASK_QUEUE_ENABLE off"),
            tr("Unset it unless you are looking for a failing operator."), {u"ASCEND_LAUNCH_BLOCKING"_s, {}});
    if (reviewer.value("ASCEND_SLOG_PRINT_TO_STDOUT") == "1"_L1)
        reviewer.warn("ASCEND_SLOG_PRINT_TO_STDOUT",
                      tr("it is 1: CANN writes no log files, so the diagnosis lacks them"),
                      tr("Set it to 0, or read CANN's lines in the ranks' logs."),
                      {u"ASCEND_SLOG_PRINT_TO_STDOUT"_s, u"0"_s});
    if (reviewer.value("ASCEND_GLOBAL_LOG_LEVEL") == "4"_L1)
        reviewer.warn("ASCEND_GLOBAL_LOG_LEVEL", tr("it is 4: CANN logs nothing, not even errors"),
                      tr("Set it to 3."), {u"ASCEND_GLOBAL_LOG_LEVEL"_s, u"3"_s});
    if (reviewer.value("HCCL_EXEC_TIMEOUT") == "0"_L1)
        reviewer.warn("HCCL_EXEC_TIMEOUT", tr("it is 0: a rank that waits for one that died never gives up"),
                      tr("Set it to the duration of your longest step, in seconds."),
                      {u"HCCL_EXEC_TIMEOUT"_s, QString::number(defaultExecTimeout)});
    const QString localRank = reviewer.value("LOCAL_RANK");
    if (localRank.contains(','_L1))
        reviewer.error(
            "LOCAL_RANK",
            tr("it is the list \"%1\", as set by a platform for a pod, not one number").arg(localRank),
            tr("Launch with a launcher that sets it for each process, e.g. processes."));
}

Error wrongDevices(const QString &what)
{
    return {what, u"ASCEND_RT_VISIBLE_DEVICES"_s,
            tr("Write comma-separated ids in ascending order without spaces, e.g. 0,1,2. The runtime "
               "silently drops the rest of the list.")};
}

} // namespace

Result<QMap<QString, QString>> parseEnvironmentText(const QString &text)
{
    QMap<QString, QString> variables;
    int number = 0;
    for (const QString &line : text.split('\n'_L1)) {
        ++number;
        const QString stripped = line.trimmed();
        if (stripped.isEmpty() || stripped.startsWith('#'_L1))
            continue;
        const qsizetype equals = line.indexOf('='_L1);
        const QString name = line.left(equals).trimmed();
        if (equals < 0)
            return lineError(number, tr("\"%1\" has no =").arg(stripped), tr("Write NAME=value."));
        if (name.isEmpty() || std::any_of(name.cbegin(), name.cend(), [](QChar c) { return c.isSpace(); }))
            return lineError(number, tr("\"%1\" is not a valid variable name").arg(name),
                             tr("Write NAME=value."));
        if (variables.contains(name))
            return lineError(number, tr("%1 is set twice").arg(name), tr("Keep one of the lines."));
        variables.insert(name, unescaped(line.mid(equals + 1)));
    }
    return variables;
}

QString environmentText(const QMap<QString, QString> &variables)
{
    QStringList lines;
    for (auto it = variables.cbegin(); it != variables.cend(); ++it)
        lines += it.key() + '='_L1 + escaped(it.value());
    return lines.join('\n'_L1);
}

/// HCCL's own bound for operators that run on the vector cores. Source: HCCL_EXEC_TIMEOUT.
static void reviewVectorCores(Reviewer &reviewer)
{
    constexpr int longest = 1091;
    const auto exec = reviewer.number("HCCL_EXEC_TIMEOUT");
    if (reviewer.value("HCCL_OP_EXPANSION_MODE") == "AIV"_L1 && exec && *exec > longest)
        reviewer.warn("HCCL_EXEC_TIMEOUT",
                      tr("it is %1 s, but with HCCL_OP_EXPANSION_MODE=AIV at most %2 s are allowed")
                          .arg(*exec)
                          .arg(longest),
                      tr("Set it to %1 or less.").arg(longest),
                      {u"HCCL_EXEC_TIMEOUT"_s, QString::number(longest)});
}

std::vector<EnvironmentProblem> environmentProblems(const VariableLookup &valueOf, const QStringList &options)
{
    std::vector<EnvironmentProblem> problems = problemsByRules(VariableRules::all(), valueOf, options);
    Reviewer reviewer(valueOf);
    reviewTimeouts(reviewer);
    reviewVectorCores(reviewer);
    reviewAddresses(reviewer);
    reviewDevices(reviewer);
    reviewContradictions(reviewer);
    const auto more = reviewer.take();
    problems.insert(problems.end(), more.begin(), more.end());
    return problems;
}

QStringList knownVariablesSet(const VariableLookup &valueOf)
{
    QStringList known;
    for (const VariableRule &rule : VariableRules::all().variables) {
        if (!valueOf(rule.name).isEmpty())
            known << rule.name;
    }
    return known;
}

std::optional<Error> problemWithVisibleDevices(const QString &value, int npuCount)
{
    static const QRegularExpression number(u"^\\d{1,6}$"_s);
    if (value.isEmpty())
        return std::nullopt;
    int last = -1;
    for (const QString &entry : value.split(','_L1)) {
        if (entry.trimmed() != entry)
            return wrongDevices(tr("\"%1\" contains a space").arg(value));
        if (!number.match(entry).hasMatch())
            return wrongDevices(tr("\"%1\" in \"%2\" is not a device id").arg(entry, value));
        const int id = entry.toInt();
        if (npuCount > 0 && id >= npuCount)
            return wrongDevices(
                tr("device %1 in \"%2\" does not exist: this node has %3").arg(id).arg(value).arg(npuCount));
        if (id <= last)
            return wrongDevices(tr("%1 follows %2 in \"%3\"").arg(id).arg(last).arg(value));
        last = id;
    }
    return std::nullopt;
}

int hcclBasePort(const VariableLookup &valueOf)
{
    bool isNumber = false;
    const int port = valueOf(u"HCCL_IF_BASE_PORT"_s).toInt(&isNumber);
    return isNumber && port > 0 && port <= 65535 - hcclHostPortCount ? port : defaultBasePort;
}

} // namespace rankdeck
