#include "stacks/stackactions.h"

#include "stacks/stacksdialog.h"

#include <QAction>
#include <QWidget>

#include <algorithm>
#include <numeric>

namespace rankdeck
{

StackActions::StackActions(QWidget *page)
    : QObject(page)
    , m_page(page)
    , m_dumpChosen(new QAction(this))
    , m_dumpAll(new QAction(tr("D&ump stacks of all ranks…"), this))
    , m_show(new QAction(tr("Sho&w stacks…"), this))
{
    m_dumpChosen->setObjectName(QStringLiteral("dumpRanksAction"));
    m_dumpAll->setObjectName(QStringLiteral("dumpAllAction"));
    m_show->setObjectName(QStringLiteral("showStacksAction"));
    connect(m_dumpChosen, &QAction::triggered, this, [this] { dump(m_chosen); });
    connect(m_dumpAll, &QAction::triggered, this, &StackActions::dumpAll);
    connect(m_show, &QAction::triggered, this, &StackActions::showDialog);
    setChosen({}, {});
}

QList<int> StackActions::running(const QList<int> &processes) const
{
    QList<int> alive;
    for (const int process : processes) {
        if (m_run.ranks.at(static_cast<std::size_t>(process)).phase == RankPhase::Running)
            alive << process;
    }
    std::sort(alive.begin(), alive.end());
    return alive;
}

void StackActions::setChosen(const RunState &run, const QList<int> &processes)
{
    m_run = run;
    m_chosen = running(processes);
    QString name = tr("chosen ranks");
    if (run.plan && processes.size() == 1) {
        const ProcessPlan &plan = run.plan->processes.at(static_cast<std::size_t>(processes.first()));
        name = plan.role == Role::Scheduler ? tr("scheduler") : tr("rank %1").arg(plan.rank.value);
    } else if (processes.size() > 1) {
        name = tr("%n ranks", nullptr, static_cast<int>(processes.size()));
    }
    m_dumpChosen->setText(tr("Dump stacks of %1…").arg(name));
    m_dumpChosen->setEnabled(isLive(run.phase) && !m_chosen.isEmpty());
    m_dumpAll->setEnabled(isLive(run.phase) && run.count(RankPhase::Running) > 0);
    m_show->setEnabled(!run.dumps.isEmpty());
    if (!m_dialog)
        return;
    if (run.plan)
        m_dialog->setState(run);
    else
        m_dialog->close();
}

void StackActions::dumpAll()
{
    QList<int> all(static_cast<int>(m_run.ranks.size()));
    std::iota(all.begin(), all.end(), 0);
    dump(running(all));
}

void StackActions::dump(const QList<int> &processes)
{
    if (processes.isEmpty())
        return;
    showDialog();
    m_dialog->await(processes);
    Q_EMIT wanted(processes);
}

void StackActions::showDialog()
{
    if (!m_dialog) {
        m_dialog = new StacksDialog(m_page);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &StacksDialog::dumpWanted, this, &StackActions::dump);
        m_dialog->setState(m_run);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

} // namespace rankdeck
