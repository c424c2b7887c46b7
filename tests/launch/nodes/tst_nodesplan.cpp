#include "base/fields.h"
#include "launch/nodes/nodesplan.h"
#include "launch/nodes/planlaunch.h"
#include "launch/options/launchers.h"
#include "support/testmain.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace tst_nodesplan
{

using namespace rankdeck;

/// The plan of a launch for several nodes.
class NodesPlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachNodeHasItsPlaceInTheCluster();
    void theSchedulerIsWhereTheMasterIs();
    void aMasterWhoseNameIsLoopbackHereGetsAnotherAddress();
    void oneMachineThatIsTwoNodesHasOneScheduler();
    void serversAreFoundByNameThenByAddress();
    void serversOfATableAreTheNodesWhereNoneIsNamed();
    void outsideOfAnAllocationSlurmIsAskedForNodes_data();
    void outsideOfAnAllocationSlurmIsAskedForNodes();
    void cpusAreThoseOfEachNode();
    void aCondaEnvironmentIsEachNodesOwn();
    void everyNodeRunsTheHooksAsItsOwn();
    void theRankTableOfMsrunIsLaidOnEveryNode();
    void notesOfOneNodeNameIt();
    void wrongUseIsRefused_data();
    void wrongUseIsRefused();
    void thePlanIsTheSameFromItsJson();

private:
    static LaunchSpec specOf(const QString &line)
    {
        const QStringList words = line.split(' '_L1);
        return launcherCommandLine(words.first())->parse(words.mid(1)).value();
    }
    static NodeFacts node(const QString &host, const QStringList &addresses = {}, bool assumed = false)
    {
        HostFacts facts;
        facts.hostName = u"host-of-"_s + host;
        facts.currentDirectory = u"/home/user"_s;
        facts.temporaryDirectory = u"/tmp"_s;
        facts.transport = u"ssh"_s;
        facts.addresses = addresses;
        facts.cpus = {0, 1, 2, 3};
        return {host, facts, assumed};
    }
    static std::vector<NodeFacts> twoNodes()
    {
        return {node(u"me@alpha"_s, {u"127.0.0.1"_s, u"10.0.0.1"_s}),
                node(u"beta"_s, {u"127.0.0.1"_s, u"10.0.0.2"_s})};
    }
    static RankTable table(const QStringList &servers)
    {
        RankTable table;
        table.status = u"completed"_s;
        int rank = 0;
        for (const QString &id : servers) {
            Server &server = table.servers.emplace_back(Server{id});
            for (int device = 0; device < 2; ++device)
                server.devices.push_back({DeviceId(device), u"1.2.3.4"_s, Rank(rank++)});
        }
        return table;
    }
    static LaunchPlan made(const QString &line, const std::vector<NodeFacts> &nodes,
                           const RankTable &table = {})
    {
        const auto plan = planNodes(specOf(line), table, u"/t.json"_s, nodes);
        if (!plan)
            qWarning("%s", qPrintable(plan.error().sentence()));
        return plan ? *plan : LaunchPlan();
    }
    static QStringList each(const LaunchPlan &plan, const char *variable)
    {
        QStringList values;
        for (const ProcessPlan &process : plan.processes)
            values << process.setVariables.value(QLatin1String(variable));
        return values;
    }
    static QStringList nodesOf(const LaunchPlan &plan)
    {
        QStringList nodes;
        for (const ProcessPlan &process : plan.processes)
            nodes << process.node;
        return nodes;
    }
    static QStringList words(const char *text) { return QString::fromLatin1(text).split(' '_L1); }
};

void NodesPlanTest::eachNodeHasItsPlaceInTheCluster()
{
    const LaunchPlan plan = made(u"processes --nproc 2 train"_s, twoNodes());
    QCOMPARE(nodesOf(plan), words("alpha alpha beta beta"));
    QCOMPARE(each(plan, "RANK"), words("0 1 2 3"));
    QCOMPARE(each(plan, "GROUP_RANK"), words("0 0 1 1"));
    QCOMPARE(each(plan, "WORLD_SIZE"), words("4 4 4 4"));
    QCOMPARE(each(plan, "MASTER_ADDR"), words("10.0.0.1 10.0.0.1 10.0.0.1 10.0.0.1"));
    QCOMPARE(plan.worldSize(), 4);
    QCOMPARE(plan.transport, u"ssh"_s);
    QVERIFY(plan.nodes.front() == (PlannedNode{u"alpha"_s, u"me@alpha"_s}));
    // Local ranks are the same on every node, their files are not.
    QStringList logs;
    for (const ProcessPlan &process : plan.processes)
        logs << process.logFile;
    QCOMPARE(logs.removeDuplicates(), 0);
}

