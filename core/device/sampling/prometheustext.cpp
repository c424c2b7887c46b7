#include "device/sampling/prometheustext.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <cstring>

namespace rankdeck
{

namespace
{

/// A number of forEachNumber() as a family.
struct Family {
    const char *key;
    const char *name;
    const char *help;
    double factor;
};

constexpr double percent = 0.01;
constexpr double mb = 1024.0 * 1024.0;
constexpr double mhz = 1e6;

constexpr std::array families{
    Family{"ai_core_percent", "ai_core_utilization_ratio", "How busy the AI cores are.", percent},
    Family{"ai_vector_percent", "ai_vector_utilization_ratio", "How busy the vector cores are.", percent},
    Family{"ai_cube_percent", "ai_cube_utilization_ratio", "How busy the cube cores are.", percent},
    Family{"ai_cpu_percent", "ai_cpu_utilization_ratio", "How busy the AI CPUs are.", percent},
    Family{"control_cpu_percent", "control_cpu_utilization_ratio", "How busy the control CPUs are.", percent},
    Family{"npu_percent", "utilization_ratio", "How busy the chip is as a whole.", percent},
    Family{"ddr_percent", "ddr_utilization_ratio", "How full DDR memory is.", percent},
    Family{"ddr_hugepages_percent", "ddr_hugepages_utilization_ratio", "How many huge pages are in use.",
           percent},
    Family{"ddr_bandwidth_percent", "ddr_bandwidth_ratio", "How much of DDR's bandwidth is used.", percent},
    Family{"hbm_percent", "hbm_utilization_ratio", "How full HBM memory is.", percent},
    Family{"hbm_bandwidth_percent", "hbm_bandwidth_ratio", "How much of HBM's bandwidth is used.", percent},
    Family{"memory_percent", "memory_utilization_ratio", "How full the chip's memory is.", percent},
    Family{"memory_bandwidth_percent", "memory_bandwidth_ratio",
           "How much of the memory's bandwidth is used.", percent},
    Family{"hbm_used_mb", "hbm_used_bytes", "HBM memory in use.", mb},
    Family{"hbm_total_mb", "hbm_size_bytes", "HBM memory there is.", mb},
    Family{"ddr_used_mb", "ddr_used_bytes", "DDR memory in use.", mb},
    Family{"ddr_total_mb", "ddr_size_bytes", "DDR memory there is.", mb},
    Family{"hugepages_used", "hugepages_used", "Huge pages in use.", 1},
    Family{"hugepages_total", "hugepages", "Huge pages there are.", 1},
    Family{"temperature_c", "temperature_celsius", "Temperature of the chip.", 1},
    Family{"hbm_temperature_c", "hbm_temperature_celsius", "Temperature of HBM memory.", 1},
    Family{"power_w", "power_watts", "Power that is drawn, of the card where its first chip tells it.", 1},
    Family{"clock_mhz", "clock_hertz", "Clock of the AI cores now.", mhz},
    Family{"rated_clock_mhz", "rated_clock_hertz", "Clock that the AI cores are made for.", mhz},
    Family{"hbm_clock_mhz", "hbm_clock_hertz", "Clock of HBM memory.", mhz},
    Family{"ai_cores", "ai_cores", "How many AI cores there are.", 1},
    Family{"ddr_single_bit_errors", "ddr_single_bit_errors", "Bit errors of DDR memory that were mended.", 1},
    Family{"ddr_double_bit_errors", "ddr_double_bit_errors", "Bit errors of DDR memory that were not mended.",
           1},
    Family{"hbm_single_bit_errors", "hbm_single_bit_errors", "Bit errors of HBM memory that were mended.", 1},
    Family{"hbm_double_bit_errors", "hbm_double_bit_errors", "Bit errors of HBM memory that were not mended.",
           1},
};

QByteArray number(double value)
{
    return QByteArray::number(value, 'g', QLocale::FloatingPointShortest);
}

void addLabel(QByteArray &labels, const char *name, const QString &value)
{
    if (!value.isEmpty())
        labels += (labels.isEmpty() ? "" : ",") + QByteArray(name) + "=\"" + labelValue(value) + '"';
}

template <typename Id>
void addLabel(QByteArray &labels, const char *name, const std::optional<Id> &id)
{
    if (id)
        addLabel(labels, name, QString::number(id->value));
}

QByteArray labelsOf(const DeviceSample &sample)
{
    QByteArray labels;
    addLabel(labels, "device", sample.ids.logical);
    addLabel(labels, "physical_id", sample.ids.physical);
    addLabel(labels, "card", sample.ids.card);
    addLabel(labels, "chip", sample.ids.chip);
    addLabel(labels, "bus", sample.ids.bus.value_or(BusId()).text);
    addLabel(labels, "name", sample.name);
    return labels;
}

/// The lines of each family, in the order of the families.
class Text
{
public:
    void add(const char *name, const char *help, const QByteArray &labels, double value)
    {
        QByteArray &lines = m_lines[name];
        if (lines.isEmpty()) {
            m_names << name;
            lines = QByteArray("# HELP rankdeck_npu_") + name + ' ' + help + "\n# TYPE rankdeck_npu_" + name +
                    " gauge\n";
        }
        lines += QByteArray("rankdeck_npu_") + name + (labels.isEmpty() ? labels : '{' + labels + '}') + ' ' +
                 number(value) + '\n';
    }

