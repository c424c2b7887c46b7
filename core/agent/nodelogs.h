#pragma once

#include "agent/agentlink.h"
#include "run/logmirror.h"

#include <QObject>
#include <QStringList>
#include <QThread>

namespace rankdeck
{

/// The copies of one node's logs here, kept while its agent lives. They are written in a thread of their own,
/// so that a slow disk holds nothing up but them.
class NodeLogs : public QObject
{
    Q_OBJECT

public:
    /// @param files where the copies are, writtenFiles() of each process of the node; empty: none is kept.
    NodeLogs(AgentLink &link, const QStringList &files, const LogMirror::Options &options,
             QObject *parent = nullptr);
    /// Waits until what has come is written, or kept back by a full disk.
    ~NodeLogs() override;

Q_SIGNALS:
    /// A sentence for the journal.
    void failed(const QString &problem);

private:
    QThread m_thread;
    LogMirror *m_mirror; ///< Lives in that thread, and ends with it.
};

} // namespace rankdeck
