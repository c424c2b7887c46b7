#include "display.h"

#include "base/program.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>

#include <algorithm>

namespace rankdeck
{

static void setUnlessSet(const char *variable)
{
    if (!qEnvironmentVariableIsSet(variable))
        qputenv(variable, "1");
}

QString displayAdvice()
{
    return tr("Log in with ssh -X, or use rankdeckctl, which needs no display.");
}

std::optional<Error> missingDisplay()
{
    for (const char *variable : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}) {
        if (!qEnvironmentVariableIsEmpty(variable))
            return {};
    }
    return Error{tr("there is no display (DISPLAY is not set)"), {}, displayAdvice()};
}

bool isDisplayX()
{
    const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
    return platform.isEmpty() ? qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") : platform.startsWith("xcb");
}

bool isDisplayRemote()
{
    if (!isDisplayX())
        return false;
    // [protocol/]host:display, or the path of a socket.
    const QByteArray display = qgetenv("DISPLAY");
    const QByteArray host = display.left(std::max<qsizetype>(0, display.lastIndexOf(':')));
    return !host.isEmpty() && !host.startsWith('/') && host != "unix" && !host.startsWith("unix/");
}

void prepareDisplay(bool fastStart)
{
    // One native window: each further one costs round trips.
    QApplication::setAttribute(Qt::AA_DontCreateNativeWidgetSiblings);
    QApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::RoundPreferFloor);
    // Shared memory cannot reach a display at the other end of a network; trying costs round trips.
    if (isDisplayRemote())
        setUnlessSet("QT_XCB_NO_MITSHM");
    if (fastStart) {
        setUnlessSet("QT_XCB_NO_XRANDR");
        setUnlessSet("QT_XCB_NO_XI2");
    }
}

constexpr char fontsVariable[] = "FONTCONFIG_FILE";

PackageFonts::PackageFonts()
{
    const QString package = packageDirectory();
    if (package.isEmpty())
        return;
    QCoreApplication::setLibraryPaths({package + u"/plugins"_s});
    m_isNamed = !qEnvironmentVariableIsSet(fontsVariable) &&
                qputenv(fontsVariable, QFile::encodeName(package + u"/share/fonts.conf"_s));
}

void PackageFonts::read() const
{
    if (!m_isNamed)
        return;
    QFontDatabase::families(); // Reads them once and for all.
    qunsetenv(fontsVariable);
}

} // namespace rankdeck
