#include "devicegrid/cells/deviceserver.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_servergroups
{

using namespace rankdeck;

namespace
{

QList<ServerState> all(int servers, ServerState state = ServerState::Running)
{
    return QList<ServerState>(servers, state);
}

QList<int> openServers(const ServerGroups &groups)
{
    QList<int> open;
    for (const int server : groups.shown()) {
        if (!groups.isFolded(server))
            open.append(server);
    }
    return open;
}

} // namespace

class TestServerGroups : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theWorstStandsFirst();
    void equallyGoodOnesStandAsInTheTable();
    void aLaunchMovesNothing();
    void tableOrderIsKeptOnRequest();
    void nothingMovesBeforeItIsSettled();
    void aFewServersStartOpen();
    void manyStartFolded();
    void whereSomethingIsWrongIsOpened();
    void onlySoManyAreOpened();
    void whatTheUserFoldedOrOpenedStays();
    void otherServersStartAnew();
};

void TestServerGroups::theWorstStandsFirst()
{
    ServerGroups groups;
    groups.reset({ServerState::NotLaunched, ServerState::Succeeded, ServerState::Stopped,
                  ServerState::Running, ServerState::Stopping, ServerState::Unknown, ServerState::Lost,
                  ServerState::Failed});
    QCOMPARE(groups.shown(), (QList<int>{7, 6, 5, 4, 3, 2, 1, 0}));
}

void TestServerGroups::equallyGoodOnesStandAsInTheTable()
{
    ServerGroups groups;
    groups.reset(all(5));
    QCOMPARE(groups.shown(), (QList<int>{0, 1, 2, 3, 4}));
    QList<ServerState> states = all(5);
    states[1] = states[3] = ServerState::Failed;
    groups.setStates(states);
    QVERIFY(groups.settle());
    QCOMPARE(groups.shown(), (QList<int>{1, 3, 0, 2, 4}));
    QVERIFY(!groups.settle());
}

void TestServerGroups::aLaunchMovesNothing()
{
    ServerGroups groups;
    groups.reset(all(3, ServerState::Waiting));
    groups.setStates({ServerState::Waiting, ServerState::Running, ServerState::Waiting});
    QVERIFY(!groups.settle());
}

void TestServerGroups::tableOrderIsKeptOnRequest()
{
    ServerGroups groups;
    groups.setOrder(ServerGroups::Order::Table);
    groups.reset({ServerState::Running, ServerState::Failed});
    QCOMPARE(groups.shown(), (QList<int>{0, 1}));
    groups.setOrder(ServerGroups::Order::WorstFirst);
    QVERIFY(groups.settle());
    QCOMPARE(groups.shown(), (QList<int>{1, 0}));
}

void TestServerGroups::nothingMovesBeforeItIsSettled()
{
    ServerGroups groups;
    groups.reset(all(20));
    QList<ServerState> states = all(20);
    states[19] = ServerState::Failed;
    groups.setStates(states);
    QCOMPARE(groups.shown().constFirst(), 0);
    QVERIFY(groups.isFolded(19));
    QVERIFY(groups.settle());
    QCOMPARE(groups.shown().constFirst(), 19);
    QVERIFY(!groups.isFolded(19));
}

void TestServerGroups::aFewServersStartOpen()
{
    ServerGroups groups;
    groups.reset(all(ServerGroups::manyServers));
    QCOMPARE(openServers(groups).size(), ServerGroups::manyServers);
    QVERIFY(groups.canFold());
    groups.reset(all(1));
    QVERIFY(!groups.canFold());
}

void TestServerGroups::manyStartFolded()
{
    ServerGroups groups;
    groups.reset(all(ServerGroups::manyServers + 1));
    QVERIFY(openServers(groups).isEmpty());
    groups.reset(all(128, ServerState::Unknown)); // Logs alone say no more: that is no fault.
    QVERIFY(openServers(groups).isEmpty());
}

void TestServerGroups::whereSomethingIsWrongIsOpened()
{
    ServerGroups groups;
    QList<ServerState> states = all(128);
    states[100] = ServerState::Lost;
    states[101] = ServerState::Failed;
    groups.reset(states);
    QCOMPARE(openServers(groups), (QList<int>{101, 100}));
    // A new attempt: nothing is wrong there any more.
    groups.setStates(all(128));
    QVERIFY(groups.settle());
    QVERIFY(openServers(groups).isEmpty());
}

void TestServerGroups::onlySoManyAreOpened()
{
    ServerGroups groups;
    groups.reset(all(128));
    QList<ServerState> states = all(128);
    states[100] = ServerState::Failed;
    groups.setStates(states);
    groups.settle();
    groups.setStates(all(128, ServerState::Failed));
    groups.settle();
    // What is open already is not folded for another.
    QCOMPARE(openServers(groups), (QList<int>{0, 1, 2, 100}));
    QCOMPARE(ServerGroups::mostOpened, 4);
}

void TestServerGroups::whatTheUserFoldedOrOpenedStays()
{
    ServerGroups groups;
    QList<ServerState> states = all(128);
    states[3] = ServerState::Failed;
    groups.reset(states);
    groups.setFolded(3, true);
    groups.setFolded(5, false);
    states[4] = ServerState::Failed;
    groups.setStates(states);
    groups.settle();
    QCOMPARE(openServers(groups), (QList<int>{4, 5}));
    groups.setAllFolded(true);
    QVERIFY(!groups.settle());
    QVERIFY(openServers(groups).isEmpty());
    states[6] = ServerState::Failed;
    groups.setStates(states);
    groups.settle();
    QCOMPARE(openServers(groups), QList<int>{6});
    groups.setAllFolded(false);
    QVERIFY(!groups.settle());
    QCOMPARE(openServers(groups).size(), 128);
}

void TestServerGroups::otherServersStartAnew()
{
    ServerGroups groups;
    groups.reset(all(9));
    groups.setAllFolded(false);
    groups.reset(all(9));
    QVERIFY(openServers(groups).isEmpty());
}

} // namespace tst_servergroups

RANKDECK_TEST(tst_servergroups, TestServerGroups)
#include "tst_servergroups.moc"
