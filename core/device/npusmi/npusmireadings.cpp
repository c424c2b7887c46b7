#include "device/npusmi/npusmireadings.h"

#include "device/npusmi/npusmiwords.h"

#include <array>

namespace rankdeck::npusmi
{

namespace
{

using Setter = void (*)(DeviceSample &, QByteArrayView);

struct Reading {
    const char *label;
    Setter set;
};

/// What is measured, by its label. Others of a block (versions, serial numbers) are facts of the card.
constexpr std::array readings{
    Reading{"ddrcapacity(mb)",
            [](DeviceSample &s, QByteArrayView v) {
                s.ddr.total = countFrom(v);
            }},
    Reading{"memorycapacity(mb)",
            [](DeviceSample &s, QByteArrayView v) {
                s.ddr.total = countFrom(v);
            }},
    Reading{"ddrusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.ddr = percentFrom(v);
            }},
    // Of -t common, where HBM has a line of its own, and of the 310's -t usages.
    Reading{"memoryusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.ddr = percentFrom(v);
            }},
    Reading{"ddrhugepagestotal(page)",
            [](DeviceSample &s, QByteArrayView v) {
                s.hugepages.total = countFrom(v);
            }},
    Reading{"ddrhugepagesusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.ddrHugepages = percentFrom(v);
            }},
    Reading{"hbmcapacity(mb)",
            [](DeviceSample &s, QByteArrayView v) {
                s.hbm.total = countFrom(v);
            }},
    Reading{"hbmusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.hbm = percentFrom(v);
            }},
    Reading{"aicoreusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.aiCore = percentFrom(v);
            }},
    Reading{"aivectorusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.aiVector = percentFrom(v);
            }},
    Reading{"aicubeusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.aiCube = percentFrom(v);
            }},
    Reading{"aicpuusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.aiCpu = percentFrom(v);
            }},
    Reading{"ctrlcpuusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.controlCpu = percentFrom(v);
            }},
    Reading{"ddrbandwidthusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.ddrBandwidth = percentFrom(v);
            }},
    Reading{"hbmbandwidthusagerate(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.hbmBandwidth = percentFrom(v);
            }},
    Reading{"npuutilization(%)",
            [](DeviceSample &s, QByteArrayView v) {
                s.rates.npu = percentFrom(v);
            }},
    Reading{"aicorefreq(mhz)",
            [](DeviceSample &s, QByteArrayView v) {
                s.ratedClockMhz = numberFrom(v);
            }},
    Reading{"aicorecurfreq(mhz)",
            [](DeviceSample &s, QByteArrayView v) {
                s.clockMhz = numberFrom(v);
            }},
    Reading{"aicorecount",
            [](DeviceSample &s, QByteArrayView v) {
                s.aiCores = numberFrom(v);
            }},
    Reading{"hbmclockspeed(mhz)",
            [](DeviceSample &s, QByteArrayView v) {
                s.hbmClockMhz = numberFrom(v);
            }},
    Reading{"temperature(c)",
            [](DeviceSample &s, QByteArrayView v) {
                s.temperatureC = temperatureFrom(v);
            }},
    Reading{"nputemperature(c)",
            [](DeviceSample &s, QByteArrayView v) {
                s.temperatureC = temperatureFrom(v);
            }},
    Reading{"hbmtemperature(c)",
            [](DeviceSample &s, QByteArrayView v) {
                s.hbmTemperatureC = temperatureFrom(v);
            }},
    Reading{"npureal-timepower(w)",
            [](DeviceSample &s, QByteArrayView v) {
                s.powerW = powerFrom(v);
            }},
    Reading{"ddrsinglebiterrorcount",
            [](DeviceSample &s, QByteArrayView v) {
                s.bitErrors.ddrSingle = countFrom(v);
            }},
    Reading{"ddrdoublebiterrorcount",
            [](DeviceSample &s, QByteArrayView v) {
                s.bitErrors.ddrDouble = countFrom(v);
            }},
    Reading{"hbmsinglebiterrorcount",
            [](DeviceSample &s, QByteArrayView v) {
                s.bitErrors.hbmSingle = countFrom(v);
            }},
    Reading{"hbmdoublebiterrorcount",
            [](DeviceSample &s, QByteArrayView v) {
                s.bitErrors.hbmDouble = countFrom(v);
            }},
    Reading{"errorcode",
            [](DeviceSample &s, QByteArrayView v) {
                s.errorCodes = errorCodesFrom(v);
            }},
};

/// "event id=0x81AF8000, severity=2, …" of -t current-fault-event: an event's id is its error code.
void addFaultEvent(DeviceSample &sample, QByteArrayView value)
{
    const QByteArray text = value.toByteArray();
    const auto begin = text.indexOf("event id=");
    if (begin < 0)
        return;
    const QByteArray code = text.mid(begin + 9, text.indexOf(',', begin) - begin - 9);
    if (!sample.errorCodes)
        sample.errorCodes.emplace();
    if (const auto codes = errorCodesFrom(code))
        *sample.errorCodes += *codes;
}

} // namespace

void setReading(DeviceSample &sample, const QByteArray &label, const QByteArray &value)
{
    for (const Reading &reading : readings) {
        if (label == reading.label)
            reading.set(sample, value);
    }
    if (label == "healthstatus" || label == "health")
        sample.setHealth(textOf(value));
    else if (label == "faulteventinformation")
        addFaultEvent(sample, value);
}

} // namespace rankdeck::npusmi
