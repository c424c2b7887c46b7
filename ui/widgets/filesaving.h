#pragma once

#include "base/result.h"

#include <functional>

namespace rankdeck
{

/// Writes `text` to `path` as UTF-8, whole or not at all. Blocks. Returns nothing on success.
std::optional<Error> saveText(const QString &text, const QString &path);

/// Asks where to save, then calls `then` with the path. Asks before an existing file is replaced.
/// @param fileName what is offered; its suffix is the usual one.
void askWhereToSave(QWidget *parent, const QString &title, const QString &fileName,
                    const std::function<void(const QString &path)> &then);

/// Writes a file in the background, whole or not at all; shows an error in a box.
/// @param write called in another thread; its error is told as if the file could not be written.
void saveInBackground(QWidget *parent, const QString &title, const QString &path,
                      std::function<std::optional<Error>(QIODevice &file)> write);

/// Saves a picture as PNG, like saveInBackground().
void savePicture(QWidget *parent, const QString &title, const QString &path, const QImage &picture);

} // namespace rankdeck
