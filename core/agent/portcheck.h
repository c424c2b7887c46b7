#pragma once

#include "result.h"

#include <QHostAddress>
#include <QString>

#include <optional>

namespace rankdeck
{

/// Who is going to listen on a port, for messages.
struct PortUser {
    QString who;    ///< "the scheduler".
    QString option; ///< What the port is chosen with: "--master_port".
};

/// What stands in the way of listening on `port` of `address`: another listener, with a port that is free, or
/// that the address is not this machine's. Nothing when it can be done now. Listens for a moment.
std::optional<Error> problemWithPort(const QHostAddress &address, int port, const PortUser &user);

} // namespace rankdeck
