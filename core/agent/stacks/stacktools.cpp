#include "agent/stacks/stacktools.h"

#include "base/regularfile.h"
#include "launch/plan/processplan.h"
#include "run/process/exitstatus.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#include <unistd.h>

// The macro declares a function of the global namespace.
static void makeScriptsAvailable()
{
    Q_INIT_RESOURCE(stacks);
}

namespace rankdeck
{

constexpr int signalOfAsys = 35;

constexpr std::size_t mostProcesses = 32;

/// Returns whether the process runs Python, under any name, and even if its program may not be looked up.
static bool runsPython(const ProcessInfo &process)
{
    const QString program = QFile::symLinkTarget(u"/proc/%1/exe"_s.arg(process.pid));
    return isPythonProgram(program.isEmpty() ? process.name : program);
}

/// A script for Python or gdb, with these words replaced.
static QByteArray script(const QString &name, const QMap<QByteArray, QByteArray> &values = {})
{
    makeScriptsAvailable();
    QByteArray text = fileContent(u":/rankdeck/stacks/"_s + name);
    for (auto each = values.cbegin(); each != values.cend(); ++each)
        text.replace(each.key(), each.value());
    return text;
}

/// The lines of /proc/PID/status that say what a process may do.
static QList<QByteArray> rightsIn(const QByteArray &status)
{
    QList<QByteArray> rights = status.split('\n');
    rights.removeIf([](const QByteArray &line) {
        return !line.startsWith("Uid:") && !line.startsWith("Gid:") && !line.startsWith("Groups:") &&
               !line.startsWith("Cap") && !line.startsWith("NoNewPrivs:") && !line.startsWith("Seccomp");
    });
    return rights;
}

/// Returns the path of the process's program in its own root, if that is Python 3.14 or newer. The program is
/// the process's own choice, so it is run only for one that may do all that we may do.
static QString frameReader(const QString &folder, const QByteArray &status)
{
    static const QRegularExpression name(u"/python3\\.(\\d+)$"_s);
    const QString program = QFile::symLinkTarget(folder + u"/exe"_s);
    if (name.match(program).captured(1).toInt() < 14 ||
        rightsIn(status) != rightsIn(fileContent(u"/proc/self/status"_s)) ||
        fileContent(folder + u"/attr/current"_s) != fileContent(u"/proc/self/attr/current"_s) ||
        !isSameFile(folder + u"/ns/user"_s, u"/proc/self/ns/user"_s) ||
        !isSameFile(folder + u"/ns/pid"_s, u"/proc/self/ns/pid"_s))
        return {};
    const QString above = QFile::symLinkTarget(folder + u"/root"_s);
    return program.startsWith(above + '/'_L1) ? program.mid(above.size()) : program;
}

static ProcessLook lookAt(const ProcessInfo &process)
{
    const QString folder = u"/proc/%1"_s.arg(process.pid);
    const QByteArray status = fileContent(folder + u"/status"_s);
    ProcessLook look;
    look.info = process;
    look.isPython = runsPython(process);
    look.caught = caughtSignals(status);
    look.frameReader = frameReader(folder, status);
    const bool isInOurRoot = isSameFile(folder + u"/root"_s, u"/proc/self/root"_s) &&
                             isSameFile(folder + u"/ns/mnt"_s, u"/proc/self/ns/mnt"_s);
    if (!isInOurRoot && QFileInfo(folder + u"/root/"_s).isDir())
        look.root = folder + u"/root"_s;
    return look;
}

static bool isRefusal(const QString &said)
{
    for (const char *words : {"not permitted", "permission denied"}) {
        if (said.contains(QLatin1String(words), Qt::CaseInsensitive))
            return true;
    }
    return false;
}

quint64 caughtSignals(const QByteArray &status)
{
    const QByteArray key = "\nSigCgt:";
    const qsizetype at = status.indexOf(key);
    if (at < 0)
        return 0;
    const qsizetype begin = at + key.size();
    return status.mid(begin, status.indexOf('\n', begin) - begin).trimmed().toULongLong(nullptr, 16);
}

bool isPythonProgram(const QString &path)
{
    const QString name = QFileInfo(path).fileName();
    return name.startsWith("python"_L1) || name.startsWith("pypy"_L1);
}

std::vector<ProcessLook> lookAtRank(pid_t pid)
{
    std::vector<ProcessLook> looks;
    const auto rank = readProcess(pid);
    if (!rank || rank->state == 'Z')
        return looks;
    looks.push_back(lookAt(*rank));
    for (const ProcessInfo &process : descendants(pid)) {
        if (looks.size() < mostProcesses && process.state != 'Z' && runsPython(process))
            looks.push_back(lookAt(process));
    }
    return looks;
}

StackTools StackTools::inPath(const QString &searchPath)
{
    const QStringList folders = searchPath.split(':'_L1, Qt::SkipEmptyParts);
    const auto find = [&](const char *name) {
        return folders.isEmpty() ? QString() : QStandardPaths::findExecutable(QLatin1String(name), folders);
    };
    return {find("py-spy"), find("gdb"), find("eu-stack"), find("asys"), find("nsenter")};
}

QString StackWay::text() const
{
    if (command.isEmpty())
        return tr("%1 (faulthandler)").arg(ExitStatus::signalName(signalNumber));
    QStringList words = command;
    words.first() = QFileInfo(words.first()).fileName();
    words.replaceInStrings(QString::fromUtf8(script(u"frames.py"_s)), u"…"_s);
    return words.join(' '_L1);
}

#if defined(__x86_64__)
constexpr char harmless[] = "$mxcsr"; // Its lowest bit says that an operation was invalid.
constexpr char isInKernel[] = "*(unsigned short *) ($pc - 2) == 0x050f"; // syscall
#else
constexpr char harmless[] = "$fpsr";
constexpr char isInKernel[] = "*(unsigned int *) ($pc - 4) == 0xd4000001"; // svc #0
#endif
/// Far from the lines of programs that are given as text too.
constexpr int ownLine = 1000;

QByteArray pythonFramesScript(const QString &file)
{
    QByteArrayList bytes;
    for (const char byte : QFile::encodeName(file) + '\0')
        bytes << QByteArray::number(static_cast<unsigned char>(byte));
    return script(
        u"function.gdb"_s,
        {{"REGISTER", harmless}, {"LENGTH", QByteArray::number(bytes.size())}, {"BYTES", bytes.join(',')}});
}

QByteArray pythonLineScript(const QString &file)
{
    QByteArray path = QFile::encodeName(file);
    path.removeIf([](char byte) { return byte == '\\' || byte == '"' || byte == '\''; }); // Ours has none.
    return script(u"line.gdb"_s, {{"REGISTER", harmless},
                                  {"KERNEL", isInKernel},
                                  {"LINES", QByteArray("\\n").repeated(ownLine - 1)},
                                  {"FILE", path}});
}

QByteArray withoutOwnLine(QByteArray frames)
{
    return frames.replace("  File \"<string>\", line " + QByteArray::number(ownLine) + " in <module>\n", "");
}

std::vector<StackWay> stackWays(const StackTools &tools, const ProcessLook &process, int dumpSignal)
{
    std::vector<StackWay> ways;
    const QString pid = QString::number(process.info.pid);
    if (process.isPython && !tools.pySpy.isEmpty())
        ways.push_back({{tools.pySpy, u"dump"_s, u"--pid"_s, pid}});
    const QStringList inItsWorld{tools.nsenter, u"-t"_s, pid, u"-m"_s, u"-r"_s};
    if (!process.frameReader.isEmpty() && (process.root.isEmpty() || !tools.nsenter.isEmpty()))
        ways.push_back({(process.root.isEmpty() ? QStringList() : inItsWorld) +
                        QStringList{process.frameReader, u"-I"_s, u"-c"_s,
                                    QString::fromUtf8(script(u"frames.py"_s)), pid}});
    const bool isStopped = process.info.state == 'T' || process.info.state == 't';
    if (process.isPython && process.catches(dumpSignal) && !isStopped)
        ways.push_back({{}, dumpSignal});
    // Without the user's own settings of gdb, without questions, and without words on scripts that it might
    // load.
    const QStringList itsFiles{u"-iex"_s, u"set sysroot "_s + process.root, u"/proc/%1/exe"_s.arg(pid)};
    if (!tools.gdb.isEmpty())
        ways.push_back({QStringList{tools.gdb, u"-p"_s, pid, u"-nx"_s, u"-iex"_s, u"set auto-load off"_s} +
                            (process.root.isEmpty() ? QStringList() : itsFiles) +
                            QStringList{u"-batch"_s, u"-ex"_s, u"thread apply all bt"_s},
                        0, process.isPython && process.frameReader.isEmpty()});
    if (!tools.euStack.isEmpty())
        ways.push_back({{tools.euStack, u"-p"_s, pid}});
    if (!tools.asys.isEmpty() && process.catches(signalOfAsys) && !isStopped)
        ways.push_back(
            {{tools.asys, u"collect"_s, u"-r=stacktrace"_s, u"--remote="_s + pid, u"--all"_s, u"--quiet"_s},
             0,
             false,
             true});
    return ways;
}

Sentence rankName(const ProcessPlan &process)
{
    return processInSentence(process);
}

Sentence noStacksText(const Sentence &who, const QString &tried, const Sentence &said, int ptraceScope)
{
    if (tried.isEmpty())
        return Sentence::tr(
                   "No stacks of %1: neither py-spy nor gdb nor eu-stack is installed where it "
                   "runs, and it listens to no --dump-signal. Install one of them there, e.g. elfutils for "
                   "eu-stack.")
            .arg(who);
    if (!isRefusal(said))
        return Sentence::tr("No stacks of %1: %2 failed%3. Try again, or run it there by hand.")
            .arg(who, tried, said.isEmpty() ? Sentence() : Sentence::tr(" (%1)").arg(said));
    const Sentence why =
        Sentence::tr("No stacks of %1: %2 may not inspect the process (%3).").arg(who, tried, said);
    if (ptraceScope > 0)
        return joinedBySpaces(QList<Sentence>{
            why, Sentence::tr(
                     "kernel.yama.ptrace_scope is %1 there. As root, set it to 0 with sysctl. Or register "
                     "faulthandler in the program and launch with --dump-signal.")
                     .arg(ptraceScope)});
    return joinedBySpaces(QList<Sentence>{
        why, Sentence::tr(
                 "Give the container the capability SYS_PTRACE. Or register faulthandler in the program and "
                 "launch with --dump-signal.")});
}

int ptraceScopeOfHost()
{
    bool isNumber = false;
    const int scope = fileContent(u"/proc/sys/kernel/yama/ptrace_scope"_s).trimmed().toInt(&isNumber);
    return isNumber ? scope : -1;
}

} // namespace rankdeck
