#pragma once

#include "launch/launchplan.h"
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

/// The port that a process of the plan is going to listen on here.
struct PlannedPort {
    QHostAddress address;
    int port = 0;
    PortUser user;
};

/// That of msrun's scheduler, or of rank 0 of launcher "processes"; nothing when none of them is started here
/// or the launcher has no such port. A MASTER_ADDR that is a name is looked up.
/// Source: msrun; torch.distributed.TCPStore and socket.cpp of c10d.
std::optional<PlannedPort> plannedPort(const LaunchPlan &plan);

/// What stands in the way of listening on the plan's port, if it has one.
std::optional<Error> problemWithPlannedPort(const LaunchPlan &plan);

/// Whether somebody listens on `port` of `address`, so that nobody else can. Listens for a moment itself.
bool isPortBusy(const QHostAddress &address, int port);

/// What stands in the way of listening on `port` of `address`: another listener, by name where it can be
/// seen, with a port that is free, or
/// that the address is not this machine's. Nothing when it can be done now. Listens for a moment.
std::optional<Error> problemWithPort(const QHostAddress &address, int port, const PortUser &user);

} // namespace rankdeck
