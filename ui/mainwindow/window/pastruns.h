#pragma once

#include "run/record/runstate.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

/// Deletes runs that have ended: those that the user chose, after a question, and those that are older than
/// the user wants to keep them. File access is in the background.
class PastRuns : public QObject
{
    Q_OBJECT

public:
    /// @param window parent of the questions.
    explicit PastRuns(QWidget *window);

    /// Deletes runs after a question.
    void deleteRuns(const QStringList &directories);
    /// Asks how long runs are kept.
    /// @param runs all runs, to show which would be deleted.
    void askHowLongToKeep(const QList<RunSummary> &runs);
    /// Deletes runs that are older than the user wants to keep.
    void deleteExpired();

Q_SIGNALS:
    /// Some of them may have failed to be deleted: read the list again.
    void deleted(const QStringList &directories);
    /// For the status bar.
    void message(const QString &text);

private:
    void remove(const QStringList &directories, bool withOutsideLogs);

    QWidget *m_window;
};

} // namespace rankdeck
