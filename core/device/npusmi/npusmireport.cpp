#include "device/npusmi/npusmireport.h"

#include "device/npusmi/npusmivalues.h"

#include <array>

namespace rankdeck
{

using namespace npusmi;

namespace
{

constexpr qsizetype mostText = 1024 * 1024; ///< Ten times what 64 cards print.

/// Returns the failure in a line such as "… failed. ret is -8005", "There is no NPU card on this server."
std::optional<NpuSmiFailure> failureFrom(QByteArrayView line)
{
    constexpr std::array sentences{"There is no NPU card", "Error parameter of"};
    NpuSmiFailure failure{std::nullopt, textOf(line)};
    constexpr QByteArrayView returned("ret is ");
    if (const auto at = line.indexOf(returned); at >= 0) {
        bool isNumber = false;
        const QByteArray code = line.sliced(at + returned.size()).trimmed().toByteArray();
        const int number = code.toInt(&isNumber);
        if (isNumber && number < 0) {
            failure.code = number;
            return failure;
        }
    }
    for (const char *sentence : sentences) {
        if (line.indexOf(sentence) >= 0)
            return failure;
    }
    return std::nullopt;
}

/// The fields of "| a | b |", without the blanks around them; the bar at the end may be missing.
QList<QByteArray> fieldsOf(QByteArrayView line)
{
    QByteArray row = line.trimmed().toByteArray().mid(1);
    if (row.endsWith('|'))
        row.chop(1);
    QList<QByteArray> fields = row.split('|');
    for (QByteArray &field : fields)
        field = field.trimmed();
    return fields;
}

/// The values of a row's last field: words, and pairs with a slash between them ("59718/ 65536").
struct Values {
    QList<QByteArray> single; ///< Cells before the first pair.
    struct Pair {
        QByteArray used;
        QByteArray total;
    };
    QList<Pair> pairs;
};

Values valuesOf(QByteArray field)
{
    field.replace('/', " / ");
    const QList<QByteArray> words = wordsOf(field);
    Values values;
    for (qsizetype at = 0; at < words.size(); ++at) {
        if (words.value(at + 1) == "/") {
            values.pairs << Values::Pair{words[at], words.value(at + 2)};
            at += 2;
        } else if (values.pairs.isEmpty()) {
            values.single << words[at];
        }
    }
    return values;
}

Amount amountFrom(const Values::Pair &pair)
{
    return {countFrom(pair.used), countFrom(pair.total)};
}

bool isBusId(const QByteArray &field)
{
    return field.size() >= 7 && field[4] == ':' && field.indexOf(':', 5) == 7;
}

/// A 950 has a column for its name alone, so that the last three are one to the right.
qsizetype shiftOf(const QList<QByteArray> &fields)
{
    return fields.size() > 3 ? 1 : 0;
}

bool isHeading(const QByteArray &field)
{
    return field.contains('(') && field.contains(')');
}

/// Returns null if there are too many chips.
DeviceSample *sampleFor(QList<DeviceSample> &samples, const DeviceIds &ids)
{
    DeviceSample *known = sampleOf(samples, ids);
    if (!known && samples.size() < mostChips) {
        known = &samples.emplaceBack();
        known->ids = ids;
    }
    return known;
}

/// Reads the tables of `npu-smi info`, row by row. A chip has two rows: its NPU's, then its own.
class NpuSmiTable
{
public:
    explicit NpuSmiTable(NpuSmiReport &report)
        : m_report(report)
    {
    }

    /// A line that begins with "|".
    void addRow(QByteArrayView line);
    /// After the last row: a chip that a process table does not name has no processes.
    void finish();

private:
    void readHeading(const QList<QByteArray> &fields);
    void readNpu(const QList<QByteArray> &fields);
    void readChip(const QList<QByteArray> &fields);
    void readProcess(const QList<QByteArray> &fields);

