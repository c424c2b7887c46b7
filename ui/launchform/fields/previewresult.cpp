#include "launchform/fields/previewresult.h"

#include "widgets/labels.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

constexpr QLatin1String rankTable("--rank-table");
constexpr QLatin1String convertedTable("--converted-rank-table");
constexpr QLatin1String envFile("--env-file");
constexpr QLatin1String logDir("--log-dir");
constexpr QLatin1String workDir("--work-dir");
constexpr QLatin1String commandOption("command");

/// Returns true if `where` is `path`, a file below it, or a place in it ("path:3:14", "path /servers/0").
static bool isAt(const QString &where, const QString &path)
{
    static const QLatin1String ends(": /");
    return !path.isEmpty() && where.startsWith(path) &&
           (where.size() == path.size() || ends.contains(where.at(path.size())));
}

/// Returns the option that is the first word of `where`: "--log-dir" of "--log-dir /root/x", "envs" of
/// "envs.3".
static QString optionAtStart(const QString &where)
{
    static const QRegularExpression option(
        u"^(--[a-z][a-z_-]*|command|task_script|args|envs|redirects|tee)(?=[\\s:.]|$)"_s);
    const QString name = option.match(where).captured();
    return name == "task_script"_L1 ? QString(commandOption) : normalOption(name);
}

/// Returns true if `where` is the script or another file of the command.
static bool isInCommand(const QString &where, const ProcessPlan &process)
{
    return std::ranges::any_of(process.argv, [&](const QString &argument) {
        return where == argument || where == QDir(process.workDir).absoluteFilePath(argument);
    });
}

static bool isEnvironmentFile(const QString &where, const LaunchSpec &spec)
{
    return std::ranges::any_of(spec.common.envFiles, [&](const QString &file) {
        return isAt(where, QDir::cleanPath(QDir::current().absoluteFilePath(file)));
    });
}

static QString plannedAt(const QString &where, const LaunchPlan &plan)
{
    for (const PlannedFile &file : plan.files) {
        if (isAt(where, file.path) || where == QFileInfo(file.path).path())
            return convertedTable;
    }
    for (const ProcessPlan &process : plan.processes) {
        // Checked first: the script may lie in the log directory.
        if (where == process.label() || isInCommand(where, process))
            return commandOption;
        if (isAt(where, QFileInfo(process.logFile).path()))
            return logDir;
        if (where == process.workDir)
            return workDir;
    }
    return {};
}

QString normalOption(QString name)
{
    return name.replace('_'_L1, '-'_L1);
}

QString optionOf(const Error &error, const PreviewResult &context)
{
    if (const QString option = optionAtStart(error.where); !option.isEmpty())
        return option;
    if (isAt(error.where, context.tablePath))
        return rankTable;
    if (isEnvironmentFile(error.where, context.spec))
        return envFile;
    static const QRegularExpression form(u"--[a-z][a-z_-]*"_s);
    if (const QString option = form.match(error.mend).captured(); !option.isEmpty())
        return normalOption(option);
    return context.plan ? plannedAt(error.where, *context.plan) : QString();
}

QString sentenceAt(const QString &option, const Error &error, const PreviewResult &context)
{
    Error shown = error;
    shown.what = upperFirst(shown.what);
    if (shown.mend.isEmpty() && !shown.what.endsWith('.'_L1))
        shown.what += '.'_L1;
    if (option.isEmpty())
        return shown.sentence();
    if (option == rankTable && isAt(shown.where, context.tablePath))
        shown.where.remove(0, context.tablePath.lastIndexOf('/'_L1) + 1);
    if (!optionAtStart(shown.where).isEmpty() && !shown.where.contains(' '_L1))
        shown.where.clear();

    return shown.sentence();
}

QString shownPath(const QString &path)
{
    const QLatin1String placeholder(runDirectoryPlaceholder);
    if (!path.startsWith(placeholder))
        return path;
    return tr("(run directory)") + path.mid(placeholder.size());
}

} // namespace rankdeck
