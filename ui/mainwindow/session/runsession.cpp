#include "mainwindow/session/runsession.h"

#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/keptverdict.h"

namespace rankdeck
{

RunSession::RunSession(QString directory, Source source, IoThread &control, IoThread &logs)
    : m_directory(std::move(directory))
    , m_source(source)
    , m_control(control)
    , m_logThread(logs)
    , m_logs(source, logs, this)
{
    connect(&m_logs, &SessionLogs::lastLine, this, &RunSession::lastLine);
    if (source == Source::Bundle)
        watchBundle();
    else if (source == Source::Logs)
        watchLogDirectory();
    else if (source == Source::Run)
        watchRun();
}

void RunSession::watchRun()
{
    m_client.reset(new RunClient(m_directory));
    connect(m_client.get(), &RunClient::stateChanged, this, &RunSession::takeState);
    connect(m_client.get(), &RunClient::keyboardChanged, this, [this](const Keyboard &keyboard) {
        m_keyboard = keyboard;
        Q_EMIT keyboardChanged(keyboard);
    });
    connect(m_client.get(), &RunClient::sampled, this, &RunSession::sampled);
    connect(m_client.get(), &RunClient::failed, this, &RunSession::failed);
    connect(m_client.get(), &RunClient::refused, this, &RunSession::failed);
    m_control.adopt(m_client.get());
}

void RunSession::watchLogDirectory()
{
    m_logDirectory.reset(new LogDirectoryWatch(m_directory));
    connect(m_logDirectory.get(), &LogDirectoryWatch::stateChanged, this, &RunSession::takeState);
    connect(m_logDirectory.get(), &LogDirectoryWatch::failed, this, &RunSession::failed);
    m_control.adopt(m_logDirectory.get());
}

/// Uses the log thread: there are no logs yet, and unpacking may take a while.
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

void RunSession::openReplay()
{
    inBackground(
        this, [name = m_directory] { return rankdeck::openReplay(name); },
        [this](const Result<ReplaySource> &source) {
            if (source)
                beginReplay(*source);
            else
                Q_EMIT failed(source.error().sentence());
        });
}

void RunSession::beginReplay(const ReplaySource &source)
{
    const RunReplay &replay = *source.replay;
    m_player =
        std::make_unique<ReplayPlayer>(source, replay.begin(), m_speed.value_or(ReplayClock::leastSpeed));
    connect(m_player.get(), &ReplayPlayer::reached, this, &RunSession::takeMoment);
    if (replay.ended().hasTrouble())
        inBackground(
            this,
            [ended = replay.ended()] {
                const auto kept = keptVerdict(ended);
                return kept ? *kept : diagnose(ended);
            },
            [this](const Verdict &verdict) {
                m_recordedVerdict = verdict;
                m_player->look();
            });
    Q_EMIT replayOpened(m_player.get());
    if (m_speed)
        m_player->playOrPause();
}

/// Nothing of a replay is kept: its failure waits for the verdict, or views would look for one and keep it.
void RunSession::takeMoment(const ReplayMoment &moment)
{
    RunState state = moment.state;
    if (m_state.plan && state.attempt == m_state.attempt)
        state.plan = m_state.plan; // Another value would be another plan.
    if (!m_recordedVerdict)
        state.forgetTrouble();
    m_logs.setLengths(moment.logs);
    takeState(state);
    ProgressNews news;
    for (std::size_t process = 0; process < moment.progress.size(); ++process)
        news.ranks.append({int(process), moment.progress[process]});
    m_replayed = moment.progress;
    Q_EMIT progressed(news);
    Q_EMIT samplesReplayed(moment.samples);
    sendCurves();
}

/// Sends what curves had by the time of a replay.
void RunSession::sendCurves()
{
    if (!m_plotted.isEmpty())
        Q_EMIT plotted(m_curves.until(m_replayed));
    if (!m_sampled.isEmpty())
        Q_EMIT samplesPlotted(m_sampleCurves.until(m_state.seenAt.toMSecsSinceEpoch()));
}

void RunSession::open()
{
    if (m_source == Source::Replay)
        openReplay();
    call(m_client, &RunClient::open);
    call(m_bundle, &BundleWatch::open);
    call(m_logDirectory, &LogDirectoryWatch::open);
}

void RunSession::cancel()
{
    if (m_bundle)
        m_bundle->cancel();
}

void RunSession::askForKeyboard(bool evenIfHeld)
{
    const QString display = QString::fromLocal8Bit(qgetenv("DISPLAY"));
    const QString name = tr("a window on %1 (pid %2)")
                             .arg(display.isEmpty() ? tr("this machine") : display)
                             .arg(QCoreApplication::applicationPid());
    call(m_client, &RunClient::askForKeyboard, name, evenIfHeld);
}

void RunSession::show(const QList<int> &processes)
{
    m_shown = processes;
    // The logs of tools are all on this node.
    m_shown.removeIf([this](int process) { return m_state.plan && process >= int(m_state.ranks.size()); });
    if (!m_client)
        return;
    call(m_client, &RunClient::show, processes);
    fetchMissing();
}

/// Fetches logs of a run that has ended; while a run is live its supervisor does so.
void RunSession::fetchMissing()
{
    m_fetch.reset();
    if (!m_client)
        return;
    QList<int> wanted = m_shown;
    wanted.removeIf([this](int process) { return m_fetched.contains(process); });
    if (!m_state.plan || m_state.plan->transport.isEmpty() || isLive(m_state.phase) || wanted.isEmpty())
        return;
    m_fetch.reset(new LogFetch(m_state, wanted));
    connect(m_fetch.get(), &LogFetch::progressed, this, &RunSession::fetching);
    connect(m_fetch.get(), &LogFetch::failed, this, &RunSession::failed);
    connect(m_fetch.get(), &LogFetch::finished, this, [this, wanted] {
        m_fetched += QSet<int>(wanted.begin(), wanted.end()); // A node that failed is not asked each time.
        setGrowing(false); // The followers have stopped polling: they read the fetched part.
        Q_EMIT fetching(0);
    });
    m_control.adopt(m_fetch.get());
    call(m_fetch, &LogFetch::start);
}

RemoteOwner<TerminalFollower> RunSession::followTerminal(int process)
{
    if (!m_terminalThread)
        m_terminalThread = std::make_unique<IoThread>(u"terminals"_s);
    RemoteOwner<TerminalFollower> follower(new TerminalFollower(m_state.planOf(process)->logFile));
    follower->setLimit(m_logs.limitOf(process, false));
    m_terminalThread->adopt(follower.get());
    return follower;
}

RemoteOwner<RankAnswers> RunSession::answers()
{
    RemoteOwner<RankAnswers> answers(new RankAnswers(m_state.plan->promptPattern));
    m_logThread.adopt(answers.get());
    return answers;
}

void RunSession::followProgress()
{
    // A launch with an invalid pattern would have been refused.
    const auto reader =
        ProgressReader::create(m_state.spec ? m_state.spec->common.progressPattern : QString());
    m_progress.reset(new ProgressFollower(*m_state.plan, reader ? *reader : ProgressReader(),
                                          ProgressPlaces::of(m_state)));
    if (isReplay()) {
        connect(m_progress.get(), &ProgressFollower::plotted, this, [this](const ProgressCurves &curves) {
            m_curves = curves;
            sendCurves();
        });
    } else {
        passOn(m_progress, &ProgressFollower::progressed, &RunSession::progressed);
        passOn(m_progress, &ProgressFollower::plotted, &RunSession::plotted);
    }
    m_logThread.adopt(m_progress.get());
    call(m_progress, isGrowing() ? &ProgressFollower::start : &ProgressFollower::finish);
    plot(m_plotted);
}

void RunSession::followSelfTest()
{
    m_selfTest.reset(new SelfTestFollower(*m_state.plan));
    passOn(m_selfTest, &SelfTestFollower::told, &RunSession::selfTestTold);
    m_logThread.adopt(m_selfTest.get());
    call(m_selfTest, isGrowing() ? &SelfTestFollower::start : &SelfTestFollower::finish);
}

void RunSession::followSamples()
{
    if (m_logDirectory)
        return;
    m_samples.reset(new SampleHistoryFollower(m_state.directory, m_state.plan));
    if (isReplay())
        connect(m_samples.get(), &SampleHistoryFollower::plotted, this, [this](const SampleCurves &curves) {
            m_sampleCurves = curves;
            sendCurves();
        });
    else
        passOn(m_samples, &SampleHistoryFollower::plotted, &RunSession::samplesPlotted);
    passOn(m_samples, &SampleHistoryFollower::recentTold, &RunSession::recentTold);
    m_logThread.adopt(m_samples.get());
    call(m_samples, &SampleHistoryFollower::setLive, m_state.isLiveNow());
    plotSamples(m_sampled);
}

void RunSession::plotSamples(const QList<int> &processes)
{
    m_sampled = processes;
    call(m_samples, &SampleHistoryFollower::plot, processes);
}

void RunSession::tellRecent()
{
    const qint64 since = QDateTime::currentMSecsSinceEpoch() -
                         qint64(RunSamples::mostRecent) * RunSamples::recentSeconds * 1000;
    call(m_samples, &SampleHistoryFollower::tellRecent, since);
}

void RunSession::plot(const QList<int> &processes)
{
    m_plotted = processes;
    call(m_progress, &ProgressFollower::plot, processes);
}

void RunSession::takeState(const RunState &state)
{
    const bool first = !m_state.plan;
    const bool replaced = !first && state.plan != m_state.plan;
    const bool grewBefore = isGrowing();
    const bool livedBefore = m_state.isLiveNow();
    if (replaced) {
        m_plotted.clear(); // Indexes of the old plan.
        m_sampled.clear();
        Q_EMIT logsReplaced();
    }
    m_state = state;
    m_logs.setState(state);
    if (first || replaced) {
        followProgress();
        followSelfTest();
        followSamples();
    } else {
        if (grewBefore != isGrowing())
            setGrowing(!grewBefore);
        if (livedBefore != state.isLiveNow())
            call(m_samples, &SampleHistoryFollower::setLive, !livedBefore);
    }
    if (first)
        fetchMissing(); // For a run that had finished already; a live one has fetched the visible logs.
    Q_EMIT stateChanged(m_state);
}

void RunSession::setGrowing(bool mayGrow)
{
    m_logs.setGrowing(mayGrow);
    call(m_progress, mayGrow ? &ProgressFollower::start : &ProgressFollower::finish);
    call(m_selfTest, mayGrow ? &SelfTestFollower::start : &SelfTestFollower::finish);
}

} // namespace rankdeck
