#pragma once

#include <QList>
#include <QObject>

class QAction;

namespace rankdeck
{

class RunLogs;

/// How the log panes show their logs, line numbers and the size of the text, both remembered, and ways to a
/// place in the one that has the focus; for menus.
class LogActions : public QObject
{
    Q_OBJECT

public:
    explicit LogActions(RunLogs *logs);

    QList<QAction *> actions() const { return m_actions; }

private:
    void zoom(int steps);
    void askForHighlights();
    void setTextSize(qreal points);

    RunLogs *m_logs;
    QList<QAction *> m_actions;
    qreal m_textSize;
};

} // namespace rankdeck
