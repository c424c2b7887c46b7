#include "base/rankdeckctlpath.h"

#include "base/tr.h"

#include <QFileInfo>
#include <QStandardPaths>

namespace rankdeck
{

Result<QString> rankdeckctlPath()
{
    const QString name = QStringLiteral("rankdeckctl");
    const QString given = qEnvironmentVariable("RANKDECK_CTL");
    if (!given.isEmpty())
        return given;
    for (const QString &folder : {programDirectory(), QStringLiteral(RANKDECK_INSTALLED_BINDIR)}) {
        const QFileInfo program(folder + QLatin1Char('/') + name);
        if (program.isExecutable())
            return program.filePath();
    }
    const QString found = QStandardPaths::findExecutable(name);
    if (found.isEmpty())
        return Error{tr("the program rankdeckctl, which watches over runs, is not found"),
                     {},
                     tr("Install it beside this program or in PATH, or set RANKDECK_CTL.")};
    return found;
}

} // namespace rankdeck
