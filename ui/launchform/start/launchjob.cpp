#include "launchform/start/launchjob.h"

#include "agent/head/nodequestions.h"
#include "agent/preflight/preflight.h"
#include "agent/supervise/launcher.h"
#include "launch/nodes/planlaunch.h"
#include "launch/planning/launchbasics.h"
#include "ranktable/reading/ranktablewaiter.h"
#include "ranktable/table/ranktablelocation.h"
#include "widgets/chipchoice.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

/// How often a launch looks whether its devices are free.
constexpr int againMs = 1000;

LaunchWorker::LaunchWorker(LaunchSpec spec, Chip chip, LaunchWhen when)
    : m_spec(std::move(spec))
    , m_chip(chip)
    , m_when(when)
{
}

void LaunchWorker::run()
{
    if (m_cancelRequested)
        return giveUp();
    const Result<HostFacts> facts = gatherLaunchFacts(m_spec, PortUse::Claim);
    if (!facts)
        return fail(facts.error());
    m_facts = *facts;
    if (!needsRankTable(m_spec)) {
        const Result<LaunchPlan> plan = planLaunch(m_spec, m_table, m_tablePath, m_facts);
        if (plan && !plan->rankTableFile.isEmpty()) // The table of this machine, not its copy on a node.
            m_tablePath = absoluteLaunchPath(m_spec.rankTableFile, m_facts);
        checkTable();
        return;
    }
    if (const std::optional<Error> error = problemWithoutTable(m_spec, m_facts))
        return fail(*error);
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

/// Checks the table only now: while it was being waited for, it could still change.
void LaunchWorker::checkTable()
{
    if (m_tablePath.isEmpty())
        return makePlan();
    const Result<CheckReport> report = checkRankTableFile(m_tablePath, {m_chip});
    if (report && report->hasErrors())
        Q_EMIT tableHasErrors(TableCheck::of(*report));
    else
        makePlan();
}

void LaunchWorker::makePlan()
{
    const Result<LaunchPlan> plan = planLaunch(m_spec, m_table, m_tablePath, m_facts);
    if (!plan)
        return fail(plan.error());
    m_plan = *plan;
    if (m_plan.allocation) { // The nodes are not known yet.
        launch();
        return;
    }
    if (!m_plan.transport.isEmpty())
        Q_EMIT progress(tr("Asking the nodes which devices are in use"));
    findHolders();
}

void LaunchWorker::askNodes()
{
    dropNodes();
    m_nodes = new NodeHolders(m_plan, m_spec.nodes, m_facts.environment, this);
    connect(m_nodes, &NodeHolders::found, this, &LaunchWorker::onHoldersFound);
    connect(m_nodes, &NodeHolders::ended, this, [this](const std::optional<Error> &error) {
        if (error && !m_done)
            fail(*error);
        else
            launchAllTheSame();
    });
    m_nodes->ask();
}

void LaunchWorker::dropNodes()
{
    if (!m_nodes)
        return;
    m_nodes->disconnect(this);
    std::exchange(m_nodes, nullptr)->deleteLater(); // The nodes may be the caller.
}

void LaunchWorker::findHolders()
{
    if (m_cancelRequested)
        return giveUp();
    if (m_done)
        return;
    if (m_plan.transport.isEmpty())
        onHoldersFound(findAllHolders(m_plan, m_facts.environment));
    else
        askNodes();
}

/// Returns true if a look later may find the devices and ports free; it is then on its way.
bool LaunchWorker::waitsFor(const Holders &holders)
{
    const auto isLive = [](const Holder &holder) {
        return holder.isOurs() && !holder.isLost;
    };
    if (m_when == LaunchWhen::Asked || holders.list.isEmpty() || std::ranges::any_of(holders.list, isLive))
        return false;
    if (!m_untilFree)
        m_untilFree.emplace(std::chrono::milliseconds(freeLimit).count());
    if (m_untilFree->hasExpired())
        return false;
    const qint64 left =
        std::chrono::ceil<std::chrono::seconds>(m_untilFree->remainingTimeAsDuration()).count();
    Q_EMIT progress(tr("Waiting until what the run uses is free, at most %1 s more: %2")
                        .arg(left)
                        .arg(holders.list.first().sentence()));
    QTimer::singleShot(againMs, this, &LaunchWorker::findHolders);
    return true;
}

void LaunchWorker::onHoldersFound(const Holders &holders)
{
    if (m_done || waitsFor(holders))
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
        Q_EMIT progress(tr("Stopping the runs that use the nodes' devices"));
        m_nodes->end();
        return;
    }
    for (const Holder &holder : std::as_const(m_holders)) {
        if (m_done || !holder.isOurs())
            continue;
        Q_EMIT progress(tr("Stopping %1").arg(holder.run));
        const std::optional<Error> error = endHolder(holder);
        if (error && !m_done)
            return fail(*error);
    }
    launchAllTheSame();
}

