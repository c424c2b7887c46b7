#include "runwatcher.h"

#include "output.h"

#include <QCoreApplication>

namespace rankdeck
{

RunWatcher::RunWatcher(const QString &runDirectory)
    : m_client(runDirectory)
{
    connect(&m_client, &RunClient::stateChanged, this, &RunWatcher::hear);
    connect(&m_client, &RunClient::failed, this, [](const QString &sentence) {
        say(QStringLiteral("rankdeckctl: ") + sentence);
        QCoreApplication::exit(unusableInput);
    });
    connect(&m_client, &RunClient::refused, this,
            [](const QString &sentence) { say(QStringLiteral("rankdeckctl: ") + sentence); });
}

int RunWatcher::watch()
{
    QMetaObject::invokeMethod(&m_client, &RunClient::open, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

void RunWatcher::hear(const RunState &state)
{
    const std::optional<RunState> before = std::exchange(m_state, state);
    if (!before)
        ask(m_client, state);
    if (take(state, before ? &*before : nullptr) || !isLive(state.phase))
        QCoreApplication::quit();
}

} // namespace rankdeck
