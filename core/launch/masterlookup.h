#pragma once

#include "launch/hostfacts.h"
#include "launch/launchspec.h"
#include "result.h"

#include <QHostAddress>

#include <optional>

namespace rankdeck
{

/// Look up msrun's --master_addr and note in `facts` its IPv4 address and this machine's own address on the
/// way there. Blocks while the name is looked up, for an address not at all; sends nothing to the host.
/// Nothing to do for other launchers. Error: no such name, or one without an IPv4 address.
std::optional<Error> lookUpMaster(const LaunchSpec &spec, HostFacts &facts);

/// The IPv4 address that a datagram from here to `address` would carry; none is sent. Empty: no route.
QString addressTowards(const QHostAddress &address);

} // namespace rankdeck