void NodesPlanTest::theSchedulerIsWhereTheMasterIs()
{
    const QString line = u"msrun --worker_num 4 --local_worker_num 2 "_s;
    const LaunchPlan first = made(line + u"train.py"_s, twoNodes());
    QCOMPARE(nodesOf(first), words("alpha alpha alpha beta beta"));
    QCOMPARE(first.processes.front().role, Role::Scheduler);
    QCOMPARE(each(first, "MS_SCHED_HOST").at(4), u"10.0.0.1"_s);
    QCOMPARE(each(first, "MS_NODE_RANK"), words("0 0 0 1 1"));
    QCOMPARE(each(first, "RANK_ID"), words("0 0 1 2 3"));

    const LaunchPlan second = made(line + u"--master_addr 10.0.0.2 train.py"_s, twoNodes());
    QCOMPARE(nodesOf(second), words("alpha alpha beta beta beta"));
    QCOMPARE(second.processes.at(2).role, Role::Scheduler);
    QCOMPARE(each(second, "MS_SCHED_HOST").front(), u"10.0.0.2"_s);
}

/// /etc/hosts maps a machine's own name to 127.0.1.1 on many distributions.
void NodesPlanTest::aMasterWhoseNameIsLoopbackHereGetsAnotherAddress()
{
    const QString line = u"msrun --worker_num 4 --local_worker_num 2 --master_addr %1 train.py"_s;
    const auto nodes = [](const char *name, bool assumed) {
        std::vector<NodeFacts> two = twoNodes();
        for (NodeFacts &each : two) {
            each.areAssumed = assumed;
            each.facts.routes.insert(QLatin1String(name), {u"127.0.1.1"_s, u"127.0.0.1"_s});
        }
        return two;
    };
    for (const char *name : {"beta", "host-of-beta"}) {
        const LaunchPlan plan = made(line.arg(QLatin1String(name)), nodes(name, false));
        QCOMPARE(each(plan, "MS_SCHED_HOST").front(), u"10.0.0.2"_s);
        QCOMPARE(nodesOf(plan), words("alpha alpha beta beta beta"));
        QCOMPARE(textsOf(plan.notes), QStringList());
    }
    const LaunchPlan assumed = made(line.arg(u"beta"_s), nodes("beta", true));
    QCOMPARE(each(assumed, "MS_SCHED_HOST").front(), u"beta"_s);
    QCOMPARE(nodesOf(assumed), words("alpha alpha beta beta beta"));
    const auto unknown = planNodes(specOf(line.arg(u"box"_s)), {}, {}, nodes("box", false));
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().where, u"--master_addr"_s);
}

void NodesPlanTest::oneMachineThatIsTwoNodesHasOneScheduler()
{
    const QStringList addresses{u"127.0.0.1"_s, u"10.0.0.1"_s};
    const LaunchPlan plan =
        made(u"msrun --worker_num 2 --local_worker_num 1 --master_addr 10.0.0.1 train.py"_s,
             {node(u"a"_s, addresses), node(u"b"_s, addresses)});
    QCOMPARE(nodesOf(plan), words("a a b"));
}

void NodesPlanTest::serversAreFoundByNameThenByAddress()
{
    const QString line = u"davincirun train"_s;
    const LaunchPlan byAddress = made(line, twoNodes(), table(words("10.0.0.2 10.0.0.1")));
    QCOMPARE(nodesOf(byAddress), words("10.0.0.2 10.0.0.2 10.0.0.1 10.0.0.1"));
    QCOMPARE(byAddress.nodes.front().host, u"beta"_s);
    QCOMPARE(each(byAddress, "RANK_ID"), words("0 1 2 3"));
    QCOMPARE(each(byAddress, "MA_CURRENT_HOST_IP"), words("10.0.0.2 10.0.0.2 10.0.0.1 10.0.0.1"));
    QCOMPARE(each(byAddress, "RANK_START"), words("0 0 2 2"));
    // Every node reads one file, wherever it was read from here.
    QCOMPARE(byAddress.files.size(), 1);
    QCOMPARE(byAddress.files.front().path, nodesRankTablePath());
    QCOMPARE(each(byAddress, "RANK_TABLE_FILE").at(3), nodesRankTablePath());

    const LaunchPlan byName = made(line, twoNodes(), table(words("beta alpha")));
    QCOMPARE(byName.nodes.front().host, u"beta"_s);
    const LaunchPlan byOrder = made(line, twoNodes(), table(words("s1 s2")));
    QCOMPARE(byOrder.nodes.front().host, u"me@alpha"_s);
}

