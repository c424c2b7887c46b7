#pragma once

#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "result.h"

#include <optional>

namespace rankdeck
{

/// What can be said of a spec before it is launched.
struct PreviewResult {
    LaunchSpec spec;
    QString tablePath;   ///< The rank table that is read.
    QString tableStatus; ///< Its status while it is not completed, else empty.
    QString
        defaultTableVariable; ///< The variable an empty rank table field is filled from, empty: none is set.
    QString defaultTablePath; ///< What is read when the field is empty.
    QString defaultConvertedPath; ///< Where a converted table goes when the field is empty.
    QString currentDirectory;     ///< What relative paths start from.
    std::optional<LaunchPlan>
        plan; ///< There may be a plan and an error: a plan that cannot be carried out here.
    std::optional<Error> error;

    bool operator==(const PreviewResult &) const = default;
};

} // namespace rankdeck