    QByteArray text() const
    {
        QByteArray text;
        for (const QByteArray &name : m_names)
            text += m_lines[name];
        return text;
    }

private:
    QList<QByteArray> m_names;
    QHash<QByteArray, QByteArray> m_lines;
};

void addNumbers(Text &text, const DeviceSample &sample, const QByteArray &labels)
{
    forEachNumber(sample, [&](const char *key, const auto &value) {
        if (!value)
            return;
        const auto *const family = std::ranges::find_if(
            families, [key](const Family &known) { return std::strcmp(known.key, key) == 0; });
        if (family != families.end())
            text.add(family->name, family->help, labels, static_cast<double>(*value) * family->factor);
    });
}

void addProcesses(Text &text, const DeviceSample &sample)
{
    for (const DeviceProcess &process : sample.processes.value_or(QList<DeviceProcess>())) {
        QByteArray labels = labelsOf(sample);
        addLabel(labels, "pid", QString::number(process.pid));
        addLabel(labels, "process", process.name);
        if (process.memoryMb)
            text.add("process_memory_bytes", "Memory of the chip that a process of the host uses.", labels,
                     static_cast<double>(*process.memoryMb) * mb);
    }
}

} // namespace

QByteArray labelValue(const QString &text)
{
    QByteArray value = text.toUtf8();
    return value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
}

QByteArray prometheusText(const DeviceReading &reading)
{
    Text text;
    for (const DeviceSample &sample : reading.samples) {
        const QByteArray labels = labelsOf(sample);
        if (sample.health)
            text.add("health", "0 OK, 1 warning, 2 alarm, 3 critical, 4 not known.", labels,
                     static_cast<double>(*sample.health));
        addNumbers(text, sample, labels);
        if (sample.clockMhz && sample.ratedClockMhz)
            text.add("throttled", "1 while the AI cores are slower than they are made for.", labels,
                     sample.isThrottled() ? 1 : 0);
        if (sample.isLinkUp)
            text.add("link_up", "Whether the chip's network port has a link.", labels,
                     *sample.isLinkUp ? 1 : 0);
        if (sample.errorCodes)
            text.add("errors", "How many errors the chip reports at the moment.", labels,
                     static_cast<double>(sample.errorCodes->size()));
        if (sample.processes)
            text.add("processes", "How many processes use the chip.", labels,
                     static_cast<double>(sample.processes->size()));
        addProcesses(text, sample);
    }
    if (reading.time.isValid())
        text.add("sample_timestamp_seconds", "When the chips were asked, in seconds since 1970.", {},
                 static_cast<double>(reading.time.toMSecsSinceEpoch()) / 1000);
    return text.text();
}

} // namespace rankdeck
