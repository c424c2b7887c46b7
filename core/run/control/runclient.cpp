#include "run/control/runclient.h"

#include "run/record/rundirectory.h"
#include "run/strays/leftovers.h"

#include <QEventLoop>

#include <algorithm>

namespace rankdeck
{

/// Each pause is twice as long as the one before: a supervisor that starts does so in one of the first.
constexpr int firstPauseMs = 50;
constexpr int longestPauseMs = 500;
/// A supervisor that has too many clients must not be kept busy by refused ones.
constexpr int longestRefusedPauseMs = 4000;
constexpr qint64 readBufferBytes = 65536;

std::optional<Error> endRun(const QString &directory)
{
    QEventLoop loop;
    RunClient client(directory);
    std::optional<RunState> last;
    QString problem;
    QObject::connect(&client, &RunClient::stateChanged, &loop, [&](const RunState &state) {
        last = state;
        if (!isLive(state.phase))
            loop.quit();
    });
    QObject::connect(&client, &RunClient::failed, &loop, [&](const QString &sentence) {
        problem = sentence;
        loop.quit();
    });
    QMetaObject::invokeMethod(
        &client,
        [&client] {
            client.open();
            client.stop();
        },
        Qt::QueuedConnection);
    loop.exec();
    if (!problem.isEmpty())
        return Error{problem, {}, {}};
    // The thread may have ended the loop, when its window was closed.
    if (!last || isLive(last->phase))
        return Error{tr("the run has not ended yet"), directory, {}};
    if (last->phase == RunPhase::Lost) {
        if (const auto error = endLeftovers(*last))
            return error;
    }
    unmarkLive(directory);
    return std::nullopt;
}

RunClient::RunClient(QString runDirectory)
    : m_reader(std::move(runDirectory))
    , m_socket(this)
    , m_retry(0, this)
    , m_news(50, this)
{
    m_retry.setInterval(firstPauseMs);
    m_socket.setReadBufferSize(readBufferBytes);
    connect(&m_retry, &QTimer::timeout, this, [this] {
        m_retry.setInterval(
            std::min(2 * m_retry.interval(), m_isRefused ? longestRefusedPauseMs : longestPauseMs));
        readNews();
        connectToSupervisor();
    });
    connect(&m_news, &QTimer::timeout, this, &RunClient::readNews);
    connect(&m_socket, &QLocalSocket::connected, this, &RunClient::greet);
    connect(&m_socket, &QLocalSocket::readyRead, this, &RunClient::readSocket);
    connect(&m_socket, &QLocalSocket::disconnected, this, [this] {
        if (std::exchange(m_isAccepted, false))
            Q_EMIT keyboardChanged({});
        readNews();
        m_retry.start();
    });
    connect(&m_socket, &QLocalSocket::errorOccurred, this, [this] { m_retry.start(); });
}

RunClient::~RunClient()
{
    // A socket that is destroyed emits signals, to timers that are gone by then.
    m_socket.disconnect(this);
}

void RunClient::open()
{
    const auto state = m_reader.open();
    if (!state) {
        Q_EMIT failed(state.error().sentence());
        return;
    }
    Q_EMIT stateChanged(*state);
    if (m_wantsEnd)
        continueSupervisor();
    connectToSupervisor();
}

void RunClient::connectToSupervisor()
{
    if (!m_gaveUp && isLive(m_reader.state().phase) && m_socket.state() == QLocalSocket::UnconnectedState)
        m_socket.connectToServer(m_reader.record().socketPath);
}

void RunClient::greet()
{
    if (!isSameUser(m_socket.socketDescriptor())) {
        giveUp(tr("another user owns the run's socket %1").arg(m_socket.fullServerName()), {});
        return;
    }
    m_retry.stop();
    m_talk = PeerTalk(NodeSample::longestLine);
    m_socket.write(QByteArray(runProtocol) + '\n');
}

void RunClient::readSocket()
{
    m_talk.hear(m_socket.readAll());
    bool isNews = false;
    while (const auto line = m_talk.takeLine()) {
        // Any other line says that there is something new to read.
        if (*line == runIsFull) {
            if (!std::exchange(m_isRefused, true))
                Q_EMIT refused(
                    Error{tr("too many windows and commands follow this run"), m_reader.state().name,
                          tr("It is updated only every few seconds until some of them are closed.")}
                        .sentence());
        } else if (const auto keyboard = Keyboard::fromLine(*line)) {
            Q_EMIT keyboardChanged(*keyboard);
        } else if (const auto sample = NodeSample::fromLine(*line)) {
            Q_EMIT sampled(*sample);
        } else {
            isNews = true;
        }
    }
    if (m_talk.state() == PeerTalk::State::OtherVersion || m_talk.state() == PeerTalk::State::Unusable) {
        giveUp(tr("the run's supervisor has another version of Rankdeck"),
               tr("Use the version that launched the run."));
        return;
    }
    if (isNews && !m_isAccepted) {
        m_isAccepted = true;
        m_isRefused = false;
        m_retry.setInterval(firstPauseMs);
        if (!m_shown.isEmpty())
            m_queued += toLine(ShownLogs{m_shown}) + '\n';
        if (m_wish.isWanted)
            m_queued += toLine(m_wish) + '\n';
        if (m_keyboard)
            m_queued.prepend(toLine(takeKeyboardRequest()) + '\n');
        sendQueued();
    }
    if (isNews && !m_news.isActive())
        m_news.start();
}

void RunClient::giveUp(const QString &why, const QString &mend)
{
    m_gaveUp = true;
    m_socket.abort();
    Q_EMIT failed(Error{why, m_reader.state().name, mend}.sentence());
}

void RunClient::readNews()
{
    m_news.stop();
    if (m_reader.update())
        Q_EMIT stateChanged(m_reader.state());
}

void RunClient::request(const Request &request)
{
    if (std::holds_alternative<StopRequest>(request)) {
        m_wantsEnd = true;
        continueSupervisor();
    }
    if (!isLive(m_reader.state().phase))
        return;
    std::visit(Overloaded{
                   [this](const auto &kind) { send(kind); },
                   [this](const TerminalInput &input) { type(input); },
               },
               request);
}

void RunClient::type(const TerminalInput &input)
{
    TerminalInput part = input;
    for (qsizetype begin = 0; begin < input.bytes.size() || (begin == 0 && input.size);
         begin += TerminalInput::mostBytes) {
        part.bytes = input.bytes.mid(begin, TerminalInput::mostBytes);
        send(part);
    }
}

/// Who was stopped (SIGSTOP) ends nothing.
void RunClient::continueSupervisor()
{
    const RunRecord &record = m_reader.record();
    for (const auto &process : {record.starter, record.guardian, record.supervisor}) {
        if (process && isAlive(*process))
            continueIfSuspended(static_cast<pid_t>(process->pid));
    }
    if (record.supervisor || !record.starter)
        return;
    for (const ProcessInfo &process : descendants(static_cast<pid_t>(record.starter->pid)))
        continueIfSuspended(process.pid);
}

void RunClient::askForKeyboard(const QString &name, bool evenIfHeld)
{
    m_keyboard = KeyboardRequest{name, evenIfHeld};
    if (m_isAccepted)
        send(takeKeyboardRequest());
}

/// Takes the keyboard over from another client once; after a lost connection only asks for it.
KeyboardRequest RunClient::takeKeyboardRequest()
{
    const KeyboardRequest request = *m_keyboard;
    m_keyboard->evenIfHeld = false;
    return request;
}

void RunClient::show(const QList<int> &processes)
{
    if (processes == m_shown)
        return;
    m_shown = processes;
    if (m_isAccepted)
        send(ShownLogs{m_shown});
}

void RunClient::sample(const SampleWish &wish)
{
    if (wish == m_wish)
        return;
    m_wish = wish;
    if (m_isAccepted)
        send(m_wish);
}

/// Sends the message, or queues it until the supervisor has answered.
void RunClient::send(const ClientMessage &message)
{
    m_queued += toLine(message) + '\n';
    if (m_isAccepted)
        sendQueued();
}

void RunClient::sendQueued()
{
    m_socket.write(m_queued);
    m_socket.flush();
    m_queued.clear();
}

} // namespace rankdeck
