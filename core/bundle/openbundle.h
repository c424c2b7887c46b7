#pragma once

#include "bundle/archivereading.h"
#include "bundle/bundledescription.h"
#include "diagnosis/verdict/verdict.h"
#include "result.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace rankdeck
{

/// A private directory below $XDG_STATE_HOME/rankdeck/bundles, removed with its owner.
class BundleDirectory
{
public:
    /// Make a new one, and remove those that nobody uses and that are older than a day.
    static Result<std::shared_ptr<BundleDirectory>> make(const QString &name);
    ~BundleDirectory();
    Q_DISABLE_COPY_MOVE(BundleDirectory)

    const QString &path() const { return m_path; }

private:
    explicit BundleDirectory(QString path);

    QString m_path;
    int m_lock; ///< Held as long as it is used.
};

/// A bundle that was unpacked, to be looked at.
struct OpenedBundle {
    std::shared_ptr<BundleDirectory> directory; ///< As long as it is kept, its files are there.
    RunState state;                 ///< Its phase is Recorded: nothing of it is this machine's to stop.
    std::optional<Verdict> verdict; ///< As it was made; places are those of the unpacked files.
    QString report;                 ///< report.txt, as it was made.
    QString origin;                 ///< A sentence on where and when it was made.
};

/// Whether a file may be a bundle, by its name: .tar.gz or .tgz.
bool isBundleName(const QString &path);

/// Unpack a bundle that writeBundle() made, wherever it came from. Blocks. Error: it is none, it was made to
/// do harm, see unpackArchive(), or there is no room.
Result<OpenedBundle> openBundle(const QString &path, const std::function<bool()> &isCancelled = {},
                                const UnpackLimits &limits = {});

} // namespace rankdeck
