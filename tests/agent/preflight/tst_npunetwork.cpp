#include "agent/preflight/nodenetwork.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_npunetwork
{

using namespace rankdeck;

/// What hccn_tool prints, in the forms of its reference and of recorded output, and the network cards that
/// HCCL's variables choose.
class NpuNetworkTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itIsAskedAboutOneDeviceEach();
    void aNetworkThatIsWellPasses();
    void whatIsWrongIsNamed_data();
    void whatIsWrongIsNamed();
    void silenceIsNoFailure();
    void tlsIsComparedBetweenNodes_data();
    void tlsIsComparedBetweenNodes();
    void cardsAreNamedAsHcclNamesThem_data();
    void cardsAreNamedAsHcclNamesThem();
    void theAddressThatHcclTakesComesFirst_data();
    void theAddressThatHcclTakesComesFirst();
    void aCardThatIsNotThereFails();

private:
    using Status = PreflightCheck::Status;

    static QByteArray link(const char *state) { return QByteArray("link status: ") + state + '\n'; }
    static QByteArray address(const char *ip)
    {
        return QByteArray("ipaddr:") + ip + "\nnetmask:255.255.255.0\n";
    }
    static QByteArray tls(char on)
    {
        return QByteArray("dev_id:0, tls switch[") + on +
               "](0:disable, 1:enable), tls preconfigured[1](0:non-preset, 1:preset), tls alarm time "
               "threshold[60]days\n";
    }
    static QByteArray health(const char *state) { return QByteArray("net health status: ") + state + '\n'; }
    /// Two devices, of which 1 is as given and 0 is well.
    static std::vector<PreflightCheck> network(const QByteArray &link, const QByteArray &ip,
                                               const QByteArray &tls, const QByteArray &health)
    {
        NpuNetwork network({{0, u"192.0.2.10"_s}, {1, u"192.0.2.11"_s}});
        const QList<QByteArray> well{NpuNetworkTest::link("UP"), address("192.0.2.10"),
                                     NpuNetworkTest::tls('0'), NpuNetworkTest::health("Success")};
        const QList<QByteArray> other{link, ip, tls, health};
        for (qsizetype question = 0; question < well.size(); ++question) {
            network.take(0, NpuNetwork::questions().at(question), well.at(question));
            network.take(1, NpuNetwork::questions().at(question), other.at(question));
        }
        return network.checks();
    }
    static VariableLookup lookup(const char *ip, const char *names)
    {
        return [ip, names](const QString &name) {
            return name == "HCCL_IF_IP"_L1           ? QString::fromLatin1(ip)
                   : name == "HCCL_SOCKET_IFNAME"_L1 ? QString::fromLatin1(names)
                                                     : QString();
        };
    }
    static QList<NetworkCard> cards()
    {
        return {{u"docker0"_s, u"172.17.0.1"_s},
                {u"eth0"_s, u"192.0.2.1"_s},
                {u"eth1"_s, u"192.0.2.2"_s},
                {u"lo"_s, u"127.0.0.1"_s}};
    }
};

void NpuNetworkTest::itIsAskedAboutOneDeviceEach()
{
    QCOMPARE(NpuNetwork::questions().size(), 4);
    QCOMPARE(NpuNetwork::arguments(3, u"-link"_s).join(' '_L1), u"-i 3 -link -g"_s);
}

void NpuNetworkTest::aNetworkThatIsWellPasses()
{
    const auto checks = network(link("UP"), address("192.0.2.11"), tls('0'), health("Success"));
    QCOMPARE(checks.size(), std::size_t(4));
    for (const PreflightCheck &check : checks) {
        QVERIFY2(check.status == Status::Pass, qPrintable(check.sentence));
        QVERIFY(check.sentence.contains("0-1"_L1));
        QCOMPARE(check.part, PreflightCheck::Part::NpuNetwork);
    }
}

void NpuNetworkTest::whatIsWrongIsNamed_data()
{
    QTest::addColumn<QByteArray>("linkText");
    QTest::addColumn<QByteArray>("ipText");
    QTest::addColumn<QByteArray>("tlsText");
    QTest::addColumn<QByteArray>("healthText");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("words");
    const int fail = static_cast<int>(Status::Fail);
    const int warn = static_cast<int>(Status::Warn);
    QTest::newRow("link down") << link("DOWN") << address("192.0.2.11") << tls('0') << health("Success")
                               << u"npu-link"_s << fail << u"device 1: DOWN"_s;
    QTest::newRow("another address") << link("UP") << address("192.0.2.77") << tls('0') << health("Success")
                                     << u"npu-address"_s << fail
                                     << u"device 1 has 192.0.2.77, the rank table says 192.0.2.11"_s;
    QTest::newRow("no address") << link("UP") << QByteArray("ipaddr is not configured\n") << tls('0')
                                << health("Success") << u"npu-address"_s << warn
                                << u"no address at device 1"_s;
    QTest::newRow("tls differs") << link("UP") << address("192.0.2.11") << tls('1') << health("Success")
                                 << u"npu-tls"_s << fail << u"on for device 1 and off for device 0"_s;
    QTest::newRow("ill") << link("UP") << address("192.0.2.11") << tls('0') << health("Socket failed")
                         << u"npu-network-health"_s << warn << u"device 1: Socket failed"_s;
    QTest::newRow("not tried") << link("UP") << address("192.0.2.11") << tls('0') << health("Init")
                               << u"npu-network-health"_s << static_cast<int>(Status::Skipped)
                               << u"no detection address is set"_s;
}

