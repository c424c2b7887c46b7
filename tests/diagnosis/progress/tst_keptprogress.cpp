#include "diagnosis/progress/progresskeeper.h"
#include "launch/plan/launchplan.h"
#include "run/record/growthmarks.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

namespace tst_keptprogress
{

using namespace rankdeck;

namespace
{

/// The logs of two ranks, their marks of growth, and what a supervisor keeps of them.
class KeptRun
{
public:
    explicit KeptRun(bool isErrorApart = false)
        : plan(std::make_shared<LaunchPlan>())
    {
        QStringList logs;
        QMap<int, QString> errors;
        for (int rank = 0; rank < 2; ++rank) {
            ProcessPlan process;
            process.rank = Rank(rank);
            process.logFile = m_folder.filePath(u"rank_%1"_s.arg(rank));
            if (isErrorApart)
                process.stderrFile = process.logFile + u".err"_s;
            logs << process.logFile;
            if (isErrorApart)
                errors.insert(rank, process.stderrFile);
            plan->processes.push_back(process);
        }
        m_marks = std::make_unique<GrowthMarks>(places().growth, logs, errors);
    }

    ProgressPlaces places(bool mayKeep = false) const
    {
        return {m_folder.filePath(u"growth"_s), m_folder.filePath(u"progress"_s), mayKeep};
    }
    QString kept(int rank) const { return places().kept + '/'_L1 + QString::number(rank); }
    QString log(int rank) const { return plan->processes[std::size_t(rank)].logFile; }
    QString errorLog(int rank) const { return plan->processes[std::size_t(rank)].stderrFile; }

    static void write(const QString &path, const QByteArray &bytes,
                      QIODevice::OpenMode mode = QIODevice::Append)
    {
        QFile file(path);
        if (!file.open(mode) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(path));
    }
    void print(int rank, const QByteArray &bytes) const { write(log(rank), bytes); }
    /// Cuts the log and begins again.
    void cut(int rank, const QByteArray &bytes) const
    {
        write(log(rank), bytes, QIODevice::WriteOnly | QIODevice::Truncate);
    }
    void mark() { m_marks->mark(); }

    std::shared_ptr<LaunchPlan> plan;

private:
    QTemporaryDir m_folder;
    std::unique_ptr<GrowthMarks> m_marks;
};

using Act = std::function<void(KeptRun &)>;

QByteArray steps(int first, int count)
{
    QByteArray lines;
    for (int step = first; step < first + count; ++step)
        lines +=
            "step: " + QByteArray::number(step) + "/1000, loss: " + QByteArray::number(1.0 / step) + '\n';
    return lines;
}

QByteArray stampedSteps(int first, int count)
{
    QByteArray lines;
    for (int step = first; step < first + count; ++step)
        lines += "2025-04-07 15:" + QByteArray::number(10 + step / 60) + ':' +
                 QByteArray::number(10 + step % 50) + ",123 - INFO - step: " + QByteArray::number(step) +
                 ", loss: 0.5, 31.5 samples/s, lr: 1e-05\n";
    return lines;
}

QByteArray bar(int step)
{
    return "\r " + QByteArray::number(step) + "%|#  | " + QByteArray::number(step) +
           "/100 [00:16<03:04,  2.00s/it]";
}

QByteArray epochSteps(int epoch)
{
    QByteArray lines;
    for (int step = 1; step <= 20; ++step)
        lines += "epoch: " + QByteArray::number(epoch) + " step: [" + QByteArray::number(step) +
                 "/20], loss is 0.5, per step time: 12.5 ms\n";
    return lines;
}

} // namespace

class TestKeptProgress : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsKeptGivesTheSame_data();
    void whatIsKeptGivesTheSame();
    void aLogOfOtherContentIsReadWhole_data();
    void aLogOfOtherContentIsReadWhole();
    void whatIsDamagedIsNotUsed();
    void onlyItsOwnerMayReadIt();
    void otherPatternsAndCurvesReadTheLogs();
    void fewerBucketsAreMadeOfMore();
    void whoReadsToTheEndKeepsIt();
    void linesReadAsTheyCameAreNotKept();
    void theKeeperLeavesShortLogsAlone();
    void theKeeperKeepsLongLogs();

private:
    /// Reads what is marked and keeps it, as a supervisor does.
    static void follow(KeptRun &run, ProgressLogs &logs)
    {
        run.mark();
        // New marks are looked for only ten times a second.
        for (int rank = 0; rank < 2; ++rank) {
            const auto isRead = [&] {
                while (logs.readMarked(rank) > 0) {
                }
                return logs.leftBytes(rank) == 0;
            };
            QTRY_VERIFY_WITH_TIMEOUT(isRead(), programLimitMs);
            logs.keep(rank);
        }
    }
    static void compare(const KeptRun &run)
    {
        ProgressLogs all(*run.plan, {}, {run.places().growth});
        ProgressLogs some(*run.plan, {}, run.places());
        QVERIFY(all.readRest());
        QVERIFY(some.readRest());
        for (int rank = 0; rank < 2; ++rank) {
            const ProgressTracker &expected = all.tracker(rank);
            const ProgressTracker &found = some.tracker(rank);
            QVERIFY(!expected.progress().isSilent());
            QCOMPARE(found.progress().lines, expected.progress().lines);
            QCOMPARE(found.progress().step, expected.progress().step);
            QCOMPARE(found.progress().stepMs, expected.progress().stepMs);
            QVERIFY(found.progress() == expected.progress());
            QVERIFY(found.loss() == expected.loss());
            QVERIFY(found.stepTime() == expected.stepTime());
        }
    }
    static qint64 leftBytes(const KeptRun &run, int rank)
    {
        return ProgressLogs(*run.plan, {}, run.places()).leftBytes(rank);
    }
};

