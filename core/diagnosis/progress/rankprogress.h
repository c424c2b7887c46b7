#pragma once

#include "base/valueseries.h"
#include "diagnosis/progress/progressline.h"
#include "log/line/loglinereader.h"
#include "run/record/runphase.h"

namespace rankdeck
{

struct LaunchPlan;

/// Works out how long a step takes from when steps were reached: the mean of the last ten seconds, or of the
/// last eight moments at which steps came if these took longer.
class StepRate
{
public:
    /// The step that counts if there are several at one moment.
    enum class AtOneMoment {
        First, ///< Moments are stamps of lines, which are cut off: a new stamp is the sharpest.
        Last,  ///< Moments are looks at a log: at that moment all these steps had been reached.
    };
    explicit StepRate(AtOneMoment kept)
        : m_kept(kept)
    {
    }

    struct Duration {
        qint64 step = 0;
        double ms = 0; ///< Duration of one step.
    };
    /// Adds the next step. A step that goes back, in time or in number, starts a new measurement; so does one
    /// after a very long pause: the clock was set, or the run stood still.
    /// @param ms when it was reached, ms since any moment.
    /// @return a new point for a curve of step times, if there is one: the duration between two stamps, or
    /// the mean if moments are looks, because steps between two looks are not whole ones.
    std::optional<Duration> add(double ms, qint64 step);
    /// Returns the duration of a step, ms; nothing before the second moment.
    std::optional<double> stepMs() const;
    void clear() { m_samples.clear(); }

    /// Passes all that it consists of to `visit`, to be written or read.
    template <typename Visitor>
    void visitParts(Visitor &&visit)
    {
        visit(m_samples);
    }
    /// Returns false if its parts were read and no steps lead to them.
    bool isSound() const;

private:
    struct Sample {
        double ms = 0;
        qint64 step = 0;

        template <typename Visitor>
        void visitParts(Visitor &&visit)
        {
            visit(ms, step);
        }
    };

    bool isLeap(double ms, qint64 step) const;

    AtOneMoment m_kept;
    std::vector<Sample> m_samples; ///< About a hundred at most.
};

/// Progress of a rank, from all lines of its log. Values that no line has are absent, never 0; for a rank
/// that prints no progress, as all but the last of Megatron, everything is absent.
struct RankProgress {
    ProgressPoint last; ///< The last value of each field.
    /// Steps since the training began, even if `last.step` restarts with each epoch; else epochs.
    std::optional<qint64> step;
    std::optional<qint64> steps; ///< How many there will be.
    bool countsEpochs = false;   ///< `step` and `steps` are epochs.
    /// Duration of a step, ms: the median of the last ones if lines have it, else as StepRate computes it,
    /// from the stamps of lines or, without stamps, from the times at which they came.
    std::optional<double> stepMs;
    /// When `step` last grew; ms since 1970. Nothing if that time is unknown.
    std::optional<qint64> advancedAt;
    qint64 lines = 0; ///< Lines of progress.

    bool isSilent() const { return lines == 0; }
    /// Returns the remaining time, ms; nothing if it is unknown.
    std::optional<double> remainingMs() const;
    bool operator==(const RankProgress &) const = default;
};

/// Progress of a whole run: that of its farthest rank.
struct RunProgress {
    std::optional<qint64> step; ///< See RankProgress.
    std::optional<qint64> steps;
    bool countsEpochs = false;
    std::optional<double> loss;        ///< The last one of the farthest rank.
    std::optional<double> stepMs;      ///< The median of the ranks'.
    std::optional<double> remainingMs; ///< Nothing if unknown.

    /// 0 .. 1; nothing where the end is not known.
    std::optional<double> fraction() const;
    bool operator==(const RunProgress &) const = default;
};
RunProgress runProgress(const std::vector<RankProgress> &ranks);

/// "1,200".
QString countText(qint64 count);
/// "2.131", "1e-07", "nan".
QString lossText(double loss);
/// "510 ms", "1.9 s", "103 s".
QString stepTimeText(double ms);
/// Coarsely: "40 s", "12 min", "2 h 1 min", "3 d 4 h".
QString remainingText(double ms);

/// Returns a rank's progress in few words: "step 1,200 loss 2.131". Empty if it printed neither.
QString progressText(const RankProgress &progress);
/// Returns a run's progress: "step 1,200 of 5,000 · loss 2.131 · 1.9 s/step · 2 h 1 min left".
/// @param isLive whether the run goes on; if not, no remaining time is shown.
QString progressText(const RunProgress &progress, bool isLive);

/// Works out the progress of one rank from its lines.
class ProgressTracker
{
public:
    explicit ProgressTracker(int mostBuckets = ValueSeries::manyBuckets)
        : m_loss(mostBuckets)
        , m_stepTime(mostBuckets)
    {
    }

