#include "diagnosis/verdict/keptverdict.h"
#include "diagnosis/verdict/verdicttext.h"
#include "run/record/runcatalog.h"
#include "run/record/runreader.h"
#include "support/recordedrun.h"
#include "support/testmain.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_keptverdict
{

using namespace rankdeck;

class TestKeptVerdict : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyReaderGetsTheOneThatIsKept();
    void theListNamesIt();
    void aRunThatGoesOnKeepsNone();
    void oneOfAnotherVersionIsFoundAnew();
    void oneInAnotherLanguageIsNotKept();
    void nothingIsWrittenWhereNoRunIs();
    void aCancelledOneIsNotKept();

private:
    RunState failedRun();

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<RecordedRun> m_run;
};

void TestKeptVerdict::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_home->path().toUtf8());
    m_run = std::make_unique<RecordedRun>();
    m_run->startAll();
}

void TestKeptVerdict::cleanup()
{
    qunsetenv("XDG_STATE_HOME");
}

RunState TestKeptVerdict::failedRun()
{
    m_run->print(3, "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n"
                    "ValueError: bad value\n");
    m_run->fail(3, {ExitStatus::Kind::Exited, 1});
    for (int process = 0; process < 8; ++process) {
        if (process != 3)
            m_run->exit(process, {ExitStatus::Kind::Signalled, SIGTERM});
    }
    m_run->finish(RunPhase::Failed, 1);
    return RunReader(m_run->directory()).open().value();
}

void TestKeptVerdict::everyReaderGetsTheOneThatIsKept()
{
    const RunState state = failedRun();
    QVERIFY(!keptVerdict(state));
    const Verdict first = verdictOf(state);
    QCOMPARE(verdictTitle(first), u"Rank 3 failed first: ValueError: bad value"_s);
    QVERIFY(keptVerdict(state) == first);
    // The logs may be gone by now.
    QVERIFY(QFile::remove(state.plan->processes[3].logFile));
    QVERIFY(verdictOf(state) == first);
}

void TestKeptVerdict::theListNamesIt()
{
    const RunState state = failedRun();
    RunSummaries summaries;
    QCOMPARE(summaries.read().constFirst().verdict, QString());
    const Verdict verdict = verdictOf(state);
    QCOMPARE(summaries.read().constFirst().verdict, verdictTitle(verdict));
}

void TestKeptVerdict::aRunThatGoesOnKeepsNone()
{
    m_run->print(3, "ValueError: bad value\n");
    m_run->fail(3, {ExitStatus::Kind::Exited, 1});
    const RunState state = RunReader(m_run->directory()).open().value();
    QVERIFY(isLive(state.phase));
    QVERIFY(verdictOf(state).hasFailure);
    QVERIFY(!QFile::exists(verdictPath(m_run->directory())));
}

void TestKeptVerdict::oneOfAnotherVersionIsFoundAnew()
{
    const RunState state = failedRun();
    const Verdict verdict = verdictOf(state);
    QFile file(verdictPath(state.directory));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    file.close();
    QVERIFY(text.contains("\"rankdeck\": \""));
    text.replace("\"rankdeck\": \"", "\"rankdeck\": \"0").replace("bad value", "stale");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    QVERIFY(!keptVerdict(state));
    QVERIFY(verdictOf(state) == verdict);
    QVERIFY(keptVerdict(state) == verdict);
}

void TestKeptVerdict::oneInAnotherLanguageIsNotKept()
{
    const RunState state = failedRun();
    QLocale::setDefault(QLocale(QLocale::Chinese));
    QVERIFY(verdictOf(state).hasFailure);
    QVERIFY(!QFile::exists(verdictPath(state.directory)));
    judgeRun(state);
    QVERIFY(!keptVerdict(state));
    QLocale::setDefault(QLocale::c());
    QVERIFY(keptVerdict(state));
}

void TestKeptVerdict::nothingIsWrittenWhereNoRunIs()
{
    RunState state = failedRun();
    const QTemporaryDir foreign;
    state.directory = foreign.path();
    QVERIFY(verdictOf(state).hasFailure);
    QVERIFY(QDir(foreign.path()).isEmpty());
}

void TestKeptVerdict::aCancelledOneIsNotKept()
{
    const RunState state = failedRun();
    verdictOf(state, [] { return true; });
    judgeRun(state, [] { return true; });
    QVERIFY(!QFile::exists(verdictPath(state.directory)));
}

} // namespace tst_keptverdict

RANKDECK_TEST(tst_keptverdict, TestKeptVerdict)
#include "tst_keptverdict.moc"
