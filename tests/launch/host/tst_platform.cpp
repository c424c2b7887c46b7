#include "launch/host/platform.h"
#include "launch/nodes/planlaunch.h"
#include "ranktable/reading/ranktablereader.h"
#include "support/goldenplan.h"
#include "support/testmain.h"

namespace tst_platform
{

using namespace rankdeck;

/// What the platform's variables make of a davincirun launch.
class PlatformTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void thePlanIsTheGoldenOne_data();
    void thePlanIsTheGoldenOne();
    void versionsAreComparedAsNumbers_data();
    void versionsAreComparedAsNumbers();
    void whatIsSetAlreadyIsKeptAndTold();
    void aModeThatIsNoneIsTold();
    void channelsBecomeTheFirstForm_data();
    void channelsBecomeTheFirstForm();
    void anEmptyChannelStays();
    void hooksSeeTheChannelsAsTheyAre();
    void ideModeNeedsAnArchive_data();
    void ideModeNeedsAnArchive();
    void malformedVariablesAreRefused_data();
    void malformedVariablesAreRefused();
    void hooksAreTheDriversAndThenTheUsers();
    void hooksAreNotTakenForRanks();
    void anEmptyHookIsRefused();

private:
    Result<LaunchPlan> plan() const
    {
        const auto table = parseRankTable(R"({"status": "completed", "version": "1.0", "server_list": [
            {"server_id": "192.0.2.1", "device": [
                {"device_id": "0", "device_ip": "198.51.100.1", "rank_id": "0"},
                {"device_id": "1", "device_ip": "198.51.100.2", "rank_id": "1"}]}]})",
                                          u"t"_s);
        return planLaunch(m_spec, *table, u"/tables/t.json"_s, m_facts);
    }
    void set(const QString &name, const QString &value) { m_facts.environment.insert(name, value); }
    void set(const char *name, const char *value)
    {
        set(QString::fromLatin1(name), QString::fromUtf8(value));
    }
    static QString variable(const ProcessPlan &process, const char *name)
    {
        return process.setVariables.value(QLatin1String(name), u"(not set)"_s);
    }

    LaunchSpec m_spec;
    HostFacts m_facts;
};

void PlatformTest::init()
{
    m_spec = {};
    m_spec.command = {u"python3"_s, u"train.py"_s};
    m_facts = {};
    m_facts.hostName = u"box"_s;
    m_facts.currentDirectory = u"/home/user"_s;
    m_facts.temporaryDirectory = u"/tmp"_s;
}

