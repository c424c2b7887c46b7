#include "optionparser/optionparser.h"

#include "base/nearestword.h"
#include "launch/options/launchcommandline.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

CommandOption option(const char *usage, const QString &help, const QString &usual)
{
    const QString text = QString::fromUtf8(usage);
    const auto end = text.indexOf(' '_L1, text.indexOf("--"_L1));
    return {end < 0 ? text : text.left(end), end < 0 ? QString() : text.mid(end + 1), help, usual};
}

static bool isHelp(const QString &word)
{
    return word == "--help"_L1 || word == "-h"_L1;
}

static bool isVersion(const QString &word)
{
    return word == "--version"_L1 || word == "-V"_L1;
}

static bool isOptionLike(const QString &word)
{
    static const QRegularExpression number(u"^-\\d+$"_s);
    return word.startsWith('-'_L1) && word != "-"_L1 && !number.match(word).hasMatch();
}

/// Whether the word is the value of an option whose value may be left out.
static bool isOwnValue(const CommandOption &option, const QString &word)
{
    if (option.isAnyWord)
        return !word.isEmpty() && !isOptionLike(word);
    bool isNumber = false;
    word.toInt(&isNumber);
    return isNumber;
}

static QString seeHelpOf(const OptionSyntax &syntax)
{
    return tr("See %1 --help.").arg(syntax.program);
}

static Error unknownOption(const OptionSyntax &syntax, const QString &name)
{
    QStringList known{u"--help"_s, u"--version"_s};
    for (const CommandOption &option : syntax.options)
        known << option.names();
    return {tr("unknown option"), name, u"%1 %2"_s.arg(didYouMean(name, known), seeHelpOf(syntax)).trimmed()};
}

static std::optional<Error> problemWithCount(const OptionSyntax &syntax, const QStringList &given)
{
    qsizetype least = 0;
    qsizetype most = 0;
    bool isEndless = false;
    QString missing;
    QStringList patterns = syntax.arguments.split(' '_L1, Qt::SkipEmptyParts); // "[RUN]", "FILE…"
    for (QString &pattern : patterns) {
        ++most;
        isEndless = isEndless || pattern.contains(u'…');
        if (pattern.startsWith('['_L1))
            continue;
        if (++least > given.size() && missing.isEmpty())
            missing = pattern.remove('['_L1).remove(']'_L1).remove(u'…').replace("|"_L1, tr(" or "));
    }
    if (given.size() > most && !isEndless)
        return Error{tr("one argument too many"), given[most], seeHelpOf(syntax)};
    if (!missing.isEmpty())
        return Error{tr("%1 is missing").arg(missing), {}, seeHelpOf(syntax)};
    return std::nullopt;
}

/// Reads options and arguments, but for --help and --version.
class OptionReader
{
public:
    OptionReader(const OptionSyntax &syntax, const QStringList &arguments)
        : m_syntax(syntax)
        , m_arguments(arguments)
    {
    }

    Result<Options> read()
    {
        while (m_next < m_arguments.size()) {
            const QString argument = m_arguments[m_next++];
            if (argument == "--"_L1) {
                m_options.positional << m_arguments.mid(m_next);
                break;
            }
            if (isHelp(argument) || isVersion(argument)) {
                m_options.asksForHelp = isHelp(argument);
                m_options.asksForVersion = isVersion(argument);
                return m_options;
            }
            if (!isOptionLike(argument)) {
                m_options.positional << argument;
                if (m_syntax.words != ArgumentStyle::CommandLine)
                    continue;
                m_options.positional << m_arguments.mid(m_next);
                break;
            }
            if (const auto error = readOption(argument))
                return *error;
        }
        if (const auto error = problemWithCount(m_syntax, m_options.positional))
            return *error;
        return m_options;
    }

    /// Whether help is asked for behind the word that was wrong.
    bool asksForHelpLater() const
    {
        const QStringList rest = m_arguments.mid(m_next);
        const auto end = std::ranges::find(rest, u"--"_s);
        return std::any_of(rest.begin(), end, isHelp);
    }

private:
    std::optional<Error> readOption(const QString &argument)
    {
        const QString given = argument.section('='_L1, 0, 0);
        const CommandOption *const option = optionNamed(m_syntax.options, given);
        if (!option)
            return unknownOption(m_syntax, given);
        const QString name = option->longName();
        const bool hasOwnValue = argument.contains('='_L1);
        if (option->value.isEmpty() && hasOwnValue)
            return Error{tr("this option takes no value"), name, {}};
        if (option->value.isEmpty()) {
            m_options.switches << name;
            return std::nullopt;
        }
        if (!option->isRepeatable && m_options.values.contains(name))
            return Error{tr("option given twice"), name, tr("Give it once.")};
        QString value = option->usual;
        if (hasOwnValue)
            value = argument.section('='_L1, 1);
        else if (!option->value.startsWith('['_L1) && m_next == m_arguments.size())
            return Error{tr("missing value"), name, tr("Write %1.").arg(name + ' '_L1 + option->value)};
        else if (!option->value.startsWith('['_L1) || isOwnValue(*option, m_arguments.value(m_next)))
            value = m_arguments[m_next++];
        if (option->isRepeatable)
            m_options.lists[name] << value;
        else
            m_options.values.insert(name, value);
        return std::nullopt;
    }

    const OptionSyntax &m_syntax;
    QStringList m_arguments;
    qsizetype m_next = 0;
    Options m_options;
};

const CommandOption *optionNamed(const std::vector<CommandOption> &options, const QString &name)
{
    const auto found = std::ranges::find_if(options, [&](const CommandOption &option) {
        const QStringList names = option.names();
        return std::ranges::any_of(
            names, [&](const QString &each) { return comparedName(each) == comparedName(name); });
    });
    return found == options.end() ? nullptr : &*found;
}

Result<Options> parseOptions(const OptionSyntax &syntax, const QStringList &arguments)
{
    if (syntax.words == ArgumentStyle::AsTheyAre)
        return Options{.positional = arguments};
    OptionReader reader(syntax, arguments);
    const auto options = reader.read();
    if (!options && reader.asksForHelpLater())
        return Options{.asksForHelp = true};
    return options;
}

Result<int> Options::number(const char *name, int least, int otherwise) const
{
    return hasValue(name) ? parseNumber(value(name), QLatin1String(name), least) : otherwise;
}

Result<int> parseNumber(const QString &text, const QString &name, int least)
{
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (!isNumber || number < least)
        return Error{tr("\"%1\" is not a whole number from %2 up").arg(text).arg(least), name, {}};
    return number;
}

} // namespace rankdeck
