#pragma once

#include "launch/demolaunch.h"
#include "launch/launchspec.h"

#include <QObject>

class QMainWindow;
class QPushButton;

namespace rankdeck
{

class LaunchJob;

/// Launches without the form, one at a time: tells its progress in the window's status bar, where it can be
/// cancelled, and its problems in a box.
class Launching : public QObject
{
    Q_OBJECT

public:
    /// @param window its status bar gets the button that cancels.
    explicit Launching(QMainWindow *window);

    void start(const LaunchSpec &spec);
    void startDemo(Demo demo = Demo::Training);
    bool isBusy() const { return m_job != nullptr; }

Q_SIGNALS:
    void launched(const QString &directory);

private:
    void end();

    QMainWindow *m_window;
    QPushButton *m_cancel;
    LaunchJob *m_job = nullptr; ///< A child; absent while nothing is being launched.
};

} // namespace rankdeck
