#include "agent/transport/hostkey.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>

namespace rankdeck
{

namespace
{

constexpr int answerMs = 20000;

QString tr(const char *text)
{
    return QCoreApplication::translate("hostkey", text);
}

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

} // namespace rankdeck
