#include "ranktable/table/ranktablelocation.h"

#include <QDir>
#include <QFileInfo>

namespace rankdeck
{

const QString fileName = QString::fromLatin1(rankTableFileName);

static QString fileIn(const QString &path)
{
    const QString clean = QDir::cleanPath(path);
    return QFileInfo(clean).isDir() ? clean + '/'_L1 + fileName : clean;
}

QString rankTablePath(const QString &given, const QProcessEnvironment &environment)
{
    if (!given.isEmpty())
        return fileIn(given);
    for (const char *variable : {"RANK_TABLE_FILE_V_1_0", "RANK_TABLE_FILE"}) {
        const QString path = environment.value(QString::fromLatin1(variable));
        if (!path.isEmpty())
            return fileIn(path);
    }
    return u"/user/config/"_s + fileName;
}

QString convertedRankTablePath(const QString &given, const QProcessEnvironment &environment,
                               const QString &otherwise)
{
    if (!given.isEmpty()) {
        const QString clean = QDir::cleanPath(given);
        return clean.endsWith(".json"_L1) ? clean : clean + '/'_L1 + fileName;
    }
    QString parent = otherwise;
    for (const char *variable : {"MA_HOME", "MA_MOUNT_PATH"}) {
        const QString path = environment.value(QString::fromLatin1(variable));
        if (!path.isEmpty()) {
            parent = path;
            break;
        }
    }
    return QDir::cleanPath(parent) + u"/rank_table/"_s + fileName;
}

} // namespace rankdeck
