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
    /// @param files where the copies are, writtenFiles() of each process of the node and its hookLogs(),
    /// which are always wanted; empty: none is kept.
    NodeLogs(AgentLink &link, const QStringList &files, const LogMirror::Options &options,
             QObject *parent = nullptr);
    /// The files of these processes, by index in the node's share, are looked at: they come first, and are
    /// copied while they are.
    void show(const QList<int> &processes);
    /// What these write is wanted from now on, whatever the options say.
    void want(const QList<int> &processes);
    /// The processes have ended, and nothing more will be wanted: the node may go once all is sent.
    void finish();
    /// The node is there again: what was on its way is asked for once more.
    void goOn();
    /// Waits until what has come is written, or kept back by a full disk.
    ~NodeLogs() override;

Q_SIGNALS:
    /// The node has said or sent something: bytes that are still to come, or to be written.
    void progressed(qint64 bytesLeft);
    /// A sentence for the journal.
    void failed(const QString &problem);

private:
    bool m_followsAll;
    bool m_isFinished = false;
    QList<int> m_shown;
    QList<int> m_wanted;
    QThread m_thread;
    LogMirror *m_mirror; ///< Lives in that thread, and ends with it.
};

} // namespace rankdeck
