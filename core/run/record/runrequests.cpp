#include "run/record/runrequests.h"

#include "base/numberranges.h"
#include "run/process/exitstatus.h"
#include "run/record/attachedtool.h"

#include <algorithm>
#include <limits>

namespace rankdeck
{

constexpr qsizetype longestName = 120;

static QByteArray rangesOf(const QList<int> &processes)
{
    return numberRanges(processes).toLatin1();
}

static std::optional<QList<int>> processesFrom(const QByteArray &ranges)
{
    return numbersFromRanges(QString::fromLatin1(ranges));
}

/// Returns "word 0-3,7", or "word" for no processes.
static QByteArray lineWith(const QByteArray &word, const QList<int> &processes)
{
    return processes.isEmpty() ? word : word + ' ' + rangesOf(processes);
}

/// Reads what lineWith() wrote.
static std::optional<QList<int>> processesAfter(const QByteArray &word, const QByteArray &line)
{
    if (line == word)
        return QList<int>();
    return line.startsWith(word + ' ') ? processesFrom(line.mid(word.size() + 1)) : std::nullopt;
}

static std::optional<int> sideFrom(const QByteArray &text)
{
    bool isNumber = false;
    const int side = text.toInt(&isNumber);
    const bool isInRange = isNumber && side >= 1 && side <= std::numeric_limits<quint16>::max();
    return isInRange ? std::optional(side) : std::nullopt;
}

/// Other programs show the name: one line of plain characters.
static QString cleanName(const QByteArray &base64)
{
    QString name = QString::fromUtf8(QByteArray::fromBase64(base64)).left(longestName);
    std::replace_if(
        name.begin(), name.end(), [](QChar each) { return !each.isPrint(); }, QChar(QChar::Space));
    return name.simplified();
}

QByteArray StopRequest::toLine() const
{
    return lineWith(kill ? "kill" : "stop", processes);
}

std::optional<StopRequest> StopRequest::fromLine(const QByteArray &line)
{
    if (const auto stopped = processesAfter("stop", line))
        return StopRequest{false, *stopped};
    const auto killed = processesAfter("kill", line);
    return killed ? std::optional(StopRequest{true, *killed}) : std::nullopt;
}

QByteArray SignalRequest::toLine() const
{
    return "signal " + ExitStatus::signalName(number).toLatin1() + ' ' + rangesOf(processes);
}

std::optional<SignalRequest> SignalRequest::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.split(' ');
    if (words.size() != 3 || words[0] != "signal")
        return std::nullopt;
    const int number = sendableSignal(QString::fromLatin1(words[1]));
    const auto processes = processesFrom(words[2]);
    return number != 0 && processes ? std::optional(SignalRequest{number, *processes}) : std::nullopt;
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

std::optional<ToolRequest> ToolRequest::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.split(' ');
    if (words.size() != 3 || words[0] != "tool")
        return std::nullopt;
    bool isNumber = false;
    const ToolRequest request{QString::fromUtf8(words[1]), words[2].toInt(&isNumber)};
    const bool isUsable = isNumber && request.process >= 0 && toolKind(request.name);
    return isUsable ? std::optional(request) : std::nullopt;
}

QByteArray TerminalInput::toLine() const
{
    const QByteArray where = ' ' + rangesOf(processes) + ' ';
    if (size)
        return "size" + where + QByteArray::number(size->rows) + 'x' + QByteArray::number(size->columns);
    return "type" + where + bytes.left(mostBytes).toBase64();
}

std::optional<TerminalInput> TerminalInput::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.split(' ');
    const auto processes = words.size() == 3 ? processesFrom(words[1]) : std::nullopt;
    if (!processes)
        return std::nullopt;
    if (words[0] == "type") {
        const auto typed = QByteArray::fromBase64Encoding(words[2], QByteArray::AbortOnBase64DecodingErrors);
        return typed ? std::optional(TerminalInput{*processes, *typed, {}}) : std::nullopt;
    }
    const QList<QByteArray> sides = words[2].split('x');
    const auto rows = sideFrom(sides.first());
    const auto columns = sideFrom(sides.last());
    if (words[0] != "size" || sides.size() != 2 || !rows || !columns)
        return std::nullopt;
    return TerminalInput{*processes, {}, TerminalSize{*rows, *columns}};
}

QByteArray Keyboard::toLine() const
{
    if (isOurs)
        return "keyboard ours";
    return holder.isEmpty() ? QByteArray("keyboard free") : "keyboard held " + holder.toUtf8().toBase64();
}

std::optional<Keyboard> Keyboard::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.split(' ');
    if (words.size() < 2 || words[0] != "keyboard")
        return std::nullopt;
    if (words[1] == "ours" || words[1] == "free")
        return Keyboard{words[1] == "ours", {}};
    if (words[1] != "held" || words.size() != 3)
        return std::nullopt;
    return Keyboard{false, cleanName(words[2])};
}

QByteArray KeyboardRequest::toLine() const
{
    return QByteArray(evenIfHeld ? "keyboard take " : "keyboard ask ") +
           name.left(longestName).toUtf8().toBase64();
}

std::optional<KeyboardRequest> KeyboardRequest::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.split(' ');
    if (words.size() != 3 || words[0] != "keyboard" || (words[1] != "take" && words[1] != "ask"))
        return std::nullopt;
    return KeyboardRequest{cleanName(words[2]), words[1] == "take"};
}

QByteArray SampleWish::toLine() const
{
    if (!isWanted)
        return "sample none";
    return "sample " + (detailed < 0 ? QByteArray("all") : QByteArray::number(detailed));
}

std::optional<SampleWish> SampleWish::fromLine(const QByteArray &line)
{
    if (line == "sample none")
        return SampleWish{};
    if (line == "sample all")
        return SampleWish{true, -1};
    bool isNumber = false;
    const int process = line.mid(qstrlen("sample ")).toInt(&isNumber);
    const bool isUsable = line.startsWith("sample ") && isNumber && process >= 0;
    return isUsable ? std::optional(SampleWish{true, process}) : std::nullopt;
}

QByteArray shownLine(const QList<int> &processes)
{
    return lineWith("show", processes);
}

std::optional<QList<int>> shownFromLine(const QByteArray &line)
{
    return processesAfter("show", line);
}

QByteArray dumpLine(const QList<int> &processes)
{
    return "dump " + rangesOf(processes);
}

std::optional<QList<int>> dumpFromLine(const QByteArray &line)
{
    return line == "dump" ? std::nullopt : processesAfter("dump", line);
}

QByteArray startLine(const QList<int> &processes)
{
    return "start " + rangesOf(processes);
}

std::optional<QList<int>> startFromLine(const QByteArray &line)
{
    return line == "start" ? std::nullopt : processesAfter("start", line);
}

} // namespace rankdeck
