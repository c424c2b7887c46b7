#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <optional>

namespace rankdeck
{

/// Where the data files are: $RANKDECK_RESOURCES, else share/rankdeck beside the program's bin, else the
/// source tree that this build came from. Error: none of them holds the demo.
Result<QString> resourcesDirectory();

enum class Demo {
    Training, ///< Eight ranks of resources/demo/train.py.
    Debug,    ///< Eight ranks of resources/demo/debug.py, which stop in their debugger, each in a terminal.
    /// Eight ranks of `rankdeckctl collective`, a self-test that goes on until it is stopped, each step of it
    /// slow enough to watch. Needs no NPU, no rank table and no Python.
    Collective,
};

/// "debug" or "collective": what follows --demo on the command line; nothing for another word.
std::optional<Demo> demoFromWord(const QString &word);

/// A built-in demo, logs in the run directory; those of Python on the demo's rank table. Error: its files or,
/// of Collective, rankdeckctl or a port on loopback are not to be had.
Result<LaunchSpec> demoSpec(Demo demo = Demo::Training);

} // namespace rankdeck
