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

/// The progress in one log line, unchanged. Values that the line does not have are absent, never 0.
struct ProgressPoint {
    // Upper limit for training; larger numbers have another meaning.
    static constexpr double mostEpochs = 1e6;
    static constexpr double mostSteps = 1e12;

    std::optional<double> epoch;      ///< From 0 or 1, as the program counts; some print fractions.
    std::optional<qint64> epochs;     ///< How many there will be.
    std::optional<qint64> step;       ///< Step in the epoch or in the whole training, as the program counts.
    std::optional<qint64> steps;      ///< How many there will be, counted in the same way.
    std::optional<double> loss;       ///< Training loss, not validation loss; may be NaN or infinite.
    std::optional<double> stepMs;     ///< Duration of a step, ms.
    std::optional<double> throughput; ///< In throughputUnit.
    std::optional<double> learningRate;
    QByteArray throughputUnit; ///< Such as "samples/s" or "tokens/s"; as the line has it.
    bool isGlobalStep = false; ///< The line says that the step counts the whole training.
    bool isBar = false;        ///< From a progress bar, which may belong to another loop.

    bool operator==(const ProgressPoint &) const = default;
};

// Words that the readers of progress lines know.

template <std::size_t size>
using Words = std::array<std::string_view, size>;

template <std::size_t size>
bool isIn(const Words<size> &words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
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

/// Returns the ms of a duration with this unit; nothing for a unit of another kind.
std::optional<double> durationMs(double number, std::string_view unit);

/// Returns the progress in a bar of tqdm, also of PyTorch Lightning: "8%|##  | 1999/24128 [1:52:09<20:27:23,
/// 3.33s/it, loss=0.5]". Nothing for a bar of other work, such as "Loading checkpoint shards".
std::optional<ProgressPoint> readProgressBar(std::string_view line);

/// Bytes; the rest of a longer line is ignored.
inline constexpr std::size_t longestProgressLine = 16 * 1024;

/// Returns false if readProgressLine() and readProgressBar() cannot read the line, by its words. Very fast.
bool mayTellProgress(std::string_view line);

/// Returns the progress in a line with names and values, as LossMonitor and TimeMonitor of MindSpore,
/// MindFormers, Megatron and MindSpeed, DeepSpeed, the Hugging Face Trainer and ms-swift, mindyolo,
/// OpenMMLab, torchtitan, verl and many scripts write it: `key: value`, `key=value`, `key value`, `key is
/// value`, `key:[n/m]`. A step counts together with a loss, a duration, a throughput or a learning rate, an
/// epoch with a loss; a duration per step also alone. Ignores values behind words of validation.
std::optional<ProgressPoint> readProgressLine(std::string_view line);

/// Returns all values in a text, even if they are too few for readProgressLine().
ProgressPoint progressValues(std::string_view text);

} // namespace rankdeck
