#include "rankdeckctl/top/machinenpus.h"

#include "agent/preflight/openruns.h"
#include "base/program.h"
#include "base/times.h"
#include "device/dcmi/dcmilibrary.h"
#include "rankdeckctl/devices/devicetable.h"

namespace rankdeck
{

static DeviceSamplerSettings settings()
{
    DeviceSamplerSettings settings;
    settings.helper = programPath();
    return settings;
}

static QString textOf(const DeviceReading &reading)
{
    const QList<OpenRun> runs = openRuns();
    const auto runOfPid = [&runs](qint64 pid) {
        const OpenRun *run = runOf(static_cast<pid_t>(pid), runs);
        return run ? run->record.name : QString();
    };
    return clockText(reading.time) + u'\n' + deviceTable(reading, runOfPid).join(u'\n');
}

MachineNpus::MachineNpus()
    : m_text(tr("Reading the NPUs of this machine."))
    , m_sampler(findDeviceSource(), settings())
    , m_making(this, [this](const QString &text) {
        m_text = text;
        Q_EMIT changed();
    })
{
    connect(&m_sampler, &DeviceSampler::sampled, this, &MachineNpus::take);
    connect(&m_sampler, &DeviceSampler::failed, this, [this](const Error &error) {
        m_text = error.sentence();
        Q_EMIT changed();
    });
    if (m_sampler.source().kind == DeviceSource::Kind::None)
        m_text = noDeviceSource().sentence();
}

void MachineNpus::take(const DeviceReading &reading)
{
    m_making.ask([reading](const auto & /*isCancelled*/) { return textOf(reading); });
}

} // namespace rankdeck
