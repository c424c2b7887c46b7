#include "launch/host/hostfacts.h"

#include "base/cpuset.h"
#include "base/fields.h"
#include "base/listcomma.h"
#include "base/numberranges.h"
#include "base/regularfile.h"
#include "launch/spec/launchspec.h"
#include "ranktable/table/ranktablelocation.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHostInfo>
#include <QNetworkInterface>
#include <QStandardPaths>
#include <QSysInfo>
#include <QVersionNumber>

#include <set>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

constexpr char rootVariable[] = "ANACONDA_DIR";
constexpr char defaultNameVariable[] = "DEFAULT_CONDA_ENV_NAME";

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
        add(root, u"base"_s);
        addFolder(root + u"/envs"_s);
    }

    void addFolder(const QString &folder)
    {
        const QStringList names = QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
        for (const QString &name : names)
            add(folder + '/'_L1 + name, name);
    }

    void add(const QString &directory, const QString &name)
    {
        const QString path = QDir::cleanPath(directory);
        if (QFileInfo(path + u"/conda-meta"_s).isDir()) // As conda itself decides.
            addAnyway(path, name);
    }

    /// Adds a directory that need not look as conda makes them.
    void addAnyway(const QString &directory, const QString &name)
    {
        const QString path = QDir::cleanPath(directory);
        const bool isKnown = std::ranges::any_of(
            m_found, [&](const CondaEnvironment &known) { return known.directory == path; });
        if (isKnown || !QDir::isAbsolutePath(path))
            return;
        CondaEnvironment environment{name, path, {}};
        for (const QString &program : m_programs) {
            if (QFileInfo(path + u"/bin/"_s + program).isExecutable())
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
    const QByteArray paths = fileContent(QDir::homePath() + u"/.conda/environments.txt"_s, mostBytes);
    return QString::fromLocal8Bit(paths).split('\n'_L1, Qt::SkipEmptyParts);
}

} // namespace

constexpr char driverVersionFile[] = "/usr/local/Ascend/driver/version.info";
// davincirunsdk, manager.py and common.py.
constexpr char slogd[] = "/usr/local/Ascend/driver/tools/docker/slogd";
constexpr char stopScript[] = "/usr/local/Ascend/driver/tools/docker_stop_post_sys.sh";

static QString pathIfProgram(const char *path)
{
    const QFileInfo file(QString::fromLatin1(path));
    return file.isFile() && file.isExecutable() ? file.filePath() : QString();
}

/// OpenSSH's server says its own address third; srun says from where it came.
static QString addressReachedAt(const QProcessEnvironment &environment)
{
    const QString ssh = environment.value(u"SSH_CONNECTION"_s).split(' '_L1).value(2);
    const QHostAddress launcher(environment.value(u"SLURM_LAUNCH_NODE_IPADDR"_s));
    return launcher.isNull() ? ssh : addressTowards(launcher);
}

static void gatherAddresses(HostFacts &facts)
{
    for (QHostAddress address : QNetworkInterface::allAddresses()) {
        address.setScopeId({});
        const bool isIpv4 = address.protocol() == QAbstractSocket::IPv4Protocol;
        (isIpv4 ? facts.addresses : facts.ipv6Addresses) << address.toString();
    }
}

QString addressTowards(const QHostAddress &address)
{
    const int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return {};
    sockaddr_in other{};
    other.sin_family = AF_INET;
    other.sin_port = htons(9);
    other.sin_addr.s_addr = htonl(address.toIPv4Address());
    sockaddr_in own{};
    socklen_t size = sizeof own;
    const bool known = connect(file, reinterpret_cast<const sockaddr *>(&other), sizeof other) == 0 &&
                       getsockname(file, reinterpret_cast<sockaddr *>(&own), &size) == 0;
    close(file);
    return known ? QHostAddress(ntohl(own.sin_addr.s_addr)).toString() : QString();
}

std::optional<Error> lookUpMaster(const LaunchSpec &spec, HostFacts &facts)
{
    const QString name = spec.msrun.masterAddr;
    if (spec.launcher != "msrun"_L1 || name.isEmpty())
        return std::nullopt;
    const QHostInfo found = QHostInfo::fromName(name);
    for (const QHostAddress &address : found.addresses()) {
        if (address.protocol() != QAbstractSocket::IPv4Protocol)
            continue;
        facts.routes.insert(name, {address.toString(), addressTowards(address)});
        return std::nullopt;
    }
    const QString what = found.error() == QHostInfo::NoError
                             ? tr("the host \"%1\" has no IPv4 address").arg(name)
                             : tr("host \"%1\" not found: %2").arg(name, found.errorString());
    return Error{what, u"--master_addr"_s,
                 tr("Check the name, or give an IPv4 address, the same on every node.")};
}

