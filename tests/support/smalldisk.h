#pragma once

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>

#include <sys/mount.h>

namespace rankdeck
{

/// A file system of one mebibyte, to be filled. Only root may make one: where it could not be made, isThere()
/// is false and a test skips with `smallDiskNeedsRoot`.
class SmallDisk
{
public:
    SmallDisk()
        : m_isThere(
              mount("none", folder().constData(), "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,nr_inodes=64") == 0)
    {
    }
    ~SmallDisk()
    {
        if (m_isThere)
            umount2(folder().constData(), MNT_DETACH);
    }
    Q_DISABLE_COPY_MOVE(SmallDisk)

    bool isThere() const { return m_isThere; }
    QString path(const QString &name = {}) const { return m_folder.filePath(name); }

    /// Leave no byte free.
    void fill() const
    {
        QFile file(path(QStringLiteral("filling")));
        if (!file.open(QIODevice::Append | QIODevice::Unbuffered))
            qFatal("the filling cannot be made");
        const QByteArray page(4096, 'x');
        while (file.write(page) > 0) {
        }
    }
    /// Make files until no more can be made.
    void takeInodes() const
    {
        int number = 0;
        while (QFile(path(QString::number(number++))).open(QIODevice::WriteOnly)) {
        }
    }
    void makeRoom() const { QFile::remove(path(QStringLiteral("filling"))); }

private:
    QByteArray folder() const { return QFile::encodeName(m_folder.path()); }

    QTemporaryDir m_folder;
    bool m_isThere;
};

inline constexpr char smallDiskNeedsRoot[] = "a small disk can only be mounted by root";

} // namespace rankdeck
