#include "agent/preflight/npusamples.h"

#include "device/devicealarm.h"
#include "device/devicemap.h"
#include "numberranges.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

/// What a driver keeps of the memory of a chip that nobody uses stays far below it.
constexpr double usedByNobody = 0.1;

QString tr(const char *text)
{
    return QCoreApplication::translate("NpuSamples", text);
}

PreflightCheck check(const char *name, Status status, const QString &sentence, const QString &mend = {})
{
    return {Part::Host, QLatin1String(name), {}, status, sentence, mend};
}

std::vector<PreflightCheck> healthChecks(const DeviceReading &wanted)
{
    std::vector<PreflightCheck> checks;
    for (const DeviceAlarm &alarm : alarmsOf(wanted)) {
        const bool isMild = healthFromWord(alarm.now) == DeviceHealth::Warning;
        checks.push_back(
            check("npu-health", isMild ? Status::Warn : Status::Fail, asSentence(alarm.sentence()),
                  tr("npu-smi info -t health -i N says more of card N; a reset or a repair may be due.")));
    }
    const bool isTold = std::any_of(wanted.samples.begin(), wanted.samples.end(),
                                    [](const DeviceSample &sample) { return sample.health.has_value(); });
    if (checks.empty())
        checks.push_back(
            isTold ? check("npu-health", Status::Pass, tr("%1 NPUs are well.").arg(wanted.samples.size()))
                   : check("npu-health", Status::Skipped, tr("The NPUs do not tell their health.")));
    return checks;
}

PreflightCheck memoryCheck(const DeviceReading &wanted, const QList<int> &numbers, int neededMb)
{
    QList<int> full;
    QList<int> tooFull;
    std::optional<qint64> least;
    for (qsizetype index = 0; index < wanted.samples.size(); ++index) {
        const DeviceSample &sample = wanted.samples.at(index);
        const auto free = freeMemoryMb(sample);
        const auto total = sample.hbm.total ? sample.hbm.total : sample.ddr.total;
        if (!free || !total)
            continue;
        least = std::min(least.value_or(*free), *free);
        if (*free < neededMb)
            tooFull << numbers.at(index);
        if (static_cast<double>(*free) < (1 - usedByNobody) * static_cast<double>(*total))
            full << numbers.at(index);
    }
    if (!least)
        return check("npu-memory", Status::Skipped, tr("The NPUs do not tell how much memory is free."));
    const QString room = QLocale::c().toString(*least);
    if (!tooFull.isEmpty())
        return check("npu-memory", Status::Fail,
                     tr("%1 MB are needed on each NPU, and on devices %2 less is free: %3 MB on the fullest.")
                         .arg(QLocale::c().toString(neededMb), numberRanges(tooFull), room),
                     tr("rankdeckctl devices says who uses the rest."));
    if (full.isEmpty())
        return check("npu-memory", Status::Pass, tr("At least %1 MB are free on each NPU.").arg(room));
    return check(
        "npu-memory", Status::Warn,
        tr("Memory is in use on devices %1; %2 MB are free on the fullest.").arg(numberRanges(full), room),
        tr("rankdeckctl devices says by whom."));
}

} // namespace

std::vector<PreflightCheck> npuSampleChecks(const Result<DeviceReading> &reading, const QList<int> &devices,
                                            int neededMb)
{
    if (!reading)
        return {checkOf(Part::Host, QStringLiteral("npu-health"), Status::Warn, reading.error())};
    DeviceReading wanted = *reading;
    wanted.samples = {};
    QList<int> numbers;
    for (qsizetype index = 0; index < reading->samples.size(); ++index) {
        const int number = programNumber(reading->samples, index);
        if (!devices.contains(number))
            continue;
        wanted.samples << reading->samples.at(index);
        numbers << number;
    }
    std::vector<PreflightCheck> checks;
    QList<int> missing;
    std::copy_if(devices.begin(), devices.end(), std::back_inserter(missing),
                 [&](int device) { return !numbers.contains(device); });
    if (!missing.isEmpty())
        checks.push_back(
            check("npus-listed", Status::Fail,
                  tr("Devices %1 are needed, but the driver does not list them.").arg(numberRanges(missing)),
                  tr("Launch fewer ranks here, or see rankdeckctl devices for those there are.")));
    if (wanted.samples.isEmpty())
        return checks;
    const auto health = healthChecks(wanted);
    checks.insert(checks.end(), health.begin(), health.end());
    checks.push_back(memoryCheck(wanted, numbers, neededMb));
    return checks;
}

} // namespace rankdeck
