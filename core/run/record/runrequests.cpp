#include "run/record/runrequests.h"

#include "base/fields.h"
#include "base/numberranges.h"
#include "run/process/exitstatus.h"
#include "run/record/attachedtool.h"

#include <algorithm>

namespace rankdeck
{

constexpr qsizetype longestName = 120;

/// Carries processes as ranges. No processes are the word `none`, so that a damaged line that names some is
/// never taken for one that names none; without that word there is at least one.
static void visitProcesses(Fields &fields, QList<int> &processes, const char *none = nullptr)
{
    const QString empty = QString::fromLatin1(none);
    QString text = processes.isEmpty() ? empty : numberRanges(processes);
    fields("processes", text);
    if (!fields.isReading())
        return;
    const auto read = none && text == empty ? std::optional(QList<int>()) : numbersFromRanges(text);
    if (read)
        processes = *read;
    else
        fields.reject("processes");
}

/// Carries a client's name. Other programs show it: one line of plain characters.
static void visitName(Fields &fields, const char *key, QString &name)
{
    QString text = name.left(longestName);
    fields.optional(key, text);
    if (!fields.isReading())
        return;
    text = text.left(longestName);
    std::replace_if(
        text.begin(), text.end(), [](QChar each) { return !each.isPrint(); }, QChar(QChar::Space));
    name = text.simplified();
}

static void visitFields(Fields &fields, StopRequest &request)
{
    fields("kill", request.kill);
    visitProcesses(fields, request.processes, "all");
}

static void visitFields(Fields &fields, DumpRequest &request)
{
    visitProcesses(fields, request.processes);
}

static void visitFields(Fields &fields, StartRequest &request)
{
    visitProcesses(fields, request.processes);
}

void visitFields(Fields &fields, SignalRequest &request)
{
    fields("signal", request.number);
    visitProcesses(fields, request.processes);
    if (!sendableSignals().contains(request.number))
        fields.reject("signal");
}

static void visitFields(Fields &fields, ToolRequest &request)
{
    fields("tool", request.name);
    fields("process", request.process);
    if (!toolKind(request.name))
        fields.reject("tool");
    if (request.process < 0)
        fields.reject("process");
}

static void visitFields(Fields &fields, TerminalSize &size)
{
    const auto visitSide = [&](const char *key, int &side) {
        fields(key, side);
        if (side < 1 || side > std::numeric_limits<quint16>::max())
            fields.reject(key);
    };
    visitSide("rows", size.rows);
    visitSide("columns", size.columns);
}

void visitFields(Fields &fields, TerminalInput &input)
{
    visitProcesses(fields, input.processes);
    QByteArray base64 = input.bytes.left(TerminalInput::mostBytes).toBase64();
    fields.optional("bytes", base64);
    fields.optional("size", input.size);
    if (!fields.isReading())
        return;
    const auto typed = QByteArray::fromBase64Encoding(base64, QByteArray::AbortOnBase64DecodingErrors);
    if (typed)
        input.bytes = *typed;
    else
        fields.reject("bytes");
}

static void visitFields(Fields &fields, KeyboardRequest &request)
{
    visitName(fields, "name", request.name);
    fields("take", request.evenIfHeld);
}

static void visitFields(Fields &fields, SampleWish &wish)
{
    fields("wanted", wish.isWanted);
    fields.optional("process", wish.detailed, -1);
    if (wish.detailed < -1)
        fields.reject("process");
    if (fields.isReading() && !wish.isWanted)
        wish = {};
}

static void visitFields(Fields &fields, ShownLogs &shown)
{
    visitProcesses(fields, shown.processes, "none");
}

static void visitFields(Fields &fields, Keyboard &keyboard)
{
    fields("ours", keyboard.isOurs);
    visitName(fields, "holder", keyboard.holder);
    if (fields.isReading() && keyboard.isOurs)
        keyboard.holder.clear();
}

void visitFields(Fields &fields, ClientMessage &message)
{
    fields.oneOf("do", message);
}

QByteArray toLine(const ClientMessage &message)
{
    return jsonTextOf(message);
}

std::optional<ClientMessage> clientMessageFrom(const QByteArray &line)
{
    return fromJsonText<ClientMessage>(line);
}

QByteArray Keyboard::toLine() const
{
    return keyedLine("keyboard", *this);
}

std::optional<Keyboard> Keyboard::fromLine(const QByteArray &line)
{
    return fromKeyedLine<Keyboard>("keyboard", line);
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
