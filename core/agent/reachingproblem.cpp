#include "agent/reachingproblem.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("NodeTest", text);
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

} // namespace

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
    QString mend = tr("Try the same by hand to see more.");
    if (isKeyUnknown(how))
        mend = tr("See its host key and trust it with rankdeckctl nodes trust %1.").arg(node);
    else if (how.contains(QLatin1String("Permission denied")))
        mend = tr("Put your public key there (ssh-copy-id %1), or unlock the key with ssh-add.").arg(node);
    else if (how.contains(QLatin1String("exit code 127")) || how.contains(QLatin1String("execve")))
        mend = tr("Install Rankdeck there, or name its rankdeckctl with --node-program.");
    return {how, {}, mend};
}

} // namespace rankdeck
