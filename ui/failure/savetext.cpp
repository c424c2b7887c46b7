#include "failure/savetext.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace rankdeck
{

std::optional<Error> saveText(const QString &text, const QString &path)
{
    const QByteArray content = text.toUtf8();
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit())
        return {};
    return Error{QCoreApplication::translate("rankdeck::FailureDialog", "cannot be written: %1")
                     .arg(file.errorString()),
                 path, QCoreApplication::translate("rankdeck::FailureDialog", "Choose another place.")};
}

} // namespace rankdeck
