#pragma once

#include "base/result.h"
#include "ranktable/table/finding.h"
#include "ranktable/table/ranktable.h"

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

/// Returns the chip of a name such as "910", "910b", "910_93", "950", "310p", "a1" … "a5", upper or lower
/// case. Fails for another name; the error lists the names.
Result<Chip> chipFromName(const QString &name);

struct CheckOptions {
    Chip chip = Chip::Unknown; ///< Rules that depend on the chip are left out while it is unknown.
};

/// The lines (1-based; 0 unknown) of a server and its devices in the text, as in RankTable::servers.
struct ServerLines {
    int line = 0;
    std::vector<int> devices;

    bool operator==(const ServerLines &) const = default;
};

/// A table with all findings about it.
struct CheckReport {
    RankTable table;               ///< The readable part, even when there are errors.
    std::optional<Error> unusable; ///< Why nothing can be launched with it: no JSON, no devices, no ranks …
    Findings findings;             ///< In the order of their places; those of the whole file first.
    std::vector<ServerLines> lines;

    bool hasErrors() const { return countOf(findings, Severity::Error) > 0; }
};

/// Checks a table by the rules of its form, as the communication library would. `name` is the place in
/// `unusable`. Keeps at most 100 findings of a rule; the last says how many more there are. For a table that
/// is still being written ("initializing"), says only that.
CheckReport checkRankTable(const QByteArray &text, const QString &name, const CheckOptions &options = {});

/// Checks a file of at most 100 MB, also by the rules about the file itself. Fails if it cannot be read.
Result<CheckReport> checkRankTableFile(const QString &path, const CheckOptions &options = {});

/// The result of a check in brief, for the user who is about to launch with the table.
struct TableCheck {
    /// Length limit of firstErrors.
    static constexpr qsizetype mostTold = 3;

    int errors = 0;
    int warnings = 0;
    int notes = 0;
    QStringList firstErrors; ///< Such as "line 12: …".
    bool isUsable = true;

    static TableCheck of(const CheckReport &report);
    /// "2 errors, 1 warning"; "no findings".
    QString counts() const { return countWords(errors, warnings, notes); }
    bool operator==(const TableCheck &) const = default;
};

} // namespace rankdeck