static void visitFields(Fields &fields, CpuLayout &layout)
{
    fields("numaNodes", layout.numaNodes);
    fields("sockets", layout.sockets);
    fields("coreComplexes", layout.coreComplexes);
}

static void visitFields(Fields &fields, HostRoute &route)
{
    fields("address", route.address);
    fields("source", route.source);
}

static void visitFields(Fields &fields, NumaNode &node)
{
    fields("number", node.number);
    fields("cpus", node.cpus);
}

static void visitFields(Fields &fields, PortChoice &ports)
{
    fields("master", ports.master);
    fields("hccl", ports.hccl);
}

static void visitFields(Fields &fields, CondaEnvironment &environment)
{
    fields("name", environment.name);
    fields("directory", environment.directory);
    fields("programs", environment.programs);
}

void visitFields(Fields &fields, HostFacts &facts)
{
    fields("host", facts.hostName);
    fields("directory", facts.currentDirectory);
    fields("temporary", facts.temporaryDirectory);
    fields("driver", facts.driverVersion);
    fields("slogd", facts.slogdPath);
    fields("stop_script", facts.stopScriptPath);
    fields("platform_home", facts.platformHomeIsWritable);
    fields("addresses", facts.addresses);
    fields("ipv6_addresses", facts.ipv6Addresses);
    fields("cpus", facts.cpus);
    fields("numa_nodes", facts.numaNodes);
    fields("conda", facts.condaEnvironments);
    fields("environment_python", facts.environmentPython);
    fields("torch", facts.torch);
    fields("npus", facts.npuCount);
    fields("ports", facts.ports);
    fields("online_cpus", facts.onlineCpus);
    fields("cpu_layout", facts.cpuLayout);
    fields("reached_at", facts.reachedAt);
    fields("routes", facts.routes);
}

HostFacts HostFacts::gather()
{
    HostFacts facts;
    facts.hostName = QSysInfo::machineHostName();
    facts.currentDirectory = QDir::currentPath();
    facts.temporaryDirectory = QDir::tempPath();
    QFile version(QString::fromLatin1(driverVersionFile));
    if (version.open(QIODevice::ReadOnly))
        facts.driverVersion = QString::fromUtf8(version.readLine(1024)).trimmed();
    facts.slogdPath = pathIfProgram(slogd);
    facts.stopScriptPath = pathIfProgram(stopScript);
    const QFileInfo home(QString::fromLatin1(platformHome));
    facts.platformHomeIsWritable = home.exists() ? home.isWritable() : QFileInfo(home.path()).isWritable();
    facts.environment = QProcessEnvironment::systemEnvironment();
    gatherAddresses(facts);
    facts.reachedAt = addressReachedAt(facts.environment);
    facts.cpus = CpuSet::ofThisProcess().cpus();
    facts.numaNodes = findNumaNodes(u"/sys/devices/system/node"_s);
    facts.cpuLayout = CpuLayout::read();
    facts.onlineCpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    facts.npuCount = npusInDev();
    return facts;
}

static QString textOf(const QString &path)
{
    constexpr qint64 mostBytes = 64 * 1024;
    return QString::fromLatin1(fileContent(path, mostBytes)).trimmed();
}

/// Returns the numbers in a file such as "0-3,8".
static QList<int> numbersIn(const QString &path)
{
    return numbersFromRanges(textOf(path)).value_or(QList<int>());
}

QList<NumaNode> findNumaNodes(const QString &root)
{
    return listOf(numbersIn(root + u"/has_memory"_s), [&](int number) {
        return NumaNode{number, numbersIn(u"%1/node%2/cpulist"_s.arg(root).arg(number))};
    });
}

int npusInDev()
{
    // /dev/davinci0, /dev/davinci1 …, not /dev/davinci_manager.
    const QDir dev(u"/dev"_s);
    return static_cast<int>(dev.entryList({u"davinci[0-9]*"_s}, QDir::System).size());
}

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

QString pythonOfEnvironment(const LaunchSpec &spec, const QProcessEnvironment &environment)
{
    for (const char *name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        const QString variable = QLatin1String(name);
        const QString own =
            spec.common.unsetVariables.contains(variable) ? QString() : environment.value(variable);
        const QString directory = spec.environment.value(variable, own);
        const QFileInfo python(QDir::cleanPath(directory) + u"/bin/python"_s);
        if (!directory.isEmpty() && python.isAbsolute() && python.isFile() && python.isExecutable())
            return python.filePath();
    }
    return {};
}

