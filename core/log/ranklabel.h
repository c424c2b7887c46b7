#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace rankdeck
{

/// How the label of a rank is coloured where several are shown together, in a terminal as in a window: SGR
/// parameters, over and over the same eight. Red and yellow are not among them: these say how bad a line is.
/// @param member 0-based among those that are shown; others are taken as 0.
QByteArrayView rankColor(int member);
/// The same for what several ranks printed alike.
QByteArrayView severalRanksColor();

} // namespace rankdeck
