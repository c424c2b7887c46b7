#pragma once

#include "mainwindow/runpage/logchoice.h"

#include <QTabBar>

class QAction;
class QScrollArea;

namespace rankdeck
{

/// The tabs over the lower half of a run's page: the ways to look at its ranks, and its error. Each tab is an
/// action too, for the menu and its key.
class ViewTabs : public QTabBar
{
    Q_OBJECT

public:
    /// @param choice shows the tab's view; must live as long as this object.
    explicit ViewTabs(LogChoice *choice, QWidget *parent = nullptr);

    /// Returns the actions of the tabs but the error's, with their keys.
    QList<QAction *> viewActions() const { return m_views; }
    /// Enables the tabs if there is a run; shows that of the error if it has failed.
    void setState(const RunState &state);
    /// Goes to the next tab that can be shown, or to the one before; after the last one to the first.
    void goOn(bool isNext);
    void showError() { setCurrentIndex(int(m_views.size())); }

Q_SIGNALS:
    /// The tab of the error was chosen, or left.
    void errorShown(bool isShown);

protected:
    QSize minimumTabSizeHint(int index) const override;

private:
    void add(const QString &text, const QString &tab, const char *name, const QKeySequence &key,
             void (LogChoice::*showView)());
    void takeTab(int index);
    /// Marks the tab of the current view.
    void follow() { setCurrentIndex(int(m_choice->view())); }

    LogChoice *m_choice;
    QList<QAction *> m_views;
};

class FailureNotice;
class SearchPanel;
struct SearchedLog;

/// The lower half of a run's page: the tabs, the logs or the error, and the results of a search in all logs.
class LowerHalf : public QWidget
{
    Q_OBJECT

public:
    /// @param failure has the view of the error. All must live as long as this does.
    LowerHalf(LogChoice *choice, RunLogs *logs, FailureNotice *failure, QWidget *parent);

    ViewTabs *tabs() const { return m_tabs; }
    /// Its widget is the view of the error.
    QScrollArea *errorPage() const { return m_errorPage; }
    /// Sets the run whose logs are searched; null: no run. Forgets the matches in the run before.
    void setSession(RunSession *session);
    /// Sets the state of the run, after the failure's.
    void setState(const RunState &state);

private:
    /// Shows the error in place of the logs, or the logs again.
    void showErrorPage(bool isShown);
    QList<SearchedLog> searchedLogs() const;

    RunSession *m_session = nullptr;
    FailureNotice *m_failure;
    ViewTabs *m_tabs;
    QScrollArea *m_logArea;
    QScrollArea *m_errorPage;
    QStackedWidget *m_shown; ///< The logs, or the error.
    SearchPanel *m_search;
};

} // namespace rankdeck
