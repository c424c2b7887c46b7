#include "launch/options/launchers.h"
#include "launch/spec/launchspec.h"
#include "support/testmain.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace tst_processescommandline
{

using namespace rankdeck;

class ProcessesCommandLineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theDefaultsAreTorchs();
    void everyOptionIsReadAndWrittenBack();
    void torchrunsSpellingsAreRead();
    void theCommandKeepsItsOwnOptions();
    void streamsAreChosenAsInTorch_data();
    void streamsAreChosenAsInTorch();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();
    void aSpecFileHasTheLaunchersDefaults();
    void aSpecFileSaysHowManyRanksThereAre();
    void aSpecFileChoosesStreamsForAllOrByRank();
    void aSpecFileRoundTrips();
    void aWrongSpecFileNamesTheKey_data();
    void aWrongSpecFileNamesTheKey();

private:
    static LaunchSpec parsed(const QString &line)
    {
        const auto spec = launcherCommandLine(u"processes"_s)->parse(line.split(' '_L1, Qt::SkipEmptyParts));
        if (!spec)
            qWarning("%s", qPrintable(spec.error().sentence()));
        return spec ? *spec : LaunchSpec();
    }
};

void ProcessesCommandLineTest::theDefaultsAreTorchs()
{
    const LaunchSpec spec = parsed(u"-- python3 train.py"_s);
    QCOMPARE(spec.launcher, u"processes"_s);
    QCOMPARE(spec.graceSeconds, 30);
    QVERIFY(spec.logDir.isEmpty());
    QCOMPARE(spec.processes, ProcessesOptions());
    QCOMPARE(spec.processes.masterPort, 29500);
    QCOMPARE(spec.processes.redirectOf(0), Streams::All);
    QCOMPARE(spec.processes.teeOf(0), Streams::All);
    QCOMPARE(launcherCommandLine(u"processes"_s)->arguments(spec),
             (QStringList{u"python3"_s, u"train.py"_s}));
}

void ProcessesCommandLineTest::everyOptionIsReadAndWrittenBack()
{
    const LaunchSpec spec =
        parsed(u"--nproc 4 --nnodes 3 --node-rank 2 --master-addr box --master-port 1234 --role trainer "
               "--redirects 3 --tee 0:1,3:ERR --log-dir /l --work-dir /w --max-restarts 2 --grace 7 --name n "
               "--env A=b=c --env D= --no-raise --local-ranks-filter 0,3 --log-line-prefix-template [$rank] "
               "--virtual-local-rank --numa-binding node --signals-to-handle SIGUSR1 --start-method spawn "
               "--function a:b -- x --nproc 9"_s);
    const ProcessesOptions &own = spec.processes;
    QCOMPARE(own.nproc, 4);
    QCOMPARE(own.nnodes, 3);
    QCOMPARE(own.nodeRank, 2);
    QCOMPARE(own.masterAddr, u"box"_s);
    QCOMPARE(own.masterPort, 1234);
    QCOMPARE(own.role, u"trainer"_s);
    QCOMPARE(own.maxRestarts, 2);
    QCOMPARE(own.localRanksFilter, (QList<int>{0, 3}));
    QCOMPARE(own.linePrefixTemplate, u"[$rank]"_s);
    QVERIFY(own.virtualLocalRank);
    QCOMPARE(own.numaBinding, u"node"_s);
    QCOMPARE(own.signalsToHandle, u"SIGUSR1"_s);
    QCOMPARE(own.function, u"a:b"_s);
    QCOMPARE(spec.logDir, u"/l"_s);
    QCOMPARE(spec.workDir, u"/w"_s);
    QCOMPARE(spec.graceSeconds, 7);
    QCOMPARE(spec.name, u"n"_s);
    QVERIFY(!spec.raiseOnFailure);
    QCOMPARE(spec.environment.value(u"A"_s), u"b=c"_s);
    QCOMPARE(spec.environment.value(u"D"_s, u"?"_s), QString());
    const auto again =
        launcherCommandLine(u"processes"_s)->parse(launcherCommandLine(u"processes"_s)->arguments(spec));
    QVERIFY(again);
    QCOMPARE(*again, spec);
}

