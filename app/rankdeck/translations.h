#pragma once

#include <QString>

class QCoreApplication;

namespace rankdeck
{

/// Translate the window, and Qt's own buttons, to `language` (empty: the system's). English where there is
/// nothing.
void installTranslations(QCoreApplication &application, const QString &language);

} // namespace rankdeck
