#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdicttext.h"
#include "run/record/growthmarks.h"
#include "run/record/runreader.h"
#include "support/recordedrun.h"
#include "support/testmain.h"

#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

namespace tst_hangdetails
{

using namespace rankdeck;

/// What a rank that hung left: step, last line, stacks.
class TestHangDetails : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { qunsetenv("XDG_STATE_HOME"); }
    void itsStepAndLastLineAndStacksAreTold();
    void stacksInItsLogAreNotItsLastWords();
    void whatItSaysWhenItIsEndedIsNotItsLastWord();
    void whyThereAreNoStacksIsTold();
    void aRankThatEndsWellWhenAskedToHungToo();
    void aRankThatASignalHadStoppedWasPaused();
    void aStallIsAVerdict_data();
    void aStallIsAVerdict();
    void aStallThatWasOverOrEndedInAFailureIsNone();
    void whoIsPausedInAStallIsToldHowToGoOn();

private:
    Verdict verdict(ExitStatus endOfHung = {ExitStatus::Kind::Signalled, SIGTERM},
                    const QDateTime &failed = {});

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<RecordedRun> m_run;
};

void TestHangDetails::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_home->path().toUtf8());
    m_run = std::make_unique<RecordedRun>();
    m_run->startAll();
    m_run->print(6, "step 19/1000 loss: 0.6\nstep 20/1000 loss: 0.5\n");
}

Verdict TestHangDetails::verdict(ExitStatus endOfHung, const QDateTime &failed)
{
    m_run->print(3, "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n"
                    "RuntimeError: EI0002 notify wait timeout, remote rank 6\n");
    m_run->fail(3, {ExitStatus::Kind::Exited, 1}, failed);
    m_run->release(6); // It is continued, to end.
    for (int process = 0; process < 8; ++process) {
        if (process != 3)
            m_run->exit(process, process == 6 ? endOfHung : ExitStatus{ExitStatus::Kind::Signalled, SIGTERM});
    }
    m_run->finish(RunPhase::Failed, 1);
    return diagnose(RunReader(m_run->directory()).open().value());
}

void TestHangDetails::itsStepAndLastLineAndStacksAreTold()
{
    m_run->dump(6, "rank 6, process 1006\n\n#0  0x1 in all_reduce\n");
    const Verdict told = verdict();
    QVERIFY(told.isHang);
    QCOMPARE(told.rank, Rank(6));
    QVERIFY(told.step == 20);
    QCOMPARE(told.evidence.front().text, u"step 20/1000 loss: 0.5"_s);
    QCOMPARE(told.evidence.front().line, 2);
    QCOMPARE(told.evidence.front().file, m_run->plan().processes[6].logFile);
    QCOMPARE(told.lastLines.size(), 2);
    QCOMPARE(told.stacks.constLast(), u"#0  0x1 in all_reduce"_s);
}

void TestHangDetails::stacksInItsLogAreNotItsLastWords()
{
    m_run->print(6, "Thread 0x00007f12 (most recent call first):\n  File \"loader.py\", line 9 in wait\n\n"
                    "Current thread 0x00007f13 (most recent call first):\n"
                    "  File \"train.py\", line 5 in all_reduce\n  File \"train.py\", line 9 in <module>\n");
    const Verdict told = verdict();
    QVERIFY(told.isHang && told.step == 20);
    QCOMPARE(told.evidence.front().text, u"step 20/1000 loss: 0.5"_s);
    QCOMPARE(told.lastLines.size(), 2);
}

