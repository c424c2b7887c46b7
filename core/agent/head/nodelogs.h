#pragma once

#include "agent/head/agentlink.h"
#include "run/mirror/logmirror.h"
#include "run/mirror/sharedfolder.h"
#include "run/record/runrecord.h"
#include "run/record/runstate.h"

#include <QThread>

namespace rankdeck
{

/// The places where this machine reads the files that processes of other nodes write: the files themselves if
/// both machines see the same folder, else copies in the run directory, whose names the head alone chooses.
class LogPlaces
{
public:
    /// Puts a file into the run directory, and into the folder above all logs of `plan` that are elsewhere,
    /// until this is destroyed: a node that sees the file sees the same folder. Makes the folder if it is
    /// missing. A folder that cannot be written here counts as the nodes' own.
    LogPlaces(QString runDirectory, const LaunchPlan &plan);

    /// Whether the node that has answered sees the folder that a file is in.
    bool sees(const PreparedNode &node, const QString &path) const;
    /// Returns the questions to the nodes; answered in PreparedNode::answers.
    const QList<FolderProbe> &asked() const { return m_asked; }
    /// Sets the files that this machine reads in `process`, which was planned with this run directory.
    /// @param own its index in its node's share.
    /// @param planned the same process with the attempt's number in its paths.
    /// Fails if the node names another place than the head sent to it.
    std::optional<Error> place(ProcessPlan &process, const ProcessPlan &planned, const PreparedNode &node,
                               int own, bool isRestarted) const;

private:
    void ask(const QString &folder);
    QString copyOf(const ProcessPlan &process, const QString &path, int own, bool isRestarted) const;

    QString m_directory;
    std::vector<SharedFolderProbe> m_probes;
    QList<FolderProbe> m_asked; ///< Parallel to m_probes.
};

/// The copies of one node's logs here, kept while its agent lives. A thread of its own writes them, so that a
/// slow disk delays nothing else.
class NodeLogs : public QObject
{
    Q_OBJECT

public:
    /// @param files where the copies are, writtenFiles() of each process of the node and its hookLogs(),
    /// which are always wanted; empty: none is kept.
    NodeLogs(AgentLink &link, const QStringList &files, const LogMirror::Options &options);
    /// Copies the files of these processes first, for as long as they are shown.
    /// @param processes by index in the node's share.
    void show(const QList<int> &processes);
    /// Copies the files of these processes from now on, whatever the options say.
    void want(const QList<int> &processes);
    /// The processes have ended, and nothing more will be wanted: the node may go once all is sent.
    void finish();
    /// Continues after the node has reconnected: requests the pieces that were on their way again.
    void goOn();
    /// Waits until all received bytes are written, or kept back by a full disk.
    ~NodeLogs() override;

Q_SIGNALS:
    /// The node has said or sent something: bytes that are still to come, or to be written.
    void progressed(qint64 bytesLeft);
    /// A sentence for the journal.
    void failed(const rankdeck::Sentence &problem);

private:
    bool m_followsAll;
    bool m_isFinished = false;
    QList<int> m_shown;
    QList<int> m_wanted;
    QThread m_thread;
    LogMirror *m_mirror; ///< Lives in that thread, and ends with it.
};

/// Copies missing parts of logs on other nodes: of a run without mirrors, or of nodes that were lost. Reaches
/// each node again, as the launch did, and starts nothing there. Lives in any thread with an event loop; its
/// destructor cancels an unfinished copy.
class LogFetch : public QObject
{
    Q_OBJECT

public:
    /// Only the newest attempt's logs can be fetched.
    /// @param processes by index in the plan.
    LogFetch(RunState state, const QList<int> &processes);

    /// Reads the run's record, and does nothing where nothing can be missing here.
    void start();

Q_SIGNALS:
    /// Bytes that are still to come, of the nodes that have answered.
    void progressed(qint64 bytesLeft);
    /// A node's logs cannot be had, or not wholly; a sentence.
    void failed(const rankdeck::Sentence &sentence);
    /// After all nodes; also when some have failed.
    void finished();

private:
    struct Node {
        std::unique_ptr<AgentLink> link;
        std::unique_ptr<NodeLogs> logs;
        QString name;
        QStringList files;  ///< There …
        QStringList copies; ///< … and here.
        qint64 bytesLeft = 0;
        bool isDone = false;
    };

    void addNodes(const RunRecord &record);
    void add(const PlannedNode &planned, const RunRecord &record, const std::vector<ProcessPlan> &processes);
    void greet(Node &node);

    RunState m_state;
    QList<int> m_processes;
    std::vector<std::unique_ptr<Node>> m_nodes;
    std::size_t m_ended = 0;
};

} // namespace rankdeck
