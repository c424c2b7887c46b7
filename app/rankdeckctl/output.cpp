#include "output.h"

#include <cstdio>

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

} // namespace

void print(const QString &line)
{
    writeLine(stdout, line);
}

void say(const QString &line)
{
    writeLine(stderr, line);
}

int refuse(const Error &error)
{
    say(QStringLiteral("rankdeckctl: ") + error.sentence().simplified());
    return unusableInput;
}

} // namespace rankdeck
