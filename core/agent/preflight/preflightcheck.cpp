#include "agent/preflight/preflightcheck.h"

#include "base/json.h"
#include "base/numberranges.h"

#include <algorithm>
#include <array>

namespace rankdeck
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

constexpr std::array partWords{
    std::pair(Part::Plan, "plan"),
    std::pair(Part::Host, "host"),
    std::pair(Part::NpuNetwork, "npu-network"),
    std::pair(Part::Pairs, "pairs"),
    std::pair(Part::Collectives, "collectives"),
};
constexpr std::array statusWords{
    std::pair(Status::Pass, "pass"),
    std::pair(Status::Warn, "warn"),
    std::pair(Status::Fail, "fail"),
    std::pair(Status::Skipped, "skipped"),
};

template <typename Value, std::size_t count>
static QString wordOf(const std::array<std::pair<Value, const char *>, count> &words, Value value)
{
    const auto known =
        std::find_if(words.begin(), words.end(), [&](const auto &entry) { return entry.first == value; });
    return known == words.end() ? QString() : QLatin1String(known->second);
}

template <typename Value, std::size_t count>
static std::optional<Value> valueOf(const std::array<std::pair<Value, const char *>, count> &words,
                                    const QString &word)
{
    const auto known = std::find_if(words.begin(), words.end(),
                                    [&](const auto &entry) { return word == QLatin1String(entry.second); });
    return known == words.end() ? std::nullopt : std::optional(known->first);
}

QString preflightPartWord(Part part)
{
    return wordOf(partWords, part);
}

QString preflightStatusWord(Status status)
{
    return wordOf(statusWords, status);
}

QString preflightPartName(Part part)
{
    switch (part) {
    case Part::Plan:
        return tr("Plan");
    case Part::Host:
        return tr("Hosts");
    case Part::NpuNetwork:
        return tr("NPU network");
    case Part::Pairs:
        return tr("Pairs of ranks");
    case Part::Collectives:
        return tr("Collectives");
    }
    return {};
}

QString preflightStatusName(Status status)
{
    switch (status) {
    case Status::Pass:
        return tr("pass");
    case Status::Warn:
        return tr("warning");
    case Status::Fail:
        return tr("FAIL");
    case Status::Skipped:
        return tr("skipped");
    }
    return {};
}

QString asSentence(QString text)
{
    while (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text.isEmpty() ? text : text + QLatin1Char('.');
}

QString devicesText(const QList<int> &devices)
{
    return devices.size() == 1 ? tr("device %1").arg(devices.first())
                               : tr("devices %1").arg(numberRanges(devices));
}

PreflightCheck checkOf(Part part, const QString &name, Status status, const Error &problem)
{
    const QString what =
        problem.where.isEmpty() ? problem.what : QStringLiteral("%1: %2").arg(problem.where, problem.what);
    return {part, name, {}, status, asSentence(what), asSentence(problem.mend)};
}

nlohmann::json toJson(const PreflightCheck &check)
{
    return {{"part", preflightPartWord(check.part)},
            {"name", check.name},
            {"subject", check.subject},
            {"status", preflightStatusWord(check.status)},
            {"sentence", check.sentence},
            {"mend", check.mend}};
}

std::optional<PreflightCheck> preflightCheckFromJson(const nlohmann::json &json)
{
    PreflightCheck check;
    try {
        const auto part = valueOf(partWords, json.at("part").get<QString>());
        const auto status = valueOf(statusWords, json.at("status").get<QString>());
        if (!part || !status)
            return std::nullopt;
        check.part = *part;
        check.status = *status;
        json.at("name").get_to(check.name);
        json.at("subject").get_to(check.subject);
        json.at("sentence").get_to(check.sentence);
        json.at("mend").get_to(check.mend);
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    }
    return check;
}

} // namespace rankdeck
