#include "launch/planning/planners.h"
#include "launch/spec/launchspec.h"
#include "ranktable/reading/ranktablereader.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <functional>

namespace tst_davincirun
{

using namespace rankdeck;

class DavincirunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyRankOfThisServerGetsItsVariables();
    void aDriverOf2010GetsPhysicalIdsOnly();
    void whatIsSetAlreadyIsKept();
    void extraVariablesWin();
    void theJobIdHasThreeSources();
    void anUnknownHostIsAnErrorThatListsTheServers();
    void aPythonScriptIsRunByPython();
    void theWorkDirectoryIsMade();
    void aV10TableIsUsedWhereItIs();
    void aTemplate2TableIsWrittenAsV10();
    void aLabTableIsWrittenAsV10();
    void aSuperPodTableIsUsedWhereItIs();
    void formsWithoutServersAreRefused_data();
    void formsWithoutServersAreRefused();
    void withoutThePlatformsHomeTheTableGoesToTheRun();
    void logsGoToTheRunWhenNoDirectoryIsNamed();
    void aJobIdCannotLeaveTheLogDirectory();
    void wrongValuesAreRefused_data();
    void wrongValuesAreRefused();
    void ranksThatAreNotOneEachAreRefused();

private:
    static RankTable table(const char *name)
    {
        const auto read = readRankTable(testData(name));
        return read ? *read : RankTable();
    }
    Result<LaunchPlan> plan(const char *name = "ranktables/template2_2servers.json") const
    {
        return planDavincirun(m_spec, table(name), QStringLiteral("/tables/t.json"), m_facts);
    }
    void set(const char *name, const char *value)
    {
        m_facts.environment.insert(QString::fromLatin1(name), QString::fromUtf8(value));
    }

    LaunchSpec m_spec;
    HostFacts m_facts;
};

void DavincirunTest::init()
{
    m_spec = {};
    m_spec.command = {QStringLiteral("python3"), QStringLiteral("train.py")};
    m_facts = {};
    m_facts.hostName = QStringLiteral("box");
    m_facts.currentDirectory = QStringLiteral("/home/user");
    m_facts.temporaryDirectory = QStringLiteral("/tmp");
    // The first server of template2_2servers.json, in the order of the pods' numbers.
    m_facts.addresses = QStringList{QStringLiteral("127.0.0.1"), QStringLiteral("192.0.2.9")};
}