void TestHangDetails::whatItSaysWhenItIsEndedIsNotItsLastWord()
{
    constexpr qint64 silentMs = 30'000;
    const QFileInfo log(m_run->plan().processes[6].logFile);
    const qint64 before = log.size();
    m_run->print(6, "SIGTERM received, rank 6 ends\n");
    const qint64 failed = QDateTime::currentMSecsSinceEpoch();
    const QString folder = growthFolder(m_run->directory(), m_run->plan(), 0);
    QVERIFY(QDir().mkpath(folder));
    QFile marks(marksFile(folder, 6, false));
    QVERIFY(marks.open(QIODevice::WriteOnly));
    for (const qint64 value : {failed - silentMs, before, failed + 1, QFileInfo(log.filePath()).size()}) {
        const qint64 bytes = qToLittleEndian(value);
        marks.write(reinterpret_cast<const char *>(&bytes), sizeof bytes);
    }
    marks.close();
    const Verdict told =
        verdict({ExitStatus::Kind::Signalled, SIGTERM}, QDateTime::fromMSecsSinceEpoch(failed));
    QVERIFY(told.isHang && told.step == 20);
    QCOMPARE(told.evidence.front().text, u"step 20/1000 loss: 0.5"_s);
    QCOMPARE(told.lastLines.size(), 2);
    QCOMPARE(told.silentSeconds, std::optional<qint64>(silentMs / 1000));
}

void TestHangDetails::whyThereAreNoStacksIsTold()
{
    const QString why = u"No stacks of rank 6: nothing may look into it."_s;
    m_run->dumpNothing(6, why);
    const Verdict told = verdict();
    QVERIFY(told.stacks.isEmpty());
    QVERIFY(textsOf(told.notes).contains(why));
}

void TestHangDetails::aRankThatEndsWellWhenAskedToHungToo()
{
    QVERIFY(verdict({ExitStatus::Kind::Exited, 0}).isHang);
}

void TestHangDetails::aRankThatASignalHadStoppedWasPaused()
{
    QVERIFY(!verdict().isPaused);
    init();
    m_run->hold(6, Hold::Traced);
    QVERIFY(!verdict().isPaused);
    init();
    m_run->hold(6, Hold::Suspended);
    const Verdict told = verdict();
    QVERIFY(told.isHang && told.isPaused);
    QVERIFY2(verdictTitle(told).text().startsWith("Rank 6 was paused (SIGSTOP); "_L1),
             qPrintable(verdictTitle(told).text()));
}

/// Stacks of rank 6, as one of the tools writes them, with its main thread there.
static QByteArray stacksAt(const QByteArray &frames)
{
    return "rank 6, process 1006 (python3), a tool, host, 2024-01-01T12:00:00\n\n"
           "Thread 0x0000000000000bbb (most recent call first):\n"
           "  File \"/usr/lib/python3.11/threading.py\", line 355 in wait\n\n"
           "Thread 0x0000000000000aaa (most recent call first):\n" +
           frames;
}

const QByteArray inCollective =
    stacksAt("  File \"/v/site-packages/torch/distributed/distributed_c10d.py\", line 3120 in "
             "all_reduce\n"
             "  File \"/work/train.py\", line 8 in step\n"
             "  File \"/work/train.py\", line 9 in <module>\n");

void TestHangDetails::aStallIsAVerdict_data()
{
    QTest::addColumn<QString>("named");
    QTest::addColumn<QByteArray>("stacks");
    QTest::addColumn<int>("rank");
    QTest::addColumn<QString>("headline");
    QTest::addColumn<QString>("reason");
    const QString sentence = u"All ranks have been silent since 12:00:00."_s;
    const QString none = u"The run stands still"_s;
    const QString six = u"Rank 6 hung at step 20"_s;
    const QByteArray loader = "  File \"/work/data.py\", line 4 in read\n"
                              "  File \"/work/train.py\", line 7 in <module>\n";
    const QByteArray worker = "  File \"/usr/lib/python3.11/queue.py\", line 4 in get\n"
                              "  File \"/v/site-packages/torch/utils/data/dataloader.py\", line 7 in next\n";
    QTest::newRow("none stands out") << QString() << inCollective << -1 << none << sentence;
    QTest::newRow("no stacks") << QString() << QByteArray() << -1 << none << sentence;
    QTest::newRow("silent first") << u"6"_s << inCollective << 6 << six << sentence;
    QTest::newRow("several were") << u"5-6"_s << inCollective << -1 << none << sentence;
    QTest::newRow("in no collective") << QString() << stacksAt(loader) << 6 << six
                                      << u"Rank 6 is in none of the collectives in which the others wait."_s;
    QTest::newRow("its loader's worker")
        << QString()
        << "rank 6, process 1006 (python3), a tool\n\nThread 0xa (most recent call first):\n" + worker +
               "\nrank 6, process 1016 (python3), a tool\n\nThread 0xb (most recent call first):\n"
               "  File \"/work/data.py\", line 4 in read\n"
               "  File \"/v/site-packages/torch/utils/data/_utils/worker.py\", line 9 in _worker_loop\n" +
               loader
        << 6 << six << u"Rank 6 is in none of the collectives in which the others wait."_s;
    QTest::newRow("in another collective")
        << QString() << QByteArray(inCollective).replace("line 8 in step", "line 6 in check") << 6 << six
        << u"Rank 6 stood in /work/train.py, line 6, in check, the others elsewhere."_s;
}

