#pragma once

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>

namespace rankdeck::test
{

/// A file that grows as a worker's log does.
class GrowingFile
{
public:
    QString path() const { return m_directory.filePath(u"rank.log"_s); }

    void append(const QByteArray &bytes) { write(bytes, QIODevice::Append); }
    /// Cut it, keeping the inode, and begin again with `bytes`.
    void cut(const QByteArray &bytes) { write(bytes, QIODevice::WriteOnly | QIODevice::Truncate); }
    /// Put another file in its place.
    void replace(const QByteArray &bytes)
    {
        const QString other = m_directory.filePath(u"other"_s);
        QFile file(other);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(other));
        file.close();
        QFile::remove(path());
        QFile::rename(other, path());
    }
    void remove() { QFile::remove(path()); }
    /// Gives it another name, under which its writer goes on.
    void moveAway()
    {
        QFile::remove(movedPath());
        if (!QFile::rename(path(), movedPath()))
            qFatal("cannot rename the log");
    }
    void appendToMoved(const QByteArray &bytes)
    {
        QFile file(movedPath());
        if (!file.open(QIODevice::Append) || file.write(bytes) != bytes.size())
            qFatal("cannot write the renamed log");
    }
    /// Zero bytes without a line end, which take no room on the disk.
    void appendHole(qint64 size)
    {
        QFile file(path());
        if (!file.open(QIODevice::Append) || !file.resize(file.size() + size))
            qFatal("cannot write the log");
    }

private:
    QString movedPath() const { return m_directory.filePath(u"rank.log.1"_s); }
    void write(const QByteArray &bytes, QIODevice::OpenMode mode)
    {
        QFile file(path());
        if (!file.open(mode) || file.write(bytes) != bytes.size())
            qFatal("cannot write the log");
    }

    QTemporaryDir m_directory;
};

inline QByteArray numberedLines(int first, int count)
{
    QByteArray bytes;
    for (int i = first; i < first + count; ++i)
        bytes += "line " + QByteArray::number(i) + '\n';
    return bytes;
}

} // namespace rankdeck::test