    /// A line of one of its logs, in their order.
    struct Line {
        ProgressPoint point;
        int stream = 0;                 ///< The rank's log with the line: 0 or 1.
        std::optional<LogTime> stamp{}; ///< As the line has it.
        std::optional<qint64> seen{};   ///< When the line was written, ms since 1970; nothing if unknown.
    };
    void add(const Line &line);

    const RankProgress &progress() const { return m_progress; }
    const ValueSeries &loss() const { return m_loss; }
    const ValueSeries &stepTime() const { return m_stepTime; } ///< ms
    /// Allows only so many buckets of each curve from now on.
    void limitCurves(int mostBuckets)
    {
        m_loss.limit(mostBuckets);
        m_stepTime.limit(mostBuckets);
    }

    /// Passes all that it consists of to `visit`, to be written or read.
    template <typename Visitor>
    void visitParts(Visitor &&visit)
    {
        visit(m_progress, m_loss, m_stepTime, m_countsFromZero, m_neverRestarts, m_hasFractions, m_doneBefore,
              m_stepsOfEpoch, m_lossLines, m_saysDuration, m_durations, m_byStamp, m_byClock, m_nextDuration,
              m_stepStream);
    }
    /// Returns false if its parts were read and no lines lead to them.
    /// @param mostBuckets of each curve.
    bool isSound(int mostBuckets) const;

private:
    bool isOtherLoop(const ProgressPoint &point) const;
    void count(const ProgressPoint &point);
    std::optional<qint64> countInEpoch(const ProgressPoint &point);
    void takeRhythm(const Line &line, std::optional<qint64> before);
    void addDuration(double ms);

    RankProgress m_progress;
    ValueSeries m_loss;
    ValueSeries m_stepTime;

    // How the program counts.
    bool m_countsFromZero = false; ///< Its epochs.
    bool m_neverRestarts = false;  ///< Its steps, with a new epoch.
    bool m_hasFractions = false;   ///< Its epochs have, so that its steps are of the whole training.
    qint64 m_doneBefore = 0;       ///< Steps of bars that came to their end.
    qint64 m_stepsOfEpoch = 0;     ///< As the last whole epoch had; 0: not known.
    qint64 m_lossLines = 0;        ///< Lines with a loss and without a step.

    // How long a step takes.
    bool m_saysDuration = false;
    std::vector<double> m_durations; ///< Durations of the last steps, ms, if lines have them.
    StepRate m_byStamp{StepRate::AtOneMoment::First};
    StepRate m_byClock{StepRate::AtOneMoment::Last};
    std::size_t m_nextDuration = 0;
    int m_stepStream = 0; ///< The log with the step.
};

/// Loss and duration of a step against the step, of some processes of a plan.
struct ProgressCurves {
    struct Curve {
        int process = 0; ///< By index in LaunchPlan::processes.
        ValueSeries loss;
        ValueSeries stepTime; ///< ms
        qint64 planned = 0;   ///< How many steps there will be; 0 if that is unknown.

        bool operator==(const Curve &) const = default;
    };
    QList<Curve> curves; ///< In the order in which they were asked for.

    /// Returns the curves up to the steps that the processes of the plan have reached in `progress`.
    ProgressCurves until(const std::vector<RankProgress> &progress) const;
};

/// Returns curves as comma-separated values, a line for each bucket with a value: rank, "loss" or
/// "step_time_ms", its first and last step, the smallest, largest and last value of these, the number of
/// values, and that of values that are not numbers. Lines end with a newline; the first names the columns.
QByteArray progressCsv(const LaunchPlan &plan, const ProgressCurves &curves);

} // namespace rankdeck
