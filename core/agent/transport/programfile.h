#pragma once

#include "result.h"

#include <QByteArray>
#include <QString>

namespace rankdeck
{

/// A rankdeckctl as it is copied to nodes that have none: of which build it is, told by its content.
struct ProgramFile {
    QString path;
    qint64 size = 0;   ///< Bytes.
    QByteArray sha256; ///< 64 hexadecimal digits.
};

/// Reads all of the file, some 10 ms for each 10 MB: not for the GUI thread. What was read before is
/// remembered while size and time of the file stay. Error: it cannot be read.
Result<ProgramFile> readProgramFile(const QString &path);

/// This machine's, as `uname -m` says it: "x86_64", "aarch64".
QString machineArchitecture();

} // namespace rankdeck
