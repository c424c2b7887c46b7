#include "rankdeckctl/console/command.h"

#include "base/textcells.h"
#include "launch/options/launchers.h"

namespace rankdeck
{

constexpr int helpWidth = 80;

/// Breaks text into lines of up to helpWidth; all but the first are indented.
static QString wrapped(const QString &text, int indent, int firstColumn)
{
    return brokenLines(text, helpWidth - firstColumn, helpWidth - indent)
        .join('\n'_L1 + QString(indent, ' '_L1));
}

static QString paragraphs(const QString &text)
{
    return listOf(text.split('\n'_L1), [](const QString &paragraph) { return wrapped(paragraph, 0, 0); })
        .join('\n'_L1);
}

/// Returns a row of two columns. What is too wide for the first stands in a line of its own.
static QString row(const QString &left, const QString &right, int column)
{
    const QString start = "  "_L1 + left;
    if (cellWidth(start) + 2 > column)
        return start + '\n'_L1 + QString(column, ' '_L1) + wrapped(right, column, column) + '\n'_L1;
    return filled(start, column) + wrapped(right, column, column) + '\n'_L1;
}

static QString heading(const QString &title)
{
    return '\n'_L1 + tr("%1:").arg(title) + '\n'_L1;
}

static QString helpText(const CommandOption &option)
{
    QString text = option.help;
    if (option.isRepeatable)
        text = tr("%1; may be repeated").arg(text);
    return option.usual.isEmpty() ? text : tr("%1 (default: %2)").arg(text, option.usual);
}

static QString usageOf(const Command &command)
{
    const QString options = command.options().empty() ? QString() : u"[OPTIONS]"_s;
    QStringList forms;
    if (command.words == ArgumentStyle::AsTheyAre)
        forms = command.arguments.split('\n'_L1);
    else if (command.words == ArgumentStyle::CommandLine)
        forms << options + ' '_L1 + command.arguments;
    else
        forms << command.arguments + ' '_L1 + options;
    for (QString &form : forms)
        form = u"rankdeckctl %1 %2"_s.arg(command.name, form).simplified();
    return tr("Usage: %1").arg(forms.join(u"\n       "_s));
}

QString helpOf(const Command &command)
{
    constexpr int widest = 26;
    const std::vector<OptionSection> sections = command.allSections();
    QString text =
        usageOf(command) + "\n\n"_L1 +
        paragraphs(command.description.isEmpty() ? tr("%1.").arg(command.summary) : command.description) +
        '\n'_L1;
    for (const OptionSection &section : sections) {
        if (section.title.isEmpty())
            continue;
        text += heading(section.title);
        for (const CommandOption &option : section.options)
            text += row(u"%1 %2"_s.arg(option.name, option.value).trimmed(), helpText(option), widest);
    }
    constexpr int column = 8;
    text += heading(tr("Exit codes"));
    for (const ExitCode &code : command.allExitCodes())
        text += row(code.code, code.meaning, column);
    text += heading(tr("Examples"));
    for (const QString &example : command.examples)
        text += u"  %1\n"_s.arg(example);
    return text.trimmed();
}

QString helpOfCommands(const QString &family)
{
    constexpr int column = 22;
    QString text = family.isEmpty() ? tr("Usage: rankdeckctl [--lang LANGUAGE] COMMAND [OPTIONS]") + '\n'_L1
                                    : tr("Usage: rankdeckctl %1 ACTION [OPTIONS]").arg(family) + '\n'_L1;
    const QStringList names = commandNames(family);
    for (const CommandGroup &group : commandGroups()) {
        bool isFirst = true;
        for (const Command &command : group.commands) {
            if (!names.contains(command.name))
                continue;
            if (std::exchange(isFirst, false))
                text += heading(group.title);
            text += row(family.isEmpty() ? command.name : command.name.mid(family.size() + 1),
                        command.summary, column);
        }
    }
    if (!family.isEmpty())
        return text + '\n'_L1 + tr("\"rankdeckctl %1 ACTION --help\" shows an action's options.").arg(family);
    return text + '\n'_L1 +
           paragraphs(
               tr("RUN is a run's name, a unique part of its beginning or end, its directory, or \"last\". "
                  "Without RUN a command takes the newest live run, otherwise the newest run. PATH is a "
                  "directory of logs, or one log; BUNDLE is a file of \"rankdeckctl report --bundle\".\n"
                  "LAUNCHER is %1 with a profile. \"-\" and \"_\" mean the same in option names.\n"
                  "\"rankdeckctl COMMAND --help\" shows the options, exit codes and examples of a command, "
                  "\"rankdeckctl --version\" the version. LANGUAGE is en, zh or auto, the environment's.")
                   .arg(anyOf(launcherWords() << u"run"_s)));
}

} // namespace rankdeck
