#include "base/times.h"
#include "run/record/journal.h"
#include "run/record/runcatalog.h"
#include "run/record/rundirectory.h"
#include "run/record/runreader.h"
#include "support/recordedrun.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <memory>

#include <sys/stat.h>

namespace tst_rundirectory
{

using namespace rankdeck;

class RunDirectoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<TestHome>(); }
    void directoriesAreTheUsersAlone();
    void aStateDirectoryThatCannotBeMadeIsNamedWithTheReason();
    void twoRunsOfOneSecondGetTwoNames();
    void aRecordRoundTrips();
    void aRunIsRebuiltFromItsFiles();
    void aTornLineIsReadOnceItIsWhole();
    void anOutlineSaysWhatAListNeeds();
    void aRunWhoseSupervisorIsGoneIsLost();
    void aRunWhoseJournalLacksItsEndIsTakenFromItsRecord();
    void aRunWhoseRecordCouldNotBeWrittenIsShownAsItIs();
    void aRunOfANewerVersionIsRefused();
    void runsAreFoundByPartsOfTheirNames();
    void theNewestOfOneSecondIsTheLast();
    void whatIsNoRunIsLeftOut();
    void aSocketDirectoryOfSomebodyElseIsRefused();

private:
    RunRecord record(const char *name = "train") const
    {
        RunRecord made;
        made.plan.name = QString::fromLatin1(name);
        made.plan.launcher = u"davincirun"_s;
        made.plan.rankTable.status = u"completed"_s;
        made.plan.processes.resize(2);
        return made;
    }
    QString makeRun(RunRecord made) const
    {
        const auto directory = createRunDirectory(made);
        return directory && !writeRunRecord(*directory, made) ? *directory : QString();
    }

    std::unique_ptr<TestHome> m_home;
};

