#pragma once

#include "run/runstate.h"
#include "run/signalrequest.h"

#include <QList>
#include <QObject>

#include <memory>

class QAction;
class QMenu;
class QWidget;

namespace rankdeck
{

/// A menu of the signals that can be sent to the chosen ranks; a question comes before those that end or hold
/// a rank whatever it does itself, or mostly do: SIGTERM, SIGKILL, SIGSTOP.
class SignalActions : public QObject
{
    Q_OBJECT

public:
    /// @param page over which the questions are shown.
    explicit SignalActions(QWidget *page);
    ~SignalActions() override;

    /// Opens the menu.
    QAction *action() const;
    /// @param processes by index in the run's plan.
    void setChosen(const RunState &run, const QList<int> &processes);

Q_SIGNALS:
    /// The user said yes.
    void wanted(const rankdeck::SignalRequest &request);

private:
    void send(int number);

    QWidget *m_page;
    std::unique_ptr<QMenu> m_menu;
    QString m_runName;
    QString m_chosenName; ///< "rank 3", "3 ranks".
    QList<int> m_running; ///< Of the chosen.
};

} // namespace rankdeck
