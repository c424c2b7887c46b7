#include "log/mergedlines.h"

#include "log/ansidecoder.h"
#include "log/lineblock.h"
#include "log/logfile.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace rankdeck
{

namespace
{

using namespace std::chrono_literals;

constexpr auto lookInterval = 100ms;
constexpr qint64 activityMs = 1000;
constexpr qint64 announceMs = 100;
constexpr int searchSliceLines = 20000;

} // namespace

struct MergedLines::Private {
    struct Log {
        std::unique_ptr<LogFile> file;
        LineBlock block{};
    };
    struct Search {
        std::optional<LogFilter> text; ///< Nothing: an error.
        qint64 next;
        bool backward;
        qint64 done = 0;
        qint64 most;
    };

    Private(MergedSpec given, MergedLines *lines);

    void begin();
    void look();
    bool pollFiles();
    void announce(bool isUrgent);
    LogPage read(qint64 first, int count);
    QByteArray textOf(Log &log, ByteOffset begin);
    LineNumber numberOf(Log &log, ByteOffset begin) const;
    void sendTail();
    void report(const QString &sentence);
    void cancelSearch();
    void search(std::optional<LogFilter> text, qint64 from, bool backward);
    void continueSearch();
    bool isMatch(qint64 line);

    MergedLines *q;
    MergedSpec spec;
    std::vector<Log> logs{};
    std::unique_ptr<MergedIndex> index{};
    QTimer timer{q};
    QTimer catchUp{q}; ///< A backlog is read slice by slice, requests being served in between.
    bool isFinishing = false;
    bool isOver = false;
    QString trouble{};
    qint64 announced = 0; ///< Lines.
    QElapsedTimer sinceAnnounced{};
    LogActivity toldActivity{};
    QElapsedTimer sinceActivity{};
    int tailCount = 0;
    QTimer searchStep{q};
    std::optional<Search> current{};
    int progress = -1;
};

MergedLines::Private::Private(MergedSpec given, MergedLines *lines)
    : q(lines)
    , spec(std::move(given))
{
    timer.setInterval(lookInterval);
    timer.setTimerType(Qt::CoarseTimer);
    catchUp.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, q, [this] { look(); });
    QObject::connect(&catchUp, &QTimer::timeout, q, [this] { look(); });
    QObject::connect(&searchStep, &QTimer::timeout, q, [this] { continueSearch(); });
    for (const MergedSpec::Log &log : spec.logs)
        logs.push_back({std::make_unique<LogFile>(log.path)});
    begin();
}

MergedLines::MergedLines(MergedSpec spec, QObject *parent)
    : LogLines(parent)
    , d(std::make_unique<Private>(std::move(spec), this))
{
}

MergedLines::~MergedLines() = default;

QStringList MergedLines::paths() const
{
    QStringList paths;
    for (const MergedSpec::Log &log : d->spec.logs)
        paths.append(log.path);
    return paths;
}

void MergedLines::start()
{
    if (std::exchange(d->isOver, false))
        d->begin(); // What was taken for the end of a log was none.
    d->isFinishing = false;
    d->timer.start();
    d->look();
}

void MergedLines::finish()
{
    d->isFinishing = true;
    d->look();
}

void MergedLines::request(LineNumber first, int count)
{
    if (!d->trouble.isEmpty())
        Q_EMIT unreadable(d->trouble);
    Q_EMIT page(d->read(first.value, count));
}

void MergedLines::requestWhole(LineNumber line)
{
    if (line.value < 0 || line.value >= d->index->lines().size()) {
        Q_EMIT wholeLine(line, {}, true);
        return;
    }
    const LineIndex::Line at = d->index->lines().at(line.value);
    Private::Log &log = d->logs[static_cast<std::size_t>(at.log)];
    const QByteArrayView text = log.block.line(*log.file, at.begin);
    Q_EMIT wholeLine(line, text.toByteArray(), text.size() < LineBlock::blockBytes);
}

void MergedLines::followTail(int count)
{
    d->tailCount = std::max(0, count);
    d->sendTail();
}

void MergedLines::find(const LogPattern &pattern, LineNumber from, bool backward)
{
    d->cancelSearch();
    if (pattern.text.isEmpty())
        return;
    const auto text = LogFilter::create({{{pattern}}, LogSeverity::None, {}});
    if (text)
        d->search(*text, from.value, backward);
    else
        Q_EMIT notFound();
}

void MergedLines::findError(LineNumber from, bool backward)
{
    d->cancelSearch();
    d->search({}, from.value, backward);
}

void MergedLines::findTime(LogTime time)
{
    d->cancelSearch();
    const LineIndex &lines = d->index->lines();
    qint64 line = d->index->lineBefore(time);
    const qint64 end = std::min(lines.size(), line + MergedIndex::linesPerTime);
    const auto isLater = [&](qint64 each) {
        const LineIndex::Line at = lines.at(each);
        Private::Log &log = d->logs[static_cast<std::size_t>(at.log)];
        const auto said = readLogLineHead(log.block.line(*log.file, at.begin)).time;
        return said && *said >= time;
    };
    while (line < end && !isLater(line))
        ++line;
    if (lines.size() == 0)
        Q_EMIT notFound();
    else
        Q_EMIT found(LineNumber(std::min(line, lines.size() - 1)));
}

/// With the files as they are now.
void MergedLines::tellActivity()
{
    if (d->toldActivity.slotCount() > 0)
        Q_EMIT active(d->toldActivity);
}