/// Returns the folders of modules below a prefix of Python, such as /usr or a virtual environment.
static QStringList moduleFolders(const QString &prefix)
{
    QStringList folders{prefix + u"/lib/python3/dist-packages"_s};
    for (const char *below : {"/lib", "/local/lib", "/lib64"}) {
        const QString parent = prefix + QLatin1String(below);
        const QStringList versions = QDir(parent).entryList({u"python3.*"_s}, QDir::Dirs);
        for (const QString &version : versions) {
            for (const char *name : {"site-packages", "dist-packages"})
                folders << u"%1/%2/%3"_s.arg(parent, version, QLatin1String(name));
        }
    }
    return folders;
}

/// Where the programs of a virtual environment's base are, if it shares their modules; else empty.
static QString sharedBase(const QString &prefix)
{
    constexpr qint64 mostBytes = 64 * 1024;
    QString base;
    bool isShared = false;
    const QByteArray settings = fileContent(prefix + u"/pyvenv.cfg"_s, mostBytes);
    const QStringList lines = QString::fromUtf8(settings).split('\n'_L1);
    for (const QString &line : lines) {
        const QString key = line.section('='_L1, 0, 0).trimmed();
        const QString value = line.section('='_L1, 1).trimmed();
        if (key == "home"_L1)
            base = value;
        else if (key == "include-system-site-packages"_L1)
            isShared = value == "true"_L1;
    }
    return isShared ? QFileInfo(base).path() : QString();
}

QString installedTorch(const LaunchSpec &spec, const QString &interpreter,
                       const QProcessEnvironment &environment)
{
    // A command that enters another root has the Python of that one.
    static const QStringList containers =
        u"apptainer bwrap docker enroot kubectl nerdctl nsenter podman proot singularity"_s.split(' '_L1);
    QStringList command = spec.command;
    const QString first = QFileInfo(command.value(0)).fileName();
    if (containers.contains(first))
        return u"0"_s;
    QString root;
    if (first == "chroot"_L1) {
        while (command.size() > 1 && (root.isEmpty() || root.startsWith('-'_L1)))
            root = command.takeAt(1);
        command.removeFirst();
        root = root.isEmpty() ? root : QDir(spec.workDir).absoluteFilePath(root);
        if (!root.isEmpty() && !QFileInfo(root).isDir())
            return u"0"_s;
    }
    const auto within = [&root](QString paths) {
        return paths.prepend(root).replace(":"_L1, ':'_L1 + root).split(':'_L1, Qt::SkipEmptyParts);
    };
    const QString variable = u"PYTHONPATH"_s;
    QStringList folders = within(spec.environment.value(variable, environment.value(variable)));
    folders << moduleFolders(root + QDir::homePath() + u"/.local"_s);
    if (!root.isEmpty())
        folders << moduleFolders(root + u"/usr"_s);
    const QStringList path = within(environment.value(u"PATH"_s));
    for (QString program : {command.value(0), interpreter, u"python3"_s, u"python"_s}) {
        if (program.contains('/'_L1))
            program.prepend(root);
        else
            program = path.isEmpty() || program.isEmpty() ? QString()
                                                          : QStandardPaths::findExecutable(program, path);
        if (program.isEmpty())
            continue;
        // Does not follow links: the link in a virtual environment leads out of it.
        const QString prefix = QFileInfo(QFileInfo(program).path()).path();
        folders << moduleFolders(prefix);
        if (const QString base = sharedBase(prefix); !base.isEmpty())
            folders << moduleFolders(root + base);
    }
    std::set<QVersionNumber> versions;
    for (const QString &folder : std::as_const(folders)) {
        if (!QFileInfo::exists(folder + u"/torch"_s) && !QFileInfo::exists(folder + u"/torch_npu"_s))
            continue;
        // torch-2.9.1+cpu.dist-info
        const QString told = QDir(folder).entryList({u"torch-[0-9]*-info"_s}).value(0);
        versions.insert(QVersionNumber::fromString(told.section('-'_L1, 1, 1)));
    }
    if (versions.empty())
        return {};
    return versions.size() == 1 && !versions.begin()->isNull() ? versions.begin()->toString() : u"0"_s;
}

/// The directory that the variables of a platform's image name, where its bin is there.
static QString directoryOfDefault(const LaunchSpec &spec, const QProcessEnvironment &environment)
{
    const QString name = wantedCondaEnvironment(spec, environment);
    if (!spec.common.condaEnv.isEmpty() || name.isEmpty() || name.contains('/'_L1))
        return {};
    const QString root = environment.value(QLatin1String(rootVariable));
    const QString directory = name == "base"_L1 ? root : u"%1/envs/%2"_s.arg(root, name);
    return QFileInfo(directory + u"/bin"_s).isDir() ? directory : QString();
}

