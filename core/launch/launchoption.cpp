#include "launch/launchoption.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchOption", text);
}

/// Name and value's name of "--name VALUE".
LaunchOption named(const char *usage, const QString &help)
{
    const QString text = QLatin1String(usage);
    LaunchOption option;
    option.name = text.section(QLatin1Char(' '), 0, 0);
    option.valueName = text.section(QLatin1Char(' '), 1);
    option.help = help;
    return option;
}

/// The field of a spec that is not to be changed.
template <typename Field>
auto valueOf(Field field, const LaunchSpec &spec)
{
    LaunchSpec copy = spec;
    return field(copy);
}

} // namespace

LaunchOption numberOption(const char *usage, int &(*field)(LaunchSpec &), const QString &help)
{
    LaunchOption option = named(usage, help);
    option.read = [field, name = option.name](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
        const auto number = readWholeNumber(text, name);
        if (!number)
            return number.error();
        field(spec) = *number;
        return std::nullopt;
    };
    option.write = [field](const LaunchSpec &spec) {
        return QStringList{QString::number(valueOf(field, spec))};
    };
    return option;
}

LaunchOption textOption(const char *usage, QString &(*field)(LaunchSpec &), const QString &help)
{
    LaunchOption option = named(usage, help);
    option.read = [field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
        field(spec) = text;
        return std::nullopt;
    };
    option.write = [field](const LaunchSpec &spec) {
        return QStringList{valueOf(field, spec)};
    };
    return option;
}

LaunchOption listOption(const char *usage, QStringList &(*field)(LaunchSpec &), const QString &help)
{
    LaunchOption option = named(usage, help);
    option.read = [field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
        field(spec) << text;
        return std::nullopt;
    };
    option.write = [field](const LaunchSpec &spec) {
        return valueOf(field, spec);
    };
    return option;
}

LaunchOption switchOption(const char *name, bool &(*field)(LaunchSpec &), bool given, const QString &help)
{
    LaunchOption option = named(name, help);
    option.read = [field, given](LaunchSpec &spec, const QString &) -> std::optional<Error> {
        field(spec) = given;
        return std::nullopt;
    };
    option.write = [field, given](const LaunchSpec &spec) {
        return valueOf(field, spec) == given ? QStringList{QString()} : QStringList();
    };
    return option;
}

Result<int> readWholeNumber(const QString &text, const QString &option)
{
    bool isNumber = false;
    const int number = text.trimmed().toInt(&isNumber);
    if (isNumber)
        return number;
    return Error{tr("\"%1\" is not a whole number").arg(text), option, {}};
}

std::optional<Error> readVariable(QMap<QString, QString> &variables, const QString &text,
                                  const QString &option)
{
    const auto equals = text.indexOf(QLatin1Char('='));
    if (equals < 1)
        return Error{tr("\"%1\" is not NAME=VALUE").arg(text), option, {}};
    variables.insert(text.left(equals), text.mid(equals + 1));
    return std::nullopt;
}

QStringList writtenVariables(const QMap<QString, QString> &variables)
{
    QStringList texts;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        texts << it.key() + QLatin1Char('=') + it.value();
    return texts;
}

} // namespace rankdeck