void TestKeptProgress::whatIsKeptGivesTheSame_data()
{
    QTest::addColumn<bool>("isErrorApart");
    QTest::addColumn<std::vector<Act>>("acts");
    const auto both = [](const std::function<void(KeptRun &, int)> &act) {
        return [act](KeptRun &run) {
            act(run, 0);
            act(run, 1);
        };
    };
    const auto printed = [&](const QByteArray &bytes) {
        return both([bytes](KeptRun &run, int rank) { run.print(rank, bytes); });
    };
    QTest::newRow("steps") << false
                           << std::vector<Act>{printed(steps(1, 40)), printed(steps(41, 40)),
                                               printed(steps(81, 3))};
    QTest::newRow("stamps") << false
                            << std::vector<Act>{printed(stampedSteps(1, 20)), printed(stampedSteps(21, 20))};
    QTest::newRow("steps that go back")
        << false << std::vector<Act>{printed(steps(1, 40)), printed(steps(10, 5)), printed(steps(15, 40))};
    QTest::newRow("a rank that was restarted, in the same log")
        << false
        << std::vector<Act>{printed(steps(1, 40)),
                            printed("Traceback (most recent call last):\nValueError: no\n" + steps(1, 8)),
                            printed(steps(9, 8))};
    QTest::newRow("epochs") << false
                            << std::vector<Act>{printed(epochSteps(1)), printed(epochSteps(2)),
                                                printed(epochSteps(3))};
    QTest::newRow("a line that has not ended")
        << false << std::vector<Act>{printed(steps(1, 40) + "step: 4"), printed("1, lo"), printed("ss: 0.5")};
    QTest::newRow("bars") << false
                          << std::vector<Act>{printed(bar(1) + bar(2)), printed(bar(3)), printed("\r"),
                                              printed(bar(4) + bar(5))};
    QTest::newRow("bars of equal epochs") << false
                                          << std::vector<Act>{printed(bar(99) + bar(100)), printed(bar(1)),
                                                              printed(bar(100) + "\n" + bar(1) + bar(2))};
    QTest::newRow("two logs of a rank")
        << true
        << std::vector<Act>{printed(steps(1, 5)), both([](KeptRun &run, int rank) {
                                run.print(rank, "{'loss': 0.25}\n");
                                KeptRun::write(run.errorLog(rank), bar(8));
                            }),
                            both([](KeptRun &run, int rank) { KeptRun::write(run.errorLog(rank), bar(9)); }),
                            printed("{'loss': 0.125}\n")};
    QTest::newRow("a log that was cut")
        << false
        << std::vector<Act>{printed(steps(1, 40)), [](KeptRun &run) { run.cut(0, steps(1, 3)); },
                            printed(steps(41, 10))};
    QTest::newRow("a log that was cut and is longer now")
        << false
        << std::vector<Act>{printed(steps(1, 40)), [](KeptRun &run) { run.cut(0, steps(500, 90)); },
                            printed(steps(41, 10))};
    QTest::newRow("a log that was replaced") << false
                                             << std::vector<Act>{printed(steps(1, 40)),
                                                                 [](KeptRun &run) {
                                                                     QFile::remove(run.log(1));
                                                                     run.print(1, steps(300, 80));
                                                                 },
                                                                 printed(steps(381, 10))};
    QTest::newRow("no number") << false
                               << std::vector<Act>{printed("step: 1, loss: nan\nstep: 2, loss: inf\n"),
                                                   printed("step: 3, loss: 0.5\n")};
}