QList<CondaEnvironment> findCondaEnvironments(const LaunchSpec &spec, const QProcessEnvironment &environment)
{
    QStringList programs{u"python"_s, u"python3"_s, u"pytest"_s};
    const QString program = spec.command.value(0);
    if (!program.isEmpty() && !program.contains('/'_L1) && !programs.contains(program))
        programs << program;
    Finder finder(programs);
    if (const QString directory = directoryOfDefault(spec, environment); !directory.isEmpty())
        finder.addAnyway(directory, wantedCondaEnvironment(spec, environment));
    finder.addRoot(environment.value(QLatin1String(rootVariable)));
    // <root>/bin/conda
    const QFileInfo conda(environment.value(u"CONDA_EXE"_s));
    if (conda.isAbsolute())
        finder.addRoot(QFileInfo(conda.path()).path());
    for (const char *variable : {"CONDA_ENVS_PATH", "CONDA_ENVS_DIRS"}) {
        const QStringList folders =
            environment.value(QLatin1String(variable)).split(':'_L1, Qt::SkipEmptyParts);
        for (const QString &folder : folders)
            finder.addFolder(folder);
    }
    for (const QString &directory : listedEnvironments())
        finder.add(directory, QFileInfo(directory).fileName());
    const QString wanted = wantedCondaEnvironment(spec, environment);
    if (wanted.contains('/'_L1))
        finder.add(QDir::current().absoluteFilePath(wanted), QFileInfo(wanted).fileName());
    return finder.found();
}

Result<CondaEnvironment> chooseCondaEnvironment(const QString &wanted, const HostFacts &facts)
{
    const bool isDirectory = wanted.contains('/'_L1);
    const QString path = QDir::cleanPath(QDir(facts.currentDirectory).absoluteFilePath(wanted));
    const auto &known = facts.condaEnvironments;
    const auto found = std::ranges::find_if(known, [&](const CondaEnvironment &environment) {
        return isDirectory ? environment.directory == path : environment.name == wanted;
    });
    if (found != known.end())
        return *found;
    constexpr qsizetype shown = 12;
    QStringList names;
    for (const CondaEnvironment &environment : known.mid(0, shown))
        names << inBrackets(environment.name, environment.directory);
    QString list = names.join(nameComma());
    if (known.size() > shown)
        list = tr("%1 and %2 more").arg(list).arg(known.size() - shown);
    return Error{tr("unknown conda environment \"%1\"").arg(wanted), u"--conda-env"_s,
                 known.isEmpty() ? tr("No environment found; set ANACONDA_DIR to conda's directory.")
                                 : tr("Available: %1.").arg(list)};
}

/// Returns the paths below `folder` whose names are `name` and a number, by that number.
static QStringList numberedFolders(const QString &folder, const QString &name)
{
    QMap<int, QString> found;
    const QStringList entries = QDir(folder).entryList({name + u"[0-9]*"_s}, QDir::Dirs);
    for (const QString &entry : entries) {
        bool isNumber = false;
        const int number = entry.mid(name.size()).toInt(&isNumber);
        if (isNumber)
            found.insert(number, folder + '/'_L1 + entry);
    }
    return found.values();
}

/// Adds the cpus of a list such as "0-3,8" as a group, unless they are one already.
static void addGroup(QList<QList<int>> &groups, const QString &list)
{
    const auto cpus = numbersFromRanges(list);
    if (cpus && !cpus->isEmpty() && !groups.contains(*cpus))
        groups << *cpus;
}

CpuLayout CpuLayout::read(const QString &sys)
{
    CpuLayout layout;
    for (const QString &node : numberedFolders(sys + u"/node"_s, u"node"_s))
        addGroup(layout.numaNodes, textOf(node + u"/cpulist"_s));
    QMap<int, QList<int>> sockets;
    for (const QString &cpu : numberedFolders(sys + u"/cpu"_s, u"cpu"_s)) {
        bool isNumber = false;
        const int socket = textOf(cpu + u"/topology/physical_package_id"_s).toInt(&isNumber);
        if (isNumber)
            sockets[socket] << cpu.section('/'_L1, -1).mid(3).toInt();
        addGroup(layout.coreComplexes, textOf(cpu + u"/cache/index3/shared_cpu_list"_s));
    }
    layout.sockets = sockets.values();
    return layout;
}

} // namespace rankdeck
