#include "agent/transport/agenttransport.h"

#include "agent/transport/nodeprogramtransport.h"
#include "base/program.h"
#include "launch/text/commandline.h"
#include "launch/text/streamcommand.h"
#include "run/process/processsettings.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <array>

namespace rankdeck
{

/// This much of the end of standard error is kept: enough to explain an end.
constexpr qsizetype keptBytes = 4096;

static QStringList sshOptions(const NodeOptions &options)
{
    QStringList arguments{u"-T"_s, u"-x"_s, u"-a"_s};
    if (!options.sshConfig.isEmpty())
        arguments << u"-F"_s << options.sshConfig;
    // One connection a node, whose end is the agent's alone; no question, and no host that is not known.
    for (const char *option : {"BatchMode=yes", "StrictHostKeyChecking=yes", "ControlMaster=no",
                               "ControlPath=none", "ClearAllForwardings=yes", "EscapeChar=none",
                               "RemoteCommand=none", "ConnectTimeout=15", "LogLevel=ERROR",
                               // Logs are already compressed; the other messages are small.
                               "Compression=no"})
        arguments << u"-o"_s << QString::fromLatin1(option);
    // ssh reads these after the user's own; the first two are its default.
    arguments << u"-o"_s
              << u"GlobalKnownHostsFile=/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2 \"%1\""_s.arg(
                     knownHostsPath());
    return arguments;
}

/// Starts `words` on `host`, where ssh hands its command to the login shell.
static QStringList sshCommand(const QString &host, const NodeOptions &options, const QStringList &words)
{
    QString line = u"exec"_s;
    for (const QString &word : words)
        line += ' '_L1 + shellWord(word);
    return QStringList{u"ssh"_s} + sshOptions(options) + QStringList{u"--"_s, host, line};
}

ProcessTransport::ProcessTransport(QStringList command)
    : m_command(std::move(command))
{
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { Q_EMIT received(m_process.readAllStandardOutput()); });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
        const bool hasExited = how == QProcess::NormalExit;
        Q_EMIT ended(textOfEnd({hasExited ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, code}));
    });
    // Queued: whoever calls start() has more to start.
    onFailedStart(
        m_process, this, [this] { Q_EMIT ended(textOfFailedStart()); }, Qt::QueuedConnection);
}

void ProcessTransport::start()
{
    m_process.start(systemTool(m_command.first()), m_command.mid(1));
}

ProcessTransport::~ProcessTransport()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

LocalTransport::LocalTransport(const QString &program)
    : ProcessTransport({program, u"agent"_s})
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.setChildProcessModifier(restoreLimits); // Its ranks are to have them.
}

Sentence LocalTransport::textOfEnd(const ExitStatus &status) const
{
    return Sentence::tr("the agent ended with %1").arg(status.text());
}

Sentence LocalTransport::textOfFailedStart() const
{
    return Sentence::tr("the agent could not be started: %1").arg(problemOf(m_process));
}

RemoteTransport::RemoteTransport(QStringList command)
    : ProcessTransport(std::move(command))
{
    m_process.setProcessEnvironment(withoutLibraries());
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { m_words = (m_words + m_process.readAllStandardError()).right(keptBytes); });
    connect(&m_process, &QProcess::bytesWritten, this, &RemoteTransport::sent);
}

