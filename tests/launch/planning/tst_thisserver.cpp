#include "launch/planning/thisserver.h"
#include "ranktable/reading/ranktablereader.h"
#include "support/testmain.h"

#include <QTest>

#include <vector>

namespace tst_thisserver
{

using namespace rankdeck;

namespace
{

/// The keys of a server besides its device, from words such as "server_id=10.0.0.1".
QByteArray keys(const char *words)
{
    QByteArrayList members;
    for (const QByteArray &word : QByteArray(words).split(' '))
        members << '"' + word.left(word.indexOf('=')) + "\": \"" + word.mid(word.indexOf('=') + 1) + '"';
    return members.join(", ");
}

/// A table of version 1.0; each entry of `servers` is for keys().
QByteArray serverList(const std::vector<const char *> &servers)
{
    QByteArrayList entries;
    for (const char *words : servers) {
        entries << '{' + keys(words) + ", \"device\": [{" +
                       keys(qPrintable(
                           u"device_id=0 device_ip=198.51.100.1%1 rank_id=%1"_s.arg(entries.size()))) +
                       "}]}";
    }
    return "{\"status\": \"completed\", \"version\": \"1.0\", \"server_list\": [" + entries.join(", ") + "]}";
}

/// A table of version 1.0 of two servers with these server_ids.
QByteArray ids(const QByteArray &first, const QByteArray &second)
{
    return serverList({("server_id=" + first).constData(), ("server_id=" + second).constData()});
}

/// Template 2 with the pods job-0 and job-1.
QByteArray pods(const QByteArray &first, const QByteArray &second)
{
    const auto instance = [](const QByteArray &pod, const QByteArray &server, const char *device) {
        return '{' + keys(("pod_name=" + pod + " server_id=" + server).constData()) + ", \"devices\": [{" +
               keys(device) + "}]}";
    };
    return "{\"status\": \"completed\", \"group_count\": \"1\", \"group_list\": [{" +
           keys("group_name=worker device_count=2 instance_count=2") + ", \"instance_list\": [" +
           instance("job-0", first, "device_id=0 device_ip=198.51.100.1") + ", " +
           instance("job-1", second, "device_id=0 device_ip=198.51.100.2") + "]}]}";
}

} // namespace

class ThisServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneServerIsFoundAndSaysWhy_data();
    void oneServerIsFoundAndSaysWhy();
    void noneOrSeveralAreAnErrorThatNamesTheOption_data();
    void noneOrSeveralAreAnErrorThatNamesTheOption();
    void theOptionMustNameAServerOfTheTable();

private:
    static Result<ThisServer> find(const QByteArray &table, const char *wanted = "",
                                   const char *variables = "", const char *addresses = "127.0.0.1 10.0.0.2",
                                   const char *host = "box.cluster")
    {
        HostFacts facts;
        facts.hostName = QString::fromLatin1(host);
        for (const QString &text : QString::fromLatin1(addresses).split(' '_L1))
            (text.contains(':'_L1) ? facts.ipv6Addresses : facts.addresses) << text;
        for (const QString &text : QString::fromLatin1(variables).split(' '_L1, Qt::SkipEmptyParts))
            facts.environment.insert(text.section('='_L1, 0, 0), text.section('='_L1, 1));
        const auto read = parseRankTable(table, u"t"_s);
        return read ? findThisServer(*read, QString::fromLatin1(wanted), facts) : read.error();
    }
};

void ThisServerTest::oneServerIsFoundAndSaysWhy_data()
{
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("variables");
    QTest::addColumn<QString>("addresses");
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("reason");
    const QString own = u"127.0.0.1 10.0.0.2 fd00::2"_s;
    const auto row = [&](const char *name, const QByteArray &table, const char *wanted, const char *variables,
                         const char *server, const char *reason) {
        QTest::newRow(name) << table << wanted << variables << own << server << reason;
    };
    const QByteArray two = ids("10.0.0.1", "10.0.0.2");
    row("the option, before all else", two, "10.0.0.1", "MA_CURRENT_HOST_IP=10.0.0.2", "10.0.0.1",
        "--server says so");
    row("the option names a pod", pods("10.0.0.1", "10.0.0.2"), "job-0", "", "10.0.0.1", "--server says so");
    row("the address variable", two, "", "MA_CURRENT_HOST_IP=10.0.0.1", "10.0.0.1",
        "MA_CURRENT_HOST_IP is 10.0.0.1");
    row("the address variable, template 2", pods("10.0.0.1", "10.0.0.2"), "", "MA_CURRENT_HOST_IP=10.0.0.1",
        "10.0.0.1", "MA_CURRENT_HOST_IP is 10.0.0.1");
    row("the pod variable", pods("10.0.0.1", "10.0.0.2"), "", "MA_CURRENT_INSTANCE_NAME=job-0", "10.0.0.1",
        "MA_CURRENT_INSTANCE_NAME is job-0");
    row("the pod variable of batch jobs wins", pods("10.0.0.1", "10.0.0.2"), "",
        "MA_CURRENT_INSTANCE_NAME=job-1 BATCH_TASK_CURRENT_INSTANCE=job-0", "10.0.0.1",
        "BATCH_TASK_CURRENT_INSTANCE is job-0");
    row("a pod's name as server_id", ids("job-0", "job-1"), "", "MA_CURRENT_INSTANCE_NAME=job-1", "job-1",
        "MA_CURRENT_INSTANCE_NAME is job-1");
    row("a pod's name that version 1.0 does not have", two, "", "MA_CURRENT_INSTANCE_NAME=job-0", "10.0.0.2",
        "it is an address of this host");
    row("an address of this host", two, "", "", "10.0.0.2", "it is an address of this host");
    row("an address of this host, template 2", pods("10.0.0.1", "10.0.0.2"), "", "", "10.0.0.2",
        "it is an address of this host");
    row("an IPv6 address in another spelling", ids("fd00::1", "fd00:0:0:0:0:0:0:2"), "", "",
        "fd00:0:0:0:0:0:0:2", "it is an address of this host");
    row("host_ip", serverList({"server_id=node-a host_ip=10.0.0.1", "server_id=node-b host_ip=10.0.0.2"}), "",
        "", "node-b", "its host_ip 10.0.0.2 is an address of this host");
    row("container_ip",
        serverList({"server_id=9.0.0.1 container_ip=10.0.0.1", "server_id=9.0.0.2 container_ip=10.0.0.2"}),
        "", "", "9.0.0.2", "its container_ip 10.0.0.2 is an address of this host");
    row("another address than loopback", ids("127.0.0.1", "10.0.0.2"), "", "", "10.0.0.2",
        "it is an address of this host");
    row("loopback where nothing else fits", ids("10.0.0.9", "127.0.0.2"), "", "", "127.0.0.2",
        "it is an address of this host");
    row("the name of this host", ids("alpha", "box.cluster"), "", "", "box.cluster",
        "it is the name of this host");
    row("its short name", ids("alpha", "BOX"), "", "", "BOX", "it is the name of this host");
    row("an empty variable", two, "", "MA_CURRENT_HOST_IP=", "10.0.0.2", "it is an address of this host");
    row("the only server", serverList({"server_id=10.0.0.9"}), "", "", "10.0.0.9",
        "the rank table has no other");
    row("the only server, whatever the variable says", serverList({"server_id=10.0.0.9"}), "",
        "MA_CURRENT_HOST_IP=10.0.0.8", "10.0.0.9", "the rank table has no other");
    row("two pods of one server", pods("10.0.0.9", "10.0.0.9"), "", "", "10.0.0.9",
        "the rank table has no other");
}

