#pragma once

namespace rankdeck
{

/// A server of a rank table, or one of its devices: indices into RankTable::servers and Server::devices.
struct DevicePlace {
    int server = -1; ///< -1: none.
    int device = -1; ///< -1: the server itself.

    bool isValid() const { return server >= 0; }
    bool operator==(const DevicePlace &) const = default;
};

} // namespace rankdeck
