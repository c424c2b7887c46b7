#pragma once

#include "diagnosis/verdict/verdict.h"
#include "widgets/widgetparts.h"

#include <QTabWidget>

class QTreeWidget;
class QTreeWidgetItem;

namespace rankdeck
{

/// Shows the basis of a verdict, in tabs: the lines of evidence, the ranks grouped by their errors, how they
/// exited, the traceback, the stacks of a hung rank, and the end of the failed log. Enter or a double click
/// on a line goes to it in its log; so does a click on its place. On a line that names a source file, such as
/// a line of a traceback, they open that file in the user's editor.
class VerdictTabs : public QTabWidget
{
    Q_OBJECT

public:
    explicit VerdictTabs(QWidget *parent = nullptr);

    /// @param tail the last lines of the failed process's log.
    /// @param isWhole true once the logs have been read; before, the tail is shown.
    void setVerdict(const Verdict &verdict, const QStringList &tail, bool isWhole);
    /// Sets where relative paths of source files begin.
    void setDirectory(const QString &directory) { m_directory = directory; }
    /// Returns a height for a fixed number of lines, whatever they contain: a dialog relies on it before and
    /// after a verdict.
    QSize sizeHint() const override;

Q_SIGNALS:
    /// @param process index in LaunchPlan::processes.
    /// @param line from 0; -1 for none.
    void lineRequested(int process, const QString &file, qint64 line);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void goToLine(const QTreeWidgetItem *item);
    bool openSource(const QString &line);
    void showEvidence(const Verdict &verdict);
    void showGroups(const Verdict &verdict);
    void showExits(const Verdict &verdict);

    QTreeWidget *m_evidence;
    QTreeWidget *m_groups;
    QTreeWidget *m_exits;
    QPlainTextEdit *m_trace;
    QPlainTextEdit *m_stacks;
    QPlainTextEdit *m_tail;
    QString m_directory;
    Verdict m_shown;
    bool m_wasWhole = false;
};

} // namespace rankdeck
