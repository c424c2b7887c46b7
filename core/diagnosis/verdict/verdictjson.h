#pragma once

#include "diagnosis/verdict/verdict.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace rankdeck
{

/// {"hasFailure", "rootRank" (null when it is no worker's or not decided), "rootRole", "node", "device",
/// "causeId" (of the catalogue, or null), "cause", "ending", "confidence" ("certain", "likely", "undecided"),
/// "rule", "reason", "candidates" (ranks), "evidence" [{"rank", "role", "file", "line" (from 1, or null),
/// "text", "time", "entryId"}], "groups" [{"ranks", "text", "entryId"}], "exits" [{"rank", "role", "when"
/// (UTC, or null), "text"}], "known" {"id", "title", "meaning", "mend", "commands"} or null, "frame" {"file",
/// "line", "function"} or null, "pid" or null, "trace" (lines), "advice" or null, "notes"}
nlohmann::json toJson(const Verdict &verdict);

/// Back from that, with its processes as they are in `plan`. Nothing when it is of another form.
std::optional<Verdict> verdictFrom(const nlohmann::json &json, const LaunchPlan &plan);

} // namespace rankdeck
