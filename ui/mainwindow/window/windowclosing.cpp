#include "mainwindow/window/windowclosing.h"

#include "base/listcomma.h"
#include "widgets/widgetparts.h"

#include <QMainWindow>
#include <QStatusBar>

namespace rankdeck
{

CloseQuestion::CloseQuestion(const QStringList &names, QWidget *parent)
    : QMessageBox(parent)
{
    const int count = int(names.size());
    setUpBox(this, "closeQuestion", QMessageBox::Question, tr("Runs are live", "A run is live", count),
             count > 1 ? tr("%n runs are still running.", "%n run is still running.", count)
                       : tr("%1 is still running.").arg(names.constFirst()));
    setInformativeText(tr("They keep running after you close this window. Open them again from the run list.",
                          "It keeps running after you close this window. Open it again from the run list.",
                          count));

    QPushButton *leave =
        named(addButton(tr("&Leave running"), QMessageBox::AcceptRole), "leaveRunningButton");
    const QString stopText = tr("Stop all %n", "Stop", count);
    QPushButton *stop = named(addButton(stopText, QMessageBox::DestructiveRole), "stopRunsButton");
    setDefaultButton(leave);
    setEscapeButton(addButton(QMessageBox::Cancel));
    connect(this, &QMessageBox::buttonClicked, this, [this, leave, stop](QAbstractButton *button) {
        if (button == leave)
            Q_EMIT leaveRunning();
        else if (button == stop)
            Q_EMIT stopRuns();
    });
}

WindowClosing::WindowClosing(QMainWindow *window, IoThread &control,
                             std::function<QStringList()> liveDirectories)
    : m_window(window)
    , m_control(control)
    , m_liveDirectories(std::move(liveDirectories))
{
    connect(&m_deadline, &QTimer::timeout, this, &WindowClosing::finish);
}

void WindowClosing::ask(const QStringList &names)
{
    if (m_window->findChild<CloseQuestion *>())
        return;
    auto *question = new CloseQuestion(names, m_window);
    connect(question, &CloseQuestion::leaveRunning, this, &WindowClosing::close);
    connect(question, &CloseQuestion::stopRuns, this, &WindowClosing::stopRuns);
    question->open();
}

void WindowClosing::close()
{
    m_isConfirmed = true;
    m_window->close();
}

void WindowClosing::stopRuns()
{
    m_waiting = m_liveDirectories();
    m_window->statusBar()->showMessage(tr("Stopping %n runs…", "Stopping the run…", int(m_waiting.size())));
    m_window->centralWidget()->setEnabled(false);
    m_clients.clear();
    m_deadline.start();
    for (const QString &directory : std::as_const(m_waiting)) {
        RemoteOwner<RunClient> client(new RunClient(directory));
        connect(client.get(), &RunClient::stateChanged, this, [this, directory](const RunState &state) {
            if (state.phase == RunPhase::Stopping || !isLive(state.phase))
                settle(directory);
        });
        // A directory that is no longer a run has nothing left to stop.
        connect(client.get(), &RunClient::failed, this, [this, directory] { settle(directory); });
        m_control.adopt(client.get());
        QMetaObject::invokeMethod(client.get(), &RunClient::open);
        QMetaObject::invokeMethod(client.get(), &RunClient::stop);
        m_clients.push_back(std::move(client));
    }
}

void WindowClosing::settle(const QString &directory)
{
    m_waiting.removeAll(directory);
    if (m_waiting.isEmpty() && m_deadline.isActive())
        finish();
}

void WindowClosing::finish()
{
    m_deadline.stop();
    m_window->centralWidget()->setEnabled(true);
    if (m_waiting.isEmpty()) {
        close();
        return;
    }
    m_window->statusBar()->clearMessage();
    showProblem(m_window, tr("Not every run could be stopped"),
                tr("No answer from %1. Close the window again to leave it running.")
                    .arg(m_waiting.join(listComma())));
}

} // namespace rankdeck
