#include "base/json.h"
#include "run/record/rundirectory.h"
#include "support/freeport.h"
#include "support/npusmistandin.h"
#include "support/remoterun.h"
#include "support/slurmcluster.h"
#include "support/testmain.h"

#include <QTcpServer>

#include <algorithm>

namespace tst_preflight
{

using namespace rankdeck;

/// `rankdeckctl preflight` as a user calls it, here, over a real sshd and in a real Slurm.
class PreflightTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aLaunchThatFindsEverythingPasses();
    void itSaysSoToPeople();
    void nothingIsStartedAndNothingIsLeft();
    void whatIsMissingFails_data();
    void whatIsMissingFails();
    void modulesAreImportedByTheLaunchsPython();
    void aBusyPortFails();
    void theNpusNetworkIsAskedFor();
    void theNpusAreSampled();
    void aModuleThatHangsIsGivenUp();
    void itIsInterrupted();
    void killedItLeavesNobody();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();
    void twoNodesTryEachOther();
    void aNodeThatIsNotReachedIsNamed();
    void nodesOfAnAllocationTryEachOther();

private:
    static QStringList words(const char *text)
    {
        return QString::fromUtf8(text).split(' '_L1, Qt::SkipEmptyParts);
    }
    QString file(const char *name, const QByteArray &text) const
    {
        const QString path = m_home->path(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile out(path);
        if (out.open(QIODevice::WriteOnly | QIODevice::Truncate))
            out.write(text);
        return path;
    }
    /// A launch of so many ranks of a script that would leave a file.
    QStringList launch(int ranks = 4) const
    {
        return {u"processes"_s,
                u"--nproc"_s,
                QString::number(ranks),
                u"--master-port"_s,
                QString::number(freePort()),
                u"--"_s,
                u"python3"_s,
                file("train.py", "open('started', 'w')\n")};
    }
    static Outcome preflight(const QStringList &arguments)
    {
        return ctl(QStringList{u"preflight"_s} + arguments);
    }
    static nlohmann::json report(const Outcome &outcome)
    {
        const auto json = parseJson(outcome.out);
        return json ? *json : nlohmann::json::object();
    }
    /// The sentences of the checks with this name, each behind its status: "fail …".
    static QStringList found(const nlohmann::json &report, const char *name)
    {
        QStringList sentences;
        for (const nlohmann::json &check : report.value("checks", nlohmann::json::array())) {
            if (check["name"] == name)
                sentences << QString::fromStdString(check["status"].get<std::string>()) + ' '_L1 +
                                 check["sentence"].get<QString>();
        }
        return sentences;
    }
    static QString failures(const nlohmann::json &report)
    {
        QStringList sentences;
        for (const nlohmann::json &check : report.value("checks", nlohmann::json::array())) {
            if (check["status"] == "fail")
                sentences << check["subject"].get<QString>() + u": "_s + check["sentence"].get<QString>();
        }
        return sentences.join('\n'_L1);
    }
    static bool has(const QStringList &sentences, const char *status, const char *word)
    {
        return std::any_of(sentences.begin(), sentences.end(), [&](const QString &sentence) {
            return sentence.startsWith(QLatin1String(status)) && sentence.contains(QLatin1String(word));
        });
    }

    std::unique_ptr<TestHome> m_home;
};

void PreflightTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("XDG_CONFIG_HOME", m_home->path("config").toLocal8Bit());
    qunsetenv("SLURM_JOB_ID");
    // Where the kernel gives no port to anybody who does not ask for it.
    qputenv("HCCL_IF_BASE_PORT", "24000");
}

void PreflightTest::cleanup()
{
    killProcessesOf(*m_home);
    m_home.reset();
}

