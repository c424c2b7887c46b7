#pragma once

#include "base/tr.h"

#include <QtGlobal>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace rankdeck
{

inline constexpr double msPerSecond = 1000;

/// The progress that one log line states, as it stands there. What the line does not say is absent, never 0.
struct ProgressPoint {
    // No training has more; what says so is something else.
    static constexpr double mostEpochs = 1e6;
    static constexpr double mostSteps = 1e12;

    std::optional<double> epoch;      ///< From 0 or 1, as the program counts; some print fractions.
    std::optional<qint64> epochs;     ///< How many there will be.
    std::optional<qint64> step;       ///< Of the epoch or of the whole training, as the program counts.
    std::optional<qint64> steps;      ///< How many there will be, counted in the same way.
    std::optional<double> loss;       ///< Of training, not of validation; may be NaN or infinite.
    std::optional<double> stepMs;     ///< Duration of a step, ms.
    std::optional<double> throughput; ///< In throughputUnit.
    std::optional<double> learningRate;
    QByteArray throughputUnit; ///< Such as "samples/s" or "tokens/s"; as the line has it.
    bool isGlobalStep = false; ///< The step is said to be of the whole training.
    bool isBar = false;        ///< Of a progress bar, which may be that of another loop.

    bool operator==(const ProgressPoint &) const = default;
};

// What the readers of progress lines know of words.

template <std::size_t size>
using Words = std::array<std::string_view, size>;

template <std::size_t size>
bool isIn(const Words<size> &words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

inline bool startsWith(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

inline bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// A word in lower case; empty when it is longer than any that is known.
class Lowered
{
public:
    explicit Lowered(std::string_view word)
    {
        if (word.size() > m_letters.size())
            return;
        std::transform(word.begin(), word.end(), m_letters.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
        m_size = word.size();
    }
    std::string_view text() const { return {m_letters.data(), m_size}; }

private:
    std::array<char, 48> m_letters{};
    std::size_t m_size = 0;
};

/// Values behind these words are not of training.
inline constexpr Words<12> validationWords{"val",     "valid",      "validation", "validating",
                                           "eval",    "evaluation", "evaluating", "test",
                                           "testing", "predicting", "predict",    "inference"};

/// ms of a duration with this unit; nothing for a unit of another kind.
std::optional<double> durationMs(double number, std::string_view unit);

/// What a bar of tqdm tells, also as PyTorch Lightning shows it: "8%|##  | 1999/24128 [1:52:09<20:27:23,
/// 3.33s/it, loss=0.5]". One that names another work than training, such as "Loading checkpoint shards", is
/// none.
std::optional<ProgressPoint> readProgressBar(std::string_view line);

/// Bytes; what stands farther behind is not looked at.
inline constexpr std::size_t longestProgressLine = 16 * 1024;

/// Returns false if neither readProgressLine() nor readProgressBar() can read the line, judged by words.
/// Costs next to nothing.
bool mayTellProgress(std::string_view line);

/// What a line with names and values tells of progress, as LossMonitor and TimeMonitor of MindSpore,
/// MindFormers, Megatron and MindSpeed, DeepSpeed, the Hugging Face Trainer and ms-swift, mindyolo,
/// OpenMMLab, torchtitan, verl and many scripts write it: `key: value`, `key=value`, `key value`, `key is
/// value`, `key:[n/m]`. A step counts together with a loss, a duration, a throughput or a learning rate, an
/// epoch with a loss; a duration per step also alone. What stands behind words of validation is left aside.
std::optional<ProgressPoint> readProgressLine(std::string_view line);

/// Returns all values in a text, even if they are too few for readProgressLine().
ProgressPoint progressValues(std::string_view text);

} // namespace rankdeck
