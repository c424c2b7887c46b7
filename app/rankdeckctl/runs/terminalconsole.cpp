#include "rankdeckctl/runs/terminalconsole.h"

#include "rankdeckctl/console/output.h"

#include <cerrno>

#include <sys/ioctl.h>
#include <unistd.h>

namespace rankdeck
{

constexpr char ctrlK = 0x0b;
constexpr char ctrlP = 0x10;
constexpr char ctrlQ = 0x11;

/// Delay of a key's echo, besides the way to the rank and back.
constexpr int keyTickMs = 10;
constexpr qint64 chunkBytes = 64 * 1024;
/// Bytes of earlier output that are shown, so that a waiting prompt is seen.
constexpr qint64 shownBefore = 2048;

RawTerminal::RawTerminal()
{
    termios settings{};
    if (tcgetattr(STDIN_FILENO, &settings) != 0)
        return;
    m_before = settings;
    cfmakeraw(&settings);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings);
}

RawTerminal::~RawTerminal()
{
    if (m_before)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &*m_before);
}

std::optional<TerminalSize> RawTerminal::size() const
{
    winsize window{};
    if (!m_before || ioctl(STDIN_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_row == 0 ||
        window.ws_col == 0)
        return std::nullopt;
    return TerminalSize{window.ws_row, window.ws_col};
}

QByteArray ConsoleKeys::take(const QByteArray &bytes)
{
    QByteArray typed;
    for (const char key : bytes) {
        if (m_isDetached)
            break;
        const bool wasBegun = std::exchange(m_isBegun, false);
        if (wasBegun && key == ctrlQ) {
            m_isDetached = true;
        } else if (wasBegun && key == ctrlK) {
            m_wantsKeyboard = true;
        } else if (key == ctrlP && !wasBegun) {
            m_isBegun = true;
        } else {
            if (wasBegun)
                typed += ctrlP;
            typed += key;
        }
    }
    return typed;
}

TerminalConsole::TerminalConsole(const QString &runDirectory, int rank, int process)
    : m_rank(rank)
    , m_process(process)
    , m_client(runDirectory)
    , m_signals({SIGWINCH, SIGTERM, SIGHUP, SIGINT})
    , m_keys(STDIN_FILENO, QSocketNotifier::Read)
{
    m_keys.setEnabled(false);
    m_tick.setInterval(keyTickMs);
    connect(&m_tick, &QTimer::timeout, this, &TerminalConsole::printNews);
    connect(&m_keys, &QSocketNotifier::activated, this, &TerminalConsole::readKeys);
    connect(&m_client, &RunClient::stateChanged, this, &TerminalConsole::take);
    connect(&m_client, &RunClient::keyboardChanged, this, &TerminalConsole::sayKeyboard);
    connect(&m_client, &RunClient::failed, this,
            [this](const QString &sentence) { end(unusableInput, u"rankdeckctl: "_s + sentence); });
    connect(&m_signals, &UnixSignals::received, this, [this](int number) {
        if (number == SIGWINCH)
            tellSize();
        else
            end(128 + number, {});
    });
}

void TerminalConsole::take(const RunState &state)
{
    if (!std::exchange(m_hasBegun, true))
        begin(state);
    if (m_hasEnded)
        return;
    const RankState *its = state.stateOf(m_process);
    if (isLive(state.phase) && its && !its->status)
        return;
    while (printNews()) {
    }
    const auto status = its ? its->status : std::nullopt;
    end(status ? status->shellCode() : state.exitCode,
        tr("%1 has ended: %2.").arg(m_name, status ? status->text() : tr("exit status unknown")));
}

/// Returns the index of m_rank in the plan, or -1 after an error message if it has no terminal to type into.
int TerminalConsole::findRank(const RunState &state)
{
    const int found = state.plan->processOfRank(m_rank);
    if (found < 0) {
        end(refuse({tr("there is no rank %1 in this run").arg(m_rank), u"--rank"_s, {}}), {});
    } else if (!isLive(state.phase)) {
        end(refuse({tr("this run has ended"), state.name, {}}), {});
    } else if (!state.planOf(found)->hasTerminal) {
        end(refuse({tr("rank %1 has no terminal").arg(m_rank), state.name,
                    tr("Launch with --tty %1, or --tty all.").arg(m_rank)}),
            {});
    } else {
        return found;
    }
    return -1;
}

void TerminalConsole::begin(const RunState &state)
{
    if (m_rank >= 0)
        m_process = findRank(state);
    const ProcessPlan *plan = m_hasEnded ? nullptr : state.planOf(m_process);
    if (!plan)
        return;
    m_name = m_rank >= 0 ? tr("Rank %1").arg(m_rank) : plan->label();
    m_log.setFileName(plan->logFile);
    m_client.show({m_process});
    if (isatty(STDIN_FILENO) != 0)
        say(tr("%1 of %2. Ctrl-P Ctrl-Q detaches from it.").arg(m_name, state.name));
    m_terminal.emplace();
    m_client.askForKeyboard(consoleName(), true);
    m_keys.setEnabled(true);
    m_tick.start();
}

void TerminalConsole::readKeys()
{
    std::array<char, 4096> bytes;
    const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0) {
        // Output is still shown: the rank's terminal has no end of its own.
        m_keys.setEnabled(count < 0 && (errno == EINTR || errno == EAGAIN));
        return;
    }
    const QByteArray keys(bytes.data(), count);
    const QByteArray typed = m_terminal->isThere() ? m_consoleKeys.take(keys) : keys;
    if (m_consoleKeys.takeKeyboardWish())
        m_client.askForKeyboard(consoleName(), true);
    if (!typed.isEmpty())
        m_client.request(TerminalInput{{m_process}, typed, {}});
    if (m_consoleKeys.isDetached())
        end(0, tr("%1 continues.").arg(m_name));
}

void TerminalConsole::sayKeyboard(const Keyboard &keyboard)
{
    if (keyboard.isOurs && !m_keyboard.isOurs)
        tellSize();
    const bool isNews = keyboard.holder != m_keyboard.holder;
    m_keyboard = keyboard;
    if (isNews && !keyboard.holder.isEmpty() && m_terminal && m_terminal->isThere())
        say(u"\r\n"_s + tr("The keyboard is with %1 now. Ctrl-P Ctrl-K takes it back.").arg(keyboard.holder) +
            '\r'_L1);
}

void TerminalConsole::tellSize()
{
    if (const auto size = m_terminal ? m_terminal->size() : std::nullopt)
        m_client.request(TerminalInput{{m_process}, {}, size});
}

/// Returns true if there may be more.
bool TerminalConsole::printNews()
{
    if (!m_log.isOpen()) {
        if (!m_log.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
            return false;
        // A tool is shown whole, as it has just been started.
        m_log.seek(m_rank < 0 ? 0 : std::max<qint64>(0, m_log.size() - shownBefore));
        if (m_log.pos() > 0)
            m_log.readLine(); // It may be half a line.
    }
    const QByteArray news = m_log.read(chunkBytes);
    if (!news.isEmpty() && !printBytes(news))
        end(128 + SIGPIPE, {});
    return news.size() == chunkBytes && !m_hasEnded;
}

void TerminalConsole::end(int code, const QString &why)
{
    if (std::exchange(m_hasEnded, true))
        return;
    m_tick.stop();
    m_keys.setEnabled(false);
    const bool wasRaw = m_terminal && m_terminal->isThere();
    m_terminal.reset();
    if (!why.isEmpty())
        say((wasRaw ? u"\n"_s : QString()) + why);
    exitLater(code);
}

} // namespace rankdeck
