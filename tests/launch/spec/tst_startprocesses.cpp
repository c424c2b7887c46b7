#include "launch/spec/launchspec.h"
#include "launch/spec/startprocesses.h"
#include "support/testmain.h"

namespace tst_startprocesses
{

using namespace rankdeck;

/// The arguments of torch's start_processes as a launch.
class StartProcessesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void valuesAreWrittenAsPythonWritesThem_data();
    void valuesAreWrittenAsPythonWritesThem();
    void aProgramGetsItsArgumentsAsText();
    void aFunctionGetsItsArgumentsAsJson();
    void functionsAreToldFromPrograms_data();
    void functionsAreToldFromPrograms();
    void everyKeyHasItsMeaning_data();
    void everyKeyHasItsMeaning();
    void keysWithoutAMeaningAreNamed_data();
    void keysWithoutAMeaningAreNamed();
    void whatWouldChangeTheLaunchIsRefused_data();
    void whatWouldChangeTheLaunchIsRefused();
    void allIsKeptInARun();

private:
    static LaunchSpec read(const QByteArray &text, QStringList *notes = nullptr)
    {
        const auto spec = processesSpecFromJson(text, notes);
        if (!spec)
            qWarning("%s", qPrintable(spec.error().sentence()));
        return spec ? *spec : LaunchSpec();
    }
};

void StartProcessesTest::valuesAreWrittenAsPythonWritesThem_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *json, const char *text) {
        QTest::newRow(json) << QByteArray(json) << QString::fromUtf8(text);
    };
    // Each as Python 3.11 prints str(json.loads(…)).
    row("1", "1");
    row("-0.0", "-0.0");
    row("0.5", "0.5");
    row("100.0", "100.0");
    row("1e-4", "0.0001");
    row("0.00001", "1e-05");
    row("1e15", "1000000000000000.0");
    row("1e16", "1e+16");
    row("1.5e300", "1.5e+300");
    row("123456.789", "123456.789");
    row("true", "True");
    row("null", "None");
    row("\"a 'b'\"", "a 'b'");
    row("[1, 2, 3]", "[1, 2, 3]");
    row("[]", "[]");
    row("[true, null, \"x\", 0.1]", "[True, None, 'x', 0.1]");
    row("{\"b\": 1, \"a\": [\"c\"]}", "{'b': 1, 'a': ['c']}");
    row("[\"it's\"]", "[\"it's\"]");
    row("[\"it's \\\"x\\\"\"]", "['it\\'s \"x\"']");
    row("[\"a\\n\\t\\\\\\u0001\\u00e9\\u00a0\"]", "['a\\n\\t\\\\\\x01é\\xa0']");
}

void StartProcessesTest::valuesAreWrittenAsPythonWritesThem()
{
    QFETCH(QByteArray, json);
    QTEST(pythonText(OrderedJson::parse(json.toStdString())), "text");
}

void StartProcessesTest::aProgramGetsItsArgumentsAsText()
{
    const LaunchSpec spec = read(R"({"entrypoint": "echo", "args": {"0": [1, 2, 3], "1": [[1, 2, 3]],
        "2": [{"z": 1, "a": "b"}, null], "3": []}, "envs": {"0": {"A": 0}, "1": {}, "2": {"A": true}, "3": {}}})");
    QCOMPARE(spec.processes.nproc, 4);
    QCOMPARE(spec.processes.args.value(0).join('|'_L1), u"1|2|3"_s);
    QCOMPARE(spec.processes.args.value(1), QStringList{u"[1, 2, 3]"_s});
    QCOMPARE(spec.processes.args.value(2).join('|'_L1), u"{'z': 1, 'a': 'b'}|None"_s);
    QCOMPARE(spec.processes.envs.value(0).value(u"A"_s), u"0"_s);
    QCOMPARE(spec.processes.envs.value(2).value(u"A"_s), u"True"_s);
}

void StartProcessesTest::aFunctionGetsItsArgumentsAsJson()
{
    const LaunchSpec spec = read(
        R"({"entrypoint": "train:trainer", "args": {"0": [1, "a", null], "1": [{"b": 1, "a": 2.5}, true, []]}})");
    QCOMPARE(spec.processes.function, u"train:trainer"_s);
    QCOMPARE(spec.command, QStringList{u"python3"_s});
    QCOMPARE(spec.processes.args.value(0).join('|'_L1), u"1|\"a\"|null"_s);
    QCOMPARE(spec.processes.args.value(1).join('|'_L1), u"{\"b\":1,\"a\":2.5}|true|[]"_s);
}

void StartProcessesTest::functionsAreToldFromPrograms_data()
{
    QTest::addColumn<QString>("entrypoint");
    QTest::addColumn<bool>("isFunction");
    const auto row = [](const char *entrypoint, bool isFunction) {
        QTest::newRow(entrypoint) << QString::fromUtf8(entrypoint) << isFunction;
    };
    row("train:main", true);
    row("pkg.train:Trainer.run", true);
    row("./dir with blank/train.py:main", true);
    row("/abs/train.py:main", true);
    row("train.py", false);
    row("python3", false);
    row("./a:b", false);
    row("C:\\x", false);
    row("train:", false);
    row(":main", false);
    row("http://host", false);
    row("host:8080", false);
}

void StartProcessesTest::functionsAreToldFromPrograms()
{
    QFETCH(QString, entrypoint);
    QTEST(isPythonFunction(entrypoint), "isFunction");
}

