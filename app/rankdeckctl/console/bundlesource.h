#pragma once

#include "bundle/openbundle.h"

namespace rankdeck
{

/// A report bundle, read as a run or a directory of logs is. Its unpacked files go with this object.
class BundleSource
{
public:
    explicit BundleSource(QString path)
        : m_path(std::move(path))
    {
    }

    /// Returns true for an existing file with a bundle's name.
    static bool isBundle(const QString &path);

    /// Unpacks it; fails as openBundle() does.
    Result<RunState> open();
    /// Returns false: a bundle never changes.
    static bool update() { return false; }
    const RunState &state() const { return m_bundle->state; }
    const OpenedBundle &bundle() const { return *m_bundle; }
    /// Returns the name in the bundle of an unpacked file.
    QString nameOf(const QString &file) const;

private:
    QString m_path;
    std::optional<OpenedBundle> m_bundle;
};

} // namespace rankdeck
