#pragma once

#include "base/result.h"

namespace rankdeck
{

/// Returns an error if no display is named, nothing if one is; see Splash::show() for whether it answers.
std::optional<Error> missingDisplay();

/// Returns advice for a machine without a display.
QString displayAdvice();

/// Returns true if Qt is going to open an X display.
bool isDisplayX();

/// Whether the X display that DISPLAY names is reached through a network, which includes ssh -X.
bool isDisplayRemote();

/// Makes the settings that QApplication needs before it is made: cheap on the wire, and sharp at fractional
/// scales.
/// @param fastStart leaves out parts that cost 15 round trips and that few users need: several screens, and
/// smooth scrolling.
void prepareDisplay(bool fastStart);

/// Where the window comes from an unpacked package, Qt is to find that one's plugins and fonts, and only Qt.
/// To be made before the application.
class PackageFonts
{
public:
    PackageFonts();
    /// Needs the application. Afterwards the environment is again what ranks are to have.
    void read() const;

private:
    bool m_isNamed = false;
};

} // namespace rankdeck
