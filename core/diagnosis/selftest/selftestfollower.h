#pragma once

#include "diagnosis/selftest/selftestlogs.h"

#include <QObject>
#include <QTimer>

namespace rankdeck
{

/// Follows what the ranks of a run tell of a collective self-test; of a run that is none it soon looks no
/// more. Lives in a thread of its own, never in the GUI thread.
class SelfTestFollower : public QObject
{
    Q_OBJECT

public:
    static constexpr int lookMs = 250; ///< Between two looks, and between two news at least.

    explicit SelfTestFollower(const LaunchPlan &plan, QObject *parent = nullptr);

public Q_SLOTS:
    /// Read what there is, and look for more.
    void start();
    /// The run is over: read to the end, then stop looking.
    void finish();

Q_SIGNALS:
    /// All that is known by now.
    void told(const rankdeck::SelfTestResults &results);

private:
    void look();

    SelfTestLogs m_logs;
    QTimer m_timer;
    bool m_isFinishing = false;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::SelfTestResults)