/// The variables, "NAME=value" with blanks between them, in which the launch is made.
void PlatformTest::thePlanIsTheGoldenOne_data()
{
    QTest::addColumn<QString>("environment");
    const auto row = [](const char *name, const char *environment) {
        QTest::newRow(name) << QString::fromLatin1(environment);
    };
    row("davincirun_one_node", "");
    row("davincirun_faults", "MA_DIAG_MODE_ENV=faults");
    row("davincirun_faults_mindspore",
        "MA_DIAG_MODE_ENV=faults MA_ENGINE_VERSION=mindspore_1.10.0-cann_5.1 MA_RUN_MODE_ENV=normal");
    row("davincirun_accuracy", "MA_DIAG_MODE_ENV=accuracy MA_RUN_MODE_ENV=performance");
    row("davincirun_profile", "MA_DIAG_MODE_ENV=profile");
    row("davincirun_performance", "MA_RUN_MODE_ENV=performance");
    row("davincirun_normal", "MA_RUN_MODE_ENV=normal GLOG_v=0");
    row("davincirun_ide_mode",
        R"(MA_ALGORITHM_OPERATOR={"obs":{"obs_url":"s3://b/op.run"},"ide_mode":true})");
    row("davincirun_channels",
        R"(MA_INPUTS={"inputs":[{"name":"data_url","local_dir":"/in","remote":{"obs":{"obs_url":"s3://b/d/"}}}]} )"
        R"(MA_OUTPUTS={"outputs":[]})");
    row("davincirun_hooks", "SLOGD=/driver/slogd STOP=/driver/stop.sh");
}

void PlatformTest::thePlanIsTheGoldenOne()
{
    QFETCH(QString, environment);
    for (const QString &assignment : environment.split(' '_L1, Qt::SkipEmptyParts))
        set(assignment.section('='_L1, 0, 0), assignment.section('='_L1, 1));
    m_facts.slogdPath = m_facts.environment.value(u"SLOGD"_s);
    m_facts.stopScriptPath = m_facts.environment.value(u"STOP"_s);
    if (!m_facts.slogdPath.isEmpty()) {
        m_spec.common.before = {{u"./fetch"_s, u"a b"_s}};
        m_spec.common.after = {{u"store"_s}, {u"tidy"_s, u"-x"_s}};
    }
    const auto made = plan();
    QVERIFY2(made, qPrintable(made.error().sentence()));
    compareWithGolden(*made, QString::fromUtf8(QTest::currentDataTag()));
}

void PlatformTest::versionsAreComparedAsNumbers_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<bool>("expected");
    QTest::newRow("1.4") << "mindspore_1.4-cann_5.0" << true;
    QTest::newRow("1.10 is later than 1.4") << "mindspore_1.10.1-cann_5.0-py_3.7" << true;
    QTest::newRow("2.0") << "mindspore_2.0" << true;
    QTest::newRow("1.3") << "mindspore_1.3.9-cann_5.0" << false;
    QTest::newRow("another framework") << "tensorflow_1.15-cann_5.0" << false;
    QTest::newRow("no version") << "mindspore" << false;
    QTest::newRow("nothing") << "" << false;
}

void PlatformTest::versionsAreComparedAsNumbers()
{
    QFETCH(QString, version);
    QFETCH(bool, expected);
    QCOMPARE(isMindsporeWithRecorder(version), expected);
}

void PlatformTest::whatIsSetAlreadyIsKeptAndTold()
{
    set("MA_RUN_MODE_ENV", "performance");
    set("HCCL_CONNECT_TIMEOUT", "600");
    set("GLOG_v", "");
    set(u"ASCEND_PROCESS_LOG_PATH"_s, QString(100, 'x'_L1));
    set("GLOG_log_dir", "/theirs");
    m_spec.environment = {{u"GLOG_log_dir"_s, u"/mine"_s}};
    const auto made = plan();
    QVERIFY(made);
    for (const char *name : {"HCCL_CONNECT_TIMEOUT", "GLOG_v", "ASCEND_PROCESS_LOG_PATH"})
        QCOMPARE(variable(made->processes[0], name), u"(not set)"_s);
    QCOMPARE(variable(made->processes[0], "GLOG_log_dir"), u"/mine"_s);
    QCOMPARE(
        textsOf(made->notes),
        QStringList{
            u"Already set, and kept: ASCEND_PROCESS_LOG_PATH=%1…, GLOG_v=, HCCL_CONNECT_TIMEOUT=600."_s.arg(
                QString(40, 'x'_L1))});
    // What --unset-env takes away was not set.
    m_spec.common.unsetVariables = QStringList{u"HCCL_CONNECT_TIMEOUT"_s};
    QVERIFY(!textsOf(plan()->notes).first().contains("HCCL_CONNECT_TIMEOUT"_L1));
}

void PlatformTest::aModeThatIsNoneIsTold()
{
    set("MA_DIAG_MODE_ENV", "fault");
    set("MA_RUN_MODE_ENV", "normal");
    const auto made = plan();
    QVERIFY(made);
    QCOMPARE(made->notes.size(), 1);
    QVERIFY2(textsOf(made->notes)[0].contains("MA_DIAG_MODE_ENV is \"fault\""_L1),
             qPrintable(textsOf(made->notes)[0]));
    QCOMPARE(variable(made->processes[0], "GLOG_v"), u"1"_s);
}

