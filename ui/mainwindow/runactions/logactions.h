#pragma once

#include "logview/view/logview.h"
#include "picture/picture.h"
#include "widgets/preferences.h"

class QScrollArea;

namespace rankdeck
{

class DevicePanel;
class RunLogs;

/// Menu actions for the device grid: the order and folding of its servers, the sorting and filter of ranks,
/// the content and size of cells, and the colours of tiles. The settings keep all but sorting and filter.
class GridActions : public QObject
{
    Q_OBJECT

public:
    explicit GridActions(DevicePanel *panel);

    QList<QAction *> actions() const
    {
        return {m_worstFirst,           m_foldAll,           m_openAll, m_order, m_troubleFirst,
                m_values->menuAction(), m_look->menuAction()};
    }
    /// To be called when the grid shows another run, or none.
    void update();

private:
    void addServerActions();
    void addValueActions();
    void addDensityActions();
    void addColorActions();
    void updateDensity();

    DevicePanel *m_panel;
    QAction *m_worstFirst;
    QAction *m_foldAll;
    QAction *m_openAll;
    QAction *m_order;
    QAction *m_troubleFirst;
    std::unique_ptr<QMenu> m_values;
    std::unique_ptr<QMenu> m_look; ///< Density and colours.
    QList<QAction *> m_densities;
};

/// Menu actions: the look of logs, kept in the settings; searches in the log that has or had the focus.
class LogActions : public QObject
{
    Q_OBJECT

public:
    explicit LogActions(RunLogs *logs);

    QList<QAction *> actions() const { return m_actions; }
    /// Returns the actions that look for something. Logs have their keys, so that these are only shown here;
    /// elsewhere in the window see press().
    QList<QAction *> findActions() const { return m_finders; }
    /// Triggers the action that a key stands for; returns whether there is one.
    bool press(const QKeyEvent &event) const;

Q_SIGNALS:
    /// No log is shown, and one is needed.
    void logRequested();

private:
    void showLog();
    template <typename Slot>
    QAction *add(const QString &text, const char *name, const QKeySequence &key, Slot slot);
    /// Adds an action that calls `set` with its state, which is kept in the settings.
    template <typename Slot>
    void addSwitch(const QString &text, const char *name, const QString &settingsKey, Slot set);
    void addLookActions();
    void addFindActions();
    void takePreferences(const Preferences &preferences);
    void showSize();
    void zoom(int steps);
    void askForHighlights();
    void use(const HighlightSets &sets);

    RunLogs *m_logs;
    QList<QAction *> m_actions;
    QList<QAction *> m_finders;
    LogLook m_look;
    qreal m_size = 0; ///< Points, at a zoom of 100 %.
};

/// The views of a run that can be saved as pictures: a menu of them, and the grid's own action.
class ViewPictures : public PictureActions
{
    Q_OBJECT

public:
    /// @param errorPage shows the error.
    ViewPictures(DevicePanel *devices, RunLogs *logs, QScrollArea *errorPage, QObject *parent);

    /// For the context menu of the grid.
    QAction *gridAction() const { return m_gridAction; }

private:
    QAction *m_gridAction;
};

} // namespace rankdeck
