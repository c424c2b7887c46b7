#include "run/workers/openfiles.h"

#include "base/regularfile.h"
#include "launch/plan/processplan.h"
#include "run/process/processtree.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

QString linkOf(pid_t pid, int descriptor)
{
    return u"/proc/%1/fd/%2"_s.arg(pid).arg(descriptor);
}

/// Returns the text of the link, which for a pipe is not a path: "pipe:[4711]".
QByteArray targetOf(pid_t pid, int descriptor)
{
    QByteArray target(4096, '\0');
    const QByteArray link = QFile::encodeName(linkOf(pid, descriptor));
    const ssize_t length = readlink(link.constData(), target.data(), static_cast<std::size_t>(target.size()));
    return length < 0 ? QByteArray() : target.left(length);
}

QList<int> descriptorsOf(pid_t pid)
{
    QList<int> descriptors;
    const QDir folder(u"/proc/%1/fd"_s.arg(pid));
    for (const QString &name : folder.entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot))
        descriptors << name.toInt();
    return descriptors;
}

/// proc(5): "flags:" and the octal flags of open(2).
bool isForWriting(pid_t pid, int descriptor)
{
    const QByteArray facts = fileContent(u"/proc/%1/fdinfo/%2"_s.arg(pid).arg(descriptor));
    for (const QByteArray &line : facts.split('\n')) {
        if (line.startsWith("flags:"))
            return (line.mid(6).trimmed().toInt(nullptr, 8) & O_ACCMODE) != O_RDONLY;
    }
    return false;
}

QStringList filesForWriting(pid_t pid)
{
    QStringList files;
    for (const int descriptor : descriptorsOf(pid)) {
        if (descriptor <= STDERR_FILENO)
            continue;
        const QString path = openFile(pid, descriptor);
        if (!path.isEmpty() && isForWriting(pid, descriptor))
            files << path;
    }
    files.removeDuplicates();
    return files;
}

bool isNamedAsLog(const QString &path)
{
    const QString suffix = QFileInfo(path).suffix();
    return suffix == "log"_L1 || suffix == "out"_L1 || suffix == "txt"_L1;
}

/// "logs", "train_log", "log-3", "output".
bool isInLogFolder(const QString &path)
{
    static const QRegularExpression speaks(u"(^|[-_.])(logs?|outputs?)($|[-_.0-9])"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    const QStringList folders = QFileInfo(path).path().split('/'_L1);
    return std::ranges::any_of(folders, [](const QString &name) { return name.contains(speaks); });
}

} // namespace

QString openFile(pid_t pid, int descriptor)
{
    const QString link = linkOf(pid, descriptor);
    struct stat its = {};
    if (stat(QFile::encodeName(link).constData(), &its) != 0 || !S_ISREG(its.st_mode))
        return {};
    const QString path = QFile::symLinkTarget(link);
    return QFileInfo(path).isFile() ? path : QString();
}

QString fileBehindPipe(pid_t pid, int descriptor)
{
    const QByteArray pipe = targetOf(pid, descriptor);
    if (!pipe.startsWith("pipe:["))
        return {};
    QStringList files;
    for (const pid_t reader : allPids()) {
        if (reader != pid && targetOf(reader, STDIN_FILENO) == pipe)
            files << filesForWriting(reader);
    }
    // Files that both have open come from the process that started them.
    const QStringList inherited = filesForWriting(pid);
    files.removeIf([&](const QString &path) { return inherited.contains(path); });
    return files.size() == 1 ? files.first() : QString();
}

QString heldLog(pid_t pid, const ProcessPlan &rank, const QProcessEnvironment &environment)
{
    const QString plogs = plogDirectory(rank, environment) + '/'_L1;
    QStringList logs = filesForWriting(pid);
    logs.removeIf([&](const QString &path) {
        const bool isHere = !rank.workDir.isEmpty() && QFileInfo(path).path() == rank.workDir;
        return !isNamedAsLog(path) || path.startsWith(plogs) || (!isHere && !isInLogFolder(path));
    });
    const QRegularExpression number(u"(^|\\D)0*%1(\\D|$)"_s.arg(rank.rank.value));
    const auto isWorse = [&](const QString &one, const QString &other) {
        const auto worth = [&](const QString &path) {
            return std::pair(QFileInfo(path).completeBaseName().contains(number),
                             QFileInfo(path).lastModified());
        };
        return worth(one) < worth(other);
    };
    const auto best = std::ranges::max_element(logs, isWorse);
    return best == logs.end() ? QString() : *best;
}

} // namespace rankdeck