void ProcessesCommandLineTest::torchrunsSpellingsAreRead()
{
    const LaunchSpec spec =
        parsed(u"--nproc_per_node=2 --node_rank 0 --master_port=1 -r 1 -t 2 --max_restarts 0 python3 a.py"_s);
    QCOMPARE(spec.processes.nproc, 2);
    QCOMPARE(spec.processes.masterPort, 1);
    QCOMPARE(spec.processes.redirectOf(1), Streams::All);
    QCOMPARE(spec.processes.teeOf(1), Streams::Error);
}

void ProcessesCommandLineTest::theCommandKeepsItsOwnOptions()
{
    const LaunchSpec spec = parsed(u"--nproc 2 train.py --nproc 3 -- --tee"_s);
    QCOMPARE(spec.processes.nproc, 2);
    QCOMPARE(spec.command.join(' '_L1), u"train.py --nproc 3 -- --tee"_s);
}

void ProcessesCommandLineTest::streamsAreChosenAsInTorch_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("redirects"); ///< Of local ranks 0 and 1.
    QTest::addColumn<QString>("tee");
    const auto row = [](const char *options, const char *redirects, const char *tee) {
        QTest::newRow(options) << QString::fromLatin1(options) << QString::fromLatin1(redirects)
                               << QString::fromLatin1(tee);
    };
    row("", "ALL ALL", "ALL ALL");
    row("--redirects 3 --tee 0", "ALL ALL", "NONE NONE");
    row("--redirects 3", "ALL ALL", "NONE NONE");
    row("--redirects OUT", "OUT OUT", "NONE NONE");
    row("--redirects 0", "NONE NONE", "NONE NONE");
    row("--redirects 1:2", "NONE ERR", "NONE NONE");
    row("--tee 1", "OUT OUT", "OUT OUT");
    row("--tee 0:ALL,1:1", "ALL OUT", "ALL OUT");
    row("--redirects 1 --tee 2", "ALL ALL", "ERR ERR");
    row("--redirects 0:1 --redirects 2", "ERR ERR", "NONE NONE");
}

void ProcessesCommandLineTest::streamsAreChosenAsInTorch()
{
    QFETCH(QString, options);
    QFETCH(QString, redirects);
    QFETCH(QString, tee);
    const LaunchSpec spec = parsed(u"--nproc 2 %1 -- x"_s.arg(options));
    const ProcessesOptions &own = spec.processes;
    QCOMPARE(streamsWord(own.redirectOf(0)) + ' '_L1 + streamsWord(own.redirectOf(1)), redirects);
    QCOMPARE(streamsWord(own.teeOf(0)) + ' '_L1 + streamsWord(own.teeOf(1)), tee);
    const auto again =
        launcherCommandLine(u"processes"_s)->parse(launcherCommandLine(u"processes"_s)->arguments(spec));
    QVERIFY(again);
    QCOMPARE(again->processes.redirectOf(1), own.redirectOf(1));
    QCOMPARE(again->processes.teeOf(0), own.teeOf(0));
}

void ProcessesCommandLineTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("where");
    const auto row = [](const char *line, const char *where) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(where);
    };
    row("--nprocs 2 -- x", "--nprocs");
    row("--standalone=1 -- x", "--standalone");
    row("--nproc tpu -- x", "--nproc");
    row("--start-method thread -- x", "--start-method");
    row("--local-ranks-filter 0,x -- x", "--local-ranks-filter");
    row("--nnodes 1:4 -- x", "--nnodes");
    row("--nproc", "--nproc");
    row("--redirects 4 -- x", "--redirects");
    row("--redirects out -- x", "--redirects");
    row("--tee 0:1, -- x", "--tee");
    row("--tee 0:1,0:2 -- x", "--tee");
    row("--tee -1:1 -- x", "--tee");
    row("--env =x -- x", "--env");
    row("--no-raise=1 -- x", "--no-raise");
}