    /// The meaning of a process row's fields, by the words above them.
    struct ProcessFields {
        qsizetype count = 0; ///< 0: no process table has begun.
        qsizetype memory = -1;
        qsizetype containerPid = -1;
    };

    NpuSmiReport &m_report;
    DeviceSample m_npu; ///< From an NPU's row, until its chip's comes.
    bool m_isChipNext = false;
    bool m_hasPhysicalIds = false;
    bool m_hasNpuRate = false;
    bool m_hadProcesses = false;
    ProcessFields m_process;
};

void NpuSmiTable::addRow(QByteArrayView line)
{
    const QList<QByteArray> fields = fieldsOf(line);
    if (fields.size() == 1) {
        // "npu-smi 25.5.1     Version: 25.5.1", or "No running processes found in NPU 0".
        const QByteArray words = fields[0].simplified();
        const auto version = words.indexOf("Version:");
        if (words.startsWith("npu-smi ") && version >= 0) {
            m_report.toolVersion = textOf(wordsOf(words).value(1));
            m_report.driverVersion = textOf(QByteArrayView(words).sliced(version + 8));
        }
        return;
    }
    const bool isProcessHeading =
        fields.size() >= 3 && fields.value(1).startsWith("Process id") && isHeading(fields.value(3));
    if (isHeading(fields.last()) || isProcessHeading || fields.value(1) == "Process id")
        readHeading(fields);
    else if (m_process.count > 0)
        readProcess(fields);
    else if (m_isChipNext && fields.size() >= 3 && valuesOf(fields.last()).single.size() < 2)
        readChip(fields);
    else if (fields.size() >= 3)
        readNpu(fields);
}

void NpuSmiTable::readHeading(const QList<QByteArray> &fields)
{
    m_isChipNext = false;
    const auto processId =
        std::ranges::find_if(fields, [](const QByteArray &field) { return field.startsWith("Process id"); });
    if (processId != fields.end()) {
        m_process = {fields.size(), -1, -1};
        for (qsizetype at = 0; at < fields.size(); ++at) {
            if (fields[at].startsWith("Process memory"))
                m_process.memory = at;
            else if (fields[at].startsWith("Process id in container"))
                m_process.containerPid = at;
        }
        m_hadProcesses = true;
        return;
    }
    m_process = {};
    m_hasPhysicalIds = m_hasPhysicalIds || fields[0].contains("Phy-ID");
    m_hasNpuRate = m_hasNpuRate || fields.last().contains("NPU Util");
}

void NpuSmiTable::readNpu(const QList<QByteArray> &fields)
{
    const qsizetype shift = shiftOf(fields);
    const QList<QByteArray> words = wordsOf(fields[0]);
    const auto card = idFrom<CardId>(words.value(0));
    const Values values = valuesOf(fields.last());
    if (!card || values.single.size() < 2)
        return;
    m_npu = {};
    m_npu.ids.card = card;
    m_npu.name = textOf(shift > 0 ? fields[1] : words.mid(1).join(' '));
    m_npu.setHealth(textOf(fields[1 + shift]));
    m_npu.powerW = powerFrom(values.single[0]);
    m_npu.temperatureC = temperatureFrom(values.single[1]);
    if (!values.pairs.isEmpty())
        m_npu.hugepages = amountFrom(values.pairs[0]);
    m_isChipNext = true;
}

void NpuSmiTable::readChip(const QList<QByteArray> &fields)
{
    const qsizetype shift = shiftOf(fields);
    const Values values = valuesOf(fields.last());
    const QByteArray &bus = fields[1 + shift];
    if (!isBusId(bus) && bus != "NA" && bus != "-")
        return;
    m_isChipNext = false;
    DeviceSample sample = m_npu;
    const QList<QByteArray> words = wordsOf(fields[0]);
    sample.ids.chip = idFrom<ChipId>(words.value(0));
    if (m_hasPhysicalIds)
        sample.ids.physical = idFrom<PhysicalDeviceId>(words.value(1));
    else
        sample.ids.logical = idFrom<LogicalDeviceId>(words.value(1));
    if (isBusId(bus))
        sample.ids.bus = BusId{textOf(bus)};
    (m_hasNpuRate ? sample.rates.npu : sample.rates.aiCore) = percentFrom(values.single.value(0));
    if (!values.pairs.isEmpty())
        sample.ddr = amountFrom(values.pairs[0]);
    if (values.pairs.size() > 1)
        sample.hbm = amountFrom(values.pairs[1]);
    dropAbsentMemory(sample);
    if (DeviceSample *known = sampleFor(m_report.samples, sample.ids))
        *known = sample;
}

void NpuSmiTable::readProcess(const QList<QByteArray> &fields)
{
    // A name may contain bars: surplus fields belong to it.
    const qsizetype surplus = fields.size() - m_process.count;
    const QList<QByteArray> place = wordsOf(fields[0]);
    const auto pid = countFrom(fields.value(1));
    DeviceIds ids;
    ids.card = idFrom<CardId>(place.value(0));
    ids.chip = idFrom<ChipId>(place.value(1));
    if (surplus < 0 || m_process.count < 3 || !ids.card || !pid || *pid == 0)
        return;
    DeviceProcess process;
    process.pid = *pid;
    process.name = textOf(fields.mid(2, 1 + surplus).join('|'));
    if (m_process.memory > 2)
        process.memoryMb = countFrom(fields[m_process.memory + surplus]);
    if (m_process.containerPid > 2)
        process.containerPid = countFrom(fields[m_process.containerPid + surplus]);
    DeviceSample *sample = sampleFor(m_report.samples, ids);
    if (!sample)
        return;
    if (!sample->processes)
        sample->processes.emplace();
    *sample->processes << process;
}

void NpuSmiTable::finish()
{
    if (!m_hadProcesses)
        return;
    for (DeviceSample &sample : m_report.samples) {
        if (sample.ids.card && !sample.processes)
            sample.processes.emplace();
    }
}

/// Rows of `npu-smi info -m`.
class MappingRows
{
public:
    /// Begins with a heading. Returns false for any other line.
    bool begin(QByteArrayView line)
    {
        const QByteArrayView words = line.trimmed();
        if (!words.startsWith("NPU ID") || words.indexOf("Chip ID") <= 0 || words.contains(':'))
            return false;
        m_columns.clear();
        for (const QByteArray &cell : cellsOf(line))
            m_columns << labelOf(cell);
        return true;
    }

