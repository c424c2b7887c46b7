#include "rankdeckctl/console/output.h"

#include "base/textcells.h"

#include <QFile>

#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace rankdeck
{

/// Why standard output takes nothing any more; 0: it does.
static int outputProblem = 0;
static bool areErrorsJson = false;

/// Returns 0, or the errno.
static int writeAll(int descriptor, QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), static_cast<std::size_t>(bytes.size()));
        if (written >= 0) {
            bytes = bytes.sliced(written);
        } else if (errno == EAGAIN) {
            // Another program that shares the terminal may have made it non-blocking.
            pollfd ready{descriptor, POLLOUT, 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

static QByteArray lineFor(int descriptor, const QString &line)
{
    const QByteArray bytes = line.toUtf8() + '\n';
    return isatty(descriptor) != 0 ? terminalText(bytes) : bytes;
}

/// Whether it is a control character, or changes the direction of text, or breaks a line.
static bool isUnsafe(QChar character)
{
    switch (character.category()) {
    case QChar::Other_Control:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    case QChar::Other_Format:
        return character.unicode() != 0x200d; // joins emoji and letters
    default:
        return false;
    }
}

static QString spelledOut(const QString &text, bool keepLineEnds)
{
    QString safe;
    safe.reserve(text.size());
    for (const QChar character : text) {
        if (isUnsafe(character) && !(keepLineEnds && character == '\n'_L1))
            safe += u"\\u%1"_s.arg(uint(character.unicode()), 4, 16, '0'_L1);
        else
            safe += character;
    }
    return safe;
}

QString visibleText(const QString &text)
{
    return spelledOut(text, false);
}

QString visibleJson(const QByteArray &json)
{
    return spelledOut(QString::fromUtf8(json), true);
}

/// Returns the size of the SGR sequence at the beginning of `text`, which is an escape character; 0: it is
/// another one.
static qsizetype sgrSize(QStringView text)
{
    if (text.size() < 2 || text[1] != '['_L1)
        return 0;
    qsizetype at = 2;
    while (at < text.size() && (text[at].isDigit() || text[at] == ';'_L1 || text[at] == ':'_L1))
        ++at;
    return at < text.size() && text[at] == 'm'_L1 ? at + 1 : 0;
}

QByteArray terminalText(QByteArrayView text)
{
    const auto isPlainAscii = [](char byte) {
        return (byte >= ' ' && byte <= '~') || byte == '\t' || byte == '\n';
    };
    if (std::all_of(text.begin(), text.end(), isPlainAscii))
        return text.toByteArray();
    const QString decoded = QString::fromUtf8(text);
    QString shown;
    shown.reserve(decoded.size());
    constexpr char16_t asciiControls = 0x20;
    constexpr char16_t del = 0x7f;
    for (qsizetype at = 0; at < decoded.size(); ++at) {
        const QChar character = decoded[at];
        const qsizetype sgr = character == '\x1b'_L1 ? sgrSize(QStringView(decoded).sliced(at)) : 0;
        if (sgr > 0) {
            shown += QStringView(decoded).sliced(at, sgr);
            at += sgr - 1;
        } else if (character == '\t'_L1 || character == '\n'_L1 || character == '\r'_L1) {
            shown += character;
        } else if (character < asciiControls || character == del) {
            // As terminals echo it: "^[".
            constexpr char16_t shift = 0x40;
            shown += u'^' + QString(QChar(char16_t(character.unicode() ^ shift)));
        } else {
            shown += visibleText(character);
        }
    }
    return shown.toUtf8();
}

QStringList tableLines(const QList<QStringList> &rows, const QByteArray &alignment)
{
    QList<int> widths(alignment.size());
    for (const QStringList &row : rows) {
        const qsizetype aligned = row.size() < widths.size() ? row.size() - 1 : row.size();
        for (qsizetype column = 0; column < aligned; ++column)
            widths[column] = std::max(widths[column], cellWidth(row[column]));
    }
    QStringList lines;
    for (const QStringList &row : rows) {
        QString line;
        for (qsizetype column = 0; column < row.size(); ++column)
            line += filled(row[column], widths[column], alignment[column] == 'r') + u"  "_s;
        while (line.endsWith(' '_L1))
            line.chop(1);
        lines << line;
    }
    return lines;
}

void print(const QString &line)
{
    printBytes(lineFor(STDOUT_FILENO, line));
}

static QString jsonWithSchema(JsonText object, int indent)
{
    constexpr int schema = 1;
    object.insert("schema", schema);
    return visibleJson(object.text(indent));
}

void printJson(JsonText object, bool isIndented)
{
    print(jsonWithSchema(std::move(object), isIndented ? 2 : -1));
}

QByteArray jsonLine(JsonText object)
{
    return jsonWithSchema(std::move(object), -1).toUtf8();
}

void say(const QString &line)
{
    writeAll(STDERR_FILENO, lineFor(STDERR_FILENO, line));
}

bool printBytes(QByteArrayView bytes, int descriptor)
{
    if (descriptor == STDERR_FILENO)
        return writeAll(descriptor, bytes) == 0;
    if (outputProblem != 0)
        return false;
    outputProblem = writeAll(STDOUT_FILENO, bytes);
    if (outputProblem != 0 && outputProblem != EPIPE)
        complain(tr("standard output cannot be written: %1").arg(errnoWords(outputProblem)));
    return outputProblem == 0;
}

bool canPrint()
{
    return outputProblem == 0;
}

int codeWithOutput(int code)
{
    return code == 0 && outputProblem != 0 && outputProblem != EPIPE ? 1 : code;
}

void complain(const QString &text)
{
    say(u"rankdeckctl: "_s + text);
}

void sayNote(const QString &note)
{
    say(tr("rankdeckctl: note: %1").arg(visibleText(note)));
}

QString consoleName()
{
    return u"rankdeckctl attach (pid %1)"_s.arg(QCoreApplication::applicationPid());
}

bool isConfirmed(const QString &question)
{
    QFile input;
    if (isatty(STDIN_FILENO) == 0 || !input.open(stdin, QIODevice::ReadOnly))
        return false;
    writeAll(STDERR_FILENO, terminalText(question.toUtf8()));
    const QByteArray answer = input.readLine().trimmed().toLower();
    return answer == "y" || answer == "yes";
}

void printErrorsAsJson()
{
    areErrorsJson = true;
}

QString versionLine()
{
    return u"rankdeckctl "_s + QCoreApplication::applicationVersion();
}

int refuse(const Error &error)
{
    if (areErrorsJson)
        printJson({{"error", error}}, false);
    complain(visibleText(error.sentence().simplified()));
    return unusableInput;
}

} // namespace rankdeck
