#pragma once

#include "diagnosis/failure/outofmemory.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QString>

#include <unistd.h>

namespace rankdeck
{

/// A memory cgroup below this process's own, for processes that are to run out of memory. Few machines let a
/// test make one.
class MemoryCgroup
{
public:
    explicit MemoryCgroup(qint64 limitBytes)
    {
        const QFileInfo own(OutOfMemoryPlaces::ofThisProcess().countedFile);
        if (!own.exists())
            return;
        const QString path = u"%1/rankdeck-test-%2"_s.arg(own.path()).arg(getpid());
        if (!QDir().mkdir(path))
            return;
        m_path = path;
        m_countedFile = path + '/'_L1 + own.fileName();
        write("memory.swappiness", "0"); // v1
        write("memory.swap.max", "0");   // v2
        const QByteArray limit = QByteArray::number(limitBytes);
        m_isLimited = write("memory.limit_in_bytes", limit) || write("memory.max", limit);
    }
    ~MemoryCgroup()
    {
        if (!m_path.isEmpty())
            QDir().rmdir(m_path);
    }
    Q_DISABLE_COPY_MOVE(MemoryCgroup)

    /// Whether there is one, with its limit.
    bool isThere() const { return m_isLimited; }
    const QString &countedFile() const { return m_countedFile; }
    /// A command that is run in it.
    QStringList with(const QStringList &command) const
    {
        return QStringList{u"/bin/sh"_s, u"-c"_s, u"echo $$ > \"$0\" && exec \"$@\""_s,
                           m_path + u"/cgroup.procs"_s} +
               command;
    }

private:
    bool write(const char *name, const QByteArray &value) const
    {
        QFile file(m_path + '/'_L1 + QLatin1String(name));
        return file.exists() && file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) &&
               file.write(value) == value.size();
    }

    QString m_path;
    QString m_countedFile;
    bool m_isLimited = false;
};

} // namespace rankdeck
