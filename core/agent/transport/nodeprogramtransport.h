#pragma once

#include "agent/transport/agenttransport.h"
#include "agent/transport/nodescript.h"
#include "agent/transport/remotetransport.h"

#include <QFile>
#include <QStringList>

#include <memory>

namespace rankdeck
{

/// How an agent is started on another node.
struct NodeWay {
    QString node;
    QStringList command; ///< Of findProgramScript(true) or runProgramScript() on the node.
    /// Of findProgramScript(false) there; empty: the user has named the program, and no other will do.
    QStringList askingCommand;
    QString ownProgram; ///< What is copied there: rankdeckctl of this machine.
    /// Else a node that needs a copy is left as it is, and wantedCopy() says so: it is only tried.
    bool mayCopy = true;
};

/// An agent of another node, whose program may have to be copied there first: once, in its own connection.
/// An installed one that speaks another version of the protocol is passed over.
class NodeProgramTransport : public AgentTransport
{
    Q_OBJECT

public:
    explicit NodeProgramTransport(NodeWay way, QObject *parent = nullptr);
    ~NodeProgramTransport() override;

    void start() override;
    void write(const QByteArray &bytes) override { m_line->write(bytes); }
    void abort() override;
    qint64 localPid() const override { return m_line->localPid(); }
    std::optional<Error> problem() const override { return m_problem; }
    qint64 wantedCopy() const override { return m_wantedCopy; }
    bool mayHaveLeftAgent() const override { return m_isThere && m_line->mayHaveLeftAgent(); }
    QString program() const override { return m_runs; }

private:
    void connectTo(const QStringList &command);
    void read(const QByteArray &bytes);
    void take(const NodeWord &word);
    void passOver();
    void sendScript(const Result<ProgramFile> &program);
    void startCopy(const QString &architecture);
    void sendMore();
    void giveUp(const Error &problem);
    void endOfLine(const QString &how);

    NodeWay m_way;
    std::unique_ptr<RemoteTransport> m_line;
    QByteArray m_unread;  ///< Until the agent speaks.
    QString m_runs;       ///< The program that was to become the agent.
    ProgramFile m_copied; ///< Once a node has asked for it.
    QFile m_file;
    std::optional<Error> m_problem;
    qint64 m_wantedCopy = 0;
    bool m_isThere = false;    ///< The agent has spoken.
    bool m_passesOver = false; ///< The next connection is to use a copy.
    bool m_isGivenUp = false;
};

} // namespace rankdeck
