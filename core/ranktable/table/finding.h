#pragma once

#include "base/tr.h"

#include <vector>

namespace rankdeck
{

/// How serious a finding is for a launch.
enum class Severity {
    Note,    ///< Worth knowing.
    Warning, ///< Works, but differs from the documentation; or may fail on some hardware.
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
    QString mend;    ///< One sentence of advice; may be empty for a note.
    QString source;  ///< Where the rule comes from.
    QString code;    ///< The error code the communication library would show, such as "EI0014"; may be empty.
    int more = 0;    ///< How many more like this were found and are not listed.

    bool operator==(const Finding &) const = default;
};

using Findings = std::vector<Finding>;

/// "error", "warning" or "note", as `ranktable check` prints it. Not translated.
QString severityName(Severity severity);
/// Returns the number of findings of this severity, with those that are not listed.
int countOf(const Findings &findings, Severity severity);

/// "Error", "Warning" or "Note", as the window shows it.
QString severityWord(Severity severity);
/// "1 error", "3 warnings": a number of findings of this severity.
QString countWords(Severity severity, int count);
/// Returns "2 errors, 1 warning"; "no findings" if there are none.
QString countWords(int errors, int warnings, int notes);
QString countWords(const Findings &findings);

/// Returns a finding in a few lines: what, how to mend it, then its place, rule, code and source.
QString findingDetail(const Finding &finding);
/// "line 12: device_ip …"; without the line if the finding is about the whole file.
QString findingLine(const Finding &finding);

} // namespace rankdeck