    /// Returns false if the line is not a row: the table has ended.
    bool addRow(QByteArrayView line, DeviceMap &map) const
    {
        const QList<QByteArray> cells = cellsOf(line);
        if (cells.size() < 2 || cells.size() > m_columns.size())
            return false;
        DeviceIds ids;
        for (qsizetype at = 0; at < cells.size(); ++at) {
            const QByteArray &column = m_columns[at];
            const QByteArray &cell = cells[at];
            if (column == "chipname" && cell.compare("mcu", Qt::CaseInsensitive) == 0)
                return true;
            if (column == "npuid")
                ids.card = idFrom<CardId>(cell);
            else if (column == "chipid")
                ids.chip = idFrom<ChipId>(cell);
            else if (column == "chiplogicid")
                ids.logical = idFrom<LogicalDeviceId>(cell);
            else if (column == "chipphy-id")
                ids.physical = idFrom<PhysicalDeviceId>(cell);
            else if (column == "slotid")
                ids.slot = idFrom<SlotId>(cell);
        }
        if (ids.card)
            map.add(ids);
        return ids.card.has_value();
    }

private:
    QList<QByteArray> m_columns;
};

class Reader
{
public:
    void addLine(QByteArrayView line)
    {
        const QByteArrayView trimmed = line.trimmed();
        if (trimmed.startsWith('|') || trimmed.startsWith("+-") || trimmed.startsWith("+=")) {
            endOther();
            if (trimmed.startsWith('|'))
                m_table.addRow(trimmed);
            return;
        }
        if (trimmed.isEmpty()) {
            endOther();
            return;
        }
        if (m_isMapping) {
            m_isMapping = m_mapping.addRow(line, m_report.map);
            if (m_isMapping)
                return;
        }
        if (const auto failure = failureFrom(line); failure && !m_report.failure) {
            m_report.failure = failure;
        } else if (const auto row = m_watch.addLine(line)) {
            m_report.samples << *row;
        } else if (m_mapping.begin(line)) {
            endOther();
            m_isMapping = true;
        } else if (trimmed.startsWith('/') || trimmed.startsWith("npu-smi ") || trimmed.startsWith("# ") ||
                   trimmed.startsWith("$ ")) { // A command line above its output, as collections have it.
            m_values.forgetCard();
        } else {
            m_values.addLine(line);
        }
    }

