#pragma once

#include "agent/preflight/openruns.h"
#include "launch/launchplan.h"

#include <QList>
#include <QProcessEnvironment>
#include <QString>

namespace rankdeck
{

/// Says on a node that this process prepares or runs a node's share of a launch for several nodes, wherever
/// that was launched from, so that other launches find what it uses. Goes away with the object; the mark of a
/// process that was killed counts no more.
class ShareMark
{
public:
    /// @param head the host that the run `runName` was launched from.
    /// @param environment of the share's processes.
    ShareMark(const QString &runName, const QString &head, const LaunchPlan &share,
              const QProcessEnvironment &environment);
    ~ShareMark();
    ShareMark(const ShareMark &) = delete;
    ShareMark &operator=(const ShareMark &) = delete;

private:
    QString m_directory;
};

/// The shares on this machine, as runs that their agents supervise. Marks that count no more are removed.
QList<OpenRun> markedShares();

/// Ask the agent of the share at `directory` to end it in order, and wait for that. Runs an event loop of its
/// own. Error: it has not ended in time.
std::optional<Error> endShare(const QString &directory);

} // namespace rankdeck
