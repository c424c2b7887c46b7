#include "run/livemarks.h"

#include "run/rundirectory.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

QString marksDirectory()
{
    return QFileInfo(runsDirectory()).path() + QStringLiteral("/live");
}

QString markOf(const QString &runDirectory)
{
    return marksDirectory() + QLatin1Char('/') + QFileInfo(runDirectory).fileName();
}

} // namespace

void markLive(const QString &runDirectory)
{
    QDir().mkpath(marksDirectory());
    QFile(markOf(runDirectory)).open(QIODevice::WriteOnly);
}

void unmarkLive(const QString &runDirectory)
{
    QFile::remove(markOf(runDirectory));
}

QStringList markedRuns()
{
    QStringList directories;
    const QString runs = runsDirectory() + QLatin1Char('/');
    for (const QString &name : QDir(marksDirectory()).entryList(QDir::Files, QDir::Name))
        directories << runs + name;
    return directories;
}

} // namespace rankdeck
