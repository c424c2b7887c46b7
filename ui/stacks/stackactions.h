#pragma once

#include "run/runstate.h"

#include <QList>
#include <QObject>
#include <QPointer>

class QAction;
class QWidget;

namespace rankdeck
{

class StacksDialog;

/// Stacks of the chosen ranks or of all, and the dialog that shows them; for menus.
class StackActions : public QObject
{
    Q_OBJECT

public:
    /// @param page over which the dialog is shown.
    explicit StackActions(QWidget *page);

    QList<QAction *> actions() const { return {m_dumpChosen, m_dumpAll, m_show}; }
    /// @param processes by index in the run's plan.
    void setChosen(const RunState &run, const QList<int> &processes);

public Q_SLOTS:
    /// Ask for the stacks of all that run, and show them as they come.
    void dumpAll();

Q_SIGNALS:
    void wanted(const QList<int> &processes);

private:
    void dump(const QList<int> &processes);
    void showDialog();
    QList<int> running(const QList<int> &processes) const;

    QWidget *m_page;
    RunState m_run;
    QList<int> m_chosen;
    QAction *m_dumpChosen;
    QAction *m_dumpAll;
    QAction *m_show;
    QPointer<StacksDialog> m_dialog;
};

} // namespace rankdeck