void DavincirunTest::everyRankOfThisServerGetsItsVariables()
{
    const RankTable read = table("ranktables/template2_2servers.json");
    const auto second = std::find_if(read.servers.begin(), read.servers.end(), [](const Server &server) {
        return server.podName.endsWith(QLatin1String("-10"));
    });
    QVERIFY(second != read.servers.end());
    set("MA_CURRENT_INSTANCE_NAME", second->podName.toUtf8().constData());
    const auto made = plan();
    QVERIFY2(made, qPrintable(made.error().sentence()));
    QCOMPARE(made->processes.size(), std::size_t(8));
    QCOMPARE(made->worldSize(), 16);
    QCOMPARE(made->thisNode, second->serverId);
    const ProcessPlan &process = made->processes[3];
    QCOMPARE(process.rank, Rank(11));
    QCOMPARE(process.localRank, LocalRank(3));
    QCOMPARE(process.device, DeviceId(3));
    QCOMPARE(process.argv, m_spec.command);
    QCOMPARE(process.workDir, QStringLiteral("/home/user"));
    QCOMPARE(process.logFile, QStringLiteral("/home/user/log/box-proc-rank-11-device-3.txt"));
    const QMap<QString, QString> expected{
        {QStringLiteral("ASCEND_DEVICE_ID"), QStringLiteral("3")},
        {QStringLiteral("ASCEND_PROCESS_LOG_PATH"),
         QStringLiteral("/home/user/log/box/ascend/process_log/rank_11")},
        {QStringLiteral("DEVICE_ID"), QStringLiteral("3")},
        {QStringLiteral("HCCL_CONNECT_TIMEOUT"), QStringLiteral("1800")},
        {QStringLiteral("JOB_ID"), QStringLiteral("box")},
        {QStringLiteral("MA_CURRENT_HOST_IP"), second->serverId},
        {QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1")},
        {QStringLiteral("RANK_ID"), QStringLiteral("11")},
        {QStringLiteral("RANK_SIZE"), QStringLiteral("16")},
        {QStringLiteral("RANK_START"), QStringLiteral("8")},
        {QStringLiteral("RANK_TABLE_FILE"), QStringLiteral("/home/ma-user/rank_table/jobstart_hccl.json")},
    };
    QCOMPARE(process.setVariables, expected);
    QVERIFY(made->scratch);
    QCOMPARE(made->scratch->variable, QStringLiteral("MS_COMPILER_CACHE_PATH"));
    QCOMPARE(made->scratch->roots, (QStringList{QStringLiteral("/cache"), QStringLiteral("/tmp")}));
}

void DavincirunTest::aDriverOf2010GetsPhysicalIdsOnly()
{
    m_facts.driverVersion = QStringLiteral("Version=20.1.0");
    const auto read = parseRankTable(R"({"status": "completed", "version": "1.0", "server_list": [
        {"server_id": "s", "device": [{"device_id": "4", "rank_id": "0"}, {"device_id": "6", "rank_id": "1"}]}]})",
                                     QStringLiteral("t"));
    const auto made = planDavincirun(m_spec, *read, QStringLiteral("/t.json"), m_facts);
    QVERIFY(made);
    QCOMPARE(made->processes[1].setVariables.value(QStringLiteral("DEVICE_ID")), QStringLiteral("6"));
    QVERIFY(!made->processes[1].setVariables.contains(QStringLiteral("ASCEND_DEVICE_ID")));
    QVERIFY(made->processes[1].logFile.endsWith(QLatin1String("proc-rank-1-device-6.txt")));
}

void DavincirunTest::whatIsSetAlreadyIsKept()
{
    for (const char *name : {"HCCL_CONNECT_TIMEOUT", "ASCEND_PROCESS_LOG_PATH", "PYTHONUNBUFFERED"})
        set(name, "mine");
    const auto made = plan();
    QVERIFY(made);
    for (const char *name : {"HCCL_CONNECT_TIMEOUT", "ASCEND_PROCESS_LOG_PATH", "PYTHONUNBUFFERED"})
        QVERIFY(!made->processes[0].setVariables.contains(QString::fromLatin1(name)));
    QCOMPARE(made->processes[0].makeDirectories, QStringList{QStringLiteral("/home/user")});
}

void DavincirunTest::extraVariablesWin()
{
    m_spec.environment = {{QStringLiteral("HCCL_CONNECT_TIMEOUT"), QStringLiteral("60")},
                          {QStringLiteral("MINE"), QStringLiteral("x y")}};
    const auto made = plan();
    QVERIFY(made);
    QCOMPARE(made->processes[0].setVariables.value(QStringLiteral("HCCL_CONNECT_TIMEOUT")),
             QStringLiteral("60"));
    QCOMPARE(made->processes[0].setVariables.value(QStringLiteral("MINE")), QStringLiteral("x y"));
}

void DavincirunTest::theJobIdHasThreeSources()
{
    QCOMPARE(davincirunJobId(m_facts), QStringLiteral("box"));
    set("MA_VJ_NAME", "ma-job-12-ma-job");
    QCOMPARE(davincirunJobId(m_facts), QStringLiteral("modelarts-job-12-ma-job"));
    set("BATCH_JOB_ID", "batch-7");
    QCOMPARE(davincirunJobId(m_facts), QStringLiteral("batch-7"));
}

