#pragma once

#include "device/sampling/devicesource.h"
#include "launch/spec/launchspec.h"

namespace rankdeck
{

struct LaunchPlan;

enum class Demo {
    Training,  ///< Eight ranks of resources/demo/train.py.
    First,     ///< The same, after the rank table was checked and converted by hooks.
    Fail,      ///< The same; the HBM of rank 5 has an error.
    Straggler, ///< The same; the card of rank 3 gets hot and slow.
    Hang,      ///< The same; rank 6 does not come to a collective, until the others give up.
    /// The same on two nodes, which are this machine; the link to the second one is cut and mended.
    Nodes,
    Many,  ///< 1,024 ranks that only wait; resources/demo/many.py writes their output.
    Debug, ///< Eight ranks of resources/demo/debug.py, which stop in their debugger, each in a terminal.
    /// Eight ranks of `rankdeckctl collective`, a self-test that goes on until it is stopped, each step of it
    /// slow enough to watch. Needs no NPU, no rank table and no Python.
    Collective,
};

struct DemoEntry {
    Demo demo = Demo::Training;
    QString word;    ///< "training": what --demo and `rankdeckctl demo` take.
    QString title;   ///< "Training"; for lists in the window.
    QString summary; ///< One sentence on the demo.
};

/// Returns all built-in demos, in the order in which they are offered.
QList<DemoEntry> demos();
std::optional<Demo> demoFromWord(const QString &word);

/// Returns the spec of a built-in demo, with logs in the run directory; the Python demos use the demo's rank
/// table. Fails if its files, or for Collective rankdeckctl or a loopback port, are not available.
/// @param speed how many times as fast as it is to be watched, 1 .. 100; not of Debug and Collective. The
/// link of Nodes stays cut for some seconds at any speed, and Many is at most five times as fast.
Result<LaunchSpec> demoSpec(Demo demo = Demo::Training, int speed = 1);

/// Returns the demo of a spec of demoSpec(); nothing if its command is another one by now.
std::optional<Demo> demoOf(const LaunchSpec &spec);

/// Returns true for a demo with simulated ranks: processes that do nothing.
bool hasSimulatedRanks(const LaunchSpec &spec);

/// Returns true for any other demo: its run has the NPUs of resources/demo/npu_smi.py.
bool hasInventedNpus(const LaunchSpec &spec);

/// Writes the stand-in for npu-smi of a demo's run, LaunchPlan::inventedNpuSmi, into the run directory: a
/// script that runs resources/demo/npu_smi.py for the ranks of `node`. Returns it as a source; none for any
/// other launch, and where it cannot be written or there is no Python.
/// @param share with the paths of this node.
DeviceSource writeInventedNpuSmi(const LaunchPlan &share, const QString &node);

} // namespace rankdeck
