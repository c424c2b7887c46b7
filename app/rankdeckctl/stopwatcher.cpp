#include "stopwatcher.h"

#include "output.h"

#include <QCoreApplication>

namespace rankdeck
{

StopWatcher::StopWatcher(const QString &runDirectory, StopRequest request)
    : m_request(std::move(request))
    , m_client(runDirectory)
{
    connect(&m_client, &RunClient::stateChanged, this, &StopWatcher::take);
    connect(&m_client, &RunClient::failed, this, [](const QString &sentence) {
        say(QStringLiteral("rankdeckctl: ") + sentence);
        QCoreApplication::exit(unusableInput);
    });
    connect(&m_client, &RunClient::refused, this,
            [](const QString &sentence) { say(QStringLiteral("rankdeckctl: ") + sentence); });
}

int StopWatcher::watch()
{
    QMetaObject::invokeMethod(
        &m_client,
        [this] {
            m_client.open();
            m_client.request(m_request);
        },
        Qt::QueuedConnection);
    return QCoreApplication::exec();
}

void StopWatcher::take(const RunState &state)
{
    // Such as what could not be killed, and why.
    for (const QString &note : state.notes.mid(m_state ? m_state->notes.size() : state.notes.size()))
        say(note);
    bool haveAllEnded = true;
    for (const int process : std::as_const(m_request.processes)) {
        const auto index = static_cast<std::size_t>(process);
        const RankState &rank = state.ranks[index];
        const QString label = state.plan->processes[index].label();
        haveAllEnded = haveAllEnded && rank.status;
        if (!m_state && rank.status)
            say(tr("%1 had ended already: %2").arg(label, rank.status->text()));
        else if (rank.status && !m_state->ranks[index].status)
            say(tr("%1 (pid: %2): %3").arg(label).arg(rank.pid).arg(rank.status->text()));
    }
    m_state = state;
    if (haveAllEnded || !isLive(state.phase))
        QCoreApplication::quit();
}

} // namespace rankdeck