void DavincirunTest::anUnknownHostIsAnErrorThatListsTheServers()
{
    set("MA_CURRENT_HOST_IP", "203.0.113.9");
    const auto made = plan("ranktables/server_list_2servers.json");
    QVERIFY(!made);
    for (const Server &server : table("ranktables/server_list_2servers.json").servers)
        QVERIFY(made.error().what.contains(server.serverId));
    QCOMPARE(made.error().where, QStringLiteral("/tables/t.json"));
}

void DavincirunTest::aPythonScriptIsRunByPython()
{
    m_spec.command = {QStringLiteral("./train.py"), QStringLiteral("--a")};
    QCOMPARE(plan()->processes[0].argv,
             (QStringList{QStringLiteral("python3"), QStringLiteral("./train.py"), QStringLiteral("--a")}));
    m_facts.environmentPython = QStringLiteral("/venv/bin/python");
    QCOMPARE(plan()->processes[0].argv.first(), QStringLiteral("/venv/bin/python"));
    m_spec.command = {QStringLiteral("./train")};
    QCOMPARE(plan()->processes[0].argv, m_spec.command);
}

void DavincirunTest::theWorkDirectoryIsMade()
{
    m_spec.workDir = QStringLiteral("new/work");
    const QString folder = QStringLiteral("/home/user/new/work");
    LaunchPlan made = *plan();
    QCOMPARE(made.processes[0].workDir, folder);
    QVERIFY(made.processes[0].makeDirectories.contains(folder));
}

void DavincirunTest::aV10TableIsUsedWhereItIs()
{
    const auto made = plan("ranktables/server_list_1.0.json");
    QVERIFY(made);
    QCOMPARE(made->rankTableFile, QStringLiteral("/tables/t.json"));
    QVERIFY(made->files.empty());
}

void DavincirunTest::aTemplate2TableIsWrittenAsV10()
{
    set("MA_HOME", "/ma");
    const auto made = plan();
    QVERIFY(made);
    QCOMPARE(made->files.size(), std::size_t(1));
    QCOMPARE(made->files[0].path, QStringLiteral("/ma/rank_table/jobstart_hccl.json"));
    const auto written = parseRankTable(made->files[0].content, QStringLiteral("t"));
    QVERIFY(written);
    QCOMPARE(written->deviceCount(), 16);
}

void DavincirunTest::aLabTableIsWrittenAsV10()
{
    const auto made = plan("ranktables/deploy_mode_lab.json");
    QVERIFY2(made, qPrintable(made.error().sentence()));
    QCOMPARE(made->processes.size(), std::size_t(2));
    QCOMPARE(made->thisNode, QStringLiteral("192.0.2.1"));
    QCOMPARE(made->files.size(), std::size_t(1));
    const auto written = parseRankTable(made->files[0].content, QStringLiteral("t"));
    QVERIFY(written);
    QCOMPARE(written->form, RankTableForm::ServerList);
    QCOMPARE(written->servers[0].devices[1].rank, Rank(1));
}

void DavincirunTest::aSuperPodTableIsUsedWhereItIs()
{
    const auto made = plan("ranktables/super_pod_1.2.json");
    QVERIFY2(made, qPrintable(made.error().sentence()));
    QCOMPARE(made->processes.size(), std::size_t(8));
    QVERIFY(made->files.empty());
    QCOMPARE(made->rankTableFile, QStringLiteral("/tables/t.json"));
}

void DavincirunTest::formsWithoutServersAreRefused_data()
{
    QTest::addColumn<QByteArray>("file");
    for (const char *file : {"node_list_1.1.json", "rank_list_2.0.json", "server_group_list.json"})
        QTest::newRow(file) << QByteArray(file);
}

void DavincirunTest::formsWithoutServersAreRefused()
{
    QFETCH(QByteArray, file);
    const auto made = plan(("ranktables/" + file).constData());
    QVERIFY(!made);
    QVERIFY2(made.error().what.contains(QLatin1String("does not say which ranks run on which host")),
             qPrintable(made.error().sentence()));
    QCOMPARE(made.error().where, QStringLiteral("/tables/t.json"));
}

