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
        const QStringList words = line.split(QLatin1Char(' '));
        return launcherCommandLine(words.first())->parse(words.mid(1)).value();
    }
    static NodeFacts node(const QString &host, const QStringList &addresses = {}, bool assumed = false)
    {
        HostFacts facts;
        facts.hostName = QStringLiteral("host-of-") + host;
        facts.currentDirectory = QStringLiteral("/home/user");
        facts.temporaryDirectory = QStringLiteral("/tmp");
        facts.transport = QStringLiteral("ssh");
        facts.addresses = addresses;
        facts.cpus = {0, 1, 2, 3};
        return {host, facts, assumed};
    }
    static std::vector<NodeFacts> twoNodes()
    {
        return {node(QStringLiteral("me@alpha"), {QStringLiteral("127.0.0.1"), QStringLiteral("10.0.0.1")}),
                node(QStringLiteral("beta"), {QStringLiteral("127.0.0.1"), QStringLiteral("10.0.0.2")})};
    }
    static RankTable table(const QStringList &servers)
    {
        RankTable table;
        table.status = QStringLiteral("completed");
        int rank = 0;
        for (const QString &id : servers) {
            Server &server = table.servers.emplace_back(Server{id});
            for (int device = 0; device < 2; ++device)
                server.devices.push_back({DeviceId(device), QStringLiteral("1.2.3.4"), Rank(rank++)});
        }
        return table;
    }
    static LaunchPlan made(const QString &line, const std::vector<NodeFacts> &nodes,
                           const RankTable &table = {})
    {
        const auto plan = planNodes(specOf(line), table, QStringLiteral("/t.json"), nodes);
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
    static QStringList words(const char *text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); }
};

void NodesPlanTest::eachNodeHasItsPlaceInTheCluster()
{
    const LaunchPlan plan = made(QStringLiteral("processes --nproc 2 train"), twoNodes());
    QCOMPARE(nodesOf(plan), words("alpha alpha beta beta"));
    QCOMPARE(each(plan, "RANK"), words("0 1 2 3"));
    QCOMPARE(each(plan, "GROUP_RANK"), words("0 0 1 1"));
    QCOMPARE(each(plan, "WORLD_SIZE"), words("4 4 4 4"));
    QCOMPARE(each(plan, "MASTER_ADDR"), words("10.0.0.1 10.0.0.1 10.0.0.1 10.0.0.1"));
    QCOMPARE(plan.worldSize(), 4);
    QCOMPARE(plan.transport, QStringLiteral("ssh"));
    QVERIFY(plan.nodes.front() == (PlannedNode{QStringLiteral("alpha"), QStringLiteral("me@alpha")}));
    // Local ranks are the same on every node, their files are not.
    QStringList logs;
    for (const ProcessPlan &process : plan.processes)
        logs << process.logFile;
    QCOMPARE(logs.removeDuplicates(), 0);
}

void NodesPlanTest::theSchedulerIsWhereTheMasterIs()
{
    const QString line = QStringLiteral("msrun --worker_num 4 --local_worker_num 2 ");
    const LaunchPlan first = made(line + QStringLiteral("train.py"), twoNodes());
    QCOMPARE(nodesOf(first), words("alpha alpha alpha beta beta"));
    QCOMPARE(first.processes.front().role, Role::Scheduler);
    QCOMPARE(each(first, "MS_SCHED_HOST").at(4), QStringLiteral("10.0.0.1"));
    QCOMPARE(each(first, "MS_NODE_RANK"), words("0 0 0 1 1"));
    QCOMPARE(each(first, "RANK_ID"), words("0 0 1 2 3"));

    const LaunchPlan second = made(line + QStringLiteral("--master_addr 10.0.0.2 train.py"), twoNodes());
    QCOMPARE(nodesOf(second), words("alpha alpha beta beta beta"));
    QCOMPARE(second.processes.at(2).role, Role::Scheduler);
    QCOMPARE(each(second, "MS_SCHED_HOST").front(), QStringLiteral("10.0.0.2"));
}

/// /etc/hosts maps a machine's own name to 127.0.1.1 on many distributions.
void NodesPlanTest::aMasterWhoseNameIsLoopbackHereGetsAnotherAddress()
{
    const QString line =
        QStringLiteral("msrun --worker_num 4 --local_worker_num 2 --master_addr %1 train.py");
    const auto nodes = [](const char *name, bool assumed) {
        std::vector<NodeFacts> two = twoNodes();
        for (NodeFacts &each : two) {
            each.areAssumed = assumed;
            each.facts.routes.insert(QLatin1String(name),
                                     {QStringLiteral("127.0.1.1"), QStringLiteral("127.0.0.1")});
        }
        return two;
    };
    for (const char *name : {"beta", "host-of-beta"}) {
        const LaunchPlan plan = made(line.arg(QLatin1String(name)), nodes(name, false));
        QCOMPARE(each(plan, "MS_SCHED_HOST").front(), QStringLiteral("10.0.0.2"));
        QCOMPARE(nodesOf(plan), words("alpha alpha beta beta beta"));
        QCOMPARE(textsOf(plan.notes), QStringList());
    }
    const LaunchPlan assumed = made(line.arg(QStringLiteral("beta")), nodes("beta", true));
    QCOMPARE(each(assumed, "MS_SCHED_HOST").front(), QStringLiteral("beta"));
    QCOMPARE(nodesOf(assumed), words("alpha alpha beta beta beta"));
    const auto unknown = planNodes(specOf(line.arg(QStringLiteral("box"))), {}, {}, nodes("box", false));
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().where, QStringLiteral("--master_addr"));
}

