#pragma once

#include "launch/hostfacts.h"
#include "launch/launchspec.h"
#include "ranktable/ranktable.h"
#include "result.h"

#include <QObject>

#include <atomic>

namespace rankdeck
{

class RankTableWaiter;

/// The part of a LaunchJob that blocks; lives in its thread.
class LaunchWorker : public QObject
{
    Q_OBJECT

public:
    explicit LaunchWorker(LaunchSpec spec);

    void run();
    /// From any thread. A run that is already being started is not undone.
    void requestCancel();

Q_SIGNALS:
    void progress(const QString &text);
    // Exactly one of these, once:
    void launched(const QString &runDirectory);
    void failed(const rankdeck::Error &error);
    void cancelled();

private:
    void finishWaiting(const Result<RankTable> &table);
    void launch(const RankTable &table);
    void fail(const Error &error);
    void giveUp();

    LaunchSpec m_spec;
    HostFacts m_facts;
    QString m_tablePath;
    RankTableWaiter *m_waiter = nullptr; ///< A child.
    std::atomic_bool m_cancelRequested = false;
    bool m_done = false;
};

} // namespace rankdeck