void LaunchWorker::launchAllTheSame()
{
    dropNodes();
    if (!m_done)
        launch();
}

void LaunchWorker::launch()
{
    if (const std::optional<Error> error = preflight(m_plan, m_facts.environment))
        return fail(*error);
    if (m_cancelRequested)
        return giveUp();
    Q_EMIT progress(tr("Starting the run"));
    const Result<QString> runDirectory = startRun(withAbsolutePaths(m_spec, m_facts), m_plan);
    if (!runDirectory)
        return fail(runDirectory.error());
    m_done = true;
    Q_EMIT launched(*runDirectory);
}

void LaunchWorker::giveUp()
{
    if (m_done)
        return;
    m_done = true;
    if (m_waiter)
        m_waiter->cancel();
    delete m_nodes; // Ends its processes on the nodes.
    m_nodes = nullptr;
    Q_EMIT cancelled();
}

LaunchJob::LaunchJob(const LaunchSpec &spec, QObject *parent, LaunchWhen when)
    : QObject(parent)
    , m_thread(u"launch"_s)
    , m_worker(new LaunchWorker(spec, ChipChoice::remembered(), when))
{
    connect(m_worker, &LaunchWorker::progress, this, &LaunchJob::progress);
    connect(m_worker, &LaunchWorker::tableHasErrors, this, &LaunchJob::tableHasErrors);
    connect(m_worker, &LaunchWorker::held, this, &LaunchJob::held);
    connect(m_worker, &LaunchWorker::launched, this, [this](const QString &runDirectory) {
        Q_EMIT launched(runDirectory);
        Q_EMIT finished();
    });
    connect(m_worker, &LaunchWorker::failed, this, [this](const Error &error) {
        Q_EMIT failed(error);
        Q_EMIT finished();
    });
    connect(m_worker, &LaunchWorker::cancelled, this, [this] {
        Q_EMIT cancelled();
        Q_EMIT finished();
    });
    m_thread.adopt(m_worker);
}

LaunchQuestion::LaunchQuestion(const TableCheck &check, LaunchJob *job, QWidget *parent)
    : QMessageBox(parent)
{
    QStringList lines{
        tr("The rank table has %1. Launch with it anyway?").arg(countWords(Severity::Error, check.errors)),
        QString()};
    lines += check.firstErrors;
    if (const int more = check.errors - int(check.firstErrors.size()); more > 0)
        lines += tr("and %1 more").arg(more);
    lines += {QString(), tr("Ranks usually fail to connect with a table like this, sometimes only after a "
                            "30-minute time-out.")};
    setUpBox(this, "launchQuestion", QMessageBox::Warning, tr("The rank table has errors"),
             lines.join('\n'_L1));

    auto *anyway = named(addButton(tr("&Launch anyway"), QMessageBox::DestructiveRole), "launchAnywayButton");
    auto *cancel = named(addButton(QMessageBox::Cancel), "cancelLaunchButton");
    setDefaultButton(cancel);
    setEscapeButton(cancel);
    connect(this, &QDialog::finished, job, [this, job, anyway] {
        if (clickedButton() == anyway)
            job->proceed();
        else
            job->cancel();
    });
    connect(job, &LaunchJob::finished, this, &QWidget::close);
}

HoldersQuestion::HoldersQuestion(const QList<Holder> &holders, LaunchJob *job, QWidget *parent)
    : QMessageBox(parent)
{
    constexpr qsizetype mostShown = 10;
    QStringList lines{tr("Devices or ports of this launch are already in use."), QString()};
    for (const Holder &holder : holders.mid(0, mostShown))
        lines << holder.sentence();
    if (holders.size() > mostShown)
        lines << tr("and %1 more").arg(holders.size() - mostShown);
    setUpBox(this, "holdersQuestion", QMessageBox::Warning, tr("Devices in use"), lines.join('\n'_L1));

    const auto ours = std::ranges::count_if(holders, &Holder::isOurs);
    QPushButton *stop = nullptr;
    if (ours > 0) {
        stop = addButton(tr("&Stop %n runs and launch", "&Stop it and launch", int(ours)),
                         QMessageBox::DestructiveRole);
        stop->setObjectName(u"stopHoldersButton"_s);
    }
    auto *anyway = named(addButton(tr("&Launch anyway"), QMessageBox::AcceptRole), "launchAllTheSameButton");
    QPushButton *cancel = addButton(QMessageBox::Cancel);
    setDefaultButton(cancel);
    setEscapeButton(cancel);
    connect(this, &QDialog::finished, job, [this, job, stop, anyway] {
        if (stop && clickedButton() == stop)
            job->stopHolders();
        else if (clickedButton() == anyway)
            job->launchAllTheSame();
        else
            job->cancel();
    });
    connect(job, &LaunchJob::finished, this, &QWidget::close);
}

} // namespace rankdeck
