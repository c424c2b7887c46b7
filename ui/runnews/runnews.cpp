#include "runnews/runnews.h"

#include "base/times.h"
#include "widgets/preferences.h"
#include "widgets/statelook.h"

#include <QApplication>

#ifdef RANKDECK_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QFile>
#include <QStandardPaths>
#include <QThreadPool>
#endif

#include <algorithm>

namespace rankdeck
{

#ifdef RANKDECK_DBUS
void showNotification(const Notification &notification)
{
    // Without a session bus, libdbus would start its own.
    if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") &&
        !QFile::exists(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation) + u"/bus"_s))
        return;
    // Connecting waits for the bus, which may hang.
    QThreadPool::globalInstance()->start([notification] {
        constexpr uchar normal = 1;
        constexpr uchar critical = 2;
        constexpr quint32 isNew = 0;
        constexpr qint32 usualTime = -1;
        QDBusMessage call = QDBusMessage::createMethodCall(u"org.freedesktop.Notifications"_s,
                                                           u"/org/freedesktop/Notifications"_s,
                                                           u"org.freedesktop.Notifications"_s, u"Notify"_s);
        const QVariantMap hints{{u"urgency"_s, QVariant::fromValue(notification.isBad ? critical : normal)},
                                {u"desktop-entry"_s, u"rankdeck"_s}};
        // A body may be read as markup, a summary not.
        call << u"Rankdeck"_s << isNew << u"rankdeck"_s << notification.summary
             << notification.body.toHtmlEscaped() << QStringList() << hints << usualTime;
        QDBusConnection::sessionBus().asyncCall(call);
    });
}
#else
void showNotification(const Notification &) {}
#endif

std::optional<Notification> newsOf(const RunSummary &before, const RunSummary &now)
{
    if (!isLive(before.phase))
        return std::nullopt;
    const QString name = now.title.isEmpty() ? now.name : now.title;
    if (isLive(now.phase)) {
        if (now.remark.isEmpty() || !before.remark.isEmpty())
            return std::nullopt;
        return Notification{RunNews::tr("%1 stalls").arg(name), now.remark, true};
    }
    QString body = RunNews::tr("After %1.", "a duration").arg(elapsedText(now.duration(now.ended)));
    if (now.phase == RunPhase::Failed)
        body += ' '_L1 + RunNews::tr("Exit code %1.").arg(now.exitCode);
    if (!now.verdict.isEmpty())
        body += '\n'_L1 + now.verdict;
    const bool isBad = now.phase == RunPhase::Failed || now.phase == RunPhase::Lost;
    return Notification{RunNews::tr("%1: %2", "run: state").arg(name, shownWord(now.phase)), body, isBad};
}

RunNews::RunNews(QWidget *window)
    : QObject(window)
    , m_window(window)
    , m_send(showNotification)
{
}

void RunNews::take(const QList<RunSummary> &before, const QList<RunSummary> &now,
                   const QSet<QString> &directories)
{
    if (QApplication::activeWindow() || !Preferences::load().notifies)
        return;
    for (const RunSummary &run : now) {
        const auto known = std::ranges::find(before, run.directory, &RunSummary::directory);
        if (known == before.cend() || !directories.contains(run.directory))
            continue;
        if (const auto news = newsOf(*known, run)) {
            QApplication::alert(m_window);
            m_send(*news);
        }
    }
}

} // namespace rankdeck
