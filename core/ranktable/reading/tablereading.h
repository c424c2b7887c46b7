#pragma once

#include "ranktable/reading/findingcollector.h"
#include "ranktable/table/ranktable.h"

namespace rankdeck
{

/// The places of a server and its devices in the document; in the order of Server::devices.
struct ServerPlace {
    JsonValue server;
    std::vector<JsonValue> devices;
};

/// A table and the places of its parts in the document.
struct ReadTable {
    RankTable table;
    JsonValue root;
    std::vector<ServerPlace> servers; ///< As RankTable::servers.
    std::vector<JsonValue> groups;    ///< As RankTable::groups.
    std::vector<JsonValue> superPods; ///< As RankTable::superPods.
};

/// Reads a table of any form and reports the faults of its text and its shape. Values that cannot be read
/// stay empty. Returns nothing for a document that is not a rank table; `findings.unusable()` has the reason.
std::optional<ReadTable> readTable(const JsonDocument &document, FindingCollector &findings);

/// Reports missing keys, wrong types, numbers out of range and unknown keys in a whole table of this form.
void checkShape(JsonValue table, RankTableForm form, FindingCollector &findings);

/// Returns a finding that makes a table unusable as an error, at "NAME:LINE:COLUMN POINTER".
Error unusableError(const Finding &finding, const QString &name);

} // namespace rankdeck
