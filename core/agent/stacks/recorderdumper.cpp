#include "agent/stacks/recorderdumper.h"

#include "diagnosis/recorder/recorderdump.h"

#include <QDir>
#include <QFile>

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

constexpr int dumpLookMs = 50;
/// Python's stacks come a moment after the collectives.
constexpr int dumpSettledMs = 300;
constexpr qsizetype mostPipes = 4096;
constexpr char pipeEnd[] = ".pipe";

/// Returns false if no process listens.
static bool writeToPipe(const QString &path)
{
    const int file =
        open(QFile::encodeName(path).constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return false;
    struct stat status {
    };
    const bool isPipe = fstat(file, &status) == 0 && S_ISFIFO(status.st_mode);
    // A full pipe holds an order already.
    const bool isAsked = isPipe && (write(file, "1\n", 2) == 2 || errno == EAGAIN);
    close(file);
    return isAsked;
}

/// Returns the ranks, as text, of the files with this prefix and this end.
static QStringList ranksOf(const QString &prefix, const QString &end, QDir::Filters filters)
{
    const QFileInfo place(prefix);
    const QString name = place.fileName();
    QStringList ranks;
    const QStringList files = QDir(place.path()).entryList({name + '*'_L1 + end}, filters);
    for (const QString &file : files.mid(0, mostPipes)) {
        const QString rank = file.mid(name.size()).chopped(end.size());
        bool isNumber = false;
        rank.toInt(&isNumber);
        if (isNumber)
            ranks << rank;
    }
    return ranks;
}

Sentence dumpedText(const QStringList &dumps, int asked)
{
    const auto isStacks = [](const QString &path) {
        return path.endsWith(pythonStacksBeside({}));
    };
    const auto written = dumps.size() - std::ranges::count_if(dumps, isStacks);
    return asked == 0 ? Sentence()
                      : Sentence::tr("%1 of %n flight recorders have dumped their collectives.",
                                     "%1 of %n flight recorder has dumped its collectives.", asked)
                            .arg(written);
}

RecorderDumper::RecorderDumper(std::vector<RecorderPrefixes> prefixes)
    : m_prefixes(std::move(prefixes))
{
    m_timer.setInterval(dumpLookMs);
    connect(&m_timer, &QTimer::timeout, this, &RecorderDumper::look);
}

void RecorderDumper::start(std::chrono::milliseconds limit)
{
    if (m_timer.isActive())
        return;
    m_due.clear();
    m_limit = limit;
    removeTold();
    m_sinceStart.start();
    for (const RecorderPrefixes &prefixes : m_prefixes) {
        for (const QString &rank : ranksOf(prefixes.pipe, QLatin1String(pipeEnd), QDir::System)) {
            Due due;
            due.path = prefixes.dump + rank;
            due.before = QFileInfo(due.path).lastModified();
            if (writeToPipe(prefixes.pipe + rank + QLatin1String(pipeEnd)))
                m_due.push_back(due);
        }
    }
    m_timer.start();
    look();
}

/// The dump, and with it Python's stacks where it has them.
static QStringList withStacks(const QString &dump)
{
    const QString stacks = pythonStacksBeside(dump);
    return QFileInfo::exists(stacks) ? QStringList{dump, stacks} : QStringList{dump};
}

QStringList RecorderDumper::ownDumps() const
{
    QStringList dumps;
    for (const RecorderPrefixes &prefixes : m_prefixes) {
        for (const QString &rank : ranksOf(prefixes.dump, {}, QDir::Files | QDir::NoSymLinks)) {
            const QString path = prefixes.dump + rank;
            if (std::ranges::none_of(m_due, [&](const Due &due) { return due.path == path; }))
                dumps << withStacks(path);
        }
    }
    return dumps;
}

/// Removes dumps of ranks that no longer answer: an old dump would look as if the rank was still alive. Keeps
/// dumps that a rank has written by itself since then.
void RecorderDumper::removeTold()
{
    for (auto told = m_told.cbegin(); told != m_told.cend(); ++told) {
        if (QFileInfo(told.key()).lastModified() == told.value())
            QFile::remove(told.key());
    }
    m_told.clear();
}

void RecorderDumper::look()
{
    for (Due &due : m_due) {
        const QFileInfo dump(due.path);
        if (due.isWhole || !dump.exists() || dump.size() == 0 || dump.lastModified() == due.before)
            continue;
        const qint64 size = dump.size() + QFileInfo(pythonStacksBeside(due.path)).size();
        if (size != due.size) {
            due.size = size;
            due.sinceGrowth.start();
        }
        due.isWhole = due.sinceGrowth.elapsed() >= dumpSettledMs;
    }
    const bool isLate = m_sinceStart.elapsed() >= m_limit.count();
    if (!isLate && !std::ranges::all_of(m_due, &Due::isWhole))
        return;
    m_timer.stop();
    QStringList dumps;
    for (const Due &due : m_due) {
        if (due.size >= 0)
            dumps << withStacks(due.path);
    }
    for (const QString &path : std::as_const(dumps))
        m_told.insert(path, QFileInfo(path).lastModified());
    Q_EMIT finished(dumps, static_cast<int>(m_due.size()));
}

} // namespace rankdeck
