#pragma once

#include "log/file/logfollower.h"
#include "log/growingfile.h"

#include <QThread>

namespace rankdeck::test
{

/// A growing file and its follower, in a thread of its own as in the window.
class FollowedLog
{
public:
    explicit FollowedLog(const QByteArray &bytes = {})
    {
        if (!bytes.isEmpty())
            disk.append(bytes);
        m_follower = new LogFollower(disk.path());
        m_follower->moveToThread(&m_thread);
        QObject::connect(&m_thread, &QThread::finished, m_follower, &QObject::deleteLater);
        QObject::connect(&m_thread, &QThread::started, m_follower, &LogFollower::start);
        m_thread.start();
    }
    ~FollowedLog()
    {
        m_thread.quit();
        m_thread.wait();
    }

    LogFollower *follower() const { return m_follower; }

    GrowingFile disk;

private:
    QThread m_thread;
    LogFollower *m_follower;
};

} // namespace rankdeck::test
