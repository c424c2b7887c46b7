#pragma once

#include "base/result.h"

namespace rankdeck
{

/// Finds out whether a folder of this machine is also on a node, as on NFS or Lustre, so that logs in it need
/// not be copied: a node that sees it can read the head's secret in it. Blocks: keep it off the GUI thread.
class SharedFolderProbe
{
public:
    /// Writes the file. Fails if the folder does not exist or cannot be written.
    static Result<SharedFolderProbe> begin(const QString &folder);
    ~SharedFolderProbe();
    SharedFolderProbe(SharedFolderProbe &&other) noexcept;

    /// Returns the file's name, which the head sends to the node with the folder.
    const QString &name() const { return m_name; }
    bool isAnsweredBy(const QByteArray &answer) const { return answer == m_secret; }

private:
    SharedFolderProbe() = default;

    QString m_path;
    QString m_name;
    QByteArray m_secret;
};

/// Returns the file's content on the node; empty if it does not see it, or if the name is not the head's.
QByteArray answerToSharedFolderProbe(const QString &folder, const QString &name);

} // namespace rankdeck
