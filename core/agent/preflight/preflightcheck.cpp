#include "agent/preflight/preflightcheck.h"

#include "base/fields.h"
#include "base/listcomma.h"
#include "base/numberranges.h"

namespace rankdeck
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

constexpr std::array partWords{"plan", "host", "npu-network", "pairs", "collectives"};
constexpr std::array statusWords{"pass", "warn", "fail", "skipped"};

QString preflightPartName(Part part)
{
    const std::array names{tr("Plan"), tr("Hosts"), tr("NPU network"), tr("Pairs of ranks"),
                           tr("Collectives")};
    return names.at(static_cast<std::size_t>(part));
}

QString preflightStatusName(Status status)
{
    const std::array names{tr("pass"), tr("warning"), tr("FAIL"), tr("skipped")};
    return names.at(static_cast<std::size_t>(status));
}

QString asSentence(QString text)
{
    while (text.endsWith('.'_L1) || text.endsWith(QChar(0x3002)))
        text.chop(1);
    return text.isEmpty() ? text : tr("%1.").arg(text);
}

QString devicesText(const QList<int> &devices)
{
    return tr("devices %1", "device %1", static_cast<int>(devices.size())).arg(numberRanges(devices));
}

PreflightCheck checkOf(Part part, const QString &name, Status status, const Error &problem)
{
    const QString what = problem.where.isEmpty() ? problem.what : withColon(problem.where, problem.what);
    return {part, name, {}, status, asSentence(what), asSentence(problem.mend)};
}

void visitFields(Fields &fields, PreflightCheck &check)
{
    fields.word("part", check.part, partWords);
    fields("name", check.name);
    fields("subject", check.subject);
    fields.word("status", check.status, statusWords);
    fields("sentence", check.sentence);
    fields("mend", check.mend);
    fields.optional("fix", check.fix);
}

} // namespace rankdeck
