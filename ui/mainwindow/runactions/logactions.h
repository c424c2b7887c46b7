#pragma once

#include "logview/view/logview.h"

#include <QList>
#include <QObject>

class QAction;
class QKeySequence;

namespace rankdeck
{

class RunLogs;

/// Menu actions for logs: their look, which is kept in the settings, and jumps in the log that has the focus.
class LogActions : public QObject
{
    Q_OBJECT

public:
    explicit LogActions(RunLogs *logs);

    QList<QAction *> actions() const { return m_actions; }

private:
    template <typename Slot>
    QAction *add(const QString &text, const char *name, const QKeySequence &key, Slot slot);
    /// Adds an action that calls `set` with its state, which is kept in the settings.
    template <typename Slot>
    void addSwitch(const QString &text, const char *name, const QString &settingsKey, Slot set);
    void addLookActions();
    void addJumpActions();
    void zoom(int steps);
    void askForHighlights();

    RunLogs *m_logs;
    QList<QAction *> m_actions;
    LogLook m_look;
    qreal m_usualSize; ///< Points, of the window.
};

} // namespace rankdeck
