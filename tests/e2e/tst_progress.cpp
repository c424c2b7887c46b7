#include "base/json.h"
#include "run/record/rundirectory.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <memory>

namespace tst_progress
{

using namespace rankdeck;

/// `rankdeckctl progress` as a user calls it.
class ProgressTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void ranksInADirectoryAreTold();
    void valuesAreWrittenAsCsv();
    void aLaunchBringsItsPattern();
    void aLiveRunIsFollowedToItsEnd();
    void theStepTimeIsThatOfTheScript();
    void whatTheSupervisorKeptIsRead_data();
    void whatTheSupervisorKeptIsRead();
    void runsAreCompared();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    void write(const QString &name, const QByteArray &text) const
    {
        QFile file(m_home->path("logs/") + name);
        QDir().mkpath(m_home->path("logs"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    /// As Megatron does it: the last rank alone tells.
    void writeLogs() const
    {
        write(u"scheduler.log"_s, "step: 99, loss: 9\n");
        write(u"worker_0.log"_s, "loading\n");
        write(u"worker_1.log"_s,
              " iteration 10/ 5000 | elapsed time per iteration (ms): 1900.0 | lm loss: 2.5E+00 |\n"
              " iteration 20/ 5000 | elapsed time per iteration (ms): 1900.0 | lm loss: nan |\n");
    }
    QString script(const QByteArray &text) const
    {
        QFile file(m_home->path("train.sh"));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName()
                                                                                  : QString();
    }
    Outcome launch(const QStringList &options, const QString &program) const
    {
        return ctl(QStringList{u"processes"_s, u"--nproc"_s, u"2"_s, u"--master-port"_s,
                               QString::number(freePort())} +
                   options + QStringList{u"sh"_s, program});
    }
    static nlohmann::json parsed(const QByteArray &text)
    {
        return nlohmann::json::parse(text.toStdString(), nullptr, false);
    }

    std::unique_ptr<TestHome> m_home;
};

void ProgressTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("LC_ALL", "C.UTF-8");
}

void ProgressTest::ranksInADirectoryAreTold()
{
    writeLogs();
    const QStringList progress{u"progress"_s, m_home->path("logs")};
    const Outcome table = ctl(progress);
    QVERIFY2(table.code == 0, table.err.constData());
    const auto lines = linesOf(table.out);
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith("RANK  EPOCH  STEP "));
    QCOMPARE(lines[1].simplified(), QByteArray("0 no progress lines"));
    QVERIFY2(lines[2].simplified().startsWith("1 - 20/5000 nan 1.9 s - -"), lines[2].constData());

    const Outcome json = ctl(progress + QStringList{u"--json"_s});
    QCOMPARE(json.code, 0);
    const auto told = parsed(json.out);
    QVERIFY(told.is_object());
    QCOMPARE(told["step"].get<int>(), 20);
    QCOMPARE(told["steps"].get<int>(), 5000);
    QCOMPARE(told["loss"].get<std::string>(), std::string("nan"));
    QCOMPARE(told["ranks"].size(), std::size_t(2));
    QCOMPARE(told["ranks"][0]["lines"].get<int>(), 0);
    QVERIFY(told["ranks"][0]["step"].is_null() && told["ranks"][0]["loss"].is_null());
    QCOMPARE(told["ranks"][1]["step_time_ms"].get<double>(), 1900.0);
}

void ProgressTest::valuesAreWrittenAsCsv()
{
    writeLogs();
    const Outcome csv = ctl({u"progress"_s, m_home->path("logs"), u"--csv"_s});
    QCOMPARE(csv.code, 0);
    QCOMPARE(linesOf(csv.out),
             QList<QByteArray>({"rank,quantity,first_step,last_step,min,max,last,values,not_numbers",
                                "1,loss,10,10,2.5,2.5,2.5,1,0", "1,loss,20,20,,,,0,1",
                                "1,step_time_ms,10,10,1900,1900,1900,1,0",
                                "1,step_time_ms,20,20,1900,1900,1900,1,0"}));
}

void ProgressTest::aLaunchBringsItsPattern()
{
    const QString program = script("echo \"第 7 步，损失 0.5\"\n");
    const QString pattern = u"第 (?P<step>\\d+) 步，损失 (?P<loss>\\S+)"_s;
    const Outcome run = launch({u"--progress-pattern"_s, pattern}, program);
    QVERIFY2(run.code == 0, run.err.constData());
    const QStringList last{u"progress"_s, u"last"_s, u"--json"_s};
    QCOMPARE(parsed(ctl(last).out)["step"].get<int>(), 7);
    // Another may be given afterwards.
    const Outcome other = ctl(last + QStringList{u"--progress-pattern"_s, u"损失 (?P<step>\\d+)"_s});
    QCOMPARE(parsed(other.out)["step"].get<int>(), 0);

    const Outcome wrong = launch({u"--progress-pattern"_s, u"("_s}, program);
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains("--progress-pattern: the pattern is not a regular expression"),
             wrong.err.constData());
    QCOMPARE(linesOf(wrong.err).size(), 1);
}

