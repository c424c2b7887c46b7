#include "diagnosis/logdirectory/logdirectorywatch.h"

#include <QMetaType>

namespace rankdeck
{

LogDirectoryWatch::LogDirectoryWatch(const QString &directory, QObject *parent)
    : QObject(parent)
    , m_logs(directory)
    , m_timer(this)
{
    constexpr int lookMs = 2000;
    qRegisterMetaType<RunState>();
    m_timer.setInterval(lookMs);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_logs.update())
            Q_EMIT stateChanged(m_logs.state());
    });
}

void LogDirectoryWatch::open()
{
    const auto state = m_logs.open();
    if (!state) {
        Q_EMIT failed(state.error().sentence());
        return;
    }
    Q_EMIT stateChanged(*state);
    m_timer.start();
}

} // namespace rankdeck
