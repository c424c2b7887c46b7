#include "run/stoprequest.h"

#include "numberranges.h"

namespace rankdeck
{

namespace
{

constexpr char showWord[] = "show";
const QByteArray dumpWord = QByteArrayLiteral("dump ");

} // namespace

QByteArray StopRequest::toLine() const
{
    const QByteArray word = kill ? "kill" : "stop";
    return isWhole() ? word : word + ' ' + numberRanges(processes).toLatin1();
}

std::optional<StopRequest> StopRequest::fromLine(const QByteArray &line)
{
    const qsizetype blank = line.indexOf(' ');
    const QByteArray word = line.left(blank < 0 ? line.size() : blank);
    if (word != "stop" && word != "kill")
        return std::nullopt;
    StopRequest request{word == "kill", {}};
    if (blank < 0)
        return request;
    const auto numbers = numbersFromRanges(QString::fromLatin1(line.mid(blank + 1)));
    if (!numbers)
        return std::nullopt;
    request.processes = *numbers;
    return request;
}

QByteArray shownLine(const QList<int> &processes)
{
    return processes.isEmpty() ? QByteArray(showWord)
                               : QByteArray(showWord) + ' ' + numberRanges(processes).toLatin1();
}

std::optional<QList<int>> shownFromLine(const QByteArray &line)
{
    if (line == showWord)
        return QList<int>();
    if (!line.startsWith(QByteArray(showWord) + ' '))
        return std::nullopt;
    return numbersFromRanges(QString::fromLatin1(line.mid(qstrlen(showWord) + 1)));
}

QByteArray dumpLine(const QList<int> &processes)
{
    return dumpWord + numberRanges(processes).toLatin1();
}

std::optional<QList<int>> dumpFromLine(const QByteArray &line)
{
    if (!line.startsWith(dumpWord))
        return std::nullopt;
    return numbersFromRanges(QString::fromLatin1(line.mid(dumpWord.size())));
}

} // namespace rankdeck
