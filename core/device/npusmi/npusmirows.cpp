#include "device/npusmi/npusmirows.h"

#include "device/npusmi/npusmivalues.h"

namespace rankdeck
{

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
    for (qsizetype at = 0; at < words.size(); ++at) {
        const auto number = numberFrom(words[at]);
        if (m_columns[at] == "npuid(idx)" && number)
            sample.ids.card = CardId(*number);
        else if (m_columns[at] == "chipid(idx)" && number)
            sample.ids.chip = ChipId(*number);
        else
            setWatched(sample, m_columns[at], words[at]);
    }
    return sample.ids.card ? std::optional(sample) : std::nullopt;
}

} // namespace rankdeck
