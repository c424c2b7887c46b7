#include "diagnosis/failure/outofmemory.h"

#include "base/regularfile.h"
#include "log/line/ansidecoder.h"
#include "run/record/runevent.h"

#include <QFile>
#include <QRegularExpression>

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

/// The cgroup of the memory controller: "hierarchy:controllers:path".
struct MemoryCgroup {
    bool isUnified = false;
    QByteArray path;
};

MemoryCgroup memoryCgroup(const QByteArray &cgroups)
{
    MemoryCgroup unified;
    for (const QByteArray &line : cgroups.split('\n')) {
        const QList<QByteArray> fields = line.split(':');
        if (fields.size() < 3)
            continue;
        const QByteArray path = line.mid(fields[0].size() + fields[1].size() + 2);
        if (fields[1].split(',').contains("memory"))
            return {false, path};
        if (fields[0] == "0" && fields[1].isEmpty())
            unified = {true, path};
    }
    return unified;
}

/// Returns the path of a cgroup below a mount of its hierarchy; empty if it is elsewhere.
QByteArray placeBelow(const QByteArray &root, const QByteArray &point, const QByteArray &cgroup)
{
    if (cgroup.split('/').contains("..")) // The cgroup is above all that a container sees.
        return {};
    if (cgroup == root || root == "/")
        return cgroup == "/" || cgroup == root ? point : point + cgroup;
    return cgroup.startsWith(root + '/') ? point + cgroup.mid(root.size()) : QByteArray();
}

} // namespace

QString memoryCountFile(const QByteArray &cgroups, const QByteArray &mounts)
{
    const MemoryCgroup cgroup = memoryCgroup(cgroups);
    for (const QByteArray &line : mounts.split('\n')) {
        // "31 23 0:28 ROOT POINT OPTIONS … - TYPE SOURCE OPTIONS"
        const QList<QByteArray> fields = line.split(' ');
        const qsizetype dash = fields.indexOf("-");
        if (dash < 5 || fields.size() < dash + 4)
            continue;
        const QByteArray &type = fields[dash + 1];
        const bool isIt = cgroup.isUnified
                              ? type == "cgroup2"
                              : type == "cgroup" && fields[dash + 3].split(',').contains("memory");
        const QByteArray place = isIt ? placeBelow(fields[3], fields[4], cgroup.path) : QByteArray();
        if (!place.isEmpty())
            return QFile::decodeName(place) +
                   (cgroup.isUnified ? u"/memory.events"_s : u"/memory.oom_control"_s);
    }
    return {};
}

OutOfMemoryPlaces OutOfMemoryPlaces::ofThisProcess()
{
    OutOfMemoryPlaces places;
    if (QFile::symLinkTarget(u"/proc/self/ns/pid"_s)
            .endsWith(u"pid:[%1]"_s.arg(0xEFFFFFFCU))) // PROC_PID_INIT_INO: our pids are the kernel's.
        places.kernelLog = u"/dev/kmsg"_s;
    places.countedFile =
        memoryCountFile(fileContent(u"/proc/self/cgroup"_s), fileContent(u"/proc/self/mountinfo"_s));
    return places;
}

OutOfMemory::OutOfMemory(OutOfMemoryPlaces places)
    : m_places(std::move(places))
    , m_countBefore(count())
{
    if (m_places.kernelLog.isEmpty())
        return;
    m_kernelLog = open(QFile::encodeName(m_places.kernelLog).constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (m_kernelLog >= 0)
        lseek(m_kernelLog, 0, SEEK_END); // Skips older records, which are about other processes.
}

OutOfMemory::~OutOfMemory()
{
    if (m_kernelLog >= 0)
        close(m_kernelLog);
}

void OutOfMemory::look(RunEvent &event, bool mayBeAsked)
{
    if (const auto *started = event.as<events::ProcessStarted>()) {
        readKernelLog();
        m_named.remove(started->pid); // Another process had it.
        return;
    }
    auto *exited = std::get_if<events::ProcessExited>(&event.what);
    // A shell returns the end of its child as its own exit code.
    if (!exited || !exited->status || exited->status->shellCode() != 128 + SIGKILL)
        return;
    readKernelLog();
    const qint64 counted = m_countBefore < 0 ? 0 : std::max<qint64>(count() - m_countBefore, 0);
    if (const auto named = m_named.constFind(exited->pid); named != m_named.cend()) {
        exited->status->outOfMemory = tr("selected by the kernel's out-of-memory killer: %1").arg(*named);
        ++m_explained;
    } else if (!mayBeAsked && counted > m_explained) {
        exited->status->outOfMemory =
            tr("the kernel killed processes because memory ran out: oom_kill in %1 rose from %2 to %3")
                .arg(m_places.countedFile)
                .arg(m_countBefore + m_explained)
                .arg(m_countBefore + counted);
        ++m_explained;
    }
}

void OutOfMemory::readKernelLog()
{
    if (m_kernelLog < 0)
        return;
    std::array<char, 8192> buffer{}; // Longest record of the kernel.
    for (;;) {
        const ssize_t got = read(m_kernelLog, buffer.data(), buffer.size());
        if (got < 0 && (errno == EPIPE || errno == EINTR)) // EPIPE: the kernel overwrote unread records.
            continue;
        if (got <= 0)
            return;
        m_unfinished.append(buffer.data(), qsizetype(got));
        for (qsizetype end = m_unfinished.indexOf('\n'); end >= 0; end = m_unfinished.indexOf('\n')) {
            takeRecord(m_unfinished.left(end));
            m_unfinished.remove(0, end + 1);
        }
    }
}

/// "6,1234,5678901,-;Memory cgroup out of memory: Killed process 4711 (python3) total-vm:…"
void OutOfMemory::takeRecord(const QByteArray &record)
{
    static const QRegularExpression killed(u"\\bKilled process (\\d+)\\b"_s);
    constexpr int facilities = 8; // The lowest three bits are the severity; a facility of 0 is the kernel's.
    const qsizetype comma = record.indexOf(',');
    const qsizetype semicolon = record.indexOf(';');
    bool isNumber = false;
    const int priority = record.left(std::max<qsizetype>(comma, 0)).toInt(&isNumber);
    if (!isNumber || priority >= facilities || semicolon < comma)
        return;
    const QString words = AnsiDecoder::plainText(record.mid(semicolon + 1));
    if (const auto match = killed.match(words); match.hasMatch())
        m_named.insert(match.captured(1).toLongLong(), words.simplified().left(500));
}

qint64 OutOfMemory::count() const
{
    if (m_places.countedFile.isEmpty())
        return -1;
    for (const QByteArray &line : fileContent(m_places.countedFile).split('\n')) {
        const QList<QByteArray> words = line.simplified().split(' ');
        if (words.size() == 2 && words[0] == "oom_kill")
            return words[1].toLongLong();
    }
    return -1;
}

} // namespace rankdeck