void PreflightTest::aLaunchThatFindsEverythingPasses()
{
    const Outcome outcome = preflight(QStringList{u"--json"_s} + launch());
    const nlohmann::json json = report(outcome);
    QVERIFY2(outcome.code == 0, qPrintable(failures(json) + QString::fromUtf8(outcome.err)));
    QVERIFY(json["passed"].get<bool>());
    QCOMPARE(json["ranks"].size(), std::size_t(4));
    for (const nlohmann::json &rank : json["ranks"])
        QCOMPARE(rank["stage"].get<std::string>(), std::string("done"));
    QCOMPARE(json["pairs"].size(), std::size_t(6));
    for (const nlohmann::json &pair : json["pairs"]) {
        QVERIFY(pair["latency_us"].get<double>() > 0);
        QVERIFY(pair["there_mbs"].get<double>() > 0 && pair["back_mbs"].get<double>() > 0);
    }
    QVERIFY(has(found(json, "programs"), "pass", "train.py can be read"));
    QVERIFY(has(found(json, "hccl-ports"), "pass", "16666"));
    QVERIFY(has(found(json, "rank-table"), "skipped", "no rank table"));
    if (json["collectives"].empty())
        QSKIP("built without Gloo: there are no collectives to look at");
    for (const char *operation : {"barrier", "broadcast", "allreduce sum", "allreduce max"})
        QVERIFY2(has(found(json, operation), "pass", operation), operation);
}

void PreflightTest::itSaysSoToPeople()
{
    const Outcome outcome = preflight(launch(2));
    QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
    QVERIFY(outcome.out.contains("pass     Hosts: "));
    QVERIFY(linesOf(outcome.out).last().startsWith("None of "));
    QVERIFY(outcome.err.contains("Testing 2 ranks with each other"));
}

void PreflightTest::nothingIsStartedAndNothingIsLeft()
{
    QVERIFY(preflight(QStringList{u"--json"_s} + launch()).code == 0);
    QVERIFY(!QFile::exists(u"started"_s));
    QVERIFY(QDir(runsDirectory()).isEmpty() || !QDir(runsDirectory()).exists());
    QTRY_COMPARE(processesOf(m_home->path("state")), QList<qint64>());
}

void PreflightTest::whatIsMissingFails_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("a script") << words("processes --nproc 2 -- python3 /nowhere/train.py")
                              << QByteArray("programs") << QByteArray("/nowhere/train.py");
    QTest::newRow("a program") << words("processes --nproc 2 -- /nowhere/train") << QByteArray("programs")
                               << QByteArray("/nowhere/train");
    QTest::newRow("a value") << words("processes --nproc 2 --env HCCL_CONNECT_TIMEOUT=5 -- true")
                             << QByteArray("environment") << QByteArray("120 to 7200");
    QTest::newRow("a card") << words("processes --nproc 2 --env HCCL_SOCKET_IFNAME==none9 -- true")
                            << QByteArray("network-card") << QByteArray("none9");
}

void PreflightTest::whatIsMissingFails()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, word);
    const Outcome outcome = preflight(QStringList{u"--json"_s} + arguments);
    QCOMPARE(outcome.code, 1);
    const nlohmann::json json = report(outcome);
    QVERIFY2(has(found(json, name.constData()), "fail", word.constData()), qPrintable(failures(json)));
}

void PreflightTest::modulesAreImportedByTheLaunchsPython()
{
    file("modules/good_module.py", "answer = 42\n");
    file("modules/bad_module.py", "import no_such_module_at_all\n");
    QStringList arguments = words("--json --import good_module --import bad_module --import a;b");
    arguments += u"processes"_s;
    arguments << u"--env"_s << u"PYTHONPATH="_s + m_home->path("modules");
    const Outcome outcome = preflight(arguments + launch(1).mid(1));
    QCOMPARE(outcome.code, 1);
    const QStringList imports = found(report(outcome), "import");
    QCOMPARE(imports.size(), 3);
    QVERIFY(has(imports, "pass", "imports good_module"));
    QVERIFY(has(imports, "fail", "No module named 'no_such_module_at_all'"));
    QVERIFY(has(imports, "fail", "not the name of a Python module"));
}

void PreflightTest::aBusyPortFails()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::Any));
    QStringList arguments = launch(2);
    arguments[4] = QString::number(server.serverPort());
    const Outcome outcome = preflight(QStringList{u"--json"_s} + arguments);
    QCOMPARE(outcome.code, 1);
    const QStringList ports = found(report(outcome), "master-port");
    QVERIFY2(has(ports, "fail", "in use"), qPrintable(ports.join('\n'_L1)));
}

