#include "run/record/failure.h"

#include "base/fields.h"
#include "run/record/journalwords.h"

namespace rankdeck
{

void visitFields(Fields &fields, Failure &failure)
{
    const QString worker = roleWord(Role::Worker);
    QString role = roleWord(failure.role);
    fields.optional("role", role, worker);
    if (fields.isReading())
        failure.role = roleFrom(role);
    fields("rank", failure.rank);
    fields("device", failure.device);
    fields("node", failure.node);
    fields("pid", failure.pid);
    fields("status", failure.status);
    fields.said("reason_said", failure.reason, journalWords, [&](QString &text) { fields("reason", text); });
    fields("log_tail", failure.logTail);
    fields("log", failure.logFile);
    fields.optional("traceback", failure.traceback);
}

} // namespace rankdeck
