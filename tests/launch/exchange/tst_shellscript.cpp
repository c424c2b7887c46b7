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
        facts.hostName = QStringLiteral("box");
        facts.currentDirectory = m_directory->path();
        facts.temporaryDirectory = m_directory->path();
        facts.environment = QProcessEnvironment::systemEnvironment();
        facts.addresses = {QStringLiteral("127.0.0.1")};
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
        environment.insert(QStringLiteral("RUN_DIR"), path("run"));
        bash.setProcessEnvironment(environment);
        bash.setProcessChannelMode(QProcess::ForwardedChannels);
        bash.start(QStringLiteral("bash"), {script.fileName()});
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
    const LaunchPlan two =
        plan(QStringLiteral("processes"),
             {QStringLiteral("--nproc=2"), QStringLiteral("--unset-env=HOME"), QStringLiteral("--"),
              QStringLiteral("sh"), QStringLiteral("-c"), QStringLiteral("env -0; echo error >&2")});
    QCOMPARE(run(two), 0);
    for (const ProcessPlan &process : withRunDirectory(two, path("run")).processes) {
        QFile log(process.logFile);
        QVERIFY2(log.open(QIODevice::ReadOnly), qPrintable(log.fileName()));
        const QList<QByteArray> variables = log.readAll().split('\0');
        for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it)
            QVERIFY2(variables.contains((it.key() + QLatin1Char('=') + it.value()).toUtf8()),
                     qPrintable(it.key()));
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
        run(plan(QStringLiteral("processes"),
                 {QStringLiteral("--nproc=3"), QStringLiteral("--grace=1"), QStringLiteral("--"),
                  QStringLiteral("sh"), QStringLiteral("-c"),
                  QStringLiteral("[ $RANK = 1 ] && exit 7; trap '' TERM; sleep 60 & wait; sleep 60")}));
    QCOMPARE(code, 7);
    QVERIFY(timer.elapsed() < 30000);
}

void ShellScriptTest::limitsAndHostileWordsArriveAsTheyAre()
{
    const QString word = QStringLiteral("a'b\"c $HOME `id` \\ \n训练 * ;&|");
    QCOMPARE(
        run(plan(QStringLiteral("processes"),
                 {QStringLiteral("--umask=027"), QStringLiteral("--open-files=64"),
                  QStringLiteral("--nice=2"), QStringLiteral("--env=WORD=") + word, QStringLiteral("--"),
                  QStringLiteral("sh"), QStringLiteral("-c"),
                  QStringLiteral("umask; ulimit -n; printf '%s' \"$WORD$1\""), QStringLiteral("sh"), word})),
        0);
    QCOMPARE(read("run/logs/0/stdout.log"), QByteArray("0027\n64\n") + word.toUtf8() + word.toUtf8());
}

void ShellScriptTest::plannedFilesAreWritten()
{
    LaunchPlan one = plan(QStringLiteral("processes"), {QStringLiteral("--"), QStringLiteral("true")});
    const QByteArray content = "{\"status\": \"completed\"} END_OF_FILE $HOME `id`";
    one.files.push_back({QStringLiteral("{run}/table dir/t.json"), content});
    one.scratch = ScratchDirectory{QStringLiteral("CACHE"), {path("absent"), m_directory->path()}};
    one.processes.front().argv = QStringList{QStringLiteral("sh"), QStringLiteral("-c"),
                                             QStringLiteral("test -d \"$CACHE\" && echo \"$CACHE\"")};
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
    QCOMPARE(run(plan(QStringLiteral("msrun"),
                      {QStringLiteral("--worker_num=1"), QStringLiteral("--local_worker_num=1"),
                       QStringLiteral("--log_dir=out"), QStringLiteral("t.py")})),
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
        plan(QStringLiteral("processes"),
             {QStringLiteral("--before"), before, QStringLiteral("--after"),
              QStringLiteral("sh -c 'echo after >>trace'"), QStringLiteral("--"), QStringLiteral("sh"),
              QStringLiteral("-c"), QStringLiteral("echo rank >>trace; exit 4")});
    QTEST(run(one), "code");
    QTEST(read("trace"), "trace");
}

} // namespace tst_shellscript

RANKDECK_TEST(tst_shellscript, ShellScriptTest)
#include "tst_shellscript.moc"
