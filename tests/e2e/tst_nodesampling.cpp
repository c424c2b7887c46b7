#include "run/control/runclient.h"
#include "run/samples/loadhistory.h"
#include "run/samples/nodehistory.h"
#include "support/remoterun.h"
#include "support/steadyrun.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_nodesampling
{

using namespace rankdeck;

namespace
{

constexpr int limitMs = 30000;

} // namespace

/// A launch on two nodes over ssh, and a client that wants their samples.
class NodeSamplingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void samplesOfEveryNodeComeAndAreKept();
};

void NodeSamplingTest::samplesOfEveryNodeComeAndAreKept()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    RemoteRun remote;
    QVERIFY(remote.startSsh());
    SteadyRun run(remote, 40);
    QProcess ctlProcess;
    ctlProcess.start(buildPath("bin/rankdeckctl"), run.arguments(remote.nodeOptions()));
    QVERIFY(run.isUp());

    RunClient client(run.state().directory);
    QMap<QString, NodeSample> last;
    connect(&client, &RunClient::sampled, this,
            [&](const NodeSample &sample) { last.insert(sample.node, sample); });
    client.sample({true, -1});
    client.open();
    const auto alpha = u"alpha"_s;
    const auto beta = u"beta"_s;
    // By their indices in the plan, not in the nodes' shares.
    QTRY_COMPARE_WITH_TIMEOUT(last.value(alpha).loads.keys(), (QList<int>{0, 1}), limitMs);
    QTRY_COMPARE_WITH_TIMEOUT(last.value(beta).loads.keys(), (QList<int>{2, 3}), limitMs);
    // The shell, what it sleeps in now and then, and the grandchild that is an orphan by now.
    QTRY_VERIFY_WITH_TIMEOUT(last.value(beta).loads[3].processes >= 2, limitMs);

    run.finish();
    QTRY_VERIFY_WITH_TIMEOUT(run.hasEnded(), limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(run.isGone(), limitMs);
    for (const int node : {0, 1}) {
        const auto history = LoadHistory::read(loadHistoryPath(run.state().directory, node));
        QVERIFY2(history, qPrintable(history.error().sentence()));
        QCOMPARE(history->processes.first(), (QList<int>{2 * node, 2 * node + 1}));
    }
    ctlProcess.waitForFinished();
}

} // namespace tst_nodesampling

RANKDECK_TEST(tst_nodesampling, NodeSamplingTest)
#include "tst_nodesampling.moc"