void TestKeptProgress::whatIsKeptGivesTheSame()
{
    QFETCH(bool, isErrorApart);
    QFETCH(std::vector<Act>, acts);
    KeptRun run(isErrorApart);
    ProgressLogs live(*run.plan, {}, run.places());
    for (const Act &act : acts) {
        act(run);
        compare(run); // Nothing is kept of what came last.
        follow(run, live);
        QCOMPARE(leftBytes(run, 0), 0);
        QCOMPARE(leftBytes(run, 1), 0);
        compare(run);
    }
    // Whoever goes on from what is kept keeps the same.
    ProgressLogs next(*run.plan, {}, run.places());
    run.print(0, "\n" + steps(700, 5));
    run.print(1, "\n" + steps(700, 5));
    follow(run, next);
    compare(run);
}

void TestKeptProgress::aLogOfOtherContentIsReadWhole_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("shorter") << steps(1, 20);
    QTest::newRow("another beginning") << "step: 7" + steps(1, 80).mid(7);
    QTest::newRow("another end") << steps(1, 79) + steps(90, 1);
    QTest::newRow("longer and other") << steps(200, 200);
    QTest::newRow("empty") << QByteArray();
}

void TestKeptProgress::aLogOfOtherContentIsReadWhole()
{
    QFETCH(QByteArray, content);
    KeptRun run;
    ProgressLogs live(*run.plan, {}, run.places());
    run.print(0, steps(1, 80));
    run.print(1, steps(1, 80));
    follow(run, live);
    run.cut(0, content);
    QCOMPARE(leftBytes(run, 0), content.size());
    QCOMPARE(leftBytes(run, 1), 0);
    QFile::remove(run.log(1));
    QCOMPARE(ProgressLogs(*run.plan, {}, run.places()).tracker(1).progress().lines, 0);
}

void TestKeptProgress::whatIsDamagedIsNotUsed()
{
    KeptRun run;
    ProgressLogs live(*run.plan, {}, run.places());
    run.print(0, steps(1, 80));
    run.print(1, steps(2, 80));
    follow(run, live);
    QCOMPARE(leftBytes(run, 0), 0);
    const QByteArray whole = fileText(run.kept(0));
    const auto isUsed = [&](const QByteArray &content) {
        KeptRun::write(run.kept(0), content, QIODevice::WriteOnly | QIODevice::Truncate);
        return leftBytes(run, 0) == 0;
    };
    QVERIFY(isUsed(whole));
    QVERIFY(!isUsed({}));
    for (qsizetype at = 0; at < whole.size(); at += 7) {
        QByteArray damaged = whole;
        damaged[at] = char(damaged[at] ^ 0x20);
        QVERIFY2(!isUsed(damaged), qPrintable(QString::number(at)));
        QVERIFY(!isUsed(whole.first(at)));
    }
    QVERIFY(!isUsed(whole + "x"));
    QVERIFY(!isUsed(fileText(run.kept(1)))); // Of another rank.
    QVERIFY(isUsed(whole));
    compare(run);
    // A named pipe without a writer would block for ever.
    QVERIFY(QFile::remove(run.kept(0)));
    QCOMPARE(mkfifo(QFile::encodeName(run.kept(0)).constData(), 0600), 0);
    QVERIFY(leftBytes(run, 0) > 0);
    compare(run);
}

void TestKeptProgress::onlyItsOwnerMayReadIt()
{
    KeptRun run;
    ProgressLogs live(*run.plan, {}, run.places());
    run.print(0, steps(1, 80));
    follow(run, live);
    struct stat info = {};
    QCOMPARE(stat(QFile::encodeName(run.kept(0)).constData(), &info), 0);
    QCOMPARE(info.st_mode & 0777, 0600);
}