void ThisServerTest::oneServerIsFoundAndSaysWhy()
{
    QFETCH(QByteArray, table);
    QFETCH(QString, wanted);
    QFETCH(QString, variables);
    QFETCH(QString, addresses);
    const auto found = find(table, qPrintable(wanted), qPrintable(variables), qPrintable(addresses));
    QVERIFY2(found, qPrintable(found.error().sentence()));
    QTEST(found->serverId, "server");
    QTEST(found->reason, "reason");
    QCOMPARE(found->isOnlyOne, found->serverId == "10.0.0.9"_L1);
    QCOMPARE(found->sentence(), u"This host is server %1, because %2."_s.arg(found->serverId, found->reason));
}

void ThisServerTest::noneOrSeveralAreAnErrorThatNamesTheOption_data()
{
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QString>("variables");
    QTest::addColumn<QString>("what");
    QTest::newRow("none") << ids("10.0.0.8", "10.0.0.9") << QString()
                          << "no server of the rank table is this host: the table has 10.0.0.8, 10.0.0.9; "
                             "this host is box.cluster, with 10.0.0.2";
    QTest::newRow("none, template 2")
        << pods("10.0.0.8", "10.0.0.9") << QString()
        << "no server of the rank table is this host: the table has job-0 (10.0.0.8), job-1 (10.0.0.9); this "
           "host is box.cluster, with 10.0.0.2";
    QTest::newRow("several addresses")
        << ids("10.0.0.2", "10.0.0.3") << QString()
        << "several servers of the rank table may be this host: 10.0.0.2, because it is an address of this "
           "host; 10.0.0.3, because it is an address of this host";
    QTest::newRow("several loopback addresses")
        << ids("127.0.0.1", "127.0.0.2") << QString()
        << "several servers of the rank table may be this host: 127.0.0.1, because it is an address of this "
           "host; 127.0.0.2, because it is an address of this host";
    QTest::newRow("variables that disagree")
        << pods("10.0.0.8", "10.0.0.9") << "MA_CURRENT_INSTANCE_NAME=job-0 MA_CURRENT_HOST_IP=10.0.0.9"
        << "several servers of the rank table may be this host: 10.0.0.8, because MA_CURRENT_INSTANCE_NAME "
           "is "
           "job-0; 10.0.0.9, because MA_CURRENT_HOST_IP is 10.0.0.9";
    QTest::newRow("a variable that names none")
        << ids("10.0.0.1", "10.0.0.2") << "MA_CURRENT_HOST_IP=203.0.113.9"
        << "no server of the rank table is this host: MA_CURRENT_HOST_IP is \"203.0.113.9\", and the table "
           "has "
           "10.0.0.1, 10.0.0.2";
}

void ThisServerTest::noneOrSeveralAreAnErrorThatNamesTheOption()
{
    QFETCH(QByteArray, table);
    QFETCH(QString, variables);
    const bool isSeveral = QByteArray(QTest::currentDataTag()) == "several addresses";
    const auto found = find(table, "", qPrintable(variables),
                            isSeveral ? "127.0.0.1 10.0.0.2 10.0.0.3" : "127.0.0.1 10.0.0.2");
    QVERIFY(!found);
    QTEST(found.error().what, "what");
    QVERIFY2(found.error().mend.contains("--server"_L1), qPrintable(found.error().mend));
}

void ThisServerTest::theOptionMustNameAServerOfTheTable()
{
    const auto found = find(ids("10.0.0.1", "10.0.0.2"), "10.0.0.3");
    QVERIFY(!found);
    QCOMPARE(found.error().where, u"--server"_s);
    QVERIFY2(found.error().what.contains("10.0.0.1, 10.0.0.2"_L1), qPrintable(found.error().what));
}

} // namespace tst_thisserver

RANKDECK_TEST(tst_thisserver, ThisServerTest)
#include "tst_thisserver.moc"
