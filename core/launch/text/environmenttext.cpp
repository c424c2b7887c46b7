#include "launch/text/environmenttext.h"

#include "base/tr.h"

#include <QStringList>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString escaped(QString value)
{
    value.replace(QLatin1Char('\\'), QLatin1String("\\\\"));
    value.replace(QLatin1Char('\n'), QLatin1String("\\n"));
    return value;
}

QString unescaped(const QString &text)
{
    QString value;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar next = i + 1 < text.size() ? text.at(i + 1) : QChar();
        if (text.at(i) == QLatin1Char('\\') && (next == QLatin1Char('n') || next == QLatin1Char('\\'))) {
            value += next == QLatin1Char('n') ? QLatin1Char('\n') : QLatin1Char('\\');
            ++i;
        } else {
            value += text.at(i);
        }
    }
    return value;
}

bool isName(const QString &name)
{
    return !name.isEmpty() && std::none_of(name.cbegin(), name.cend(), [](QChar c) { return c.isSpace(); });
}

Error lineError(int number, const QString &what, const QString &mend)
{
    return Error{tr("Line %1: %2").arg(QString::number(number), what), QStringLiteral("--env"), mend};
}

} // namespace

Result<QMap<QString, QString>> parseEnvironmentText(const QString &text)
{
    QMap<QString, QString> variables;
    int number = 0;
    for (const QString &line : text.split(QLatin1Char('\n'))) {
        ++number;
        const QString stripped = line.trimmed();
        if (stripped.isEmpty() || stripped.startsWith(QLatin1Char('#')))
            continue;
        const qsizetype equals = line.indexOf(QLatin1Char('='));
        const QString name = line.left(equals).trimmed();
        if (equals < 0)
            return lineError(number, tr("\"%1\" has no =").arg(stripped), tr("Write NAME=value."));
        if (!isName(name))
            return lineError(number, tr("\"%1\" cannot name a variable").arg(name), tr("Write NAME=value."));
        if (variables.contains(name))
            return lineError(number, tr("%1 is set twice").arg(name), tr("Keep one of the lines."));
        variables.insert(name, unescaped(line.mid(equals + 1)));
    }
    return variables;
}

QString environmentText(const QMap<QString, QString> &variables)
{
    QStringList lines;
    for (auto it = variables.cbegin(); it != variables.cend(); ++it)
        lines += it.key() + QLatin1Char('=') + escaped(it.value());
    return lines.join(QLatin1Char('\n'));
}

} // namespace rankdeck
