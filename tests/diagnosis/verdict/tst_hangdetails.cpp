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

} // namespace tst_hangdetails

RANKDECK_TEST(tst_hangdetails, TestHangDetails)
#include "tst_hangdetails.moc"
