#include "base/resources.h"

#include "base/listcomma.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>

namespace rankdeck
{

Result<QString> rankdeckctlPath()
{
    const QString name = u"rankdeckctl"_s;
    const QString given = qEnvironmentVariable("RANKDECK_CTL");
    if (!given.isEmpty())
        return given;
    for (const QString &folder : {programDirectory(), QStringLiteral(RANKDECK_INSTALLED_BINDIR)}) {
        const QFileInfo program(folder + '/'_L1 + name);
        if (program.isExecutable())
            return program.filePath();
    }
    const QString found = QStandardPaths::findExecutable(name);
    if (found.isEmpty())
        return Error{tr("rankdeckctl, which supervises runs, was not found"),
                     {},
                     tr("Install it beside this program or in PATH, or set RANKDECK_CTL.")};
    return found;
}

Result<QString> resourcesDirectory()
{
    const QString given = qEnvironmentVariable("RANKDECK_RESOURCES");
    const QStringList places =
        given.isEmpty() ? QStringList{QDir::cleanPath(programDirectory() + u"/../share/rankdeck"_s),
                                      QStringLiteral(RANKDECK_SOURCE_RESOURCES)}
                        : QStringList{given};
    for (const QString &place : places) {
        if (QFile::exists(place + u"/demo/train.py"_s))
            return place;
    }
    return Error{tr("the demo's files were not found"), places.join(nameComma()),
                 tr("Install Rankdeck completely, or set RANKDECK_RESOURCES.")};
}

} // namespace rankdeck
