#pragma once

#include "diagnosis/verdict/verdict.h"

#include <QTabWidget>

class QPlainTextEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace rankdeck
{

/// What a verdict rests on, a tab each: the lines of evidence, the ranks by what they say, how they ended,
/// the traceback, and the end of the failed log. Enter or a double click on a line goes to it in its log.
class VerdictTabs : public QTabWidget
{
    Q_OBJECT

public:
    explicit VerdictTabs(QWidget *parent = nullptr);

    /// @param tail the last lines of the failed process's log.
    /// @param isWhole whether the logs have been read; before, the tail is shown.
    void setVerdict(const Verdict &verdict, const QStringList &tail, bool isWhole);

Q_SIGNALS:
    /// By index in LaunchPlan::processes; `line` from 0, -1: none is meant.
    void lineWanted(int process, const QString &file, qint64 line);

private:
    void want(const QTreeWidgetItem *item);
    void showEvidence(const Verdict &verdict);
    void showGroups(const Verdict &verdict);
    void showExits(const Verdict &verdict);

    QTreeWidget *m_evidence;
    QTreeWidget *m_groups;
    QTreeWidget *m_exits;
    QPlainTextEdit *m_trace;
    QPlainTextEdit *m_tail;
    Verdict m_shown;
    bool m_wasWhole = false;
};

} // namespace rankdeck
