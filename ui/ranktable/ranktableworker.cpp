#include "ranktable/ranktableworker.h"

namespace rankdeck
{

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
    if (m_path.isEmpty()) {
        m_timer.stop();
        return;
    }
    m_timer.start();
    poll();
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
    RankTableLook found{m_path, m_chip, stamp.size, {}, {}};
    Result<CheckReport> report = checkRankTableFile(m_path, {m_chip});
    if (report)
        found.report = std::make_shared<const CheckReport>(std::move(report.value()));
    else
        found.error = report.error();
    // Half a table is not a bad one: while it may still be written, look again instead of complaining.
    if (found.report && found.report->unusable && stamp.isYoung())
        return;
    m_seen = stamp;
    Q_EMIT looked(m_request, found);
}

} // namespace rankdeck
