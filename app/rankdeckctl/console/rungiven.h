#pragma once

#include "bundle/openbundle.h"

#include <QDir>
#include <QFileInfo>

namespace rankdeck
{

/// Returns the directory of the run that a command line names, see findRun(). Without a name that is the
/// newest live run, else the newest, and its name is said on standard error. Fails if there is none.
Result<QString> runGiven(const QString &name);
/// Does the same for a command that changes a run: without a name fails if several runs are live.
Result<QString> runToChange(const QString &name);

/// Returns the ranks that --rank names: "3", "0,4-7". Fails for other text.
Result<QList<int>> ranksGiven(const QString &ranks);

/// A report bundle, read as a run or a directory of logs is. Its unpacked files go with this object.
class BundleSource
{
public:
    explicit BundleSource(QString path)
        : m_path(std::move(path))
    {
    }

    /// Returns true for an existing file with a bundle's name.
    static bool isBundle(const QString &path) { return isBundleName(path) && QFileInfo(path).isFile(); }

    /// Unpacks it; fails as openBundle() does.
    Result<RunState> open();
    /// Returns false: a bundle never changes.
    static bool update() { return false; }
    const RunState &state() const { return m_bundle->state; }
    const OpenedBundle &bundle() const { return *m_bundle; }
    /// Returns the name in the bundle of an unpacked file.
    QString nameOf(const QString &file) const
    {
        return file.isEmpty() ? QString() : QDir(m_bundle->directory->path()).relativeFilePath(file);
    }

private:
    QString m_path;
    std::optional<OpenedBundle> m_bundle;
};

} // namespace rankdeck
