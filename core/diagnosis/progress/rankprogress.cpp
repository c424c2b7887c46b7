#include "diagnosis/progress/rankprogress.h"

#include "launch/plan/launchplan.h"

#include <QLocale>

#include <cmath>

namespace rankdeck
{

constexpr double windowMs = 10'000;
/// Ten seconds have too few slow steps: a log may be read up to a second after a line was written.
constexpr std::size_t fewestSamples = 9;
/// Samples that are closer are not all kept: this bounds their number.
constexpr double closestMs = windowMs / 100;

/// A longer pause is none of training if steps took less than a hundredth of it before.
constexpr double longPauseMs = 600'000;

bool StepRate::isLeap(double ms, qint64 step) const
{
    const auto mean = stepMs();
    const double pause = ms - m_samples.back().ms;
    return mean && pause > longPauseMs && pause > 100 * *mean * double(step - m_samples.back().step);
}

std::optional<StepRate::Duration> StepRate::add(double ms, qint64 step)
{
    if (!m_samples.empty() && (ms < m_samples.back().ms || step <= m_samples.back().step || isLeap(ms, step)))
        clear();
    if (m_samples.empty()) {
        m_samples.push_back({ms, step});
        return {};
    }
    Sample &newest = m_samples.back();
    if (newest.ms == ms) {
        if (m_kept == AtOneMoment::Last)
            newest.step = step;
        return {};
    }

    std::optional<Duration> point;
    if (m_kept == AtOneMoment::First)
        point = {step, (ms - newest.ms) / double(step - newest.step)};
    else if (const auto mean = stepMs())
        point = {newest.step, *mean}; // No step comes to that moment any more.

    if (m_samples.size() > 1 && newest.ms - m_samples[m_samples.size() - 2].ms < closestMs)
        newest = {ms, step};
    else
        m_samples.push_back({ms, step});
    while (m_samples.size() > fewestSamples && m_samples[1].ms <= ms - windowMs)
        m_samples.erase(m_samples.begin());
    return point;
}

/// Far beyond any step, even when epochs are added up, and far from an overflow.
constexpr qint64 beyondSteps = qint64(1) << 60;

static bool isStep(qint64 step)
{
    return step >= 0 && step < beyondSteps;
}

static bool isStep(const std::optional<qint64> &step)
{
    return !step || isStep(*step);
}

bool StepRate::isSound() const
{
    return std::ranges::all_of(m_samples, [](const Sample &sample) { return isStep(sample.step); });
}

std::optional<double> StepRate::stepMs() const
{
    if (m_samples.size() < 2)
        return {};
    const Sample &first = m_samples.front();
    const Sample &last = m_samples.back();
    return (last.ms - first.ms) / double(last.step - first.step);
}

constexpr int lossDigits = 4;
constexpr qint64 minute = 60;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;

const QString between = u" · "_s;

/// The usual duration is the median of this many steps.
constexpr std::size_t manyDurations = 31;
constexpr double usPerMs = 1000;

template <typename T>
static void takeOver(std::optional<T> &into, const std::optional<T> &from)
{
    if (from)
        into = from;
}

static bool isWhole(const std::optional<double> &number)
{
    return number && *number == std::floor(*number);
}

std::optional<double> RunProgress::fraction() const
{
    if (!step || !steps || *steps <= 0)
        return {};
    return std::clamp(double(*step) / double(*steps), 0.0, 1.0);
}

static double middleOf(std::vector<double> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

RunProgress runProgress(const std::vector<RankProgress> &ranks)
{
    RunProgress run;
    std::vector<double> durations;
    for (const RankProgress &rank : ranks) {
        if (rank.stepMs)
            durations.push_back(*rank.stepMs);
        const bool isFarther = rank.step && (!run.step || *rank.step > *run.step);
        if (isFarther) {
            run.step = rank.step;
            run.steps = rank.steps;
            run.countsEpochs = rank.countsEpochs;
        }
        // Among equally far ranks, the first one with a loss counts.
        if (rank.last.loss && (isFarther || !run.loss))
            run.loss = rank.last.loss;
        if (!run.steps && rank.step == run.step)
            run.steps = rank.steps;
    }
    if (!durations.empty())
        run.stepMs = middleOf(std::move(durations));
    if (run.step && run.steps && run.stepMs && *run.step <= *run.steps)
        run.remainingMs = double(*run.steps - *run.step) * *run.stepMs;
    return run;
}

QString countText(qint64 count)
{
    return QLocale(QLocale::English).toString(count);
}

QString lossText(double loss)
{
    return QString::number(loss, 'g', lossDigits);
}

QString stepTimeText(double ms)
{
    if (ms < msPerSecond)
        return tr("%1 ms").arg(ms, 0, 'f', ms < 10 ? 1 : 0);
    const double seconds = ms / msPerSecond;
    return tr("%1 s").arg(seconds, 0, 'f', seconds < 100 ? 1 : 0);
}

QString remainingText(double ms)
{
    // Avoids an overflow; the text stays coarse anyway.
    const auto seconds = qint64(std::min(ms / msPerSecond, 1e12));
    if (seconds < minute)
        return tr("%1 s").arg(seconds);
    if (seconds < hour)
        return tr("%1 min").arg(seconds / minute);
    if (seconds < day)
        return tr("%1 h %2 min").arg(seconds / hour).arg(seconds % hour / minute);
    return tr("%1 d %2 h").arg(seconds / day).arg(seconds % day / hour);
}

QString progressText(const RankProgress &progress)
{
    QStringList parts;
    if (progress.step)
        parts << (progress.countsEpochs ? tr("epoch %1") : tr("step %1")).arg(countText(*progress.step));
    else if (progress.last.epoch)
        parts << tr("epoch %1").arg(*progress.last.epoch);
    if (progress.last.loss)
        parts << tr("loss %1").arg(lossText(*progress.last.loss));
    return parts.join(' '_L1);
}

QString progressText(const RunProgress &progress, bool isLive)
{
    QStringList parts;
    if (progress.step && progress.steps)
        parts << (progress.countsEpochs ? tr("epoch %1 of %2") : tr("step %1 of %2"))
                     .arg(countText(*progress.step), countText(*progress.steps));
    else if (progress.step)
        parts << (progress.countsEpochs ? tr("epoch %1") : tr("step %1")).arg(countText(*progress.step));
    if (progress.loss)
        parts << tr("loss %1").arg(lossText(*progress.loss));
    if (progress.stepMs)
        parts << (progress.countsEpochs ? tr("%1/epoch") : tr("%1/step")).arg(stepTimeText(*progress.stepMs));
    if (isLive && progress.remainingMs)
        parts << tr("%1 left").arg(remainingText(*progress.remainingMs));
    return parts.join(between);
}

std::optional<double> RankProgress::remainingMs() const
{
    if (!step || !steps || !stepMs || *step > *steps)
        return {};
    return double(*steps - *step) * *stepMs;
}

/// Returns true for a bar of another length inside an unfinished one, such as an evaluation.
bool ProgressTracker::isOtherLoop(const ProgressPoint &point) const
{
    const ProgressPoint &last = m_progress.last;
    if (!point.isBar || point.epoch || !last.step || !last.steps || point.steps == last.steps)
        return false;
    return last.step < last.steps && *point.steps < *last.steps;
}

void ProgressTracker::add(const Line &line)
{
    const ProgressPoint &point = line.point;
    if (isOtherLoop(point))
        return;
    ++m_progress.lines;
    const std::optional<qint64> before = m_progress.step;
    count(point);
    if (m_progress.step != before)
        m_stepStream = line.stream;

    ProgressPoint &last = m_progress.last;
    takeOver(last.epoch, point.epoch);
    takeOver(last.epochs, point.epochs);
    takeOver(last.step, point.step);
    if (point.step)
        last.steps = point.steps ? point.steps : last.steps;
    takeOver(last.loss, point.loss);
    takeOver(last.stepMs, point.stepMs);
    takeOver(last.learningRate, point.learningRate);
    if (point.throughput) {
        last.throughput = point.throughput;
        last.throughputUnit = point.throughputUnit;
    }
    last.isBar = point.isBar;

    takeRhythm(line, before);
    if (point.loss) {
        // A loss without a step belongs to the one before it in the same log.
        const bool hasStep = m_progress.step && (point.step || line.stream == m_stepStream);
        m_loss.add(hasStep ? *m_progress.step : m_lossLines++, *point.loss);
    }
}

void ProgressTracker::count(const ProgressPoint &point)
{
    if (point.step) {
        m_progress.countsEpochs = false;
        m_progress.step = countInEpoch(point);
    } else if (point.epoch && isWhole(point.epoch) && point.loss && !m_progress.last.step) {
        m_progress.countsEpochs = true;
        m_progress.step = qint64(*point.epoch);
        m_progress.steps = point.epochs;
    }
}

std::optional<qint64> ProgressTracker::countInEpoch(const ProgressPoint &point)
{
    const ProgressPoint &last = m_progress.last;
    const qint64 step = *point.step;
    m_hasFractions = m_hasFractions || (point.epoch && !isWhole(point.epoch));
    if (!point.epoch || m_hasFractions || point.isGlobalStep) {
        // True for the next of several equal bars, one for each epoch.
        const bool isNextBar = point.isBar && last.step && last.steps && *last.step == *last.steps &&
                               step < *last.step && point.steps == last.steps;
        if (isNextBar)
            m_doneBefore += *last.steps;
        if (m_doneBefore == 0)
            takeOver(m_progress.steps, point.steps);
        else
            m_progress.steps.reset(); // The number of bars to come is unknown.
        return m_doneBefore + step;
    }
    if (*point.epoch == 0)
        m_countsFromZero = true;
    if (isWhole(last.epoch) && last.step && *point.epoch > *last.epoch) {
        if (step > *last.step && *last.step > 0)
            m_neverRestarts = !point.isBar;
        else
            m_stepsOfEpoch = last.steps.value_or(*last.step);
    }
    if (point.steps)
        m_stepsOfEpoch = *point.steps;
    if (m_neverRestarts) {
        m_progress.steps = point.steps;
        return step;
    }
    const auto epochsBefore = qint64(*point.epoch) - (m_countsFromZero ? 0 : 1);
    const auto epochs = point.epochs ? point.epochs : last.epochs;
    if (epochs && m_stepsOfEpoch > 0)
        m_progress.steps = *epochs * m_stepsOfEpoch;
    else
        m_progress.steps.reset();
    return epochsBefore > 0 ? epochsBefore * m_stepsOfEpoch + step : step;
}

void ProgressTracker::takeRhythm(const Line &line, std::optional<qint64> before)
{
    const std::optional<qint64> &step = m_progress.step;
    const bool isNew = step && step != before;
    if (line.point.stepMs && !m_progress.countsEpochs) {
        m_saysDuration = true; // Surer than what can be worked out.
        addDuration(*line.point.stepMs);
        if (step)
            m_stepTime.add(*step, *line.point.stepMs);
    } else if (isNew && (!m_saysDuration || m_progress.countsEpochs)) {
        std::optional<StepRate::Duration> duration;
        if (line.stamp)
            duration = m_byStamp.add(double(line.stamp->value) / usPerMs, *step);
        else if (line.seen)
            duration = m_byClock.add(double(*line.seen), *step);
        if (duration)
            m_stepTime.add(duration->step, duration->ms);
        const auto stamped = m_byStamp.stepMs();
        takeOver(m_progress.stepMs, stamped ? stamped : m_byClock.stepMs());
    }
    if (isNew && (!before || *step > *before))
        m_progress.advancedAt = line.seen;
}

void ProgressTracker::addDuration(double ms)
{
    if (m_durations.size() < manyDurations)
        m_durations.push_back(ms);
    else
        m_durations[m_nextDuration % manyDurations] = ms;
    ++m_nextDuration;
    m_progress.stepMs = middleOf(m_durations);
}

bool ProgressTracker::isSound(int mostBuckets) const
{
    const ProgressPoint &last = m_progress.last;
    const bool hasSteps = isStep(m_progress.step) && isStep(m_progress.steps) && isStep(last.step) &&
                          isStep(last.steps) && isStep(last.epochs) && isStep(m_doneBefore) &&
                          isStep(m_stepsOfEpoch) && isStep(m_lossLines) && isStep(m_progress.lines);
    return hasSteps && m_stepsOfEpoch <= qint64(ProgressPoint::mostSteps) && m_loss.isSound(mostBuckets) &&
           m_stepTime.isSound(mostBuckets) && m_byStamp.isSound() && m_byClock.isSound() &&
           m_durations.size() <= manyDurations && (m_stepStream == 0 || m_stepStream == 1);
}

/// Precision of the values that are kept.
constexpr int digits = 7;

static QByteArray numberText(float number)
{
    return QByteArray::number(double(number), 'g', digits);
}

static void add(QByteArray &csv, int rank, const char *quantity, const ValueSeries &series)
{
    for (int bucket = 0; bucket < series.size(); ++bucket) {
        const ValueSeries::Bucket &values = series.at(bucket);
        if (values.isEmpty())
            continue;
        QByteArrayList fields{QByteArray::number(rank), quantity, QByteArray::number(series.stepOf(bucket)),
                              QByteArray::number(series.stepOf(bucket + 1) - 1)};
        if (values.count > 0)
            fields << numberText(values.least) << numberText(values.most) << numberText(values.last);
        else
            fields << QByteArray() << QByteArray() << QByteArray();
        fields << QByteArray::number(values.count) << QByteArray::number(values.odd);
        csv += fields.join(',') + '\n';
    }
}

QByteArray progressCsv(const LaunchPlan &plan, const ProgressCurves &curves)
{
    QByteArray csv = "rank,quantity,first_step,last_step,min,max,last,values,not_numbers\n";
    for (const ProgressCurves::Curve &curve : curves.curves) {
        const int rank = plan.processes.at(std::size_t(curve.process)).rank.value;
        add(csv, rank, "loss", curve.loss);
        add(csv, rank, "step_time_ms", curve.stepTime);
    }
    return csv;
}

ProgressCurves ProgressCurves::until(const std::vector<RankProgress> &progress) const
{
    ProgressCurves early = *this;
    for (Curve &curve : early.curves) {
        const auto process = static_cast<std::size_t>(curve.process);
        const qint64 step = process < progress.size() ? progress[process].step.value_or(-1) : -1;
        curve.loss = curve.loss.until(step);
        curve.stepTime = curve.stepTime.until(step);
    }
    return early;
}

} // namespace rankdeck
