#include "launch/text/optionvalues.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <csignal>

namespace rankdeck
{

/// The signals at which a program can write its stacks. Others always end it, or come from the terminal.
constexpr std::array signalNames{
    std::pair("HUP", SIGHUP),
    std::pair("QUIT", SIGQUIT),
    std::pair("USR1", SIGUSR1),
    std::pair("USR2", SIGUSR2),
};

static std::optional<Error> problemWithRegex(const re2::RE2 &regex, const QString &option)
{
    if (regex.ok())
        return {};
    return Error{tr("the pattern is not a regular expression: %1").arg(QString::fromStdString(regex.error())),
                 option, tr("See the syntax of RE2.")};
}

std::optional<Error> promptPatternError(const QString &pattern)
{
    if (pattern.isEmpty())
        return {};
    const QString option = u"--prompt-pattern"_s;
    const re2::RE2 regex(pattern.toStdString(), re2::RE2::Quiet);
    if (const auto error = problemWithRegex(regex, option))
        return error;
    if (re2::RE2::PartialMatch("", regex))
        return Error{tr("the pattern matches an empty line"), option,
                     tr("Write what the prompt looks like, e.g. \"\\(mydbg\\) \".")};
    return {};
}

int dumpSignalNumber(const QString &text)
{
    QString name = text.toUpper();
    if (name.startsWith("SIG"_L1))
        name.remove(0, 3);
    const auto known = std::ranges::find_if(
        signalNames, [&](const auto &entry) { return name == QLatin1String(entry.first); });
    return known == signalNames.end() ? 0 : known->second;
}

std::optional<Error> dumpSignalError(const QString &text)
{
    if (text.isEmpty() || dumpSignalNumber(text) != 0)
        return {};
    return Error{tr("\"%1\" is not a signal for stacks").arg(text), u"--dump-signal"_s,
                 tr("Give USR1, USR2, HUP or QUIT, as passed to faulthandler.register() by the program.")};
}

std::optional<Error> flightRecorderError(const QString &text)
{
    static const QStringList values{u"auto"_s, u"on"_s, u"off"_s};
    if (values.contains(text))
        return std::nullopt;
    return Error{tr("\"%1\" is neither auto, nor on, nor off").arg(text), u"--flight-recorder"_s, {}};
}

std::optional<Error> portsError(const QString &text)
{
    if (text == "auto"_L1 || text == "fixed"_L1)
        return std::nullopt;
    return Error{tr("\"%1\" is neither auto nor fixed").arg(text), u"--ports"_s, {}};
}

/// Returns the names that groups of a pattern for progress lines may have: epoch, epochs, step, steps, loss,
/// step_time_ms, step_time_s, throughput.
static QStringList progressPatternNames()
{
    return {u"epoch"_s, u"epochs"_s,       u"step"_s,        u"steps"_s,
            u"loss"_s,  u"step_time_ms"_s, u"step_time_s"_s, u"throughput"_s};
}

std::string progressPatternText(const QString &pattern)
{
    std::string text = pattern.toStdString();
    for (std::size_t at = 0; (at = text.find("(?<", at)) != std::string::npos; at += 3) {
        const bool isEscaped = at > 0 && text[at - 1] == '\\';
        if (!isEscaped && at + 3 < text.size() && text[at + 3] != '=' && text[at + 3] != '!')
            text.insert(at + 2, 1, 'P');
    }
    return text;
}

std::optional<Error> progressPatternError(const QString &pattern)
{
    if (pattern.isEmpty())
        return {};
    const QString option = u"--progress-pattern"_s;
    const re2::RE2 regex(progressPatternText(pattern), re2::RE2::Quiet);
    if (const auto error = problemWithRegex(regex, option))
        return error;
    const QStringList names = progressPatternNames();
    const QString mend = tr("Name groups, e.g. \"step (?P<step>\\d+)\": %1.").arg(names.join(u", "_s));
    if (regex.NamedCapturingGroups().empty())
        return Error{tr("the pattern has no named group"), option, mend};
    for (const auto &[name, group] : regex.NamedCapturingGroups()) {
        if (!names.contains(QString::fromStdString(name)))
            return Error{tr("the pattern has a group \"%1\"").arg(QString::fromStdString(name)), option,
                         mend};
    }
    return {};
}

} // namespace rankdeck
