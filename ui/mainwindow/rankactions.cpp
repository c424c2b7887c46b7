#include "mainwindow/rankactions.h"

#include "mainwindow/stopquestion.h"

#include <QAction>

#include <algorithm>

namespace rankdeck
{

RankActions::RankActions(QWidget *page)
    : QObject(page)
    , m_page(page)
{
    const std::array names{"stopRanksAction", "killRanksAction", "stopNodeAction", "killNodeAction"};
    for (std::size_t index = 0; index < m_parts.size(); ++index) {
        m_parts[index].action = new QAction(this);
        m_parts[index].action->setObjectName(QLatin1String(names[index]));
        connect(m_parts[index].action, &QAction::triggered, this, [this, index] { ask(m_parts[index]); });
    }
    setChosen({}, {});
}

QList<QAction *> RankActions::actions() const
{
    QList<QAction *> all;
    for (const Part &part : m_parts)
        all << part.action;
    return all;
}

void RankActions::setChosen(const RunState &run, const QList<int> &processes)
{
    m_run = run;
    QList<int> chosen;
    QList<int> ofNode;
    QString node;
    const QString ranks = nameOfRanks(run, processes);
    if (run.plan && !processes.isEmpty()) {
        const std::vector<ProcessPlan> &all = run.plan->processes;
        chosen = processes;
        node = all.at(size_t(processes.constFirst())).node;
        for (int process = 0; process < int(all.size()); ++process) {
            if (all[size_t(process)].node == node)
                ofNode << process;
        }
    }
    const QString nodeName = node.isEmpty() ? tr("node") : tr("node %1").arg(node);
    update(m_parts[0], false, ranks, chosen);
    update(m_parts[1], true, ranks, chosen);
    update(m_parts[2], false, nodeName, ofNode);
    update(m_parts[3], true, nodeName, ofNode);
}

void RankActions::update(Part &part, bool kill, const QString &name, const QList<int> &processes)
{
    part.request = {kill, {}};
    part.name = name;
    for (const int process : processes) {
        const RankState &rank = m_run.ranks.at(size_t(process));
        // Who is being stopped already can still be killed.
        if (!rank.status && (kill || !rank.stopRequested))
            part.request.processes << process;
    }
    std::sort(part.request.processes.begin(), part.request.processes.end());
    part.action->setText(kill ? tr("Kill %1…").arg(name) : tr("Stop %1…").arg(name));
    const bool isOver = !isLive(m_run.phase) || (!kill && m_run.phase == RunPhase::Stopping);
    part.action->setEnabled(!isOver && !part.request.isWhole());
}

void RankActions::ask(const Part &part)
{
    const auto how = part.request.kill ? StopQuestion::How::Kill : StopQuestion::How::Stop;
    auto *question = new StopQuestion(m_run, part.name, int(part.request.processes.size()), how, m_page);
    connect(question, &StopQuestion::confirmed, this,
            [this, request = part.request] { Q_EMIT wanted(request); });
    question->open();
}

QString nameOfRanks(const RunState &run, const QList<int> &processes)
{
    if (!run.plan || processes.isEmpty())
        return RankActions::tr("chosen ranks");
    if (processes.size() > 1)
        return RankActions::tr("%n ranks", nullptr, int(processes.size()));
    const ProcessPlan &process = run.plan->processes.at(size_t(processes.constFirst()));
    return process.role == Role::Scheduler ? RankActions::tr("scheduler")
                                           : RankActions::tr("rank %1").arg(process.rank.value);
}

} // namespace rankdeck
