#include "base/program.h"

#include "base/listcomma.h"
#include "base/regularfile.h"

#include <QByteArrayList>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include <sys/prctl.h>
#include <unistd.h>

namespace rankdeck
{

/// The loader's file in a package. See app/package/launcher.cpp, which starts it.
constexpr QLatin1String loaderName("ld.so");
/// A package's launcher puts this before the names of variables that its loader is not to read, and the
/// script that starts an agent on a node before LD_PRELOAD.
constexpr char heldPrefix[] = "RANKDECK_HELD_";

static void takeBackVariables()
{
    QByteArrayList held;
    for (char **variable = environ; *variable; ++variable) {
        if (std::strncmp(*variable, heldPrefix, std::strlen(heldPrefix)) == 0)
            held << *variable;
    }
    for (const QByteArray &variable : held) {
        const qsizetype end = variable.indexOf('=');
        const QByteArray name = variable.left(end);
        setenv(name.constData() + std::strlen(heldPrefix), variable.constData() + end + 1, 1);
        unsetenv(name.constData());
    }
}

/// Where the kernel has put this process's command line, and its end; null if that is not known.
static std::pair<char *, char *> commandLinePlace()
{
    const QByteArray text = fileContent(u"/proc/self/stat"_s);
    // The fields are counted from behind the name, which may hold anything. See proc(5), arg_start.
    const QByteArrayList fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    constexpr qsizetype start = 45;
    const auto pointer = [&](qsizetype field) {
        return std::bit_cast<char *>(quintptr(fields.value(field).toULongLong()));
    };
    return {pointer(start), pointer(start + 1)};
}

/// Moves the words of `argv` to the front, where the loader's are: ps shows the program's command line.
static void closeUpCommandLine(char **argv)
{
    auto [next, end] = commandLinePlace();
    if (!next || next > argv[0] || argv[0] >= end || !std::strchr(argv[0], '/'))
        return;
    for (char **word = argv; *word; ++word) {
        const std::size_t size = std::strlen(*word) + 1;
        std::memmove(next, *word, size);
        *word = next;
        next += size;
    }
    std::fill(next, end, '\0');
    program_invocation_name = argv[0];
    program_invocation_short_name = std::strrchr(argv[0], '/') + 1;
}

static QString findProgram()
{
    const QString program = QFileInfo(u"/proc/self/exe"_s).canonicalFilePath();
    // The launcher has said where it is.
    return QFileInfo(program).fileName() == loaderName ? QFile::decodeName(program_invocation_name) : program;
}

void leaveLauncher(char **argv)
{
    takeBackVariables();
    if (packageDirectory().isEmpty())
        return;
    closeUpCommandLine(argv);
    prctl(PR_SET_NAME, program_invocation_short_name);
}

QString programPath()
{
    static const QString path = findProgram();
    return path;
}

QString programDirectory()
{
    return QFileInfo(programPath()).path();
}

QString packageDirectory()
{
    static const bool isUnderLoader = QFileInfo(u"/proc/self/exe"_s).canonicalFilePath() != programPath();
    return isUnderLoader ? QFileInfo(programDirectory()).path() : QString();
}

QProcessEnvironment withoutLibraries(QProcessEnvironment environment)
{
    environment.remove(u"LD_LIBRARY_PATH"_s);
    return withoutPreload(environment);
}

QProcessEnvironment withoutPreload(QProcessEnvironment environment)
{
    environment.remove(u"LD_PRELOAD"_s);
    return environment;
}

QString systemTool(const QString &name)
{
    if (name.contains('/'_L1))
        return name;
    const QStringList folders{u"/usr/bin"_s, u"/bin"_s, u"/usr/sbin"_s, u"/sbin"_s, u"/usr/local/bin"_s};
    QString found = QStandardPaths::findExecutable(name);
    if (found.isEmpty())
        found = QStandardPaths::findExecutable(name, folders);
    return found.isEmpty() ? folders.first() + '/'_L1 + name : found;
}

Result<QString> rankdeckctlPath()
{
    const QString name = u"rankdeckctl"_s;
    const QString given = qEnvironmentVariable("RANKDECK_CTL");
    if (!given.isEmpty())
        return given;
    for (const QString &folder : {programDirectory(), QStringLiteral(RANKDECK_INSTALLED_BINDIR)}) {
        const QFileInfo program(folder + '/'_L1 + name);
        if (program.isExecutable())
            return program.filePath();
    }
    const QString found = QStandardPaths::findExecutable(name);
    if (found.isEmpty())
        return Error{tr("rankdeckctl, which supervises runs, was not found"),
                     {},
                     tr("Install it beside this program or in PATH, or set RANKDECK_CTL.")};
    return found;
}

Result<QString> resourcesDirectory()
{
    const QString given = qEnvironmentVariable("RANKDECK_RESOURCES");
    const QStringList places =
        given.isEmpty() ? QStringList{QDir::cleanPath(programDirectory() + u"/../share/rankdeck"_s),
                                      QStringLiteral(RANKDECK_SOURCE_RESOURCES)}
                        : QStringList{given};
    for (const QString &place : places) {
        if (QFile::exists(place + u"/demo/train.py"_s))
            return place;
    }
    return Error{tr("the demo's files were not found"), places.join(nameComma()),
                 tr("Install Rankdeck completely, or set RANKDECK_RESOURCES.")};
}

} // namespace rankdeck
