#pragma once

#include <cstdlib>
#include <vector>

#include <unistd.h>

namespace rankdeck
{

inline constexpr char ownMachineVariable[] = "TEST_HAS_OWN_MACHINE";

/// Runs this test program once more in namespaces of its own, for processes and for the network: whatever it
/// leaves behind ends with it, however it ends, and its cables are nobody else's. Call it first in main().
/// It returns when that is so, and where it cannot be done: it takes root, and a container that allows it.
inline void moveToOwnMachine(char **arguments)
{
    if (geteuid() != 0 || getenv(ownMachineVariable) ||
        std::system("unshare --net --pid --fork --mount-proc ip link set lo up") != 0)
        return;
    setenv(ownMachineVariable, "1", 1);
    // The shell is process 1 there: it takes what has lost its parent. Names are looked up only where there
    // is an address besides those of loopback.
    std::vector<const char *> words{
        "unshare",
        "--net",
        "--pid",
        "--fork",
        "--kill-child",
        "--mount-proc",
        "sh",
        "-c",
        "ip link set lo up && ip address add 10.77.1.1/32 dev lo && \"$@\"; exit $?",
        "sh"};
    for (; *arguments; ++arguments)
        words.push_back(*arguments);
    words.push_back(nullptr);
    execvp(words.front(), const_cast<char **>(words.data()));
}

inline bool hasOwnMachine()
{
    return getenv(ownMachineVariable) != nullptr;
}

} // namespace rankdeck
