#include "logview/highlightset.h"

#include "log/logmatcher.h"
#include "logview/logpalette.h"

#include <QSettings>

namespace rankdeck
{

namespace
{

const QString setsKey = QStringLiteral("highlights/sets");
const QString inUseKey = QStringLiteral("highlights/inUse");
const QString nameKey = QStringLiteral("name");
const QString listKey = QStringLiteral("list");
const QString textKey = QStringLiteral("text");
const QString regexKey = QStringLiteral("regex");
const QString caseKey = QStringLiteral("case");
const QString colorKey = QStringLiteral("color");

} // namespace

QList<Highlight> HighlightSets::current() const
{
    for (const HighlightSet &set : sets) {
        if (set.name == inUse && !inUse.isEmpty())
            return set.highlights;
    }
    return {};
}

HighlightSets HighlightSets::load()
{
    HighlightSets all;
    QSettings settings;
    all.inUse = settings.value(inUseKey).toString();
    const int count = settings.beginReadArray(setsKey);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        HighlightSet set{settings.value(nameKey).toString(), {}};
        const int size = settings.beginReadArray(listKey);
        for (int k = 0; k < size; ++k) {
            settings.setArrayIndex(k);
            const Highlight highlight{{settings.value(textKey).toString(), settings.value(regexKey).toBool(),
                                       settings.value(caseKey).toBool()},
                                      settings.value(colorKey).toInt()};
            if (highlight.color >= 0 && highlight.color < LogPalette::highlightColors &&
                LogMatcher::create(highlight.pattern))
                set.highlights.append(highlight);
        }
        settings.endArray();
        if (!set.name.isEmpty())
            all.sets.append(set);
    }
    settings.endArray();
    return all;
}

void HighlightSets::save() const
{
    QSettings settings;
    settings.setValue(inUseKey, inUse);
    settings.remove(setsKey);
    settings.beginWriteArray(setsKey, int(sets.size()));
    for (int i = 0; i < sets.size(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue(nameKey, sets[i].name);
        settings.beginWriteArray(listKey, int(sets[i].highlights.size()));
        for (int k = 0; k < sets[i].highlights.size(); ++k) {
            const Highlight &highlight = sets[i].highlights[k];
            settings.setArrayIndex(k);
            settings.setValue(textKey, highlight.pattern.text);
            settings.setValue(regexKey, highlight.pattern.isRegex);
            settings.setValue(caseKey, highlight.pattern.caseSensitive);
            settings.setValue(colorKey, highlight.color);
        }
        settings.endArray();
    }
    settings.endArray();
}

} // namespace rankdeck
