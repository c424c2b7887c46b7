// Stands in for libdcmi.so, with the driver's own names and prototypes: two cards of two chips, or with
// DCMI_STANDIN=950 one device of dcmiv2. Other words of DCMI_STANDIN: "hang", "crash", "-8005" … for what
// dcmi_init returns, "empty" for no card, "bare" for a library without most functions' support.

#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace
{

bool is(const char *word)
{
    const char *given = std::getenv("DCMI_STANDIN");
    return given && std::strcmp(given, word) == 0;
}

constexpr int unsupported = -8255;

} // namespace

extern "C" {

struct dcmi_chip_info_v2 {
    unsigned char chip_type[32];
    unsigned char chip_name[32];
    unsigned char chip_ver[32];
    unsigned int aicore_cnt;
    unsigned char npu_name[32];
};

struct dcmi_hbm_info {
    unsigned long long memory_size;
    unsigned int freq;
    unsigned long long memory_usage;
    int temp;
    unsigned int bandwith_util_rate;
};

struct dcmi_get_memory_info_stru {
    unsigned long long memory_size;
    unsigned long long memory_available;
    unsigned int freq;
    unsigned long hugepagesize;
    unsigned long hugepages_total;
    unsigned long hugepages_free;
    unsigned int utiliza;
    unsigned char reserve[60];
};

struct dcmi_aicore_info {
    unsigned int freq;
    unsigned int cur_freq;
};

struct dcmi_pcie_info_all {
    unsigned int venderid;
    unsigned int subvenderid;
    unsigned int deviceid;
    unsigned int subdeviceid;
    int domain;
    unsigned int bdf_busid;
    unsigned int bdf_deviceid;
    unsigned int bdf_funcid;
    unsigned char reserve[32];
};

struct dcmi_ecc_info {
    int enable_flag;
    unsigned int single_bit_error_cnt;
    unsigned int double_bit_error_cnt;
    unsigned int total_single_bit_error_cnt;
    unsigned int total_double_bit_error_cnt;
    unsigned int single_bit_isolated_pages_cnt;
    unsigned int double_bit_isolated_pages_cnt;
};

enum dcmi_device_type { DCMI_DEVICE_TYPE_DDR = 0, DCMI_DEVICE_TYPE_HBM = 2 };

struct dcmi_proc_mem_info {
    int proc_id;
    unsigned long proc_mem_usage;
};

int dcmi_init()
{
    if (is("crash"))
        std::abort();
    while (is("hang"))
        pause();
    const char *given = std::getenv("DCMI_STANDIN");
    return given ? std::atoi(given) % 10000 * (given[0] == '-' ? 1 : 0) : 0;
}

int dcmi_get_driver_version(char *version, unsigned int length)
{
    std::strncpy(version, "25.5.1", length);
    return 0;
}

int dcmi_get_card_list(int *count, int *cards, int length)
{
    *count = is("empty") ? 0 : 2;
    if (length < 2)
        return -8001;
    cards[0] = 4;
    cards[1] = 5;
    return 0;
}

int dcmi_get_device_num_in_card(int, int *count)
{
    *count = 2;
    return 0;
}

int dcmi_get_device_logic_id(int *logical, int card, int device)
{
    *logical = (card - 4) * 2 + device;
    return 0;
}

int dcmi_get_device_phyid_from_logicid(unsigned int logical, unsigned int *physical)
{
    *physical = logical + 8;
    return 0;
}

int dcmi_get_device_chip_info_v2(int, int, dcmi_chip_info_v2 *info)
{
    std::memset(info, 0, sizeof *info);
    std::strcpy(reinterpret_cast<char *>(info->chip_type), "Ascend");
    std::memset(info->chip_name, 'x', sizeof info->chip_name); // Not terminated.
    if (!is("bare"))
        std::strcpy(reinterpret_cast<char *>(info->chip_name), "910B3");
    info->aicore_cnt = 20;
    return 0;
}

int dcmi_get_device_pcie_info_v2(int card, int device, dcmi_pcie_info_all *info)
{
    std::memset(info, 0, sizeof *info);
    info->bdf_busid = static_cast<unsigned int>(0xC1 + card - 4);
    info->bdf_deviceid = static_cast<unsigned int>(device);
    return is("bare") ? unsupported : 0;
}

int dcmi_get_device_utilization_rate(int card, int, int type, unsigned int *rate)
{
    *rate = type == 2 ? static_cast<unsigned int>(card * 10) : static_cast<unsigned int>(type);
    if (is("bare"))
        *rate = 0xFFFFFFFF;
    return 0;
}

int dcmi_get_device_hbm_info(int, int device, dcmi_hbm_info *info)
{
    *info = {65536, 1600, 3000ULL + static_cast<unsigned int>(device), 41, 7};
    return is("bare") ? unsupported : 0;
}

int dcmi_get_device_memory_info_v3(int card, int, dcmi_get_memory_info_stru *info)
{
    std::memset(info, 0, sizeof *info);
    if (card == 5) { // The other one has no DDR.
        info->memory_size = 15567;
        info->memory_available = 13000;
        info->hugepages_total = 10;
        info->hugepages_free = 4;
    }
    return is("bare") ? unsupported : 0;
}

int dcmi_get_device_aicore_info(int, int device, dcmi_aicore_info *info)
{
    *info = {1800, device == 0 ? 1800U : 800U};
    return is("bare") ? unsupported : 0;
}

int dcmi_get_device_ecc_info(int, int, dcmi_device_type memory, dcmi_ecc_info *info)
{
    *info = {1, memory == DCMI_DEVICE_TYPE_HBM ? 5U : 0U, 1, 9, 9, 9, 9};
    return is("bare") ? unsupported : 0;
}

int dcmi_get_device_temperature(int, int, int *temperature)
{
    *temperature = is("bare") ? 0x7ffd : 36;
    return 0;
}

int dcmi_get_device_power_info(int, int device, int *power)
{
    *power = device == 0 ? 994 : 0;
    return is("bare") ? unsupported : 0;
}

int dcmi_get_device_health(int, int device, unsigned int *health)
{
    *health = is("bare") ? 0xFFFFFFFF : (device == 0 ? 0 : 2);
    return 0;
}

int dcmi_get_device_errorcode_v2(int, int device, int *count, unsigned int *codes, unsigned int)
{
    *count = device == 0 ? 0 : 1;
    codes[0] = 0x80E18005;
    return is("bare") ? unsupported : 0;
}

int dcmi_get_device_resource_info(int, int device, dcmi_proc_mem_info *processes, int *count)
{
    *count = is("bare") ? 1000000 : 1; // More than there is room for.
    processes[0] = {4711 + device, 100UL * 1024 * 1024};
    return 0;
}

int dcmiv2_init()
{
    return is("950") ? 0 : unsupported;
}

int dcmiv2_get_device_list(int *devices, int *count, int)
{
    devices[0] = 0;
    *count = 1;
    return 0;
}

int dcmiv2_get_chip_phy_id_by_dev_id(unsigned int, unsigned int *physical)
{
    *physical = 3;
    return 0;
}

int dcmiv2_get_slot_id_and_chip_id_by_dev_id(int, unsigned int *slot, unsigned int *chip)
{
    *slot = 1;
    *chip = 0;
    return 0;
}

int dcmiv2_get_device_health(int, unsigned int *health)
{
    *health = 1;
    return 0;
}

int dcmiv2_get_device_hbm_info(int, dcmi_hbm_info *info)
{
    *info = {131072, 2000, 4439, 50, 3};
    return 0;
}

int dcmiv2_get_device_power_info(int, int *power)
{
    *power = 2044;
    return 0;
}

int dcmiv2_get_device_utilization_rate(int, int type, unsigned int *rate)
{
    *rate = 17;
    return type == 13 ? 0 : unsupported;
}

} // extern "C"