void NodesPlanTest::oneMachineThatIsTwoNodesHasOneScheduler()
{
    const QStringList addresses{QStringLiteral("127.0.0.1"), QStringLiteral("10.0.0.1")};
    const LaunchPlan plan =
        made(QStringLiteral("msrun --worker_num 2 --local_worker_num 1 --master_addr 10.0.0.1 train.py"),
             {node(QStringLiteral("a"), addresses), node(QStringLiteral("b"), addresses)});
    QCOMPARE(nodesOf(plan), words("a a b"));
}

void NodesPlanTest::serversAreFoundByNameThenByAddress()
{
    const QString line = QStringLiteral("davincirun train");
    const LaunchPlan byAddress = made(line, twoNodes(), table(words("10.0.0.2 10.0.0.1")));
    QCOMPARE(nodesOf(byAddress), words("10.0.0.2 10.0.0.2 10.0.0.1 10.0.0.1"));
    QCOMPARE(byAddress.nodes.front().host, QStringLiteral("beta"));
    QCOMPARE(each(byAddress, "RANK_ID"), words("0 1 2 3"));
    QCOMPARE(each(byAddress, "MA_CURRENT_HOST_IP"), words("10.0.0.2 10.0.0.2 10.0.0.1 10.0.0.1"));
    QCOMPARE(each(byAddress, "RANK_START"), words("0 0 2 2"));
    // Every node reads one file, wherever it was read from here.
    QCOMPARE(byAddress.files.size(), 1);
    QCOMPARE(byAddress.files.front().path, nodesRankTablePath());
    QCOMPARE(each(byAddress, "RANK_TABLE_FILE").at(3), nodesRankTablePath());

    const LaunchPlan byName = made(line, twoNodes(), table(words("beta alpha")));
    QCOMPARE(byName.nodes.front().host, QStringLiteral("beta"));
    const LaunchPlan byOrder = made(line, twoNodes(), table(words("s1 s2")));
    QCOMPARE(byOrder.nodes.front().host, QStringLiteral("me@alpha"));
}

void NodesPlanTest::serversOfATableAreTheNodesWhereNoneIsNamed()
{
    const LaunchSpec spec = specOf(QStringLiteral("davincirun --transport ssh train"));
    const auto plan =
        planLaunch(spec, table(words("10.0.0.1 10.0.0.2")), QStringLiteral("/t.json"), node({}).facts);
    QVERIFY(bool(plan));
    QCOMPARE(plan->nodes.size(), 2);
    QCOMPARE(plan->nodes.back().host, QStringLiteral("10.0.0.2"));
}

void NodesPlanTest::aCondaEnvironmentIsEachNodesOwn()
{
    const LaunchSpec spec = specOf(QStringLiteral("processes --conda-env ms train"));
    std::vector<NodeFacts> nodes = twoNodes();
    const QString name = QStringLiteral("ms");
    nodes.front().facts.condaEnvironments = {{name, QStringLiteral("/a/ms"), {}}};
    const auto lacking = planNodes(spec, {}, {}, nodes);
    QVERIFY(!lacking);
    QVERIFY2(lacking.error().what.startsWith(QLatin1String("beta: ")), qPrintable(lacking.error().what));
    nodes.back().facts.condaEnvironments = {{name, QStringLiteral("/b/ms"), {}}};
    const auto plan = planNodes(spec, {}, {}, nodes);
    QVERIFY(plan);
    QCOMPARE(each(*plan, "CONDA_PREFIX"), words("/a/ms /b/ms"));

    // The machine that launches needs none.
    HostFacts facts = node(QStringLiteral("head")).facts;
    facts.nodes = words("alpha beta");
    const auto assumed = planAssumedNodes(spec, {}, {}, facts);
    QVERIFY(assumed);
    QVERIFY(textsOf(assumed->notes).join(QLatin1Char(' ')).contains(QLatin1String("conda environment ms")));
}

