#pragma once

#include "agent/head/nodelogs.h"
#include "bundle/openbundle.h"
#include "debugger/rankanswers.h"
#include "diagnosis/progress/progressfollower.h"
#include "diagnosis/selftest/selftestfollower.h"
#include "mainwindow/session/sessionlogs.h"
#include "replay/replayplayer.h"
#include "run/control/runclient.h"
#include "run/samples/samplehistoryfollower.h"
#include "terminal/screen/terminalfollower.h"

namespace rankdeck
{

/// The window's side of a run, live or replayed, of a directory of logs, or of a report bundle: owns what
/// watches journal and logs in the I/O threads, and passes on their reports. Lives in the GUI thread.
class RunSession : public QObject
{
    Q_OBJECT

public:
    using Source = RunSource;

    /// @param directory of the run or its logs; for a bundle, its file. What is replayed may be any of these.
    /// @param control thread of the run's client: never held up by slow logs, so that Stop always gets
    /// through.
    /// @param logs thread of the log followers. Both must outlive the session.
    RunSession(QString directory, Source source, IoThread &control, IoThread &logs);
    ~RunSession() override { cancel(); }

    const QString &directory() const { return m_directory; }
    bool isBundle() const { return m_bundle != nullptr; }
    bool isReplay() const { return m_source == Source::Replay; }
    /// Sets the speed of a replay, which plays as soon as it is open; without it, it begins paused.
    void setSpeed(double speed) { m_speed = speed; }
    /// The verdict of a bundle or at a replay's end, without a failure if there is none; else nothing.
    const std::optional<Verdict> &recordedVerdict() const { return m_recordedVerdict; }
    /// Last known state; plan is null until the first stateChanged().
    const RunState &state() const { return m_state; }
    SessionLogs &logs() { return m_logs; }
    /// Reads the log of a process that has a terminal, in a thread of its own that a flood of lines does not
    /// hold up; the thread ends with the session.
    RemoteOwner<TerminalFollower> followTerminal(int process);
    /// Collects the answers of ranks to commands, in the log thread.
    RemoteOwner<RankAnswers> answers();

    /// Requests plotted() for these processes from now on; empty ends it.
    void plot(const QList<int> &processes);
    /// Requests samplesPlotted() for these processes from now on; empty ends it.
    void plotSamples(const QList<int> &processes);
    /// Requests how busy processes were lately: recentTold() comes for each node that has a history.
    void tellRecent();

    /// Starts watching.
    void open();
    /// Stops unpacking a bundle; failed() follows.
    void cancel();
    /// Sets the processes whose logs are on screen: copied from other nodes first, missing parts fetched.
    void show(const QList<int> &processes);

    // Requests to the run's supervisor, see RunClient; ignored for a directory of logs and a bundle.
    void request(const Request &request) { call(m_client, &RunClient::request, request); }
    void sample(const SampleWish &wish) { call(m_client, &RunClient::sample, wish); }
    /// Requests the keyboard of the run's terminals; `evenIfHeld` takes it from its holder.
    void askForKeyboard(bool evenIfHeld);
    /// Last known holder of the keyboard.
    const Keyboard &keyboard() const { return m_keyboard; }

Q_SIGNALS:
    /// The plan was replaced, as by a new attempt: all followers of logs() end now; stateChanged() follows.
    void logsReplaced();
    void stateChanged(const rankdeck::RunState &state);
    void keyboardChanged(const rankdeck::Keyboard &keyboard);
    void sampled(const rankdeck::NodeSample &sample);
    /// A replay is open; the player is there as long as the session is.
    void replayOpened(rankdeck::ReplayPlayer *player);
    /// What NPUs and processes did at the time of a replay.
    void samplesReplayed(const rankdeck::RunSamples &samples);
    /// A bundle was unpacked; `origin` is a sentence on where and when it was made.
    void unpacked(const QString &origin);
    /// The directory or file is not what it was opened as, or cannot be read.
    void failed(const QString &sentence);
    /// Logs are being fetched from other nodes: bytes still to come; 0 at the end.
    void fetching(qint64 bytesLeft);
    void lastLine(int process, const QString &line);
    /// Progress of all ranks, whether on screen or not.
    void progressed(const rankdeck::ProgressNews &news);
    void plotted(const rankdeck::ProgressCurves &curves);
    void samplesPlotted(const rankdeck::SampleCurves &curves);
    void recentTold(const rankdeck::RecentBusyness &recent);
    /// The ranks run a collective self-test; `results` so far.
    void selfTestTold(const rankdeck::SelfTestResults &results);

private:
    /// Calls a function of an object in the thread it lives in; does nothing if there is no object.
    template <typename Object, typename... Parameters, typename... Arguments>
    static void call(const RemoteOwner<Object> &object, void (Object::*function)(Parameters...),
                     const Arguments &...arguments)
    {
        if (object)
            QMetaObject::invokeMethod(object.get(), [there = object.get(), function, arguments...] {
                (there->*function)(arguments...);
            });
    }
    /// Passes a signal of a follower on, unless the plan it was created for was replaced meanwhile.
    template <typename Follower, typename Value>
    void passOn(const RemoteOwner<Follower> &follower, void (Follower::*from)(const Value &),
                void (RunSession::*to)(const Value &))
    {
        connect(follower.get(), from, this, [this, to, plan = m_state.plan](const Value &value) {
            if (plan == m_state.plan)
                (this->*to)(value);
        });
    }
    void watchRun();
    void watchLogDirectory();
    void watchBundle();
    void openReplay();
    void beginReplay(const ReplaySource &source);
    void takeMoment(const ReplayMoment &moment);
    void sendCurves();
    void takeState(const RunState &state);
    void followProgress();
    void followSelfTest();
    void followSamples();
    void setGrowing(bool mayGrow);
    /// Whether logs may grow. In a replay the whole of them is read once.
    bool isGrowing() const { return !isReplay() && mayGrow(m_state.phase); }
    void fetchMissing();

    QString m_directory;
    Source m_source;
    IoThread &m_control;
    IoThread &m_logThread;
    std::unique_ptr<IoThread> m_terminalThread; ///< Once a terminal is shown.
    RunState m_state;
    Keyboard m_keyboard;
    // Exactly one of these is set, by Source; the last one once it is open.
    RemoteOwner<RunClient> m_client;
    RemoteOwner<LogDirectoryWatch> m_logDirectory;
    RemoteOwner<BundleWatch> m_bundle;
    std::unique_ptr<ReplayPlayer> m_player;
    std::optional<double> m_speed;
    std::vector<RankProgress> m_replayed; ///< By process, at the time of a replay.
    ProgressCurves m_curves;              ///< Span the whole replay, as m_sampleCurves does.
    SampleCurves m_sampleCurves;
    std::optional<Verdict> m_recordedVerdict;
    SessionLogs m_logs;
    QList<int> m_shown;
    QSet<int> m_fetched;           ///< Processes whose logs were fetched completely.
    RemoteOwner<LogFetch> m_fetch; ///< Fetches the logs on screen.
    RemoteOwner<ProgressFollower> m_progress;
    RemoteOwner<SelfTestFollower> m_selfTest;
    RemoteOwner<SampleHistoryFollower> m_samples; ///< Null for a directory of logs.
    QList<int> m_plotted;                         ///< Processes whose progress is plotted.
    QList<int> m_sampled;                         ///< Processes whose samples are plotted.
};

} // namespace rankdeck
