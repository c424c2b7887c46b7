#pragma once

#include "agent/channel/agentprotocol.h"
#include "agent/nodereplies.h"
#include "launch/launchplan.h"
#include "run/sharedfolder.h"

#include <QList>
#include <QString>

#include <optional>
#include <vector>

namespace rankdeck
{

/// Where the files that processes of other nodes write are read on this machine: in place where both see the
/// same folder, else in copies in the run directory, which are named here and by nobody else.
class LogPlaces
{
public:
    /// Lays files that tell whether a folder is the same on a node, until this is destroyed: in the run
    /// directory, and in the folder above all logs of `plan` that are elsewhere, which is made when missing.
    /// One that cannot be written here is taken for the nodes' own.
    LogPlaces(QString runDirectory, const LaunchPlan &plan);

    /// Whether the node that has answered sees the folder that a file is in.
    bool sees(const PreparedNode &node, const QString &path) const;
    /// What the nodes are asked; answered in PreparedNode::answers.
    const QList<FolderProbe> &asked() const { return m_asked; }
    /// Puts in `process`, planned with this run directory, where its files are read here.
    /// @param own its index in its node's share.
    /// @param planned the same process with the attempt's number in its paths.
    /// Error: the node names another place than it was told.
    std::optional<Error> place(ProcessPlan &process, const ProcessPlan &planned, const PreparedNode &node,
                               int own, bool isRestarted) const;

private:
    void ask(const QString &folder);
    QString copyOf(const ProcessPlan &process, const QString &path, int own, bool isRestarted) const;

    QString m_directory;
    std::vector<SharedFolderProbe> m_probes;
    QList<FolderProbe> m_asked; ///< By the same index.
};

} // namespace rankdeck
