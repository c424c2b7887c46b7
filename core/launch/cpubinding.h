#pragma once

#include "result.h"

#include <QList>
#include <QMap>
#include <QString>

namespace rankdeck
{

/// msrun's --bind_core, read.
struct CpuBinding {
    enum class Kind { None, Even, ByDevice };

    Kind kind = Kind::None;
    QMap<int, QList<int>> byDevice; ///< Cpus, ascending; kind ByDevice only.
};

/// "False", "True" (in any case, as msrun takes them), or a JSON object such as
/// {"device0":["0-10"],"device1":["11-20","30-35"]}. Errors name the key and the range.
Result<CpuBinding> readCpuBinding(const QString &text);

/// `cpus` in `parts` equal shares, in order; what is left over belongs to none. Empty shares when there are
/// fewer cpus than parts.
QList<QList<int>> evenShares(const QList<int> &cpus, int parts);

} // namespace rankdeck
