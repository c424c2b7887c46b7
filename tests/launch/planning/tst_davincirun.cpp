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
        return planDavincirun(m_spec, table(name), u"/tables/t.json"_s, m_facts);
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
    m_spec.command = {u"python3"_s, u"train.py"_s};
    m_facts = {};
    m_facts.hostName = u"box"_s;
    m_facts.currentDirectory = u"/home/user"_s;
    m_facts.temporaryDirectory = u"/tmp"_s;
    // The first server of template2_2servers.json, in the order of the pods' numbers.
    m_facts.addresses = QStringList{u"127.0.0.1"_s, u"192.0.2.9"_s};
}

void DavincirunTest::everyRankOfThisServerGetsItsVariables()
{
    const RankTable read = table("ranktables/template2_2servers.json");
    const auto second = std::find_if(read.servers.begin(), read.servers.end(),
                                     [](const Server &server) { return server.podName.endsWith("-10"_L1); });
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
    QCOMPARE(process.workDir, u"/home/user"_s);
    QCOMPARE(process.logFile, u"/home/user/log/box-proc-rank-11-device-3.txt"_s);
    const QMap<QString, QString> expected{
        {u"ASCEND_DEVICE_ID"_s, u"3"_s},
        {u"ASCEND_PROCESS_LOG_PATH"_s, u"/home/user/log/box/ascend/process_log/rank_11"_s},
        {u"DEVICE_ID"_s, u"3"_s},
        {u"HCCL_CONNECT_TIMEOUT"_s, u"1800"_s},
        {u"JOB_ID"_s, u"box"_s},
        {u"MA_CURRENT_HOST_IP"_s, second->serverId},
        {u"PYTHONUNBUFFERED"_s, u"1"_s},
        {u"RANK_ID"_s, u"11"_s},
        {u"RANK_SIZE"_s, u"16"_s},
        {u"RANK_START"_s, u"8"_s},
        {u"RANK_TABLE_FILE"_s, u"/home/ma-user/rank_table/jobstart_hccl.json"_s},
    };
    QCOMPARE(process.setVariables, expected);
    QVERIFY(made->scratch);
    QCOMPARE(made->scratch->variable, u"MS_COMPILER_CACHE_PATH"_s);
    QCOMPARE(made->scratch->roots, (QStringList{u"/cache"_s, u"/tmp"_s}));
}

void DavincirunTest::aDriverOf2010GetsPhysicalIdsOnly()
{
    m_facts.driverVersion = u"Version=20.1.0"_s;
    const auto read = parseRankTable(R"({"status": "completed", "version": "1.0", "server_list": [
        {"server_id": "s", "device": [{"device_id": "4", "rank_id": "0"}, {"device_id": "6", "rank_id": "1"}]}]})",
                                     u"t"_s);
    const auto made = planDavincirun(m_spec, *read, u"/t.json"_s, m_facts);
    QVERIFY(made);
    QCOMPARE(made->processes[1].setVariables.value(u"DEVICE_ID"_s), u"6"_s);
    QVERIFY(!made->processes[1].setVariables.contains(u"ASCEND_DEVICE_ID"_s));
    QVERIFY(made->processes[1].logFile.endsWith("proc-rank-1-device-6.txt"_L1));
}

void DavincirunTest::whatIsSetAlreadyIsKept()
{
    for (const char *name : {"HCCL_CONNECT_TIMEOUT", "ASCEND_PROCESS_LOG_PATH", "PYTHONUNBUFFERED"})
        set(name, "mine");
    const auto made = plan();
    QVERIFY(made);
    for (const char *name : {"HCCL_CONNECT_TIMEOUT", "ASCEND_PROCESS_LOG_PATH", "PYTHONUNBUFFERED"})
        QVERIFY(!made->processes[0].setVariables.contains(QString::fromLatin1(name)));
    QCOMPARE(made->processes[0].makeDirectories, QStringList{u"/home/user"_s});
}

void DavincirunTest::extraVariablesWin()
{
    m_spec.environment = {{u"HCCL_CONNECT_TIMEOUT"_s, u"60"_s}, {u"MINE"_s, u"x y"_s}};
    const auto made = plan();
    QVERIFY(made);
    QCOMPARE(made->processes[0].setVariables.value(u"HCCL_CONNECT_TIMEOUT"_s), u"60"_s);
    QCOMPARE(made->processes[0].setVariables.value(u"MINE"_s), u"x y"_s);
}

void DavincirunTest::theJobIdHasThreeSources()
{
    QCOMPARE(davincirunJobId(m_facts), u"box"_s);
    set("MA_VJ_NAME", "ma-job-12-ma-job");
    QCOMPARE(davincirunJobId(m_facts), u"modelarts-job-12-ma-job"_s);
    set("BATCH_JOB_ID", "batch-7");
    QCOMPARE(davincirunJobId(m_facts), u"batch-7"_s);
}

