#include "ranktable/filestamp.h"

#include <QFileInfo>

namespace rankdeck
{

FileStamp FileStamp::of(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return {};
    return {true, info.isReadable(), info.size(), info.lastModified()};
}

bool FileStamp::isYoung() const
{
    constexpr qint64 youngMs = 2000;
    const qint64 age = modified.msecsTo(QDateTime::currentDateTime());
    // A time to come is another host's clock, and says nothing.
    return exists && age >= 0 && age < youngMs;
}

} // namespace rankdeck
