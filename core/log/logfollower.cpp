#include "log/logfollower.h"

#include "log/ansidecoder.h"
#include "log/logfile.h"
#include "log/logsearch.h"
#include "log/logtimesearch.h"

#include <QTimer>

#include <algorithm>
#include <optional>

namespace rankdeck
{

namespace
{

using namespace std::chrono_literals;

constexpr auto lookInterval = 100ms;
constexpr qint64 searchSliceBytes = 8 * 1024 * 1024;
/// Read before a page, since they may have begun a traceback that goes on in it.
constexpr qint64 linesBefore = 40;
constexpr int lastLineBytes = 500;
constexpr int lastLineSearch = 16;

QString shortened(QString text)
{
    if (text.size() > lastLineBytes)
        text.truncate(lastLineBytes);
    while (text.toUtf8().size() > lastLineBytes || (!text.isEmpty() && text.back().isHighSurrogate()))
        text.chop(1);
    return text;
}

} // namespace

struct LogFollower::Private {
    Private(QString path, LogFollower *follower)
        : q(follower)
        , file(std::move(path))
        , timer(q)
        , catchUp(q)
        , searchStep(q)
    {
        timer.setInterval(lookInterval);
        timer.setTimerType(Qt::CoarseTimer);
        catchUp.setSingleShot(true);
        QObject::connect(&timer, &QTimer::timeout, q, [this] { look(); });
        QObject::connect(&catchUp, &QTimer::timeout, q, [this] { look(); });
        QObject::connect(&searchStep, &QTimer::timeout, q, [this] { continueSearch(); });
    }

    void look();
    void announce();
    LogPage read(LineNumber first, int count) const;
    void placeMarks();
    void sendTail();
    void report(const QString &sentence);
    void repeatTrouble();
    void startSearch(std::unique_ptr<LineFinder> finder, LineNumber from, bool backward);
    void continueSearch();
    void stopSearch();
    void cancelSearch();

