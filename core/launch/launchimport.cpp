#include "launch/launchimport.h"

#include "launch/commandline.h"
#include "launch/launchbasics.h"
#include "launch/launchers.h"
#include "launch/torchrunimport.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchImport", text);
}

/// NAME=VALUE words at the front, after an optional "env".
QMap<QString, QString> takeVariables(QStringList &words)
{
    static const QRegularExpression assignment(QStringLiteral("^([A-Za-z_][A-Za-z0-9_]*)=(.*)$"),
                                               QRegularExpression::DotMatchesEverythingOption);
    QMap<QString, QString> variables;
    if (words.value(0) == QLatin1String("env"))
        words.removeFirst();
    while (!words.isEmpty()) {
        const auto match = assignment.match(words.first());
        if (!match.hasMatch())
            break;
        variables.insert(match.captured(1), match.captured(2));
        words.removeFirst();
    }
    return variables;
}

/// Everything from the first word on that only a shell understands.
QStringList takeShellPart(QStringList &words)
{
    static const QRegularExpression shell(QStringLiteral("^([0-9]*[<>].*|&>.*|\\||\\|\\||&|&&|;)$"));
    const auto first = std::find_if(words.begin(), words.end(),
                                    [](const QString &word) { return shell.match(word).hasMatch(); });
    const QStringList part(first, words.end());
    words.erase(first, words.end());
    return part;
}

bool isPython(const QString &word)
{
    static const QRegularExpression python(QStringLiteral("^python(3(\\.\\d+)?)?$"));
    return python.match(QFileInfo(word).fileName()).hasMatch();
}

/// The launcher's own words are taken off the front. Empty: none that is known.
QString takeLauncher(QStringList &words)
{
    static const QMap<QString, QString> modules{
        {QStringLiteral("torch.distributed.run"), QStringLiteral("torchrun")},
        {QStringLiteral("torch.distributed.launch"), QStringLiteral("torch.distributed.launch")},
        {QStringLiteral("mindspore.parallel.cluster.run"), QStringLiteral("msrun")},
    };
    const QString program = QFileInfo(words.value(0)).fileName();
    if (isPython(program)) {
        const auto module = words.indexOf(QStringLiteral("-m"));
        const bool isModule = module > 0 && modules.contains(words.value(module + 1));
        if (!isModule)
            return {};
        const QString launcher = modules.value(words.value(module + 1));
        words = words.mid(module + 2);
        return launcher;
    }
    if (program == QLatin1String("rankdeckctl") || program == QLatin1String("rankdeck")) {
        const QString launcher = words.value(1);
        words = words.mid(2);
        return launcherNames().contains(launcher) ? launcher : QString();
    }
    words = words.mid(1);
    const bool isPeer = program == QLatin1String("msrun") || program == QLatin1String("torchrun") ||
                        program == QLatin1String("davincirun");
    return isPeer ? program : QString();
}

} // namespace

Result<ImportedLaunch> importCommandWords(const QStringList &commandLine)
{
    QStringList words = commandLine;
    ImportedLaunch imported;
    const QMap<QString, QString> variables = takeVariables(words);
    while (words.value(0) == QLatin1String("nohup") || words.value(0) == QLatin1String("exec"))
        words.removeFirst();
    const QStringList shellPart = takeShellPart(words);
    const QString launcher = takeLauncher(words);
    if (launcher.isEmpty())
        return Error{tr("this is no command line of msrun, torchrun or davincirun"), commandLine.value(0),
                     tr("Begin with the launcher's name.")};
    if (launcher.startsWith(QLatin1String("torch"))) {
        auto torch = importTorchrun(words, launcher != QLatin1String("torchrun"));
        if (!torch)
            return torch.error();
        imported = std::move(torch.value());
    } else {
        const auto spec = launcherCommandLine(launcher)->parse(words);
        if (!spec)
            return spec.error();
        imported.spec = *spec;
    }
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        if (!imported.spec.environment.contains(it.key()))
            imported.spec.environment.insert(it.key(), it.value());
    }
    if (!shellPart.isEmpty())
        imported.notes << tr("\"%1\" is left out: it is for a shell.").arg(shellPart.join(QLatin1Char(' ')));
    return imported;
}

Result<ImportedLaunch> importCommandLine(const QString &line)
{
    const auto words = splitCommandLine(line);
    if (!words)
        return words.error();
    auto imported = importCommandWords(*words);
    if (imported && asksForShell(line) && imported->notes.isEmpty())
        imported->notes << tr("$, ~ and * reach the program as they are: no shell replaces them.");
    return imported;
}

} // namespace rankdeck
