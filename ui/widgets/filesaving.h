#pragma once

#include "result.h"

#include <QString>

#include <functional>
#include <optional>

class QImage;
class QIODevice;
class QWidget;

namespace rankdeck
{

/// Ask where to save, and then call `then` with the path. One that is there is replaced only after a
/// question.
/// @param fileName what is offered; its suffix is the usual one.
void askWhereToSave(QWidget *parent, const QString &title, const QString &fileName,
                    const std::function<void(const QString &path)> &then);

/// Write a file in the background, whole or not at all; an error is told in a box.
/// @param write called in another thread; its error is told as if the file could not be written.
void saveInBackground(QWidget *parent, const QString &title, const QString &path,
                      std::function<std::optional<Error>(QIODevice &file)> write);

/// The same of a picture, as PNG.
void savePicture(QWidget *parent, const QString &title, const QString &path, const QImage &picture);

} // namespace rankdeck
