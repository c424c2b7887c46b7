#include "launchform/options/optiontexts.h"

#include "launch/options/valuetexts.h"
#include "launch/text/commandline.h"
#include "launch/text/environmentrules.h"

#include <QRegularExpression>

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
    static const QRegularExpression pattern(u"^\\s*(\\d{1,9})\\s*:(.*)$"_s);
    const QStringList lines = text.split('\n'_L1);
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
        const auto read = parseEnvironmentText(it->join('\n'_L1));
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
        for (const QString &line : environmentText(*it).split('\n'_L1))
            lines += u"%1:"_s.arg(it.key()) + line;
    }
    return lines.join('\n'_L1);
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
        lines += u"%1: "_s.arg(it.key()) + joinCommandLine(*it);
    return lines.join('\n'_L1);
}

Result<QList<QStringList>> readCommands(const QString &text, const QString &option)
{
    const QStringList lines = text.split('\n'_L1);
    QList<QStringList> commands;
    QString begun;
    for (qsizetype index = 0; index < lines.size(); ++index) {
        begun += lines.at(index);
        const auto words = splitCommandLine(begun);
        if (!words && index + 1 == lines.size())
            return lineError(index, option, words.error());
        if (words && !words->isEmpty())
            commands += *words;
        begun = words ? QString() : begun + '\n'_L1;
    }
    return commands;
}

QString writeCommands(const QList<QStringList> &commands)
{
    const QStringList lines =
        listOf(commands, [&](const QStringList &command) { return joinCommandLine(command); });
    return lines.join('\n'_L1);
}

/// Returns the form of a value that `write` turns into text, and `read` back.
template <typename T, typename Read>
TextForm formOf(SpecField<T> value, QString (*write)(const T &), Read read)
{
    return {[value, write](const LaunchSpec &spec) { return write(valueIn(spec, value)); },
            [value, read](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                const Result<T> result = read(text);
                if (!result)
                    return result.error();
                value(spec) = *result;
                return std::nullopt;
            }};
}

} // namespace

TextForm variablesText(SpecField<QMap<QString, QString>> value)
{
    return formOf(value, environmentText, parseEnvironmentText);
}

TextForm linesText(SpecField<QStringList> value)
{
    return formOf<QStringList>(
        value, [](const QStringList &lines) { return lines.join('\n'_L1); },
        [](const QString &text) { return text.split('\n'_L1, Qt::SkipEmptyParts); });
}

TextForm wordsText(SpecField<QStringList> value)
{
    return formOf<QStringList>(
        value, [](const QStringList &words) { return words.join(' '_L1); },
        [](const QString &text) { return text.simplified().split(' '_L1, Qt::SkipEmptyParts); });
}

TextForm variablesByRankText(SpecField<QMap<int, QMap<QString, QString>>> value, const QString &option)
{
    return formOf(value, writeVariablesByRank,
                  [option](const QString &text) { return readVariablesByRank(text, option); });
}

TextForm argumentsByRankText(SpecField<QMap<int, QStringList>> value, const QString &option)
{
    return formOf(value, writeArgumentsByRank,
                  [option](const QString &text) { return readArgumentsByRank(text, option); });
}

TextForm commandsText(SpecField<QList<QStringList>> value, const QString &option)
{
    return formOf(value, writeCommands, [option](const QString &text) { return readCommands(text, option); });
}

TextForm commandLineText(const OptionRow &row)
{
    return {[&row](const LaunchSpec &spec) { return optionTexts(row, spec).value(0); },
            [&row](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                if (!text.trimmed().isEmpty())
                    return readOption(row, spec, text.trimmed());
                std::visit(
                    [&](auto field) {
                        if constexpr (!std::same_as<decltype(field), std::monostate>)
                            field(spec) = valueIn(LaunchSpec(), field);
                    },
                    row.member.field);
                return std::nullopt;
            }};
}

TextForm streamsText(const OptionRow &row)
{
    const auto value = row.field<QMap<int, Streams>>();
    const bool isTee = value == SpecField<QMap<int, Streams>>(fieldOf<&ProcessesOptions::tee>);
    const SpecField<Streams> otherwise =
        isTee ? fieldOf<&ProcessesOptions::defaultTee> : fieldOf<&ProcessesOptions::defaultRedirect>;
    return {
        [&row](const LaunchSpec &spec) { return optionTexts(row, spec).value(0, streamsWord(Streams::All)); },
        [&row, value, otherwise](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
            LaunchSpec read;
            if (const auto error = readOption(row, read, text.trimmed()))
                return error;
            value(spec) = value(read);
            otherwise(spec) = otherwise(read);
            return std::nullopt;
        }};
}

} // namespace rankdeck
