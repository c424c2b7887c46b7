#pragma once

#include "run/attachedtool.h"
#include "run/runstate.h"

#include <QList>
#include <QObject>

#include <memory>

class QAction;
class QMenu;

namespace rankdeck
{

/// A menu of the debuggers that can be attached to a chosen rank, and of those that are.
class ToolActions : public QObject
{
    Q_OBJECT

public:
    explicit ToolActions(QObject *parent = nullptr);
    ~ToolActions() override;

    /// Opens the menu.
    QAction *action() const;
    /// @param processes by index in the run's plan; one rank that runs can be looked at.
    void setChosen(const RunState &run, const QList<int> &processes);

Q_SIGNALS:
    void wanted(const rankdeck::ToolRequest &request);
    /// What was wanted here has been started, or cannot be, or is to be shown again. It has this index:
    /// RunState::planOf().
    void attached(int index);

private:
    void want(const QString &name);
    void listRunning(const RunState &run);

    std::unique_ptr<QMenu> m_menu;
    QList<QAction *> m_kinds;
    QList<QAction *> m_running; ///< One for each tool that runs, below a line.
    QList<int> m_runningTools;  ///< Which these are.
    QString m_directory;        ///< Of the run.
    int m_attempt = 0;
    int m_process = -1;      ///< That is chosen; -1: none that can be looked at.
    std::size_t m_known = 0; ///< Tools of the run.
    int m_awaited = 0;       ///< Of those that were wanted so many are not there yet.
};

} // namespace rankdeck
