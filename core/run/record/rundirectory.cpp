#include "run/record/rundirectory.h"

#include "base/fields.h"
#include "base/filename.h"
#include "base/regularfile.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace rankdeck
{

static QString marksDirectory()
{
    return QFileInfo(runsDirectory()).path() + u"/live"_s;
}

static QString markOf(const QString &runDirectory)
{
    return marksDirectory() + '/'_L1 + QFileInfo(runDirectory).fileName();
}

/// sockaddr_un on Linux holds 108 bytes with the final NUL.
constexpr int maxSocketPath = 107;

/// Makes `path` with mode 0700 and checks that only this user has access.
static std::optional<Error> makePrivate(const QString &path)
{
    const QByteArray name = QFile::encodeName(path);
    if (mkdir(name.constData(), 0700) != 0 && errno != EEXIST)
        return Error{tr("cannot create the directory: %1").arg(errnoWords(errno)), path, {}};
    struct stat info = {};
    if (lstat(name.constData(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != getuid())
        return Error{tr("this is not a directory that you own"), path,
                     tr("Move it away, or set XDG_RUNTIME_DIR.")};
    if ((info.st_mode & 0077) != 0 && chmod(name.constData(), 0700) != 0)
        return Error{tr("other users can access the directory, and this cannot be changed"), path, {}};
    return std::nullopt;
}

/// Returns the folder that a variable of the XDG Base Directory Specification names; empty for a relative
/// one, which the specification says to ignore.
static QString xdgFolder(const char *variable)
{
    const QString folder = qEnvironmentVariable(variable);
    return QDir::isAbsolutePath(folder) ? folder : QString();
}

static QString stateDirectory()
{
    QString state = xdgFolder("XDG_STATE_HOME");
    if (state.isEmpty())
        state = QDir::homePath() + u"/.local/state"_s;
    return state + u"/rankdeck"_s;
}

static QString runName(const QDateTime &created, const QString &title, int attempt)
{
    const QString name = created.toLocalTime().toString(u"yyyyMMdd-HHmmss"_s) + '-'_L1 + title.left(60);
    return attempt == 0 ? name : name + '.'_L1 + QString::number(attempt + 1);
}

void markLive(const QString &runDirectory, const std::optional<SupervisorId> &starter)
{
    QDir().mkpath(marksDirectory());
    QFile mark(markOf(runDirectory));
    const QByteArray text = starter ? jsonTextOf(*starter) : QByteArray();
    if (!mark.open(QIODevice::WriteOnly) || mark.write(text) != text.size() || !mark.flush())
        qWarning("%s: %s", qUtf8Printable(mark.fileName()), qUtf8Printable(problemOf(mark)));
}

std::optional<SupervisorId> starterOf(const QString &runDirectory)
{
    RegularFile mark(markOf(runDirectory));
    return mark.open(QIODevice::ReadOnly) ? fromJsonText<SupervisorId>(mark.readAll()) : std::nullopt;
}

void unmarkLive(const QString &runDirectory)
{
    QFile::remove(markOf(runDirectory));
}

QStringList markedRuns()
{
    QStringList directories;
    const QString runs = runsDirectory() + '/'_L1;
    for (const QString &name : QDir(marksDirectory()).entryList(QDir::Files, QDir::Name))
        directories << runs + name;
    return directories;
}

/// Makes a folder with those above it. Returns an errno, unlike QDir; 0: it is there.
static int makeFolders(const QString &path)
{
    std::error_code error;
    std::filesystem::create_directories(QFile::encodeName(path).toStdString(), error);
    return error.value();
}

QString runsDirectory()
{
    return stateDirectory() + u"/runs"_s;
}

Result<QString> socketDirectory()
{
    const QString runtime = xdgFolder("XDG_RUNTIME_DIR");
    const bool fits = runtime.size() + 60 < maxSocketPath;
    const QString path = !runtime.isEmpty() && fits && QFileInfo(runtime).isWritable()
                             ? runtime + u"/rankdeck"_s
                             : u"/tmp/rankdeck-%1"_s.arg(getuid());
    if (const auto error = makePrivate(path))
        return *error;
    return path;
}

int connectedTo(const QString &path, int flags)
{
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const QByteArray name = QFile::encodeName(path);
    if (name.isEmpty() || name.size() > maxSocketPath)
        return -1;
    std::copy(name.begin(), name.end(), address.sun_path);
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    if (connect(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

Result<QString> createRunDirectory(RunRecord &record)
{
    const QString runs = runsDirectory();
    if (const int errorNumber = makeFolders(runs))
        return Error{tr("cannot create the directory for runs: %1").arg(errnoWords(errorNumber)), runs,
                     tr("Set XDG_STATE_HOME to a writable directory.")};
    const auto sockets = socketDirectory();
    if (!sockets)
        return sockets.error();
    if (const auto error = makePrivate(runs))
        return *error;

    record.created = QDateTime::currentDateTimeUtc();
    for (int attempt = 0;; ++attempt) {
        record.name = runName(record.created, record.plan.name, attempt);
        const QString directory = runs + '/'_L1 + record.name;
        if (mkdir(QFile::encodeName(directory).constData(), 0700) == 0) {
            const QByteArray hash =
                QCryptographicHash::hash(directory.toUtf8(), QCryptographicHash::Sha1).toHex().left(16);
            record.socketPath = *sockets + '/'_L1 + QString::fromLatin1(hash);
            record.plan = withRunDirectory(record.plan, directory);
            return directory;
        }
        if (errno != EEXIST)
            return Error{tr("cannot create the run directory: %1").arg(errnoWords(errno)), directory, {}};
    }
}

Result<QString> makeNodeRunDirectory(const QString &runName)
{
    const QString nodes = stateDirectory() + u"/nodes"_s;
    const QString directory = nodes + '/'_L1 + asFileName(runName);
    if (const int errorNumber = makeFolders(stateDirectory()))
        return Error{tr("cannot create the directory for runs: %1").arg(errnoWords(errorNumber)), nodes,
                     tr("Set XDG_STATE_HOME to a writable directory.")};
    for (const QString &path : {nodes, directory}) {
        if (const auto error = makePrivate(path))
            return *error;
    }
    return directory;
}

Result<QString> makeBundlesDirectory()
{
    const QString bundles = stateDirectory() + u"/bundles"_s;
    if (const int errorNumber = makeFolders(stateDirectory()))
        return Error{tr("cannot create the directory for bundles: %1").arg(errnoWords(errorNumber)), bundles,
                     tr("Set XDG_STATE_HOME to a writable directory.")};
    if (const auto error = makePrivate(bundles))
        return *error;
    return bundles;
}

QString journalPath(const QString &directory)
{
    return directory + u"/journal.jsonl"_s;
}

QString verdictPath(const QString &directory)
{
    return directory + u"/verdict.json"_s;
}

} // namespace rankdeck
