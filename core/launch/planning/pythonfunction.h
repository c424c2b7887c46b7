#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns the arguments after those of the Python interpreter that make it call `function` (see
/// ProcessesOptions::function) as start_processes does. The program writes {"value": …} to the file of
/// returnFileVariable, or {"problem": "…"} if JSON has no form for the value; tensors and arrays are written
/// as lists. An exception goes to TORCHELASTIC_ERROR_FILE, unless the function has recorded one itself.
/// @param arguments each a JSON text.
QStringList pythonFunctionArguments(const QString &function, const QStringList &arguments);

/// Returns the function that such arguments call, from the first of them on; empty if they are others.
QString calledPythonFunction(const QStringList &arguments);

} // namespace rankdeck
