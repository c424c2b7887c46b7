#include "mainwindow/runsession.h"

#include "background/iothread.h"
#include "diagnosis/growthclock.h"
#include "logview/gapmarks.h"
#include "run/growthmarks.h"

#include <QCoreApplication>

#include <numeric>

namespace rankdeck
{

RunSession::RunSession(QString directory, Source source, IoThread &control, IoThread &logs, QObject *parent)
    : QObject(parent)
    , m_directory(std::move(directory))
    , m_control(control)
    , m_logThread(logs)
{
    if (source == Source::Bundle) {
        watchBundle();
        return;
    }
    if (source == Source::Logs) {
        m_logDirectory.reset(new LogDirectoryWatch(m_directory));
        connect(m_logDirectory.get(), &LogDirectoryWatch::stateChanged, this, &RunSession::takeState);
        connect(m_logDirectory.get(), &LogDirectoryWatch::failed, this, &RunSession::failed);
        control.adopt(m_logDirectory.get());
        return;
    }
    m_client.reset(new RunClient(m_directory));
    connect(m_client.get(), &RunClient::stateChanged, this, &RunSession::takeState);
    connect(m_client.get(), &RunClient::keyboardChanged, this, [this](const Keyboard &keyboard) {
        m_keyboard = keyboard;
        Q_EMIT keyboardChanged(keyboard);
    });
    connect(m_client.get(), &RunClient::sampled, this, &RunSession::sampled);
    connect(m_client.get(), &RunClient::failed, this, &RunSession::failed);
    connect(m_client.get(), &RunClient::refused, this, &RunSession::failed);
    control.adopt(m_client.get());
}

RunSession::~RunSession()
{
    cancel();
}

/// In the thread of the logs: there are none yet, and unpacking may take a while.
void RunSession::watchBundle()
{
    m_bundle.reset(new BundleWatch(m_directory));
    connect(m_bundle.get(), &BundleWatch::opened, this,
            [this](const QString &origin, const Verdict &verdict) {
                m_recordedVerdict = verdict;
                Q_EMIT unpacked(origin);
            });
    connect(m_bundle.get(), &BundleWatch::stateChanged, this, &RunSession::takeState);
    connect(m_bundle.get(), &BundleWatch::failed, this, &RunSession::failed);
    m_logThread.adopt(m_bundle.get());
}

void RunSession::open()
{
    if (m_client)
        QMetaObject::invokeMethod(m_client.get(), &RunClient::open);
    else if (m_bundle)
        QMetaObject::invokeMethod(m_bundle.get(), &BundleWatch::open);
    else
        QMetaObject::invokeMethod(m_logDirectory.get(), &LogDirectoryWatch::open);
}

void RunSession::cancel()
{
    if (m_bundle)
        m_bundle->cancel();
}

void RunSession::stop()
{
    QMetaObject::invokeMethod(m_client.get(), &RunClient::stop);
}

void RunSession::kill()
{
    QMetaObject::invokeMethod(m_client.get(), &RunClient::kill);
}

void RunSession::request(const StopRequest &request)
{
    QMetaObject::invokeMethod(m_client.get(),
                              [client = m_client.get(), request] { client->request(request); });
}

void RunSession::dump(const QList<int> &processes)
{
    QMetaObject::invokeMethod(m_client.get(),
                              [client = m_client.get(), processes] { client->dump(processes); });
}

void RunSession::sendSignal(const SignalRequest &request)
{
    QMetaObject::invokeMethod(m_client.get(),
                              [client = m_client.get(), request] { client->sendSignal(request); });
}

void RunSession::type(const TerminalInput &input)
{
    if (m_client)
        QMetaObject::invokeMethod(m_client.get(), [client = m_client.get(), input] { client->type(input); });
}

void RunSession::askForKeyboard(bool evenIfHeld)
{
    if (!m_client)
        return;
    const QString display = QString::fromLocal8Bit(qgetenv("DISPLAY"));
    const QString name = tr("a window on %1 (pid %2)")
                             .arg(display.isEmpty() ? tr("this machine") : display)
                             .arg(QCoreApplication::applicationPid());
    QMetaObject::invokeMethod(m_client.get(), [client = m_client.get(), name, evenIfHeld] {
        client->askForKeyboard(name, evenIfHeld);
    });
}

void RunSession::sample(const SampleWish &wish)
{
    if (m_client)
        QMetaObject::invokeMethod(m_client.get(), [client = m_client.get(), wish] { client->sample(wish); });
}

void RunSession::attachTool(const ToolRequest &request)
{
    QMetaObject::invokeMethod(m_client.get(),
                              [client = m_client.get(), request] { client->attachTool(request); });
}

void RunSession::show(const QList<int> &processes)
{
    m_shown = processes;
    // Tools have no logs elsewhere.
    m_shown.removeIf([this](int process) { return m_state.plan && process >= int(m_state.ranks.size()); });
    if (!m_client)
        return;
    QMetaObject::invokeMethod(m_client.get(),
                              [client = m_client.get(), processes] { client->show(processes); });
    fetchMissing();
}

/// While the run lives its supervisor does that.
void RunSession::fetchMissing()
{
    m_fetch.reset();
    QList<int> wanted = m_shown;
    wanted.removeIf([this](int process) { return m_fetched.contains(process); });
    if (!m_state.plan || m_state.plan->transport.isEmpty() || isLive(m_state.phase) || wanted.isEmpty())
        return;
    m_fetch.reset(new LogFetch(m_state, wanted));
    connect(m_fetch.get(), &LogFetch::progressed, this, &RunSession::fetching);
    connect(m_fetch.get(), &LogFetch::failed, this, &RunSession::failed);
    connect(m_fetch.get(), &LogFetch::finished, this, [this, wanted] {
        m_fetched += QSet<int>(wanted.begin(), wanted.end()); // A node that failed is not asked each time.
        // Their followers look no more.
        tellLines(&LogLines::finish);
        if (m_progress)
            QMetaObject::invokeMethod(m_progress.get(), &ProgressFollower::finish);
        if (m_selfTest)
            QMetaObject::invokeMethod(m_selfTest.get(), &SelfTestFollower::finish);
        Q_EMIT fetching(0);
    });
    m_control.adopt(m_fetch.get());
    QMetaObject::invokeMethod(m_fetch.get(), &LogFetch::start);
}

LogFollower *RunSession::log(int process)
{
    m_forLastLine.remove(process);
    return follow(process);
}

void RunSession::followLastLines(const QList<int> &processes)
{
    m_seen = processes;
    for (const int process : processes) {
        if (process < 0 || process >= int(m_logs.size()) || m_logs[size_t(process)])
            continue;
        m_forLastLine.insert(process);
        follow(process);
    }
    dropUnseen();
}

/// What was seen lately stays as long as there is room for it.
void RunSession::dropUnseen()
{
    for (auto each = m_forLastLine.begin();
         each != m_forLastLine.end() && m_forLastLine.size() > maxLastLines;) {
        if (m_seen.contains(*each)) {
            ++each;
            continue;
        }
        m_logs[size_t(*each)].reset();
        each = m_forLastLine.erase(each);
    }
}

LogFollower *RunSession::follow(int process)
{
    if (process < 0 || process >= int(m_logs.size()))
        return nullptr;
    RemoteOwner<LogFollower> &follower = m_logs[size_t(process)];
    if (!follower) {
        follower.reset(new LogFollower(m_state.planOf(process)->logFile));
        const bool isTool = size_t(process) >= m_state.plan->processes.size();
        if (isTool) {
            startFollowing(follower.get(), process, false);
            return follower.get();
        }
        connect(follower.get(), &LogFollower::grew, this,
                [this, process, plan = m_state.plan](qint64, qint64, const QString &line) {
                    if (plan == m_state.plan)
                        Q_EMIT lastLine(process, line);
                });
        startFollowing(follower.get(), process, false);
    }
    return follower.get();
}

LogFollower *RunSession::errorLog(int process)
{
    if (process < 0 || process >= int(m_errorLogs.size()))
        return nullptr;
    const QString &path = m_state.planOf(process)->stderrFile;
    RemoteOwner<LogFollower> &follower = m_errorLogs[size_t(process)];
    if (!follower && !path.isEmpty()) {
        follower.reset(new LogFollower(path));
        startFollowing(follower.get(), process, true);
    }
    return follower.get();
}

MergedSpec::Log RunSession::mergedLog(int process, bool isError) const
{
    const ProcessPlan &plan = *m_state.planOf(process);
    MergedSpec::Log log;
    log.path = isError ? plan.stderrFile : plan.logFile;
    if (!m_logDirectory) {
        const QString folder = growthFolder(m_state.directory, *m_state.recordedPlan, m_state.attempt);
        log.clock = [marks = marksFile(folder, process, isError)] {
            return growthClock(marks);
        };
    }
    return log;
}

RemoteOwner<TerminalFollower> RunSession::followTerminal(int process)
{
    if (!m_terminalThread)
        m_terminalThread = std::make_unique<IoThread>(QStringLiteral("terminals"));
    RemoteOwner<TerminalFollower> follower(new TerminalFollower(m_state.planOf(process)->logFile));
    m_terminalThread->adopt(follower.get());
    return follower;
}

RemoteOwner<RankAnswers> RunSession::answers()
{
    RemoteOwner<RankAnswers> answers(new RankAnswers(m_state.plan->promptPattern));
    m_logThread.adopt(answers.get());
    return answers;
}

RemoteOwner<MergedLines> RunSession::merge(const MergedSpec &spec)
{
    RemoteOwner<MergedLines> lines(new MergedLines(spec));
    m_merged.removeAll(QPointer<MergedLines>());
    m_merged.append(lines.get());
    m_logThread.adopt(lines.get());
    QMetaObject::invokeMethod(lines.get(), &MergedLines::start);
    if (!mayGrow(m_state.phase))
        QMetaObject::invokeMethod(lines.get(), &MergedLines::finish);
    return lines;
}

void RunSession::startFollowing(LogFollower *follower, int process, bool isError)
{
    m_logThread.adopt(follower);
    markGaps(follower, process, isError);
    QMetaObject::invokeMethod(follower, &LogFollower::start);
    if (!mayGrow(m_state.phase))
        QMetaObject::invokeMethod(follower, &LogFollower::finish);
}

void RunSession::markGaps(LogFollower *follower, int process, bool isError)
{
    if (!m_client)
        return;
    const QString folder = growthFolder(m_state.directory, *m_state.recordedPlan, m_state.attempt);
    QMetaObject::invokeMethod(follower, [follower, folder, process, isError] {
        follower->setMarks(gapMarks(folder, process, isError));
    });
}

void RunSession::markAllGaps()
{
    for (int process = 0; process < int(m_logs.size()); ++process) {
        if (const auto &follower = m_logs[size_t(process)])
            markGaps(follower.get(), process, false);
        if (const auto &follower = m_errorLogs[size_t(process)])
            markGaps(follower.get(), process, true);
    }
}

void RunSession::followLogs()
{
    m_forLastLine.clear();
    m_logs.clear();
    m_errorLogs.clear();
    const size_t processes = m_state.plan->processes.size();
    m_logs.resize(processes + m_state.tools.size());
    m_errorLogs.resize(m_logs.size());
    QList<int> followed = m_seen;
    if (processes <= size_t(maxLastLines)) {
        followed.resize(int(processes));
        std::iota(followed.begin(), followed.end(), 0);
    }
    followLastLines(followed);
    followProgress();
    followSelfTest();
    followSamples();
}

void RunSession::followProgress()
{
    // The plan would have been refused with a pattern that is none.
    const auto reader =
        ProgressReader::create(m_state.spec ? m_state.spec->common.progressPattern : QString());
    m_progress.reset(new ProgressFollower(*m_state.plan, reader ? *reader : ProgressReader()));
    const auto isOfPlan = [this, plan = m_state.plan] {
        return plan == m_state.plan;
    };
    connect(m_progress.get(), &ProgressFollower::progressed, this,
            [this, isOfPlan](const ProgressNews &news) {
                if (isOfPlan())
                    Q_EMIT progressed(news);
            });
    connect(m_progress.get(), &ProgressFollower::plotted, this,
            [this, isOfPlan](const ProgressCurves &curves) {
                if (isOfPlan())
                    Q_EMIT plotted(curves);
            });
    m_logThread.adopt(m_progress.get());
    QMetaObject::invokeMethod(m_progress.get(),
                              mayGrow(m_state.phase) ? &ProgressFollower::start : &ProgressFollower::finish);
    plot(m_plotted);
}

void RunSession::followSelfTest()
{
    m_selfTest.reset(new SelfTestFollower(*m_state.plan));
    connect(m_selfTest.get(), &SelfTestFollower::told, this,
            [this, plan = m_state.plan](const SelfTestResults &results) {
                if (plan == m_state.plan)
                    Q_EMIT selfTestTold(results);
            });
    m_logThread.adopt(m_selfTest.get());
    QMetaObject::invokeMethod(m_selfTest.get(),
                              mayGrow(m_state.phase) ? &SelfTestFollower::start : &SelfTestFollower::finish);
}

void RunSession::followSamples()
{
    if (m_logDirectory)
        return;
    m_samples.reset(new SampleHistoryFollower(m_state.directory, m_state.plan));
    const auto isOfPlan = [this, plan = m_state.plan] {
        return plan == m_state.plan;
    };
    connect(m_samples.get(), &SampleHistoryFollower::plotted, this,
            [this, isOfPlan](const SampleCurves &curves) {
                if (isOfPlan())
                    Q_EMIT samplesPlotted(curves);
            });
    connect(m_samples.get(), &SampleHistoryFollower::recentTold, this,
            [this, isOfPlan](const RecentBusyness &recent) {
                if (isOfPlan())
                    Q_EMIT recentTold(recent);
            });
    m_logThread.adopt(m_samples.get());
    tellSamplesOfLife();
    plotSamples(m_sampled);
}

void RunSession::tellSamplesOfLife()
{
    if (m_samples)
        QMetaObject::invokeMethod(m_samples.get(), [samples = m_samples.get(), live = isLive(m_state.phase)] {
            samples->setLive(live);
        });
}

void RunSession::plotSamples(const QList<int> &processes)
{
    m_sampled = processes;
    if (m_samples)
        QMetaObject::invokeMethod(m_samples.get(),
                                  [samples = m_samples.get(), processes] { samples->plot(processes); });
}

void RunSession::tellRecent()
{
    const qint64 since = QDateTime::currentMSecsSinceEpoch() -
                         qint64(RunSamples::mostRecent) * RunSamples::recentSeconds * 1000;
    if (m_samples)
        QMetaObject::invokeMethod(m_samples.get(),
                                  [samples = m_samples.get(), since] { samples->tellRecent(since); });
}

void RunSession::plot(const QList<int> &processes)
{
    m_plotted = processes;
    if (m_progress)
        QMetaObject::invokeMethod(m_progress.get(),
                                  [progress = m_progress.get(), processes] { progress->plot(processes); });
}

void RunSession::takeState(const RunState &state)
{
    const bool first = !m_state.plan;
    const bool replaced = !first && state.plan != m_state.plan;
    const bool grewBefore = mayGrow(m_state.phase);
    const bool livedBefore = isLive(m_state.phase);
    const bool isNoted = state.notes.size() != m_state.notes.size();
    if (replaced) {
        m_plotted.clear(); // They are of the plan before.
        m_sampled.clear();
        Q_EMIT logsReplaced();
    }
    m_state = state;
    if (!first && !replaced && m_logs.size() < state.ranks.size() + state.tools.size()) {
        m_logs.resize(state.ranks.size() + state.tools.size());
        m_errorLogs.resize(m_logs.size());
    }
    if (first || replaced) {
        followLogs();
    } else if (grewBefore != mayGrow(state.phase)) {
        tellLines(grewBefore ? &LogLines::finish : &LogLines::start);
        QMetaObject::invokeMethod(m_progress.get(),
                                  grewBefore ? &ProgressFollower::finish : &ProgressFollower::start);
        QMetaObject::invokeMethod(m_selfTest.get(),
                                  grewBefore ? &SelfTestFollower::finish : &SelfTestFollower::start);
    }
    if (!first && !replaced && livedBefore != isLive(state.phase))
        tellSamplesOfLife();
    if (first)
        fetchMissing(); // Of an old run; a live one has fetched what is shown.
    // A disk that was full and has room again is noted once the gaps are.
    if (isNoted)
        markAllGaps();
    Q_EMIT stateChanged(m_state);
}

void RunSession::tellLines(void (LogLines::*what)())
{
    for (const auto *followers : {&m_logs, &m_errorLogs}) {
        for (const RemoteOwner<LogFollower> &follower : *followers) {
            if (follower)
                QMetaObject::invokeMethod(follower.get(), what);
        }
    }
    for (const QPointer<MergedLines> &lines : std::as_const(m_merged)) {
        if (lines)
            QMetaObject::invokeMethod(lines.get(), what);
    }
}

} // namespace rankdeck
