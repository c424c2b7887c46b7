#include "run/samples/entrylog.h"

#include "base/json.h"
#include "base/regularfile.h"

#include <QDir>
#include <QRegularExpression>

#include <algorithm>

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

using Json = nlohmann::json;

constexpr qint64 mostBytes = 64 * 1024;
constexpr qsizetype mostFiles = 4096;

static QString shortText(const Json &json)
{
    constexpr qsizetype most = 64;
    const QString text = json.is_string() ? QString::fromStdString(json.get<std::string>())
                                          : QString::fromStdString(json.dump());
    return text.simplified().left(most);
}

/// Throws Json::exception.
static LiveCollective collectiveFrom(const Json &json)
{
    LiveCollective its;
    its.operation = shortText(json.at("op_type"));
    its.sequence = json.at("seq").get<qint64>();
    its.group = shortText(json.contains("pg_desc") ? json.at("pg_desc") : json.at("pg_id"));
    its.isRunning = json.at("status").get<QString>() != "end"_L1;
    return its;
}

QString LiveCollective::text() const
{
    const QString number = sequence > 0 ? u" #%1"_s.arg(sequence) : QString();
    const QString its = u"%1%2 %3"_s.arg(operation, number, group);
    return isRunning ? its + u" …"_s : its;
}

std::optional<LiveCollective> liveCollectiveFrom(const QByteArray &text)
{
    const auto json = parseJson(text);
    if (!json || !json->is_object() || !json->contains("last_comm_op"))
        return std::nullopt;
    std::optional<LiveCollective> found;
    try {
        // A list, or an object by group.
        for (const Json &each : json->at("last_comm_op")) {
            const LiveCollective its = collectiveFrom(each);
            if (!found || its.isRunning || !found->isRunning)
                found = its;
        }
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return found;
}

QMap<int, LiveCollective> readLiveCollectives(const QString &folder)
{
    static const QRegularExpression name(u"^torch_hccl_status-(\\d{1,6})_"_s);
    QMap<int, LiveCollective> collectives;
    const QFileInfoList files = QDir(folder).entryInfoList(
        {u"torch_hccl_status-*"_s}, QDir::Files | QDir::NoSymLinks, QDir::Time | QDir::Reversed);
    for (const QFileInfo &info : files.mid(std::max<qsizetype>(0, files.size() - mostFiles))) {
        const auto match = name.match(info.fileName());
        RegularFile file(info.filePath());
        if (!match.hasMatch() || !file.open(QIODevice::ReadOnly))
            continue;
        if (const auto its = liveCollectiveFrom(file.read(mostBytes)))
            collectives.insert(match.captured(1).toInt(), *its);
    }
    return collectives;
}

QList<int> ranksBehind(const QMap<int, LiveCollective> &collectives)
{
    QMap<QString, qint64> farthest;
    for (const LiveCollective &its : collectives) {
        if (its.isRunning)
            farthest[its.group] = std::max(farthest.value(its.group), its.sequence);
    }
    QList<int> behind;
    for (auto its = collectives.cbegin(); its != collectives.cend(); ++its) {
        if (its->sequence > 0 && its->sequence < farthest.value(its->group))
            behind << its.key();
    }
    return behind;
}

} // namespace rankdeck
