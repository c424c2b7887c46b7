#include "ranktable/page/ranktablewatch.h"

#include <QFileInfo>

namespace rankdeck
{

FileStamp FileStamp::of(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return {};
    return {true, info.isReadable(), info.size(), info.lastModified()};
}

bool FileStamp::isYoung() const
{
    constexpr qint64 youngMs = 2000;
    const qint64 age = modified.msecsTo(QDateTime::currentDateTime());
    // A time in the future is from another host's clock.
    return exists && age >= 0 && age < youngMs;
}

RankTableWorker::RankTableWorker()
    : m_timer(this)
{
    m_timer.setInterval(std::chrono::seconds(1));
    connect(&m_timer, &QTimer::timeout, this, &RankTableWorker::poll);
}

void RankTableWorker::watch(int request, const QString &path, Chip chip)
{
    if (request != m_newest)
        return;
    m_request = request;
    m_path = path;
    m_chip = chip;
    m_seen.reset();
    setPaused(false);
}

void RankTableWorker::setPaused(bool paused)
{
    if (paused || m_path.isEmpty()) {
        m_timer.stop();
        return;
    }
    m_timer.start();
    poll();
}

void RankTableWorker::poll()
{
    const FileStamp stamp = FileStamp::of(m_path);
    if (m_seen != stamp)
        look(stamp);
}

void RankTableWorker::look(const FileStamp &stamp)
{
    Q_EMIT reading(m_request, stamp.size);
    RankTableLook found{m_path, {}, {}};
    Result<CheckReport> report = checkRankTableFile(m_path, {m_chip});
    if (report)
        found.report = std::make_shared<const CheckReport>(std::move(report.value()));
    else
        found.error = report.error();
    // An incomplete table is not an error while the file may still be written.
    if (found.report && found.report->unusable && stamp.isYoung())
        return;
    m_seen = stamp;
    Q_EMIT looked(m_request, found);
}

RankTableWatch::RankTableWatch(QObject *parent)
    : QObject(parent)
    , m_thread(u"rank table"_s)
    , m_worker(new RankTableWorker)
{
    connect(m_worker, &RankTableWorker::reading, this, [this](int request, qint64 bytes) {
        if (request == m_request)
            Q_EMIT reading(bytes);
    });
    connect(m_worker, &RankTableWorker::looked, this, [this](int request, const RankTableLook &look) {
        if (request == m_request)
            Q_EMIT looked(look);
    });
    m_thread.adopt(m_worker);
}

void RankTableWatch::watch(const QString &path, Chip chip)
{
    m_worker->setNewest(++m_request);
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, request = m_request, path, chip] { worker->watch(request, path, chip); },
        Qt::QueuedConnection);
}

void RankTableWatch::setPaused(bool paused)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, paused] { worker->setPaused(paused); }, Qt::QueuedConnection);
}

} // namespace rankdeck
