#include "diagnosis/progress/progresswords.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace rankdeck
{

namespace
{

constexpr double msPerSecond = 1000;
constexpr int lossDigits = 4;
constexpr qint64 minute = 60;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;

QString tr(const char *text)
{
    return QCoreApplication::translate("progresswords", text);
}

const QString between = QStringLiteral(" · ");

} // namespace

std::optional<double> RunProgress::fraction() const
{
    if (!step || !steps || *steps <= 0)
        return {};
    return std::clamp(static_cast<double>(*step) / static_cast<double>(*steps), 0.0, 1.0);
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
        // Of ranks that are equally far the first that says it.
        if (rank.last.loss && (isFarther || !run.loss))
            run.loss = rank.last.loss;
        if (!run.steps && rank.step == run.step)
            run.steps = rank.steps;
    }
    if (!durations.empty()) {
        const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
        std::nth_element(durations.begin(), middle, durations.end());
        run.stepMs = *middle;
    }
    if (run.step && run.steps && run.stepMs && *run.step <= *run.steps)
        run.remainingMs = static_cast<double>(*run.steps - *run.step) * *run.stepMs;
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
    // A training that takes longer than a lifetime is not told more exactly.
    const auto seconds = static_cast<qint64>(std::min(ms / msPerSecond, 1e12));
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
    return parts.join(QLatin1Char(' '));
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

} // namespace rankdeck
