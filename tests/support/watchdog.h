#pragma once

#include <QTest>

namespace rankdeck
{

/// A state that a test has waited for so long never comes. It says nothing about how long a thing should
/// take: a machine may be busy. Where it fails, Qt Test waits twice as long again; see testmain.cpp.
inline constexpr int programLimitMs = 120000;

} // namespace rankdeck

// Qt's own wait 5 s, which is "soon" on an idle machine alone.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, rankdeck::programLimitMs)
#define QTRY_VERIFY2(expression, message)                                                                    \
    QTRY_VERIFY2_WITH_TIMEOUT(expression, message, rankdeck::programLimitMs)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, rankdeck::programLimitMs)
