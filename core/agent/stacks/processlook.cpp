#include "agent/stacks/processlook.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

#include <climits>
#include <unistd.h>

namespace rankdeck
{

namespace
{

constexpr std::size_t mostProcesses = 32;

QByteArray procText(pid_t pid, const char *name)
{
    QFile file(QStringLiteral("/proc/%1/%2").arg(pid).arg(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Whatever its name is by now, and whether or not it may be looked up.
bool runsPython(const ProcessInfo &process)
{
    const QString program = QFile::symLinkTarget(QStringLiteral("/proc/%1/exe").arg(process.pid));
    return isPythonProgram(program.isEmpty() ? process.name : program);
}

ProcessLook lookAt(const ProcessInfo &process)
{
    return {process, runsPython(process), caughtSignals(procText(process.pid, "status"))};
}

} // namespace

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
    return name.startsWith(QLatin1String("python")) || name.startsWith(QLatin1String("pypy"));
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

} // namespace rankdeck
