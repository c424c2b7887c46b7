#pragma once

#include "background/iothread.h"
#include "ranktable/rules/ranktablecheck.h"

#include <QDateTime>
#include <QTimer>

#include <atomic>

namespace rankdeck
{

/// Facts about a file that show when it has changed.
struct FileStamp {
    bool exists = false;
    bool isReadable = false;
    qint64 size = 0; ///< Bytes.
    QDateTime modified;

    /// Reads the facts from the disk.
    static FileStamp of(const QString &path);
    /// Returns true if the file was changed within the last two seconds: it may still be written.
    bool isYoung() const;
    bool operator==(const FileStamp &) const = default;
};

/// The result of reading a rank table file: a report, or the error.
struct RankTableLook {
    QString path;
    std::shared_ptr<const CheckReport> report; ///< Shared between threads, because it may be large.
    std::optional<Error> error;                ///< The file cannot be read.
};

/// The blocking part of a RankTableWatch; lives in its thread.
class RankTableWorker : public QObject
{
    Q_OBJECT

public:
    RankTableWorker();

    /// Drops older requests that have not started; may be called in any thread.
    void setNewest(int request) { m_newest = request; }
    /// Reads the file now, and checks once a second for changes.
    void watch(int request, const QString &path, Chip chip);
    void setPaused(bool paused);

Q_SIGNALS:
    void reading(int request, qint64 bytes);
    void looked(int request, const rankdeck::RankTableLook &look);

private:
    void poll();
    void look(const FileStamp &stamp);

    std::atomic<int> m_newest = 0;
    int m_request = 0;
    QString m_path;
    Chip m_chip = Chip::Unknown;
    /// Stamp of the last result's file; absent while the file is being written.
    std::optional<FileStamp> m_seen;
    QTimer m_timer;
};

/// Reads and checks a rank table file in a thread of its own, and again whenever it changes. The newest
/// request wins: the results of earlier ones are dropped.
class RankTableWatch : public QObject
{
    Q_OBJECT

public:
    explicit RankTableWatch(QObject *parent = nullptr);

    /// Watches another file; none for an empty path.
    void watch(const QString &path, Chip chip);
    /// Pauses while the page is hidden.
    void setPaused(bool paused);

Q_SIGNALS:
    void reading(qint64 bytes);
    void looked(const rankdeck::RankTableLook &look);

private:
    IoThread m_thread;
    RankTableWorker *m_worker; ///< Lives in and is deleted by m_thread.
    int m_request = 0;
};

} // namespace rankdeck
