#pragma once

#include "base/tr.h"

#include <QAction>

namespace rankdeck
{

class Launching;
class MainWindow;
class ManualWindow;
class Opening;
class PastRuns;
class Presentation;
class RunPage;
struct RunState;

/// The menu bar and the tool bar of the window. Enables the actions that suit the state of the run that is
/// shown, and opens the manual at F1, in dialogs too.
class MainMenu : public QObject
{
    Q_OBJECT

public:
    /// The parts of the window on which the actions work.
    struct Parts {
        RunPage *page;
        Opening *opening;
        Launching *launching;
        PastRuns *pastRuns;
        Presentation *presentation;
    };

    /// Fills those bars of `window`. All must outlive this object.
    MainMenu(MainWindow *window, const Parts &parts);

    void setState(const RunState &state);
    /// Sets whether there is a preflight to go back to.
    void setPreflight(bool exists) { m_preflight->setEnabled(exists); }
    /// Returns the actions for the context menu of the run list.
    QList<QAction *> listActions() const
    {
        return {m_rename, m_openDirectory, m_copyPath,   m_runAgain, m_runAgainChanged,
                m_replay, m_showError,     m_saveBundle, m_compare,  m_delete};
    }

protected:
    /// Dialogs block the menu's shortcuts, but leave F1 unused.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeFileMenu(Launching *launching, Opening *opening);
    void makeEditMenu();
    void makeRunMenu(PastRuns *pastRuns);
    void makeViewMenu(QAction *presentation);
    void makeHelpMenu();
    void makeToolBar();
    /// Opens the page of the manual for a widget, or the first page.
    void showManual(const QWidget *about);

    MainWindow *m_window;
    RunPage *m_page;
    ManualWindow *m_manual = nullptr; ///< Created on first use.
    QAction *m_launch = nullptr;
    QAction *m_openLogs = nullptr;
    QAction *m_openTable = nullptr;
    QAction *m_help = nullptr;
    QAction *m_stop = nullptr;
    QAction *m_kill = nullptr;
    QAction *m_runAgain = nullptr;
    QAction *m_runAgainChanged = nullptr;
    QAction *m_replay = nullptr;
    QAction *m_saveBundle = nullptr;
    QAction *m_rename = nullptr;
    QAction *m_openDirectory = nullptr;
    QAction *m_copyPath = nullptr;
    QAction *m_delete = nullptr;
    QAction *m_compare = nullptr;
    QAction *m_showError = nullptr;
    QAction *m_notes = nullptr;
    QAction *m_preflight = nullptr;
};

} // namespace rankdeck
