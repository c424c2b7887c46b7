#include "support/programs.h"
#include "support/testmain.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace tst_twoservers
{

using namespace rankdeck;
using Json = nlohmann::json;

/// davincirun started by hand on one of several servers: which server of the rank table is this host.
class TwoServersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theServerWithAnAddressOfThisHostIsPlannedAndSaid_data();
    void theServerWithAnAddressOfThisHostIsPlannedAndSaid();
    void itsRanksAreLaunched();
    void preflightSaysTheServer();
    void initSaysTheServer();
    void anUnknownHostIsRefusedEverywhereWithTheOption();
    void theOptionChooses();

private:
    static QStringList words(const QString &text) { return text.split(' '_L1, Qt::SkipEmptyParts); }
    /// Writes a table of two servers with two devices each, and names it to the programs.
    void useTable(const char *first, const char *second, bool hasVersion)
    {
        Json servers = Json::array();
        int rank = 0;
        for (const char *server : {first, second}) {
            Json devices = Json::array();
            for (int id = 0; id < 2; ++id, ++rank) {
                devices.push_back({{"device_id", std::to_string(id)},
                                   {"device_ip", "198.51.100." + std::to_string(10 + rank)}});
                if (hasVersion)
                    devices.back()["rank_id"] = std::to_string(rank);
            }
            Json entry{{"server_id", server}, {hasVersion ? "device" : "devices", devices}};
            if (!hasVersion)
                entry["pod_name"] = "job-" + std::to_string(servers.size());
            servers.push_back(entry);
        }
        Json table{{"status", "completed"}};
        if (hasVersion) {
            table["version"] = "1.0";
            table["server_count"] = "2";
            table["server_list"] = servers;
        } else {
            table["group_count"] = "1";
            table["group_list"] = {{{"group_name", "worker"},
                                    {"device_count", "4"},
                                    {"instance_count", "2"},
                                    {"instance_list", servers}}};
        }
        const QString path = m_home->path("t.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(QByteArray::fromStdString(table.dump()));
        qputenv("RANK_TABLE_FILE", path.toLocal8Bit());
    }
    static QByteArrayList ranksOf(const Outcome &plan)
    {
        const Json json = Json::parse(plan.out.begin(), plan.out.end(), nullptr, false);
        QByteArrayList ranks;
        for (const Json &process : json.value("processes", Json::array()))
            ranks << QByteArray::number(process["rank"].get<int>());
        return ranks;
    }
    Outcome run(const QString &line) const { return ctl(words(line), m_home->path()); }

    std::unique_ptr<TestHome> m_home;
};

void TwoServersTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void TwoServersTest::theServerWithAnAddressOfThisHostIsPlannedAndSaid_data()
{
    QTest::addColumn<bool>("hasVersion");
    QTest::newRow("version 1.0") << true;
    QTest::newRow("template 2") << false;
}

void TwoServersTest::theServerWithAnAddressOfThisHostIsPlannedAndSaid()
{
    QFETCH(bool, hasVersion);
    useTable("203.0.113.1", "127.0.0.2", hasVersion);
    QCOMPARE(ranksOf(run(u"plan davincirun --json true"_s)), (QByteArrayList{"2", "3"}));
    const Outcome plan = run(u"plan davincirun true"_s);
    QCOMPARE(plan.code, 0);
    QVERIFY2(plan.out.contains("server 127.0.0.2, because it is an address of this host"),
             plan.out.constData());
}

void TwoServersTest::itsRanksAreLaunched()
{
    useTable("203.0.113.1", "127.0.0.2", false);
    const Outcome launched = ctl(QStringList{u"davincirun"_s, u"sh"_s, u"-c"_s,
                                             u"echo $RANK_ID of $RANK_SIZE on $MA_CURRENT_HOST_IP"_s},
                                 m_home->path());
    QVERIFY2(launched.code == 0, launched.err.constData());
    const QByteArray all = launched.out + launched.err;
    QVERIFY2(all.contains("server 127.0.0.2, because"), all.constData());
    QVERIFY2(launched.out.contains("2 of 4 on 127.0.0.2") && launched.out.contains("3 of 4 on 127.0.0.2"),
             launched.out.constData());
    QVERIFY(!launched.out.contains("0 of 4"));
}

void TwoServersTest::preflightSaysTheServer()
{
    useTable("203.0.113.1", "127.0.0.2", true);
    const Outcome checked = run(u"preflight davincirun true"_s);
    QVERIFY2(checked.out.contains("server 127.0.0.2, because it is an address of this host"),
             checked.out.constData());
}

void TwoServersTest::initSaysTheServer()
{
    useTable("203.0.113.1", "127.0.0.2", false);
    const Outcome made = run(u"ranktable init"_s);
    QVERIFY2(made.code == 0, made.err.constData());
    QVERIFY2(made.out.contains("RANK_START='2'"), made.out.constData());
    QVERIFY2(made.err.contains("server 127.0.0.2, because it is an address of this host"),
             made.err.constData());
}

void TwoServersTest::anUnknownHostIsRefusedEverywhereWithTheOption()
{
    useTable("203.0.113.1", "203.0.113.2", true);
    for (const char *line : {"davincirun true", "plan davincirun true", "preflight davincirun true",
                             "ranktable init", "davincirun --detach true"}) {
        const Outcome refused = run(QString::fromLatin1(line));
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("203.0.113.1, 203.0.113.2") && refused.err.contains("--server"),
                 refused.err.constData());
        QCOMPARE(refused.err.count('\n'), 1);
    }
    QVERIFY(processesOf(m_home->path("state")).isEmpty());
}

void TwoServersTest::theOptionChooses()
{
    useTable("203.0.113.1", "203.0.113.2", false);
    QCOMPARE(ranksOf(run(u"plan davincirun --server 203.0.113.2 --json true"_s)), (QByteArrayList{"2", "3"}));
    QCOMPARE(ranksOf(run(u"plan davincirun --server job-0 --json true"_s)), (QByteArrayList{"0", "1"}));
    QVERIFY(run(u"ranktable init --server 203.0.113.2"_s).out.contains("RANK_START='2'"));
    const Outcome wrong = run(u"plan davincirun --server 203.0.113.3 true"_s);
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains("--server: ") && wrong.err.contains("job-1 (203.0.113.2)"),
             wrong.err.constData());
}

} // namespace tst_twoservers

RANKDECK_TEST(tst_twoservers, TwoServersTest)
#include "tst_twoservers.moc"
