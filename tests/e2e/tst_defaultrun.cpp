#include "base/json.h"
#include "run/record/runphase.h"
#include "support/launchedrun.h"
#include "support/testmain.h"

namespace tst_defaultrun
{

using namespace rankdeck;

/// Commands that are given no run take the newest live one, else the newest.
class DefaultRunTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init() { makeHome(); }
    void cleanup();
    void aLiveRunIsMeantThoughAnotherIsNewer();
    void stopAndSignalDoNotChooseAmongSeveral();
    void torchrunsCommandLineIsLaunched();
    void torchrunsLogDirectoryMayBeUsedAgain();

private:
    static QStringList words(const char *line) { return QString::fromLatin1(line).split(' '_L1); }
    static QStringList sleeping() { return words("sh -c"); }

    QStringList m_others;
};

void DefaultRunTest::cleanup()
{
    for (const QString &other : std::as_const(m_others))
        ctl({u"stop"_s, other, u"--kill"_s});
    m_others.clear();
    endRun();
}

void DefaultRunTest::aLiveRunIsMeantThoughAnotherIsNewer()
{
    launch({u"--name"_s, u"a-live"_s},
           sleeping() << u"echo here; trap 'exit 0' USR1; while :; do sleep 0.1; done"_s);
    const Outcome ended = ctl(words("processes --quiet --name b-ended --master-port")
                              << QString::number(freePort()) << words("-- echo over"));
    QCOMPARE(ended.code, 0);
    const QByteArray name = QFileInfo(m_directory).fileName().toUtf8();

    QTRY_VERIFY(ctl(words("logs")).out.contains("here"));
    QVERIFY(ctl(words("logs")).err.contains(name));
    QCOMPARE(ctl(words("logs last --rank 0")).out, QByteArray("over\n"));
    QCOMPARE(ctl(words("wait --timeout 0")).code, 124);
    QCOMPARE(ctl(words("report")).code, 0);
    QCOMPARE(ctl(words("progress --json")).code, 0);
    QCOMPARE(ctl(words("dump --rank 9")).code, 2);
    QVERIFY(ctl(words("debug --rank 9 strace")).err.contains("started no rank 9"));
    // A word of its own is the signal.
    const Outcome signal = ctl(words("signal USR1 --json"));
    QCOMPARE(signal.code, 0);
    QVERIFY(signal.err.contains(name));
    const auto told = parseJson(signal.out);
    QVERIFY(told);
    QCOMPARE(told->at("sent").get<int>(), ranks);
    QCOMPARE(told->at("run").get<QString>().toUtf8(), name);
    QCOMPARE(ctl(words("wait")).code, 0);
    // None is live now: the newest is meant.
    QVERIFY(ctl(words("logs --rank 0")).out == "over\n");
}

void DefaultRunTest::stopAndSignalDoNotChooseAmongSeveral()
{
    launch({}, sleeping() << u"trap 'exit 0' TERM; while :; do sleep 0.1; done"_s);
    const QString first = m_directory;
    launch({}, sleeping() << u"trap 'exit 0' TERM; while :; do sleep 0.1; done"_s);
    m_others << first;
    for (const char *line : {"stop", "signal USR1"}) {
        const Outcome refused = ctl(words(line));
        verifyOneSentence(refused, "several runs are live");
        QVERIFY(refused.err.contains(QFileInfo(first).fileName().toUtf8()));
        QVERIFY(refused.err.contains(QFileInfo(m_directory).fileName().toUtf8()));
    }
    QCOMPARE(state().count(RankPhase::Running), ranks);
    QCOMPARE(ctl({u"stop"_s, first}).code, 0);
    const Outcome stopped = ctl(words("stop --json"));
    QCOMPARE(stopped.code, 0);
    const auto told = parseJson(stopped.out);
    QVERIFY(told);
    QCOMPARE(told->at("processes").size(), std::size_t(ranks));
}

void DefaultRunTest::torchrunsCommandLineIsLaunched()
{
    QFile script(m_home->path("train.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("import os, sys\nprint(os.environ['RANK'], os.environ['WORLD_SIZE'], sys.argv[1:])\n");
    script.close();
    const QStringList line =
        words("--nproc_per_node=2 --rdzv_backend c10d --master_port") +
        QStringList{QString::number(freePort()), u"--name=pasted"_s, script.fileName(), u"--lr"_s, u"-h"_s};
    const Outcome outcome = ctl(words("torchrun") + line);
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.out.contains("0 2 ['--lr', '-h']"), outcome.out.constData());
    QVERIFY(outcome.out.contains("1 2 ['--lr', '-h']"));
    QVERIFY(outcome.err.contains("--rdzv-backend is omitted"));
    QVERIFY(findRun(u"pasted"_s));
    const Outcome plan = ctl(words("plan torchrun --json") + line);
    QCOMPARE(plan.code, 0);
    QVERIFY(parseJson(plan.out));
    QStringList onFreePort = line;
    onFreePort[onFreePort.indexOf(u"--master_port"_s) + 1] = QString::number(freePort());
    // HCCL's usual ports are among those that any program may get.
    qputenv("HCCL_IF_BASE_PORT", "24100");
    const Outcome checked = ctl(words("preflight --limit 20 torchrun") + onFreePort);
    qunsetenv("HCCL_IF_BASE_PORT");
    QVERIFY2(checked.code == 0, (checked.out + checked.err).constData());
    const Outcome imported = ctl(words("import rankdeckctl torchrun") + line);
    QVERIFY2(imported.out.startsWith("rankdeckctl processes --nproc=2 "), imported.err.constData());
    QVERIFY(imported.out.contains("--name=pasted"));
    verifyOneSentence(ctl(words("torchrun --nproc-per-noed 2 x.py")), "Did you mean --nproc-per-node?");
    verifyOneSentence(ctl(words("torchrun --nproc-per-node 2")), "missing script");
}

void DefaultRunTest::torchrunsLogDirectoryMayBeUsedAgain()
{
    const QString logs = m_home->path("kept");
    const auto launched = [&](const char *word) {
        return ctl(
            words(
                "torchrun --nproc-per-node 1 --no-python --shutdown-timeout 3 --redirects 1 --master-port") +
            QStringList{QString::number(freePort()), u"--log-dir"_s, logs, u"echo"_s, QLatin1String(word)});
    };
    const Outcome first = launched("first");
    QVERIFY2(first.code == 0 && !first.err.contains("is in use"), first.err.constData());
    const Outcome second = launched("second");
    QVERIFY2(second.code == 0 && second.err.contains("is in use"), second.err.constData());
    QCOMPARE(fileText(logs + u"/0/stdout.log"_s), "first\n");
    const QStringList folders = QDir(logs).entryList({u"2*"_s}, QDir::Dirs);
    QCOMPARE(folders.size(), 1);
    QCOMPARE(fileText(u"%1/%2/0/stdout.log"_s.arg(logs, folders.first())), "second\n");
    const auto run = findRun(u"last"_s);
    QCOMPARE(run ? RunReader(*run).open()->plan->graceSeconds : 0, 3);
}

} // namespace tst_defaultrun

RANKDECK_TEST(tst_defaultrun, DefaultRunTest)
#include "tst_defaultrun.moc"
