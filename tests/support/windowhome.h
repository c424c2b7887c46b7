#pragma once

#include "testhome.h"

#include <QCoreApplication>
#include <QSettings>

namespace rankdeck
{

/// A TestHome for windows: what they remember goes there too. Made before the first window.
class WindowHome : public TestHome
{
public:
    WindowHome()
    {
        qputenv("XDG_CONFIG_HOME", path("config").toLocal8Bit());
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, path("config"));
        QCoreApplication::setOrganizationName(u"rankdeck"_s);
    }
};

} // namespace rankdeck
