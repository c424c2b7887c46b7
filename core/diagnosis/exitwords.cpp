#include "diagnosis/exitwords.h"

#include "result.h"

#include <QCoreApplication>

#include <cerrno>
#include <csignal>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("ExitWords", text);
}

QString signalCause(int number)
{
    switch (number) {
    case SIGKILL:
        return tr("killed from outside, often by the kernel when memory ran out");
    case SIGSEGV:
        return tr("it touched memory that is not its own");
    case SIGBUS:
        return tr("it touched memory that is not there, often a full /dev/shm");
    case SIGABRT:
        return tr("it gave up by itself, after an assertion or an error it could not handle");
    case SIGILL:
        return tr("it ran an instruction that this processor does not have");
    case SIGFPE:
        return tr("an arithmetic error, often a division by zero");
    case SIGTERM:
        return tr("it was asked to end");
    case SIGINT:
        return tr("it was interrupted");
    case SIGPIPE:
        return tr("it wrote to something that nobody reads any more");
    default:
        return {};
    }
}

QString signalFact(int number)
{
    return tr("ended by signal %1 (%2)").arg(number).arg(ExitStatus::signalName(number));
}

QString wordsFor(const ExitStatus &status)
{
    switch (status.kind) {
    case ExitStatus::Kind::NotStarted:
        return status.number == ENOEXEC
                   ? tr("the process could not be started")
                   : tr("the process could not be started: %1").arg(errnoWords(status.number));
    case ExitStatus::Kind::Signalled: {
        const QString cause = signalCause(status.number);
        const QString fact = signalFact(status.number);
        return cause.isEmpty() ? fact : fact + QStringLiteral(": ") + cause;
    }
    case ExitStatus::Kind::Unknown:
        return tr("exit code unknown, the error is from its log");
    case ExitStatus::Kind::Exited:
        break;
    }
    const QString fact = status.text();
    if (status.number == 0)
        return tr("ended well (exit code 0)");
    if (status.number == 126)
        return fact + QStringLiteral(": ") + tr("a shell's word for a command that may not be executed");
    if (status.number == 127)
        return fact + QStringLiteral(": ") + tr("a shell's word for a command that was not found");
    if (status.number > 128 && status.number < 128 + NSIG)
        return fact + QStringLiteral(": ") +
               tr("a shell's word for the end by %1").arg(ExitStatus::signalName(status.number - 128));
    return fact;
}

} // namespace

QString describeExit(const ExitStatus &status)
{
    if (status.requestedSignal > 0) {
        const bool isBySignal =
            status.kind == ExitStatus::Kind::Signalled && status.number == status.requestedSignal;
        return isBySignal ? tr("%1, which was sent to it on request").arg(signalFact(status.number))
                          : tr("%1, after %2 was sent to it on request")
                                .arg(wordsFor(status), ExitStatus::signalName(status.requestedSignal));
    }
    if (status.outOfMemory.isEmpty())
        return wordsFor(status);
    // Its usual causes are of no interest then.
    const bool isSignal = status.kind == ExitStatus::Kind::Signalled;
    return (isSignal ? signalFact(status.number) : wordsFor(status)) + QStringLiteral("; ") +
           status.outOfMemory;
}

QString exitEntry(const ExitStatus &status)
{
    if (status.isSuccess() || status.kind == ExitStatus::Kind::Unknown)
        return {};
    if (status.kind == ExitStatus::Kind::NotStarted)
        return status.number == ENOENT ? QStringLiteral("exit-127") : QStringLiteral("exit-126");
    if (!status.outOfMemory.isEmpty())
        return QStringLiteral("system-oom-killer");
    if (status.requestedSignal > 0)
        return {};
    const bool isShellsSignal = status.kind == ExitStatus::Kind::Exited && status.number > 128;
    const int signal = isShellsSignal                               ? status.number - 128
                       : status.kind == ExitStatus::Kind::Signalled ? status.number
                                                                    : 0;
    switch (signal) {
    case SIGKILL:
        return QStringLiteral("exit-SIGKILL");
    case SIGSEGV:
        return QStringLiteral("exit-SIGSEGV");
    case SIGBUS:
        return QStringLiteral("exit-SIGBUS");
    case SIGABRT:
        return QStringLiteral("exit-SIGABRT");
    case SIGTERM:
        return QStringLiteral("exit-SIGTERM");
    case SIGINT:
        return QStringLiteral("exit-SIGINT");
    default:
        break;
    }
    if (status.kind == ExitStatus::Kind::Exited && (status.number == 126 || status.number == 127))
        return QStringLiteral("exit-%1").arg(status.number);
    return {};
}

} // namespace rankdeck
