#pragma once

#include "launch/text/nodelist.h"
#include "run/process/exitstatus.h"

#include <QProcess>

#include <memory>

namespace rankdeck
{

/// The connection of a supervisor to an agent: a byte stream both ways, over any carrier.
class AgentTransport : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    virtual void start() = 0;
    virtual void write(const QByteArray &bytes) = 0;
    /// Cuts the stream and, where that is possible, kills the agent.
    virtual void abort() = 0;
    /// Pid of the process on this machine that carries the stream; the transport waits for it.
    virtual qint64 localPid() const = 0;
    /// Returns why there was no agent, once the stream has ended; nothing if the `how` of ended() is enough.
    virtual std::optional<Error> problem() const { return std::nullopt; }
    /// Bytes of rankdeckctl that a launch would copy to the node first; 0: none. See CopyPolicy::OnlySay.
    virtual qint64 wantedCopy() const { return 0; }
    /// Returns true if the stream may break without an end: then only silence shows that the agent is gone.
    virtual bool mayFallSilent() const { return true; }
    /// Returns true if the agent may be alive although the stream has ended.
    virtual bool mayHaveLeftAgent() const { return false; }
    /// Path of the agent's program on another node, once the agent has spoken; else empty.
    virtual QString program() const { return {}; }

Q_SIGNALS:
    /// `bytes` may be empty: the other side is alive, but has sent nothing.
    void received(const QByteArray &bytes);
    /// A sentence for the user about how the agent is reached.
    void noted(const rankdeck::Sentence &sentence);
    /// The stream has ended; `how` is a sentence for the journal. Emitted once.
    void ended(const rankdeck::Sentence &how);
};

/// A transport over a child process's standard input and output.
class ProcessTransport : public AgentTransport
{
    Q_OBJECT

public:
    explicit ProcessTransport(QStringList command);
    ~ProcessTransport() override;

    void start() override;
    void write(const QByteArray &bytes) override { m_process.write(bytes); }
    void abort() override { m_process.kill(); }
    qint64 localPid() const override { return m_process.processId(); }

protected:
    virtual Sentence textOfEnd(const ExitStatus &status) const = 0;
    virtual Sentence textOfFailedStart() const = 0;

    QStringList m_command;
    QProcess m_process;
};

/// The agent of this node: a child process, `rankdeckctl agent`.
class LocalTransport : public ProcessTransport
{
    Q_OBJECT

public:
    explicit LocalTransport(const QString &program);

    bool mayFallSilent() const override { return false; }

protected:
    Sentence textOfEnd(const ExitStatus &status) const override;
    Sentence textOfFailedStart() const override;
};

/// An agent of another node, behind a program that carries its standard input and output there (ssh, srun,
/// docker). The end of what that program and the node's login shell print on standard error explains an end.
class RemoteTransport : public ProcessTransport
{
    Q_OBJECT

public:
    explicit RemoteTransport(QStringList command);

    /// Bytes that were written and are still in this process's buffer.
    qint64 waiting() const { return m_process.bytesToWrite(); }
    /// Exit code of a program that exited by itself; else -1.
    int exitCode() const;
    bool mayHaveLeftAgent() const override;

Q_SIGNALS:
    void sent(); ///< The program has read some of what waited.

protected:
    Sentence textOfEnd(const ExitStatus &status) const override;
    Sentence textOfFailedStart() const override;

private:
    QByteArray m_words; ///< The end of its standard error.
};

/// The transport of a plan by its name: transportName(). Local for an empty one.
TransportKind transportFrom(const QString &name);

/// Returns the command that carries out a script, such as findProgramScript(), on `node`, by a POSIX shell
/// and with `arguments` as its "$0", "$1" …; empty for Local.
QStringList transportCommand(TransportKind kind, const QString &node, const NodeOptions &options,
                             const QByteArray &script, const QStringList &arguments);

/// Whether a node that has no rankdeckctl gets a copy of this machine's.
enum class CopyPolicy {
    Copy,
    OnlySay, ///< AgentTransport::wantedCopy().
};

/// @param ownProgram rankdeckctl of this node: the one that Local runs, and that others may get a copy of.
std::unique_ptr<AgentTransport> makeTransport(TransportKind kind, const QString &node,
                                              const NodeOptions &options, const QString &ownProgram,
                                              CopyPolicy policy = CopyPolicy::Copy);

/// To the agent that waits on `node` as `id` (RejoinSocket). Not with Slurm, which ends what srun started.
std::unique_ptr<AgentTransport> makeRejoinTransport(TransportKind kind, const QString &node,
                                                    const NodeOptions &options, const QString &program,
                                                    const QString &id);

/// Host keys that the user accepted in Rankdeck, in ssh's own format; ssh reads it beside the user's.
QString knownHostsPath();

/// A node's host key as it shows itself to who has never been there.
struct HostKey {
    QString fingerprint; ///< As ssh-keygen prints it: "SHA256:…", and the key's type.
    QByteArray lines;    ///< Lines for knownHostsPath() when the user trusts the key.
};

/// Asks the node for its host key, by ssh, along the way of a connection, without logging in. Waits 20 s at
/// most: not for the GUI thread. Fails if the node is not reached.
Result<HostKey> fetchHostKey(const QString &node, const NodeOptions &options);

/// From now on connections to its node need no question. Error: knownHostsPath() cannot be written.
std::optional<Error> trustHostKey(const HostKey &key);

/// Why no agent answered on `node`, with the mend. `how` its transport ended: the words of ssh or srun.
Error problemOfReaching(const QString &how, const QString &node);

/// Whether that is since ssh has never seen the node's host key; a changed one is something else.
bool isKeyUnknown(const QString &how);

} // namespace rankdeck