void NodesPlanTest::serversOfATableAreTheNodesWhereNoneIsNamed()
{
    const LaunchSpec spec = specOf(u"davincirun --transport ssh train"_s);
    const auto plan = planLaunch(spec, table(words("10.0.0.1 10.0.0.2")), u"/t.json"_s, node({}).facts);
    QVERIFY(bool(plan));
    QCOMPARE(plan->nodes.size(), 2);
    QCOMPARE(plan->nodes.back().host, u"10.0.0.2"_s);
}

void NodesPlanTest::aCondaEnvironmentIsEachNodesOwn()
{
    const LaunchSpec spec = specOf(u"processes --conda-env ms train"_s);
    std::vector<NodeFacts> nodes = twoNodes();
    const QString name = u"ms"_s;
    nodes.front().facts.condaEnvironments = {{name, u"/a/ms"_s, {}}};
    const auto lacking = planNodes(spec, {}, {}, nodes);
    QVERIFY(!lacking);
    QVERIFY2(lacking.error().what.startsWith("beta: "_L1), qPrintable(lacking.error().what));
    nodes.back().facts.condaEnvironments = {{name, u"/b/ms"_s, {}}};
    const auto plan = planNodes(spec, {}, {}, nodes);
    QVERIFY(plan);
    QCOMPARE(each(*plan, "CONDA_PREFIX"), words("/a/ms /b/ms"));

    // The machine that launches needs none.
    HostFacts facts = node(u"head"_s).facts;
    facts.nodes = words("alpha beta");
    const auto assumed = planAssumedNodes(spec, {}, {}, facts);
    QVERIFY(assumed);
    QVERIFY(textsOf(assumed->notes).join(' '_L1).contains("conda environment ms"_L1));
}

void NodesPlanTest::everyNodeRunsTheHooksAsItsOwn()
{
    std::vector<NodeFacts> nodes = twoNodes();
    const QString line = u"processes --nproc 2 --before fetch --after sync train"_s;
    const LaunchPlan plan = made(line, nodes);
    QCOMPARE(plan.before.size(), 2);
    QCOMPARE(plan.before.at(1).node, u"beta"_s);
    QCOMPARE(plan.before.at(0).setVariables.value(u"GROUP_RANK"_s), u"0"_s);
    QCOMPARE(plan.before.at(1).setVariables.value(u"GROUP_RANK"_s), u"1"_s);
    // Both nodes may see the same run directory.
    QVERIFY(plan.before.at(0).logFile != plan.before.at(1).logFile);
    QVERIFY(plan.before.at(1).logFile.endsWith("/before.log"_L1));
    const LaunchPlan share = shareOf(plan, u"beta"_s);
    QCOMPARE(share.processes.size(), 2);
    QCOMPARE(share.before.size(), 1);
    QCOMPARE(share.before.front().node, u"beta"_s);
    QCOMPARE(share.after.size(), 1);

    // The driver's daemon is started where it is.
    nodes.back().facts.slogdPath = u"/var/slogd"_s;
    const LaunchPlan daemons = made(u"davincirun train"_s, nodes, table(words("alpha beta")));
    QCOMPARE(daemons.before.size(), 1);
    QCOMPARE(daemons.before.front().node, u"beta"_s);
}

void NodesPlanTest::theRankTableOfMsrunIsLaidOnEveryNode()
{
    std::vector<NodeFacts> nodes = twoNodes();
    nodes.front().facts.rankTableText = "{}\n";
    const LaunchPlan plan =
        made(u"msrun --worker_num 2 --local_worker_num 1 --rank_table_file t.json train.py"_s, nodes);
    QCOMPARE(plan.files.size(), 1);
    QVERIFY(plan.files.front() == (PlannedFile{nodesRankTablePath(), "{}\n"}));
    for (const QString &path : each(plan, "RANK_TABLE_FILE"))
        QCOMPARE(path, nodesRankTablePath());
    QCOMPARE(shareOf(plan, u"beta"_s).files.size(), 1);
}

