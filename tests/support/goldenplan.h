#pragma once

#include "base/fields.h"
#include "base/json.h"
#include "launch/plan/launchplan.h"
#include "testhome.h"

#include <QTest>

namespace rankdeck
{

/// Whether `plan` is the one in tests/data/plans/NAME.json, and survives the way through JSON. With
/// RANKDECK_WRITE_GOLDEN set the file is written instead, to be looked at in a diff.
inline void compareWithGolden(const LaunchPlan &plan, const QString &name)
{
    QFile file(testData("plans/") + name + u".json"_s);
    const nlohmann::json json = toJson(plan);
    if (qEnvironmentVariableIsSet("RANKDECK_WRITE_GOLDEN")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(jsonText(json, 2) + '\n');
        QSKIP("written, not compared");
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const auto golden = parseJson(file.readAll());
    QVERIFY(golden);
    const nlohmann::json difference = nlohmann::json::diff(*golden, json);
    QVERIFY2(difference.empty(), difference.dump(2).c_str());
    for (const nlohmann::json &form : {json, toJson(CompactPlan{plan})}) {
        const auto again = launchPlanFromJson(form);
        QVERIFY2(again, qPrintable(again.error().sentence()));
        QVERIFY(toJson(*again) == json);
    }
}

} // namespace rankdeck
