#pragma once

#include "base/tr.h"

#include <QFile>

namespace rankdeck
{

/// A file that somebody else may have put in place of ours. Opens to read, without waiting, and nothing but a
/// regular file: a named pipe without a writer would block its reader, a device may never end.
class RegularFile : public QFile
{
public:
    using QFile::QFile;

    /// Returns false, with errorString(), if there is no such file. An open one has lost its fileName().
    bool open(OpenMode mode) override;
};

} // namespace rankdeck