    NpuSmiReport finish()
    {
        m_values.endBlock();
        m_table.finish();
        return m_report;
    }

private:
    void endOther()
    {
        m_values.endBlock();
        m_isMapping = false;
    }

    NpuSmiReport m_report;
    NpuSmiTable m_table{m_report};
    NpuSmiValues m_values{m_report};
    NpuSmiWatchRows m_watch;
    MappingRows m_mapping;
    bool m_isMapping = false;
};

} // namespace

NpuSmiReport parseNpuSmi(QByteArrayView text)
{
    Reader reader;
    for (const QByteArray &line : text.first(std::min(text.size(), mostText)).toByteArray().split('\n'))
        reader.addLine(line);
    return reader.finish();
}

using namespace npusmi;

/// "NpuID(Idx)  Ctrl Cpu(%) Memory(%)": a column's words may have a single blank between them, and so may
/// columns.
static QList<QByteArray> watchColumns(QByteArrayView heading)
{
    QList<QByteArray> columns;
    QByteArray column;
    for (const char byte : heading) {
        column += byte;
        if (byte == ')') {
            columns << labelOf(column);
            column.clear();
        }
    }
    return columns;
}

static void setWatched(DeviceSample &sample, const QByteArray &column, const QByteArray &value)
{
    const auto set = [&](const char *name, auto &field, const auto &valueFrom) {
        if (column == name)
            field = valueFrom(value);
    };
    set("npuid(idx)", sample.ids.card, idFrom<CardId>);
    set("chipid(idx)", sample.ids.chip, idFrom<ChipId>);
    set("pwr(w)", sample.powerW, powerFrom);
    set("temp(c)", sample.temperatureC, temperatureFrom);
    set("aicore(%)", sample.rates.aiCore, percentFrom);
    set("aicpu(%)", sample.rates.aiCpu, percentFrom);
    set("ctrlcpu(%)", sample.rates.controlCpu, percentFrom);
    set("memory(%)", sample.rates.memory, percentFrom);
    set("memorybw(%)", sample.rates.memoryBandwidth, percentFrom);
    set("npuutil(%)", sample.rates.npu, percentFrom);
    set("aicube(%)", sample.rates.aiCube, percentFrom);
}

std::optional<DeviceSample> NpuSmiWatchRows::addLine(QByteArrayView line)
{
    if (line.trimmed().startsWith("NpuID(Idx)")) {
        m_columns = watchColumns(line);
        return std::nullopt;
    }
    const QList<QByteArray> words = wordsOf(line);
    if (m_columns.isEmpty() || words.size() != m_columns.size())
        return std::nullopt;
    DeviceSample sample;
    for (qsizetype at = 0; at < words.size(); ++at)
        setWatched(sample, m_columns[at], words[at]);
    return sample.ids.card ? std::optional(sample) : std::nullopt;
}

} // namespace rankdeck