void ProcessesCommandLineTest::wrongUseIsOneSentence()
{
    QFETCH(QString, line);
    QFETCH(QString, where);
    const auto spec = launcherCommandLine(u"processes"_s)->parse(line.split(' '_L1));
    QVERIFY(!spec);
    QCOMPARE(spec.error().where, where);
    QVERIFY(!spec.error().what.isEmpty());
}

void ProcessesCommandLineTest::aSpecFileHasTheLaunchersDefaults()
{
    const auto spec = processesSpecFromJson(R"({"command": ["true"]})");
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    LaunchSpec expected = processesDefaults();
    expected.command = QStringList{u"true"_s};
    QCOMPARE(*spec, expected);
}

void ProcessesCommandLineTest::aSpecFileSaysHowManyRanksThereAre()
{
    const auto byArgs = processesSpecFromJson(
        R"({"command": ["x"], "processes": {"args": {"0": ["a"], "1": [], "2": ["b", "c"]}}})");
    QVERIFY(byArgs);
    QCOMPARE(byArgs->processes.nproc, 3);
    const auto byEnvs =
        processesSpecFromJson(R"({"command": ["x"], "processes": {"envs": {"0": {"A": "1"}, "1": {}}}})");
    QVERIFY(byEnvs);
    QCOMPARE(byEnvs->processes.nproc, 2);
    QCOMPARE(byEnvs->processes.envs.value(0).value(u"A"_s), u"1"_s);
}

void ProcessesCommandLineTest::aSpecFileChoosesStreamsForAllOrByRank()
{
    const auto one =
        processesSpecFromJson(R"({"command": ["x"], "processes": {"redirects": "OUT", "tee": 2}})");
    QVERIFY2(one, qPrintable(one.error().sentence()));
    QCOMPARE(one->processes.redirectOf(5), Streams::All);
    QCOMPARE(one->processes.teeOf(5), Streams::Error);
    const auto map =
        processesSpecFromJson(R"({"command": ["x"], "processes": {"nproc": 2, "redirects": {"1": "3"}}})");
    QVERIFY(map);
    QCOMPARE(map->processes.redirectOf(0), Streams::None);
    QCOMPARE(map->processes.redirectOf(1), Streams::All);
}

void ProcessesCommandLineTest::aSpecFileRoundTrips()
{
    const LaunchSpec spec = parsed(u"--nproc 2 --tee 1:3 --redirects 1 -- x"_s);
    const auto again = processesSpecFromJson(QByteArray::fromStdString(toJson(spec).dump()));
    QVERIFY(again);
    QCOMPARE(*again, spec);
}

void ProcessesCommandLineTest::aWrongSpecFileNamesTheKey_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("where");
    const auto row = [](const char *name, const char *text, const char *where) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(where);
    };
    row("no JSON", "{", "");
    row("no object", "[]", "");
    row("another launcher", R"({"launcher": "msrun"})", "launcher");
    row("unknown key", R"({"processes": {"nprocs": 2}})", "processes.nprocs");
    row("a streams word in lower case", R"({"processes": {"redirects": "out"}})", "processes.redirects");
    row("streams out of range", R"({"processes": {"tee": {"0": 4}}})", "processes.tee");
    row("a local rank that is no number", R"({"processes": {"args": {"zero": []}}})", "processes.args.zero");
    row("a local rank spelt twice", R"({"processes": {"args": {"0": [], "00": []}}})", "processes.args.00");
    row("processes that are no object", R"({"processes": 3})", "processes");
}

void ProcessesCommandLineTest::aWrongSpecFileNamesTheKey()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, where);
    const auto spec = processesSpecFromJson(text);
    QVERIFY(!spec);
    QCOMPARE(spec.error().where, where);
}

} // namespace tst_processescommandline

RANKDECK_TEST(tst_processescommandline, ProcessesCommandLineTest)
#include "tst_processescommandline.moc"
