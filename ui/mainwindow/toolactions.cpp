#include "mainwindow/toolactions.h"

#include "mainwindow/processtitle.h"
#include "mainwindow/rankactions.h"

#include <QAction>
#include <QMenu>

#include <utility>

namespace rankdeck
{

ToolActions::ToolActions(QObject *parent)
    : QObject(parent)
    , m_menu(std::make_unique<QMenu>())
{
    m_menu->menuAction()->setObjectName(QStringLiteral("toolMenuAction"));
    for (const ToolKind &kind : toolKinds()) {
        QAction *action = m_menu->addAction(QStringLiteral("%1: %2").arg(kind.name, kind.purpose));
        action->setObjectName(kind.name);
        connect(action, &QAction::triggered, this, [this, name = kind.name] { want(name); });
        m_kinds << action;
    }
    setChosen({}, {});
}

ToolActions::~ToolActions() = default;

QAction *ToolActions::action() const
{
    return m_menu->menuAction();
}

void ToolActions::want(const QString &name)
{
    if (m_process < 0)
        return;
    ++m_awaited;
    Q_EMIT wanted({name, m_process});
}

void ToolActions::listRunning(const RunState &run)
{
    QList<int> running;
    for (int index = int(run.ranks.size()); const RankState *its = run.stateOf(index); ++index) {
        if (its->phase == RankPhase::Running)
            running << index;
    }
    if (running == m_runningTools)
        return;
    m_runningTools = running;
    qDeleteAll(std::exchange(m_running, {}));
    if (!running.isEmpty())
        m_running << m_menu->addSeparator();
    for (const int index : std::as_const(running)) {
        QAction *action = m_menu->addAction(tr("Show %1").arg(processTitle(*run.planOf(index))));
        connect(action, &QAction::triggered, this, [this, index] { Q_EMIT attached(index); });
        m_running << action;
    }
}

void ToolActions::setChosen(const RunState &run, const QList<int> &processes)
{
    if (std::exchange(m_directory, run.directory) != run.directory ||
        std::exchange(m_attempt, run.attempt) != run.attempt)
        m_known = run.tools.size();
    const int chosen = processes.size() == 1 ? processes.constFirst() : -1;
    const bool isRank =
        chosen >= 0 && run.plan && run.plan->processes.at(size_t(chosen)).role == Role::Worker;
    m_process =
        isRank && isLive(run.phase) && run.ranks.at(size_t(chosen)).phase == RankPhase::Running ? chosen : -1;
    m_menu->setTitle(tr("De&bug %1 with").arg(nameOfRanks(run, processes)));
    for (QAction *kind : std::as_const(m_kinds))
        kind->setEnabled(m_process >= 0);
    listRunning(run);
    m_menu->menuAction()->setEnabled(m_process >= 0 || !m_running.isEmpty());
    const std::size_t known = std::exchange(m_known, run.tools.size());
    if (run.tools.size() <= known || m_awaited == 0)
        return;
    m_awaited = 0;
    Q_EMIT attached(static_cast<int>(run.ranks.size() + run.tools.size()) - 1);
}

} // namespace rankdeck
