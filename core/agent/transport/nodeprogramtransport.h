#pragma once

#include "agent/transport/agenttransport.h"

#include <QFile>

namespace rankdeck
{

/// A rankdeckctl to copy to nodes that have none, with a hash of its content that identifies the build.
struct ProgramFile {
    QString path;
    qint64 size = 0;        ///< Bytes.
    QByteArray sha256;      ///< 64 hexadecimal digits.
    bool isPackage = false; ///< An archive with one folder, to be unpacked there.
};

// Commands for a node until an agent runs on it, for any POSIX shell, and its answers: lines that begin with
// a word of Rankdeck's, each on a line of its own after any output of a login shell.

/// Returns a script that runs the rankdeckctl in PATH, or at "$1", as an agent; without one it asks, and
/// carries out the line that comes. One line without quotes, '!' and '\\', so that any login shell, csh and
/// fish too, passes it on as one quoted word. @param mayUseInstalled if false it only asks.
QByteArray findProgramScript(bool mayUseInstalled);

/// Returns a script that runs "$0", whatever it is, as an agent; a line like findProgramScript().
QByteArray runProgramScript();

/// Runs "$0" to lead to the agent that waits as "$1" (RejoinSocket); a line like findProgramScript().
QByteArray rejoinScript();

/// Returns the line to carry out: run the copy of `program` if there is a complete one; else report that one
/// is needed and make it from the bytes that follow copyWanted, under a temporary name, checked, and renamed.
/// Then removes copies of other builds that were not run for 30 days.
QByteArray runCopyScript(const ProgramFile &program, const QString &version);

inline constexpr char copyWanted[] = "copy\n"; ///< Stands before the bytes of a program.

struct NodeWord {
    enum class Kind {
        Runs,  ///< `text` is the path of the rankdeckctl that becomes the agent.
        Asks,  ///< None is installed; `text` is the node's architecture, as `uname -m` says it.
        Needs, ///< There is no copy either.
        /// `text`: no "checksum" program, "folder" not writable or "shared" with others, copy "damaged" or
        /// not to "unpack".
        Fails,
        Protocol, ///< The agent's first line, in any version of the protocol.
    };

    Kind kind;
    QString text;

    /// Returns nothing for any other line.
    static std::optional<NodeWord> fromLine(const QByteArray &line);
};

/// How an agent is started on another node.
struct NodeWay {
    QString node;
    QStringList command; ///< Command with findProgramScript(true) or runProgramScript() on the node.
    /// Command with findProgramScript(false) there; empty: the user named the only program that may run.
    QStringList askingCommand;
    QString ownProgram; ///< Program to copy to the node: this machine's rankdeckctl.
    /// If false, the connection is only tested: wantedCopy() reports the need of a copy, and none is made.
    bool mayCopy = true;
};

/// An agent of another node, whose program may have to be copied there first: once, in its own connection.
/// Ignores an installed program with another version of the protocol.
class NodeProgramTransport : public AgentTransport
{
    Q_OBJECT

public:
    explicit NodeProgramTransport(NodeWay way);

    void start() override { m_line->start(); }
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
    void startCopy();
    void sendMore();
    void giveUp(const Error &problem);
    void endOfLine(const Sentence &how);

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
