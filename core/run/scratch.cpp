#include "run/scratch.h"

#include <QFile>

#include <cstdlib>

namespace rankdeck
{

QString makeScratchDirectory(const QStringList &roots)
{
    for (const QString &root : roots) {
        QByteArray path = QFile::encodeName(root + QStringLiteral("/rankdeck-XXXXXX"));
        if (mkdtemp(path.data()))
            return QFile::decodeName(path);
    }
    return {};
}

} // namespace rankdeck