void TestHangDetails::aStallIsAVerdict()
{
    QFETCH(QString, named);
    QFETCH(QByteArray, stacks);
    QFETCH(int, rank);
    QMap<int, qint64> silences;
    for (int process = 0; process < 8; ++process)
        silences.insert(process, 1'704'110'400'000);
    m_run->stall(u"All ranks have been silent since 12:00:00."_s, silences, named);
    for (int process = 0; process < 8 && !stacks.isEmpty(); ++process)
        m_run->dump(process, process == 6 ? stacks : inCollective);
    const auto told = [this] {
        return diagnose(RunReader(m_run->directory()).open().value());
    };
    const Verdict live = told();
    m_run->stop();
    const Verdict stopped = told();
    for (const Verdict &verdict : {live, stopped}) {
        QCOMPARE(verdict.rank, Rank(rank));
        QCOMPARE(verdict.isHang, rank >= 0);
        QCOMPARE(verdict.rule, u"stalled"_s);
        QTEST(verdict.reason.text(), "reason");
        QFETCH(QString, headline);
        QVERIFY2(verdictTitle(verdict).text().startsWith(headline), qPrintable(verdictTitle(verdict).text()));
        QVERIFY(!verdict.advice.isEmpty());
        QCOMPARE(verdict.stacks.isEmpty(), rank < 0);
        const bool isInLoader = stacks.contains("data.py");
        QVERIFY(!isInLoader || verdict.frame == std::optional(PythonFrame{u"/work/data.py"_s, 4, u"read"_s}));
    }
}

void TestHangDetails::aStallThatWasOverOrEndedInAFailureIsNone()
{
    m_run->stall(u"All are silent."_s, {{0, 1'704'110'400'000}});
    m_run->endStall(u"They go on."_s);
    m_run->stop();
    QVERIFY(!diagnose(RunReader(m_run->directory()).open().value()).hasFailure);
    init();
    m_run->stall(u"All are silent."_s, {{0, 1'704'110'400'000}}, u"0"_s);
    QCOMPARE(verdict().rank, Rank(6));
}

void TestHangDetails::whoIsPausedInAStallIsToldHowToGoOn()
{
    m_run->stall(u"Rank 6 has been paused."_s, {{0, 1'704'110'400'000}}, u"6"_s);
    m_run->hold(6, Hold::Suspended);
    const auto told = [this] {
        return diagnose(RunReader(m_run->directory()).open().value());
    };
    const Verdict live = told();
    m_run->stop();
    const Verdict stopped = told();
    for (const Verdict &verdict : {live, stopped}) {
        QCOMPARE(verdictTitle(verdict).text(), u"Rank 6 was paused (SIGSTOP)"_s);
        QVERIFY(verdict.advice.text().contains("kill -CONT"_L1));
    }
}

} // namespace tst_hangdetails

RANKDECK_TEST(tst_hangdetails, TestHangDetails)
#include "tst_hangdetails.moc"
