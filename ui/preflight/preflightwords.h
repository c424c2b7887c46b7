#pragma once

#include "agent/preflight/preflightcheck.h"
#include "preflight/preflightreport.h"
#include "state/tone.h"

#include <QString>

namespace rankdeck
{

Tone toneOf(PreflightCheck::Status status);
/// "× FAIL": with a sign, for people.
QString shownStatus(PreflightCheck::Status status);
/// Lower: more of a problem.
int severityOrder(PreflightCheck::Status status);
bool isProblem(PreflightCheck::Status status);

/// What was looked at, and on what: "python-imports, node2".
QString subjectOf(const PreflightCheck &check);
/// All of a check: how it ended, what was found, what to do.
QString checkText(const PreflightCheck &check);
/// All of a report as plain text: its summary, then part by part every check, problems first.
QString reportText(const PreflightReport &report);

} // namespace rankdeck
