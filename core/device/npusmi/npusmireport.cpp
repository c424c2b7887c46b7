#include "device/npusmi/npusmireport.h"

#include "device/npusmi/npusmirows.h"
#include "device/npusmi/npusmitable.h"
#include "device/npusmi/npusmivalues.h"
#include "device/npusmi/npusmiwords.h"

#include <algorithm>
#include <array>

namespace rankdeck
{

using namespace npusmi;

namespace
{

/// What 64 cards print has a tenth of that.
constexpr qsizetype mostText = 1024 * 1024;

/// "… failed. ret is -8005", "There is no NPU card on this server."
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

/// A command line above its output, as collections have it.
bool isCommand(QByteArrayView line)
{
    return line.startsWith('/') || line.startsWith("npu-smi ") || line.startsWith("# ") ||
           line.startsWith("$ ");
}

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
            m_values.endBlock();
            m_isMapping = false;
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
        } else if (m_mapping.isHeading(line)) {
            endOther();
            m_mapping.begin(line);
            m_isMapping = true;
        } else if (isCommand(trimmed)) {
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
    NpuSmiMappingRows m_mapping;
    bool m_isMapping = false;
};

} // namespace

NpuSmiReport parseNpuSmi(QByteArrayView text)
{
    Reader reader;
    text = text.first(std::min(text.size(), mostText));
    qsizetype begin = 0;
    while (begin < text.size()) {
        const qsizetype end = text.indexOf('\n', begin);
        reader.addLine(text.sliced(begin, (end < 0 ? text.size() : end) - begin));
        begin = end < 0 ? text.size() : end + 1;
    }
    return reader.finish();
}

} // namespace rankdeck
