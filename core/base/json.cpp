#include "base/json.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

template class nlohmann::basic_json<>;

namespace rankdeck
{

static void makeUsable(nlohmann::json &value)
{
    constexpr double beyond = 9.2e18;
    if (!value.is_number_float())
        return;
    const auto number = value.get<double>();
    if (std::abs(number) >= beyond)
        value = nullptr;
    else if (std::abs(number) > std::numeric_limits<int>::max())
        value = static_cast<std::int64_t>(number);
}

std::optional<nlohmann::json> parseJson(const QByteArray &text)
{
    auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    if (json.is_discarded())
        return std::nullopt;
    // Not in a callback of the parser, which then searches a list again for each of its objects. No
    // recursion: the text may be nested deeply.
    std::vector<nlohmann::json *> rest{&json};
    while (!rest.empty()) {
        nlohmann::json &value = *rest.back();
        rest.pop_back();
        makeUsable(value);
        if (value.is_structured()) {
            for (nlohmann::json &member : value)
                rest.push_back(&member);
        }
    }
    return json;
}

QByteArray jsonText(const nlohmann::json &json, int indent)
{
    return QByteArray::fromStdString(json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace rankdeck
