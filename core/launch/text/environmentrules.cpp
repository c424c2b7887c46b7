#include "launch/text/environmentrules.h"

#include "base/listcomma.h"

#include <QHostAddress>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <limits>

namespace rankdeck
{

namespace
{

QString escaped(QString value)
{
    value.replace(QLatin1Char('\\'), QLatin1String("\\\\"));
    value.replace(QLatin1Char('\n'), QLatin1String("\\n"));
    return value;
}

QString unescaped(const QString &text)
{
    QString value;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar next = i + 1 < text.size() ? text.at(i + 1) : QChar();
        if (text.at(i) == QLatin1Char('\\') && (next == QLatin1Char('n') || next == QLatin1Char('\\'))) {
            value += next == QLatin1Char('n') ? QLatin1Char('\n') : QLatin1Char('\\');
            ++i;
        } else {
            value += text.at(i);
        }
    }
    return value;
}

bool isName(const QString &name)
{
    return !name.isEmpty() && std::none_of(name.cbegin(), name.cend(), [](QChar c) { return c.isSpace(); });
}

Error lineError(int number, const QString &what, const QString &mend)
{
    return Error{tr("Line %1: %2").arg(QString::number(number), what), QStringLiteral("--env"), mend};
}

constexpr int defaultBasePort = 60000;
constexpr int defaultExecTimeout = 1836;
constexpr qint64 largest = std::numeric_limits<qint32>::max();

/// A whole number in a range; both ends belong to it.
struct NumberRule {
    const char *variable;
    qint64 least;
    qint64 most;
};

constexpr std::array numberRules{
    NumberRule{"HCCL_CONNECT_TIMEOUT", 120, 7200},   NumberRule{"HCCL_EXEC_TIMEOUT", 0, largest},
    NumberRule{"HCCL_EVENT_TIMEOUT", 0, largest},    NumberRule{"HCCL_IF_BASE_PORT", 1024, 65520},
    NumberRule{"HCCL_BUFFSIZE", 1, largest},         NumberRule{"HCCL_RDMA_TIMEOUT", 5, 24},
    NumberRule{"HCCL_RDMA_RETRY_CNT", 1, 7},         NumberRule{"ACL_DEVICE_SYNC_TIMEOUT", 1, 2147483},
    NumberRule{"TASK_QUEUE_ENABLE", 0, 2},           NumberRule{"ASCEND_GLOBAL_LOG_LEVEL", 0, 4},
    NumberRule{"ASCEND_HOST_LOG_FILE_NUM", 1, 1000}, NumberRule{"GLOG_v", 0, 4},
    NumberRule{"TE_PARALLEL_COMPILER", 1, 32},       NumberRule{"MASTER_PORT", 1, 65535},
    NumberRule{"MS_SCHED_PORT", 1024, 65535},        NumberRule{"CM_CHIEF_PORT", 0, 65520},
    NumberRule{"CM_WORKER_SIZE", 0, 32768},
};

/// One of a few words, separated by '|'.
struct WordRule {
    const char *variable;
    const char *words;
};

constexpr std::array wordRules{
    WordRule{"HCCL_SOCKET_FAMILY", "AF_INET|AF_INET6"},  WordRule{"HCCL_WHITELIST_DISABLE", "0|1"},
    WordRule{"HCCL_INTRA_ROCE_ENABLE", "0|1"},           WordRule{"HCCL_ENTRY_LOG_ENABLE", "0|1"},
    WordRule{"HCCL_DETERMINISTIC", "false|true|strict"}, WordRule{"HCCL_ASYNC_ERROR_HANDLING", "0|1"},
    WordRule{"TORCH_HCCL_ASYNC_ERROR_HANDLING", "0|1"},  WordRule{"TORCH_HCCL_BLOCKING_WAIT", "0|1"},
    WordRule{"TORCH_HCCL_DESYNC_DEBUG", "0|1"},          WordRule{"TORCH_NPU_COMPACT_ERROR_OUTPUT", "0|1"},
    WordRule{"ASCEND_LAUNCH_BLOCKING", "0|1"},           WordRule{"ASCEND_GLOBAL_EVENT_ENABLE", "0|1"},
    WordRule{"ASCEND_SLOG_PRINT_TO_STDOUT", "0|1"},      WordRule{"GLOG_logtostderr", "0|1"},
    WordRule{"MS_COMPILER_CACHE_ENABLE", "0|1"},
};

/// A form, and what it is in words.
struct FormRule {
    const char *variable;
    const char *pattern;
    const char *form;
};

constexpr std::array formRules{
    FormRule{"HCCL_SOCKET_IFNAME", "^\\^?=?[^,=^\\s]+(,[^,=^\\s]+)*$",
             QT_TRANSLATE_NOOP("rankdeck",
                               "names or their beginnings with commas, e.g. eth or =eth0 or ^=docker0")},
    FormRule{"HCCL_HOST_SOCKET_PORT_RANGE", "^(auto|\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?)*)$",
             QT_TRANSLATE_NOOP("rankdeck", "auto, or ports, e.g. 60000-60050,61000")},
    FormRule{"HCCL_NPU_SOCKET_PORT_RANGE", "^(auto|\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?)*)$",
             QT_TRANSLATE_NOOP("rankdeck", "auto, or ports, e.g. 16666-16700")},
    FormRule{"HCCL_LOGIC_SUPERPOD_ID", "^.{1,127}$",
             QT_TRANSLATE_NOOP("rankdeck", "less than 128 characters")},
    FormRule{"DEVICE_ID", "^\\d{1,4}$", QT_TRANSLATE_NOOP("rankdeck", "a device's number")},
    FormRule{"ASCEND_DEVICE_ID", "^\\d{1,4}$", QT_TRANSLATE_NOOP("rankdeck", "a device's number")},
    FormRule{"MASTER_ADDR", "^[^\\s,]+$", QT_TRANSLATE_NOOP("rankdeck", "one host name or address")},
};

/// Looks at one environment and keeps what it finds.
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
    void error(const char *variable, const QString &what, const QString &mend)
    {
        m_problems.push_back({QLatin1String(variable), true, what, mend});
    }
    /// @param form what the value must be, in words.
    void rejectValue(const char *variable, const QString &form)
    {
        error(variable, tr("it is \"%1\", which is not %2").arg(value(variable), form),
              tr("Set %1 to %2, or unset it.").arg(QLatin1String(variable), form));
    }
    void warn(const char *variable, const QString &what, const QString &mend)
    {
        m_problems.push_back({QLatin1String(variable), false, what, mend});
    }
    std::vector<EnvironmentProblem> take() { return std::move(m_problems); }

private:
    const VariableLookup &m_valueOf;
    std::vector<EnvironmentProblem> m_problems;
};

