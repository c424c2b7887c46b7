#include "launch/leftovervariables.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("leftoverVariables", text);
}

bool mayBeLeftOver(const QString &name)
{
    return name.startsWith(QLatin1String("MS_")) || name == QLatin1String("RANK_TABLE_FILE");
}

/// Whether some process of the plan does not get `name` as it is in the environment.
bool isReplaced(const LaunchPlan &plan, const QString &name)
{
    return std::any_of(plan.processes.begin(), plan.processes.end(), [&](const ProcessPlan &process) {
        return process.setVariables.contains(name) || process.removeVariables.contains(name);
    });
}

} // namespace

QStringList leftoverNotes(const LaunchPlan &plan, const QProcessEnvironment &environment)
{
    QStringList replaced;
    QStringList kept;
    for (const QString &name : environment.keys()) {
        if (mayBeLeftOver(name))
            (isReplaced(plan, name) ? replaced : kept) << name;
    }
    replaced.sort();
    kept.sort();
    QStringList notes;
    const QLatin1String comma(", ");
    if (!replaced.isEmpty())
        notes << tr("Set in this environment already: %1. This launch gives its processes values of its own "
                    "or none.")
                     .arg(replaced.join(comma));
    if (!kept.isEmpty())
        notes << tr("Set in this environment and passed on as it is: %1. Unset what an earlier launch left "
                    "behind.")
                     .arg(kept.join(comma));
    return notes;
}

} // namespace rankdeck
