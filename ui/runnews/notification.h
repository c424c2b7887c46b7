#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// A notification of the desktop, plain text.
struct Notification {
    QString summary;
    QString body;
    bool isBad = false; ///< Stays until the user dismisses it, where the desktop obeys.
};

/// Sends a notification to org.freedesktop.Notifications on the session bus, in the background. Does nothing
/// if there is no bus or nobody who shows notifications, or if this was built without QtDBus.
/// Source: Desktop Notifications Specification 1.2.
void showNotification(const Notification &notification);

} // namespace rankdeck
