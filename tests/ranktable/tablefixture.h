#pragma once

#include "ranktable/table/ranktable.h"

namespace rankdeck
{

/// A device with `lastByte` in its address.
inline Device deviceOf(int id, std::optional<int> rank = {}, int lastByte = 1)
{
    return {DeviceId(id), u"198.51.100.%1"_s.arg(lastByte), rank ? std::optional(Rank(*rank)) : std::nullopt};
}

inline RankTable completedTable(RankTableForm form, const std::vector<Server> &servers = {})
{
    RankTable table;
    table.form = form;
    table.status = u"completed"_s;
    table.servers = servers;
    return table;
}

/// A version 1.0 table of `servers` servers with eight devices each.
inline RankTable largeTable(int servers)
{
    RankTable table = completedTable(RankTableForm::ServerList);
    for (int server = 0; server < servers; ++server) {
        table.servers.push_back({u"host-%1"_s.arg(server, 6, 10, '0'_L1)});
        for (int device = 0; device < 8; ++device) {
            const int rank = server * 8 + device;
            const QString ip = u"10.%1.%2.%3"_s.arg(rank >> 16).arg(rank >> 8 & 255).arg(rank & 255);
            table.servers.back().devices.push_back({DeviceId(device), ip, Rank(rank)});
        }
    }
    return table;
}

/// What reads or writes 100,000 devices must not look at each for each: then it takes minutes, not this long.
inline constexpr int generousMs = 20000;

} // namespace rankdeck
