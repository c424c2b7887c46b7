#pragma once

#include "background/iothread.h"
#include "base/oneshottimer.h"
#include "run/control/runclient.h"

#include <QMessageBox>

#include <functional>

class QMainWindow;

namespace rankdeck
{

/// Asked when the window is closed while runs are live: leave them running (the default), stop them, or stay.
class CloseQuestion : public QMessageBox
{
    Q_OBJECT

public:
    /// @param names of the live runs; at least one.
    explicit CloseQuestion(const QStringList &names, QWidget *parent = nullptr);

Q_SIGNALS:
    void leaveRunning();
    void stopRuns();
};

/// Closes the window while runs are live, after a question. Runs to be stopped must accept that first.
class WindowClosing : public QObject
{
    Q_OBJECT

public:
    /// @param control thread for the runs' clients; must outlive this object.
    /// @param liveDirectories returns the directories of the live runs.
    WindowClosing(QMainWindow *window, IoThread &control, std::function<QStringList()> liveDirectories);

    /// Whether the window may close without a question.
    bool isConfirmed() const { return m_isConfirmed; }
    /// Asks, unless the question is open already.
    void ask(const QStringList &names);

private:
    void close();
    void stopRuns();
    void settle(const QString &directory);
    void finish();

    QMainWindow *m_window;
    IoThread &m_control;
    std::function<QStringList()> m_liveDirectories;
    std::vector<RemoteOwner<RunClient>> m_clients;
    QStringList m_waiting;           ///< Directories of the runs that have not accepted the request yet.
    OneShotTimer m_deadline{10'000}; ///< Runs while runs are being stopped.
    bool m_isConfirmed = false;
};

} // namespace rankdeck
