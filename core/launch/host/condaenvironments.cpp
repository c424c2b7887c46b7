#include "launch/host/condaenvironments.h"

#include "base/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr char rootVariable[] = "ANACONDA_DIR";
constexpr char defaultNameVariable[] = "DEFAULT_CONDA_ENV_NAME";

/// Decides as conda itself does.
bool isEnvironment(const QString &directory)
{
    return QFileInfo(directory + QStringLiteral("/conda-meta")).isDir();
}

/// Environments in the order in which they are found, each once.
class Finder
{
public:
    explicit Finder(QStringList programs)
        : m_programs(std::move(programs))
    {
    }

    void addRoot(const QString &root)
    {
        if (root.isEmpty())
            return;
        add(root, QStringLiteral("base"));
        addFolder(root + QStringLiteral("/envs"));
    }

    void addFolder(const QString &folder)
    {
        const QStringList names = QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
        for (const QString &name : names)
            add(folder + QLatin1Char('/') + name, name);
    }

    void add(const QString &directory, const QString &name)
    {
        const QString path = QDir::cleanPath(directory);
        const bool isKnown = std::any_of(m_found.begin(), m_found.end(), [&](const CondaEnvironment &known) {
            return known.directory == path;
        });
        if (isKnown || !QDir::isAbsolutePath(path) || !isEnvironment(path))
            return;
        CondaEnvironment environment{name, path, {}};
        for (const QString &program : m_programs) {
            if (QFileInfo(path + QStringLiteral("/bin/") + program).isExecutable())
                environment.programs << program;
        }
        m_found << environment;
    }

    QList<CondaEnvironment> found() const { return m_found; }

private:
    QStringList m_programs;
    QList<CondaEnvironment> m_found;
};

/// One path a line.
QStringList listedEnvironments()
{
    constexpr qint64 mostBytes = 1024 * 1024;
    QFile file(QDir::homePath() + QStringLiteral("/.conda/environments.txt"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromLocal8Bit(file.read(mostBytes)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

} // namespace

QString wantedCondaEnvironment(const LaunchSpec &spec, const QProcessEnvironment &environment)
{
    if (!spec.common.condaEnv.isEmpty())
        return spec.common.condaEnv;
    const auto value = [&](const char *name) {
        return spec.common.unsetVariables.contains(QLatin1String(name))
                   ? QString()
                   : environment.value(QLatin1String(name));
    };
    return value(rootVariable).isEmpty() ? QString() : value(defaultNameVariable);
}

QList<CondaEnvironment> findCondaEnvironments(const LaunchSpec &spec, const QProcessEnvironment &environment)
{
    QStringList programs{QStringLiteral("python"), QStringLiteral("python3"), QStringLiteral("pytest")};
    const QString program = spec.command.value(0);
    if (!program.isEmpty() && !program.contains(QLatin1Char('/')) && !programs.contains(program))
        programs << program;
    Finder finder(programs);
    finder.addRoot(environment.value(QLatin1String(rootVariable)));
    // <root>/bin/conda
    const QFileInfo conda(environment.value(QStringLiteral("CONDA_EXE")));
    if (conda.isAbsolute())
        finder.addRoot(QFileInfo(conda.path()).path());
    for (const char *variable : {"CONDA_ENVS_PATH", "CONDA_ENVS_DIRS"}) {
        const QStringList folders =
            environment.value(QLatin1String(variable)).split(QLatin1Char(':'), Qt::SkipEmptyParts);
        for (const QString &folder : folders)
            finder.addFolder(folder);
    }
    for (const QString &directory : listedEnvironments())
        finder.add(directory, QFileInfo(directory).fileName());
    const QString wanted = wantedCondaEnvironment(spec, environment);
    if (wanted.contains(QLatin1Char('/')))
        finder.add(QDir::current().absoluteFilePath(wanted), QFileInfo(wanted).fileName());
    return finder.found();
}

Result<CondaEnvironment> chooseCondaEnvironment(const QString &wanted, const HostFacts &facts)
{
    const bool isDirectory = wanted.contains(QLatin1Char('/'));
    const QString path = QDir::cleanPath(QDir(facts.currentDirectory).absoluteFilePath(wanted));
    const auto &known = facts.condaEnvironments;
    const auto found = std::find_if(known.begin(), known.end(), [&](const CondaEnvironment &environment) {
        return isDirectory ? environment.directory == path : environment.name == wanted;
    });
    if (found != known.end())
        return *found;
    constexpr qsizetype shown = 12;
    QStringList names;
    for (const CondaEnvironment &environment : known.mid(0, shown))
        names << QStringLiteral("%1 (%2)").arg(environment.name, environment.directory);
    QString list = names.join(QLatin1String(", "));
    if (known.size() > shown)
        list = tr("%1 and %2 more").arg(list).arg(known.size() - shown);
    return Error{tr("there is no conda environment \"%1\"").arg(wanted), QStringLiteral("--conda-env"),
                 known.isEmpty() ? tr("None is found; set ANACONDA_DIR to conda's directory.")
                                 : tr("There are: %1.").arg(list)};
}

} // namespace rankdeck
