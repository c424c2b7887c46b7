#include "device/dcmi/dcmilibrary.h"

#include "device/dcmi/dcmiabi.h"
#include "device/sampling/driveraccess.h"

#include <QFile>

#include <algorithm>
#include <tuple>

#include <dlfcn.h>

namespace rankdeck
{

using namespace dcmi;

namespace
{

/// Calls functions of `Functions` with the ids of one chip first: a card and a device, or a logical id.
template <typename Functions, typename... Ids>
class Chip
{
public:
    Chip(const Functions &functions, Ids... ids)
        : m_functions(functions)
        , m_ids(ids...)
    {
    }

    /// Calls a function. Returns whether the library has it and it succeeded.
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

QString textOf(const std::array<unsigned char, 32> &name)
{
    const auto *const end = std::ranges::find(name, '\0');
    return QString::fromUtf8(reinterpret_cast<const char *>(name.data()), end - name.begin()).trimmed();
}

void setHealth(DeviceSample &sample, unsigned int health)
{
    // 0 fine, 1 minor, 2 major, 3 critical, 0xFFFFFFFF: there is no device.
    sample.health = health <= 3 ? static_cast<DeviceHealth>(health) : DeviceHealth::Unknown;
    sample.healthWord = healthWord(*sample.health);
}

void setHbm(DeviceSample &sample, const HbmInfo &info)
{
    constexpr unsigned long long mostMb = 1ULL << 40;
    if (info.memorySize == 0 || info.memorySize > mostMb || info.memoryUsage > mostMb)
        return;
    sample.hbm = {static_cast<qint64>(info.memoryUsage), static_cast<qint64>(info.memorySize)};
    if (info.frequency > 0 && info.frequency < 100000)
        sample.hbmClockMhz = static_cast<int>(info.frequency);
    if (info.temperature > -100 && info.temperature < 1000)
        sample.hbmTemperatureC = info.temperature;
}

void setBus(DeviceSample &sample, const PcieInfo &info)
{
    const auto hex = [](auto number, int width) {
        return u"%1"_s.arg(static_cast<uint>(number), width, 16, '0'_L1).toUpper();
    };
    sample.ids.bus = BusId{u"%1:%2:%3.%4"_s.arg(hex(info.domain, 4), hex(info.bus, 2), hex(info.slot, 2),
                                                hex(info.function, 1))};
}

void setProcesses(DeviceSample &sample, const std::array<ProcessMemory, mostProcesses> &processes, int count)
{
    constexpr unsigned long bytesOfMb = 1024UL * 1024UL;
    sample.processes.emplace();
    for (int index = 0; index < std::clamp(count, 0, mostProcesses); ++index) {
        const ProcessMemory &process = processes.at(static_cast<std::size_t>(index));
        if (process.pid > 0)
            *sample.processes << DeviceProcess{
                process.pid, {}, static_cast<qint64>(process.bytes / bytesOfMb), {}};
    }
}

void setErrorCodes(DeviceSample &sample, const std::array<unsigned int, mostErrorCodes> &codes, int count)
{
    sample.errorCodes = QList<quint32>(codes.begin(), codes.begin() + std::clamp(count, 0, mostErrorCodes));
}

/// Reads what both kinds of functions report.
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
    // 0x7ffd: not valid, 0x7fff: it could not be read.
    if (chip.ask(&F::getTemperature, &number) && number > -100 && number < 1000)
        sample.temperatureC = number;
    // In 0.1 W; 0 and the invalid values of temperatures are not a power.
    if (chip.ask(&F::getPower, &number) && number > 0 && number != 0x7ffd && number != 0x7fff &&
        number < 1000000)
        sample.powerW = number / 10.0;
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

template <typename Function>
void load(void *library, const char *name, Function &function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
}

CardFunctions loadCardFunctions(void *library)
{
    CardFunctions f;
    load(library, "dcmi_init", f.init);
    load(library, "dcmi_get_card_list", f.getCardList);
    load(library, "dcmi_get_device_num_in_card", f.getDeviceCount);
    load(library, "dcmi_get_device_logic_id", f.getLogicalId);
    load(library, "dcmi_get_device_phyid_from_logicid", f.getPhysicalId);
    load(library, "dcmi_get_device_chip_info_v2", f.getChipInfo);
    load(library, "dcmi_get_device_pcie_info_v2", f.getPcieInfo);
    load(library, "dcmi_get_device_utilization_rate", f.getRate);
    load(library, "dcmi_get_device_hbm_info", f.getHbmInfo);
    load(library, "dcmi_get_device_memory_info_v3", f.getMemoryInfo);
    load(library, "dcmi_get_device_aicore_info", f.getAiCoreInfo);
    load(library, "dcmi_get_device_ecc_info", f.getEccInfo);
    load(library, "dcmi_get_device_temperature", f.getTemperature);
    load(library, "dcmi_get_device_power_info", f.getPower);
    load(library, "dcmi_get_device_health", f.getHealth);
    load(library, "dcmi_get_device_errorcode_v2", f.getErrorCodes);
    load(library, "dcmi_get_device_resource_info", f.getProcesses);
    return f;
}

DeviceFunctions loadDeviceFunctions(void *library)
{
    DeviceFunctions f;
    load(library, "dcmiv2_init", f.init);
    load(library, "dcmiv2_get_device_list", f.getDeviceList);
    load(library, "dcmiv2_get_chip_phy_id_by_dev_id", f.getPhysicalId);
    if (!f.getPhysicalId) // Its name in earlier libraries.
        load(library, "dcmiv2_get_chip_phyid_from_dev_id", f.getPhysicalId);
    load(library, "dcmiv2_get_slot_id_and_chip_id_by_dev_id", f.getSlot);
    load(library, "dcmiv2_get_device_chip_info", f.getChipInfo);
    load(library, "dcmiv2_get_device_pcie_info", f.getPcieInfo);
    load(library, "dcmiv2_get_device_utilization_rate", f.getRate);
    load(library, "dcmiv2_get_device_hbm_info", f.getHbmInfo);
    load(library, "dcmiv2_get_device_aicore_info", f.getAiCoreInfo);
    load(library, "dcmiv2_get_device_ecc_info", f.getEccInfo);
    load(library, "dcmiv2_get_device_temperature", f.getTemperature);
    load(library, "dcmiv2_get_device_power_info", f.getPower);
    load(library, "dcmiv2_get_device_health", f.getHealth);
    load(library, "dcmiv2_get_device_error_code_list", f.getErrorCodes);
    if (!f.getErrorCodes)
        load(library, "dcmiv2_get_device_errorcode", f.getErrorCodes);
    load(library, "dcmiv2_get_device_proc_mem_info", f.getProcesses);
    return f;
}

/// Removes the rates and errors of memories that the chip does not have: DCMI reports 0 for them.
void dropNumbersOfNone(DeviceSample &sample)
{
    const auto dropIfNone = [](const Amount &memory, auto &...numbers) {
        if (!memory.total)
            (numbers.reset(), ...);
    };
    DeviceRates &rates = sample.rates;
    BitErrors &errors = sample.bitErrors;
    dropIfNone(sample.hbm, rates.hbm, rates.hbmBandwidth, errors.hbmSingle, errors.hbmDouble);
    dropIfNone(sample.ddr, rates.ddr, rates.ddrBandwidth, errors.ddrSingle, errors.ddrDouble);
}

void setMemory(DeviceSample &sample, const MemoryInfo &info)
{
    constexpr unsigned long long mostMb = 1ULL << 40;
    if (info.size == 0 || info.size > mostMb || info.available > info.size)
        return;
    sample.ddr = {static_cast<qint64>(info.size - info.available), static_cast<qint64>(info.size)};
    if (info.hugepagesTotal > 0 && info.hugepagesTotal < mostMb && info.hugepagesFree <= info.hugepagesTotal)
        sample.hugepages = {static_cast<qint64>(info.hugepagesTotal - info.hugepagesFree),
                            static_cast<qint64>(info.hugepagesTotal)};
}

DeviceSample readDeviceOfCard(const CardFunctions &functions, int card, int device)
{
    const Chip chip(functions, card, device);
    DeviceSample sample;
    sample.ids.card = CardId(card);
    sample.ids.chip = ChipId(device);
    int logical = 0;
    unsigned int physical = 0;
    if (functions.getLogicalId && functions.getLogicalId(&logical, card, device) == ok && logical >= 0) {
        sample.ids.logical = LogicalDeviceId(logical);
        if (functions.getPhysicalId &&
            functions.getPhysicalId(static_cast<unsigned int>(logical), &physical) == ok && physical < 100000)
            sample.ids.physical = PhysicalDeviceId(static_cast<int>(physical));
    }
    MemoryInfo memory{};
    if (chip.ask(&CardFunctions::getMemoryInfo, &memory))
        setMemory(sample, memory);
    read(chip, sample);
    dropNumbersOfNone(sample);
    return sample;
}

DeviceSample readDevice(const DeviceFunctions &functions, int device)
{
    const Chip chip(functions, device);
    DeviceSample sample;
    // As npu-smi's NPU ID of a 950, which has one chip a card.
    sample.ids.card = CardId(device);
    sample.ids.logical = LogicalDeviceId(device);
    unsigned int physical = 0;
    if (functions.getPhysicalId &&
        functions.getPhysicalId(static_cast<unsigned int>(device), &physical) == ok && physical < 100000)
        sample.ids.physical = PhysicalDeviceId(static_cast<int>(physical));
    unsigned int slot = 0;
    unsigned int chipId = 0;
    if (chip.ask(&DeviceFunctions::getSlot, &slot, &chipId) && slot < 100000 && chipId < 100000) {
        sample.ids.slot = SlotId(static_cast<int>(slot));
        sample.ids.chip = ChipId(static_cast<int>(chipId));
    }
    read(chip, sample);
    dropNumbersOfNone(sample);
    return sample;
}

/// Returns the devices of a 950; nothing for other cards, whose library may have the functions unsupported.
std::optional<QList<DeviceSample>> readDevices(const DeviceFunctions &functions)
{
    if (!functions.init || !functions.getDeviceList || functions.init() != ok)
        return std::nullopt;
    std::array<int, mostCards> devices{};
    int count = 0;
    if (functions.getDeviceList(devices.data(), &count, mostCards) != ok || count <= 0)
        return std::nullopt;
    unsigned int health = 0;
    if (Chip(functions, devices[0]).code(&DeviceFunctions::getHealth, &health) == unsupported)
        return std::nullopt;
    QList<DeviceSample> samples;
    for (int index = 0; index < std::min(count, mostCards); ++index)
        samples << readDevice(functions, devices.at(static_cast<std::size_t>(index)));
    return samples;
}

Result<QList<DeviceSample>> readCards(const CardFunctions &functions, const QString &path)
{
    if (!functions.init || !functions.getCardList || !functions.getDeviceCount)
        return Error{tr("not an NPU library: dcmi_init and related functions are missing"), path,
                     tr("Install the Ascend driver, or name its libdcmi.so in RANKDECK_DCMI.")};
    if (const int code = functions.init(); code != ok)
        return explainDcmi(code, lookAtDriver(), path);
    std::array<int, mostCards> cards{};
    int cardCount = 0;
    if (const int code = functions.getCardList(&cardCount, cards.data(), mostCards); code != ok)
        return explainDcmi(code, lookAtDriver(), path);
    QList<DeviceSample> samples;
    for (int index = 0; index < std::clamp(cardCount, 0, mostCards); ++index) {
        const int card = cards.at(static_cast<std::size_t>(index));
        int devices = 0;
        if (functions.getDeviceCount(card, &devices) != ok)
            continue;
        for (int device = 0; device < std::clamp(devices, 0, mostCards); ++device)
            samples << readDeviceOfCard(functions, card, device);
    }
    return samples;
}

} // namespace

Result<DeviceReading> readDcmi(const QString &library)
{
    DeviceReading reading;
    reading.source = DeviceSource::Kind::Dcmi;
    reading.time = QDateTime::currentDateTimeUtc();
    // Never closed: the driver's library leaves threads behind, which would run on in unmapped code.
    void *handle = dlopen(QFile::encodeName(library).constData(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return explainFailure(QString::fromLocal8Bit(dlerror()), lookAtDriver(), library);
    const auto devices = readDevices(loadDeviceFunctions(handle));
    if (devices) {
        reading.samples = *devices;
    } else {
        auto cards = readCards(loadCardFunctions(handle), library);
        if (!cards)
            return cards.error();
        reading.samples = *cards;
    }
    int (*getDriverVersion)(char *, unsigned int) = nullptr;
    load(handle, "dcmi_get_driver_version", getDriverVersion);
    std::array<char, 256> version{};
    if (getDriverVersion && getDriverVersion(version.data(), version.size() - 1) == ok)
        reading.driverVersion = QString::fromUtf8(version.data()).trimmed();
    if (reading.samples.isEmpty())
        return explainFailure(tr("DCMI finds no NPU"), lookAtDriver(), library);
    return reading;
}

} // namespace rankdeck
