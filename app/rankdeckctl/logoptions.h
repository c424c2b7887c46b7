#pragma once

#include "logviewer.h"
#include "options.h"
#include "result.h"

#include <vector>

namespace rankdeck
{

/// What `logs` is asked for, before it is known of which run.
struct LogOptions {
    std::vector<int> ranks; ///< Empty: all.
    bool scheduler = false;
    ViewOptions view;
    bool hasView = false; ///< False: line by line, which is faster.
};

/// What --help prints.
QString logsUsage();
/// Error: values that cannot be understood, or that exclude each other.
Result<LogOptions> readLogOptions(const Options &options);

} // namespace rankdeck
