#include "agent/preflight/preflightcheck.h"

#include "base/json.h"
#include "base/listcomma.h"
#include "base/numberranges.h"
#include "base/wordtable.h"

namespace rankdeck
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

constexpr std::array partWords{"plan", "host", "npu-network", "pairs", "collectives"};
constexpr std::array statusWords{"pass", "warn", "fail", "skipped"};

QString preflightPartWord(Part part)
{
    return wordIn(partWords, part);
}

QString preflightStatusWord(Status status)
{
    return wordIn(statusWords, status);
}

QString preflightPartName(Part part)
{
    const std::array names{tr("Plan"), tr("Hosts"), tr("NPU network"), tr("Pairs of ranks"),
                           tr("Collectives")};
    return names.at(static_cast<std::size_t>(part));
}

QString preflightStatusName(Status status)
{
    const std::array names{tr("pass"), tr("warning"), tr("FAIL"), tr("skipped")};
    return names.at(static_cast<std::size_t>(status));
}

QString asSentence(QString text)
{
    while (text.endsWith(QLatin1Char('.')) || text.endsWith(QChar(0x3002)))
        text.chop(1);
    return text.isEmpty() ? text : tr("%1.").arg(text);
}

QString devicesText(const QList<int> &devices)
{
    return tr("devices %1", "device %1", static_cast<int>(devices.size())).arg(numberRanges(devices));
}

PreflightCheck checkOf(Part part, const QString &name, Status status, const Error &problem)
{
    const QString what = problem.where.isEmpty() ? problem.what : withColon(problem.where, problem.what);
    return {part, name, {}, status, asSentence(what), asSentence(problem.mend)};
}

nlohmann::json toJson(const PreflightCheck &check)
{
    nlohmann::json json{{"part", preflightPartWord(check.part)},
                        {"name", check.name},
                        {"subject", check.subject},
                        {"status", preflightStatusWord(check.status)},
                        {"sentence", check.sentence},
                        {"mend", check.mend}};
    if (!check.fix.isEmpty())
        json["fix"] = check.fix;
    return json;
}

std::optional<PreflightCheck> preflightCheckFromJson(const nlohmann::json &json)
{
    PreflightCheck check;
    try {
        const auto part = valueIn<Part>(partWords, json.at("part").get<QString>());
        const auto status = valueIn<Status>(statusWords, json.at("status").get<QString>());
        if (!part || !status)
            return std::nullopt;
        check.part = *part;
        check.status = *status;
        json.at("name").get_to(check.name);
        json.at("subject").get_to(check.subject);
        json.at("sentence").get_to(check.sentence);
        json.at("mend").get_to(check.mend);
        if (json.contains("fix"))
            json.at("fix").get_to(check.fix);
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    }
    return check;
}

} // namespace rankdeck