void StartProcessesTest::everyKeyHasItsMeaning_data()
{
    QTest::addColumn<QByteArray>("keys");
    QTest::addColumn<QByteArray>("same"); ///< In the form of a LaunchSpec.
    const auto row = [](const char *keys, const char *same) {
        QTest::newRow(keys) << QByteArray(keys) << QByteArray(same);
    };
    row(R"("nprocs": 2)", R"("processes": {"nproc": 2})");
    row(R"("nproc": "auto")", R"("processes": {"nproc_of": "auto"})");
    row(R"("tees": 1)", R"("processes": {"tee": 1})");
    row(R"("nprocs": 2, "redirects": "0:1,1:2")",
        R"("processes": {"nproc": 2, "redirects": {"0": 1, "1": 2}})");
    row(R"("start_method": "spawn")", R"("processes": {})");
    row(R"("start_method": "fork", "log_dir": null, "tee": null)", R"("processes": {})");
    row(R"("log_line_prefixes": {"0": "[zero] "})",
        R"("processes": {"log_line_prefixes": {"0": "[zero] "}})");
    row(R"("logs_specs": {"log_dir": "/l", "redirects": 3, "tee": {"0": 1}, "local_ranks_filter": [0]})",
        R"("log_dir": "/l", "processes": {"redirects": 3, "tee": {"0": 1}, "local_ranks_filter": [0]})");
    row(R"("logs_specs": "default")", R"("processes": {})");
    row(R"("local_ranks_filter": "0, 2", "nprocs": 3)",
        R"("processes": {"local_ranks_filter": [0, 2], "nproc": 3})");
    row(R"("numa_options": {"affinity_mode": "node"})", R"("processes": {"numa_binding": "node"})");
    row(R"("master_port": 7, "max_restarts": 2)", R"("processes": {"master_port": 7, "max_restarts": 2})");
}

void StartProcessesTest::everyKeyHasItsMeaning()
{
    QFETCH(QByteArray, keys);
    QFETCH(QByteArray, same);
    QStringList notes;
    const LaunchSpec spec = read(R"({"entrypoint": "x", )" + keys + '}', &notes);
    QVERIFY(notes.isEmpty());
    QCOMPARE(spec, read(R"({"command": ["x"], )" + same + '}'));
}

void StartProcessesTest::keysWithoutAMeaningAreNamed_data()
{
    QTest::addColumn<QByteArray>("key");
    for (const char *key : {"monitor_interval", "comment", "duplicate_stdout_filters"})
        QTest::newRow(key) << QByteArray(key);
}

void StartProcessesTest::keysWithoutAMeaningAreNamed()
{
    QFETCH(QByteArray, key);
    QStringList notes;
    const LaunchSpec spec = read(R"({"entrypoint": "x", ")" + key + R"(": 1})", &notes);
    QCOMPARE(spec, read(R"({"command": ["x"]})"));
    QCOMPARE(notes.size(), 1);
    QVERIFY2(notes.first().contains(QString::fromLatin1(key)), qPrintable(notes.first()));
}

void StartProcessesTest::whatWouldChangeTheLaunchIsRefused_data()
{
    QTest::addColumn<QByteArray>("keys");
    QTest::addColumn<QString>("where");
    const auto row = [](const char *keys, const char *where) {
        QTest::newRow(keys) << QByteArray(keys) << QString::fromLatin1(where);
    };
    row(R"("arg": {"0": []})", "arg");
    row(R"("Env": {"0": {}})", "Env");
    row(R"("cwd": "/tmp")", "cwd");
    row(R"("redirect": 3)", "redirect");
    row(R"("log-dir": "/l")", "log-dir");
    row(R"("tee": 1, "tees": 2)", "tees");
    row(R"("log_dir": "/a", "logs_specs": {"log_dir": "/b"})", "log_dir");
    row(R"("logs_specs": "DOES_NOT_EXIST")", "logs_specs");
    row(R"("start_method": "thread")", "start_method");
    row(R"("args": {})", "args");
    row(R"("args": {"0": []}, "envs": {})", "envs");
    row(R"("local_ranks_filter": "all")", "local_ranks_filter");
    row(R"("log_line_prefixes": {"zero": "x"})", "log_line_prefixes.zero");
    row(R"("redirects": "0:1,1:9")", "redirects");
}

void StartProcessesTest::whatWouldChangeTheLaunchIsRefused()
{
    QFETCH(QByteArray, keys);
    const auto spec = processesSpecFromJson(R"({"entrypoint": "x", )" + keys + '}');
    QVERIFY(!spec);
    QTEST(spec.error().where, "where");
}

void StartProcessesTest::allIsKeptInARun()
{
    const LaunchSpec spec = read(
        R"({"entrypoint": "a.py:f", "args": {"0": [1], "1": [2]}, "log_line_prefixes": {"1": "p"},
            "log_line_prefix_template": "t", "local_ranks_filter": [1], "standalone": true,
            "virtual_local_rank": true, "numa_binding": "node", "signals_to_handle": "SIGUSR1"})");
    QVERIFY(spec.processes.standalone && spec.processes.virtualLocalRank);
    const auto again = launchSpecFromJson(toJson(spec));
    QVERIFY(again);
    QCOMPARE(*again, spec);
}

} // namespace tst_startprocesses

RANKDECK_TEST(tst_startprocesses, StartProcessesTest)
#include "tst_startprocesses.moc"
