#include "rankdeckctl/runs/runconsole.h"

#include "diagnosis/verdict/keptverdict.h"
#include "diagnosis/verdict/verdicttext.h"
#include "rankdeckctl/console/output.h"

#include <cerrno>

#include <unistd.h>

namespace rankdeck
{

constexpr int tickMs = 50;

RunConsole::RunConsole(const QString &runDirectory, Options options)
    : m_options(std::move(options))
    , m_client(runDirectory)
    , m_input(STDIN_FILENO, QSocketNotifier::Read)
{
    m_input.setEnabled(false);
    connect(&m_input, &QSocketNotifier::activated, this, &RunConsole::readInput);
    m_tick.setInterval(tickMs);
    connect(&m_tick, &QTimer::timeout, this, &RunConsole::printNews);
    connect(&m_client, &RunClient::stateChanged, this, &RunConsole::take);
    sayProblems(m_client);
    if (!m_options.stopSignals.isEmpty()) {
        m_signals = std::make_unique<UnixSignals>(m_options.stopSignals);
        connect(m_signals.get(), &UnixSignals::received, this, &RunConsole::onSignal);
    }
}

void RunConsole::onSignal(int number)
{
    if (m_firstSignal == 0) {
        m_firstSignal = number;
        say(tr("Stopping the run; once more to kill it."));
        m_client.stop();
    } else {
        m_client.kill();
    }
}

void RunConsole::take(const RunState &state)
{
    if (m_options.showLogs && !m_printer) {
        m_shown = processesWhere(*state.plan, [&ranks = m_options.ranks](const ProcessPlan &process) {
            return ranks.empty() || (process.role == Role::Worker &&
                                     std::ranges::find(ranks, process.rank.value) != ranks.end());
        });
        // Without a limit all attempts are printed.
        const int attempt = m_options.tail < 0 ? 0 : state.attempt;
        const LogsToPrint choice{.processes = {m_shown.begin(), m_shown.end()},
                                 .tail = m_options.tail,
                                 .attempt = attempt,
                                 .isRaw = m_options.isRaw,
                                 .hasErrorsApart = m_options.hasErrorsApart};
        if (m_options.isJson)
            m_printer = std::make_unique<LogViewer>(state, choice, ViewOptions{.filter = {}, .isJson = true});
        else
            m_printer = std::make_unique<LogPrinter>(state, choice);
        m_tick.start();
        m_client.show(m_shown);
        m_input.setEnabled(m_options.types);
    }
    if (m_printer)
        m_printer->follow(state);
    if (!m_state && !m_options.showPast)
        m_state = state;
    if (m_options.showEvents)
        sayNews(state);
    else
        sayStall(state);
    m_state = state;
    if (!isLive(state.phase))
        finish(state);
}

void RunConsole::printNews()
{
    if (m_printer->printNew(*m_state))
        QTimer::singleShot(0, this, &RunConsole::printNews);
}

void RunConsole::readInput()
{
    std::array<char, 4096> bytes;
    const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count > 0) {
        m_client.askForKeyboard(consoleName(), true);
        m_client.request(TerminalInput{m_shown, QByteArray(bytes.data(), count), {}});
    } else {
        m_input.setEnabled(count < 0 && errno == EINTR);
    }
}

void RunConsole::sayNews(const RunState &state)
{
    const auto notesBefore = m_state ? m_state->notes.size() : 0;
    for (const QString &note : state.notes.mid(notesBefore))
        sayNote(note);
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        // A rank may have been found meanwhile.
        const RankState *known = m_state && index < m_state->ranks.size() ? &m_state->ranks[index] : nullptr;
        const bool isNew = !known || m_state->attempt != state.attempt || known->status != rank.status;
        const bool isBad =
            rank.status && !rank.status->isSuccess() && rank.status->kind != ExitStatus::Kind::Unknown;
        const auto tell = [&](const QString &what) {
            say(tr("%1 (pid: %2): %3").arg(state.plan->processes[index].label()).arg(rank.pid).arg(what));
        };
        if (isNew && isBad)
            tell(rank.status->text());
        const Hold before = known ? known->hold : Hold::None;
        if (rank.hold != before && !rank.status)
            tell(rank.hold == Hold::None        ? tr("continues")
                 : rank.hold == Hold::Suspended ? tr("paused (SIGSTOP)")
                                                : tr("paused by a debugger"));
    }
}

void RunConsole::sayStall(const RunState &state) const
{
    const QString before = m_state ? m_state->standstill() : QString();
    const QString now = state.standstill();
    if (now == before)
        return;
    if (!now.isEmpty())
        say(now);
    else if (state.phase == RunPhase::Running)
        say(m_state->stall ? tr("No rank is stalled any more.") : tr("No rank is paused any more."));
}

void RunConsole::finish(const RunState &state)
{
    m_tick.stop();
    if (m_printer)
        m_printer->printRest(state);
    if (m_options.showEvents) {
        if (state.hasTrouble())
            say(u"DistributedRuntimeError: "_s + verdictText(verdictOf(state), state).trimmed());
        say(tr("Run %1: %2.").arg(state.name, shownWord(state.phase)));
    } else if (state.hasTrouble()) {
        say(verdictTitle(verdictOf(state)));
    }
    const bool endedByOurSignal = state.phase == RunPhase::Stopped && m_firstSignal != 0;
    QCoreApplication::exit(endedByOurSignal ? 128 + m_firstSignal : state.exitCode);
}

} // namespace rankdeck
