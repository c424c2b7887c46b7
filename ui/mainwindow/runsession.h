#pragma once

#include "agent/logfetch.h"
#include "background/remoteowner.h"
#include "bundle/bundlewatch.h"
#include "debugger/rankanswers.h"
#include "diagnosis/logdirectory/logdirectorywatch.h"
#include "diagnosis/progress/progressfollower.h"
#include "diagnosis/selftest/selftestfollower.h"
#include "log/logfollower.h"
#include "log/mergedlines.h"
#include "run/runclient.h"
#include "run/runstate.h"
#include "run/samples/runsamples.h"
#include "run/samples/samplehistoryfollower.h"
#include "terminal/terminalfollower.h"

#include <QList>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

class IoThread;

/// The window's side of one run, of one directory of logs, or of one report bundle: owns what watches its
/// journal and its logs, in the I/O threads, and passes on what they say. Lives in the GUI thread.
class RunSession : public QObject
{
    Q_OBJECT

public:
    /// Logs that are followed for their last line alone. Each costs an open file and ten looks a second.
    static constexpr int maxLastLines = 256;

    /// What the directory is; a bundle is a file.
    enum class Source { Run, Logs, Bundle };

    /// @param control thread of the run's client: never held up by slow logs, so that Stop always gets
    /// through.
    /// @param logs thread of the log followers. Both must outlive the session.
    RunSession(QString directory, Source source, IoThread &control, IoThread &logs,
               QObject *parent = nullptr);
    ~RunSession() override;

    const QString &directory() const { return m_directory; }
    bool isBundle() const { return m_bundle != nullptr; }
    /// The verdict that a bundle brings, without a failure where it brings none; nothing of all others.
    const std::optional<Verdict> &recordedVerdict() const { return m_recordedVerdict; }
    /// As last heard; plan is null until the first stateChanged().
    const RunState &state() const { return m_state; }
    /// The follower of the log of a process or a tool, made when first asked for; it lives in the log thread
    /// and as long as the session, or until logsReplaced(). Null when there is no such process.
    LogFollower *log(int process);
    /// The same for its standard error; null also where that is not apart.
    LogFollower *errorLog(int process);
    /// Reads the log of a process that has a terminal, in a thread of its own that a flood of lines does not
    /// hold up; the thread ends with the session.
    RemoteOwner<TerminalFollower> followTerminal(int process);
    /// Collects what ranks answer to commands, in the log thread.
    RemoteOwner<RankAnswers> answers();
    /// Start to read lines of several logs, in the log thread; they are finished with the run.
    RemoteOwner<MergedLines> merge(const MergedSpec &spec);
    /// A process's log as merge() takes it, or its standard error.
    MergedSpec::Log mergedLog(int process, bool isError) const;
    /// Whose last lines are seen. Of a run with no more than maxLastLines processes all are told of, seen or
    /// not.
    void followLastLines(const QList<int> &processes);

    /// Send plotted() for these processes from now on; none: no more.
    void plot(const QList<int> &processes);

    /// Send samplesPlotted() for these processes from now on; none: no more.
    void plotSamples(const QList<int> &processes);
    /// Ask how busy processes were lately: recentTold() comes for each node that has a history.
    void tellRecent();

    /// Start watching.
    void open();
    /// Unpack a bundle no further; failed() follows.
    void cancel();
    void stop();
    void kill();
    /// Whose logs are looked at: where they are copied from other nodes, these come first, and what is
    /// missing of them is fetched.
    void show(const QList<int> &processes);
    /// What is wanted of samples of its nodes from now on; only of a run that lives.
    void sample(const SampleWish &wish);
    /// End some processes while the others go on.
    void request(const StopRequest &request);
    /// Ask for the stacks of these; see RunState::dumps.
    void dump(const QList<int> &processes);
    void sendSignal(const SignalRequest &request);
    /// Type into terminals of ranks, or say how large they are shown; only of a run that lives.
    void type(const TerminalInput &input);
    /// Ask for the keyboard of the run's terminals, or take it from who has it.
    void askForKeyboard(bool evenIfHeld);
    /// Who has it, as last heard.
    const Keyboard &keyboard() const { return m_keyboard; }
    void attachTool(const ToolRequest &request);

Q_SIGNALS:
    /// The followers that log() and errorLog() gave out end now: another plan, such as that of a new attempt,
    /// has logs of its own.
    /// stateChanged() follows.
    void logsReplaced();
    void stateChanged(const rankdeck::RunState &state);
    void keyboardChanged(const rankdeck::Keyboard &keyboard);
    void sampled(const rankdeck::NodeSample &sample);
    /// A bundle has been unpacked; a sentence on where and when it was made.
    void unpacked(const QString &origin);
    /// The directory is not what it was said to be, or cannot be read.
    void failed(const QString &sentence);
    /// Logs are being fetched from other nodes: bytes still to come; 0 at the end.
    void fetching(qint64 bytesLeft);
    void lastLine(int process, const QString &line);
    /// Of all ranks, seen or not.
    void progressed(const rankdeck::ProgressNews &news);
    void plotted(const rankdeck::ProgressCurves &curves);
    void samplesPlotted(const rankdeck::SampleCurves &curves);
    void recentTold(const rankdeck::RecentBusyness &recent);
    /// The ranks make a collective self-test: what they have told by now.
    void selfTestTold(const rankdeck::SelfTestResults &results);

private:
    void watchBundle();
    void takeState(const RunState &state);
    void followLogs();
    void followProgress();
    void followSelfTest();
    void followSamples();
    void tellSamplesOfLife();
    LogFollower *follow(int process);
    void dropUnseen();
    void fetchMissing();
    void startFollowing(LogFollower *follower, int process, bool isError);
    void markGaps(LogFollower *follower, int process, bool isError);
    void markAllGaps();
    void tellLines(void (LogLines::*what)());

    QString m_directory;
    IoThread &m_control;
    IoThread &m_logThread;
    std::unique_ptr<IoThread> m_terminalThread; ///< Once a terminal is shown.
    RunState m_state;
    Keyboard m_keyboard;
    // One of the three.
    RemoteOwner<RunClient> m_client;
    RemoteOwner<LogDirectoryWatch> m_logDirectory;
    RemoteOwner<BundleWatch> m_bundle;
    std::optional<Verdict> m_recordedVerdict;
    QList<int> m_shown;
    QSet<int> m_fetched;                               ///< Nothing more is to be had of these.
    RemoteOwner<LogFetch> m_fetch;                     ///< Of the logs that were shown last.
    std::vector<RemoteOwner<LogFollower>> m_logs;      ///< By process; null where nobody asked yet.
    std::vector<RemoteOwner<LogFollower>> m_errorLogs; ///< The same.
    QList<QPointer<MergedLines>> m_merged;
    RemoteOwner<ProgressFollower> m_progress;
    RemoteOwner<SelfTestFollower> m_selfTest;
    RemoteOwner<SampleHistoryFollower> m_samples; ///< Null of a directory of logs.
    QList<int> m_plotted;
    QList<int> m_sampled;    ///< Whose samples are plotted.
    QSet<int> m_forLastLine; ///< Those of m_logs that log() gave to nobody.
    QList<int> m_seen;       ///< Whose last lines are.
};

} // namespace rankdeck
