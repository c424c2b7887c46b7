#pragma once

#include <QByteArray>
#include <QDir>
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
    /// @param place where it is to be; else in a place of its own.
    explicit SmallDisk(const QString &place = {})
        : m_path(place.isEmpty() ? m_folder.path() : place)
        , m_isThere(mount("none", folder().constData(), "tmpfs", MS_NOSUID | MS_NODEV,
                          "size=1m,nr_inodes=1024") == 0)
    {
    }
    ~SmallDisk()
    {
        if (m_isThere)
            umount2(folder().constData(), MNT_DETACH);
    }
    Q_DISABLE_COPY_MOVE(SmallDisk)

    bool isThere() const { return m_isThere; }
    QString path(const QString &name = {}) const { return QDir(m_path).filePath(name); }

    /// Leave no byte free.
    void fill() const
    {
        QFile file(path(u"filling"_s));
        if (!file.open(QIODevice::Append | QIODevice::Unbuffered))
            qFatal("the filling cannot be made");
        const QByteArray page(4096, 'x');
        while (file.write(page) > 0) {
        }
    }
    /// Make files until no more can be made.
    void takeInodes() const
    {
        QDir().mkpath(path(u"inodes"_s));
        int number = 0;
        while (QFile(path(u"inodes/%1"_s.arg(number++))).open(QIODevice::WriteOnly)) {
        }
    }
    void makeRoom() const
    {
        QFile::remove(path(u"filling"_s));
        QDir(path(u"inodes"_s)).removeRecursively();
    }

private:
    QByteArray folder() const { return QFile::encodeName(m_path); }

    QTemporaryDir m_folder;
    QString m_path;
    bool m_isThere;
};

inline constexpr char smallDiskNeedsRoot[] = "a small disk can only be mounted by root";

} // namespace rankdeck