void PlatformTest::channelsBecomeTheFirstForm_data()
{
    QTest::addColumn<QString>("second");
    QTest::addColumn<QString>("first"); ///< Empty: the variable is removed.
    QTest::newRow("obs") << R"({"inputs": [{"name": "other", "local_dir": "/o"},
               {"name": "data_url", "local_dir": "/in", "remote": {"obs": {"obs_url": "s3://b/d/"}}}]})"
                         << R"({"inputs": [{"parameter": {"label": "data_url", "value": "/in"},
               "data_source": {"obs": {"obs_url": "/b/d/"}}}]})";
    QTest::newRow("datasets come first")
        << R"({"inputs": [{"name": "data_url", "local_dir": "/in",
               "remote": {"obs": {"obs_url": "/x"}, "datasets": {"obs_url": "/y"}}}]})"
        << R"({"inputs": [{"parameter": {"label": "data_url", "value": "/in"},
               "data_source": {"datasets": {"obs_url": "/y"}}}]})";
    QTest::newRow("another source")
        << R"({"inputs": [{"name": "data_url", "local_dir": "/in", "remote": {"sfs": {}}}]})"
        << R"({"inputs": [{"parameter": {"label": "data_url", "value": "/in"},
               "data_source": {"": {"obs_url": ""}}}]})";
    QTest::newRow("no such channel") << R"({"inputs": [{"name": "other"}]})" << QString();
    QTest::newRow("only outputs") << R"({"outputs": [{"name": "train_url"}]})" << QString();
}

void PlatformTest::channelsBecomeTheFirstForm()
{
    QFETCH(QString, second);
    QFETCH(QString, first);
    const QString name = u"MA_INPUTS"_s;
    set(name, second);
    const auto channels = platformChannels(m_facts.environment);
    QVERIFY2(channels, qPrintable(channels.error().sentence()));
    QCOMPARE(channels->remove, first.isEmpty() ? QStringList{name} : QStringList());
    QCOMPARE(channels->set.contains(name), !first.isEmpty());
    if (!first.isEmpty())
        QVERIFY(parseJson(channels->set.value(name).toUtf8()) == parseJson(first.toUtf8()));
}

void PlatformTest::anEmptyChannelStays()
{
    set("MA_INPUTS", "");
    const auto channels = platformChannels(m_facts.environment);
    QVERIFY(channels);
    QVERIFY(channels->set.isEmpty() && channels->remove.isEmpty());
}

void PlatformTest::hooksSeeTheChannelsAsTheyAre()
{
    set("MA_INPUTS", R"({"inputs": []})");
    m_spec.common.before = {{u"fetch"_s}};
    const auto made = plan();
    QVERIFY(made);
    QVERIFY(made->processes[0].removeVariables.contains(u"MA_INPUTS"_s));
    QVERIFY(made->before[0].removeVariables.isEmpty());
}

void PlatformTest::ideModeNeedsAnArchive_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("hasArchive");
    QTest::addColumn<bool>("isIdeMode");
    QTest::newRow("both") << R"({"obs": {"obs_url": "/x"}, "ide_mode": true})" << true << true;
    QTest::newRow("as text") << R"({"obs": {"obs_url": "/x"}, "ide_mode": "1"})" << true << true;
    QTest::newRow("false") << R"({"obs": {"obs_url": "/x"}, "ide_mode": false})" << true << false;
    QTest::newRow("not said") << R"({"obs": {"obs_url": "/x"}})" << true << false;
    QTest::newRow("no archive") << R"({"obs": {}, "ide_mode": true})" << false << false;
    QTest::newRow("empty") << "" << false << false;
}

void PlatformTest::ideModeNeedsAnArchive()
{
    QFETCH(QString, value);
    set(u"MA_ALGORITHM_OPERATOR"_s, value);
    const auto found = platformOperator(m_facts.environment);
    QVERIFY(found);
    QTEST(found->hasArchive, "hasArchive");
    QTEST(found->isIdeMode, "isIdeMode");
}

