#pragma once

#include "log/line/logtypes.h"

#include <optional>

namespace rankdeck
{

/// Where a Python program was.
struct PythonFrame {
    QString file;
    int line = 0; ///< From 1.
    QString function;

    bool operator==(const PythonFrame &) const = default;
};

/// A traceback, what faulthandler dumps when the interpreter crashes, or a stack from py-spy. Plain text.
struct PythonTrace {
    static constexpr int mostLines = 200;

    QStringList lines; ///< As printed, without what stands before each line ("[rank3]: "); oldest first.
    /// "ValueError: bad value", or "Fatal Python error: Segmentation fault"; empty when the log ends before.
    QString exception;
    /// The innermost frame outside of installed packages and Python itself; else the innermost.
    std::optional<PythonFrame> userFrame;
    bool isInUserCode = false;   ///< That frame is outside of them.
    bool isInCollective = false; ///< From there it has called a library of collective operations.
    bool isStack = false;        ///< py-spy tells where the main thread of a process stands; no error.
    LineNumber line;             ///< Where it begins.

    /// Adds one more line of the traceback: `  File "train.py", line 3, in main`. Of a box, as the library
    /// rich draws it around a traceback, takes what Python would print.
    void add(const QString &text);

private:
    void addFrame(const PythonFrame &frame);

    bool m_isInnermostFirst = false;
};

/// Whether this is a line of a box around a traceback: "│ /job/train.py:3 in main │".
bool isBoxed(const QString &text);

/// "train.py, line 3, in main"
QString frameWords(const PythonFrame &frame);

} // namespace rankdeck
