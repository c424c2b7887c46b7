#include "agent/supervise/runwatch.h"

#include <QFileInfo>

#include <numeric>

namespace rankdeck
{

constexpr int lookEveryMs = 500;
/// A look that comes so late finds that this process did not run, and perhaps the ranks did not, either.
constexpr int wasAsleepAfterMs = 5000;

/// Between two samples of a node …
constexpr std::chrono::milliseconds betweenSamples{2000};
/// … and the maximum of node samples per second; with more nodes each is sampled less often.
constexpr std::size_t nodesASecond = 32;

RunWatch::RunWatch(RunBook &book)
    : m_book(book)
    , m_samples(book.directory())
    , m_timer(this)
{
    m_timer.setInterval(lookEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &RunWatch::look);
    connect(&book, &RunBook::written, this, [this](const RunEvent &event) {
        if (m_stalls)
            m_stalls->take(event, QDateTime::currentMSecsSinceEpoch());
    });
}

void RunWatch::start()
{
    QStringList folders{m_book.directory()};
    for (const ProcessPlan &process : m_book.state().plan->processes)
        folders << QFileInfo(process.logFile).path();
    folders.removeDuplicates();
    m_keeper = std::make_unique<RunKeeper>(m_book.directory(), m_book.journal(), folders);
    m_timer.start();
    m_sinceLook.start();
}

void RunWatch::stop()
{
    m_timer.stop();
    look();
    m_progress->finish();
}

void RunWatch::followLogs()
{
    const RunState &state = m_book.state();
    QStringList logFiles;
    QMap<int, QString> errorFiles;
    for (const ProcessPlan &process : state.plan->processes) {
        logFiles << process.logFile;
        if (!process.stderrFile.isEmpty())
            errorFiles.insert(static_cast<int>(logFiles.size()) - 1, process.stderrFile);
    }
    const RunRecord &record = m_book.record();
    m_growth = std::make_unique<GrowthMarks>(growthFolder(m_book.directory(), record.plan, state.attempt),
                                             logFiles, errorFiles);
    if (m_progress)
        m_progress->keep();
    const auto reader = ProgressReader::create(record.spec.common.progressPattern);
    const ProgressPlaces places{growthFolder(m_book.directory(), record.plan, state.attempt),
                                progressFolder(m_book.directory(), record.plan, state.attempt)};
    m_progress = std::make_unique<ProgressKeeper>(state.plan, reader ? *reader : ProgressReader(), places);
    m_stalls = std::make_unique<StallWatch>(record.spec, *state.plan);
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        if (rank.phase == RankPhase::Running)
            m_stalls->take(RunEvent::now(events::ProcessStarted{static_cast<int>(index), rank.pid}),
                           QDateTime::currentMSecsSinceEpoch());
    }
    show(m_shown);
}

void RunWatch::show(const QList<int> &processes)
{
    m_shown = processes;
    if (m_stalls)
        m_stalls->show(processes, QDateTime::currentMSecsSinceEpoch());
}

void RunWatch::awaitStacks(const QList<int> &processes)
{
    m_stalls->awaitStacks(processes, QDateTime::currentMSecsSinceEpoch());
}

void RunWatch::takeSample(const NodeSample &sample)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    m_stalls->sample(sample, now);
    for (const RunEvent &event : m_samples.take(sample, *m_book.state().plan, now))
        m_book.write(event);
}

std::chrono::milliseconds RunWatch::sampleInterval(const SampleWish &wish) const
{
    const RunRecord &record = m_book.record();
    const std::chrono::seconds always(record.spec.common.sampleEverySeconds);
    std::chrono::milliseconds interval = always;
    if (wish.isWanted || m_isStallNear)
        interval = always.count() > 0 ? std::min(interval, betweenSamples) : betweenSamples;
    if (interval.count() == 0)
        return interval;
    return std::max(interval, std::chrono::milliseconds(1000 * record.plan.nodes.size() / nodesASecond));
}

void RunWatch::look()
{
    const RunKeeper::Findings found = m_keeper->look();
    for (const QString &folder : found.fullFolders)
        m_growth->markGaps(folder);
    std::vector<int> grown = m_growth->mark(); // Before the notes: their readers look for gaps at once.
    for (const Sentence &note : found.notes)
        m_book.note(note);
    m_progress->look(!grown.empty());
    lookForStalls(std::move(grown));
    m_book.saveIfNeeded();
    Q_EMIT looked();
}

void RunWatch::lookForStalls(std::vector<int> grown)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (m_sinceLook.restart() > wasAsleepAfterMs) { // This program did not run: the silence was not observed.
        grown.resize(m_book.state().ranks.size());
        std::iota(grown.begin(), grown.end(), 0);
    }
    m_stalls->grow(grown, now);
    const bool isRunning = m_book.state().phase == RunPhase::Running;
    const bool isNear = m_stalls->isStallNear() && isRunning;
    if (std::exchange(m_isStallNear, isNear) != isNear)
        Q_EMIT sampleIntervalChanged();
    const auto news = m_stalls->look(now);
    if (news && isRunning)
        m_book.write(*news);
}

} // namespace rankdeck
