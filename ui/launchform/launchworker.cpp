#include "launchform/launchworker.h"

#include "agent/launcher.h"
#include "agent/nodeholders.h"
#include "agent/preflight/preflight.h"
#include "launch/launchbasics.h"
#include "launch/launchfacts.h"
#include "launch/planlaunch.h"
#include "ranktable/ranktablelocation.h"
#include "ranktable/ranktablewaiter.h"

#include <utility>

namespace rankdeck
{

LaunchWorker::LaunchWorker(LaunchSpec spec, Chip chip)
    : m_spec(std::move(spec))
    , m_chip(chip)
{
}

void LaunchWorker::run()
{
    if (m_cancelRequested) {
        giveUp();
        return;
    }
    const Result<HostFacts> facts = gatherLaunchFacts(m_spec);
    if (!facts) {
        fail(facts.error());
        return;
    }
    m_facts = *facts;
    if (!needsRankTable(m_spec)) {
        const Result<LaunchPlan> plan = planLaunch(m_spec, m_table, m_tablePath, m_facts);
        if (plan && !plan->rankTableFile.isEmpty()) // Nodes have a copy of it.
            m_tablePath = absoluteLaunchPath(m_spec.rankTableFile, m_facts);
        checkTable();
        return;
    }
    if (const std::optional<Error> error = problemWithoutTable(m_spec, m_facts)) {
        fail(*error);
        return;
    }
    m_tablePath = rankTablePath(m_spec.rankTableFile, m_facts.environment);
    Q_EMIT progress(tr("Reading the rank table %1").arg(m_tablePath));

    m_waiter = new RankTableWaiter(m_tablePath, std::chrono::seconds(m_spec.rankTableWaitSeconds), this);
    connect(m_waiter, &RankTableWaiter::waiting, this, [this](const QString &status, int elapsedSeconds) {
        Q_EMIT progress(tr("Waiting for the rank table (%1), %2 s").arg(status).arg(elapsedSeconds));
    });
    connect(m_waiter, &RankTableWaiter::finished, this, &LaunchWorker::finishWaiting);
    m_waiter->start();
}

void LaunchWorker::requestCancel()
{
    m_cancelRequested = true;
    QMetaObject::invokeMethod(this, &LaunchWorker::giveUp, Qt::QueuedConnection);
}

void LaunchWorker::finishWaiting(const Result<RankTable> &table)
{
    if (m_done)
        return;
    if (m_cancelRequested) {
        giveUp();
    } else if (table) {
        m_table = *table;
        checkTable();
    } else {
        fail(table.error());
    }
}

/// Here and not before: only now is the table known to be the one that is launched.
void LaunchWorker::checkTable()
{
    if (m_tablePath.isEmpty()) {
        makePlan();
        return;
    }
    const Result<CheckReport> report = checkRankTableFile(m_tablePath, {m_chip});
    if (report && report->hasErrors())
        Q_EMIT tableHasErrors(TableCheck::of(*report));
    else
        makePlan();
}

void LaunchWorker::proceed()
{
    if (!m_done)
        makePlan();
}

void LaunchWorker::makePlan()
{
    const Result<LaunchPlan> plan = planLaunch(m_spec, m_table, m_tablePath, m_facts);
    if (!plan) {
        fail(plan.error());
        return;
    }
    m_plan = *plan;
    if (m_plan.transport.isEmpty()) {
        takeHolders(findAllHolders(m_plan, m_facts.environment));
        return;
    }
    if (m_plan.allocation) { // There are no nodes to be asked yet.
        launch();
        return;
    }
    Q_EMIT progress(tr("Asking the nodes who uses their devices"));
    m_nodes = new NodeHolders(m_plan, m_spec.nodes, m_facts.environment, this);
    connect(m_nodes, &NodeHolders::found, this, &LaunchWorker::takeHolders);
    connect(m_nodes, &NodeHolders::ended, this, [this](const std::optional<Error> &error) {
        if (error && !m_done)
            fail(*error);
        else
            launchAllTheSame();
    });
    m_nodes->ask();
}

void LaunchWorker::takeHolders(const Holders &holders)
{
    if (m_done)
        return;
    if (holders.npuProblem)
        Q_EMIT progress(holders.npuProblem->sentence());
    m_holders = holders.list;
    if (m_holders.isEmpty())
        launch();
    else
        Q_EMIT held(m_holders);
}

void LaunchWorker::stopHolders()
{
    if (m_nodes && !m_done) {
        Q_EMIT progress(tr("Stopping what holds the devices of the nodes"));
        m_nodes->end();
        return;
    }
    for (const Holder &holder : std::as_const(m_holders)) {
        if (m_done || !holder.isOurs())
            continue;
        Q_EMIT progress(tr("Stopping %1").arg(holder.run));
        const std::optional<Error> error = endHolder(holder);
        if (error && !m_done) {
            fail(*error);
            return;
        }
    }
    launchAllTheSame();
}

void LaunchWorker::launchAllTheSame()
{
    if (m_nodes) { // It may be what calls this.
        m_nodes->disconnect(this);
        std::exchange(m_nodes, nullptr)->deleteLater();
    }
    if (!m_done)
        launch();
}

void LaunchWorker::launch()
{
    if (const std::optional<Error> error = preflight(m_plan, m_facts.environment)) {
        fail(*error);
        return;
    }
    if (m_cancelRequested) {
        giveUp();
        return;
    }
    Q_EMIT progress(tr("Starting the run"));
    const Result<QString> runDirectory = startRun(withAbsolutePaths(m_spec, m_facts), m_plan);
    if (!runDirectory) {
        fail(runDirectory.error());
        return;
    }
    m_done = true;
    Q_EMIT launched(*runDirectory);
}

void LaunchWorker::fail(const Error &error)
{
    m_done = true;
    Q_EMIT failed(error);
}

void LaunchWorker::giveUp()
{
    if (m_done)
        return;
    m_done = true;
    if (m_waiter)
        m_waiter->cancel();
    delete m_nodes; // What it has on the nodes ends.
    m_nodes = nullptr;
    Q_EMIT cancelled();
}

} // namespace rankdeck
