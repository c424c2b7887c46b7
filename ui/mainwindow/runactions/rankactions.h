#pragma once

#include "agent/messages/processorders.h"
#include "run/record/runstate.h"
#include "widgets/widgetparts.h"

#include <QMenu>
#include <QPointer>

#include <array>

namespace rankdeck
{

/// Asked before processes are stopped or killed; Cancel is the default.
class StopQuestion : public QMessageBox
{
    Q_OBJECT

public:
    enum class How { Stop, Kill };

    /// For a whole run.
    StopQuestion(const RunState &run, How how, QWidget *parent);
    /// For a part of it.
    /// @param part such as "rank 3", "3 ranks", "node 10.0.0.1".
    /// @param processes their number.
    StopQuestion(const RunState &run, const QString &part, int processes, How how, QWidget *parent);

Q_SIGNALS:
    void confirmed();

private:
    void ask(const char *name, const QString &title, const QString &question, const QString &consequences,
             How how);
};

/// Returns how many ranks run, as a sentence: "All 8 ranks are running."
QString runningRanks(const RunState &run);

/// Actions that stop or kill the run, chosen ranks or their node, or start these again, after a question.
class RankActions : public QObject
{
    Q_OBJECT

public:
    /// @param page parent of the questions.
    explicit RankActions(QWidget *page);

    /// Returns the actions for the chosen ranks and their node.
    QList<QAction *> actions() const;
    /// @param processes by index in the run's plan.
    void setChosen(const RunState &run, const QList<int> &processes);
    /// Stops the whole run, without a question if no rank runs.
    void stopRun();
    void killRun()
    {
        if (m_run.plan)
            askForRun(true);
    }

Q_SIGNALS:
    /// The user confirmed.
    void requested(const rankdeck::Request &request);

private:
    /// The processes that one of the actions would end.
    struct Part {
        QAction *action = nullptr;
        StopRequest request;
        QString name; ///< "rank 3", "3 ranks", "node 10.0.0.1".
    };

    void update(Part &part, bool kill, const QString &name, const QList<int> &processes);
    void ask(StopQuestion *question, const StopRequest &request);
    void askForRun(bool kill);
    void askToStart();

    QWidget *m_page;
    RunState m_run;
    QAction *m_start;
    StartOrder m_order;                ///< What would be started again.
    std::array<Part, 4> m_parts;       ///< Stop and kill of the ranks, stop and kill of the node.
    QPointer<StopQuestion> m_question; ///< The open question about the whole run.
};

/// A menu of the signals that can be sent to the chosen ranks. Those that usually end or suspend a rank
/// (SIGTERM, SIGKILL, SIGSTOP) are sent after a question.
class SignalActions : public QObject
{
    Q_OBJECT

public:
    /// @param page parent of the questions.
    explicit SignalActions(QWidget *page);

    /// Opens the menu.
    QAction *action() const { return m_menu->menuAction(); }
    /// @param processes by index in the run's plan.
    void setChosen(const RunState &run, const QList<int> &processes);

Q_SIGNALS:
    /// The user confirmed.
    void requested(const rankdeck::Request &request);

private:
    void send(int number);

    QWidget *m_page;
    std::unique_ptr<QMenu> m_menu;
    QString m_runName;
    QString m_chosenName; ///< "rank 3", "3 ranks".
    QList<int> m_running; ///< The chosen processes that run.
};

/// What a chosen rank offers to copy and to open.
class PlaceActions : public QObject
{
    Q_OBJECT

public:
    explicit PlaceActions(QObject *parent);

    QList<QAction *> actions() const { return {m_copyPids, m_copyLogs, m_openLog, m_openFolder}; }
    /// @param processes by index in the run's plan.
    void setChosen(const RunState &run, const QList<int> &processes);

Q_SIGNALS:
    /// What went wrong; empty: nothing did.
    void said(const QString &sentence);

private:
    QAction *m_copyPids;
    QAction *m_copyLogs;
    QAction *m_openLog;
    QAction *m_openFolder;
    QStringList m_pids;
    QStringList m_logs;
};

/// A menu of the debuggers that can be attached to a chosen rank, and of the attached ones.
class ToolActions : public QObject
{
    Q_OBJECT

public:
    explicit ToolActions(QObject *parent = nullptr);

    /// Opens the menu.
    QAction *action() const { return m_menu->menuAction(); }
    /// @param processes by index in the run's plan; a debugger needs exactly one, which must be running.
    void setChosen(const RunState &run, const QList<int> &processes);

Q_SIGNALS:
    void requested(const rankdeck::Request &request);
    /// The requested tool started or failed, or an attached one is wanted. `index`: see RunState::planOf().
    void attached(int index);

private:
    void request(const QString &name);
    void listRunning(const RunState &run);

    std::unique_ptr<QMenu> m_menu;
    QList<QAction *> m_kinds;
    QList<QAction *> m_running; ///< One for each tool that runs, below a line.
    QList<int> m_runningTools;  ///< Their indexes.
    QString m_directory;        ///< The run's.
    int m_attempt = 0;
    int m_process = -1;      ///< The chosen process; -1 if none can be debugged.
    std::size_t m_known = 0; ///< Number of tools of the run.
    int m_awaited = 0;       ///< Number of requested tools that are not there yet.
};

} // namespace rankdeck
