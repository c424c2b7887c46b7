// The JSON of Holders, both ways.

#include "agent/preflight/holders.h"

#include "base/fields.h"

namespace rankdeck
{

constexpr char holdersKey[] = "holders";

/// Where the run is on the node is the node's business: nothing from there becomes a path here.
static void visitFields(Fields &fields, Holder &holder)
{
    fields("run", holder.run);
    fields("launched_from", holder.launchedFrom);
    fields("lost", holder.isLost);
    fields("who", holder.who);
    fields("devices", holder.devices);
    fields("port", holder.port);
    fields.newer("needed_mb", holder.neededMb);
    fields.newer("free_mb", holder.freeMb);
}

static void visitFields(Fields &fields, Holders &holders)
{
    fields("list", holders.list);
    fields.optional("problem", holders.npuProblem);
}

QByteArray Holders::toLine() const
{
    return keyedLine(holdersKey, *this);
}

std::optional<Holders> Holders::fromLine(const QByteArray &line)
{
    return fromKeyedLine<Holders>(holdersKey, line);
}

} // namespace rankdeck
