#pragma once

#include "ranktable/jsondocument.h"
#include "ranktable/ranktable.h"
#include "ranktable/rules/findingcollector.h"

#include <optional>
#include <vector>

namespace rankdeck
{

/// Where a server and its devices stand in the document; in the order of Server::devices.
struct ServerPlace {
    JsonValue server;
    std::vector<JsonValue> devices;
};

/// A table and the places that its parts were read from.
struct ReadTable {
    RankTable table;
    JsonValue root;
    std::vector<ServerPlace> servers; ///< As RankTable::servers.
    std::vector<JsonValue> groups;    ///< As RankTable::groups.
    std::vector<JsonValue> superPods; ///< As RankTable::superPods.
};

/// Read whatever form the document has, noticing what is wrong with its text and its shape. Values that
/// cannot be read are left empty. Nothing when it is no rank table at all; then `findings.unusable()` says
/// why.
std::optional<ReadTable> readTable(const JsonDocument &document, FindingCollector &findings);

/// A finding that makes a table unusable as an error, at "NAME:LINE:COLUMN POINTER".
Error unusableError(const Finding &finding, const QString &name);

} // namespace rankdeck