void NpuNetworkTest::whatIsWrongIsNamed()
{
    QFETCH(QByteArray, linkText);
    QFETCH(QByteArray, ipText);
    QFETCH(QByteArray, tlsText);
    QFETCH(QByteArray, healthText);
    QFETCH(QString, name);
    QFETCH(int, status);
    QFETCH(QString, words);
    for (const PreflightCheck &check : network(linkText, ipText, tlsText, healthText)) {
        if (check.name != name) {
            QVERIFY2(check.status == Status::Pass, qPrintable(check.sentence));
            continue;
        }
        QCOMPARE(static_cast<int>(check.status), status);
        QVERIFY2(check.sentence.contains(words), qPrintable(check.sentence));
    }
}

void NpuNetworkTest::silenceIsNoFailure()
{
    for (const PreflightCheck &check : network({}, {}, {}, {}))
        QVERIFY2(check.status != Status::Fail, qPrintable(check.sentence));
}

void NpuNetworkTest::tlsIsComparedBetweenNodes_data()
{
    QTest::addColumn<QString>("alpha");
    QTest::addColumn<QString>("beta");
    QTest::addColumn<int>("status");
    QTest::newRow("same") << u"0"_s << u"0"_s << static_cast<int>(Status::Pass);
    QTest::newRow("other") << u"0"_s << u"1"_s << static_cast<int>(Status::Fail);
    QTest::newRow("nothing") << QString() << QString() << static_cast<int>(Status::Skipped);
}

void NpuNetworkTest::tlsIsComparedBetweenNodes()
{
    QFETCH(QString, alpha);
    QFETCH(QString, beta);
    QFETCH(int, status);
    const auto said = [](const QString &on) {
        return on.isEmpty() ? QMap<int, QString>() : QMap<int, QString>{{0, on}};
    };
    const PreflightCheck check = tlsCheckOfNodes({{u"alpha"_s, said(alpha)}, {u"beta"_s, said(beta)}});
    QCOMPARE(static_cast<int>(check.status), status);
    if (check.status == Status::Fail)
        QVERIFY(check.sentence.contains("on for the NPUs of beta and off for those of alpha"_L1));
}

void NpuNetworkTest::cardsAreNamedAsHcclNamesThem_data()
{
    QTest::addColumn<QString>("names");
    QTest::addColumn<QString>("card");
    QTest::addColumn<bool>("isNamed");
    const auto row = [](const char *names, const char *card, bool isNamed) {
        QTest::addRow("%s %s", names, card)
            << QString::fromLatin1(names) << QString::fromLatin1(card) << isNamed;
    };
    row("eth", "eth0", true);
    row("eth", "bond0", false);
    row("bond,eth1", "eth10", true);
    row("=eth1", "eth10", false);
    row("=eth1,eth10", "eth10", true);
    row("^docker", "docker0", false);
    row("^docker", "eth0", true);
    row("^=docker0,lo", "docker1", true);
    row("^=docker0,lo", "lo", false);
}

void NpuNetworkTest::cardsAreNamedAsHcclNamesThem()
{
    QFETCH(QString, names);
    QFETCH(QString, card);
    QFETCH(bool, isNamed);
    QCOMPARE(isNamedBy(names, card), isNamed);
}

void NpuNetworkTest::theAddressThatHcclTakesComesFirst_data()
{
    QTest::addColumn<QByteArray>("ip");
    QTest::addColumn<QByteArray>("names");
    QTest::addColumn<QString>("reachedAt");
    QTest::addColumn<QString>("first");
    const QByteArray none;
    QTest::newRow("no variable") << none << none << QString() << u"192.0.2.1"_s;
    QTest::newRow("reached") << none << none << u"192.0.2.2"_s << u"192.0.2.2"_s;
    QTest::newRow("named") << none << QByteArray("=eth1") << u"192.0.2.1"_s << u"192.0.2.2"_s;
    QTest::newRow("given") << QByteArray("192.0.2.9") << QByteArray("eth") << QString() << u"192.0.2.9"_s;
}

void NpuNetworkTest::theAddressThatHcclTakesComesFirst()
{
    QFETCH(QByteArray, ip);
    QFETCH(QByteArray, names);
    QFETCH(QString, reachedAt);
    QFETCH(QString, first);
    const QStringList addresses =
        hcclAddresses(lookup(ip.constData(), names.constData()), cards(), reachedAt);
    QCOMPARE(addresses.first(), first);
    QVERIFY(!addresses.contains(u"127.0.0.1"_s));
    QCOMPARE(addresses.last(), u"172.17.0.1"_s);
    QCOMPARE(hcclAddresses(lookup("", ""), {cards().last()}, {}), QStringList{u"127.0.0.1"_s});
}

void NpuNetworkTest::aCardThatIsNotThereFails()
{
    const PreflightCheck ip = networkCardCheck(lookup("192.0.2.9", ""), cards());
    QCOMPARE(ip.status, Status::Fail);
    QVERIFY(ip.sentence.contains("eth0 (192.0.2.1)"_L1));
    QCOMPARE(networkCardCheck(lookup("", "bond"), cards()).status, Status::Fail);
    QCOMPARE(networkCardCheck(lookup("", "eth"), cards()).status, Status::Pass);
    QCOMPARE(networkCardCheck(lookup("", ""), {}).status, Status::Warn);
}

} // namespace tst_npunetwork

RANKDECK_TEST(tst_npunetwork, NpuNetworkTest)
#include "tst_npunetwork.moc"
