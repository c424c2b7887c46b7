#include "rankdeckctl/console/bundlesource.h"

#include <QDir>
#include <QFileInfo>

namespace rankdeck
{

bool BundleSource::isBundle(const QString &path)
{
    return isBundleName(path) && QFileInfo(path).isFile();
}

Result<RunState> BundleSource::open()
{
    const auto bundle = openBundle(m_path);
    if (!bundle)
        return bundle.error();
    m_bundle = *bundle;
    return m_bundle->state;
}

QString BundleSource::nameOf(const QString &file) const
{
    return file.isEmpty() ? QString() : QDir(m_bundle->directory->path()).relativeFilePath(file);
}

} // namespace rankdeck
