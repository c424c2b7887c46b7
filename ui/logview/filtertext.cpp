#include "logview/filtertext.h"

#include <QStringList>

namespace rankdeck
{

std::vector<std::vector<LogPattern>> patternsIn(const QString &text, bool isRegex, bool caseSensitive)
{
    std::vector<std::vector<LogPattern>> all;
    for (const QString &part : text.split(QStringLiteral(" && "), Qt::SkipEmptyParts)) {
        std::vector<LogPattern> any;
        for (QString pattern : part.split(QStringLiteral(" || "), Qt::SkipEmptyParts)) {
            const bool isNegated = pattern.size() > 1 && pattern.startsWith(QLatin1Char('!'));
            if (isNegated)
                pattern.remove(0, 1);
            any.push_back({pattern, isRegex, caseSensitive, isNegated});
        }
        if (!any.empty())
            all.push_back(std::move(any));
    }
    return all;
}

} // namespace rankdeck
