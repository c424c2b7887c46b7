#pragma once

#include "base/result.h"

namespace rankdeck
{

class Fields;

struct PreflightCheck {
    /// In the order they are made and shown.
    enum class Part { Plan, Host, NpuNetwork, Pairs, Collectives };
    enum class Status { Pass, Warn, Fail, Skipped };

    Part part = Part::Plan;
    QString name;    ///< Stable, for programs: "python-imports".
    QString subject; ///< Subject of the check: a node, a variable, "ranks 0 and 3"; empty: the launch.
    Status status = Status::Pass;
    QString sentence; ///< The finding; for Skipped the reason.
    QString mend;     ///< Advice; empty for Pass, and if there is none.
    /// A fix in the launch's environment: "NAME=VALUE" to set, "NAME" to unset; empty: none is known.
    QString fix = {};

    bool operator==(const PreflightCheck &) const = default;
};

/// "Plan", "Hosts", "NPU network", "Pairs of ranks", "Collectives"; "pass", "FAIL" …: translated.
QString preflightPartName(PreflightCheck::Part part);
QString preflightStatusName(PreflightCheck::Status status);

/// Returns the text with one full stop at the end; "..." counts as one.
QString asSentence(QString text);
/// "device 3" or "devices 0-3, 6", translated.
QString devicesText(const QList<int> &devices);
/// A problem as a check of that name: "where: what." and the mend.
PreflightCheck checkOf(PreflightCheck::Part part, const QString &name, PreflightCheck::Status status,
                       const Error &problem);

void visitFields(Fields &fields, PreflightCheck &check);

} // namespace rankdeck