void MergedLines::Private::begin()
{
    index = std::make_unique<MergedIndex>(spec);
    for (Log &log : logs)
        log.block = {};
    announced = 0;
    cancelSearch();
}

void MergedLines::Private::look()
{
    if (isOver)
        return;
    if (!pollFiles()) {
        begin();
        Q_EMIT q->restarted();
    }
    const bool more = index->readOn();
    if (!more && isFinishing) {
        index->readRest();
        isOver = true;
        timer.stop();
    }
    announce(!more);
    if (more)
        catchUp.start(0);
}

/// False when a file was cut or replaced: what is known of its lines is wrong.
bool MergedLines::Private::pollFiles()
{
    bool isSame = true;
    QString problem;
    for (Log &log : logs) {
        const bool wasThere = log.file->totalBytes() > 0;
        const auto growth = log.file->poll();
        if (!growth && problem.isEmpty())
            problem = growth.error().sentence();
        isSame = isSame && !(growth && growth->restarted && wasThere);
    }
    report(problem);
    return isSame;
}

void MergedLines::Private::announce(bool isUrgent)
{
    const bool isDue = !sinceAnnounced.isValid() || sinceAnnounced.hasExpired(announceMs);
    if (index->lines().size() != announced && (isUrgent || isDue)) {
        announced = index->lines().size();
        sinceAnnounced.start();
        qint64 bytes = 0;
        for (const Log &log : logs)
            bytes += log.file->totalBytes();
        Q_EMIT q->grew(announced, bytes, {});
        sendTail();
    }
    const bool tells = !sinceActivity.isValid() || sinceActivity.hasExpired(activityMs) || isOver;
    if (tells && toldActivity != index->activity()) {
        sinceActivity.start();
        toldActivity = index->activity();
        Q_EMIT q->active(toldActivity);
    }
}

LogPage MergedLines::Private::read(qint64 first, int count)
{
    const LineIndex &lines = index->lines();
    LogPage page;
    page.first = LineNumber(std::max<qint64>(0, first));
    page.totalLines = lines.size();
    for (const Log &log : logs)
        page.totalBytes += log.file->totalBytes();
    const qint64 end = std::min(page.first.value + std::max(0, count), lines.size());
    page.atEnd = end == lines.size();
    for (qint64 line = page.first.value; line < end; ++line) {
        const LineIndex::Line at = lines.at(line);
        Log &log = logs[static_cast<std::size_t>(at.log)];
        const QByteArray label = index->labelOf(line);
        page.lines.append(label + textOf(log, at.begin));
        page.origins.append({at.log, numberOf(log, at.begin), static_cast<int>(label.size())});
        page.said.append({at.severity, {}, LogLineReader::Source::Head});
    }
    return page;
}

QByteArray MergedLines::Private::textOf(Log &log, ByteOffset begin)
{
    const QByteArrayView text = log.block.line(*log.file, begin);
    if (text.size() <= maxShownLineBytes)
        return text.toByteArray();
    const LogPage page = log.file->read(numberOf(log, begin), 1); // Cut, and its length said.
    return page.lines.isEmpty() ? QByteArray() : page.lines.first();
}

LineNumber MergedLines::Private::numberOf(Log &log, ByteOffset begin) const
{
    // A large file may not have been read as far as the merge has.
    while (log.file->totalBytes() <= begin.value) {
        const auto growth = log.file->poll();
        if (!growth || !growth->changed)
            break;
    }
    return log.file->lineOf(begin);
}

void MergedLines::Private::sendTail()
{
    if (tailCount > 0)
        Q_EMIT q->page(read(index->lines().size() - tailCount, tailCount));
}

void MergedLines::Private::report(const QString &sentence)
{
    if (sentence == trouble)
        return;
    trouble = sentence;
    Q_EMIT q->unreadable(sentence);
}

void MergedLines::Private::cancelSearch()
{
    searchStep.stop();
    if (std::exchange(current, std::nullopt))
        Q_EMIT q->notFound();
}

void MergedLines::Private::search(std::optional<LogFilter> text, qint64 from, bool backward)
{
    const qint64 last = index->lines().size() - 1;
    const qint64 first = backward ? std::min(from, last) : std::max<qint64>(0, from);
    current = Search{std::move(text), first, backward, 0, backward ? first + 1 : last - first + 1};
    progress = -1;
    searchStep.start(0);
}

void MergedLines::Private::continueSearch()
{
    for (int left = searchSliceLines; left > 0; --left) {
        if (current->done >= current->most) {
            current.reset();
            searchStep.stop();
            Q_EMIT q->notFound();
            return;
        }
        const qint64 line = current->next;
        if (isMatch(line)) {
            current.reset();
            searchStep.stop();
            Q_EMIT q->found(LineNumber(line));
            return;
        }
        ++current->done;
        current->next += current->backward ? -1 : 1;
    }
    const auto percent = static_cast<int>(100 * current->done / current->most);
    if (std::exchange(progress, percent) != percent)
        Q_EMIT q->searchProgress(percent);
}

bool MergedLines::Private::isMatch(qint64 line)
{
    const LineIndex::Line at = index->lines().at(line);
    if (!current->text)
        return at.beginsError;
    Log &log = logs[static_cast<std::size_t>(at.log)];
    return current->text->wants(log.block.line(*log.file, at.begin), {});
}

} // namespace rankdeck
