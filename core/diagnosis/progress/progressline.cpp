#include "diagnosis/progress/progressline.h"

#include "diagnosis/progress/linescanner.h"

#include <cmath>

namespace rankdeck
{

namespace
{

/// Words of work other than training that also has steps.
constexpr Words<12> otherWork{"sampling",   "loading",    "processing", "preprocessing",
                              "generating", "tokenizing", "filtering",  "packing",
                              "caching",    "saving",     "building",   "converting"};
/// Returns true if the title of a bar is empty or names training.
bool isBarOfTraining(std::string_view title)
{
    // Skips the printing process: "[rank0]: ", "(TaskRunner pid=12) ".
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
        if (key.starts_with("train") || key.starts_with("epoch") || key.starts_with("step") ||
            key.starts_with("iter"))
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

constexpr Words<10> stepWords{"step",  "steps",       "iter",       "iteration",    "it",
                              "batch", "global_step", "globalstep", "current_step", "train_step"};
constexpr Words<9> stepTimeWords{"per_step_time",  "step_time",     "iter_time",
                                 "iteration_time", "step_time_ms",  "step_time_s",
                                 "time_per_step",  "time_per_iter", "time_per_iteration"};
constexpr Words<11> throughputWords{"throughput",
                                    "total_throughput",
                                    "tps",
                                    "train_throughput_per_npu",
                                    "samplespersec",
                                    "currsamplespersec",
                                    "samples_per_second",
                                    "train_samples_per_second",
                                    "tokens_per_second",
                                    "tokens_per_sec",
                                    "samples_per_sec"};
/// A number before one of these is a throughput, and so is one behind it as a key.
constexpr Words<14> rateUnits{"samples/s", "samples/sec", "sample/s",   "tokens/s",   "tokens/sec",
                              "token/s",   "images/s",    "images/sec", "imgs/s",     "img/s",
                              "img/sec",   "sequences/s", "seqs/s",     "samples/s/p"};

/// Collects the values of one line, word by word.
class Gatherer
{
public:
    explicit Gatherer(std::string_view line)
        : m_scanner(line)
    {
    }

    void gather();
    std::optional<ProgressPoint> point() const;
    const ProgressPoint &values() const { return m_point; }

private:
    bool take(std::string_view key);
    void takeEpoch();
    void takeStep(std::string_view key);
    void takeLoss(std::string_view key, std::string_view folder);
    void takeStepTime(double unitlessMs);
    void takeTime();
    void takeThroughput(std::string_view unit);
    void setSteps(const LineScanner::Value &value);

    LineScanner m_scanner;
    ProgressPoint m_point;
    Lowered m_before{{}};         ///< The word before.
    int m_lossRank = 0;           ///< How surely the value is the training loss; 0: no loss found.
    bool m_isTimePerStep = false; ///< Called so.
    std::optional<double> m_time; ///< Duration without a stated meaning, s.
    bool m_isSampleRateAlone = false;
    bool m_isSummary = false;
};

void Gatherer::gather()
{
    while (true) {
        const std::string_view word = m_scanner.nextWord();
        if (word.empty())
            return;
        const Lowered key(word);
        if (isIn(validationWords, key.text()) && !m_scanner.rest().starts_with("."))
            return;
        if (!take(key.text()))
            return;
        m_before = key;
    }
}

/// Returns false where training ends and something else begins.
bool Gatherer::take(std::string_view key)
{
    const std::size_t slash = key.rfind('/');
    const std::string_view folder = slash == std::string_view::npos ? "" : key.substr(0, slash);
    const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
    const bool isTraining = folder.empty() || folder == "train" || folder == "training";

    if (isIn(rateUnits, key)) {
        if (const auto number = m_scanner.numberBefore(); number && !m_point.throughput) {
            m_point.throughput = *number;
            m_point.throughputUnit = QByteArray(key.data(), qsizetype(key.size()));
            m_isSampleRateAlone = key == "samples/s/p";
        } else {
            takeThroughput(key);
        }
    } else if (name == "epoch" && isTraining) {
        if (m_scanner.rest().starts_with("(val") || m_scanner.rest().starts_with("(test"))
            return false;
        takeEpoch();
    } else if (name == "train_speed" ||
               ((name == "iteration" || name == "step" || name == "iter") && m_before.text() == "per")) {
        takeStepTime(0); // "elapsed time per iteration (ms)"
    } else if (key == "timing_s/step") {
        takeStepTime(msPerSecond);
    } else if (key == "global_step/max_steps" || (isIn(stepWords, name) && isTraining)) {
        takeStep(key);
    } else if (name.ends_with("loss")) {
        takeLoss(name, folder);
    } else if (key == "train_runtime") {
        m_isSummary = true; // The Trainer's last line, whose loss is the mean of all.
    } else if (name == "lr" || name == "cur_lr" || name == "learning_rate" ||
               (name == "rate" && m_before.text() == "learning")) {
        if (const auto value = m_scanner.value(); value && !m_point.learningRate)
            m_point.learningRate = value->number;
    } else if (isIn(stepTimeWords, name)) {
        takeStepTime(name.ends_with("_ms") ? 1 : msPerSecond);
    } else if (name == "time") {
        takeTime();
    } else if (name == "data_time" && m_time && !m_point.stepMs) {
        m_point.stepMs = *m_time * msPerSecond; // OpenMMLab: both of a step, in s.
    } else if (isIn(throughputWords, name)) {
        takeThroughput(name);
    } else if (name == "second" && m_before.text() == "per") {
        takeThroughput("samples/s"); // "samples per second"
    }
    return true;
}

void Gatherer::setSteps(const LineScanner::Value &value)
{
    const double step = value.number;
    if (!(step >= 0) || step > ProgressPoint::mostSteps || step != std::floor(step))
        return;
    m_point.step = qint64(step);
    m_point.steps.reset();
    if (value.total && *value.total >= 1 && *value.total <= ProgressPoint::mostSteps)
        m_point.steps = qint64(*value.total);
}

void Gatherer::takeEpoch()
{
    constexpr std::string_view ofTraining = "(train)";
    if (m_scanner.rest().starts_with(ofTraining))
        m_scanner.skip(ofTraining.size());
    LineScanner ahead = m_scanner;
    const auto value = ahead.value();
    if (!value || !(value->number >= 0) || value->number > ProgressPoint::mostEpochs)
        return;
    m_scanner = ahead;
    if (!m_point.epoch) {
        m_point.epoch = value->number;
        if (value->total && *value->total >= 1 && *value->total <= ProgressPoint::mostEpochs)
            m_point.epochs = qint64(*value->total);
    }
    if (!m_point.step) {
        if (const auto steps = m_scanner.ratio())
            setSteps(*steps);
    }
}

void Gatherer::takeStep(std::string_view key)
{
    const bool isGlobal = key.starts_with("global");
    if (m_point.step && (m_point.isGlobalStep || !isGlobal))
        return;
    const auto value = m_scanner.value();
    // A batch is often the number of samples in it.
    if (!value || durationMs(1, value->unit) || (key == "batch" && !value->total))
        return;
    setSteps(*value);
    m_point.isGlobalStep = isGlobal;
}

void Gatherer::takeLoss(std::string_view key, std::string_view folder)
{
    const bool isPart = folder.empty() ? false : folder != "train" && folder != "training";
    for (const std::string_view other : {"val_", "eval_", "test_", "valid_", "validation_"}) {
        if (folder.starts_with(other.substr(0, other.size() - 1)) || key.starts_with(other))
            return;
    }
    const bool isWhole = key == "loss";
    const bool isNamed =
        key == "train_loss" || key == "total_loss" || key == "training_loss" || key == "lm_loss";
    const int rank = isWhole && !isPart                       ? (m_scanner.isBehindWord() ? 3 : 4)
                     : isNamed && !isPart                     ? 3
                     : isWhole || key == "pg_loss" || isNamed ? 2
                                                              : 1;
    if (rank <= m_lossRank)
        return;
    if (const auto value = m_scanner.value()) {
        m_point.loss = value->number;
        m_lossRank = rank;
    }
}

/// @param unitlessMs ms of a number without a unit; 0: such a number is not treated as a duration.
void Gatherer::takeStepTime(double unitlessMs)
{
    const auto value = m_scanner.value();
    if (!value || !std::isfinite(value->number) || value->number < 0)
        return;
    auto ms = durationMs(value->number, value->unit);
    if (!ms && unitlessMs > 0)
        ms = value->number * unitlessMs;
    if (ms && !m_isTimePerStep) {
        m_point.stepMs = ms;
        m_isTimePerStep = true;
    }
}

void Gatherer::takeTime()
{
    const std::string_view before = m_scanner.isBehindWord() ? m_before.text() : std::string_view();
    if (before == "step" || before == "iteration" || before == "iter") {
        takeStepTime(msPerSecond);
        return;
    }
    // A time with another name, such as "epoch time", is not a step time.
    if (!before.empty() || m_point.stepMs)
        return;
    const auto value = m_scanner.value();
    if (!value || !std::isfinite(value->number) || value->number < 0)
        return;
    if (value->unit.empty())
        m_time = value->number;
    else if (value->unit != "s" && value->unit != "sec" && value->unit != "seconds")
        m_point.stepMs = durationMs(value->number, value->unit);
}

void Gatherer::takeThroughput(std::string_view unit)
{
    if (unit == "throughput" && m_scanner.rest().starts_with(" per ")) {
        m_scanner.nextWord(); // "throughput per GPU (TFLOP/s/GPU)"
        m_scanner.nextWord();
    }
    const auto value = m_scanner.value();
    if (m_point.throughput || !value || !std::isfinite(value->number) || value->number < 0)
        return;
    m_point.throughput = value->number;
    if (unit == "train_throughput_per_npu")
        unit = "TFLOP/s/NPU";
    else if (unit == "tps" || unit.starts_with("tokens_per"))
        unit = "tokens/s";
    else if (unit.find("samples") != std::string_view::npos && unit.find('/') == std::string_view::npos)
        unit = "samples/s";
    else if (unit.ends_with("throughput"))
        unit = value->unit;
    m_point.throughputUnit = QByteArray(unit.data(), qsizetype(unit.size()));
}

std::optional<ProgressPoint> Gatherer::point() const
{
    const ProgressPoint &p = m_point;
    if (m_isSummary)
        return {};
    const bool isStep = p.step && (p.loss || p.stepMs || p.throughput || p.learningRate);
    if (isStep || (p.epoch && p.loss) || m_isTimePerStep || m_isSampleRateAlone)
        return p;
    return {};
}

} // namespace

std::optional<double> durationMs(double number, std::string_view unit)
{
    if (unit == "ms" || unit == "ms/step" || unit == "ms/it" || unit == "ms/iter")
        return number;
    if (unit == "s" || unit == "sec" || unit == "seconds" || unit == "s/it" || unit == "s/iter" ||
        unit == "s/step" || unit == "sec/step")
        return number * 1000;
    if ((unit == "it/s" || unit == "iter/s") && number > 0)
        return 1000 / number;
    return {};
}

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
    // Values that the program added after the rate.
    const ProgressPoint added = progressValues(line.substr(unit));
    point.loss = added.loss;
    point.learningRate = added.learningRate;
    point.step = qint64(*step);
    point.steps = qint64(*steps);
    if (const auto rate = numberBefore(line, unit))
        point.stepMs = durationMs(*rate, unit == perSecond ? "it/s" : "s/it");
    point.isBar = true;
    return point;
}

bool mayTellProgress(std::string_view line)
{
    // Works in blocks without early exit, so that the compiler vectorizes the loop.
    constexpr std::size_t block = 64;
    constexpr std::size_t longest = 4;
    const char *const text = line.data();
    const std::size_t size = std::min(line.size(), longestProgressLine);
    const auto fold = [](char c) {
        return static_cast<unsigned char>(c | 0x20);
    };
    const auto isAt = [fold](const char *p) {
        const unsigned char a = fold(p[0]);
        const unsigned char b = fold(p[1]);
        const unsigned char c = fold(p[2]);
        const unsigned char d = fold(p[3]);
        return static_cast<unsigned char>(
            ((a == 'l') & (b == 'o') & (c == 's') & (d == 's')) | // loss
            ((a == 's') & (b == 't') & (c == 'e') & (d == 'p')) | // step
            ((a == 'i') & (b == 't') & (c == 'e') & (d == 'r')) | // iteration, s/iter
            ((a == 's') & (b == '/') & (c == 'i') & (d == 't')) | // s/it
            ((a == 'i') & (b == 't') & (c == '/') & (d == 's')) | // it/s
            ((a == 's') & (b == '/') & (c == 's') & (d == '/'))); // samples/s/p
    };
    std::size_t at = 0;
    for (; at + block + longest <= size; at += block) {
        unsigned char found = 0;
        for (std::size_t i = 0; i < block; ++i)
            found |= isAt(text + at + i);
        if (found != 0)
            return true;
    }
    for (; at + longest <= size; ++at) {
        if (isAt(text + at) != 0)
            return true;
    }
    return false;
}

std::optional<ProgressPoint> readProgressLine(std::string_view line)
{
    Gatherer gatherer(line.substr(0, longestProgressLine));
    gatherer.gather();
    return gatherer.point();
}

ProgressPoint progressValues(std::string_view text)
{
    Gatherer gatherer(text);
    gatherer.gather();
    return gatherer.values();
}

} // namespace rankdeck
