#pragma once

#include "base/tr.h"

// Types for calls to libdcmi.so. Source: hicann/driver, src/custom/include/dcmi_interface_api.h; the driver's
// own header is not needed to build. Names are that header's, without the prefix dcmi_.

#include <array>

namespace rankdeck::dcmi
{

inline constexpr int ok = 0;
inline constexpr int unsupported = -8255;

inline constexpr int mostCards = 64;
inline constexpr int mostProcesses = 32;
inline constexpr int mostErrorCodes = 128;

/// input_type of dcmi_get_device_utilization_rate; percent.
enum Rate {
    DdrRate = 1,
    AiCoreRate = 2,
    AiCpuRate = 3,
    ControlCpuRate = 4,
    DdrBandwidthRate = 5,
    HbmRate = 6,
    HbmBandwidthRate = 10,
    AiVectorRate = 12,
    NpuRate = 13,
    AiCubeRate = 14,
};

struct ChipInfoV2 {
    std::array<unsigned char, 32> chipType; ///< "Ascend"
    std::array<unsigned char, 32> chipName; ///< "910B3"
    std::array<unsigned char, 32> chipVersion;
    unsigned int aiCoreCount;
    std::array<unsigned char, 32> npuName;
};

struct HbmInfo {
    unsigned long long memorySize;  ///< MB
    unsigned int frequency;         ///< MHz
    unsigned long long memoryUsage; ///< MB
    int temperature;                ///< C
    unsigned int bandwidthRate;     ///< Percent.
};

/// DDR. 96 bytes with the reserved ones.
struct MemoryInfo {
    unsigned long long size;      ///< MB
    unsigned long long available; ///< MB, huge pages that are free included.
    unsigned int frequency;       ///< MHz
    unsigned long hugepageSize;   ///< KB
    unsigned long hugepagesTotal;
    unsigned long hugepagesFree;
    unsigned int rate; ///< Percent.
    std::array<unsigned char, 60> reserved;
};

struct AiCoreInfo {
    unsigned int frequency;        ///< MHz, rated.
    unsigned int currentFrequency; ///< MHz
};

/// 64 bytes with the reserved ones.
struct PcieInfo {
    unsigned int vendor;
    unsigned int subVendor;
    unsigned int device;
    unsigned int subDevice;
    int domain;
    unsigned int bus;
    unsigned int slot;
    unsigned int function;
    std::array<unsigned char, 32> reserved;
};

struct EccInfo {
    int isEnabled;
    unsigned int singleBitErrors;
    unsigned int doubleBitErrors;
    unsigned int totalSingleBitErrors; ///< Since the chip was made, as are these.
    unsigned int totalDoubleBitErrors;
    unsigned int singleBitIsolatedPages;
    unsigned int doubleBitIsolatedPages;
};

/// input_type of dcmi_get_device_ecc_info.
enum EccMemory {
    DdrEcc = 0,
    HbmEcc = 2,
};

struct ProcessMemory {
    int pid;
    unsigned long bytes;
};

/// Functions for cards and the devices on them: all chips but the 950. Null: this library lacks the function.
struct CardFunctions {
    int (*init)() = nullptr;
    int (*getCardList)(int *count, int *cards, int length) = nullptr;
    int (*getDeviceCount)(int card, int *count) = nullptr;
    int (*getLogicalId)(int *logical, int card, int device) = nullptr;
    int (*getPhysicalId)(unsigned int logical, unsigned int *physical) = nullptr;
    int (*getChipInfo)(int card, int device, ChipInfoV2 *info) = nullptr;
    int (*getPcieInfo)(int card, int device, PcieInfo *info) = nullptr;
    int (*getRate)(int card, int device, int type, unsigned int *rate) = nullptr;
    int (*getHbmInfo)(int card, int device, HbmInfo *info) = nullptr;
    int (*getMemoryInfo)(int card, int device, MemoryInfo *info) = nullptr;
    int (*getAiCoreInfo)(int card, int device, AiCoreInfo *info) = nullptr;
    int (*getEccInfo)(int card, int device, EccMemory memory, EccInfo *info) = nullptr;
    int (*getTemperature)(int card, int device, int *temperature) = nullptr;
    int (*getPower)(int card, int device, int *power) = nullptr; ///< In 0.1 W.
    int (*getHealth)(int card, int device, unsigned int *health) = nullptr;
    int (*getErrorCodes)(int card, int device, int *count, unsigned int *codes,
                         unsigned int length) = nullptr;
    int (*getProcesses)(int card, int device, ProcessMemory *processes, int *count) = nullptr;
};

/// Functions for devices by their logical ids: dcmiv2, for the 950.
struct DeviceFunctions {
    int (*init)() = nullptr;
    int (*getDeviceList)(int *devices, int *count, int length) = nullptr;
    int (*getPhysicalId)(unsigned int device, unsigned int *physical) = nullptr;
    int (*getSlot)(int device, unsigned int *slot, unsigned int *chip) = nullptr;
    int (*getChipInfo)(int device, ChipInfoV2 *info) = nullptr;
    int (*getPcieInfo)(int device, PcieInfo *info) = nullptr;
    int (*getRate)(int device, int type, unsigned int *rate) = nullptr;
    int (*getHbmInfo)(int device, HbmInfo *info) = nullptr;
    int (*getAiCoreInfo)(int device, AiCoreInfo *info) = nullptr;
    int (*getEccInfo)(int device, EccMemory memory, EccInfo *info) = nullptr;
    int (*getTemperature)(int device, int *temperature) = nullptr;
    int (*getPower)(int device, int *power) = nullptr;
    int (*getHealth)(int device, unsigned int *health) = nullptr;
    int (*getErrorCodes)(int device, int *count, unsigned int *codes, unsigned int length) = nullptr;
    int (*getProcesses)(int device, ProcessMemory *processes, int *count) = nullptr;
};

} // namespace rankdeck::dcmi
