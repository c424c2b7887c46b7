#include "agent/node/nodepreparation.h"

#include "agent/preflight/preflight.h"
#include "launch/nodes/planlaunch.h"
#include "run/mirror/sharedfolder.h"
#include "run/record/rundirectory.h"

#include <QFileInfo>

#include <array>

namespace rankdeck
{

/// Variables of which each node has its own.
constexpr std::array ownVariables{"HOME",   "USER",   "LOGNAME", "SHELL", "HOSTNAME", "PWD",
                                  "OLDPWD", "SHLVL",  "_",       "TERM",  "DISPLAY",  "XAUTHORITY",
                                  "MAIL",   "TMPDIR", "COLUMNS", "LINES", "WINDOWID", "INVOCATION_ID"};
constexpr std::array ownPrefixes{"SSH_", "XDG_", "DBUS_", "SLURM", "WAYLAND_", "RANKDECK_", "PMI"};

/// Variables of which each container has its own too: where programs and libraries are, of CANN as well.
constexpr std::array placeVariables{"PATH",
                                    "LD_LIBRARY_PATH",
                                    "LD_PRELOAD",
                                    "PYTHONPATH",
                                    "PYTHONHOME",
                                    "VIRTUAL_ENV",
                                    "CONDA_PREFIX",
                                    "CONDA_DEFAULT_ENV",
                                    "CONDA_EXE",
                                    "LANG",
                                    "LC_ALL",
                                    "TOOLCHAIN_HOME",
                                    "ASCEND_HOME_PATH",
                                    "ASCEND_TOOLKIT_HOME",
                                    "ASCEND_OPP_PATH",
                                    "ATB_HOME_PATH",
                                    "ASCEND_AICPU_PATH",
                                    "ASCEND_DRIVER_PATH",
                                    "ASCEND_CUSTOM_OPP_PATH"};

/// Removes holders that belong to the run itself: several of its nodes may be this machine.
static Holders withoutRun(Holders holders, const QString &directory)
{
    const auto isOwn = [&](const Holder &holder) {
        return holder.directory == directory ||
               (holder.isShare && holder.run == QFileInfo(directory).fileName());
    };
    holders.list.erase(std::remove_if(holders.list.begin(), holders.list.end(), isOwn), holders.list.end());
    return holders;
}

GatheredFacts NodePreparation::gather(const orders::Gather &order)
{
    takeOverEnvironment(order.environment);
    return {gatherNodeFacts(order.spec, PortUse::Claim)};
}

Holders NodePreparation::findHolders(const orders::NodeShare &order)
{
    takeOverEnvironment(order.environment);
    return findAllHolders(order.plan, QProcessEnvironment::systemEnvironment());
}

Holders NodePreparation::endHolders(const orders::NodeShare &order)
{
    Holders left;
    for (const Holder &holder : findHolders(order).list) {
        if (holder.isOurs() && !left.npuProblem)
            left.npuProblem = endHolder(holder);
    }
    return left;
}

PreparedNode NodePreparation::prepare(const orders::Prepare &order)
{
    PreparedNode prepared;
    m_node = order.node;
    bool seesRunDirectory = false;
    for (const FolderProbe &probe : order.probes) {
        prepared.answers << QString::fromLatin1(answerToSharedFolderProbe(probe.folder, probe.name));
        const bool isShared = !prepared.answers.constLast().isEmpty();
        if (isShared)
            m_sharedFolders << probe.folder;
        if (probe.folder == order.runDirectory)
            seesRunDirectory = isShared;
    }
    QString directory = order.runDirectory;
    if (!seesRunDirectory) {
        const auto made = makeNodeRunDirectory(QFileInfo(order.runDirectory).fileName());
        if (!made) {
            prepared.problem = made.error();
            return prepared;
        }
        directory = *made;
    }
    m_plan = withRunDirectory(order.plan, directory);
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    prepared.problem = preflight(m_plan, environment, order.runDirectory);
    if (!prepared.problem)
        prepared.problem = problemWithScripts(m_plan, environment);
    if (!prepared.problem)
        prepared.problem = makeFiles(m_plan, m_logs);
    if (!prepared.problem) {
        // The mark comes first, so that two launches at the same time find each other.
        m_mark.emplace(QFileInfo(order.runDirectory).fileName(), order.head, m_plan, environment);
        m_holders = withoutRun(findAllHolders(m_plan, environment), order.runDirectory);
    }
    for (const ProcessPlan &process : m_plan.processes)
        prepared.files << writtenFiles(process);
    return prepared;
}

QStringList NodePreparation::logPaths() const
{
    QStringList paths;
    for (const ProcessPlan &process : m_plan.processes)
        paths << writtenFiles(process);
    return paths + hookLogs(m_plan, m_node);
}

QStringList NodePreparation::ownLogFolders() const
{
    QStringList folders;
    for (const QString &path : logPaths()) {
        const bool isShared = std::ranges::any_of(
            m_sharedFolders, [&](const QString &folder) { return path.startsWith(folder + '/'_L1); });
        if (!isShared && !path.isEmpty())
            folders << QFileInfo(path).path();
    }
    folders.removeDuplicates();
    return folders;
}

std::optional<Error> NodePreparation::keep()
{
    if (const auto error = m_logs.empty())
        return error;
    m_logs.keep();
    return std::nullopt;
}

void takeOverEnvironment(const QMap<QString, QString> &environment)
{
    for (auto it = environment.begin(); it != environment.end(); ++it)
        qputenv(it.key().toLocal8Bit().constData(), it->toLocal8Bit());
}

QMap<QString, QString> environmentForNodes(const QProcessEnvironment &environment, TransportKind kind)
{
    QMap<QString, QString> sent;
    for (const QString &name : environment.keys()) {
        const auto isName = [&](const char *own) {
            return name == QLatin1String(own);
        };
        const bool isOwn = std::ranges::any_of(ownVariables, isName) ||
                           (kind == TransportKind::Command && std::ranges::any_of(placeVariables, isName)) ||
                           std::ranges::any_of(ownPrefixes, [&](const char *own) {
                               return name.startsWith(QLatin1String(own));
                           });
        if (!isOwn)
            sent.insert(name, environment.value(name));
    }
    return sent;
}

} // namespace rankdeck
