#include "diagnosis/verdict/hcclfacts.h"

#include "diagnosis/verdict/linewords.h"

#include <re2/re2.h>

#include <algorithm>

namespace rankdeck
{

void HcclFacts::take(std::string_view line)
{
    static const re2::RE2 entry("Entry-Hccl.*\\brank\\[(\\d{1,7})\\]");
    static const re2::RE2 connect("HCCL_CONNECT_TIMEOUT set.*\\bto \\[(\\d{1,7})\\]");
    static const re2::RE2 physical("Entry-Hccl.*\\bdevice(?:Logic|Phy)Id\\[(\\d{1,5})\\]");
    static const re2::RE2 world("Entry-Hccl.*\\branks\\[(\\d{1,6})\\]|alive node num: \\(\\d+/(\\d{1,6})\\)");
    static const re2::RE2 root("rootinfo: host ip\\[([^\\]]{1,64})\\]");
    static const re2::RE2 own(
        "LocalRank Key Info.*hostIp\\[([^\\]]{1,64})\\]|localInfo\\{server\\[([^\\]]{1,64})\\]|"
        "(?i:Local information: ?server ([^,]{1,64}),)");
    const auto learn = [&](const re2::RE2 &form, std::optional<int> &target) {
        if (const auto number = firstNumber(line, form))
            target = static_cast<int>(*number);
    };
    learn(entry, rank);
    learn(physical, device);
    learn(connect, connectTimeout);
    if (const auto ranks = firstNumber(line, world))
        worldSize = std::max(worldSize.value_or(0), static_cast<int>(*ranks));
    rootServer = firstGroup(line, root).value_or(rootServer);
    server = firstGroup(line, own).value_or(server);
}

} // namespace rankdeck
