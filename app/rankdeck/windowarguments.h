#pragma once

#include "canvas/widget/backends.h"
#include "demo/demolaunch.h"

namespace rankdeck
{

/// The arguments of the window's command line.
struct WindowArguments {
    bool help = false;
    bool version = false;
    bool listDemos = false;
    QString attach;   ///< A run's name, or a unique part of it; empty: none.
    QString recorded; ///< A directory of logs or a report bundle to show; empty: none.
    QString replay;   ///< A run's name, or a path, to replay; empty: none.
    double speed = 1; ///< Speed of the replay.
    std::optional<Demo> demo;
    QString rankTable; ///< A file to show; empty: none.
    std::optional<LaunchSpec> launch;
    CanvasKind canvas = CanvasKind::BestForDisplay;
    bool fastStart = false; ///< See prepareDisplay().
    QString language;       ///< "zh", "zh_CN"; empty: the system's.

    /// Error: an argument that is unknown, lacks its value, or contradicts another.
    static Result<WindowArguments> parse(const QStringList &arguments);
    static QString usage();
    /// Returns a line for each built-in demo.
    static QString demoList();
};

} // namespace rankdeck
