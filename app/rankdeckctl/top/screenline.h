#pragma once

#include "base/textcells.h"
#include "log/line/ansidecoder.h"
#include "log/line/loglinereader.h"

namespace rankdeck
{

/// A line of the screen: text without control characters.
struct ScreenLine {
    QList<LogRun> runs;
    bool isChosen = false; ///< Shown reversed, over the whole width.

    bool operator==(const ScreenLine &) const = default;
};

/// styleOf() has a style for each, in this order.
enum class Look { Plain, Strong, Dim, Good, Warning, Bad, Label };

LogStyle styleOf(Look look);
/// Returns text of one look; control characters in it are spelled out.
LogRun textRun(const QString &text, Look look = Look::Plain);

/// Returns how many cells of a terminal the line takes.
int cellsOf(const QList<LogRun> &runs);
/// Returns the part of a line that begins at cell `from` and takes at most this many cells.
QList<LogRun> partOf(const QList<LogRun> &runs, int from, int cells);

/// Returns a line of a log with its own colours, or those of its severity. All escape sequences but colours
/// are spelled out: "^[[2J".
QList<LogRun> logRuns(QByteArrayView line, LogSeverity severity);

/// Returns plain text of several lines, each broken where it is wider than the screen.
QList<ScreenLine> wrapped(const QString &text, int cells);

} // namespace rankdeck