int RemoteTransport::exitCode() const
{
    const bool hasEnded = m_process.state() == QProcess::NotRunning;
    return hasEnded && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

bool RemoteTransport::mayHaveLeftAgent() const
{
    // ssh exits with the first when the connection broke, kubectl and docker with the second; an agent never.
    constexpr std::array lostConnection{255, 1};
    return exitCode() == -1 || std::ranges::find(lostConnection, exitCode()) != lostConnection.end();
}

Sentence RemoteTransport::textOfEnd(const ExitStatus &status) const
{
    const Sentence end = Sentence::tr("%1 ended with %2").arg(m_command.first(), status.text());
    const QString words = QString::fromUtf8(m_words).simplified();
    return words.isEmpty() ? end : Sentence::tr("%1 and said \"%2\"").arg(end, words);
}

Sentence RemoteTransport::textOfFailedStart() const
{
    return Sentence::tr("%1 cannot be started: %2").arg(m_command.first(), problemOf(m_process));
}

TransportKind transportFrom(const QString &name)
{
    for (const TransportKind kind : {TransportKind::Local, TransportKind::Ssh, TransportKind::Slurm}) {
        if (name == transportWord(kind))
            return kind;
    }
    return name.isEmpty() ? TransportKind::Local : TransportKind::Command;
}

QStringList transportCommand(TransportKind kind, const QString &node, const NodeOptions &options,
                             const QByteArray &script, const QStringList &arguments)
{
    // Not by PATH: it may be empty there, or hold another sh.
    QStringList shell{u"/bin/sh"_s, u"-c"_s, QString::fromLatin1(script)};
    shell += arguments;
    switch (kind) {
    case TransportKind::Local:
        break;
    case TransportKind::Ssh:
        return sshCommand(node, options, shell);
    case TransportKind::Slurm:
        // One step a node: of several in one step srun tears long lines apart.
        return QStringList{u"srun"_s,      u"--quiet"_s,    u"--overlap"_s,
                           u"--nodes=1"_s, u"--ntasks=1"_s, u"--nodelist="_s + node} +
               shell;
    case TransportKind::Command: {
        const auto command = StreamCommand::from(options);
        if (!command)
            break;
        const QStringList words = command->wordsFor(node) + shell;
        const QString host = command->sshHostFor(node);
        return host.isEmpty() ? words : sshCommand(host, options, words);
    }
    }
    return {};
}

std::unique_ptr<AgentTransport> makeTransport(TransportKind kind, const QString &node,
                                              const NodeOptions &options, const QString &ownProgram,
                                              CopyPolicy policy)
{
    if (kind == TransportKind::Local)
        return std::make_unique<LocalTransport>(ownProgram);
    NodeWay way{node, {}, {}, ownProgram, policy == CopyPolicy::Copy};
    if (!options.program.isEmpty()) {
        way.command = transportCommand(kind, node, options, runProgramScript(), {options.program});
        return std::make_unique<NodeProgramTransport>(std::move(way));
    }
    QStringList arguments{u"sh"_s};
    if (kind == TransportKind::Slurm)
        arguments << ownProgram; // Its nodes share file systems, often.
    way.command = transportCommand(kind, node, options, findProgramScript(true), arguments);
    way.askingCommand = transportCommand(kind, node, options, findProgramScript(false), arguments);
    return std::make_unique<NodeProgramTransport>(std::move(way));
}

std::unique_ptr<AgentTransport> makeRejoinTransport(TransportKind kind, const QString &node,
                                                    const NodeOptions &options, const QString &program,
                                                    const QString &id)
{
    return std::make_unique<RemoteTransport>(
        transportCommand(kind, node, options, rejoinScript(), {program, id}));
}

QString knownHostsPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           u"/rankdeck/known_hosts"_s;
}

namespace
{

constexpr int answerMs = 20000;

struct Answer {
    bool came = false;
    QString output;
    QString words;
};

Answer run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setProcessEnvironment(withoutLibraries());
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(systemTool(program), arguments);
    Answer answer;
    answer.came = process.waitForFinished(answerMs);
    answer.output = QString::fromUtf8(process.readAllStandardOutput()).simplified();
    answer.words =
        answer.came ? QString::fromUtf8(process.readAllStandardError()).simplified() : problemOf(process);
    if (!answer.came)
        process.kill();
    process.waitForFinished(-1);
    return answer;
}

/// ssh notes the key, and then finds that it may use no way to log in.
QStringList askForKey(const QString &node, const NodeOptions &options, const QString &noteIn)
{
    QStringList arguments{u"-T"_s, u"-x"_s, u"-a"_s};
    if (!options.sshConfig.isEmpty())
        arguments << u"-F"_s << options.sshConfig;
    for (const QString &option :
         {u"BatchMode=yes"_s, u"StrictHostKeyChecking=accept-new"_s,
          u"UserKnownHostsFile=\"%1\""_s.arg(noteIn), u"GlobalKnownHostsFile=none"_s, u"HashKnownHosts=no"_s,
          u"UpdateHostKeys=no"_s, u"ControlPath=none"_s, u"PreferredAuthentications=none"_s,
          u"ConnectTimeout=15"_s, u"LogLevel=ERROR"_s})
        arguments << u"-o"_s << option;
    return arguments + QStringList{u"--"_s, node, u"true"_s};
}

bool isKeyChanged(const QString &how)
{
    // ssh says this with a page of capitals.
    return how.contains("IDENTIFICATION HAS CHANGED"_L1);
}

