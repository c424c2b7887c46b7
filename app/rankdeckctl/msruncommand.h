#pragma once

#include <QStringList>

namespace rankdeck
{

/// `rankdeckctl plan msrun …`: what follows "msrun".
int planMsrunCommand(const QStringList &arguments);

} // namespace rankdeck
