#pragma once

#include "bundle/bundlearchive.h"
#include "bundle/bundledescription.h"
#include "diagnosis/verdict/verdict.h"

#include <atomic>

namespace rankdeck
{

/// A private directory below $XDG_STATE_HOME/rankdeck/bundles, removed with its owner.
class BundleDirectory
{
public:
    /// Makes a new one, and removes unused ones older than a day.
    static Result<std::shared_ptr<BundleDirectory>> make(const QString &name);
    ~BundleDirectory();
    Q_DISABLE_COPY_MOVE(BundleDirectory)

    const QString &path() const { return m_path; }

private:
    explicit BundleDirectory(QString path);

    QString m_path;
    int m_lock; ///< Lock on the directory while it is in use.
};

/// An unpacked bundle.
struct OpenedBundle {
    std::shared_ptr<BundleDirectory> directory; ///< Keeps the unpacked files for as long as it exists.
    RunState state;                 ///< Its phase is Recorded: this machine cannot stop any of it.
    std::optional<Verdict> verdict; ///< As it was made; places are those of the unpacked files.
    QString report;                 ///< report.txt, as it was made.
    QString origin;                 ///< A sentence on where and when it was made.
};

/// Returns true if the name may be that of a bundle: .tar.gz or .tgz.
bool isBundleName(const QString &path);

/// Unpacks a bundle of writeBundle(). The file is not trusted. Blocks. Fails if it is not a bundle, is
/// harmful (see unpackArchive()), or there is no room.
Result<OpenedBundle> openBundle(const QString &path, const std::function<bool()> &isCancelled = {},
                                const UnpackLimits &limits = {});
/// Shows a bundle as RunClient shows a run; it never changes. Its unpacked files go with this object. Lives
/// in any thread with an event loop and does its file access there: keep it off the GUI thread.
class BundleWatch : public QObject
{
    Q_OBJECT

public:
    explicit BundleWatch(QString path);

    /// Cancels unpacking; failed() follows. May be called from any thread.
    void cancel() { m_isCancelled = true; }

public Q_SLOTS:
    /// Unpacks it and emits opened() and stateChanged(), or failed().
    void open();

Q_SIGNALS:
    /// Comes before stateChanged(): where and when the bundle was made, and its verdict, if it has one.
    void opened(const QString &origin, const rankdeck::Verdict &verdict);
    void stateChanged(const rankdeck::RunState &state);
    /// The bundle could not be opened; a sentence for the user.
    void failed(const QString &sentence);

private:
    QString m_path;
    std::atomic_bool m_isCancelled = false;
    std::optional<OpenedBundle> m_bundle;
};

} // namespace rankdeck
