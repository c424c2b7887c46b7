#pragma once

#include <QStringList>

namespace rankdeck
{

/// `rankdeckctl plan processes …`, given what follows "processes".
int planProcessesCommand(const QStringList &arguments);

} // namespace rankdeck