void DavincirunTest::withoutThePlatformsHomeTheTableGoesToTheRun()
{
    m_facts.platformHomeIsWritable = false;
    const auto made = plan();
    QVERIFY(made);
    QCOMPARE(made->rankTableFile, QStringLiteral("{run}/rank_table/jobstart_hccl.json"));
    QCOMPARE(made->notes.size(), 1);
    const LaunchPlan settled = withRunDirectory(*made, QStringLiteral("/runs/r"));
    QCOMPARE(settled.processes[0].setVariables.value(QStringLiteral("RANK_TABLE_FILE")),
             QStringLiteral("/runs/r/rank_table/jobstart_hccl.json"));
}

void DavincirunTest::logsGoToTheRunWhenNoDirectoryIsNamed()
{
    m_spec.logDir.clear();
    const auto made = plan();
    QVERIFY(made);
    const LaunchPlan settled = withRunDirectory(*made, QStringLiteral("/runs/r"));
    QCOMPARE(settled.processes[0].logFile, QStringLiteral("/runs/r/logs/box-proc-rank-0-device-0.txt"));
    QVERIFY(settled.processes[0].makeDirectories.first().startsWith(QLatin1String("/runs/r/logs/")));
}

void DavincirunTest::aJobIdCannotLeaveTheLogDirectory()
{
    set("BATCH_JOB_ID", "../../etc/x");
    const auto made = plan();
    QVERIFY(made);
    QCOMPARE(QFileInfo(made->processes[0].logFile).path(), QStringLiteral("/home/user/log"));
    QCOMPARE(made->processes[0].setVariables.value(QStringLiteral("JOB_ID")), QStringLiteral("../../etc/x"));
}

void DavincirunTest::wrongValuesAreRefused_data()
{
    QTest::addColumn<std::function<void(LaunchSpec &)>>("spoil");
    QTest::addColumn<QString>("where");
    const auto row = [](const char *name, std::function<void(LaunchSpec &)> spoil, const char *where) {
        QTest::newRow(name) << std::move(spoil) << QString::fromLatin1(where);
    };
    row(
        "no command", [](LaunchSpec &spec) { spec.command.clear(); }, "command");
    row(
        "an empty program", [](LaunchSpec &spec) { spec.command = {QString()}; }, "command");
    row(
        "negative grace", [](LaunchSpec &spec) { spec.graceSeconds = -1; }, "--grace");
    row(
        "endless wait", [](LaunchSpec &spec) { spec.rankTableWaitSeconds = 100000; }, "--wait");
    row(
        "a variable with =", [](LaunchSpec &spec) { spec.environment.insert(QStringLiteral("A=B"), {}); },
        "--env");
}

void DavincirunTest::wrongValuesAreRefused()
{
    QFETCH(std::function<void(LaunchSpec &)>, spoil);
    QFETCH(QString, where);
    spoil(m_spec);
    const auto made = plan();
    QVERIFY(!made);
    QCOMPARE(made.error().where, where);
}

void DavincirunTest::ranksThatAreNotOneEachAreRefused()
{
    for (const char *secondRank : {"0", "2"}) {
        const QByteArray text = QByteArray(R"({"status": "completed", "version": "1.0", "server_list": [
            {"server_id": "s", "device": [{"device_id": "0", "rank_id": "0"}, {"device_id": "1", "rank_id": ")") +
                                secondRank + R"("}]}]})";
        const auto made = planDavincirun(m_spec, *parseRankTable(text, QStringLiteral("t")),
                                         QStringLiteral("/t.json"), m_facts);
        QVERIFY(!made);
        QVERIFY(made.error().what.contains(QLatin1String("rank_id")));
    }
}

} // namespace tst_davincirun

RANKDECK_TEST(tst_davincirun, DavincirunTest)
#include "tst_davincirun.moc"
