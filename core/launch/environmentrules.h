#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace rankdeck
{

/// What is wrong with a variable that HCCL, CANN, torch_npu or MindSpore reads.
struct EnvironmentProblem {
    QString variable;
    bool isError = true; ///< Else it works, but probably not as it is meant.
    QString what;        ///< One sentence, with the value.
    QString mend;        ///< One sentence.

    bool operator==(const EnvironmentProblem &) const = default;
};

/// The value of a variable; a null string: it is not set.
using VariableLookup = std::function<QString(const QString &name)>;

/// Every variable that is known and set is compared with its documented range and meaning, and with those it
/// contradicts. Values of variables that take paths are not looked at. In the order of the table of rules.
/// Sources: HCCL's, CANN's and torch_npu's documents of environment variables, MindSpore's list of them.
std::vector<EnvironmentProblem> environmentProblems(const VariableLookup &valueOf);

/// The variables that environmentProblems() knows and that are set.
QStringList knownVariablesSet(const VariableLookup &valueOf);

/// The first of the host ports that HCCL listens on, HCCL_IF_BASE_PORT or its default; it takes
/// hcclHostPortCount from there.
int hcclBasePort(const VariableLookup &valueOf);
inline constexpr int hcclHostPortCount = 32;
/// Where an NPU listens by default.
inline constexpr int hcclNpuPort = 16666;

} // namespace rankdeck
