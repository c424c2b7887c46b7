#pragma once

#include "result.h"

#include <QByteArray>
#include <QString>

namespace rankdeck
{

/// Finds out whether a folder of this machine is the same as one on a node, as on NFS or Lustre, so that logs
/// in it need not be copied. The head lays a small file there with a secret in it; a node that sees the
/// folder can tell the secret. All of this blocks on the file system: keep it off the GUI thread.
class SharedFolderProbe
{
public:
    /// Lays the file. Error: the folder is not there, or cannot be written.
    static Result<SharedFolderProbe> begin(const QString &folder);
    /// Removes the file.
    ~SharedFolderProbe();
    SharedFolderProbe(SharedFolderProbe &&other) noexcept;
    SharedFolderProbe &operator=(SharedFolderProbe &&) = delete;
    SharedFolderProbe(const SharedFolderProbe &) = delete;
    SharedFolderProbe &operator=(const SharedFolderProbe &) = delete;

    /// What the node is told, besides the folder: the file's name.
    const QString &name() const { return m_name; }
    /// Whether that is the secret.
    bool isAnsweredBy(const QByteArray &answer) const;

private:
    SharedFolderProbe() = default;

    QString m_path;
    QString m_name;
    QByteArray m_secret;
};

/// On the node: what the file says; empty where it is not seen, or where the name is none that the head would
/// give.
QByteArray answerToSharedFolderProbe(const QString &folder, const QString &name);

} // namespace rankdeck
