#pragma once

#include "run/runstate.h"

#include <QList>
#include <QObject>
#include <QStringList>

class QWidget;

namespace rankdeck
{

/// Deletes runs that are over: those that the user chose, after a question, and those that are older than the
/// user wants to keep them. Files are touched in the background.
class PastRuns : public QObject
{
    Q_OBJECT

public:
    /// @param window what questions stand over.
    explicit PastRuns(QWidget *window);

    /// Ask, then delete.
    void deleteRuns(const QStringList &directories);
    /// Ask how long runs are kept.
    /// @param runs those there are, to say which would go.
    void askHowLongToKeep(const QList<RunSummary> &runs);
    /// Delete what is older than the user wants to keep.
    void deleteExpired();

Q_SIGNALS:
    /// Some of them may have stayed: look what is there.
    void deleted(const QStringList &directories);
    /// For the status bar.
    void message(const QString &text);

private:
    void remove(const QStringList &directories, bool withOutsideLogs);

    QWidget *m_window;
};

} // namespace rankdeck
