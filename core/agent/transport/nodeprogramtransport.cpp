#include "agent/transport/nodeprogramtransport.h"

#include "agent/channel/agentprotocol.h"
#include "agent/transport/nodepackage.h"
#include "background/inbackground.h"
#include "base/program.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QHash>
#include <QLocale>
#include <QMutex>
#include <QMutexLocker>
#include <QTimer>

#include <array>

#include <sys/utsname.h>

namespace rankdeck
{

/// A version is not the user's text, but it is a file's name here.
static QByteArray fileNameOf(const ProgramFile &program, const QString &version)
{
    QByteArray name = "rankdeckctl-";
    for (const QChar letter : version) {
        const char latin = letter.toLatin1();
        const bool isPlain = (latin >= '0' && latin <= '9') || (latin >= 'a' && latin <= 'z') || latin == '.';
        name += isPlain ? latin : '_';
    }
    return name + '-' + program.sha256.left(16);
}

/// Before every script. `tool` runs a program of the system: first those of the system itself, not of PATH,
/// and without libraries that break it, or print among its words. `begin` becomes rankdeckctl, which gives
/// its ranks LD_PRELOAD back (leaveLauncher()). What such a library has left in the buffer of the shell goes
/// first.
constexpr char scriptFunctions[] =
    "printf \"\\n\"; "
    "tool() ( PATH=/usr/bin:/bin:/usr/sbin:/sbin${PATH:+:$PATH}; unset LD_PRELOAD LD_LIBRARY_PATH; command "
    "\"$@\" ); "
    "begin() { [ -z \"${LD_PRELOAD-}\" ] || export RANKDECK_HELD_LD_PRELOAD=\"$LD_PRELOAD\"; "
    "unset LD_PRELOAD; exec \"$@\"; }; ";

/// Needs scriptFunctions before it.
constexpr char copyScript[] =
    // A relative path there is to be ignored, as the XDG specification says.
    "case ${XDG_CACHE_HOME-} in /*) d=$XDG_CACHE_HOME/rankdeck;; *) d=$HOME/.cache/rankdeck;; esac; "
    "p=$d/@NAME@; e=$p; "
    "whole() { case $(tool sha256sum <\"$1\") in @HASH@*) ;; *) return 1;; esac; }; "
    "fail() { printf '\\nrankdeck-fails %s\\n' \"$1\"; exit 1; }; "
    "run() { tool touch -c \"$p\"; @UNPACK@printf '\\nrankdeck-runs %s\\n' \"$e\"; "
    "begin \"$e\" agent --guarded; }; "
    "tool sha256sum </dev/null >/dev/null 2>&1 || fail checksum; "
    // Whoever else can write there could swap the copy between its check and its start.
    "[ ! -e \"$d\" ] || [ -n \"$(tool find \"$d\" -maxdepth 0 -type d -user \"$(tool id -u)\" ! -perm -020 ! "
    "-perm "
    "-002)\" ] || "
    "fail shared; "
    "[ -f \"$p\" ] && [ ! -L \"$p\" ] && whole \"$p\" && run; "
    "printf '\\nrankdeck-needs\\n'; "
    "read -r word && [ \"$word\" = copy ] || exit 1; "
    "( umask 077; tool mkdir -p \"$d\" && t=$(tool mktemp \"$d/copying.XXXXXX\") || fail folder; "
    "tool head -c @SIZE@ >\"$t\"; "
    "whole \"$t\" || { tool rm -f \"$t\"; fail damaged; }; "
    // The copy of a faster launch stays: over NFS a program that runs on another node must not be replaced.
    "tool chmod 700 \"$t\"; tool ln \"$t\" \"$p\" 2>/dev/null || { [ -f \"$p\" ] && whole \"$p\"; } || "
    "tool mv -f \"$t\" \"$p\" || { tool rm -f \"$t\"; fail folder; }; tool rm -f \"$t\"; "
    "tool find \"$d\" \\( -name 'rankdeckctl-*' -mtime +30 -o -name 'copying.*' -mtime +1 \\) -prune "
    "-exec rm -rf {} ';' "
    ") && run\n";

/// A package lies unpacked beside its archive. If two launches unpack at once, the slower one's is removed.
constexpr char unpackScript[] =
    "e=$p.d/bin/rankdeckctl; tool touch -c \"$p.d\"; "
    "[ -x \"$e\" ] || ( umask 077; t=$(tool mktemp -d \"$d/copying.XXXXXX\") && tool tar -xzf \"$p\" -C "
    "\"$t\" && "
    "tool mv \"$t\"/* \"$p.d\" && tool rm -rf \"$t\" \"$p.d\"/rankdeckctl* ) || fail unpack; ";

constexpr qsizetype longestLine = 1024 * 1024; ///< Bytes of a login shell's output; a longer line is dropped.
constexpr qint64 pieceBytes = 256 * 1024;      ///< Bytes of the program that are sent at a time.
/// Exit code of a rankdeckctl that has no agent yet, or none with a guardian.
constexpr int unusableInput = 2;

/// Reads the whole file, some 10 ms for each 10 MB: not for the GUI thread. Keeps the result while size and
/// time of the file stay. If this program comes from a package, it is packed with its libraries; for another
/// `architecture` (`uname -m`) nodePackageFor() is read. Fails if it does not exist or cannot be read.
static Result<ProgramFile> readProgramFile(const QString &path, const QString &architecture)
{
    struct Known {
        ProgramFile program;
        QDateTime time;
    };
    // Many nodes may ask at once, for one and the same file.
    static QMutex mutex;
    static QHash<QString, Known> knownFiles;
    const QMutexLocker lock(&mutex);
    utsname names{};
    uname(&names); // A node of the same name can run this build.
    const bool isOwn = architecture == QLatin1String(names.machine);
    const bool isPackage = !isOwn || (path == programPath() && !packageDirectory().isEmpty());
    const Result<QString> content = !isOwn      ? nodePackageFor(architecture)
                                    : isPackage ? nodePackage(packageDirectory())
                                                : path;
    if (!content)
        return content.error();
    Known &known = knownFiles[*content];
    const QFileInfo info(*content);
    if (known.program.size == info.size() && known.time == info.lastModified())
        return known.program;
    QFile file(*content);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return Error{tr("cannot read rankdeckctl to copy it: %1").arg(problemOf(file)), *content, {}};
    known = {{*content, file.size(), hash.result().toHex(), isPackage}, info.lastModified()};
    return known.program;
}

QByteArray findProgramScript(bool mayUseInstalled)
{
    QByteArray script = scriptFunctions;
    if (mayUseInstalled)
        script += "for p in \"$(command -v rankdeckctl)\" \"$1\"; do "
                  "[ -x \"$p\" ] && printf \"\\nrankdeck-runs %s\\n\" \"$p\" && "
                  "begin \"$p\" agent --guarded; done; ";
    return script +
           "printf \"\\nrankdeck-asks %s\\n\" \"$(tool uname -m)\"; read -r script && eval \"$script\"";
}

QByteArray runProgramScript()
{
    return QByteArray(scriptFunctions) +
           "printf \"\\nrankdeck-runs %s\\n\" \"$0\"; begin \"$0\" agent --guarded";
}

QByteArray rejoinScript()
{
    return QByteArray(scriptFunctions) + "begin \"$0\" agent --rejoin \"$1\"";
}

QByteArray runCopyScript(const ProgramFile &program, const QString &version)
{
    QByteArray script = copyScript;
    script.replace("@UNPACK@", program.isPackage ? unpackScript : "");
    script.replace("@NAME@", fileNameOf(program, version));
    script.replace("@HASH@", program.sha256);
    script.replace("@SIZE@", QByteArray::number(program.size));
    return script;
}

std::optional<NodeWord> NodeWord::fromLine(const QByteArray &line)
{
    using Kind = NodeWord::Kind;
    static const QByteArray magic = agentMagic;
    static const QByteArray magicWord = magic.left(magic.lastIndexOf(' ') + 1);
    static const std::array words{std::pair(Kind::Runs, QByteArray("rankdeck-runs ")),
                                  std::pair(Kind::Asks, QByteArray("rankdeck-asks ")),
                                  std::pair(Kind::Needs, QByteArray("rankdeck-needs")),
                                  std::pair(Kind::Fails, QByteArray("rankdeck-fails ")),
                                  std::pair(Kind::Protocol, magicWord)};
    const auto known =
        std::ranges::find_if(words, [&](const auto &word) { return line.startsWith(word.second); });
    if (known == words.end())
        return std::nullopt;
    return NodeWord{known->first, QString::fromUtf8(line.mid(known->second.size()))};
}

NodeProgramTransport::NodeProgramTransport(NodeWay way)
    : m_way(std::move(way))
{
    connectTo(m_way.command);
}

void NodeProgramTransport::connectTo(const QStringList &command)
{
    if (m_line)
        m_line.release()->deleteLater(); // The line is the sender of the present signal.
    m_unread.clear();
    m_runs.clear();
    m_line = std::make_unique<RemoteTransport>(command);
    connect(m_line.get(), &AgentTransport::received, this, &NodeProgramTransport::read);
    connect(m_line.get(), &AgentTransport::ended, this, &NodeProgramTransport::endOfLine);
    connect(m_line.get(), &RemoteTransport::sent, this, &NodeProgramTransport::sendMore);
}

void NodeProgramTransport::abort()
{
    m_isGivenUp = true;
    m_file.close();
    m_line->abort();
}

void NodeProgramTransport::read(const QByteArray &bytes)
{
    if (m_isThere) {
        Q_EMIT received(bytes);
        return;
    }
    m_unread += bytes;
    qsizetype start = 0;
    for (auto end = m_unread.indexOf('\n'); end >= 0; end = m_unread.indexOf('\n', start)) {
        if (const auto word = NodeWord::fromLine(m_unread.mid(start, end - start)); word && !m_passesOver)
            take(*word);
        if (m_isThere)
            break;
        start = end + 1;
    }
    m_unread.remove(0, start);
    if (!m_isThere && m_unread.size() > longestLine)
        m_unread.clear();
    // A login shell's output may be anything: the code that talks to agents does not get it.
    Q_EMIT received(m_isThere ? std::exchange(m_unread, {}) : QByteArray());
}

void NodeProgramTransport::take(const NodeWord &word)
{
    switch (word.kind) {
    case NodeWord::Kind::Runs:
        m_runs = word.text;
        break;
    case NodeWord::Kind::Asks: {
        // Packing takes seconds, on a busy machine many: the node waits for this one then.
        auto *packing = new QTimer(this);
        connect(packing, &QTimer::timeout, this, [this] { Q_EMIT received({}); });
        packing->start(std::chrono::seconds(1));
        inBackground(
            this,
            [path = m_way.ownProgram, architecture = word.text] {
                return readProgramFile(path, architecture);
            },
            [this, packing](const Result<ProgramFile> &program) {
                delete packing;
                sendScript(program);
            });
        break;
    }
    case NodeWord::Kind::Needs:
        startCopy();
        break;
    case NodeWord::Kind::Fails:
        if (word.text == "checksum"_L1)
            giveUp({tr("rankdeckctl is not in PATH there, and a copy cannot be verified without sha256sum"),
                    QString(), tr("Install Rankdeck there, or name its rankdeckctl with --node-program.")});
        else if (word.text == "folder"_L1)
            m_problem = Error{tr("rankdeckctl is not in PATH there, and the folder for copies, "
                                 ".cache/rankdeck in your home, is not writable"),
                              {},
                              tr("Make it writable, or name a rankdeckctl there with --node-program.")};
        else if (word.text == "shared"_L1)
            giveUp({tr("rankdeckctl is not in PATH there, and the folder for copies, .cache/rankdeck in your "
                       "home, is a "
                       "link, or others can write there"),
                    {},
                    tr("Delete it, or \"chmod go-w\" it, or name a rankdeckctl there with --node-program.")});
        else if (word.text == "unpack"_L1)
            m_problem = Error{tr("the copy of rankdeckctl cannot be unpacked there"), QString(),
                              tr("Install tar and gzip there, and check for free space in .cache/rankdeck.")};
        else
            m_problem = Error{tr("the copy of rankdeckctl on the node is corrupt"), QString(),
                              tr("Check for free space in .cache/rankdeck in your home there.")};
        break;
    case NodeWord::Kind::Protocol:
        if (QString::fromLatin1(agentMagic).endsWith(' '_L1 + word.text))
            m_isThere = true;
        else
            passOver();
        break;
    }
}

/// The program that runs there is not Rankdeck's agent.
void NodeProgramTransport::passOver()
{
    const QString what = tr("%1 on the node is an incompatible version of Rankdeck").arg(m_runs);
    if (m_way.askingCommand.isEmpty() || !m_copied.path.isEmpty()) {
        giveUp({what, QString(),
                tr("Install the version of this machine there: %1.")
                    .arg(QCoreApplication::applicationVersion())});
        return;
    }
    m_passesOver = true;
    Q_EMIT noted(
        Sentence::tr("%1: %2. A copy of this machine's rankdeckctl is used instead.").arg(m_way.node, what));
    m_line->abort();
}

void NodeProgramTransport::sendScript(const Result<ProgramFile> &program)
{
    if (m_isGivenUp)
        return;
    if (!program) {
        giveUp(program.error());
        return;
    }
    m_copied = *program;
    m_line->write(runCopyScript(m_copied, QCoreApplication::applicationVersion()));
}

void NodeProgramTransport::startCopy()
{
    if (!m_way.mayCopy) {
        m_wantedCopy = m_copied.size;
        abort();
        return;
    }
    m_file.setFileName(m_copied.path);
    if (!m_file.open(QIODevice::ReadOnly)) {
        giveUp({tr("cannot read rankdeckctl to copy it: %1").arg(problemOf(m_file)), m_copied.path, {}});
        return;
    }
    Q_EMIT noted(Sentence::tr("Copying rankdeckctl to %1 (%2).")
                     .arg(m_way.node, QLocale().formattedDataSize(m_copied.size, 0)));
    m_line->write(copyWanted);
    sendMore();
}

void NodeProgramTransport::sendMore()
{
    if (!m_file.isOpen())
        return;
    Q_EMIT received({}); // The node takes it: it is there.
    while (m_line->waiting() < pieceBytes) {
        const QByteArray piece = m_file.read(pieceBytes);
        if (piece.isEmpty()) {
            m_file.close();
            return;
        }
        m_line->write(piece);
    }
}

void NodeProgramTransport::giveUp(const Error &problem)
{
    m_problem = problem;
    abort();
}

void NodeProgramTransport::endOfLine(const Sentence &how)
{
    m_file.close();
    const bool isOfInstalled = !m_runs.isEmpty() && m_copied.path.isEmpty();
    if (isOfInstalled && !m_isThere && !m_isGivenUp && !m_passesOver && !m_way.askingCommand.isEmpty() &&
        m_line->exitCode() == unusableInput)
        passOver();
    if (m_passesOver && !m_isGivenUp) {
        m_passesOver = false;
        m_way.command = std::exchange(m_way.askingCommand, {});
        connectTo(m_way.command);
        m_line->start();
        return;
    }
    Q_EMIT ended(how);
}

} // namespace rankdeck
