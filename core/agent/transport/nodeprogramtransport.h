#pragma once

#include "agent/transport/agenttransport.h"

#include <QFile>

namespace rankdeck
{

/// A rankdeckctl as it is copied to nodes that have none: of which build it is, told by its content.
struct ProgramFile {
    QString path;
    qint64 size = 0;        ///< Bytes.
    QByteArray sha256;      ///< 64 hexadecimal digits.
    bool isPackage = false; ///< An archive with one folder, to be unpacked there.
};

/// Reads all of the file, some 10 ms for each 10 MB: not for the GUI thread. What was read before is
/// remembered while size and time of the file stay. This program, where it comes from a package, is packed
/// with what it needs; for another `architecture` (`uname -m`) nodePackageFor() is read. Error: there is
/// none, or it cannot be read.
Result<ProgramFile> readProgramFile(const QString &path, const QString &architecture);

// What a node is told to do until an agent runs there, for any POSIX shell, and what it answers: lines that
// begin with a word of ours, each on a line of its own whatever a login shell printed before.

/// Runs the rankdeckctl that PATH names, or that is at "$1", as an agent; where there is none it asks, and
/// carries out the line that comes. One line without quotes, '!' and '\\', so that any login shell, csh and
/// fish too, hands it on as one quoted word. @param mayUseInstalled else it only asks.
QByteArray findProgramScript(bool mayUseInstalled);

/// Runs "$0", whatever it is, as an agent; a line like findProgramScript().
QByteArray runProgramScript();

/// Runs "$0" to lead to the agent that waits as "$1" (RejoinSocket); a line like findProgramScript().
QByteArray rejoinScript();

/// The line to carry out: run the copy of `program` if there is one and it is whole; else say that one is
/// needed and make it of the bytes that follow copyWanted, under a name of its own, checked, and renamed.
/// Copies of other builds that were not run for 30 days are removed then.
QByteArray runCopyScript(const ProgramFile &program, const QString &version);

/// Stands before the bytes of a program.
inline constexpr char copyWanted[] = "copy\n";

/// What a node says.
struct NodeWord {
    enum class Kind {
        Runs,  ///< `text` is the path of the rankdeckctl that becomes the agent.
        Asks,  ///< None is installed; `text` is the node's architecture, as `uname -m` says it.
        Needs, ///< There is no copy either.
        Fails, ///< `text` is what: "checksum" program not found, "folder" not writable, copy "damaged" or not
               ///< to "unpack".
        Protocol, ///< The agent's first line, whatever version of the protocol it speaks.
    };

    Kind kind;
    QString text;

    /// Returns nothing for any other line.
    static std::optional<NodeWord> fromLine(const QByteArray &line);
};

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
