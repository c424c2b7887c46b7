#pragma once

#include "diagnosis/stall/stackgroups.h"
#include "run/runstate.h"

#include <QDialog>
#include <QSet>

#include <vector>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace rankdeck
{

/// The stacks of a run's processes as they were last dumped: those that are equal together, the odd ones
/// first. Says which are awaited, and why there are none of others.
class StacksDialog : public QDialog
{
    Q_OBJECT

public:
    explicit StacksDialog(QWidget *parent = nullptr);

    /// The same run, or another one.
    void setState(const RunState &state);
    /// The stacks of these processes have been asked for.
    void await(const QList<int> &processes);

Q_SIGNALS:
    /// Of the same processes, once more.
    void dumpWanted(const QList<int> &processes);

private:
    void read();
    void showGroups();
    void showText();
    void sayStatus();
    QString nameOf(const QList<int> &processes) const;

    RunState m_state;
    qsizetype m_taken = 0; ///< Of its dumps.
    QList<int> m_asked;
    QSet<int> m_due;
    QMap<int, QString> m_problems; ///< Of those asked last.
    std::vector<StackGroup> m_groups;
    QLabel *m_status;
    QListWidget *m_list;
    QPlainTextEdit *m_text;
    QPushButton *m_again;
};

} // namespace rankdeck
