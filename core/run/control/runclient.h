#pragma once

#include "base/oneshottimer.h"
#include "run/control/peer.h"
#include "run/record/runreader.h"
#include "run/record/runrequests.h"
#include "run/samples/nodesample.h"

#include <QLocalSocket>

namespace rankdeck
{

/// Ends a run and waits for its end: a live run through its supervisor; of a lost run, what is still alive on
/// this machine. Runs its own event loop. Fails if the supervisor cannot be asked or a process not ended.
std::optional<Error> endRun(const QString &directory);

/// Watches one run, live or past, and passes requests to its supervisor. Several clients may watch one run.
/// What it reports is read from the run directory; the supervisor's socket only says when to read.
/// Lives in any thread with an event loop and does its file access there: keep it off the GUI thread.
class RunClient : public QObject
{
    Q_OBJECT

public:
    explicit RunClient(QString runDirectory);
    ~RunClient() override;

public Q_SLOTS:
    /// Reads the run, emits stateChanged(), and stays connected while the run is live.
    void open();
    /// Sends the request once the supervisor answers. Does nothing if the run has ended.
    void request(const rankdeck::Request &request);
    void stop() { request(StopRequest()); } ///< Ends the whole run: SIGTERM, grace, SIGKILL.
    void kill() { request(StopRequest{true, {}}); }
    /// Asks for the keyboard of the run's terminals, now and after each lost connection: keyboardChanged().
    /// @param name of this client, for other users to read.
    void askForKeyboard(const QString &name, bool evenIfHeld);
    /// Says which logs are shown, by index in the plan, ascending: they are copied first from other nodes.
    void show(const QList<int> &processes);
    /// Sets which samples are wanted from now on; sampled() brings them while the run lives.
    void sample(const rankdeck::SampleWish &wish);

Q_SIGNALS:
    /// Emitted after open(), each change (at most every 50 ms, refused every 4 s) and the end of the run.
    void stateChanged(const rankdeck::RunState &state);
    /// The directory is not a run or cannot be read, or its supervisor has another version; for the user.
    void failed(const QString &sentence);
    /// Who has the keyboard has changed; without a supervisor it is free.
    void keyboardChanged(const rankdeck::Keyboard &keyboard);
    /// Emitted for each node every few seconds; a client that does not keep up misses some.
    void sampled(const rankdeck::NodeSample &sample);
    /// The supervisor has too many clients; a sentence for the user, emitted once until it answers again. The
    /// run is still followed, a little later, and requests are sent when there is room.
    void refused(const QString &sentence);

private:
    void connectToSupervisor();
    void continueSupervisor();
    void greet();
    void readSocket();
    void readNews();
    void giveUp(const QString &why, const QString &mend);
    void type(const TerminalInput &input);
    void send(const ClientMessage &message);
    void sendQueued();
    KeyboardRequest takeKeyboardRequest();

    RunReader m_reader;
    QLocalSocket m_socket;
    OneShotTimer m_retry;
    OneShotTimer m_news;
    PeerTalk m_talk;
    QByteArray m_queued;
    QList<int> m_shown;
    SampleWish m_wish;
    std::optional<KeyboardRequest> m_keyboard; ///< To be sent with the next greeting.
    bool m_isAccepted = false;                 ///< The connected supervisor has answered.
    bool m_isRefused = false;                  ///< The last answer was that there are too many clients.
    bool m_wantsEnd = false;                   ///< Has requested the end of the run or of some processes.
    bool m_gaveUp = false;
};

} // namespace rankdeck
