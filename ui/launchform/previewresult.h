#pragma once

#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "ranktable/tablecheck.h"
#include "result.h"

#include <QList>

#include <optional>

namespace rankdeck
{

/// What can be said of a spec before it is launched.
struct PreviewResult {
    LaunchSpec spec;
    QString tablePath;   ///< The rank table that is read; empty: none.
    QString tableStatus; ///< Its status while it is not completed, else empty.
    /// What a check of the rank table found; absent when it cannot be read or is not completed.
    std::optional<TableCheck> check;
    QString defaultTableVariable; ///< The variable that names the default table; empty where none does.
    QString defaultTablePath;     ///< What is read when the field is empty.
    QString defaultConvertedPath; ///< Where a converted table goes when the field is empty.
    /// There may be a plan and errors: one that cannot be carried out here.
    std::optional<LaunchPlan> plan;
    QList<Error> errors;

    bool operator==(const PreviewResult &) const = default;
};

} // namespace rankdeck
