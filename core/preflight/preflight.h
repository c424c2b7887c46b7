#pragma once

#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "preflight/preflightreport.h"

#include <QObject>
#include <QStringList>

#include <memory>

namespace rankdeck
{

struct PreflightOptions {
    int limitSeconds = 30; ///< For all of it, 1 … 3600; what is not done by then fails, and says so.
    QStringList imports;   ///< Python modules that each node's interpreter must be able to import.
    int paceMs = 0; ///< Each step of the collectives lasts at least so long, for showing how they work.
};

/// Whether a launch would find what it needs, on every node of it, before it is started: see PreflightCheck.
/// Nothing of the launch is started, and nothing is left behind. All its waiting is in the event loop.
class Preflight : public QObject
{
    Q_OBJECT

public:
    /// @param facts what `plan` was made of, of this machine.
    Preflight(LaunchSpec spec, LaunchPlan plan, HostFacts facts, PreflightOptions options,
              QObject *parent = nullptr);
    ~Preflight() override;

    void start();
    /// Ends what was started; finished() follows soon.
    void cancel();
    const PreflightReport &report() const;

Q_SIGNALS:
    /// Of the report.
    void checked(const rankdeck::PreflightCheck &check);
    /// The self-test of the ranks goes on; the report has it already.
    void selfTestHappened(const rankdeck::SelfTestEvent &event);
    /// What is done now, a sentence.
    void progressed(const QString &sentence);
    /// Once.
    void finished();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace rankdeck