void NodesPlanTest::everyNodeRunsTheHooksAsItsOwn()
{
    std::vector<NodeFacts> nodes = twoNodes();
    const QString line = QStringLiteral("processes --nproc 2 --before fetch --after sync train");
    const LaunchPlan plan = made(line, nodes);
    QCOMPARE(plan.before.size(), 2);
    QCOMPARE(plan.before.at(1).node, QStringLiteral("beta"));
    QCOMPARE(plan.before.at(0).setVariables.value(QStringLiteral("GROUP_RANK")), QStringLiteral("0"));
    QCOMPARE(plan.before.at(1).setVariables.value(QStringLiteral("GROUP_RANK")), QStringLiteral("1"));
    // Both nodes may see the same run directory.
    QVERIFY(plan.before.at(0).logFile != plan.before.at(1).logFile);
    QVERIFY(plan.before.at(1).logFile.endsWith(QLatin1String("/before.log")));
    const LaunchPlan share = shareOf(plan, QStringLiteral("beta"));
    QCOMPARE(share.processes.size(), 2);
    QCOMPARE(share.before.size(), 1);
    QCOMPARE(share.before.front().node, QStringLiteral("beta"));
    QCOMPARE(share.after.size(), 1);

    // The driver's daemon is started where it is.
    nodes.back().facts.slogdPath = QStringLiteral("/var/slogd");
    const LaunchPlan daemons = made(QStringLiteral("davincirun train"), nodes, table(words("alpha beta")));
    QCOMPARE(daemons.before.size(), 1);
    QCOMPARE(daemons.before.front().node, QStringLiteral("beta"));
}

void NodesPlanTest::theRankTableOfMsrunIsLaidOnEveryNode()
{
    std::vector<NodeFacts> nodes = twoNodes();
    nodes.front().facts.rankTableText = "{}\n";
    const LaunchPlan plan = made(
        QStringLiteral("msrun --worker_num 2 --local_worker_num 1 --rank_table_file t.json train.py"), nodes);
    QCOMPARE(plan.files.size(), 1);
    QVERIFY(plan.files.front() == (PlannedFile{nodesRankTablePath(), "{}\n"}));
    for (const QString &path : each(plan, "RANK_TABLE_FILE"))
        QCOMPARE(path, nodesRankTablePath());
    QCOMPARE(shareOf(plan, QStringLiteral("beta")).files.size(), 1);
}

void NodesPlanTest::outsideOfAnAllocationSlurmIsAskedForNodes_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("servers");
    QTest::addColumn<QStringList>("named");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QStringList>("names");
    const auto list = [](const char *text) {
        return QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
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
    facts.transport = QStringLiteral("slurm");
    facts.nodes = named;
    const auto plan = planAssumedNodes(specOf(line), table(servers), {}, facts);
    QVERIFY2(plan, qPrintable(plan ? QString() : plan.error().sentence()));
    QVERIFY((plan->allocation == AllocationRequest{nodes, names}));
    QCOMPARE(static_cast<int>(plan->nodes.size()), nodes);
    QCOMPARE(launchPlanFromJson(toJson(*plan))->allocation, plan->allocation);
    if (named.isEmpty())
        return;
    facts.environment.insert(QStringLiteral("SLURM_JOB_ID"), QStringLiteral("7"));
    QVERIFY(!planAssumedNodes(specOf(line), {}, {}, facts)->allocation);
}

void NodesPlanTest::cpusAreThoseOfEachNode()
{
    std::vector<NodeFacts> nodes = twoNodes();
    nodes.back().facts.cpus = {4, 5};
    const LaunchPlan plan = made(QStringLiteral("processes --nproc 2 --bind-core True train"), nodes);
    QCOMPARE(plan.processes.front().cpus, QList<int>({0, 1}));
    QCOMPARE(plan.processes.back().cpus, QList<int>({5}));
}

void NodesPlanTest::notesOfOneNodeNameIt()
{
    std::vector<NodeFacts> nodes = twoNodes();
    nodes.back().facts.platformHomeIsWritable = false;
    nodes.back().facts.environment.insert(QStringLiteral("OMP_NUM_THREADS"), QStringLiteral("4"));
    const LaunchPlan plan = made(QStringLiteral("processes --nproc 2 train"), nodes);
    QCOMPARE(plan.notes.size(), 1);
    QVERIFY2(textsOf(plan.notes).front().startsWith(QLatin1String("alpha: OMP_NUM_THREADS")),
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
    const auto plan = planNodes(specOf(line), table(words("a b c")), QStringLiteral("/t.json"), twoNodes());
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, where);
    QVERIFY(!plan.error().mend.isEmpty());
}

void NodesPlanTest::thePlanIsTheSameFromItsJson()
{
    const LaunchPlan plan =
        made(QStringLiteral("davincirun train"), twoNodes(), table(words("10.0.0.1 10.0.0.2")));
    QVERIFY(launchPlanFromJson(toJson(plan)).value() == plan);
    QVERIFY(launchPlanFromJson(toJson(CompactPlan{plan})).value() == plan);
}

} // namespace tst_nodesplan

RANKDECK_TEST(tst_nodesplan, NodesPlanTest)
#include "tst_nodesplan.moc"
