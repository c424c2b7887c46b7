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

/// Of a bar that draws over itself, what it shows last.
QByteArrayView shownPart(const QByteArray &line)
{
    const QByteArrayView whole = QByteArrayView(line).trimmed();
    return whole.sliced(whole.lastIndexOf('\r') + 1);
}

std::optional<qint64> stepOf(const QByteArray &line, const ProgressReader &reader)
{
    const auto point = reader.read(shownPart(line));
    if (!point || !point->step)
        return std::nullopt;
    const bool isOfEpoch = !point->isGlobalStep && point->epoch && point->steps;
    return isOfEpoch ? static_cast<qint64>(*point->epoch) * *point->steps + *point->step : *point->step;
}

} // namespace

LogHint hintOfLog(const QString &path, const ProgressReader &reader)
{
    LogHint hint;
    const QList<QByteArray> last = lastLines(path, lines, bytes);
    const auto now = last.last(std::min<qsizetype>(linesOfNow, last.size()));
    hint.isCompiling = std::any_of(now.begin(), now.end(), saysCompile);
    for (auto line = last.crbegin(); line != last.crend() && !hint.step; ++line)
        hint.step = stepOf(*line, reader);
    return hint;
}

} // namespace rankdeck
