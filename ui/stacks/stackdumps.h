#pragma once

#include "diagnosis/stall/stackgroups.h"
#include "run/record/runrequests.h"
#include "widgets/widgetparts.h"

#include <QPointer>
#include <QSet>

class QListWidget;

namespace rankdeck
{

/// Shows the last dumped stacks of a run's processes: equal stacks together, the odd ones first. Says which
/// dumps are still awaited, and why others failed.
class StacksDialog : public QDialog
{
    Q_OBJECT

public:
    explicit StacksDialog(QWidget *parent = nullptr);

    /// Shows the dumps of a run, the same or another one.
    void setState(const RunState &state);
    /// Waits for dumps of these processes, which were requested just now.
    void await(const QList<int> &processes);

Q_SIGNALS:
    /// The user wants another dump of the same processes.
    void dumpRequested(const QList<int> &processes);

private:
    void read();
    void showGroups();
    void showText();
    void showStatus();
    QString nameOf(const QList<int> &processes) const;

    RunState m_state;
    qsizetype m_handled = 0; ///< Number of dumps handled so far.
    QList<int> m_asked;
    QSet<int> m_due;
    QMap<int, QString> m_problems; ///< By process of the last request.
    std::vector<StackGroup> m_groups;
    QLabel *m_status;
    QListWidget *m_list;
    QPlainTextEdit *m_text;
    QPushButton *m_again;
};

/// The menu actions that dump the stacks of the chosen ranks or of all, and show them in a dialog.
class StackActions : public QObject
{
    Q_OBJECT

public:
    /// @param page parent of the dialog.
    explicit StackActions(QWidget *page);

    QList<QAction *> actions() const { return {m_dumpChosen, m_dumpAll, m_show}; }
    /// @param processes indices in LaunchPlan::processes.
    void setChosen(const RunState &run, const QList<int> &processes);

public Q_SLOTS:
    /// Dumps the stacks of all running processes, and shows them as they arrive.
    void dumpAll();

Q_SIGNALS:
    void requested(const rankdeck::Request &request);

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

class ElidedLabel;

/// The line in a run's header that reports ranks which are stalled, held, or wait in a debugger: which, since
/// when, and what can be done. Continue hides it until there is something else to report.
class StallNotice : public QWidget
{
    Q_OBJECT

public:
    explicit StallNotice(QWidget *parent = nullptr);

    void setState(const RunState &state);

Q_SIGNALS:
    void dumpRequested();
    void stopRequested();

private:
    ElidedLabel *m_text;
    QPushButton *m_dump;
    QPushButton *m_goOn;
    QPushButton *m_stop;
    QString m_directory;
    QString m_sentence;
    QString m_putAway; ///< The sentence that the user has put away.
};

} // namespace rankdeck