void NodesPlanTest::outsideOfAnAllocationSlurmIsAskedForNodes_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("servers");
    QTest::addColumn<QStringList>("named");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QStringList>("names");
    const auto list = [](const char *text) {
        return QString::fromLatin1(text).split(' '_L1, Qt::SkipEmptyParts);
    };
    QTest::newRow("--nnodes") << "processes --slurm --nnodes 3 a.py" << list("") << list("") << 3 << list("");
    QTest::newRow("workers") << "msrun --slurm --worker_num 16 --local_worker_num 8 a.py" << list("")
                             << list("") << 2 << list("");
    QTest::newRow("--nodes") << "processes --slurm a.py" << list("") << list("n2 n1") << 2 << list("n2 n1");
    QTest::newRow("a table of names")
        << "davincirun --slurm a.py" << list("s1 s2") << list("") << 2 << list("s1 s2");
    QTest::newRow("a table of addresses")
        << "davincirun --slurm a.py" << list("10.0.0.1 10.0.0.2") << list("") << 2 << list("");
}

void NodesPlanTest::outsideOfAnAllocationSlurmIsAskedForNodes()
{
    QFETCH(QString, line);
    QFETCH(QStringList, servers);
    QFETCH(QStringList, named);
    QFETCH(int, nodes);
    QFETCH(QStringList, names);
    HostFacts facts = node({}).facts;
    facts.transport = u"slurm"_s;
    facts.nodes = named;
    const auto plan = planAssumedNodes(specOf(line), table(servers), {}, facts);
    QVERIFY2(plan, qPrintable(plan ? QString() : plan.error().sentence()));
    QVERIFY((plan->allocation == AllocationRequest{nodes, names}));
    QCOMPARE(static_cast<int>(plan->nodes.size()), nodes);
    QCOMPARE(launchPlanFromJson(toJson(*plan))->allocation, plan->allocation);
    if (named.isEmpty())
        return;
    facts.environment.insert(u"SLURM_JOB_ID"_s, u"7"_s);
    QVERIFY(!planAssumedNodes(specOf(line), {}, {}, facts)->allocation);
}

void NodesPlanTest::cpusAreThoseOfEachNode()
{
    std::vector<NodeFacts> nodes = twoNodes();
    nodes.back().facts.cpus = {4, 5};
    const LaunchPlan plan = made(u"processes --nproc 2 --bind-core True train"_s, nodes);
    QCOMPARE(plan.processes.front().cpus, QList<int>({0, 1}));
    QCOMPARE(plan.processes.back().cpus, QList<int>({5}));
}

void NodesPlanTest::notesOfOneNodeNameIt()
{
    std::vector<NodeFacts> nodes = twoNodes();
    nodes.back().facts.platformHomeIsWritable = false;
    nodes.back().facts.environment.insert(u"OMP_NUM_THREADS"_s, u"4"_s);
    const LaunchPlan plan = made(u"processes --nproc 2 train"_s, nodes);
    QCOMPARE(plan.notes.size(), 1);
    QVERIFY2(textsOf(plan.notes).front().startsWith("alpha: OMP_NUM_THREADS"_L1),
             qPrintable(textsOf(plan.notes).front()));
}

void NodesPlanTest::wrongUseIsRefused_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("where");
    QTest::newRow("nodes") << "processes --nnodes 3 train"
                           << "--nnodes";
    QTest::newRow("node rank") << "processes --nnodes 2 --node-rank 1 train"
                               << "--node-rank";
    QTest::newRow("msrun's node rank") << "msrun --worker_num 4 --local_worker_num 2 --node_rank 1 t.py"
                                       << "--node_rank";
    QTest::newRow("workers") << "msrun --worker_num 8 t.py"
                             << "--local_worker_num";
    QTest::newRow("master") << "msrun --worker_num 4 --local_worker_num 2 --master_addr 10.9.9.9 t.py"
                            << "--master_addr";
    QTest::newRow("this host's server") << "davincirun --server 10.0.0.1 train"
                                        << "--server";
    QTest::newRow("servers") << "davincirun train"
                             << "/t.json";
}

void NodesPlanTest::wrongUseIsRefused()
{
    QFETCH(QString, line);
    QFETCH(QString, where);
    const auto plan = planNodes(specOf(line), table(words("a b c")), u"/t.json"_s, twoNodes());
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, where);
    QVERIFY(!plan.error().mend.isEmpty());
}

void NodesPlanTest::thePlanIsTheSameFromItsJson()
{
    const LaunchPlan plan = made(u"davincirun train"_s, twoNodes(), table(words("10.0.0.1 10.0.0.2")));
    QVERIFY(launchPlanFromJson(toJson(plan)).value() == plan);
    QVERIFY(launchPlanFromJson(toJson(CompactPlan{plan})).value() == plan);
}

} // namespace tst_nodesplan

RANKDECK_TEST(tst_nodesplan, NodesPlanTest)
#include "tst_nodesplan.moc"
