#include "display.h"

#include <QApplication>

namespace rankdeck
{

std::optional<Error> missingDisplay()
{
    for (const char *variable : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}) {
        if (!qEnvironmentVariableIsEmpty(variable))
            return {};
    }
    return Error{
        QCoreApplication::translate("rankdeck", "there is no display (DISPLAY is not set)"),
        {},
        QCoreApplication::translate("rankdeck", "Log in with ssh -X, or use rankdeckctl, which needs none.")};
}

void prepareDisplay()
{
    // One native window: each further one costs round trips.
    QApplication::setAttribute(Qt::AA_DontCreateNativeWidgetSiblings);
    QApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::RoundPreferFloor);
    // Shared memory cannot reach a display at the other end of an ssh connection; trying costs start-up time.
    if (qEnvironmentVariableIsSet("SSH_CONNECTION") && !qEnvironmentVariableIsSet("QT_XCB_NO_MITSHM"))
        qputenv("QT_XCB_NO_MITSHM", "1");
}

} // namespace rankdeck
