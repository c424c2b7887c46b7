#include "base/username.h"
#include "device/sample/processjoin.h"
#include "support/testmain.h"

#include <QCoreApplication>
#include <QTest>

#include <unistd.h>

namespace tst_processjoin
{

using namespace rankdeck;

class ProcessJoinTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onAHostThePidsAreTheSame();
    void aNameThatIsNotToldIsThatOfTheProcess();
    void inAContainerOnlyItsOwnPidsCount();
    void theInnermostPidIsTheOneInTheContainer();
    void namespacesAreReadFromStatus();
    void ourOwnProcessesAreKnown();
};

void ProcessJoinTest::onAHostThePidsAreTheSame()
{
    const PidView view{true, {{getpid(), 3}}, {}};
    const QList<DeviceUser> users =
        joinProcesses({{getpid(), u"python"_s, 100, {}}, {1, {}, {}, {}}, {999999999, {}, {}, {}}}, view);
    QCOMPARE(users.size(), 3);
    QCOMPARE(users[0].owner, 3);
    QVERIFY(!users[0].isForeign());
    QCOMPARE(users[0].user, userName(geteuid()));
    QVERIFY(users[1].isForeign());
    QCOMPARE(users[1].user, userOf(1));
    QVERIFY(users[2].isForeign());
    QCOMPARE(users[2].user, QString());
}

void ProcessJoinTest::aNameThatIsNotToldIsThatOfTheProcess()
{
    const QString own = u"test_device"_s; // Below 16 characters: not cut.
    const PidView host{true, {}, {}};
    QList<DeviceUser> users = joinProcesses(
        {{getpid(), {}, {}, {}}, {getpid(), u"python"_s, {}, {}}, {999999999, {}, {}, {}}}, host);
    QCOMPARE(users[0].process.name, own);
    QCOMPARE(users[1].process.name, u"python"_s);
    QCOMPARE(users[2].process.name, QString());
    // In a container only of what is known to be there.
    const PidView container{false, {{getpid(), 3}}, {{77, getpid()}}};
    users = joinProcesses({{getpid(), {}, {}, {}}, {5, {}, {}, 77}}, container);
    QCOMPARE(users[0].process.name, QString());
    QCOMPARE(users[1].process.name, own);
}

void ProcessJoinTest::inAContainerOnlyItsOwnPidsCount()
{
    const PidView view{false, {{getpid(), 3}}, {{getpid(), getpid()}}};
    // The host's 77 is our process; a host's pid that is the same as ours is somebody else's.
    const QList<DeviceUser> users =
        joinProcesses({{77, {}, {}, getpid()}, {getpid(), {}, {}, {}}, {78, {}, {}, 999999999}}, view);
    QCOMPARE(users[0].owner, 3);
    QCOMPARE(users[0].ownPid, getpid());
    QCOMPARE(users[0].process.pid, 77);
    for (int index : {1, 2}) {
        QVERIFY(users[index].isForeign());
        QCOMPARE(users[index].ownPid, 0);
        QCOMPARE(users[index].user, QString());
    }
}

void ProcessJoinTest::theInnermostPidIsTheOneInTheContainer()
{
    // Our pid 500 has a namespace of its own, in which it is 1.
    const PidView view{false, {{500, 2}}, {{1, 500}}};
    const QList<DeviceUser> users = joinProcesses({{40000, {}, {}, 1}}, view);
    QCOMPARE(users[0].owner, 2);
    QCOMPARE(users[0].ownPid, 500);
}

void ProcessJoinTest::namespacesAreReadFromStatus()
{
    QCOMPARE(namespacePidsFrom("Name:\tpython\nPid:\t12\nNSpid:\t40000\t12\t1\nVmRSS:\t1 kB\n"),
             (QList<qint64>{40000, 12, 1}));
    QCOMPARE(namespacePidsFrom("Name:\tNSpid:\t5\n"), QList<qint64>());
    QCOMPARE(namespacePidsFrom("NSpid:"), QList<qint64>());
    QCOMPARE(namespacePidsFrom(""), QList<qint64>());
}

void ProcessJoinTest::ourOwnProcessesAreKnown()
{
    QCOMPARE(namespacePids(getpid()).value(0), getpid());
    QCOMPARE(namespacePids(999999999), QList<qint64>());
    const PidView view = pidViewOf({{getpid(), 7}});
    QCOMPARE(view.areHostPids, isInitialPidNamespace());
    QCOMPARE(view.owners.value(getpid()), 7);
    if (!view.areHostPids)
        QCOMPARE(view.byContainerPid.value(namespacePids(getpid()).last()), getpid());
}

} // namespace tst_processjoin

RANKDECK_TEST(tst_processjoin, ProcessJoinTest)
#include "tst_processjoin.moc"
