#include "agent/preflight/logreservation.h"

#include "launch/plan/attempt.h"
#include "ranktable/table/ranktablewriter.h"

#include <QDir>
#include <QFileInfo>

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

/// `path` for the n-th run that logs to this place: "x.txt", "x.1.txt", "x.2.txt" …
static QString numbered(const QString &path, int number)
{
    if (number == 0)
        return path;
    const QFileInfo file(path);
    return u"%1/%2.%3.%4"_s.arg(file.path(), file.completeBaseName(), QString::number(number), file.suffix());
}

std::optional<Error> LogReservation::reserve(LaunchPlan &plan)
{
    int number = 0;
    for (;; ++number) {
        const int problem = tryNumber(plan, number);
        if (problem == 0)
            break;
        discard();
        if (problem == EEXIST)
            continue;
        return Error{problem == EPERM ? tr("a log there is a link, or a file of another user")
                                      : tr("cannot write to the log directory: %1").arg(errnoWords(problem)),
                     QFileInfo(forAttempt(plan, plan.processes.front().logFile, 0)).path(), logDirMend(plan)};
    }
    for (ProcessPlan &process : plan.processes) {
        process.logFile = numbered(process.logFile, number);
        if (!process.stderrFile.isEmpty())
            process.stderrFile = numbered(process.stderrFile, number);
    }
    return std::nullopt;
}

/// Opens an existing log; EPERM for a file or link of another user, who would choose the file to overwrite.
static int openOwn(const QByteArray &name, int flags)
{
    struct stat info = {};
    if (lstat(name.constData(), &info) == 0 && info.st_uid != geteuid()) {
        errno = EPERM;
        return -1;
    }
    if (!S_ISLNK(info.st_mode))
        flags |= O_NOFOLLOW; // Another user may have replaced it by a link since.
    return ::open(name.constData(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags);
}

std::optional<Error> LogReservation::empty() const
{
    for (const QString &path : m_reserved) {
        if (m_made.contains(path))
            continue;
        const int file = openOwn(QFile::encodeName(path), O_TRUNC);
        if (file < 0)
            return Error{tr("cannot empty the log: %1").arg(errnoWords(errno)), path, {}};
        ::close(file);
    }
    return std::nullopt;
}

int LogReservation::tryNumber(const LaunchPlan &plan, int number)
{
    for (const ProcessPlan &process : plan.processes) {
        for (const QString &file : {process.logFile, process.stderrFile}) {
            const int problem =
                file.isEmpty() ? 0 : tryFile(numbered(forAttempt(plan, file, 0), number), plan.overwriteLogs);
            if (problem != 0)
                return problem;
        }
    }
    return 0;
}

int LogReservation::tryFile(const QString &path, bool overwrite)
{
    const QString folder = QFileInfo(path).path();
    if (folder != m_folder && !QDir().mkpath(folder))
        return errno != 0 ? errno : EACCES;
    m_folder = folder;
    const QByteArray name = QFile::encodeName(path);
    int file = ::open(name.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const bool isNew = file >= 0;
    if (!isNew && errno == EEXIST && overwrite)
        file = openOwn(name, 0);
    if (file < 0)
        return errno;
    ::close(file);
    m_reserved << path;
    if (isNew)
        m_made << path;
    return 0;
}

void LogReservation::discard()
{
    for (const QString &path : std::as_const(m_made))
        QFile::remove(path);
    m_made.clear();
    m_reserved.clear();
}

std::optional<Error> makeFiles(LaunchPlan &plan, LogReservation &logs)
{
    if (const auto error = logs.reserve(plan))
        return error;
    for (const PlannedFile &file : plan.files) {
        if (const auto written = writeRankTable(file.content, file.path); !written)
            return written.error();
    }
    return std::nullopt;
}

QString logDirMend(const LaunchPlan &plan)
{
    return tr("Name another with %1.").arg(plan.launcher == "msrun"_L1 ? u"--log_dir"_s : u"--log-dir"_s);
}

} // namespace rankdeck
