#include "diagnosis/loggederror.h"

#include "log/ansidecoder.h"
#include "log/lastlines.h"

#include <QDateTime>
#include <QRegularExpression>

namespace rankdeck
{

namespace
{

constexpr int mostLines = 200;
constexpr qint64 mostBytes = 64 * 1024;
constexpr qsizetype mostLine = 1000;
const QString tracebackHead = QStringLiteral("Traceback (most recent call last):");

/// "2024-12-26-14:22:26.839.923", "2024-12-26 14:22:26,839", "2024-12-26T14:22:26"
std::optional<double> timeIn(const QString &line)
{
    static const QRegularExpression form(
        QStringLiteral("(\\d{4}-\\d\\d-\\d\\d)[-T ](\\d\\d:\\d\\d:\\d\\d)(?:[.,](\\d{3})(?:[.](\\d{3}))?)?"));
    const auto match = form.match(line);
    const QDateTime time =
        QDateTime::fromString(match.captured(1) + match.captured(2), QStringLiteral("yyyy-MM-ddHH:mm:ss"));
    if (!time.isValid())
        return std::nullopt;
    return static_cast<double>(time.toSecsSinceEpoch()) + match.captured(3).toInt() / 1e3 +
           match.captured(4).toInt() / 1e6;
}

/// What an error line says, from the code on; empty for any other line.
QString fatalText(const QString &line)
{
    static const QRegularExpression code(
        QStringLiteral("\\b(?:E[A-Z]\\d{4}(?=[:)])|E\\d{5}(?=:)|ERR\\d{5}(?=[: ])).*"));
    const auto match = code.match(line);
    if (match.hasMatch())
        return match.captured().trimmed();
    if (line.startsWith(QLatin1String("[CRITICAL]")) || line.startsWith(QLatin1String("Fatal Python error:")))
        return line.trimmed();
    return {};
}

bool isErrorLine(const QString &line)
{
    return line.startsWith(QLatin1String("[ERROR]")) || line.startsWith(QLatin1String("[EXCEPTION]")) ||
           !fatalText(line).isEmpty();
}

/// From its head to the line that names the exception, without what stands before each line, such as torch's
/// "[rank3]: ".
QStringList tracebackAt(const QStringList &lines, qsizetype head)
{
    const QString before = lines[head].left(lines[head].indexOf(tracebackHead));
    QStringList traceback{tracebackHead};
    for (qsizetype next = head + 1; next < lines.size(); ++next) {
        const QString &line = lines[next];
        const QString text = line.startsWith(before) ? line.mid(before.size()) : line;
        traceback << text;
        if (!text.isEmpty() && !text.startsWith(QLatin1Char(' ')))
            break;
    }
    while (traceback.last().trimmed().isEmpty())
        traceback.removeLast();
    return traceback;
}

} // namespace

std::optional<LoggedError> readLoggedError(const QString &path)
{
    QStringList lines;
    const QList<QByteArray> last = lastLines(path, mostLines, mostBytes);
    for (const QByteArray &line : last)
        lines << AnsiDecoder::plainText(line.left(mostLine));

    LoggedError error;
    QString fatal;
    qsizetype head = -1;
    std::optional<double> timeBefore;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        const QString &line = lines[at];
        if (line.contains(tracebackHead))
            head = at;
        if (fatal.isEmpty())
            fatal = fatalText(line);
        if (!error.time && isErrorLine(line))
            error.time = timeIn(line);
        if (head < 0) {
            if (const auto time = timeIn(line))
                timeBefore = time;
        }
    }
    if (head < 0 && fatal.isEmpty())
        return std::nullopt;
    if (!error.time)
        error.time = timeBefore;
    if (head >= 0) {
        error.traceback = tracebackAt(lines, head);
        error.message = error.traceback.last().trimmed();
    }
    if (error.message.isEmpty())
        error.message = fatal;
    else if (!fatal.isEmpty() && !error.message.contains(fatal))
        error.message += QStringLiteral(" (%1)").arg(fatal);
    return error;
}

} // namespace rankdeck
