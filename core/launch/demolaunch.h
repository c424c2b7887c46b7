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
};

/// "debug": what follows --demo on the command line; nothing for another word.
std::optional<Demo> demoFromWord(const QString &word);

/// A built-in demo, on the demo's rank table, logs in the run directory.
Result<LaunchSpec> demoSpec(Demo demo = Demo::Training);

} // namespace rankdeck
