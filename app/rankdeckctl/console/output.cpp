#include "output.h"

#include <QCoreApplication>
#include <QFile>

#include <cstdio>

#include <unistd.h>

namespace rankdeck
{

namespace
{

void writeLine(FILE *stream, const QString &line)
{
    const QByteArray bytes = line.toUtf8() + '\n';
    std::fwrite(bytes.constData(), 1, static_cast<size_t>(bytes.size()), stream);
    std::fflush(stream);
}

/// Control characters, and what turns the direction of writing or breaks a line.
bool isUnsafe(QChar character)
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

QString spelledOut(const QString &text, bool keepLineEnds)
{
    QString safe;
    safe.reserve(text.size());
    for (const QChar character : text) {
        if (isUnsafe(character) && !(keepLineEnds && character == QLatin1Char('\n')))
            safe += QStringLiteral("\\u%1").arg(character.unicode(), 4, 16, QLatin1Char('0'));
        else
            safe += character;
    }
    return safe;
}

} // namespace

QString visibleText(const QString &text)
{
    return spelledOut(text, false);
}

QString visibleJson(const QByteArray &json)
{
    return spelledOut(QString::fromUtf8(json), true);
}

void print(const QString &line)
{
    writeLine(stdout, line);
}

void say(const QString &line)
{
    writeLine(stderr, line);
}

QString consoleName()
{
    return QStringLiteral("rankdeckctl attach (pid %1)").arg(QCoreApplication::applicationPid());
}

bool isConfirmed(const QString &question)
{
    QFile input;
    if (isatty(STDIN_FILENO) == 0 || !input.open(stdin, QIODevice::ReadOnly))
        return false;
    std::fputs(qUtf8Printable(question), stderr);
    const QByteArray answer = input.readLine().trimmed().toLower();
    return answer == "y" || answer == "yes";
}

int refuse(const Error &error)
{
    say(QStringLiteral("rankdeckctl: ") + visibleText(error.sentence().simplified()));
    return unusableInput;
}

} // namespace rankdeck
