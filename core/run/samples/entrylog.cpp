#include "run/samples/entrylog.h"

#include "base/regularfile.h"

#include <QDir>
#include <QRegularExpression>

namespace rankdeck
{

constexpr qint64 mostOfPlog = 8 << 20;
/// Number of files that CANN keeps of a process unless ASCEND_HOST_LOG_FILE_NUM is set.
constexpr qsizetype keptPlogs = 10;

std::optional<LiveCollective> entryOf(const QByteArray &line)
{
    static const QRegularExpression entry(
        u"Entry-Hccl([A-Za-z]{1,40}?)(?:Inner|OutPlace)?: ?tag\\[([^\\]]{1,256})\\]"_s);
    const auto match = entry.match(QString::fromUtf8(line));
    if (!match.hasMatch())
        return std::nullopt;
    constexpr qsizetype mostOfGroup = 64;
    LiveCollective its;
    its.operation = match.captured(1);
    its.group = match.captured(2);
    if (its.group.startsWith(its.operation + '_'_L1, Qt::CaseInsensitive))
        its.group.remove(0, its.operation.size() + 1);
    its.group.truncate(mostOfGroup);
    return its;
}

bool EntryLog::read(Process &process, const QStringList &files) const
{
    bool isNews = false;
    qint64 room = mostOfPlog;
    qsizetype at = files.indexOf(process.file);
    if (at < 0) { // The file is new, or CANN has removed the file that was read last.
        process.isCounted = process.file.isEmpty() && files.size() < keptPlogs;
        process.offset = 0;
        at = 0;
    }
    for (; at < files.size(); ++at) {
        if (process.file != files[at])
            process.offset = 0;
        process.file = files[at];
        RegularFile file(QDir(m_folder).filePath(process.file));
        if (!file.open(QIODevice::ReadOnly) || !file.seek(process.offset))
            return false;
        const QByteArray text = file.read(room);
        const qsizetype whole = text.lastIndexOf('\n') + 1;
        for (qsizetype begin = 0; begin < whole;) {
            const qsizetype end = text.indexOf('\n', begin);
            const QByteArrayView line = QByteArrayView(text).sliced(begin, end - begin);
            begin = end + 1;
            auto its = line.contains("Entry-Hccl") ? entryOf(line.toByteArray()) : std::nullopt;
            if (!its)
                continue;
            its->sequence = ++process.issued[its->group];
            if (!process.isCounted)
                its->sequence = 0;
            process.last = its;
            isNews = true;
        }
        process.offset += whole;
        room -= text.size();
        if (room <= 0)
            return false;
    }
    if (process.last)
        process.last->isRunning = !isNews;
    return true;
}

QMap<qint64, LiveCollective> EntryLog::look(const QSet<qint64> &pids)
{
    static const QRegularExpression name(u"^plog-(\\d{1,10})_\\d{1,20}\\.log$"_s);
    QMap<qint64, QStringList> files;
    const QFileInfoList all =
        QDir(m_folder).entryInfoList({u"plog-*.log"_s}, QDir::Files | QDir::NoSymLinks, QDir::Name);
    for (const QFileInfo &file : all) {
        const qint64 pid = name.match(file.fileName()).captured(1).toLongLong();
        if (pids.contains(pid) && file.lastModified() >= m_since)
            files[pid] << file.fileName();
    }
    m_processes.removeIf([&](const auto &process) { return !files.contains(process.key()); });
    QMap<qint64, LiveCollective> collectives;
    for (auto its = files.cbegin(); its != files.cend(); ++its) {
        Process &process = m_processes[its.key()];
        if (read(process, its.value()) && process.last)
            collectives.insert(its.key(), *process.last);
    }
    return collectives;
}

} // namespace rankdeck
