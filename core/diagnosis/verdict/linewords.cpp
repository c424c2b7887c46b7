#include "diagnosis/verdict/linewords.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

re2::StringPiece pieceOf(std::string_view text)
{
    return {text.data(), text.size()};
}

} // namespace

bool tellsOfOthers(std::string_view text)
{
    static const re2::RE2 form(
        "(?i)time[sd]?[- ]?out|timeout|connection (?:was )?(?:reset|closed|refused|lost)|"
        "broken pipe|got signal: ?(?:15|2)\\b|超时|连接断开");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

bool tellsProgress(std::string_view text)
{
    static const re2::RE2 form(
        "(?i)\\b(?:step|iter(?:ation)?|epoch|loss)\\b['\"]?\\s*[:=\\[( ]+\\s*\\d|\\d(?:s/it|it/s)\\b");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

bool beginsLikeError(std::string_view text)
{
    static const re2::RE2 form("^\\s*(?:[\\w.]*(?:Error|Exception|ERROR|EXCEPTION)\\b|错误|异常)");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

bool isExceptionLine(std::string_view text)
{
    static const re2::RE2 form("^[A-Za-z_][\\w.]*(?::|$)");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

std::optional<QByteArray> firstGroup(std::string_view text, const re2::RE2 &form)
{
    std::array<re2::StringPiece, 3> groups;
    std::array<re2::RE2::Arg, 3> arguments{&groups[0], &groups[1], &groups[2]};
    std::array<const re2::RE2::Arg *, 3> pointers{&arguments[0], &arguments[1], &arguments[2]};
    const int count = std::min(form.NumberOfCapturingGroups(), int(groups.size()));
    if (!re2::RE2::PartialMatchN(pieceOf(text), form, pointers.data(), count))
        return std::nullopt;
    const auto found =
        std::find_if(groups.begin(), groups.end(), [](const auto &group) { return !group.empty(); });
    if (found == groups.end())
        return std::nullopt;
    return QByteArray(found->data(), qsizetype(found->size())).trimmed();
}

std::optional<qint64> firstNumber(std::string_view text, const re2::RE2 &form)
{
    const auto found = firstGroup(text, form);
    bool isNumber = false;
    const qint64 number = found ? found->toLongLong(&isNumber) : 0;
    return isNumber ? std::optional(number) : std::nullopt;
}

} // namespace rankdeck
