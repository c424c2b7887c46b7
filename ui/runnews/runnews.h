#pragma once

#include "run/record/runcatalog.h"

#include <QSet>

#include <functional>

class QWidget;

namespace rankdeck
{

/// A notification of the desktop, plain text.
struct Notification {
    QString summary;
    QString body;
    bool isBad = false; ///< Stays until the user dismisses it, where the desktop obeys.
};

/// Sends a notification to org.freedesktop.Notifications on the session bus, in the background. Does nothing
/// without a bus or a service that shows notifications, or if Rankdeck was built without QtDBus. Source:
/// Desktop Notifications Specification 1.2.
void showNotification(const Notification &notification);

/// Notifies the user that runs have finished or stall, while the window is not the active one: alerts the
/// taskbar and sends a notification.
class RunNews : public QObject
{
    Q_OBJECT

public:
    explicit RunNews(QWidget *window);

    /// @param before,now lists of runs. @param directories the runs to report.
    void take(const QList<RunSummary> &before, const QList<RunSummary> &now,
              const QSet<QString> &directories);

    /// Replaces showNotification(), for tests.
    void sendTo(std::function<void(const Notification &)> send) { m_send = std::move(send); }

private:
    QWidget *m_window;
    std::function<void(const Notification &)> m_send;
};

/// Returns the news of a run; nothing if it has neither finished nor stalled since `before`.
std::optional<Notification> newsOf(const RunSummary &before, const RunSummary &now);

} // namespace rankdeck