void ProgressTest::aLiveRunIsFollowedToItsEnd()
{
    const QString go = m_home->path("go");
    const QString program = script("echo 'step 1/3 loss 0.5'\n"
                                   "while [ ! -e '" +
                                   go.toUtf8() +
                                   "' ]; do sleep 0.05; done\n"
                                   "echo 'step 3/3 loss 0.25'\n");
    const Outcome started = launch({u"--detach"_s}, program);
    QVERIFY2(started.code == 0, started.err.constData());
    QProcess follow;
    follow.start(buildPath("bin/rankdeckctl"), {u"progress"_s, u"last"_s, u"--follow"_s});
    QByteArray out;
    const auto hasCome = [&](const char *text) {
        out += follow.readAllStandardOutput();
        return out.contains(text);
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasCome("step 1 of 3 · loss 0.5"), programLimitMs);
    QFile end(go);
    QVERIFY(end.open(QIODevice::WriteOnly));
    const Outcome told = outcomeOf(follow);
    QCOMPARE(told.code, 0);
    QVERIFY2(told.out.contains("3/3"), (out + told.out).constData());
}

void ProgressTest::theStepTimeIsThatOfTheScript()
{
    // Steps of 20 ms, 100 ms and 3 s, and bursts of 30 steps; each rank writes down what it measured itself.
    QFile file(m_home->path("train.py"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("import os, sys, time\n"
               "rank = int(os.environ['RANK'])\n"
               "each, at_once = [(0.02, 1), (0.1, 1), (3, 1), (0.05, 30)][rank]\n"
               "start, step = time.monotonic(), 0\n"
               "while step * each < 24:\n"
               "    time.sleep(max(0, start + (step + at_once) * each - time.monotonic()))\n"
               "    lines = ['step %d/100000 loss 0.5\\n' % (step + n + 1) for n in range(at_once)]\n"
               "    sys.stdout.write(''.join(lines))\n"
               "    sys.stdout.flush()\n"
               "    step += at_once\n"
               "with open(sys.argv[1] + str(rank), 'w') as out:\n"
               "    out.write(str((time.monotonic() - start) / step * 1000))\n");
    file.close();
    const Outcome run =
        ctl({u"processes"_s, u"--nproc"_s, u"4"_s, u"--master-port"_s, QString::number(freePort()),
             u"python3"_s, file.fileName(), m_home->path("measured-")});
    QVERIFY2(run.code == 0, run.err.constData());
    const auto told = parsed(ctl({u"progress"_s, u"last"_s, u"--json"_s}).out);
    QCOMPARE(told["ranks"].size(), std::size_t(4));
    for (int rank = 0; rank < 4; ++rank) {
        QFile measured(m_home->path("measured-") + QString::number(rank));
        QVERIFY(measured.open(QIODevice::ReadOnly));
        const double wanted = measured.readAll().toDouble();
        const auto &stepMs = told["ranks"][std::size_t(rank)]["step_time_ms"];
        QVERIFY(wanted > 0 && stepMs.is_number());
        const double ratio = stepMs.get<double>() / wanted;
        QVERIFY2(ratio > 0.95 && ratio < 1.05,
                 qPrintable(u"rank %1: %2 ms for %3 ms"_s.arg(rank).arg(stepMs.get<double>()).arg(wanted)));
    }
}

void ProgressTest::whatTheSupervisorKeptIsRead_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("folder");
    QTest::newRow("one attempt") << QStringList() << u"progress"_s;
    QTest::newRow("the second of two attempts")
        << QStringList{u"--max-restarts"_s, u"1"_s, u"--env"_s, u"FAILS=1"_s} << u"progress/attempt_1"_s;
}

void ProgressTest::whatTheSupervisorKeptIsRead()
{
    QFETCH(QStringList, options);
    QFETCH(QString, folder);
    const QString tried = m_home->path("tried");
    const QString program =
        script("[ -z \"$FAILS\" ] || [ -e '" + tried.toUtf8() + "' ] || { echo 'step: 1, loss: 9'; : >'" +
               tried.toUtf8() +
               "'; exit 1; }\n"
               "awk 'BEGIN { for (i = 1; i <= 20000; ++i) print \"step: \" i \"/20000, loss: 0.\" i }'\n");
    const Outcome run = launch(options, program);
    QVERIFY2(run.code == 0, run.err.constData());
    const RunState state =
        *RunReader(runsDirectory() + '/'_L1 +
                   QDir(runsDirectory()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).last())
             .open();
    const QDir kept(state.directory + '/'_L1 + folder);
    QCOMPARE(kept.entryList(QDir::Files), (QStringList{u"0"_s, u"1"_s}));

    const auto figures = [] {
        return ctl({u"progress"_s, u"last"_s, u"--json"_s}).out +
               ctl({u"progress"_s, u"last"_s, u"--csv"_s}).out;
    };
    const QByteArray told = figures();
    QVERIFY2(told.contains("\"step\": 20000"), told.constData());
    QVERIFY(told.contains("\n1,loss,"));
    // Without it the logs are read, and it is kept again.
    QVERIFY(QDir(state.directory + u"/progress"_s).removeRecursively());
    QCOMPARE(figures(), told);
    QCOMPARE(kept.entryList(QDir::Files), (QStringList{u"0"_s, u"1"_s}));
    // Of the logs no more than beginning and end is looked at.
    for (const ProcessPlan &process : state.plan->processes) {
        QFile log(process.logFile);
        QVERIFY(log.open(QIODevice::ReadWrite) && log.seek(4096));
        QVERIFY(log.write(QByteArray(log.size() - 8192, 'x')) > 256 << 10);
    }
    QCOMPARE(figures(), told);
    const QString page = m_home->path("page.html");
    QCOMPARE(ctl({u"report"_s, u"last"_s, u"--html"_s, u"--output"_s, page}).code, 0);
    QVERIFY(fileText(page).contains("20,000"));
}

void ProgressTest::runsAreCompared()
{
    const QString steps =
        script("for i in 1 2 3; do echo \"epoch: 1 step: $i, loss is 0.$i\"; done; exit $EXIT\n");
    for (const char *code : {"0", "3"}) {
        const QString name = u"ends-with-"_s + QLatin1String(code);
        QCOMPARE(
            launch({u"--quiet"_s, u"--name"_s, name, u"--env"_s, u"EXIT="_s + QLatin1String(code)}, steps)
                .code,
            atoi(code));
    }
    const QStringList compare{u"compare"_s, u"ends-with-0"_s, u"ends-with-3"_s};
    const Outcome outcome = ctl(compare + QStringList{u"--json"_s});
    QVERIFY2(outcome.code == 0, outcome.err);
    QMap<QString, QStringList> rows;
    const nlohmann::json told = parsed(outcome.out);
    for (const auto &row : told["rows"])
        rows.insert(row["name"].get<QString>(), row["values"].get<QStringList>());
    QCOMPARE(rows.value(u"State"_s), (QStringList{u"succeeded"_s, u"failed"_s}));
    QCOMPARE(rows.value(u"Exit code"_s), (QStringList{u"0"_s, u"3"_s}));
    QCOMPARE(rows.value(u"Last step"_s), (QStringList{u"3"_s, u"3"_s}));
    QCOMPARE(rows.value(u"environment EXIT"_s), (QStringList{u"0"_s, u"3"_s}));
    // What is the same is left out.
    QVERIFY(!rows.contains(u"command"_s) && !rows.contains(u"processes nproc"_s));
    const Outcome table = ctl(compare);
    QVERIFY2(table.out.contains("\nState ") && table.out.contains("environment EXIT"), table.out);
    QCOMPARE(ctl({u"compare"_s, u"ends-with-0"_s}).code, 2);
}

void ProgressTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList();
    QTest::newRow("no such run") << QStringList{u"nosuchrun"_s};
    QTest::newRow("csv that is followed") << QStringList{u"last"_s, u"--csv"_s, u"--follow"_s};
    QTest::newRow("no logs") << QStringList{u"/usr/include"_s};
}

void ProgressTest::wrongUseIsOneSentence()
{
    QFETCH(QStringList, arguments);
    const Outcome told = ctl(QStringList{u"progress"_s} + arguments);
    QCOMPARE(told.code, 2);
    QCOMPARE(linesOf(told.err).size(), 1);
    QVERIFY(told.out.isEmpty());
}

} // namespace tst_progress

RANKDECK_TEST(tst_progress, ProgressTest)
#include "tst_progress.moc"
