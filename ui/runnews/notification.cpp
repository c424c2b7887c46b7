#include "runnews/notification.h"

#ifdef RANKDECK_DBUS

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QFile>
#include <QStandardPaths>
#include <QStringList>
#include <QThreadPool>
#include <QVariantMap>

namespace rankdeck
{

/// Without one, libdbus would start a bus of its own.
static bool isBusThere()
{
    return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") ||
           QFile::exists(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation) +
                         QStringLiteral("/bus"));
}

void showNotification(const Notification &notification)
{
    if (!isBusThere())
        return;
    // Connecting waits for the bus, which may hang.
    QThreadPool::globalInstance()->start([notification] {
        constexpr uchar normal = 1;
        constexpr uchar critical = 2;
        constexpr quint32 isNew = 0;
        constexpr qint32 usualTime = -1;
        QDBusMessage call = QDBusMessage::createMethodCall(
            QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
            QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
        const QVariantMap hints{
            {QStringLiteral("urgency"), QVariant::fromValue(notification.isBad ? critical : normal)},
            {QStringLiteral("desktop-entry"), QStringLiteral("rankdeck")}};
        // A body may be read as markup, a summary not.
        call << QStringLiteral("Rankdeck") << isNew << QStringLiteral("rankdeck") << notification.summary
             << notification.body.toHtmlEscaped() << QStringList() << hints << usualTime;
        QDBusConnection::sessionBus().asyncCall(call);
    });
}

} // namespace rankdeck

#else

namespace rankdeck
{

void showNotification(const Notification &) {}

} // namespace rankdeck

#endif
