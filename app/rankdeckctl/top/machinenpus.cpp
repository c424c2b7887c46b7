#include "rankdeckctl/top/machinenpus.h"

#include "base/program.h"
#include "base/times.h"
#include "rankdeckctl/devices/devicetable.h"

namespace rankdeck
{

MachineNpus::MachineNpus()
    : m_text(tr("Reading the NPUs of this machine."))
    , m_making(this, [this](const QString &text) {
        m_text = text;
        Q_EMIT changed();
    })
{
}

void MachineNpus::setSeen(bool isSeen)
{
    if (isSeen && !m_sampler)
        start();
    if (m_sampler)
        m_sampler->setWanted(this, isSeen);
}

void MachineNpus::start()
{
    DeviceSamplerSettings settings;
    settings.helper = programPath();
    m_sampler = std::make_unique<DeviceSampler>(findDeviceSource(), settings);
    connect(m_sampler.get(), &DeviceSampler::sampled, this, [this](const DeviceReading &reading) {
        m_making.ask([reading](const auto & /*isCancelled*/) {
            return clockText(reading.time) + u'\n' + deviceTable(reading).join(u'\n');
        });
    });
    connect(m_sampler.get(), &DeviceSampler::failed, this, [this](const Error &error) {
        m_text = error.sentence();
        Q_EMIT changed();
    });
    if (m_sampler->source().kind == DeviceSource::Kind::None)
        m_text = noDeviceSource().sentence();
}

} // namespace rankdeck
