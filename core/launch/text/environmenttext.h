#pragma once

#include "base/result.h"

#include <QMap>
#include <QString>

namespace rankdeck
{

/// Reads variables from editable text: one NAME=value a line; ignores empty lines and lines that begin with
/// #. In a value \n stands for a new line and \\ for a backslash; any other \ is kept. Quotes are part of the
/// value. Fails at the first line without "=", with an unusable or a repeated name; the error gives its
/// number.
Result<QMap<QString, QString>> parseEnvironmentText(const QString &text);

/// Returns text that parseEnvironmentText() reads as `variables`.
QString environmentText(const QMap<QString, QString> &variables);

} // namespace rankdeck
