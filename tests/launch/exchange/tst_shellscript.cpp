#include "launch/exchange/launchexport.h"
#include "launch/nodes/planlaunch.h"
#include "launch/options/launchers.h"
#include "support/testmain.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace tst_shellscript
{

using namespace rankdeck;

/// The script that does a plan without Rankdeck, run by bash.
class ShellScriptTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyRankGetsWhatThePlanSays();
    void theFirstFailureEndsTheRest();
    void limitsAndHostileWordsArriveAsTheyAre();
    void plannedFilesAreWritten();
    void theSchedulerIsStartedToo();
    void commandsBeforeAndAfterAreRun_data();
    void commandsBeforeAndAfterAreRun();

private:
    QString path(const char *name) const { return m_directory->filePath(QString::fromLatin1(name)); }
    QByteArray read(const char *name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("no file");
    }
    LaunchPlan plan(const QString &launcher, const QStringList &arguments) const
    {
        HostFacts facts;
        facts.hostName = u"box"_s;
        facts.currentDirectory = m_directory->path();
        facts.temporaryDirectory = m_directory->path();
        facts.environment = QProcessEnvironment::systemEnvironment();
        facts.addresses = {u"127.0.0.1"_s};
        const auto spec = launcherCommandLine(launcher)->parse(arguments);
        const auto made = planLaunch(*spec, {}, {}, facts);
        if (!made)
            qFatal("%s", qPrintable(made.error().sentence()));
        return *made;
    }
    /// Its exit code; what it does lies below "run".
    int run(const LaunchPlan &plan) const
    {
        QFile script(path("script.sh"));
        if (!script.open(QIODevice::WriteOnly) || script.write(exportShellScript(plan).toUtf8()) < 0)
            qFatal("the script cannot be written");
        script.close();
        QProcess bash;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"RUN_DIR"_s, path("run"));
        bash.setProcessEnvironment(environment);
        bash.setProcessChannelMode(QProcess::ForwardedChannels);
        bash.start(u"bash"_s, {script.fileName()});
        return bash.waitForFinished(60000) ? bash.exitCode() : -1;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void ShellScriptTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
}

void ShellScriptTest::everyRankGetsWhatThePlanSays()
{
    const LaunchPlan two = plan(u"processes"_s, {u"--nproc=2"_s, u"--unset-env=HOME"_s, u"--"_s, u"sh"_s,
                                                 u"-c"_s, u"env -0; echo error >&2"_s});
    QCOMPARE(run(two), 0);
    for (const ProcessPlan &process : withRunDirectory(two, path("run")).processes) {
        QFile log(process.logFile);
        QVERIFY2(log.open(QIODevice::ReadOnly), qPrintable(log.fileName()));
        const QList<QByteArray> variables = log.readAll().split('\0');
        for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it)
            QVERIFY2(variables.contains((it.key() + '='_L1 + it.value()).toUtf8()), qPrintable(it.key()));
        for (const QByteArray &variable : variables)
            QVERIFY(!variable.startsWith("HOME="));
        QFile errors(process.stderrFile);
        QVERIFY(errors.open(QIODevice::ReadOnly));
        QCOMPARE(errors.readAll(), QByteArray("error\n"));
    }
}

void ShellScriptTest::theFirstFailureEndsTheRest()
{
    QElapsedTimer timer;
    timer.start();
    const int code =
        run(plan(u"processes"_s, {u"--nproc=3"_s, u"--grace=1"_s, u"--"_s, u"sh"_s, u"-c"_s,
                                  u"[ $RANK = 1 ] && exit 7; trap '' TERM; sleep 60 & wait; sleep 60"_s}));
    QCOMPARE(code, 7);
    QVERIFY(timer.elapsed() < 30000);
}

void ShellScriptTest::limitsAndHostileWordsArriveAsTheyAre()
{
    const QString word = u"a'b\"c $HOME `id` \\ \n训练 * ;&|"_s;
    QCOMPARE(run(plan(u"processes"_s, {u"--umask=027"_s, u"--open-files=64"_s, u"--nice=2"_s,
                                       u"--env=WORD="_s + word, u"--"_s, u"sh"_s, u"-c"_s,
                                       u"umask; ulimit -n; printf '%s' \"$WORD$1\""_s, u"sh"_s, word})),
             0);
    QCOMPARE(read("run/logs/0/stdout.log"), QByteArray("0027\n64\n") + word.toUtf8() + word.toUtf8());
}

void ShellScriptTest::plannedFilesAreWritten()
{
    LaunchPlan one = plan(u"processes"_s, {u"--"_s, u"true"_s});
    const QByteArray content = "{\"status\": \"completed\"} END_OF_FILE $HOME `id`";
    one.files.push_back({u"{run}/table dir/t.json"_s, content});
    one.scratch = ScratchDirectory{u"CACHE"_s, {path("absent"), m_directory->path()}};
    one.processes.front().argv = QStringList{u"sh"_s, u"-c"_s, u"test -d \"$CACHE\" && echo \"$CACHE\""_s};
    QCOMPARE(run(one), 0);
    QCOMPARE(read("run/table dir/t.json"), content + '\n');
    const QString scratch = QString::fromUtf8(read("run/logs/0/stdout.log").trimmed());
    QVERIFY(scratch.startsWith(m_directory->path()));
    QVERIFY(!QFile::exists(scratch));
}

void ShellScriptTest::theSchedulerIsStartedToo()
{
    QFile script(path("t.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("import os\nprint(os.environ['MS_ROLE'])\n");
    script.close();
    QCOMPARE(run(plan(u"msrun"_s,
                      {u"--worker_num=1"_s, u"--local_worker_num=1"_s, u"--log_dir=out"_s, u"t.py"_s})),
             0);
    QCOMPARE(read("out/scheduler.log"), QByteArray("MS_SCHED\n"));
    QCOMPARE(read("out/worker_0.log"), QByteArray("MS_WORKER\n"));
}

void ShellScriptTest::commandsBeforeAndAfterAreRun_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QByteArray>("trace");
    QTest::addColumn<int>("code");
    QTest::newRow("all is well") << "sh -c 'echo before >>trace'" << QByteArray("before\nrank\nafter\n") << 4;
    QTest::newRow("before fails") << "sh -c 'echo before >>trace; exit 9'" << QByteArray("before\n") << 9;
}

void ShellScriptTest::commandsBeforeAndAfterAreRun()
{
    QFETCH(QString, before);
    const LaunchPlan one =
        plan(u"processes"_s, {u"--before"_s, before, u"--after"_s, u"sh -c 'echo after >>trace'"_s, u"--"_s,
                              u"sh"_s, u"-c"_s, u"echo rank >>trace; exit 4"_s});
    QTEST(run(one), "code");
    QTEST(read("trace"), "trace");
}

} // namespace tst_shellscript

RANKDECK_TEST(tst_shellscript, ShellScriptTest)
#include "tst_shellscript.moc"
