#pragma once

#include "ranktable/finding.h"
#include "ranktable/ranktable.h"
#include "result.h"

#include <QByteArray>

#include <optional>
#include <vector>

namespace rankdeck
{

/// NPU generations as far as rank tables differ between them.
enum class Chip {
    Unknown,
    A1,     ///< Ascend 910 (Atlas 800 training server).
    A2,     ///< Ascend 910B.
    A3,     ///< Ascend 910_93, two dies an NPU.
    A5,     ///< Ascend 950.
    Duo300I ///< Atlas 300I Duo (Ascend 310P).
};

/// Chip of a name such as "910", "910b", "910_93", "950", "310p", "a1" … "a5", upper or lower case.
/// Error: no such chip, with the names there are.
Result<Chip> chipFromName(const QString &name);

struct CheckOptions {
    Chip chip = Chip::Unknown; ///< Rules that depend on the chip are left out while it is unknown.
};

/// The lines (1-based; 0 unknown) where a server and its devices stand in the text, as in RankTable::servers.
struct ServerLines {
    int line = 0;
    std::vector<int> devices;

    bool operator==(const ServerLines &) const = default;
};

/// A table with all that was noticed.
struct CheckReport {
    RankTable table;               ///< What could be read, even when there are errors.
    std::optional<Error> unusable; ///< Why nothing can be launched with it: no JSON, no devices, no ranks …
    Findings findings;             ///< In the order of their places; those of the whole file first.
    std::vector<ServerLines> lines;

    bool hasErrors() const { return countOf(findings, Severity::Error) > 0; }
};

/// Check a table by the rules of its form, as the communication library would. `name` stands in `unusable` as
/// the place. At most 100 findings of one rule are kept; the last then says how many more there are. A table
/// that is still being written ("initializing") is only said to be so.
CheckReport checkRankTable(const QByteArray &text, const QString &name, const CheckOptions &options = {});

/// The same from a file of at most 100 MB, with the rules about the file itself. Error: it cannot be read.
Result<CheckReport> checkRankTableFile(const QString &path, const CheckOptions &options = {});

} // namespace rankdeck