void DavincirunTest::anUnknownHostIsAnErrorThatListsTheServers()
{
    set("MA_CURRENT_HOST_IP", "203.0.113.9");
    const auto made = plan("ranktables/server_list_2servers.json");
    QVERIFY(!made);
    for (const Server &server : table("ranktables/server_list_2servers.json").servers)
        QVERIFY(made.error().what.contains(server.serverId));
    QCOMPARE(made.error().where, u"/tables/t.json"_s);
}

void DavincirunTest::aPythonScriptIsRunByPython()
{
    m_spec.command = {u"./train.py"_s, u"--a"_s};
    QCOMPARE(plan()->processes[0].argv, (QStringList{u"python3"_s, u"./train.py"_s, u"--a"_s}));
    m_facts.environmentPython = u"/venv/bin/python"_s;
    QCOMPARE(plan()->processes[0].argv.first(), u"/venv/bin/python"_s);
    m_spec.command = {u"./train"_s};
    QCOMPARE(plan()->processes[0].argv, m_spec.command);
}

void DavincirunTest::theWorkDirectoryIsMade()
{
    m_spec.workDir = u"new/work"_s;
    const QString folder = u"/home/user/new/work"_s;
    LaunchPlan made = *plan();
    QCOMPARE(made.processes[0].workDir, folder);
    QVERIFY(made.processes[0].makeDirectories.contains(folder));
}

void DavincirunTest::aV10TableIsUsedWhereItIs()
{
    const auto made = plan("ranktables/server_list_1.0.json");
    QVERIFY(made);
    QCOMPARE(made->rankTableFile, u"/tables/t.json"_s);
    QVERIFY(made->files.empty());
}

void DavincirunTest::aTemplate2TableIsWrittenAsV10()
{
    set("MA_HOME", "/ma");
    const auto made = plan();
    QVERIFY(made);
    QCOMPARE(made->files.size(), std::size_t(1));
    QCOMPARE(made->files[0].path, u"/ma/rank_table/jobstart_hccl.json"_s);
    const auto written = parseRankTable(made->files[0].content, u"t"_s);
    QVERIFY(written);
    QCOMPARE(written->deviceCount(), 16);
}

void DavincirunTest::aLabTableIsWrittenAsV10()
{
    const auto made = plan("ranktables/deploy_mode_lab.json");
    QVERIFY2(made, qPrintable(made.error().sentence()));
    QCOMPARE(made->processes.size(), std::size_t(2));
    QCOMPARE(made->thisNode, u"192.0.2.1"_s);
    QCOMPARE(made->files.size(), std::size_t(1));
    const auto written = parseRankTable(made->files[0].content, u"t"_s);
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
    QCOMPARE(made->rankTableFile, u"/tables/t.json"_s);
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
    QVERIFY2(made.error().what.contains("does not say which ranks run on which host"_L1),
             qPrintable(made.error().sentence()));
    QCOMPARE(made.error().where, u"/tables/t.json"_s);
}

void DavincirunTest::withoutThePlatformsHomeTheTableGoesToTheRun()
{
    m_facts.platformHomeIsWritable = false;
    const auto made = plan();
    QVERIFY(made);
    QCOMPARE(made->rankTableFile, u"{run}/rank_table/jobstart_hccl.json"_s);
    QCOMPARE(made->notes.size(), 1);
    const LaunchPlan settled = withRunDirectory(*made, u"/runs/r"_s);
    QCOMPARE(settled.processes[0].setVariables.value(u"RANK_TABLE_FILE"_s),
             u"/runs/r/rank_table/jobstart_hccl.json"_s);
}

void DavincirunTest::logsGoToTheRunWhenNoDirectoryIsNamed()
{
    m_spec.logDir.clear();
    const auto made = plan();
    QVERIFY(made);
    const LaunchPlan settled = withRunDirectory(*made, u"/runs/r"_s);
    QCOMPARE(settled.processes[0].logFile, u"/runs/r/logs/box-proc-rank-0-device-0.txt"_s);
    QVERIFY(settled.processes[0].makeDirectories.first().startsWith("/runs/r/logs/"_L1));
}

void DavincirunTest::aJobIdCannotLeaveTheLogDirectory()
{
    set("BATCH_JOB_ID", "../../etc/x");
    const auto made = plan();
    QVERIFY(made);
    QCOMPARE(QFileInfo(made->processes[0].logFile).path(), u"/home/user/log"_s);
    QCOMPARE(made->processes[0].setVariables.value(u"JOB_ID"_s), u"../../etc/x"_s);
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
        "a variable with =", [](LaunchSpec &spec) { spec.environment.insert(u"A=B"_s, {}); }, "--env");
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
        const auto made = planDavincirun(m_spec, *parseRankTable(text, u"t"_s), u"/t.json"_s, m_facts);
        QVERIFY(!made);
        QVERIFY(made.error().what.contains("rank_id"_L1));
    }
}

} // namespace tst_davincirun

RANKDECK_TEST(tst_davincirun, DavincirunTest)
#include "tst_davincirun.moc"
