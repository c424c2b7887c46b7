#include "device/npusmi/npusmivalues.h"

#include <algorithm>
#include <limits>

namespace rankdeck::npusmi
{

static bool isBlank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static QByteArrayView firstWord(QByteArrayView text)
{
    const QByteArrayView trimmed = text.trimmed();
    qsizetype end = 0;
    while (end < trimmed.size() && !isBlank(trimmed[end]))
        ++end;
    return trimmed.first(end);
}

/// Cut where there are `blanks` blanks or more.
static QList<QByteArray> split(QByteArrayView text, qsizetype blanks)
{
    QList<QByteArray> parts;
    qsizetype begin = 0;
    qsizetype gap = 0;
    for (qsizetype at = 0; at <= text.size(); ++at) {
        if (at < text.size() && isBlank(text[at])) {
            ++gap;
            continue;
        }
        if (gap >= blanks || at == text.size()) {
            const QByteArrayView part = text.sliced(begin, at - gap - begin);
            if (!part.isEmpty())
                parts << part.toByteArray();
            begin = at;
        }
        gap = 0;
    }
    return parts;
}

/// More than twice the labels of any block of npu-smi; more is another program's output.
constexpr qsizetype mostLabels = 256;

/// "event id=0x81AF8000, severity=2, …" of -t current-fault-event: an event's id is its error code.
static void addFaultEvent(DeviceSample &sample, QByteArrayView value)
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

/// Sets the value in a line of -t usages, common, memory, temp, power, health, ecc or current-fault-event.
/// @param label as labelOf() makes it.
static void setReading(DeviceSample &sample, const QByteArray &label, const QByteArray &value)
{
    const auto set = [&](const char *name, auto &field, const auto &valueFrom) {
        if (label == name)
            field = valueFrom(value);
    };
    set("ddrcapacity(mb)", sample.ddr.total, countFrom);
    set("memorycapacity(mb)", sample.ddr.total, countFrom);
    set("ddrusagerate(%)", sample.rates.ddr, percentFrom);
    // Line of -t common, where HBM has a line of its own, and of the 310's -t usages.
    set("memoryusagerate(%)", sample.rates.ddr, percentFrom);
    set("ddrhugepagestotal(page)", sample.hugepages.total, countFrom);
    set("ddrhugepagesusagerate(%)", sample.rates.ddrHugepages, percentFrom);
    set("hbmcapacity(mb)", sample.hbm.total, countFrom);
    set("hbmusagerate(%)", sample.rates.hbm, percentFrom);
    set("aicoreusagerate(%)", sample.rates.aiCore, percentFrom);
    set("aivectorusagerate(%)", sample.rates.aiVector, percentFrom);
    set("aicubeusagerate(%)", sample.rates.aiCube, percentFrom);
    set("aicpuusagerate(%)", sample.rates.aiCpu, percentFrom);
    set("ctrlcpuusagerate(%)", sample.rates.controlCpu, percentFrom);
    set("ddrbandwidthusagerate(%)", sample.rates.ddrBandwidth, percentFrom);
    set("hbmbandwidthusagerate(%)", sample.rates.hbmBandwidth, percentFrom);
    set("npuutilization(%)", sample.rates.npu, percentFrom);
    set("aicorefreq(mhz)", sample.ratedClockMhz, numberFrom);
    set("aicorecurfreq(mhz)", sample.clockMhz, numberFrom);
    set("aicorecount", sample.aiCores, numberFrom);
    set("hbmclockspeed(mhz)", sample.hbmClockMhz, numberFrom);
    set("temperature(c)", sample.temperatureC, temperatureFrom);
    set("nputemperature(c)", sample.temperatureC, temperatureFrom);
    set("hbmtemperature(c)", sample.hbmTemperatureC, temperatureFrom);
    set("npureal-timepower(w)", sample.powerW, powerFrom);
    set("ddrsinglebiterrorcount", sample.bitErrors.ddrSingle, countFrom);
    set("ddrdoublebiterrorcount", sample.bitErrors.ddrDouble, countFrom);
    set("hbmsinglebiterrorcount", sample.bitErrors.hbmSingle, countFrom);
    set("hbmdoublebiterrorcount", sample.bitErrors.hbmDouble, countFrom);
    set("errorcode", sample.errorCodes, errorCodesFrom);
    if (label == "healthstatus" || label == "health")
        sample.setHealth(textOf(value));
    else if (label == "faulteventinformation")
        addFaultEvent(sample, value);
}

std::optional<qint64> countFrom(QByteArrayView word)
{
    bool isNumber = false;
    const qint64 number = firstWord(word).toByteArray().toLongLong(&isNumber);
    return isNumber && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<int> numberFrom(QByteArrayView word)
{
    const auto number = countFrom(word);
    if (!number || *number > std::numeric_limits<int>::max())
        return std::nullopt;
    return static_cast<int>(*number);
}

std::optional<int> percentFrom(QByteArrayView word)
{
    const auto number = numberFrom(word);
    return number && *number <= 100 ? number : std::nullopt;
}

std::optional<int> temperatureFrom(QByteArrayView word)
{
    bool isNumber = false;
    const int degrees = firstWord(word).toByteArray().toInt(&isNumber);
    return isNumber && degrees >= -100 && degrees <= 1000 ? std::optional(degrees) : std::nullopt;
}

std::optional<double> powerFrom(QByteArrayView word)
{
    bool isNumber = false;
    const double watts = firstWord(word).toByteArray().toDouble(&isNumber);
    return isNumber && watts > 0 && watts < 1e6 ? std::optional(watts) : std::nullopt;
}

std::optional<QList<quint32>> errorCodesFrom(QByteArrayView text)
{
    QByteArray words = text.toByteArray();
    for (char &byte : words) {
        if (byte == ',' || byte == ';' || byte == '[' || byte == ']')
            byte = ' ';
    }
    QList<quint32> codes;
    for (const QByteArray &word : wordsOf(words)) {
        bool isNumber = false;
        const quint32 code = word.toUInt(&isNumber, 16);
        if (!isNumber && word != "NA" && word != "-")
            return std::nullopt;
        if (isNumber)
            codes << code;
    }
    return codes;
}

QList<QByteArray> wordsOf(QByteArrayView text)
{
    return split(text, 1);
}

QList<QByteArray> cellsOf(QByteArrayView line)
{
    return split(line.trimmed(), 2);
}

QByteArray labelOf(QByteArrayView text)
{
    QByteArray label = text.toByteArray().toLower();
    label.removeIf(isBlank);
    return label;
}

QString textOf(QByteArrayView text)
{
    return QString::fromUtf8(text).trimmed();
}

bool NpuSmiValues::addProcess(QByteArrayView line)
{
    const QByteArray text = line.trimmed().toByteArray();
    if (text == "No process in device.") {
        if (!m_processes)
            m_processes.emplace();
        return true;
    }
    constexpr QByteArrayView idLabel("Process id:");
    constexpr QByteArrayView nameLabel("Process name:");
    constexpr QByteArrayView memoryLabel("Process memory(MB):");
    if (!text.startsWith(idLabel))
        return false;
    const auto name = text.indexOf(nameLabel);
    const auto memory = text.lastIndexOf(memoryLabel);
    const auto pid = countFrom(QByteArrayView(text).sliced(idLabel.size()));
    if (!pid || *pid == 0)
        return true;
    DeviceProcess process;
    process.pid = *pid;
    if (name >= 0 && memory > name)
        process.name = textOf(text.mid(name + nameLabel.size(), memory - name - nameLabel.size()));
    if (memory >= 0)
        process.memoryMb = countFrom(QByteArrayView(text).sliced(memory + memoryLabel.size()));
    if (!m_processes)
        m_processes.emplace();
    *m_processes << process;
    return true;
}

void NpuSmiValues::addLine(QByteArrayView line)
{
    const qsizetype colon = line.indexOf(':');
    if (addProcess(line) || colon <= 0)
        return;
    const QByteArray label = labelOf(line.first(colon));
    if (label.isEmpty())
        return;
    const bool isRepeated =
        label != "faulteventinformation" &&
        std::ranges::any_of(m_block, [&](const auto &pair) { return pair.first == label; });
    if (isRepeated)
        endBlock();
    if (m_block.size() < mostLabels)
        m_block.append({label, line.sliced(colon + 1).trimmed().toByteArray()});
}

QByteArray NpuSmiValues::valueOf(const char *label) const
{
    const auto found = std::ranges::find_if(m_block, [&](const auto &pair) { return pair.first == label; });
    return found == m_block.end() ? QByteArray() : found->second;
}

NpuCard *NpuSmiValues::cardOf(CardId id)
{
    QList<NpuCard> &cards = m_report.cards;
    const auto known = std::ranges::find(cards, id, &NpuCard::card);
    if (known != cards.end())
        return &*known;
    if (cards.size() >= mostChips)
        return nullptr;
    cards.emplaceBack().card = id;
    return &cards.last();
}

void NpuSmiValues::readBoard()
{
    NpuCard *card = cardOf(*m_card);
    if (!card)
        return;
    if (const QByteArray name = valueOf("productname"); !name.isEmpty())
        card->productName = textOf(name);
    if (const QByteArray number = valueOf("serialnumber"); !number.isEmpty())
        card->serialNumber = textOf(number);
    if (const auto count = numberFrom(valueOf("chipcount")))
        card->chipCount = count;
    if (const QByteArray bus = valueOf("pciebusinfo"); bus.contains(':'))
        card->bus = BusId{textOf(bus)};
}

void NpuSmiValues::readMapping(DeviceIds ids)
{
    ids.physical = idFrom<PhysicalDeviceId>(valueOf("chipphy-id"));
    ids.logical = idFrom<LogicalDeviceId>(valueOf("chiplogicid"));
    ids.slot = idFrom<SlotId>(valueOf("slotid"));
    if (ids.card && (ids.physical || ids.logical))
        m_report.map.add(ids);
}

/// Sets the values of the block; other values stay.
void NpuSmiValues::applyTo(DeviceSample &sample) const
{
    for (const auto &[label, value] : m_block)
        setReading(sample, label, value);
    if (m_processes)
        sample.processes = m_processes;
    dropAbsentMemory(sample);
}

void NpuSmiValues::readController(const DeviceSample &sample)
{
    if (!m_card)
        return;
    if (NpuCard *card = cardOf(*m_card))
        card->boardTemperatureC = sample.temperatureC;
    // A 310P's controller measures the card's power; the first chip reports it, as on other cards.
    QList<DeviceSample> &samples = m_report.samples;
    const auto first =
        std::ranges::find_if(samples, [&](const DeviceSample &known) { return known.ids.card == m_card; });
    if (first != samples.end() && !first->powerW)
        first->powerW = sample.powerW;
}

void NpuSmiValues::readSample(const DeviceIds &ids)
{
    DeviceSample sample;
    applyTo(sample);
    if (!hasReadings(sample))
        return;
    if (valueOf("chipname").compare("mcu", Qt::CaseInsensitive) == 0) {
        readController(sample);
        return;
    }
    QList<DeviceSample> &samples = m_report.samples;
    if (DeviceSample *known = sampleOf(samples, ids)) {
        applyTo(*known);
    } else if (samples.size() < mostChips) {
        sample.ids = ids;
        samples << sample;
    }
}

void NpuSmiValues::endBlock()
{
    if (const auto card = idFrom<CardId>(valueOf("npuid")))
        m_card = card;
    DeviceIds ids;
    ids.card = m_card;
    ids.chip = idFrom<ChipId>(valueOf("chipid"));
    if (m_card && !m_block.isEmpty())
        readBoard();
    readMapping(ids);
    readSample(ids);
    m_block.clear();
    m_processes.reset();
}

void NpuSmiValues::forgetCard()
{
    endBlock();
    m_card.reset();
}

} // namespace rankdeck::npusmi
