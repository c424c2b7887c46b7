#pragma once

#include "result.h"

#include <QMap>
#include <QString>

namespace rankdeck
{

/// Variables as editable text: one NAME=value a line, empty lines and lines that begin with # left out. In a
/// value \n stands for a new line and \\ for a backslash; any other \ is itself. Quotes are part of the
/// value. Error: the first line without "=", with an unusable name, or with a name seen before, by its
/// number.
Result<QMap<QString, QString>> parseEnvironmentText(const QString &text);

/// The text that parseEnvironmentText() makes `variables` of.
QString environmentText(const QMap<QString, QString> &variables);

} // namespace rankdeck
