#pragma once

#include "base/result.h"

#include <QMap>

#include <functional>
#include <vector>

namespace rankdeck
{

/// Reads variables from editable text: one NAME=value a line; ignores empty lines and lines that begin with
/// #. In a value \n stands for a new line and \\ for a backslash; any other \ is kept. Quotes are part of the
/// value. Fails at the first line without "=", with an unusable or a repeated name; the error gives its
/// number.
Result<QMap<QString, QString>> parseEnvironmentText(const QString &text);

/// Returns text that parseEnvironmentText() reads as `variables`.
QString environmentText(const QMap<QString, QString> &variables);

/// A change of one variable that solves a problem.
struct VariableFix {
    QString variable; ///< Empty: no change would help.
    QString value;    ///< Empty: unset the variable.

    bool operator==(const VariableFix &) const = default;
};

/// A problem with a variable that HCCL, CANN, torch_npu or MindSpore reads.
struct EnvironmentProblem {
    QString variable;
    bool isError = true; ///< If false, it works, but probably not as intended.
    QString what;        ///< One sentence, with the value.
    QString mend;        ///< One sentence.
    VariableFix fix = {};

    bool operator==(const EnvironmentProblem &) const = default;
};

/// Returns the value of a variable; a null string if it is not set.
using VariableLookup = std::function<QString(const QString &name)>;

/// Compares every variable that is known and set with its documented range and meaning, and with those that
/// it contradicts. Does not check variables that take paths. In the order of the rules, which are data
/// (VariableRules::all()). Sources: HCCL's, CANN's and torch_npu's documents of environment variables,
/// MindSpore's list of them; each rule names its own.
/// @param options of Rankdeck that the launch uses and that switch a variable off: "--bind-core".
std::vector<EnvironmentProblem> environmentProblems(const VariableLookup &valueOf,
                                                    const QStringList &options = {});

/// Returns the variables that environmentProblems() knows and that are set.
QStringList knownVariablesSet(const VariableLookup &valueOf);

/// Checks a value of ASCEND_RT_VISIBLE_DEVICES: logical device ids with commas,
/// ascending, without blanks. The runtime silently drops everything from the first bad entry on. An empty
/// value is not checked. Source: CANN, environment variables, ASCEND_RT_VISIBLE_DEVICES.
/// @param npuCount ids must be below it; 0: not known.
std::optional<Error> problemWithVisibleDevices(const QString &value, int npuCount);

/// Returns the first of the hcclHostPortCount host ports that HCCL listens on: HCCL_IF_BASE_PORT or its
/// default.
int hcclBasePort(const VariableLookup &valueOf);
inline constexpr int hcclHostPortCount = 32;
/// Where an NPU listens by default.
inline constexpr int hcclNpuPort = 16666;

} // namespace rankdeck
