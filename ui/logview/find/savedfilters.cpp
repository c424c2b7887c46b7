#include "logview/find/savedfilters.h"

#include <QSettings>

#include <algorithm>

namespace rankdeck
{

const QString filtersKey = QStringLiteral("log/filters");

static void write(const QList<SavedFilter> &filters)
{
    QSettings settings;
    settings.remove(filtersKey);
    settings.beginWriteArray(filtersKey, int(filters.size()));
    for (int at = 0; at < filters.size(); ++at) {
        settings.setArrayIndex(at);
        settings.setValue(QStringLiteral("name"), filters[at].name);
        settings.setValue(QStringLiteral("text"), filters[at].text);
        settings.setValue(QStringLiteral("regex"), filters[at].isRegex);
        settings.setValue(QStringLiteral("case"), filters[at].caseSensitive);
        settings.setValue(QStringLiteral("severity"), static_cast<int>(filters[at].leastSeverity));
        settings.setValue(QStringLiteral("context"), filters[at].context);
    }
    settings.endArray();
}

QList<SavedFilter> savedFilters()
{
    QList<SavedFilter> filters;
    QSettings settings;
    const int count = settings.beginReadArray(filtersKey);
    for (int at = 0; at < count; ++at) {
        settings.setArrayIndex(at);
        const int severity = std::clamp(settings.value(QStringLiteral("severity")).toInt(), 0,
                                        static_cast<int>(LogSeverity::Critical));
        filters.append({settings.value(QStringLiteral("name")).toString(),
                        settings.value(QStringLiteral("text")).toString(),
                        settings.value(QStringLiteral("regex")).toBool(),
                        settings.value(QStringLiteral("case")).toBool(), static_cast<LogSeverity>(severity),
                        std::max(0, settings.value(QStringLiteral("context")).toInt())});
    }
    settings.endArray();
    filters.removeIf([](const SavedFilter &filter) { return filter.name.isEmpty(); });
    std::ranges::sort(filters, {}, &SavedFilter::name);
    return filters;
}

void saveFilter(const SavedFilter &filter)
{
    deleteFilter(filter.name);
    write(savedFilters() << filter);
}

void deleteFilter(const QString &name)
{
    QList<SavedFilter> filters = savedFilters();
    filters.removeIf([&name](const SavedFilter &filter) { return filter.name == name; });
    write(filters);
}

} // namespace rankdeck
