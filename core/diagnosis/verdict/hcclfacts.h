#pragma once

#include <QByteArray>

#include <optional>
#include <string_view>

namespace rankdeck
{

/// What HCCL says in one log of the rank that wrote it, and of its launch. Source: HCCL's own log lines
/// ("Entry-Hccl…", "HCCL_CONNECT_TIMEOUT set …"), see its fault diagnosis guide.
struct HcclFacts {
    std::optional<int> rank;
    std::optional<int> device;         ///< Its number on the server.
    QByteArray server;                 ///< The rank's own; empty when not told.
    QByteArray rootServer;             ///< That of rank 0; empty when not told.
    std::optional<int> worldSize;      ///< The greatest number of ranks that it speaks of.
    std::optional<int> connectTimeout; ///< HCCL_CONNECT_TIMEOUT, s.

    /// Learn what a line says; the last word counts.
    void take(std::string_view line);
};

} // namespace rankdeck
