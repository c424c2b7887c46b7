#include "agent/preflight/scriptcheck.h"

#include "run/processsettings.h"
#include "run/worker.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// A Python that has not said by then whether it has a module is believed to have it.
constexpr int pythonLimitMs = 3000;
constexpr int noSuchModule = 3;
constexpr char findModule[] = "import importlib.util, sys\n"
                              "found = importlib.util.find_spec(sys.argv[1].split('.')[0])\n"
                              "sys.exit(0 if found else 3)\n";

QString tr(const char *text)
{
    return QCoreApplication::translate("ScriptCheck", text);
}

bool isPython(const QString &program)
{
    return QFileInfo(program).fileName().startsWith(QLatin1String("python"));
}

bool isShell(const QString &program)
{
    const QString name = QFileInfo(program).fileName();
    return name == QLatin1String("sh") || name == QLatin1String("bash");
}

/// Index of the first argument that is no option, of Python also of -m and -c; argv.size(): there is none.
qsizetype firstOperand(const QStringList &argv)
{
    const QStringList withValue = isPython(argv.value(0))
                                      ? QStringList{QStringLiteral("-W"), QStringLiteral("-X")}
                                      : QStringList{QStringLiteral("-o"), QStringLiteral("-O")};
    qsizetype index = 1;
    while (index < argv.size() && argv[index].startsWith(QLatin1Char('-')) &&
           argv[index] != QLatin1String("-m") && argv[index] != QLatin1String("-c") &&
           argv[index] != QLatin1String("-"))
        index += withValue.contains(argv[index]) ? 2 : 1;
    return std::min(index, argv.size());
}

std::optional<Error> problemWithModule(const ProcessPlan &process, const QProcessEnvironment &environment)
{
    const QStringList argv = process.ownCommand();
    const qsizetype option = isPython(argv.value(0)) ? firstOperand(argv) : 0;
    if (option == 0 || argv.value(option) != QLatin1String("-m") || option + 1 == argv.size())
        return std::nullopt;
    const QString &module = argv.at(option + 1);
    QProcess python;
    python.setProcessEnvironment(environmentFor(process, environment));
    python.setWorkingDirectory(process.workDir);
    python.setStandardErrorFile(QProcess::nullDevice());
    python.start(findProgram(argv.first(), process.workDir, searchPathFor(process, environment)).path,
                 {QStringLiteral("-c"), QString::fromLatin1(findModule), module});
    if (!python.waitForFinished(pythonLimitMs) || python.exitCode() != noSuchModule)
        return std::nullopt;
    return Error{tr("Python has no module of this name"), module,
                 tr("Install it there, or check its name, the working directory and PYTHONPATH.")};
}

std::optional<Error> problemWithVirtualEnvironment(const ProcessPlan &process,
                                                   const QProcessEnvironment &environment)
{
    if (process.ownCommand().value(0).contains(QLatin1Char('/')))
        return std::nullopt;
    const QStringList path = searchPathFor(process, environment).split(QLatin1Char(':'));
    for (const QString &name : {QStringLiteral("VIRTUAL_ENV"), QStringLiteral("CONDA_PREFIX")}) {
        const QString directory = process.setVariables.value(name, environment.value(name));
        if (!directory.isEmpty() && !process.removeVariables.contains(name) &&
            path.contains(directory + QStringLiteral("/bin")) && !QFileInfo(directory).isDir())
            return Error{tr("the environment of Python that the launch was started in is not there"),
                         directory,
                         tr("Make it there, or launch with --unset-env %1 to do without.").arg(name)};
    }
    return std::nullopt;
}

/// A shell looks for a script without a '/' in PATH too.
bool isInPath(const QString &script, const QString &searchPath)
{
    const QStringList folders = searchPath.split(QLatin1Char(':'), Qt::SkipEmptyParts);
    return !script.contains(QLatin1Char('/')) &&
           std::any_of(folders.begin(), folders.end(), [&](const QString &folder) {
               return QFileInfo::exists(QDir(folder).filePath(script));
           });
}

} // namespace

QString scriptOf(const QStringList &argv)
{
    const QString program = argv.value(0);
    if (!isPython(program) && !isShell(program))
        return {};
    const qsizetype index = firstOperand(argv);
    const QString operand = argv.value(index);
    // "sh -ec COMMAND" has no script either, nor has a shell that reads its standard input.
    const bool isCommand = isShell(program) && index > 1 && argv.at(index - 1).contains(QLatin1Char('c'));
    return operand.startsWith(QLatin1Char('-')) || isCommand ? QString() : operand;
}

std::optional<Error> problemWithScript(const ProcessPlan &process, const QString &searchPath)
{
    const QStringList argv = process.ownCommand();
    const QString script = scriptOf(argv);
    const QString path = QDir(process.workDir).absoluteFilePath(script);
    if (script.isEmpty() || QFileInfo::exists(path) ||
        (isShell(argv.first()) && isInPath(script, searchPath)))
        return std::nullopt;
    return Error{tr("the script does not exist"), path, tr("Check its name and the working directory.")};
}

std::optional<Error> problemWithScripts(const LaunchPlan &share, const QProcessEnvironment &environment)
{
    QSet<QStringList> checked; // Most ranks run the same.
    for (const ProcessPlan &process : share.processes) {
        const QStringList own = process.ownCommand();
        const QStringList command = QStringList{process.workDir} + own.mid(0, firstOperand(own) + 2);
        if (checked.contains(command))
            continue;
        checked.insert(command);
        std::optional<Error> problem = problemWithVirtualEnvironment(process, environment);
        if (!problem && share.before.empty())
            problem = problemWithScript(process, searchPathFor(process, environment));
        if (!problem && share.before.empty())
            problem = problemWithModule(process, environment);
        if (problem)
            return problem;
    }
    return std::nullopt;
}

} // namespace rankdeck
