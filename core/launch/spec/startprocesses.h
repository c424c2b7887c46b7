#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

namespace rankdeck
{

/// Returns true for "module:function" and "file.py:function": a function of Python, not a program.
bool isPythonFunction(const QString &entrypoint);

/// Makes start_processes' arguments the keys of a LaunchSpec. Known are name, entrypoint (a program, a list
/// of it and its first arguments, or a function, see isPythonFunction()), args (values of any type: a program
/// gets them as str() writes them), envs, log_dir, redirects, tee, tees, nprocs, start_method,
/// log_line_prefixes and logs_specs; torchrun's own options under their names; null is "not given".
/// @param text the JSON as it is written: Python keeps the order of an object.
/// @param notes gets a sentence for each unknown key that is left out.
/// Fails for a key that is given in two ways, a wrong value, an empty set of ranks, and an unknown key that
/// looks like a known one: what is started would change.
/// Source: torch.distributed.elastic.multiprocessing.start_processes and LogsSpecs (1.13 to 2.9).
std::optional<Error> takeStartProcesses(nlohmann::json &json, const QByteArray &text, QStringList &notes);

/// Returns a key of a LaunchSpec in the words of start_processes: "processes.args" is "args".
QString startProcessesKey(const QString &key);

/// JSON whose objects keep their order, as Python's do.
using OrderedJson = nlohmann::ordered_json;

/// Returns the text that Python's str() makes of a value that its json module has read: "1", "0.5", "True",
/// "None", "[1, 'a']", "{'a': 1}"; a text as it is. Recursive: for values of little depth.
QString pythonText(const OrderedJson &value);

} // namespace rankdeck
