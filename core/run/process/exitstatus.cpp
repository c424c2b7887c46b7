#include "run/process/exitstatus.h"

#include "base/fields.h"

#include <cerrno>

namespace rankdeck
{

int ExitStatus::shellCode() const
{
    switch (kind) {
    case Kind::Exited:
        return number;
    case Kind::Signalled:
        return 128 + number;
    case Kind::NotStarted:
        return number == ENOENT ? 127 : 126;
    case Kind::Unknown:
        break;
    }
    return 1;
}

Sentence ExitStatus::text() const
{
    switch (kind) {
    case Kind::Exited:
        return Sentence::tr("exit code %1").arg(number);
    case Kind::Signalled:
        return Sentence(signalName(number));
    case Kind::NotStarted:
        return Sentence::tr("not started");
    case Kind::Unknown:
        return Sentence::tr("exit code unknown");
    }
    return {};
}

QString ExitStatus::signalName(int signal)
{
    const char *name = sigabbrev_np(signal);
    return name ? u"SIG"_s + QLatin1String(name) : tr("signal %1").arg(signal);
}

void visitFields(Fields &fields, ExitStatus &status)
{
    using Kind = ExitStatus::Kind;
    constexpr qsizetype mostOfMemory = 1000;
    std::optional<Kind> kind;
    const auto number = [&](const char *key, Kind itsKind) {
        std::optional<int> itsNumber;
        if (!fields.isReading() && status.kind == itsKind)
            itsNumber = status.number;
        fields.optional(key, itsNumber);
        if (fields.isReading() && itsNumber && !kind) {
            kind = itsKind;
            status.number = *itsNumber;
        }
    };
    number("signal", Kind::Signalled);
    number("errno", Kind::NotStarted);
    bool isUnknown = !fields.isReading() && status.kind == Kind::Unknown;
    fields.optional("unknown", isUnknown);
    if (isUnknown && !kind)
        kind = Kind::Unknown;
    number("exit", Kind::Exited);
    fields.optional("out_of_memory", status.outOfMemory);
    fields.optional("requested_signal", status.requestedSignal);
    if (!fields.isReading())
        return;
    if (!kind)
        fields.reject("exit");
    status.kind = kind.value_or(Kind::Unknown);
    status.outOfMemory = status.outOfMemory.left(mostOfMemory).simplified();
}

} // namespace rankdeck
