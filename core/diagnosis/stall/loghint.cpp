#include "diagnosis/stall/loghint.h"

#include "log/lastlines.h"

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

constexpr int lines = 60;
constexpr qint64 bytes = 16 * 1024;
/// Somebody else's line may come after the one that says it.
constexpr int linesOfNow = 3;

/// What frameworks say before a long silence, in lower case: MindSpore's graph mode, torch.compile and
/// torchair, vLLM's captures, and programs of their own.
constexpr std::array compileWords{"compil",         "编译",        "build graph",
                                  "building graph", "graph build", "capturing",
                                  "autotun",        "warming up",  "starting training model"};

bool saysCompile(const QByteArray &line)
{
    const QByteArray lower = line.toLower();
    return std::any_of(compileWords.begin(), compileWords.end(),
                       [&](const char *word) { return lower.contains(word); });
}

} // namespace

LogHint hintOfLog(const QString &path)
{
    LogHint hint;
    const QList<QByteArray> last = lastLines(path, lines, bytes);
    const auto now = last.last(std::min<qsizetype>(linesOfNow, last.size()));
    hint.isCompiling = std::any_of(now.begin(), now.end(), saysCompile);
    return hint;
}

} // namespace rankdeck
