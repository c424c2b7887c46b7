#pragma once

#include "run/runstate.h"
#include "run/stoprequest.h"

#include <QList>
#include <QObject>

#include <array>

class QAction;
class QWidget;

namespace rankdeck
{

/// Stop and kill for the chosen ranks and for their node, each after a question; for menus.
class RankActions : public QObject
{
    Q_OBJECT

public:
    /// @param page over which the questions are shown.
    explicit RankActions(QWidget *page);

    QList<QAction *> actions() const;
    /// @param processes by index in the run's plan.
    void setChosen(const RunState &run, const QList<int> &processes);

Q_SIGNALS:
    /// The user said yes.
    void wanted(const rankdeck::StopRequest &request);

private:
    /// What one of the actions would end.
    struct Part {
        QAction *action = nullptr;
        StopRequest request;
        QString name; ///< "rank 3", "3 ranks", "node 10.0.0.1".
    };

    void update(Part &part, bool kill, const QString &name, const QList<int> &processes);
    void ask(const Part &part);

    QWidget *m_page;
    RunState m_run;
    std::array<Part, 4> m_parts; ///< Stop and kill of the ranks, stop and kill of the node.
};

/// "rank 3", "3 ranks", "scheduler"; "chosen ranks" of none.
QString nameOfRanks(const RunState &run, const QList<int> &processes);

} // namespace rankdeck
