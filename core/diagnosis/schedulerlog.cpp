#include "diagnosis/schedulerlog.h"

#include "log/ansidecoder.h"

#include <QFile>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

constexpr qint64 mostHead = 4 * 1024 * 1024;
constexpr qint64 mostTail = 1024 * 1024;
constexpr qsizetype mostNodes = 8192;
/// A node id is a number or a UUID.
constexpr qsizetype mostId = 64;

QByteArray readEnds(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return {};
    QByteArray text = file.read(mostHead);
    const qint64 rest = file.size() - text.size();
    if (rest > mostTail && file.seek(file.size() - mostTail))
        text += '\n';
    return text + file.read(mostTail);
}

/// What stands between the two in `line`, after `from`; empty when they are not both there.
QByteArray between(const QByteArray &line, const char *before, const char *after)
{
    const auto at = line.indexOf(before);
    if (at < 0)
        return {};
    const auto begin = at + qsizetype(qstrlen(before));
    const auto end = line.indexOf(after, begin);
    return end < 0 ? QByteArray() : line.mid(begin, end - begin);
}

void add(QStringList &ids, const QByteArray &id)
{
    const QString text = AnsiDecoder::plainText(id.left(mostId)).trimmed();
    if (!text.isEmpty() && ids.size() < mostNodes && !ids.contains(text))
        ids << text;
}

/// "The new node: 3(role: MS_WORKER), rank id: 3, … is registered successfully. …"
void readRegistration(const QByteArray &line, SchedulerLog &log)
{
    if (line.contains("is registered successfully") && between(line, "(role: ", ")") == "MS_WORKER")
        add(log.registered, between(line, "The new node: ", "("));
}

/// "Time out nodes are ['3', '5']"
void readTimeOutList(const QByteArray &line, SchedulerLog &log)
{
    const QList<QByteArray> ids = between(line, "Time out nodes are [", "]").split(',');
    for (QByteArray id : ids)
        add(log.timedOut, id.replace('\'', ""));
}

} // namespace

SchedulerLog readSchedulerLog(const QString &path)
{
    SchedulerLog log;
    const QList<QByteArray> lines = readEnds(path).split('\n');
    for (const QByteArray &line : lines) {
        readRegistration(line, log);
        readTimeOutList(line, log);
        add(log.timedOut, between(line, "The node: ", " is timed out"));
        log.isFormed = log.isFormed || line.contains("cluster topology has been constructed successfully");
    }
    return log;
}

} // namespace rankdeck
