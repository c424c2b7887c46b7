#pragma once

#include "base/tr.h"

#include <QString>

#include <vector>

namespace rankdeck
{

/// How serious a finding is for a launch.
enum class Severity {
    Note,    ///< Worth knowing.
    Warning, ///< Works, but is not what the documentation says; or may fail on some hardware.
    Error,   ///< The communication library rejects the table, or hangs.
};

/// Something a rank table check noticed.
struct Finding {
    Severity severity = Severity::Note;
    QString rule;    ///< Stable name of the rule for programs, such as "duplicate-device-ip".
    QString pointer; ///< JSON pointer (RFC 6901) of the place; empty for the whole file.
    int line = 0;    ///< 1-based; 0 when the finding is about the whole file.
    int column = 0;  ///< 1-based, in characters.
    QString what;    ///< One sentence.
    QString mend;    ///< One sentence that says what to do; may be empty for a note.
    QString source;  ///< Where the rule comes from.
    QString code;    ///< The error code the communication library would show, such as "EI0014"; may be empty.

    bool operator==(const Finding &) const = default;
};

using Findings = std::vector<Finding>;

/// "error", "warning" or "note", as `ranktable check` prints it. Not translated.
QString severityName(Severity severity);
/// Returns the number of findings of this severity.
int countOf(const Findings &findings, Severity severity);

} // namespace rankdeck
