#pragma once

#include "devicegrid/devicecellpainter.h"
#include "devicegrid/deviceserver.h"

#include <QPalette>
#include <QRect>

namespace rankdeck
{

class Canvas;

/// The heading of a server in the device grid. Comparing two of them says whether it has to be drawn again.
struct ServerHeading {
    enum class Fold {
        Never, ///< A single server: the heading is a line of text.
        Open,
        Folded,
    };

    ServerSummary summary;
    Fold fold = Fold::Never;
    /// Selected: folded over a rank that is.
    DeviceCellMarks marks;

    /// All of it in words, for a screen reader.
    QString spoken() const;
    bool operator==(const ServerHeading &) const = default;
};

/// The size at which the heading of a folded server shows an address and one count whole.
QSize minimumHeadingSize(const QSize &characterCell);
/// What of a heading folds and opens it at a click.
QRect foldMarkArea(const QRect &heading);
void drawServerHeading(Canvas &canvas, const QPalette &palette, const QRect &area,
                       const ServerHeading &heading);

} // namespace rankdeck