void RunDirectoryTest::aStateDirectoryThatCannotBeMadeIsNamedWithTheReason()
{
    QFile file(m_home->path("a file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    qputenv("XDG_STATE_HOME", m_home->path("a file/state").toLocal8Bit());
    RunRecord made = record();
    QCOMPARE(createRunDirectory(made).error().what,
             u"cannot create the directory for runs: Not a directory"_s);
    QCOMPARE(makeNodeRunDirectory(u"run"_s).error().what,
             u"cannot create the directory for runs: Not a directory"_s);
    QCOMPARE(makeBundlesDirectory().error().what,
             u"cannot create the directory for bundles: Not a directory"_s);
}

void RunDirectoryTest::directoriesAreTheUsersAlone()
{
    RunRecord made = record();
    const auto directory = createRunDirectory(made);
    QVERIFY2(directory, qPrintable(directory.error().sentence()));
    const QString sockets = QFileInfo(made.socketPath).path();
    for (const QString &path : {*directory, sockets, QFileInfo(*directory).path()}) {
        struct stat info {
        };
        QCOMPARE(stat(QFile::encodeName(path).constData(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0700U);
    }
    QVERIFY(made.socketPath.size() <= 107);
}

void RunDirectoryTest::twoRunsOfOneSecondGetTwoNames()
{
    const QString first = makeRun(record());
    const QString second = makeRun(record());
    QVERIFY(!first.isEmpty() && !second.isEmpty());
    QVERIFY(first != second);
}

void RunDirectoryTest::aRecordRoundTrips()
{
    RunRecord made = record();
    made.supervisor = thisSupervisor();
    made.phase = RunPhase::Failed;
    made.ended = utcTime(1234567890123);
    made.exitCode = 3;
    Failure failure;
    failure.rank = Rank(3);
    failure.status = {ExitStatus::Kind::Exited, 3};
    failure.logTail = {u"中文"_s, QString()};
    made.failure = failure;
    const auto directory = createRunDirectory(made);
    QVERIFY(directory);
    QVERIFY(!writeRunRecord(*directory, made));
    const auto again = readRunRecord(*directory);
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(again->plan, made.plan);
    QCOMPARE(again->spec, made.spec);
    QVERIFY(again->supervisor == made.supervisor);
    QCOMPARE(again->phase, made.phase);
    QCOMPARE(again->ended, made.ended);
    QCOMPARE(again->exitCode, 3);
    QVERIFY(again->failure == made.failure);
}

void RunDirectoryTest::aRunIsRebuiltFromItsFiles()
{
    RunRecord made = record();
    made.supervisor = thisSupervisor();
    const QString directory = makeRun(made);
    Journal journal(directory);
    QVERIFY(journal.append(RunEvent::now(events::ProcessStarted{1, 77})));
    RunReader reader(directory);
    const auto state = reader.open();
    QVERIFY2(state, qPrintable(state.error().sentence()));
    QCOMPARE(state->phase, RunPhase::Running);
    QCOMPARE(state->ranks[1].pid, 77);
    QVERIFY(!reader.update());
}

void RunDirectoryTest::aTornLineIsReadOnceItIsWhole()
{
    RunRecord made = record();
    made.supervisor = thisSupervisor();
    const QString directory = makeRun(made);
    const QByteArray line = RunEvent::now(events::ProcessStarted{0}).toLine() + '\n';
    QFile journal(journalPath(directory));
    QVERIFY(journal.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    journal.write(line.left(20));
    RunReader reader(directory);
    QCOMPARE(reader.open()->phase, RunPhase::Starting);
    journal.write(line.mid(20));
    QVERIFY(reader.update());
    QCOMPARE(reader.state().phase, RunPhase::Running);
}

void RunDirectoryTest::anOutlineSaysWhatAListNeeds()
{
    RecordedRun run(2, 8, true, 2);
    run.startAll();
    run.fail(3, {ExitStatus::Kind::Exited, 7});
    run.finish(RunPhase::Failed, 7);
    const auto whole = readRunRecord(run.directory());
    const auto outline = readRunOutline(run.directory());
    QVERIFY(whole && outline);
    QCOMPARE(outline->name, whole->name);
    QCOMPARE(outline->phase, RunPhase::Failed);
    QCOMPARE(outline->created, whole->created);
    QCOMPARE(outline->ended, whole->ended);
    QCOMPARE(outline->exitCode, 7);
    QVERIFY(outline->supervisor == whole->supervisor);
    QVERIFY(outline->failure == whole->failure);
    QCOMPARE(outline->plan.name, u"train"_s);
    QCOMPARE(outline->plan.launcher, u"davincirun"_s);
    QCOMPARE(outline->plan.worldSize(), 16);
    QVERIFY(!readRunOutline(m_home->path("nothing")));
}

void RunDirectoryTest::aRunWhoseSupervisorIsGoneIsLost()
{
    RunRecord made = record();
    made.supervisor = thisSupervisor();
    made.supervisor->startTime += 1; // The same pid, but another process.
    made.phase = RunPhase::Running;
    RunReader reader(makeRun(made));
    const auto state = reader.open();
    QVERIFY(state);
    QCOMPARE(state->phase, RunPhase::Lost);
    QVERIFY(state->ended.isValid());
    const QList<RunSummary> runs = RunSummaries().read();
    QCOMPARE(runs.size(), 1);
    QCOMPARE(runs.first().phase, RunPhase::Lost);
}

void RunDirectoryTest::aRunWhoseJournalLacksItsEndIsTakenFromItsRecord()
{
    RunRecord made = record();
    made.supervisor = thisSupervisor();
    made.supervisor->startTime += 1;
    made.phase = RunPhase::Failed;
    made.exitCode = 9;
    made.ended = QDateTime::currentDateTimeUtc();
    RunReader reader(makeRun(made));
    const auto state = reader.open();
    QVERIFY(state);
    QCOMPARE(state->phase, RunPhase::Failed);
    QCOMPARE(state->exitCode, 9);
}

void RunDirectoryTest::aRunWhoseRecordCouldNotBeWrittenIsShownAsItIs()
{
    const QString directory = makeRun(record()); // As before its supervisor came up.
    RunSummaries runs;
    QCOMPARE(runs.read().constFirst().phase, RunPhase::Starting);
    QVERIFY(Journal(directory).append(RunEvent::now(events::Finished{RunPhase::Failed, 3})));
    QCOMPARE(runs.read().constFirst().phase, RunPhase::Failed);
    QCOMPARE(runs.read().constFirst().exitCode, 3);
}

void RunDirectoryTest::aRunOfANewerVersionIsRefused()
{
    const QString directory = makeRun(record());
    QFile file(directory + u"/run.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    file.close();
    text.replace("\"format\": 1", "\"format\": 2");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    const auto again = readRunRecord(directory);
    QVERIFY(!again);
    QVERIFY(again.error().what.contains("newer"_L1));
}

void RunDirectoryTest::runsAreFoundByPartsOfTheirNames()
{
    const QString alpha = makeRun(record("alpha"));
    const QString beta = makeRun(record("beta"));
    QCOMPARE(*findRun(u"alpha"_s), alpha);
    QCOMPARE(*findRun(QFileInfo(beta).fileName()), beta);
    QCOMPARE(*findRun(beta), beta);
    QVERIFY(!findRun(u"gamma"_s));
    QVERIFY(!findRun(QString()));
    // Both begin with the day.
    QVERIFY(findRun(QFileInfo(beta).fileName().left(4)).error().what.contains("several"_L1));
}

void RunDirectoryTest::theNewestOfOneSecondIsTheLast()
{
    for (const char *const name : {"b", "c", "a"}) {
        const qint64 before = QDateTime::currentMSecsSinceEpoch();
        QTRY_VERIFY(QDateTime::currentMSecsSinceEpoch() > before);
        const QString directory = makeRun(record(name));
        QCOMPARE(*findRun(u"last"_s), directory);
        QCOMPARE(RunSummaries().read().constFirst().directory, directory);
    }
}

void RunDirectoryTest::whatIsNoRunIsLeftOut()
{
    makeRun(record());
    QVERIFY(QDir(runsDirectory()).mkpath(u"zzz-not-a-run"_s));
    QCOMPARE(RunSummaries().read().size(), 1);
}

void RunDirectoryTest::aSocketDirectoryOfSomebodyElseIsRefused()
{
    // A link could lead into a directory of somebody else's making.
    QVERIFY(QFile::link(u"/tmp"_s, m_home->path("rankdeck")));
    const auto directory = socketDirectory();
    QVERIFY(!directory);
    QVERIFY(directory.error().what.contains("not a directory that you own"_L1));
}

} // namespace tst_rundirectory

RANKDECK_TEST(tst_rundirectory, RunDirectoryTest)
#include "tst_rundirectory.moc"