void reviewRange(Reviewer &reviewer, const NumberRule &rule)
{
    if (!reviewer.isSet(rule.variable))
        return;
    const auto number = reviewer.number(rule.variable);
    if (number && *number >= rule.least && *number <= rule.most)
        return;
    const QString form = rule.most == largest
                             ? tr("a whole number from %1 up").arg(rule.least)
                             : tr("a whole number from %1 to %2").arg(rule.least).arg(rule.most);
    reviewer.rejectValue(rule.variable, form);
}

void reviewWord(Reviewer &reviewer, const WordRule &rule)
{
    if (!reviewer.isSet(rule.variable))
        return;
    const QStringList words = QString::fromLatin1(rule.words).split(QLatin1Char('|'));
    if (words.contains(reviewer.value(rule.variable)))
        return;
    reviewer.rejectValue(rule.variable, tr("one of %1").arg(words.join(nameComma())));
}

void reviewForm(Reviewer &reviewer, const FormRule &rule)
{
    if (!reviewer.isSet(rule.variable) ||
        QRegularExpression(QString::fromLatin1(rule.pattern)).match(reviewer.value(rule.variable)).hasMatch())
        return;
    reviewer.rejectValue(rule.variable, tr(rule.form));
}

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
                      tr("Set it higher than HCCL_EXEC_TIMEOUT."));
    const auto rdma = reviewer.number("HCCL_RDMA_TIMEOUT");
    if (rdma && *rdma > 20 && *rdma <= 24)
        reviewer.warn("HCCL_RDMA_TIMEOUT", tr("it is %1, supported by the Ascend 910A only").arg(*rdma),
                      tr("Set it to 5 to 20 for any other chip."));
}

void reviewAddresses(Reviewer &reviewer)
{
    const QString address = reviewer.value("HCCL_IF_IP");
    if (!address.isEmpty() && QHostAddress(address).isNull())
        reviewer.error(
            "HCCL_IF_IP", tr("it is \"%1\", not a single IP address").arg(address),
            tr("Set it to the address of this host's network card, a different one on each node."));
    if (reviewer.value("HCCL_WHITELIST_DISABLE") == QLatin1String("0") &&
        !reviewer.isSet("HCCL_WHITELIST_FILE"))
        reviewer.error("HCCL_WHITELIST_DISABLE",
                       tr("it is 0, but no HCCL_WHITELIST_FILE lists the allowed hosts"),
                       tr("Set HCCL_WHITELIST_FILE, or HCCL_WHITELIST_DISABLE=1."));
}