void TestKeptProgress::otherPatternsAndCurvesReadTheLogs()
{
    KeptRun run;
    ProgressLogs live(*run.plan, {}, run.places());
    run.print(0, steps(1, 80));
    follow(run, live);
    const auto reader = ProgressReader::create(u"loss: (?P<loss>\\S+)"_s);
    QVERIFY(reader);
    QVERIFY(ProgressLogs(*run.plan, *reader, run.places()).leftBytes(0) > 0);
    QVERIFY(ProgressLogs(*run.plan, {}, run.places(), 2 * ValueSeries::manyBuckets).leftBytes(0) > 0);
    QCOMPARE(leftBytes(run, 0), 0);
}

void TestKeptProgress::fewerBucketsAreMadeOfMore()
{
    KeptRun run;
    ProgressLogs live(*run.plan, {}, run.places());
    run.print(0, steps(1, 80));
    follow(run, live);
    const QByteArray kept = fileText(run.kept(0));
    ProgressLogs few(*run.plan, {}, run.places(true), 2);
    QCOMPARE(few.leftBytes(0), 0);
    QVERIFY(few.readRest());
    QCOMPARE(few.tracker(0).progress().lines, 80);
    QVERIFY(few.tracker(0).loss().size() <= 2);
    QCOMPARE(fileText(run.kept(0)), kept); // Curves that are too coarse are not kept.
}

void TestKeptProgress::whoReadsToTheEndKeepsIt()
{
    KeptRun run;
    run.print(0, steps(1, 20'000) + "step: 20001, loss: 0.5");
    run.print(1, steps(1, 80));
    compare(run);
    QVERIFY(!QFileInfo::exists(run.kept(0))); // Who may not write, does not.
    ProgressLogs reader(*run.plan, {}, run.places(true));
    QVERIFY(!reader.readRest({[] { return true; }, {}}));
    QVERIFY(!QFileInfo::exists(run.kept(0)));
    QVERIFY(reader.readRest());
    QCOMPARE(leftBytes(run, 0), 0);
    QVERIFY(!QFileInfo::exists(run.kept(1))); // It is read in no time.
    compare(run);
}

void TestKeptProgress::linesReadAsTheyCameAreNotKept()
{
    KeptRun run;
    ProgressLogs follower(*run.plan, {}, run.places(true));
    while (follower.readOn(true)) {
    }
    run.print(0, steps(1, 20'000));
    while (follower.readOn(true)) {
    }
    QVERIFY(follower.readRest());
    QCOMPARE(follower.tracker(0).progress().step, 20'000);
    QVERIFY(!QFileInfo::exists(run.places().kept));
}

void TestKeptProgress::theKeeperLeavesShortLogsAlone()
{
    KeptRun run;
    ProgressKeeper keeper(run.plan, {}, run.places());
    run.print(0, steps(1, 80));
    run.mark();
    for (int look = 0; look < 20; ++look)
        keeper.look(true);
    keeper.finish();
    QVERIFY(!QFileInfo::exists(run.places().kept));
}

void TestKeptProgress::theKeeperKeepsLongLogs()
{
    KeptRun run;
    ProgressKeeper keeper(run.plan, {}, run.places());
    run.print(0, steps(1, 150'000));
    run.print(1, steps(1, 80));
    run.mark();
    QVERIFY(QFileInfo(run.log(0)).size() > 4 << 20);
    const auto isKept = [&] {
        keeper.look(false);
        return QFileInfo::exists(run.kept(0));
    };
    keeper.look(true);
    QTRY_VERIFY_WITH_TIMEOUT(isKept(), programLimitMs);
    QVERIFY(leftBytes(run, 0) < QFileInfo(run.log(0)).size());
    compare(run);
    run.print(0, steps(150'001, 10));
    run.mark();
    const auto isAllKept = [&] {
        keeper.finish();
        return leftBytes(run, 0) == 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isAllKept(), programLimitMs);
    QVERIFY(!QFileInfo::exists(run.kept(1)));
    compare(run);
    // Another keeper goes on, as after a change of the plan.
    ProgressKeeper next(run.plan, {}, run.places());
    run.print(0, steps(150'011, 20'000));
    run.mark();
    const auto isNextKept = [&] {
        next.finish();
        return leftBytes(run, 0) == 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isNextKept(), programLimitMs);
    compare(run);
}

} // namespace tst_keptprogress

RANKDECK_TEST(tst_keptprogress, TestKeptProgress)
#include "tst_keptprogress.moc"
