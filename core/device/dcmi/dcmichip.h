#pragma once

#include "device/dcmi/dcmiabi.h"
#include "device/devicesample.h"

#include <QString>

#include <array>
#include <optional>
#include <tuple>

namespace rankdeck::dcmi
{

/// A chip as a set of functions, whether it is told by card and device or by its logical id: calls what there
/// is of `Functions` with the ids in front.
template <typename Functions, typename... Ids>
class Chip
{
public:
    Chip(const Functions &functions, Ids... ids)
        : m_functions(functions)
        , m_ids(ids...)
    {
    }

    /// Whether the library has the function and it succeeded.
    template <typename Function, typename... Arguments>
    bool ask(Function Functions::*function, Arguments... arguments) const
    {
        return code(function, arguments...) == ok;
    }

    template <typename Function, typename... Arguments>
    int code(Function Functions::*function, Arguments... arguments) const
    {
        if (!(m_functions.*function))
            return unsupported;
        return std::apply([&](Ids... ids) { return (m_functions.*function)(ids..., arguments...); }, m_ids);
    }

private:
    const Functions &m_functions;
    std::tuple<Ids...> m_ids;
};

QString textOf(const std::array<unsigned char, 32> &name);
void setHealth(DeviceSample &sample, unsigned int health);
void setHbm(DeviceSample &sample, const HbmInfo &info);
void setTemperature(DeviceSample &sample, int temperature);
void setPower(DeviceSample &sample, int power);
void setBus(DeviceSample &sample, const PcieInfo &info);
void setProcesses(DeviceSample &sample, const std::array<ProcessMemory, mostProcesses> &processes, int count);
void setErrorCodes(DeviceSample &sample, const std::array<unsigned int, mostErrorCodes> &codes, int count);

/// What both kinds of functions have.
template <typename Functions, typename... Ids>
void read(const Chip<Functions, Ids...> &chip, DeviceSample &sample)
{
    using F = Functions;
    ChipInfoV2 info{};
    if (chip.ask(&F::getChipInfo, &info)) {
        sample.name = textOf(info.chipName);
        if (info.aiCoreCount > 0 && info.aiCoreCount < 100000)
            sample.aiCores = static_cast<int>(info.aiCoreCount);
    }
    unsigned int health = 0;
    if (chip.ask(&F::getHealth, &health))
        setHealth(sample, health);
    HbmInfo hbm{};
    if (chip.ask(&F::getHbmInfo, &hbm))
        setHbm(sample, hbm);
    AiCoreInfo cores{};
    if (chip.ask(&F::getAiCoreInfo, &cores) && cores.frequency > 0 && cores.frequency < 100000) {
        sample.ratedClockMhz = static_cast<int>(cores.frequency);
        if (cores.currentFrequency < 100000)
            sample.clockMhz = static_cast<int>(cores.currentFrequency);
    }
    int number = 0;
    if (chip.ask(&F::getTemperature, &number))
        setTemperature(sample, number);
    if (chip.ask(&F::getPower, &number))
        setPower(sample, number);
    PcieInfo pcie{};
    if (chip.ask(&F::getPcieInfo, &pcie))
        setBus(sample, pcie);
    const auto rate = [&](Rate type, std::optional<int> &value) {
        unsigned int percent = 0;
        if (chip.ask(&F::getRate, static_cast<int>(type), &percent) && percent <= 100)
            value = static_cast<int>(percent);
    };
    rate(AiCoreRate, sample.rates.aiCore);
    rate(AiVectorRate, sample.rates.aiVector);
    rate(AiCubeRate, sample.rates.aiCube);
    rate(AiCpuRate, sample.rates.aiCpu);
    rate(ControlCpuRate, sample.rates.controlCpu);
    rate(NpuRate, sample.rates.npu);
    rate(HbmRate, sample.rates.hbm);
    rate(HbmBandwidthRate, sample.rates.hbmBandwidth);
    rate(DdrRate, sample.rates.ddr);
    rate(DdrBandwidthRate, sample.rates.ddrBandwidth);
    EccInfo ecc{};
    if (chip.ask(&F::getEccInfo, HbmEcc, &ecc)) {
        sample.bitErrors.hbmSingle = ecc.singleBitErrors;
        sample.bitErrors.hbmDouble = ecc.doubleBitErrors;
    }
    if (chip.ask(&F::getEccInfo, DdrEcc, &ecc)) {
        sample.bitErrors.ddrSingle = ecc.singleBitErrors;
        sample.bitErrors.ddrDouble = ecc.doubleBitErrors;
    }
    std::array<unsigned int, mostErrorCodes> codes{};
    int count = 0;
    if (chip.ask(&F::getErrorCodes, &count, codes.data(), static_cast<unsigned int>(codes.size())))
        setErrorCodes(sample, codes, count);
    std::array<ProcessMemory, mostProcesses> processes{};
    count = mostProcesses;
    if (chip.ask(&F::getProcesses, processes.data(), &count))
        setProcesses(sample, processes, count);
}

} // namespace rankdeck::dcmi
