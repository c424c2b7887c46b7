#include "diagnosis/failure/schedulerfailure.h"
#include "support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

namespace tst_schedulerlog
{

using namespace rankdeck;

class SchedulerLogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void workersThatCameAreListed();
    void silentNodesAreListedOnce();
    void bothEndsOfALongLogAreRead();
    void foreignTextHarmsNothing();

private:
    SchedulerLog read(const QByteArray &text) const
    {
        QFile file(path());
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("the log cannot be written");
        file.close();
        return readSchedulerLog(path());
    }
    QString path() const { return m_directory.filePath(u"scheduler.log"_s); }

    QTemporaryDir m_directory;
};

/// Both forms in use: an older MindSpore says less.
void SchedulerLogTest::workersThatCameAreListed()
{
    const SchedulerLog log = read(
        "[WARNING] DISTRIBUTED(8,7f,python):2025-11-21-10:00:00.000.000 [meta_server_node.cc:290] "
        "ProcessRegister] The new node: 3(role: MS_WORKER), rank id: 3, device id: 3, hostname: a, ip: "
        "192.0.2.1 is registered successfully. Currently registered node number: 1, expected node number: 8\n"
        "[INFO] ProcessRegister] The new node: 0(role: MS_WORKER) is registered successfully.\n"
        "The new node: s(role: MS_SERVER) is registered successfully.\n"
        "The new node: 1(role: MS_WORKER) comes\n");
    QCOMPARE(log.registered, (QStringList{u"3"_s, u"0"_s}));
    QVERIFY(log.timedOut.isEmpty());
    QVERIFY(!log.isFormed);
    QVERIFY(read("The cluster topology has been constructed successfully.\n").isFormed);
}

void SchedulerLogTest::silentNodesAreListedOnce()
{
    const SchedulerLog log = read("[ERROR] UpdateTopoState] The node: 5 is timed out. It may exit.\n"
                                  "[ERROR] UpdateTopoState] The node: 5 is timed out. It may exit.\n"
                                  "Time out nodes are ['5', 'a-b']\n"
                                  "Time out nodes are []");
    QCOMPARE(log.timedOut, (QStringList{u"5"_s, u"a-b"_s}));
}

void SchedulerLogTest::bothEndsOfALongLogAreRead()
{
    const QByteArray filler = QByteArray(1023, 'x') + '\n';
    const SchedulerLog log =
        read("The new node: 2(role: MS_WORKER) is registered successfully.\n" + filler.repeated(3 * 1024) +
             filler.repeated(4 * 1024) + "The node: 2 is timed out\n");
    QCOMPARE(log.registered, QStringList{u"2"_s});
    QCOMPARE(log.timedOut, QStringList{u"2"_s});
}

void SchedulerLogTest::foreignTextHarmsNothing()
{
    QVERIFY(readSchedulerLog(u"/no/such/log"_s).registered.isEmpty());
    const SchedulerLog log =
        read("The node: \x1b[31mred\x1b[0m is timed out\nThe node: " + QByteArray(5000, '9') +
             " is timed out\nThe node:  is timed out\nTime out nodes are [\n");
    QCOMPARE(log.timedOut.size(), 2);
    QCOMPARE(log.timedOut[0], u"red"_s);
    QVERIFY(log.timedOut[1].size() <= 64);
    QVERIFY(QFile::remove(path()));
    QCOMPARE(mkfifo(QFile::encodeName(path()).constData(), 0600), 0);
    QVERIFY(readSchedulerLog(path()).timedOut.isEmpty());
}

} // namespace tst_schedulerlog

RANKDECK_TEST(tst_schedulerlog, SchedulerLogTest)
#include "tst_schedulerlog.moc"