void PreflightTest::theNpusNetworkIsAskedFor()
{
    const QString tool =
        file("tools/hccn_tool", "#!/bin/sh\n"
                                "test -z \"$ASCEND_RT_VISIBLE_DEVICES\" || exit 1\n"
                                "case $3 in\n"
                                "-link) test $2 = 1 && echo 'link status: DOWN' || "
                                "echo 'link status: UP' ;;\n"
                                "-ip) echo \"ipaddr:192.0.2.1$2\"; echo netmask:255.255.255.0 ;;\n"
                                "-tls) echo \"dev_id:$2, tls switch[0](0:disable, 1:enable), "
                                "tls alarm time threshold[60]days\" ;;\n"
                                "-net_health) echo 'net health status: Success' ;;\n"
                                "esac\n");
    QVERIFY(QFile::setPermissions(tool, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", QFile::encodeName(m_home->path("tools")) + ':' + path);
    qputenv("ASCEND_RT_VISIBLE_DEVICES", "0,1");
    const Outcome outcome = preflight(QStringList{u"--json"_s} + launch(2));
    qunsetenv("ASCEND_RT_VISIBLE_DEVICES");
    qputenv("PATH", path);
    const nlohmann::json json = report(outcome);
    QCOMPARE(outcome.code, 1);
    QVERIFY2(has(found(json, "npu-link"), "fail", "device 1: DOWN"), qPrintable(failures(json)));
    QVERIFY(has(found(json, "npu-address"), "pass", "0-1"));
    QVERIFY(has(found(json, "npu-tls"), "pass", "off"));
    QVERIFY(has(found(json, "npu-network-health"), "pass", "0-1"));
}

void PreflightTest::theNpusAreSampled()
{
    NpuSmiStandIn npuSmi;
    npuSmi.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(0));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", QFile::encodeName(QFileInfo(npuSmi.path()).path()) + ':' + path);
    const Outcome outcome = preflight(QStringList{u"--json"_s} + launch(2));
    qputenv("PATH", path);
    const nlohmann::json json = report(outcome);
    QCOMPARE(outcome.code, 1);
    QVERIFY2(has(found(json, "npu-health"), "fail", "Alarm"), outcome.out);
    QVERIFY2(has(found(json, "npu-memory"), "warn", "device 0; 6347 MB are free"), outcome.out);
}

void PreflightTest::aModuleThatHangsIsGivenUp()
{
    file("modules/hanging_module.py", "import signal\nsignal.pause()\n");
    QStringList arguments = words("--json --limit 12 --import hanging_module processes");
    arguments << u"--env"_s << u"PYTHONPATH="_s + m_home->path("modules");
    const Outcome outcome = preflight(arguments + launch(2).mid(1));
    QCOMPARE(outcome.code, 1);
    const nlohmann::json json = report(outcome);
    QVERIFY2(has(found(json, "import"), "fail", "in time"), outcome.out);
    QVERIFY(json["seconds"].get<double>() < 40);
    QTRY_COMPARE(processesOf(m_home->path("state")), QList<qint64>());
}

void PreflightTest::itIsInterrupted()
{
    const QString begun = m_home->path("begun");
    file("modules/hanging_module.py",
         "import signal\nopen('" + begun.toUtf8() + "', 'w').close()\nsignal.pause()\n");
    QStringList arguments = words("preflight --json --import hanging_module processes");
    arguments << u"--env"_s << u"PYTHONPATH="_s + m_home->path("modules");
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"), arguments + launch(2).mid(1));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(begun), programLimitMs);
    process.terminate();
    const Outcome outcome = outcomeOf(process);
    QCOMPARE(outcome.code, 128 + SIGTERM);
    QVERIFY(has(found(report(outcome), "agent"), "skipped", "Cancelled"));
    QTRY_COMPARE(processesOf(m_home->path("state")), QList<qint64>());
}

void PreflightTest::killedItLeavesNobody()
{
    const QString begun = m_home->path("begun");
    file("modules/hanging_module.py",
         "import signal\nopen('" + begun.toUtf8() + "', 'w').close()\nsignal.pause()\n");
    QStringList arguments = words("preflight --import hanging_module processes");
    arguments << u"--env"_s << u"PYTHONPATH="_s + m_home->path("modules");
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"), arguments + launch(2).mid(1));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(begun), programLimitMs);
    process.kill();
    QVERIFY(process.waitForFinished());
    QTRY_COMPARE(processesOf(m_home->path("state")), QList<qint64>());
}

void PreflightTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("nothing") << QStringList() << QByteArray("LAUNCHER is missing");
    QTest::newRow("no launcher") << words("--limit 5") << QByteArray("LAUNCHER is missing");
    QTest::newRow("another launcher") << words("horovod train.py") << QByteArray("horovod");
    QTest::newRow("limit 0") << words("--limit 0 processes -- true") << QByteArray("--limit");
    QTest::newRow("limit too long") << words("--limit 3601 processes -- true") << QByteArray("too long");
    QTest::newRow("no such option") << words("--all processes -- true") << QByteArray("--all");
    QTest::newRow("no table") << words("davincirun --rank-table /nowhere.json -- true")
                              << QByteArray("/nowhere.json");
}