    LogFollower *q;
    LogFile file;
    QTimer timer;
    QTimer catchUp; ///< A backlog is read slice by slice, requests being served in between.
    QTimer searchStep;
    QString lastLine;
    QString trouble;
    int tailCount = 0;
    bool finishing = false;
    QList<LogMark> marks;
    qsizetype placedMarks = 0; ///< Those of them that the file was read up to.
    std::optional<LogSearch> search;
    int progress = -1;
};

LogFollower::LogFollower(QString path, QObject *parent)
    : LogLines(parent)
    , d(std::make_unique<Private>(std::move(path), this))
{
}

LogFollower::~LogFollower() = default;

void LogFollower::start()
{
    d->finishing = false;
    d->timer.start();
    d->look();
}

void LogFollower::finish()
{
    d->finishing = true;
    d->look();
}

void LogFollower::request(LineNumber first, int count)
{
    d->repeatTrouble();
    Q_EMIT page(d->read(first, count));
}

void LogFollower::requestWhole(LineNumber line)
{
    const QByteArray bytes = d->file.readWhole(line, maxWholeLineBytes + 1);
    Q_EMIT wholeLine(line, bytes.last(std::min<qsizetype>(bytes.size(), maxWholeLineBytes)),
                     bytes.size() <= maxWholeLineBytes);
}

QStringList LogFollower::paths() const
{
    return {d->file.path()};
}

void LogFollower::followTail(int count)
{
    d->tailCount = std::max(0, count);
    d->repeatTrouble();
    d->sendTail();
}

void LogFollower::find(const LogPattern &pattern, LineNumber from, bool backward)
{
    d->cancelSearch();
    if (pattern.text.isEmpty())
        return;
    if (const Result<LogMatcher> matcher = LogMatcher::create(pattern))
        d->startSearch(std::make_unique<PatternFinder>(*matcher), from, backward);
    else
        Q_EMIT notFound();
}

void LogFollower::findError(LineNumber from, bool backward)
{
    d->cancelSearch();
    d->startSearch(std::make_unique<ErrorFinder>(), from, backward);
}

void LogFollower::findTime(LogTime time)
{
    d->cancelSearch();
    if (const std::optional<LineNumber> line = lineAtTime(d->file, time))
        Q_EMIT found(*line);
    else
        Q_EMIT notFound();
}

void LogFollower::setMarks(const QList<LogMark> &marks)
{
    d->marks = marks;
    d->placedMarks = 0;
    d->placeMarks();
    Q_EMIT marked();
    d->sendTail();
}

void LogFollower::Private::look()
{
    const Result<LogGrowth> growth = file.poll();
    if (!growth) {
        report(growth.error().sentence());
    } else {
        if (file.exists())
            report({});
        if (growth->restarted) {
            lastLine.clear();
            placedMarks = 0;
            Q_EMIT q->restarted();
            cancelSearch();
        }
        if (growth->changed) {
            placeMarks();
            announce();
        }
        if (growth->more) {
            catchUp.start(0);
            return;
        }
    }
    if (finishing) {
        timer.stop();
        if (growth && !file.exists())
            report(Error{LogFollower::tr("There is no log here."), file.path(), {}}.sentence());
    }
}

void LogFollower::Private::announce()
{
    const qint64 first = std::max(qint64(0), file.totalLines() - lastLineSearch);
    const LogPage tail = file.read(LineNumber(first), lastLineSearch);
    for (auto line = tail.lines.crbegin(); line != tail.lines.crend(); ++line) {
        const QString text = AnsiDecoder::plainText(*line).trimmed();
        if (!text.isEmpty()) {
            lastLine = shortened(text);
            break;
        }
    }
    Q_EMIT q->grew(file.totalLines(), file.totalBytes(), lastLine);
    sendTail();
}

LogPage LogFollower::Private::read(LineNumber first, int count) const
{
    const int before = int(std::clamp<qint64>(first.value, 0, linesBefore));
    LogPage page = file.read(LineNumber(first.value - before), before + count);
    LogLineReader reader;
    for (const QByteArray &line : std::as_const(page.lines))
        page.said.append(reader.read(line));
    const auto behind = std::min<qsizetype>(before, page.lines.size());
    page.lines.remove(0, behind);
    page.said.remove(0, behind);
    page.first = LineNumber(std::max<qint64>(0, first.value));
    page.marks = marks.first(placedMarks);
    return page;
}

void LogFollower::Private::placeMarks()
{
    while (placedMarks < marks.size() && marks[placedMarks].offset.value <= file.totalBytes()) {
        marks[placedMarks].line = file.lineOf(marks[placedMarks].offset);
        ++placedMarks;
    }
}

void LogFollower::Private::sendTail()
{
    if (tailCount > 0)
        Q_EMIT q->page(read(LineNumber(std::max(qint64(0), file.totalLines() - tailCount)), tailCount));
}

void LogFollower::Private::report(const QString &sentence)
{
    if (sentence == trouble)
        return;
    trouble = sentence;
    Q_EMIT q->unreadable(sentence);
}

/// Who asks now may not have listened when it was said.
void LogFollower::Private::repeatTrouble()
{
    if (!trouble.isEmpty())
        Q_EMIT q->unreadable(trouble);
}

void LogFollower::Private::startSearch(std::unique_ptr<LineFinder> finder, LineNumber from, bool backward)
{
    search.emplace(file, std::move(finder), from, backward);
    progress = -1;
    searchStep.start(0);
}

void LogFollower::Private::stopSearch()
{
    search.reset();
    searchStep.stop();
}

void LogFollower::Private::cancelSearch()
{
    if (!search)
        return;
    stopSearch();
    Q_EMIT q->notFound();
}

void LogFollower::Private::continueSearch()
{
    const LogSearch::State state = search->step(file, searchSliceBytes);
    if (state == LogSearch::State::Running) {
        if (search->progress() != progress) {
            progress = search->progress();
            Q_EMIT q->searchProgress(progress);
        }
        return;
    }
    const LineNumber line = search->line();
    stopSearch();
    if (state == LogSearch::State::Found)
        Q_EMIT q->found(line);
    else
        Q_EMIT q->notFound();
}

} // namespace rankdeck
