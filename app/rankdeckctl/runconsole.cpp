#include "runconsole.h"

#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdicttext.h"
#include "output.h"

#include <QCoreApplication>

#include <csignal>
#include <numeric>

namespace rankdeck
{

namespace
{

constexpr int tickMs = 50;

} // namespace

RunConsole::RunConsole(const QString &runDirectory, Options options)
    : m_options(options)
    , m_client(runDirectory)
{
    m_tick.setInterval(tickMs);
    connect(&m_tick, &QTimer::timeout, this, &RunConsole::printNews);
    connect(&m_client, &RunClient::stateChanged, this, &RunConsole::take);
    connect(&m_client, &RunClient::failed, this, [](const QString &sentence) {
        say(QStringLiteral("rankdeckctl: ") + sentence);
        QCoreApplication::exit(unusableInput);
    });
    connect(&m_client, &RunClient::refused, this,
            [](const QString &sentence) { say(QStringLiteral("rankdeckctl: ") + sentence); });
    if (options.signalsStopRun) {
        m_signals = std::make_unique<UnixSignals>(std::initializer_list<int>{SIGINT, SIGTERM});
        connect(m_signals.get(), &UnixSignals::received, this, &RunConsole::onSignal);
    }
}

int RunConsole::watch()
{
    QMetaObject::invokeMethod(&m_client, &RunClient::open, Qt::QueuedConnection);
    return QCoreApplication::exec();
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
        std::vector<int> all(state.ranks.size());
        std::iota(all.begin(), all.end(), 0);
        // All that is in the logs already is that of every attempt.
        const int attempt = m_options.tail < 0 ? 0 : state.attempt;
        m_printer.emplace(state, LogChoice{.processes = all, .tail = m_options.tail, .attempt = attempt});
        m_tick.start();
        m_client.show({all.begin(), all.end()});
    }
    if (m_printer)
        m_printer->follow(state);
    if (m_options.showEvents)
        sayNews(state);
    m_state = state;
    if (!isLive(state.phase))
        finish(state);
}

void RunConsole::printNews()
{
    if (m_printer->printNew(*m_state))
        QTimer::singleShot(0, this, &RunConsole::printNews);
}

void RunConsole::sayNews(const RunState &state)
{
    const auto notesBefore = m_state ? m_state->notes.size() : 0;
    for (const QString &note : state.notes.mid(notesBefore))
        say(note);
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        const bool isNew =
            !m_state || m_state->attempt != state.attempt || m_state->ranks[index].status != rank.status;
        if (isNew && rank.status && !rank.status->isSuccess())
            say(tr("%1 (pid: %2): %3")
                    .arg(state.plan->processes[index].label())
                    .arg(rank.pid)
                    .arg(rank.status->text()));
    }
}

void RunConsole::finish(const RunState &state)
{
    m_tick.stop();
    if (m_printer)
        m_printer->printRest(state);
    if (m_options.showEvents) {
        if (state.failure)
            say(QStringLiteral("DistributedRuntimeError: ") + verdictText(diagnose(state), state).trimmed());
        say(tr("Run %1: %2.").arg(state.name, phaseWord(state.phase)));
    }
    const bool endedByOurSignal = state.phase == RunPhase::Stopped && m_firstSignal != 0;
    QCoreApplication::exit(endedByOurSignal ? 128 + m_firstSignal : state.exitCode);
}

} // namespace rankdeck
