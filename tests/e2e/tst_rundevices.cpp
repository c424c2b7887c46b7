#include "base/json.h"
#include "support/freeport.h"
#include "support/npusmistandin.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <QTest>

#include <memory>

namespace tst_rundevices
{

using namespace rankdeck;

/// `rankdeckctl devices RUN`.
class RunDevicesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theNpuAndTheTreeOfEachRankAreTold();
    void whereThereIsNoNpuTreesAreTold();
    void anNpuSmiThatFailsIsSaid();
    void anEndedRunHasItsHistoryAlone();
    void whatGoesWithThisMachineAloneIsRefused();

private:
    /// Two ranks that go on until they are stopped. Returns the run's name.
    static QString start()
    {
        return QString::fromUtf8(ctl({u"processes"_s, u"--nproc=2"_s, u"--grace=1"_s, u"--detach"_s,
                                      u"--master-port=%1"_s.arg(freePort()), u"--"_s, u"sleep"_s, u"1000"_s})
                                     .out)
            .trimmed();
    }

    std::unique_ptr<TestHome> m_home;
    QByteArray m_path = qgetenv("PATH");
};

void RunDevicesTest::init()
{
    qputenv("PATH", m_path);
    m_home = std::make_unique<TestHome>();
}

void RunDevicesTest::cleanup()
{
    killProcessesOf(*m_home);
    QTRY_VERIFY(processesOf(m_home->path("state")).isEmpty());
}

void RunDevicesTest::theNpuAndTheTreeOfEachRankAreTold()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7, NpuSmiStandIn::stranger()));
    qputenv("PATH", standIn.folder().toLocal8Bit() + ':' + m_path);
    const QString run = start();
    const Outcome table = ctl({u"devices"_s, run});
    QVERIFY2(table.code == 0, table.err);
    const QList<QByteArray> lines = table.out.trimmed().split('\n');
    QVERIFY2(lines.size() == 3, table.out);
    for (const char *word : {"RANK", "DEVICE", "HEALTH", "AICORE %", "HBM MB", "CPU %", "MEM MB", "OTHERS"})
        QVERIFY2(lines[0].contains(word), table.out);
    QVERIFY2(lines[1].simplified().startsWith("0 ") && lines[1].contains("59189/65536"), table.out);
    QVERIFY2(lines[1].contains("python (pid 1)"), table.out);
    QVERIFY2(lines[2].simplified().startsWith("1 ") && lines[2].contains("Alarm"), table.out);
    QVERIFY2(!lines[2].contains("(pid 1)"), table.out);

    const Outcome json = ctl({u"devices"_s, run, u"--json"_s});
    QVERIFY2(json.code == 0, json.err);
    const auto said = parseJson(json.out);
    QVERIFY2(said, json.out);
    QCOMPARE((*said)["schema"].get<int>(), 1);
    QCOMPARE((*said)["run"].get<QString>(), run);
    QCOMPARE((*said)["nodes"].size(), std::size_t(1));
    const nlohmann::json &node = (*said)["nodes"][0];
    for (const char *key : {"time", "devices_time"}) {
        const auto text = node[key].get<QString>();
        QVERIFY2(text.endsWith('Z'_L1) && QDateTime::fromString(text, Qt::ISODateWithMs).isValid(),
                 qPrintable(text));
    }
    QCOMPARE(node["devices"].size(), std::size_t(2));
    QCOMPARE(node["devices"][0]["processes"][0]["pid"].get<int>(), 1);
    QVERIFY(!node["devices"][0]["processes"][0].contains("rank")); // A stranger.
    QCOMPARE(node["processes"].size(), std::size_t(2));
    for (std::size_t rank = 0; rank < 2; ++rank) {
        const nlohmann::json &process = node["processes"][rank];
        QCOMPARE(process["rank"].get<std::size_t>(), rank);
        QCOMPARE(process["device_index"].get<std::size_t>(), rank);
        QVERIFY(process["load"]["resident_bytes"].get<qint64>() > 0);
    }
}

void RunDevicesTest::whereThereIsNoNpuTreesAreTold()
{
    const QString run = start();
    const Outcome table = ctl({u"devices"_s, run});
    QVERIFY2(table.code == 0, table.err);
    QVERIFY2(table.out.contains("CPU %") && !table.out.contains("HBM"), table.out);
    QCOMPARE(table.out.trimmed().count('\n'), 2);
}

void RunDevicesTest::anNpuSmiThatFailsIsSaid()
{
    NpuSmiStandIn standIn;
    standIn.install("echo 'dcmi module initialize failed. ret is -8005'; exit 1");
    qputenv("PATH", standIn.folder().toLocal8Bit() + ':' + m_path);
    const Outcome table = ctl({u"devices"_s, start()});
    QVERIFY2(table.code == 0, table.err);
    QVERIFY2(table.err.contains("-8005"), table.err);
    QVERIFY2(table.out.contains("CPU %"), table.out);
}

void RunDevicesTest::anEndedRunHasItsHistoryAlone()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7, NpuSmiStandIn::stranger()));
    qputenv("PATH", standIn.folder().toLocal8Bit() + ':' + m_path);
    const QString run = start();
    const QStringList csv{u"devices"_s, run, u"--csv"_s};
    const Outcome nothing = ctl(csv);
    QVERIFY2(nothing.code == 2 && nothing.out.isEmpty(), nothing.out); // Nobody has watched it yet.
    QCOMPARE(ctl({u"devices"_s, run}).code, 0);
    QCOMPARE(ctl({u"stop"_s, run}).code, 0);
    const Outcome table = ctl({u"devices"_s, run});
    QCOMPARE(table.code, 2);
    QVERIFY2(table.err.contains("has ended"), table.err);
    const Outcome history = ctl(csv);
    QVERIFY2(history.code == 0, history.err);
    const QList<QByteArray> lines = history.out.trimmed().split('\n');
    QVERIFY2(lines.first().contains("hbm_used_mb") && lines.first().contains("cpu_percent"), history.out);
    QVERIFY2(history.out.contains(",59189,"), history.out);
}

void RunDevicesTest::whatGoesWithThisMachineAloneIsRefused()
{
    const Outcome outcome = ctl({u"devices"_s, u"x"_s, u"--prometheus"_s});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("--prometheus"), outcome.err);
}

} // namespace tst_rundevices

RANKDECK_TEST(tst_rundevices, RunDevicesTest)
#include "tst_rundevices.moc"
