#pragma once

#include "run/record/rundeletion.h"
#include "runlist/runlist.h"

#include <QClipboard>
#include <QGuiApplication>

class QRadioButton;
class QSpinBox;

namespace rankdeck
{

class RunPage;

/// Asks before runs are deleted. Logs outside the run directories are kept by default.
class DeleteQuestion : public QMessageBox
{
    Q_OBJECT

public:
    /// @param runs at least one.
    /// @param refused the reasons why other chosen runs stay, one sentence each.
    DeleteQuestion(const QList<RunFiles> &runs, const QStringList &refused, QWidget *parent = nullptr);

Q_SIGNALS:
    void confirmed(bool withOutsideLogs);

private:
    QCheckBox *m_outside;
};

/// Asks how long runs are kept after their end, and shows how many would be deleted now.
class KeepDialog : public QDialog
{
    Q_OBJECT

public:
    KeepDialog(const KeepSetting &setting, const QList<RunSummary> &runs, QWidget *parent = nullptr);

    KeepSetting setting() const;

private:
    void showEffect();

    QList<RunSummary> m_runs;
    QRadioButton *m_forever;
    QRadioButton *m_limited;
    QSpinBox *m_days;
    QLabel *m_effect;
};

/// Handles the user's actions on the runs in the list: renames, opens, compares and deletes them. Also
/// deletes runs that are older than the user wants to keep them. File access is in the background.
class PastRuns : public QObject
{
    Q_OBJECT

public:
    /// @param window parent of the questions.
    PastRuns(QWidget *window, RunList *list, RunPage *page)
        : QObject(window)
        , m_window(window)
        , m_list(list)
        , m_page(page)
    {
    }

    // These are about the run that is current in the list.
    void rename();
    void openDirectory();
    void copyPath() { QGuiApplication::clipboard()->setText(m_list->currentRun()); }
    // These are about the runs that are selected in the list.
    /// Deletes them after a question; the run that is shown if none is selected.
    void deleteSelected();
    void compareSelected();
    void askHowLongToKeep();
    /// Deletes runs that are older than the user wants to keep.
    void deleteExpired();

Q_SIGNALS:
    /// Emitted after deletions, some of which may have failed: read the list again.
    void deleted(const QStringList &directories);
    /// A run has another title: read the list again.
    void renamed();
    /// For the status bar.
    void message(const QString &text);

private:
    void remove(const QStringList &directories, bool withOutsideLogs);

    QWidget *m_window;
    RunList *m_list;
    RunPage *m_page;
};

} // namespace rankdeck
