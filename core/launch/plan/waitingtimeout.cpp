#include "launch/plan/waitingtimeout.h"

#include "base/listcomma.h"
#include "launch/plan/processplan.h"

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

using Whom = WaitingTimeout::Whom;

struct KnownTimeout {
    const char *variable;
    int seconds;     ///< By default; 0: none.
    int longSeconds; ///< For a long session; what every device takes.
    Whom whom;
    const char *launcher; ///< Null: any.
};

constexpr std::array knownTimeouts{
    KnownTimeout{"HCCL_CONNECT_TIMEOUT", 120, 7200, Whom::Connecting, nullptr},
    KnownTimeout{"HCCL_EXEC_TIMEOUT", 1836, 17340, Whom::InCollective, nullptr},
    KnownTimeout{"HCCL_EVENT_TIMEOUT", 1868, 17400, Whom::InCollective, "processes"},
    KnownTimeout{"ACL_DEVICE_SYNC_TIMEOUT", 0, 17400, Whom::InCollective, nullptr},
    KnownTimeout{"MS_TOPO_TIMEOUT", 1800, 7200, Whom::Forming, "msrun"},
    KnownTimeout{"MS_NODE_TIMEOUT", 30, 7200, Whom::Halted, "msrun"},
};

} // namespace

std::vector<WaitingTimeout> waitingTimeouts(const ProcessPlan &process, const QString &launcher,
                                            const QProcessEnvironment &environment)
{
    std::vector<WaitingTimeout> timeouts;
    for (const KnownTimeout &known : knownTimeouts) {
        if (known.launcher && launcher != QLatin1String(known.launcher))
            continue;
        const QString variable = QLatin1String(known.variable);
        const QString value = effectiveValue(process, environment, variable);
        bool isNumber = true;
        const int seconds = value.isEmpty() ? known.seconds : value.toInt(&isNumber);
        if (isNumber && seconds > 0)
            timeouts.push_back({variable, seconds, known.whom});
    }
    std::ranges::stable_sort(timeouts, {}, &WaitingTimeout::seconds);
    return timeouts;
}

QString whenText(Whom whom)
{
    const std::array texts{tr("while they connect"), tr("in a collective"),
                           tr("until the cluster is complete"),
                           tr("for a rank that is paused as a whole, e.g. in gdb")};
    return texts.at(static_cast<std::size_t>(whom));
}

QString waitingTimeoutsText(const std::vector<WaitingTimeout> &timeouts)
{
    QStringList parts;
    for (const WaitingTimeout &timeout : timeouts)
        parts << tr("%1 (%2 s) %3")
                     .arg(timeout.variable, QString::number(timeout.seconds), whenText(timeout.whom));
    return parts.join(listComma());
}

QStringList raisedTimeouts(const std::vector<WaitingTimeout> &timeouts)
{
    QStringList variables;
    for (const WaitingTimeout &timeout : timeouts) {
        const auto known = std::ranges::find_if(knownTimeouts, [&](const KnownTimeout &each) {
            return timeout.variable == QLatin1String(each.variable);
        });
        if (known != knownTimeouts.end() && timeout.seconds < known->longSeconds)
            variables << timeout.variable + '='_L1 + QString::number(known->longSeconds);
    }
    return variables;
}

} // namespace rankdeck
