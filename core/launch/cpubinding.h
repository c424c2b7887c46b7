#pragma once

#include "result.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// --bind-core, msrun's --bind_core, read.
struct CpuBinding {
    enum class Kind { None, Even, ByDevice };

    Kind kind = Kind::None;
    QMap<int, QList<int>> byDevice; ///< Cpus, ascending; kind ByDevice only.
};

/// "False", "True" (in any case, as msrun takes them), or a JSON object such as
/// {"device0":["0-10"],"device1":["11-20","30-35"]}. Errors name `option`, the key and
/// the range.
Result<CpuBinding> readCpuBinding(const QString &text, const QString &option);

/// The cpus of each of `workers` local ranks, by what --bind-core says; empty lists for those that are not
/// bound, of which `notes` are told. Errors: as readCpuBinding(), or a cpu that is none of `cpus`.
Result<QList<QList<int>>> bindLocalRanks(const QString &bindCore, const QString &option, int workers,
                                         const QList<int> &cpus, QStringList &notes);

/// `cpus` in `parts` equal shares, in order; what is left over belongs to none. Empty shares when there are
/// fewer cpus than parts.
QList<QList<int>> evenShares(const QList<int> &cpus, int parts);

} // namespace rankdeck
