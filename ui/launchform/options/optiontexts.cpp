#include "launchform/options/optiontexts.h"

#include "launch/options/launchers.h"
#include "launch/text/commandline.h"
#include "launch/text/environmentrules.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

Error lineError(qsizetype index, const QString &option, const Error &error)
{
    return Error{tr("Line %1: %2").arg(index + 1).arg(error.what), option, error.mend};
}

struct RankLine {
    qsizetype index = 0;
    int rank = 0;
    QString rest;
};

/// Splits the lines that are not empty into "RANK:rest". Fails if a line does not begin with a rank.
Result<QList<RankLine>> rankLines(const QString &text, const QString &option, const QString &mend)
{
    static const QRegularExpression pattern(QStringLiteral("^\\s*(\\d{1,9})\\s*:(.*)$"));
    const QStringList lines = text.split(QLatin1Char('\n'));
    QList<RankLine> found;
    for (qsizetype index = 0; index < lines.size(); ++index) {
        if (lines.at(index).trimmed().isEmpty())
            continue;
        const auto match = pattern.match(lines.at(index));
        if (!match.hasMatch())
            return lineError(
                index, option,
                {tr("\"%1\" does not begin with a rank").arg(lines.at(index).trimmed()), {}, mend});
        found += {index, match.captured(1).toInt(), match.captured(2)};
    }
    return found;
}

Result<QMap<int, QMap<QString, QString>>> readVariablesByRank(const QString &text, const QString &option)
{
    const auto lines = rankLines(text, option, tr("Write for example 0:NAME=value."));
    if (!lines)
        return lines.error();
    // Each line keeps its number in the whole text, so that errors name the right line.
    QMap<int, QStringList> texts;
    for (const RankLine &line : *lines) {
        QStringList &own = texts[line.rank];
        own.resize(line.index + 1);
        own.last() = line.rest;
    }
    QMap<int, QMap<QString, QString>> variables;
    for (auto it = texts.cbegin(); it != texts.cend(); ++it) {
        const auto read = parseEnvironmentText(it->join(QLatin1Char('\n')));
        if (!read)
            return Error{read.error().what, option, read.error().mend};
        variables.insert(it.key(), *read);
    }
    return variables;
}

QString writeVariablesByRank(const QMap<int, QMap<QString, QString>> &variables)
{
    QStringList lines;
    for (auto it = variables.cbegin(); it != variables.cend(); ++it) {
        for (const QString &line : environmentText(*it).split(QLatin1Char('\n')))
            lines += QStringLiteral("%1:").arg(it.key()) + line;
    }
    return lines.join(QLatin1Char('\n'));
}

Result<QMap<int, QStringList>> readArgumentsByRank(const QString &text, const QString &option)
{
    const auto lines = rankLines(text, option, tr("Write for example 0: --lead."));
    if (!lines)
        return lines.error();
    QMap<int, QStringList> arguments;
    for (const RankLine &line : *lines) {
        if (arguments.contains(line.rank))
            return lineError(line.index, option,
                             {tr("rank %1 is named twice").arg(line.rank), {}, tr("Keep one of the lines.")});
        const auto words = splitCommandLine(line.rest);
        if (!words)
            return lineError(line.index, option, words.error());
        arguments.insert(line.rank, *words);
    }
    return arguments;
}

QString writeArgumentsByRank(const QMap<int, QStringList> &arguments)
{
    QStringList lines;
    for (auto it = arguments.cbegin(); it != arguments.cend(); ++it)
        lines += QStringLiteral("%1: ").arg(it.key()) + joinCommandLine(*it);
    return lines.join(QLatin1Char('\n'));
}

Result<QList<QStringList>> readCommands(const QString &text, const QString &option)
{
    const QStringList lines = text.split(QLatin1Char('\n'));
    QList<QStringList> commands;
    QString begun;
    for (qsizetype index = 0; index < lines.size(); ++index) {
        begun += lines.at(index);
        const auto words = splitCommandLine(begun);
        if (!words && index + 1 == lines.size())
            return lineError(index, option, words.error());
        if (words && !words->isEmpty())
            commands += *words;
        begun = words ? QString() : begun + QLatin1Char('\n');
    }
    return commands;
}

