#include "launch/planning/flightrecorder.h"

#include "base/listcomma.h"
#include "launch/plan/attempt.h"
#include "launch/plan/recorderfiles.h"

namespace rankdeck
{

void setUpRecorders(LaunchPlan &plan, const LaunchGround &ground)
{
    const QString &wanted = ground.spec.common.flightRecorder;
    if (wanted == "off"_L1 || (wanted == "auto"_L1 && !ground.facts.hasTorch))
        return;
    const QString folder = recorderFolder(inRunDirectory({}), plan, QLatin1String(attemptPlaceholder));
    const auto variables = recorderVariables(folder, ground.spec.common.stallAfterSeconds);
    QMap<QString, QString> kept;
    for (ProcessPlan &process : plan.processes) {
        if (process.role != Role::Worker)
            continue;
        process.makeDirectories << folder << recorderStatusFolder(folder);
        for (auto its = variables.begin(); its != variables.end(); ++its) {
            const QString own = effectiveValue(process, ground.facts.environment, its.key());
            if (!own.isNull())
                kept.insert(its.key(), own);
            else if (!ground.spec.common.unsetVariables.contains(its.key()))
                process.setVariables.insert(its.key(), its.value());
        }
    }
    if (kept.isEmpty())
        return;
    QStringList texts;
    for (auto its = kept.cbegin(); its != kept.cend(); ++its)
        texts << its.key() + '='_L1 + its.value();
    plan.notes << Sentence::tr("The flight recorder keeps variables that are already set: %1.")
                      .arg(texts.join(nameComma()));
}

} // namespace rankdeck