/// Returns the error for ld.so's message about a program that cannot run, by the library at fault.
std::optional<Error> problemOfLibraries(const QString &how)
{
    static const QRegularExpression missing(
        u"error while loading shared libraries: ([^:\\s]+): cannot open"_s);
    static const QRegularExpression old(u"([^/\\s:]+): version `([^']+)' not found"_s);
    if (const auto match = missing.match(how); match.hasMatch()) {
        const QString library = match.captured(1);
        return Error{
            tr("rankdeckctl is installed there but cannot run: the library %1 is missing").arg(library),
            {},
            library.startsWith("libQt6"_L1)
                ? tr("Install Qt 6.4 or later there (libqt6network6 on Debian and Ubuntu, qt6-qtbase on "
                     "openEuler). Or name a rankdeckctl that runs there with --node-program.")
                : tr("Install the package of that library there, or name a rankdeckctl that runs there with "
                     "--node-program.")};
    }
    if (const auto match = old.match(how); match.hasMatch())
        return Error{tr("rankdeckctl is installed there but cannot run: %1 is older than required (%2)")
                         .arg(match.captured(1), match.captured(2)),
                     {},
                     tr("Build Rankdeck on such a node, and name that rankdeckctl with --node-program.")};
    return std::nullopt;
}

} // namespace

Result<HostKey> fetchHostKey(const QString &node, const NodeOptions &options)
{
    const QTemporaryDir scratch;
    const QString path = scratch.filePath(u"known_hosts"_s);
    if (!scratch.isValid())
        return Error{tr("cannot create a temporary folder: %1").arg(scratch.errorString()), {}, {}};
    const auto command = StreamCommand::isIn(options) ? StreamCommand::from(options) : StreamCommand();
    const QString host = command ? command->sshHostFor(node) : QString();
    const Answer answer = run(u"ssh"_s, askForKey(host.isEmpty() ? node : host, options, path));
    QFile noted(path);
    HostKey key;
    if (noted.open(QIODevice::ReadOnly))
        key.lines = noted.readAll();
    if (key.lines.isEmpty())
        return Error{tr("the node did not show its host key: %1").arg(answer.words), node, {}};
    const Answer shown = run(u"ssh-keygen"_s, {u"-l"_s, u"-f"_s, path});
    // "256 SHA256:… [127.0.0.2]:22 (ED25519)"
    const QStringList words = shown.output.split(' '_L1);
    if (words.size() < 3)
        return Error{tr("ssh-keygen cannot show the key's fingerprint: %1").arg(shown.words), node, {}};
    key.fingerprint = words.at(1) + ' '_L1 + words.last();
    return key;
}

std::optional<Error> trustHostKey(const HostKey &key)
{
    QFile file(knownHostsPath());
    QDir().mkpath(QFileInfo(file).path());
    const bool isDone = file.open(QIODevice::WriteOnly | QIODevice::Append,
                                  QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
                        file.write(key.lines) == key.lines.size() && file.flush();
    if (isDone)
        return std::nullopt;
    return Error{tr("cannot save the host key: %1").arg(problemOf(file)), file.fileName(), {}};
}

bool isKeyUnknown(const QString &how)
{
    return !isKeyChanged(how) && how.contains("Host key verification failed"_L1);
}

Error problemOfReaching(const QString &how, const QString &node)
{
    if (isKeyChanged(how)) {
        static const QRegularExpression form(u"SHA256:[A-Za-z0-9+/]{43}"_s);
        const QString fingerprint = form.match(how).captured();
        return {fingerprint.isEmpty()
                    ? tr("Its host key differs from the accepted one")
                    : tr("Its host key differs from the accepted one: it is now %1").arg(fingerprint),
                {},
                tr("Ask its owner whether it was reinstalled, then remove the old key with ssh-keygen -R.")};
    }
    if (const auto problem = problemOfLibraries(how))
        return *problem;
    QString mend = tr("Run the same command by hand for details.");
    if (isKeyUnknown(how))
        mend = tr("Review its host key, and trust it with rankdeckctl nodes trust %1.").arg(node);
    else if (how.contains("Permission denied ("_L1))
        mend = tr("Put your public key there (ssh-copy-id %1), or unlock the key with ssh-add.").arg(node);
    else if (how.contains("exit code 127"_L1) || how.contains("execve"_L1))
        mend = tr("Install Rankdeck there, or name its rankdeckctl with --node-program.");
    else if (how.contains("exit code 126"_L1))
        mend = tr("Check that programs may run there (no file system mounted with noexec), or name another "
                  "with --node-program.");
    return {how, {}, mend};
}

} // namespace rankdeck
