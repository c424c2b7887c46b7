#pragma once

#include "log/line/loglinereader.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// A filter that the user named, as the filter bar shows it.
struct SavedFilter {
    QString name;
    QString text; ///< See patternsIn().
    bool isRegex = false;
    bool caseSensitive = false;
    LogSeverity leastSeverity = LogSeverity::None;
    int context = 0;

    bool operator==(const SavedFilter &) const = default;
};

/// Reads the filters in the settings, in the order of their names.
QList<SavedFilter> savedFilters();
/// Adds a filter to the settings, in place of one with the same name.
void saveFilter(const SavedFilter &filter);
void deleteFilter(const QString &name);

} // namespace rankdeck
