#include "base/json.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <memory>

namespace tst_openedlogs
{

using namespace rankdeck;

/// Directories of logs that real launches left, opened without what Rankdeck recorded of them.
class OpenedLogsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void logsOfALaunchAreUnderstood_data();
    void logsOfALaunchAreUnderstood();
    void aSavedConsoleOfALaunchIsUnderstood_data();
    void aSavedConsoleOfALaunchIsUnderstood();
    void logsAreFollowedWhileTheyGrow();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    static QStringList words(const char *text)
    {
        return QString::fromUtf8(text).split(' '_L1, Qt::SkipEmptyParts);
    }

    std::unique_ptr<TestHome> m_home;
};

void OpenedLogsTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void OpenedLogsTest::logsOfALaunchAreUnderstood_data()
{
    QTest::addColumn<QStringList>("launch");
    QTest::addColumn<QString>("launcher");
    QTest::addColumn<int>("processes");
    QTest::newRow("davincirun") << (words("davincirun --rank-table") << demoTable() << u"--log-dir"_s)
                                << "davincirun" << 8;
    QTest::newRow("msrun") << words(
                                  "msrun --join=True --worker_num=4 --local_worker_num=4 --master_port PORT "
                                  "--log_dir")
                           << "msrun" << 5;
    QTest::newRow("processes") << words("processes --nproc 4 --master-port PORT --log-dir") << "torchrun"
                               << 4;
    QTest::newRow("restarts") << words("processes --nproc 4 --max-restarts 1 --master-port PORT --log-dir")
                              << "torchrun" << 4;
}

void OpenedLogsTest::logsOfALaunchAreUnderstood()
{
    QFETCH(QStringList, launch);
    QFETCH(int, processes);
    QFile script(m_home->path("train.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("import os, time\n"
                 "rank = int(os.environ.get('RANK_ID', os.environ.get('RANK', -1)))\n"
                 "print('rank', rank, flush=True)\n"
                 "attempt = os.environ.get('TORCHELASTIC_RESTART_COUNT', '0')\n"
                 "def said(rank): return '%s.%s.%d' % (__file__, attempt, rank)\n"
                 "open(said(rank), 'w').close()\n"
                 "if rank == 3:\n"
                 "    while not all(os.path.exists(said(other)) for other in range(3)):\n"
                 "        time.sleep(0.01)\n"
                 "    raise RuntimeError('boom')\n"
                 "time.sleep(1000)\n");
    script.close();
    launch.replaceInStrings(u"PORT"_s, QString::number(freePort()));
    launch << m_home->path("logs");
    if (launch.first() != "msrun"_L1)
        launch << u"python3"_s;
    const Outcome outcome = ctl(launch << script.fileName());
    QVERIFY2(outcome.code == 1, outcome.err.constData());
    QVERIFY(QDir(m_home->path("state")).removeRecursively());

    const Outcome shown = ctl({u"open"_s, m_home->path("logs"), u"--json"_s});
    QVERIFY2(shown.code == 0, shown.err.constData());
    const auto json = parseJson(shown.out);
    QVERIFY(json);
    QTEST(QString::fromStdString(json->at("launcher").get<std::string>()), "launcher");
    QCOMPARE(int(json->at("processes").size()), processes);
    QCOMPARE(json->at("verdict").at("root_rank").get<int>(), 3);
    QCOMPARE(json->at("verdict").at("cause").get<QString>(), u"RuntimeError: boom"_s);

    const Outcome table = ctl({u"open"_s, m_home->path("logs")});
    QVERIFY2(table.out.contains("Rank 3 failed first: RuntimeError: boom"), table.out.constData());
    const Outcome log = ctl(words("logs --rank 2 --open") << m_home->path("logs"));
    const Outcome all = ctl(words("logs") << m_home->path("logs"));
    QCOMPARE(all.code, 0);
    QVERIFY2(all.out.contains(log.out.left(log.out.indexOf('\n'))) && !all.out.contains("pid: 0"),
             all.out.constData());
    QCOMPARE(log.out, QByteArray("rank 2\n"));
}

void OpenedLogsTest::aSavedConsoleOfALaunchIsUnderstood_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QStringList>("launch");
    QTest::addColumn<QString>("end");
    QTest::addColumn<QString>("reason");
    for (const char *language : {"en", "zh"}) {
        const QString name = QLatin1String(language);
        QTest::newRow(qPrintable(name + u", an exit code"_s))
            << name << words("processes --nproc 4 --master-port PORT") << u"exit 5"_s << u"exit code 5"_s;
        QTest::newRow(qPrintable(name + u", a signal"_s))
            << name << words("processes --nproc 4 --master-port PORT") << u"kill -ABRT $$"_s
            << u"ended by signal 6 (SIGABRT)"_s;
        QTest::newRow(qPrintable(name + u", devices"_s))
            << name << (words("davincirun --rank-table") << demoTable()) << u"exit 5"_s << u"exit code 5"_s;
    }
}