void reviewDevices(Reviewer &reviewer)
{
    const QStringList visible =
        reviewer.value("ASCEND_RT_VISIBLE_DEVICES").split(QLatin1Char(','), Qt::SkipEmptyParts);
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
    static const QRegularExpression form(QStringLiteral("^[^\\s,]+(,[^\\s,]+)*$"));
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
    if (reviewer.value("ASCEND_LAUNCH_BLOCKING") == QLatin1String("1"))
        reviewer.warn(
            "ASCEND_LAUNCH_BLOCKING",
            tr("it is 1: every operator is synchronous, which is slow and turns TASK_QUEUE_ENABLE off"),
            tr("Unset it unless you are looking for a failing operator."));
    if (reviewer.value("ASCEND_SLOG_PRINT_TO_STDOUT") == QLatin1String("1"))
        reviewer.warn("ASCEND_SLOG_PRINT_TO_STDOUT",
                      tr("it is 1: CANN writes no log files, so the diagnosis lacks them"),
                      tr("Set it to 0, or read CANN's lines in the ranks' logs."));
    if (reviewer.value("ASCEND_GLOBAL_LOG_LEVEL") == QLatin1String("4"))
        reviewer.warn("ASCEND_GLOBAL_LOG_LEVEL", tr("it is 4: CANN logs nothing, not even errors"),
                      tr("Set it to 3."));
    if (reviewer.value("HCCL_EXEC_TIMEOUT") == QLatin1String("0"))
        reviewer.warn("HCCL_EXEC_TIMEOUT", tr("it is 0: a rank that waits for one that died never gives up"),
                      tr("Set it to the duration of your longest step, in seconds."));
    const QString localRank = reviewer.value("LOCAL_RANK");
    if (localRank.contains(QLatin1Char(',')))
        reviewer.error(
            "LOCAL_RANK",
            tr("it is the list \"%1\", as set by a platform for a pod, not one number").arg(localRank),
            tr("Launch with a launcher that sets it for each process, e.g. processes."));
}

Error wrongDevices(const QString &what)
{
    return {what, QStringLiteral("ASCEND_RT_VISIBLE_DEVICES"),
            tr("Write comma-separated ids in ascending order without spaces, e.g. 0,1,2. The runtime "
               "silently drops the rest of the list.")};
}

} // namespace

Result<QMap<QString, QString>> parseEnvironmentText(const QString &text)
{
    QMap<QString, QString> variables;
    int number = 0;
    for (const QString &line : text.split(QLatin1Char('\n'))) {
        ++number;
        const QString stripped = line.trimmed();
        if (stripped.isEmpty() || stripped.startsWith(QLatin1Char('#')))
            continue;
        const qsizetype equals = line.indexOf(QLatin1Char('='));
        const QString name = line.left(equals).trimmed();
        if (equals < 0)
            return lineError(number, tr("\"%1\" has no =").arg(stripped), tr("Write NAME=value."));
        if (!isName(name))
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
        lines += it.key() + QLatin1Char('=') + escaped(it.value());
    return lines.join(QLatin1Char('\n'));
}

std::vector<EnvironmentProblem> environmentProblems(const VariableLookup &valueOf)
{
    Reviewer reviewer(valueOf);
    for (const NumberRule &rule : numberRules)
        reviewRange(reviewer, rule);
    for (const WordRule &rule : wordRules)
        reviewWord(reviewer, rule);
    for (const FormRule &rule : formRules)
        reviewForm(reviewer, rule);
    reviewTimeouts(reviewer);
    reviewAddresses(reviewer);
    reviewDevices(reviewer);
    reviewContradictions(reviewer);
    return reviewer.take();
}

QStringList knownVariablesSet(const VariableLookup &valueOf)
{
    QStringList known;
    const auto add = [&](const char *variable) {
        if (!valueOf(QLatin1String(variable)).isEmpty())
            known << QLatin1String(variable);
    };
    const auto addAll = [&](const auto &rules) {
        for (const auto &rule : rules)
            add(rule.variable);
    };
    addAll(numberRules);
    addAll(wordRules);
    addAll(formRules);
    for (const char *variable : {"HCCL_IF_IP", "ASCEND_RT_VISIBLE_DEVICES", "ASCEND_VISIBLE_DEVICES",
                                 "LOCAL_RANK", "RANK_TABLE_FILE", "CM_CHIEF_IP"})
        add(variable);
    return known;
}

std::optional<Error> problemWithVisibleDevices(const QString &value, int npuCount)
{
    static const QRegularExpression number(QStringLiteral("^\\d{1,6}$"));
    if (value.isEmpty())
        return std::nullopt;
    int last = -1;
    for (const QString &entry : value.split(QLatin1Char(','))) {
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
    const int port = valueOf(QStringLiteral("HCCL_IF_BASE_PORT")).toInt(&isNumber);
    return isNumber && port > 0 && port <= 65535 - hcclHostPortCount ? port : defaultBasePort;
}

} // namespace rankdeck
