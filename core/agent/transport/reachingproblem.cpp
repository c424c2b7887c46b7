#include "agent/transport/reachingproblem.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>

namespace rankdeck
{

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
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(program, arguments);
    Answer answer;
    answer.came = process.waitForFinished(answerMs);
    answer.output = QString::fromUtf8(process.readAllStandardOutput()).simplified();
    answer.words =
        answer.came ? QString::fromUtf8(process.readAllStandardError()).simplified() : process.errorString();
    if (!answer.came)
        process.kill();
    process.waitForFinished(-1);
    return answer;
}

/// ssh notes the key, and then finds that it may use no way to log in.
QStringList askForKey(const QString &node, const NodeOptions &options, const QString &noteIn)
{
    QStringList arguments{QStringLiteral("-T"), QStringLiteral("-x"), QStringLiteral("-a")};
    if (!options.sshConfig.isEmpty())
        arguments << QStringLiteral("-F") << options.sshConfig;
    for (const QString &option :
         {QStringLiteral("BatchMode=yes"), QStringLiteral("StrictHostKeyChecking=accept-new"),
          QStringLiteral("UserKnownHostsFile=\"%1\"").arg(noteIn),
          QStringLiteral("GlobalKnownHostsFile=none"), QStringLiteral("HashKnownHosts=no"),
          QStringLiteral("UpdateHostKeys=no"), QStringLiteral("ControlPath=none"),
          QStringLiteral("PreferredAuthentications=none"), QStringLiteral("ConnectTimeout=15"),
          QStringLiteral("LogLevel=ERROR")})
        arguments << QStringLiteral("-o") << option;
    return arguments + QStringList{QStringLiteral("--"), node, QStringLiteral("true")};
}

bool isKeyChanged(const QString &how)
{
    // ssh says this with a page of capitals.
    return how.contains(QLatin1String("IDENTIFICATION HAS CHANGED"));
}

/// Of the key that the node has now, where ssh shows one.
QString fingerprintIn(const QString &how)
{
    static const QRegularExpression fingerprint(QStringLiteral("SHA256:[A-Za-z0-9+/]{43}"));
    return fingerprint.match(how).captured();
}

/// What ld.so says when a program cannot run, by the library that is to blame.
std::optional<Error> problemOfLibraries(const QString &how)
{
    static const QRegularExpression missing(
        QStringLiteral("error while loading shared libraries: ([^:\\s]+): cannot open"));
    static const QRegularExpression old(QStringLiteral("([^/\\s:]+): version `([^']+)' not found"));
    if (const auto match = missing.match(how); match.hasMatch()) {
        const QString library = match.captured(1);
        return Error{
            tr("rankdeckctl is there and cannot run: the library %1 is missing").arg(library),
            {},
            library.startsWith(QLatin1String("libQt6"))
                ? tr("Install Qt 6.4 or later there (libqt6network6 on Debian and Ubuntu, qt6-qtbase on "
                     "openEuler), or name a rankdeckctl that runs there with --node-program.")
                : tr("Install the package with that library there, or name a rankdeckctl that runs "
                     "there with --node-program.")};
    }
    if (const auto match = old.match(how); match.hasMatch())
        return Error{tr("rankdeckctl is there and cannot run: %1 is older than it needs (%2)")
                         .arg(match.captured(1), match.captured(2)),
                     {},
                     tr("Build Rankdeck on such a node, and name that rankdeckctl with --node-program.")};
    return std::nullopt;
}

} // namespace

Result<HostKey> fetchHostKey(const QString &node, const NodeOptions &options)
{
    const QTemporaryDir scratch;
    const QString path = scratch.filePath(QStringLiteral("known_hosts"));
    if (!scratch.isValid())
        return Error{tr("a temporary folder cannot be made: %1").arg(scratch.errorString()), {}, {}};
    const Answer answer = run(QStringLiteral("ssh"), askForKey(node, options, path));
    QFile noted(path);
    HostKey key;
    if (noted.open(QIODevice::ReadOnly))
        key.lines = noted.readAll();
    if (key.lines.isEmpty())
        return Error{tr("the node did not show its host key: %1").arg(answer.words), node, {}};
    const Answer shown =
        run(QStringLiteral("ssh-keygen"), {QStringLiteral("-l"), QStringLiteral("-f"), path});
    // "256 SHA256:… [127.0.0.2]:22 (ED25519)"
    const QStringList words = shown.output.split(QLatin1Char(' '));
    if (words.size() < 3)
        return Error{tr("ssh-keygen cannot tell the key's fingerprint: %1").arg(shown.words), node, {}};
    key.fingerprint = words.at(1) + QLatin1Char(' ') + words.last();
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
    return Error{tr("the host key cannot be kept: %1").arg(file.errorString()), file.fileName(), {}};
}

bool isKeyUnknown(const QString &how)
{
    return !isKeyChanged(how) && how.contains(QLatin1String("Host key verification failed"));
}

Error problemOfReaching(const QString &how, const QString &node)
{
    if (isKeyChanged(how)) {
        const QString fingerprint = fingerprintIn(how);
        return {fingerprint.isEmpty()
                    ? tr("Its host key is not the one that was accepted")
                    : tr("Its host key is not the one that was accepted: it is %1 now").arg(fingerprint),
                {},
                tr("Ask its owner whether it was set up anew, then forget the old key with ssh-keygen -R.")};
    }
    if (const auto problem = problemOfLibraries(how))
        return *problem;
    QString mend = tr("Try the same by hand to see more.");
    if (isKeyUnknown(how))
        mend = tr("See its host key and trust it with rankdeckctl nodes trust %1.").arg(node);
    else if (how.contains(QLatin1String("Permission denied (")))
        mend = tr("Put your public key there (ssh-copy-id %1), or unlock the key with ssh-add.").arg(node);
    else if (how.contains(QLatin1String("exit code 127")) || how.contains(QLatin1String("execve")))
        mend = tr("Install Rankdeck there, or name its rankdeckctl with --node-program.");
    else if (how.contains(QLatin1String("exit code 126")))
        mend =
            tr("See whether programs may run from where it is (a file system mounted with noexec), or name "
               "another with --node-program.");
    return {how, {}, mend};
}

} // namespace rankdeck
