#include "diagnosis/progress/progressbar.h"

#include "diagnosis/progress/linescanner.h"
#include "diagnosis/progress/progressline.h"
#include "diagnosis/progress/progressvocabulary.h"

#include <algorithm>
#include <cmath>

namespace rankdeck
{

namespace
{

/// What is done before training, or beside it, in steps too.
constexpr Words<12> otherWork{"sampling",   "loading",    "processing", "preprocessing",
                              "generating", "tokenizing", "filtering",  "packing",
                              "caching",    "saving",     "building",   "converting"};
/// What stands before the percentage of a bar: nothing, or a word of training.
bool isBarOfTraining(std::string_view title)
{
    // Who printed it: "[rank0]: ", "(TaskRunner pid=12) ".
    while (!title.empty()) {
        const char first = title.front();
        const std::size_t end = first == '[' ? title.find(']') : first == '(' ? title.find(')') : 0;
        if (first == ' ' || first == ':')
            title.remove_prefix(1);
        else if (end != 0 && end != std::string_view::npos)
            title.remove_prefix(end + 1);
        else
            break;
    }
    LineScanner scanner(title);
    bool isNamed = false;
    while (true) {
        const std::string_view word = scanner.nextWord();
        if (word.empty())
            return !isNamed;
        const Lowered lowered(word);
        const std::string_view key = lowered.text();
        if (isIn(validationWords, key) || isIn(otherWork, key))
            return false;
        if (startsWith(key, "train") || startsWith(key, "epoch") || startsWith(key, "step") ||
            startsWith(key, "iter"))
            return true;
        isNamed = true;
    }
}

std::optional<double> numberBefore(std::string_view text, std::size_t end)
{
    std::size_t begin = end;
    while (begin > 0 && ((text[begin - 1] >= '0' && text[begin - 1] <= '9') || text[begin - 1] == '.'))
        --begin;
    return begin == end ? std::nullopt : readNumber(text, begin);
}

} // namespace

std::optional<ProgressPoint> readProgressBar(std::string_view line)
{
    line = line.substr(0, longestProgressLine);
    // "8%|##  | 1999/24128 [1:52:09<20:27:23, 3.33s/it]": from the rate towards the left.
    const std::size_t perSecond = line.find("it/s");
    const std::size_t seconds = line.find("s/it");
    const std::size_t unit = std::min(perSecond, seconds);
    const std::size_t clock = line.rfind('[', unit);
    if (unit == std::string_view::npos || clock == std::string_view::npos || clock == 0 ||
        line.substr(clock, unit - clock).find('<') == std::string_view::npos)
        return {};
    const std::size_t percent = line.rfind('%', clock);
    const std::size_t bar = line.rfind('|', clock);
    if (percent == std::string_view::npos || bar == std::string_view::npos || bar < percent)
        return {};
    std::size_t title = percent;
    while (title > 0 && line[title - 1] >= '0' && line[title - 1] <= '9')
        --title;
    if (title == percent || !isBarOfTraining(line.substr(0, title)))
        return {};

    ProgressPoint point;
    std::size_t at = bar + 1;
    while (at < clock && line[at] == ' ')
        ++at;
    const auto step = readNumber(line, at);
    if (!step || at >= clock || line[at] != '/')
        return {};
    ++at;
    const auto steps = readNumber(line, at);
    if (!steps || *step < 0 || *steps < 1 || *step != std::floor(*step) || *step > ProgressPoint::mostSteps ||
        *steps > ProgressPoint::mostSteps)
        return {};
    const ProgressPoint named = progressValues(line.substr(0, title));
    point.epoch = named.epoch;
    point.epochs = named.epochs;
    // What the program put behind the rate.
    const ProgressPoint added = progressValues(line.substr(unit));
    point.loss = added.loss;
    point.learningRate = added.learningRate;
    point.step = static_cast<qint64>(*step);
    point.steps = static_cast<qint64>(*steps);
    if (const auto rate = numberBefore(line, unit))
        point.stepMs = durationMs(*rate, unit == perSecond ? "it/s" : "s/it");
    point.isBar = true;
    return point;
}

} // namespace rankdeck