void OpenedLogsTest::aSavedConsoleOfALaunchIsUnderstood()
{
    QFETCH(QString, language);
    QFETCH(QStringList, launch);
    QFETCH(QString, end);
    QFETCH(QString, reason);
    launch.replaceInStrings(u"PORT"_s, QString::number(freePort()));
    const QString path = m_home->path("console.log");
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setStandardOutputFile(path);
    // All but the one that fails say which rank they are, and one of them holds out to the kill.
    const QString script =
        u"r=${RANK_ID:-$RANK}; if [ $r = 2 ]; then until [ -e %1/0 ] && [ -e %1/1 ] && [ -e %1/3 ]; "
        "do sleep 0.02; done; %2; fi; [ $r != 0 ] || trap : TERM; echo 'rank' $r; : >%1/$r; "
        "while :; do sleep 0.1; done"_s.arg(m_home->path(), end);
    process.start(buildPath("bin/rankdeckctl"), QStringList{u"--lang"_s, language} + launch.mid(0, 1) +
                                                    words("--grace 1") + launch.mid(1) +
                                                    QStringList{u"--"_s, u"sh"_s, u"-c"_s, script});
    const int code = outcomeOf(process).code;
    QVERIFY(code != 0 && code != 2);
    QVERIFY(QDir(m_home->path("state")).removeRecursively());

    const Outcome shown = ctl({u"report"_s, path, u"--json"_s});
    QVERIFY2(shown.code == 0, shown.err.constData());
    const auto json = parseJson(shown.out);
    QVERIFY(json);
    QVERIFY2(json->at("root_rank") == 2, shown.out + fileText(path));
    const Outcome text = ctl({u"report"_s, path});
    QVERIFY2(text.out.startsWith("Rank 2 failed first: " + reason.toUtf8()), text.out + fileText(path));
}

void OpenedLogsTest::logsAreFollowedWhileTheyGrow()
{
    QVERIFY(QDir().mkpath(m_home->path("logs")));
    QFile log(m_home->path("logs/worker_0.log"));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    log.write("step 1\n");
    QProcess follower;
    follower.start(buildPath("bin/rankdeckctl"), words("logs --rank 0 --follow --open")
                                                     << m_home->path("logs"));
    QByteArray printed;
    const auto reads = [&](const QByteArray &line) {
        printed += follower.readAllStandardOutput();
        return printed.contains(line);
    };
    QTRY_VERIFY(reads("step 1\n"));
    log.write("step 2\n");
    QTRY_VERIFY(reads("step 2\n"));
    follower.kill();
    QVERIFY(follower.waitForFinished());
}

void OpenedLogsTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *arguments, const char *said) {
        QTest::newRow(arguments) << QString::fromUtf8(arguments) << QString::fromUtf8(said);
    };
    row("open", "PATH or BUNDLE is missing");
    row("open /nowhere", "file or directory not found");
    row("logs", "there are no runs yet");
    row("logs /nowhere", "/nowhere");
    row("logs last --open /tmp", "a run and a directory of logs cannot be combined");
}

void OpenedLogsTest::wrongUseIsOneSentence()
{
    QFETCH(QString, arguments);
    QFETCH(QString, said);
    const Outcome outcome = ctl(words(qPrintable(arguments)));
    verifyOneSentence(outcome, said.toUtf8());
}

} // namespace tst_openedlogs

RANKDECK_TEST(tst_openedlogs, OpenedLogsTest)
#include "tst_openedlogs.moc"
