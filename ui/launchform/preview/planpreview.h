#pragma once

#include "background/inbackground.h"
#include "base/oneshottimer.h"
#include "launch/host/hostfacts.h"
#include "launchform/fields/previewresult.h"

namespace rankdeck
{

/// The plan of a spec, or the reason why there is none, and the facts about this machine that it was made
/// from.
struct PlannedLaunch {
    PreviewResult preview;
    HostFacts facts;
};

/// Plans a launch. Blocks: it reads files and may resolve a name.
/// @param chip the rank table is checked by its rules.
PlannedLaunch plannedLaunch(const LaunchSpec &spec, Chip chip);

/// Makes the plan of a spec that is being edited, in the background. Collects requests for 150 ms; the newest
/// wins: the result of an older one is dropped.
class PlanPreview : public QObject
{
    Q_OBJECT

public:
    explicit PlanPreview(QObject *parent = nullptr);

    void request(const LaunchSpec &spec);
    /// Returns true until the newest request has been answered.
    bool isPending() const { return m_wanted.has_value() || m_busy; }

Q_SIGNALS:
    void ready(const rankdeck::PreviewResult &result);

private:
    void send();
    void receive(const PreviewResult &result);

    NewestWins<PreviewResult> m_making;
    OneShotTimer m_debounce{150};
    std::optional<LaunchSpec> m_wanted; ///< Not sent yet.
    bool m_busy = false;
};

} // namespace rankdeck
