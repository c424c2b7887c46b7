#include "ranktable/reading/ranktablewaiter.h"

#include "ranktable/reading/ranktablereader.h"

#include <QDateTime>
#include <QFileInfo>
#include <QThread>

namespace rankdeck
{

namespace
{

constexpr int pollMs = 1000;
/// How long after its last change a file that does not parse may still be half written.
constexpr int settleMs = 2000;

bool isFresh(const QString &path)
{
    const QDateTime changed = QFileInfo(path).lastModified();
    const qint64 age = changed.msecsTo(QDateTime::currentDateTime());
    return changed.isValid() && age >= 0 && age < settleMs;
}

/// Returns whether the file ends in the middle of its JSON, so that more may follow.
bool isHalfWritten(const QString &path)
{
    const auto text = readRankTableText(path);
    return text && isCutOff(*text);
}

struct Look {
    std::optional<Result<RankTable>> answer; ///< Absent: look again later.
    QString status;
};

Error timeIsUp(const QString &path, const QString &status, bool isWhole, const QString &option, int seconds)
{
    const QString what =
        isWhole ? RankTableWaiter::tr("after %1 s the rank table's status is still \"%2\", not \"completed\"")
                : RankTableWaiter::tr("after %1 s the rank table still cannot be read (%2)");
    return {what.arg(QString::number(seconds), status), path,
            option.isEmpty()
                ? RankTableWaiter::tr("Check why the platform did not finish it.")
                : RankTableWaiter::tr("Check why the platform did not finish it, or wait longer with %1.")
                      .arg(option)};
}

Look look(const QString &path, qint64 waitedMs, std::chrono::seconds limit, const QString &option)
{
    Result<RankTable> table = readRankTable(path);
    if (table && table->isCompleted())
        return {table, {}};
    const QString status = statusOfUnfinishedTable(path, table);
    if (status.isEmpty())
        return {table, {}};
    if (waitedMs < std::chrono::milliseconds(limit).count())
        return {{}, status};
    // Without a time limit to wait, the fault in the file explains more.
    if (!table && limit.count() == 0)
        return {table, {}};
    return {timeIsUp(path, status, table.operator bool(), option, static_cast<int>(limit.count())), {}};
}

Error cancelled(const QString &path)
{
    return Error{RankTableWaiter::tr("waiting for the rank table was cancelled"), path, {}};
}

} // namespace

QString statusOfUnfinishedTable(const QString &path, const Result<RankTable> &table)
{
    if (table && table->isCompleted())
        return {};
    if (table)
        return table->status.isEmpty() ? RankTableWaiter::tr("without a status") : table->status;
    const QFileInfo file(path);
    // Where even the folder is missing, the path is wrong.
    if (!file.exists())
        return QFileInfo(file.absolutePath()).isDir() ? RankTableWaiter::tr("file not found yet") : QString();
    return file.isFile() && (isFresh(path) || isHalfWritten(path)) ? RankTableWaiter::tr("being written")
                                                                   : QString();
}

RankTableWaiter::RankTableWaiter(QString path, std::chrono::seconds timeLimit, QObject *parent)
    : QObject(parent)
    , m_path(std::move(path))
    , m_timeLimit(timeLimit)
{
    m_timer.setParent(this);
    m_timer.setInterval(pollMs);
    connect(&m_timer, &QTimer::timeout, this, &RankTableWaiter::poll);
}

void RankTableWaiter::start()
{
    m_elapsed.start();
    m_timer.start();
    poll();
}

void RankTableWaiter::cancel()
{
    if (!m_timer.isActive())
        return;
    m_timer.stop();
    Q_EMIT finished(cancelled(m_path));
}

void RankTableWaiter::poll()
{
    const Look seen = look(m_path, m_elapsed.elapsed(), m_timeLimit, m_limitOption);
    if (!seen.answer) {
        Q_EMIT waiting(seen.status, static_cast<int>(m_elapsed.elapsed() / 1000));
        return;
    }
    m_timer.stop();
    Q_EMIT finished(*seen.answer);
}

Result<RankTable> RankTableWaiter::wait(const QString &path, std::chrono::seconds timeLimit,
                                        const std::function<bool()> &isCancelled,
                                        const std::function<void(const QString &, int)> &onWaiting)
{
    constexpr int sliceMs = 100;
    QElapsedTimer elapsed;
    elapsed.start();
    for (qint64 nextLook = 0;;) {
        if (isCancelled && isCancelled())
            return cancelled(path);
        if (elapsed.elapsed() >= nextLook) {
            const Look seen = look(path, elapsed.elapsed(), timeLimit, {});
            if (seen.answer)
                return *seen.answer;
            if (onWaiting)
                onWaiting(seen.status, static_cast<int>(elapsed.elapsed() / 1000));
            nextLook += pollMs;
        }
        QThread::msleep(sliceMs);
    }
}

} // namespace rankdeck
