#pragma once

#include "run/attachedtool.h"
#include "run/keyboard.h"
#include "run/peer.h"
#include "run/runreader.h"
#include "run/runstate.h"
#include "run/samples/nodesample.h"
#include "run/samples/samplewish.h"
#include "run/signalrequest.h"
#include "run/stoprequest.h"
#include "run/terminalinput.h"

#include <QLocalSocket>
#include <QObject>
#include <QTimer>

namespace rankdeck
{

/// Watches one run, live or past, and passes requests to its supervisor. Several may watch one run.
/// What it reports is read from the run directory; the supervisor's socket only says when to look.
/// Lives in any thread with an event loop and does its file access there: keep it off the GUI thread.
class RunClient : public QObject
{
    Q_OBJECT

public:
    explicit RunClient(QString runDirectory, QObject *parent = nullptr);
    ~RunClient() override;

public Q_SLOTS:
    /// Read what is there, emit stateChanged(), and stay connected while the run is live.
    void open();
    /// Ask for an end of the run or of some of its processes. Sent as soon as the supervisor has answered.
    void request(const rankdeck::StopRequest &request);
    /// An orderly end of the whole run: SIGTERM, grace, SIGKILL.
    void stop() { request({}); }
    /// SIGKILL at once.
    void kill() { request({true, {}}); }
    /// Ask for the stacks of these processes, by index in the plan, ascending; RunState::dumps tells of them.
    void dump(const QList<int> &processes);
    /// Ask that a signal is sent; RankState::signalAnswers tell of it.
    void sendSignal(const rankdeck::SignalRequest &request);
    /// Ask that a tool is attached to a rank; RunState::tools tell of it.
    void attachTool(const rankdeck::ToolRequest &request);
    /// Type into terminals of ranks, or say how large they are shown; as soon as the supervisor has answered.
    void type(const rankdeck::TerminalInput &input);
    /// Ask for the keyboard of the run's terminals, which keyboardChanged() tells of; it is asked for again
    /// after the connection was lost.
    /// @param name who asks, for others to read.
    void askForKeyboard(const QString &name, bool evenIfHeld);
    /// The logs of these processes, by index in the plan, ascending, are what somebody looks at: where they
    /// are copied from other nodes, they come first.
    void show(const QList<int> &processes);
    /// What is wanted of samples from now on; sampled() brings them while the run lives.
    void sample(const rankdeck::SampleWish &wish);

Q_SIGNALS:
    /// After open() and after every change, at most every 50 ms, and every 4 s while the supervisor refuses;
    /// always once the run has ended.
    void stateChanged(const rankdeck::RunState &state);
    /// The directory is no run, cannot be read, or its supervisor speaks another version; a sentence for the
    /// user.
    void failed(const QString &sentence);
    /// Whenever the supervisor says so; once it is gone the keyboard is nobody's.
    void keyboardChanged(const rankdeck::Keyboard &keyboard);
    /// Of each node every few seconds; a client that does not keep up misses some.
    void sampled(const rankdeck::NodeSample &sample);
    /// The supervisor has more clients than it takes; a sentence for the user, told once until it
    /// answers again. The run is followed
    /// all the same, a little later, and what is asked for is sent when there is room.
    void refused(const QString &sentence);

private:
    void connectToSupervisor();
    void greet();
    void readSocket();
    void readNews();
    void takeRefusal();
    void giveUp(const QString &why, const QString &mend);
    void ask(const QByteArray &line);
    void sendQueued();
    QByteArray takeKeyboardLine();

    RunReader m_reader;
    QLocalSocket m_socket;
    QTimer m_retry;
    QTimer m_news;
    PeerTalk m_talk;
    QByteArray m_queued;
    QList<int> m_shown;
    SampleWish m_wish;
    std::optional<KeyboardRequest> m_keyboard; ///< To be sent with the next greeting.
    bool m_isAccepted = false;                 ///< By the supervisor that is spoken to.
    bool m_isRefused = false;                  ///< By the last one that said something.
    bool m_gaveUp = false;
};

} // namespace rankdeck