void PlatformTest::malformedVariablesAreRefused_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    const auto row = [](const char *tag, const char *name, const char *value) {
        QTest::newRow(tag) << QString::fromLatin1(name) << QString::fromLatin1(value);
    };
    row("operator, not JSON", "MA_ALGORITHM_OPERATOR", "{obs");
    row("operator, no object", "MA_ALGORITHM_OPERATOR", "[]");
    row("inputs, not JSON", "MA_INPUTS", "{");
    row("inputs, no object", "MA_INPUTS", "7");
    row("inputs, no directory", "MA_INPUTS", R"({"inputs": [{"name": "data_url", "remote": {}}]})");
    row("inputs, no remote", "MA_INPUTS", R"({"inputs": [{"name": "data_url", "local_dir": "/in"}]})");
    row("outputs, no address", "MA_OUTPUTS",
        R"({"outputs": [{"name": "train_url", "local_dir": "/o", "remote": {"obs": {}}}]})");
    row("outputs, a number for an address", "MA_OUTPUTS",
        R"({"outputs": [{"name": "train_url", "local_dir": "/o", "remote": {"obs": {"obs_url": 1}}}]})");
}

void PlatformTest::malformedVariablesAreRefused()
{
    QFETCH(QString, name);
    QFETCH(QString, value);
    set(name, value);
    const auto made = plan();
    QVERIFY(!made);
    QCOMPARE(made.error().where, name);
    QVERIFY(made.error().mend.contains("--unset-env "_L1 + name));
    m_spec.common.unsetVariables = QStringList{name};
    QVERIFY(plan());
}

void PlatformTest::hooksAreTheDriversAndThenTheUsers()
{
    m_facts.slogdPath = u"/driver/slogd"_s;
    m_facts.stopScriptPath = u"/driver/stop.sh"_s;
    m_spec.common.before = {{u"mine"_s}};
    m_spec.common.after = {{u"mine"_s}};
    const auto made = plan();
    QVERIFY(made);
    QCOMPARE(made->before.size(), std::size_t(2));
    QCOMPARE(made->before[0].argv, QStringList{m_facts.slogdPath});
    QVERIFY(made->before[0].mayFail && !made->before[1].mayFail);
    QCOMPARE(made->after[0].argv, QStringList{m_facts.stopScriptPath});
    // davincirun's alone.
    m_spec.launcher = u"processes"_s;
    m_spec.processes.nproc = 1;
    const auto other = plan();
    QVERIFY2(other, qPrintable(other.error().sentence()));
    QCOMPARE(other->before.size(), std::size_t(1));
    const LaunchPlan settled = withRunDirectory(*other, u"/runs/r"_s);
    QCOMPARE(settled.before[0].logFile, u"/runs/r/logs/before.log"_s);
    QCOMPARE(settled.after[0].makeDirectories, QStringList{u"/runs/r/logs"_s});
}

void PlatformTest::hooksAreNotTakenForRanks()
{
    m_spec.launcher = u"processes"_s;
    m_spec.processes.nproc = 1;
    m_spec.environment = {{u"MINE"_s, u"1"_s}};
    m_spec.common.before = {{u"mine"_s}};
    const auto made = plan();
    QVERIFY(made);
    for (const char *name : {"RANK", "LOCAL_RANK", "TORCHELASTIC_ERROR_FILE"}) {
        QVERIFY(variable(made->processes[0], name) != "(not set)"_L1);
        QCOMPARE(variable(made->before[0], name), u"(not set)"_s);
    }
    QCOMPARE(variable(made->before[0], "MINE"), u"1"_s);
    QCOMPARE(variable(made->before[0], "RANKDECK_HOOK"), u"before"_s);
}

void PlatformTest::anEmptyHookIsRefused()
{
    m_spec.common.after = {{u"fine"_s}, {}};
    const auto made = plan();
    QVERIFY(!made);
    QCOMPARE(made.error().where, u"--after"_s);
}

} // namespace tst_platform

RANKDECK_TEST(tst_platform, PlatformTest)
#include "tst_platform.moc"