void PreflightTest::wrongUseIsOneSentence()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    verifyOneSentence(preflight(arguments), says);
}

void PreflightTest::twoNodesTryEachOther()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    RemoteRun remote;
    QVERIFY(remote.startSsh());
    const Outcome outcome = preflight(words("--json processes") + remote.nodeOptions() + launch(2).mid(1));
    const nlohmann::json json = report(outcome);
    QVERIFY2(outcome.code == 0, qPrintable(failures(json) + QString::fromUtf8(outcome.err)));
    QCOMPARE(json["ranks"].size(), std::size_t(4));
    QCOMPARE(json["ranks"][3]["node"].get<std::string>(), std::string("beta"));
    QCOMPARE(json["pairs"].size(), std::size_t(6));
    QVERIFY(has(found(json, "clock"), "pass", "clocks differ"));
    QCOMPARE(found(json, "agent").size(), 2);
    QTRY_COMPARE(remote.alive(), QList<qint64>());
}

void PreflightTest::aNodeThatIsNotReachedIsNamed()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    RemoteRun remote;
    QVERIFY(remote.startSsh());
    const Outcome outcome =
        preflight(words("--json processes") + remote.nodeOptions("alpha,nowhere") + launch(2).mid(1));
    QCOMPARE(outcome.code, 1);
    const nlohmann::json json = report(outcome);
    QVERIFY2(failures(json).contains("nowhere: "_L1), qPrintable(failures(json)));
    QVERIFY(has(found(json, "agent"), "pass", "answers"));
    QVERIFY(has(found(json, "pairs"), "skipped", "nowhere"));
    QTRY_COMPARE(remote.alive(), QList<qint64>());
}

void PreflightTest::nodesOfAnAllocationTryEachOther()
{
    if (!SlurmCluster::canRun())
        QSKIP("no Slurm on this machine, or not root");
    SlurmCluster cluster(m_home->path("slurm"));
    QVERIFY(cluster.start());
    QProcess process;
    const QString program = buildPath("bin/rankdeckctl");
    process.start(u"salloc"_s,
                  QStringList{u"--quiet"_s, u"--nodes=2"_s, program, u"preflight"_s, u"--json"_s,
                              u"processes"_s, u"--transport"_s, u"slurm"_s, u"--node-program"_s, program} +
                      launch(2).mid(1));
    const Outcome outcome = outcomeOf(process);
    const nlohmann::json json = report(outcome);
    QVERIFY2(outcome.code == 0, qPrintable(failures(json) + QString::fromUtf8(outcome.err)));
    QCOMPARE(json["ranks"].size(), std::size_t(4));
    QCOMPARE(json["ranks"][0]["node"].get<std::string>(), std::string("node1"));
}

} // namespace tst_preflight

RANKDECK_TEST(tst_preflight, PreflightTest)
#include "tst_preflight.moc"