QString writeCommands(const QList<QStringList> &commands)
{
    QStringList lines;
    for (const QStringList &command : commands)
        lines += joinCommandLine(command);
    return lines.join(QLatin1Char('\n'));
}

LaunchOption processesOption(const QString &name)
{
    const LaunchOptions options = processesCommandLine().own;
    return *std::ranges::find(options, name, &LaunchOption::name);
}

/// Returns the option of the launcher's command line; it writes nothing if its value is the default.
LaunchOption streamsOption(StreamsOption option)
{
    return processesOption(option == StreamsOption::Redirects ? QStringLiteral("--redirects")
                                                              : QStringLiteral("--tee"));
}

/// Returns the form of a value that `write` turns into text, and `read` back.
template <typename T>
TextForm formOf(ValueIn<T> value, std::function<QString(const T &)> write,
                std::function<Result<T>(const QString &)> read)
{
    return {[value, write = std::move(write)](const LaunchSpec &spec) {
                LaunchSpec copy = spec;
                return write(value(copy));
            },
            [value, read = std::move(read)](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                const Result<T> result = read(text);
                if (!result)
                    return result.error();
                value(spec) = *result;
                return std::nullopt;
            }};
}

} // namespace

TextForm variablesText()
{
    return formOf<QMap<QString, QString>>(at(&LaunchSpec::environment), environmentText,
                                          parseEnvironmentText);
}

TextForm linesText(ValueIn<QStringList> value)
{
    return formOf<QStringList>(
        std::move(value), [](const QStringList &lines) { return lines.join(QLatin1Char('\n')); },
        [](const QString &text) { return text.split(QLatin1Char('\n'), Qt::SkipEmptyParts); });
}

TextForm wordsText(ValueIn<QStringList> value)
{
    return formOf<QStringList>(
        std::move(value), [](const QStringList &words) { return words.join(QLatin1Char(' ')); },
        [](const QString &text) { return text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts); });
}

TextForm variablesByRankText(ValueIn<QMap<int, QMap<QString, QString>>> value, const QString &option)
{
    return formOf<QMap<int, QMap<QString, QString>>>(
        std::move(value), writeVariablesByRank,
        [option](const QString &text) { return readVariablesByRank(text, option); });
}

TextForm argumentsByRankText(ValueIn<QMap<int, QStringList>> value, const QString &option)
{
    return formOf<QMap<int, QStringList>>(
        std::move(value), writeArgumentsByRank,
        [option](const QString &text) { return readArgumentsByRank(text, option); });
}

TextForm commandsText(ValueIn<QList<QStringList>> value, const QString &option)
{
    return formOf<QList<QStringList>>(std::move(value), writeCommands,
                                      [option](const QString &text) { return readCommands(text, option); });
}

TextForm octalText(ValueIn<int> value, const QString &option)
{
    return formOf<int>(
        std::move(value),
        [](int mask) {
            return mask < 0 ? QString() : QStringLiteral("%1").arg(mask, 3, 8, QLatin1Char('0'));
        },
        [option](const QString &text) -> Result<int> {
            bool isOctal = false;
            const int mask = text.trimmed().toInt(&isOctal, 8);
            if (text.trimmed().isEmpty())
                return -1;
            if (isOctal && mask >= 0)
                return mask;
            return Error{tr("\"%1\" is not an octal number").arg(text), option, tr("Write for example 022.")};
        });
}

TextForm processesOptionText(const QString &name)
{
    const LaunchOption core = processesOption(name);
    return {[core](const LaunchSpec &spec) { return core.write(spec).value(0); },
            [core](LaunchSpec &spec, const QString &text) {
                return core.read(spec, text.trimmed());
            }};
}

TextForm streamsText(StreamsOption option)
{
    const auto core = streamsOption(option);
    return {[core](const LaunchSpec &spec) { return core.write(spec).value(0, streamsWord(Streams::All)); },
            [core, option](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                LaunchSpec read;
                if (const auto error = core.read(read, text.trimmed()))
                    return error;
                ProcessesOptions &into = spec.processes;
                const ProcessesOptions &from = read.processes;
                if (option == StreamsOption::Redirects) {
                    into.redirects = from.redirects;
                    into.defaultRedirect = from.defaultRedirect;
                } else {
                    into.tee = from.tee;
                    into.defaultTee = from.defaultTee;
                }
                return std::nullopt;
            }};
}

} // namespace rankdeck
