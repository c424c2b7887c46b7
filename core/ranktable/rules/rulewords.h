#pragma once

#include <QCoreApplication>

namespace rankdeck
{

/// What rules say stands in one translation context.
inline QString ruleWords(const char *text)
{
    return QCoreApplication::translate("RankTableCheck", text);
}

} // namespace rankdeck
