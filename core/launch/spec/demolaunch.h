#pragma once

#include "launch/spec/launchspec.h"

namespace rankdeck
{

enum class Demo {
    Training, ///< Eight ranks of resources/demo/train.py.
    Debug,    ///< Eight ranks of resources/demo/debug.py, which stop in their debugger, each in a terminal.
    /// Eight ranks of `rankdeckctl collective`, a self-test that goes on until it is stopped, each step of it
    /// slow enough to watch. Needs no NPU, no rank table and no Python.
    Collective,
};

/// Reads the word after --demo, "debug" or "collective"; returns nothing for another word.
std::optional<Demo> demoFromWord(const QString &word);

/// Returns the spec of a built-in demo, with logs in the run directory; the Python demos use the demo's rank
/// table. Fails if its files, or for Collective rankdeckctl or a loopback port, are not available.
Result<LaunchSpec> demoSpec(Demo demo = Demo::Training);

} // namespace rankdeck
