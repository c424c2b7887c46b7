#include "device/dcmi/dcmilibrary.h"

#include "device/dcmi/dcmichip.h"
#include "device/driveraccess.h"

#include <QCoreApplication>
#include <QFile>

#include <memory>

#include <dlfcn.h>

namespace rankdeck
{

using namespace dcmi;

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("DcmiLibrary", text);
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
    if (!f.getPhysicalId) // What earlier libraries call it.
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

/// Rates and errors of a memory that a chip does not have are 0 for DCMI.
void dropNumbersOfNone(DeviceSample &sample)
{
    if (!sample.hbm.total) {
        sample.rates.hbm.reset();
        sample.rates.hbmBandwidth.reset();
        sample.bitErrors.hbmSingle.reset();
        sample.bitErrors.hbmDouble.reset();
    }
    if (!sample.ddr.total) {
        sample.rates.ddr.reset();
        sample.rates.ddrBandwidth.reset();
        sample.bitErrors.ddrSingle.reset();
        sample.bitErrors.ddrDouble.reset();
    }
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
    // npu-smi's NPU ID of a 950, which has one chip a card.
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

/// The 950's devices; nothing where this is none: the library of other cards may have the functions too, and
/// says that they are not supported.
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
        return Error{tr("this is no library for NPUs: dcmi_init and its like are missing"), path,
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
