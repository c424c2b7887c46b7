#pragma once

#include "log/logpattern.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// What stands out in logs, and how.
struct Highlight {
    LogPattern pattern;
    int color = 0; ///< 0 .. LogPalette::highlightColors - 1

    bool operator==(const Highlight &) const = default;
};

/// Highlights that are used together.
struct HighlightSet {
    QString name;
    QList<Highlight> highlights;

    bool operator==(const HighlightSet &) const = default;
};

/// All sets of a user, of which one is in use or none.
struct HighlightSets {
    QList<HighlightSet> sets;
    QString inUse; ///< A name; empty for none.

    /// Those of the set in use.
    QList<Highlight> current() const;

    /// From and to QSettings. What is not well formed there is left out.
    static HighlightSets load();
    void save() const;

    bool operator==(const HighlightSets &) const = default;
};

} // namespace rankdeck
