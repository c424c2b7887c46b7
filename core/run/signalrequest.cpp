#include "run/signalrequest.h"

#include "numberranges.h"
#include "run/exitstatus.h"

#include <csignal>

namespace rankdeck
{

namespace
{

constexpr char requestWord[] = "signal";

} // namespace

QByteArray SignalRequest::toLine() const
{
    return QByteArray(requestWord) + ' ' + ExitStatus::signalName(number).toLatin1() + ' ' +
           numberRanges(processes).toLatin1();
}

std::optional<SignalRequest> SignalRequest::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.split(' ');
    if (words.size() != 3 || words[0] != requestWord)
        return std::nullopt;
    const int number = sendableSignal(QString::fromLatin1(words[1]));
    const auto processes = numbersFromRanges(QString::fromLatin1(words[2]));
    if (number == 0 || !processes)
        return std::nullopt;
    return SignalRequest{number, *processes};
}

QList<int> sendableSignals()
{
    return {SIGINT, SIGTERM, SIGKILL, SIGUSR1, SIGUSR2, SIGSTOP, SIGCONT};
}

int sendableSignal(const QString &text)
{
    const QString wanted = text.toUpper();
    for (const int number : sendableSignals()) {
        const QString name = ExitStatus::signalName(number);
        if (wanted == name || wanted == name.mid(3) || wanted == QString::number(number))
            return number;
    }
    return 0;
}

} // namespace rankdeck
