#include "base/json.h"
#include "bundle/openbundle.h"
#include "bundle/writebundle.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdicttext.h"
#include "run/record/growthmarks.h"
#include "run/record/runreader.h"
#include "run/samples/loadhistory.h"
#include "run/samples/nodehistory.h"
#include "support/programs.h"
#include "support/recordedrun.h"
#include "support/smalldisk.h"
#include "support/testmain.h"

#include <QDirIterator>
#include <QTest>

#include <sys/stat.h>

namespace tst_bundle
{

using namespace rankdeck;

/// What is written into a bundle, and what of it comes back.
class BundleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aFailedRunComesBack();
    void nothingOfItCanBeStartedHere();
    void secretsAreNowhere();
    void longLogsAreShortenedWithinTheBound();
    void evidenceIsWhereItSays();
    void theHistoryOfSamplesComesBack();
    void aLiveRunIsNotLiveHere();
    void aLogDirectoryComesBack();
    void whatItSaysIsShort();
    void itIsPrivateAndWhole();
    void aFullDiskLeavesWhatWasThere();
    void whatItWasUnpackedToGoesWithIt();

private:
    /// Rank 3 failed; the others were ended for it.
    static RunState failedRun(const RecordedRun &run) { return *RunReader(run.directory()).open(); }
    static void failThird(RecordedRun &run, const QByteArray &before = {});
    QString bundlePath() const { return m_home->path("b.tar.gz"); }
    /// All bytes that are in a bundle, file by file.
    static QMap<QString, QByteArray> contentOf(const QString &path);

    std::unique_ptr<TestHome> m_home;
};

void BundleTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("HOME", m_home->path("home").toLocal8Bit());
}

void BundleTest::failThird(RecordedRun &run, const QByteArray &before)
{
    run.startAll();
    for (int rank = 0; rank < 8; ++rank)
        run.print(rank, "rank " + QByteArray::number(rank) + " says hello\n");
    run.print(3, before + "Traceback (most recent call last):\n  File \"/w/train.py\", line 42, in <module>\n"
                          "    step()\nRuntimeError: loss is not a number\n");
    run.fail(3, {ExitStatus::Kind::Exited, 1});
    for (int rank = 0; rank < 8; ++rank) {
        if (rank != 3)
            run.exit(rank, {ExitStatus::Kind::Signalled, SIGTERM});
    }
    run.finish(RunPhase::Failed, 1);
}

QMap<QString, QByteArray> BundleTest::contentOf(const QString &path)
{
    const QTemporaryDir folder;
    if (const auto error = unpackArchive(path, folder.path()))
        qFatal("%s", qPrintable(error->sentence()));
    QMap<QString, QByteArray> content;
    QDirIterator files(folder.path(), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        content.insert(file.mid(folder.path().size() + 1), fileText(file));
    }
    return content;
}

void BundleTest::aFailedRunComesBack()
{
    RecordedRun run;
    failThird(run);
    const RunState state = failedRun(run);
    QVERIFY(QDir().mkpath(run.directory() + u"/stacks"_s));
    QFile stack(run.directory() + u"/stacks/rank-3.txt"_s);
    QVERIFY(stack.open(QIODevice::WriteOnly));
    stack.write("a stack\n");
    stack.close();
    QStringList logs;
    for (const ProcessPlan &process : state.plan->processes)
        logs << process.logFile;
    GrowthMarks(growthFolder(state.directory, *state.recordedPlan, 0), logs).mark();

    const Verdict verdict = diagnose(state);
    QCOMPARE(verdict.rank, Rank(3));
    QVERIFY(writeBundle(state, verdict, bundlePath()));
    const QStringList names = contentOf(bundlePath()).keys();
    for (const char *name : {"MANIFEST.txt", "bundle.json", "environment.txt", "growth/3", "journal.jsonl",
                             "logs/proc-rank-3-device-3.txt", "npu-smi.txt", "report.html", "report.txt",
                             "run.json", "stacks/rank-3.txt", "verdict.json", "versions.txt"})
        QVERIFY2(names.contains(QLatin1String(name)), name);

    QVERIFY(QDir(run.directory()).removeRecursively());
    const auto bundle = openBundle(bundlePath());
    QVERIFY2(bundle, qPrintable(bundle.error().sentence()));
    QCOMPARE(bundle->state.name, state.name);
    QCOMPARE(bundle->state.phase, RunPhase::Recorded);
    QCOMPARE(bundle->state.created, state.created);
    QCOMPARE(bundle->state.ended, state.ended);
    QCOMPARE(bundle->state.ranks.size(), size_t(8));
    QCOMPARE(bundle->state.ranks[3].phase, RankPhase::Failed);
    QCOMPARE(*bundle->state.ranks[3].status, (ExitStatus{ExitStatus::Kind::Exited, 1}));
    QCOMPARE(bundle->state.ranks[0].phase, RankPhase::Ended);
    QCOMPARE(bundle->state.ranks[0].pid, 1000);
    QCOMPARE(bundle->state.failure->rank, Rank(3));
    QCOMPARE(bundle->state.failure->logFile, bundle->state.plan->processes[3].logFile);
    QVERIFY(bundle->state.notes.first().contains("(run: failed)"_L1));
    QCOMPARE(fileText(bundle->state.plan->processes[5].logFile), QByteArray("rank 5 says hello\n"));
    QVERIFY(bundle->verdict);
    QCOMPARE(verdictTitle(*bundle->verdict), verdictTitle(verdict));
    QCOMPARE(bundle->verdict->process, verdict.process);
    QCOMPARE(bundle->verdict->groups, verdict.groups);
    QCOMPARE(bundle->verdict->exits, verdict.exits);
    QCOMPARE(bundle->verdict->frame, verdict.frame);
    QCOMPARE(bundle->verdict->trace, verdict.trace);
    QVERIFY(!verdict.trace.isEmpty());
    QCOMPARE(bundle->verdict->pid, verdict.pid);
    QCOMPARE(bundle->verdict->ending, u"exit code 1"_s);
    QCOMPARE(bundle->verdict->advice, verdict.advice);
    QCOMPARE(bundle->report, verdictText(verdict, state));
}

void BundleTest::nothingOfItCanBeStartedHere()
{
    RecordedRun run;
    failThird(run);
    auto record = readRunRecord(run.directory());
    QVERIFY(record);
    record->plan.transport = u"ssh"_s;
    record->plan.nodes = {{u"a"_s, u"a"_s}};
    record->plan.before.push_back(record->plan.processes.front());
    record->plan.files.push_back({m_home->path("evil"), "evil"});
    // It is in no bundle, and is nobody's business where it is opened.
    record->plan.processes[7].stderrFile = u"/etc/passwd-not-there"_s;
    QVERIFY(!writeRunRecord(run.directory(), *record));
    const RunState state = failedRun(run);
    QVERIFY(writeBundle(state, diagnose(state), bundlePath()));
    const auto bundle = openBundle(bundlePath());
    QVERIFY(bundle);
    const RunState &opened = bundle->state;
    QVERIFY(!opened.spec);
    QCOMPARE(opened.plan->transport, QString());
    QVERIFY(opened.plan->nodes.empty() && opened.plan->before.empty() && opened.plan->files.empty());
    for (const ProcessPlan &process : opened.plan->processes)
        QVERIFY(process.logFile.startsWith(bundle->directory->path() + '/'_L1));
    QVERIFY(opened.plan->processes[7].stderrFile.startsWith(bundle->directory->path()));
    QVERIFY(!hasRunRecord(opened.directory) ||
            readRunRecord(opened.directory)->socketPath != opened.directory);
}

void BundleTest::secretsAreNowhere()
{
    qputenv("INHERITED_TOKEN", "inherited-s3cret");
    RecordedRun run;
    auto record = readRunRecord(run.directory());
    QVERIFY(record);
    for (ProcessPlan &process : record->plan.processes) {
        process.setVariables = {{u"HF_TOKEN"_s, u"variable-s3cret"_s},
                                {u"http_proxy"_s, u"http://me:login-s3cret@proxy:80"_s},
                                {u"PLAIN"_s, u"seen"_s}};
        process.argv = {u"nothing"_s, u"--token=argument-s3cret"_s, u"--password"_s, u"word-s3cret"_s};
    }
    record->spec.environment.insert(u"DB_PASSWORD"_s, u"spec-s3cret"_s);
    QVERIFY(!writeRunRecord(run.directory(), *record));
    run.note(u"noted variable-s3cret"_s);
    failThird(run, "I print variable-s3cret, inherited-s3cret and https://u:url-s3cret@host\n"
                   "RuntimeError: argument-s3cret\n");
    // What fail() wrote is the plan without them.
    auto ended = readRunRecord(run.directory());
    ended->plan = record->plan;
    ended->spec = record->spec;
    ended->failure->logTail << u"word-s3cret"_s;
    QVERIFY(!writeRunRecord(run.directory(), *ended));
    const RunState state = failedRun(run);
    QCOMPARE(state.plan->processes[0].argv.size(), 4);

    const auto written = writeBundle(state, diagnose(state), bundlePath());
    QVERIFY2(written, qPrintable(written.error().sentence()));
    const QString pagePath = m_home->path("report.html");
    const auto page = writeReportPage(state, diagnose(state), pagePath);
    QVERIFY2(page, qPrintable(page.error().sentence()));
    qunsetenv("INHERITED_TOKEN");
    QVERIFY2(!fileText(pagePath).contains("s3cret"), fileText(pagePath).constData());
    QVERIFY(fileText(pagePath).contains("nothing '--token=***' --password '***'"));
    QVERIFY(page->maskedNames.contains(u"DB_PASSWORD"_s));
    QVERIFY(page->summary(pagePath).contains("were masked. Look at it"_L1));
    const auto content = contentOf(bundlePath());
    for (auto file = content.begin(); file != content.end(); ++file)
        QVERIFY2(!file->contains("s3cret"), qPrintable(file.key() + QString::fromUtf8(*file)));
    QVERIFY(content[u"environment.txt"_s].contains("HF_TOKEN=***\nPLAIN=seen\n"));
    QVERIFY(content[u"environment.txt"_s].contains("http_proxy=http://***@proxy:80\n"));
    QVERIFY(content[u"logs/proc-rank-3-device-3.txt"_s].contains("I print ***, *** and https://***@"));
    QVERIFY(content[u"MANIFEST.txt"_s].contains("\n  HF_TOKEN\n"));
    QVERIFY(written->maskedNames.contains(u"DB_PASSWORD"_s));
}

void BundleTest::longLogsAreShortenedWithinTheBound()
{
    RecordedRun run;
    failThird(run);
    QByteArray lines;
    for (int line = 0; lines.size() < 3 << 20; ++line)
        lines += QByteArray::number(line) + " is a line of some length\n";
    for (const int rank : {0, 1, 2, 3})
        run.print(rank, lines + "the end\n");
    const RunState state = failedRun(run);
    const Verdict verdict = diagnose(state);
    QCOMPARE(verdict.process, 3);
    BundleOptions options;
    options.maxBytes = 3'000'000;
    qint64 told = 0;
    options.progress = [&told](qint64 done, qint64 all) {
        told = done == all ? all : 0;
    };
    const auto written = writeBundle(state, verdict, bundlePath(), options);
    QVERIFY(written);
    QVERIFY(told > 12 << 20);
    QCOMPARE(written->shortenedFiles, 4);
    const auto content = contentOf(bundlePath());
    qint64 bytes = 0;
    for (const QByteArray &file : content)
        bytes += file.size();
    QVERIFY2(bytes <= options.maxBytes, qPrintable(QString::number(bytes)));
    QVERIFY2(bytes >= options.maxBytes * 3 / 4, qPrintable(QString::number(bytes)));
    const QByteArray &failedLog = content[u"logs/proc-rank-3-device-3.txt"_s];
    QVERIFY(failedLog.size() > 1'000'000);
    for (const char *name : {"logs/proc-rank-0-device-0.txt", "logs/proc-rank-3-device-3.txt"}) {
        const QByteArray &log = content[QLatin1String(name)];
        QVERIFY(log.startsWith("rank "));
        QVERIFY(log.endsWith("\nthe end\n"));
        QVERIFY(log.contains("lines) omitted here]\n"));
        QVERIFY(log.size() <= failedLog.size());
    }
    QVERIFY(content[u"MANIFEST.txt"_s].contains("logs/proc-rank-0-device-0.txt: "));
}

void BundleTest::evidenceIsWhereItSays()
{
    RecordedRun run;
    QByteArray lines;
    for (int line = 0; lines.size() < 3 << 20; ++line)
        lines += QByteArray::number(line) + " is a line of some length\n";
    failThird(run, lines);
    const RunState state = failedRun(run);
    const Verdict verdict = diagnose(state);
    QVERIFY(writeBundle(state, verdict, bundlePath()));
    const auto bundle = openBundle(bundlePath());
    QVERIFY(bundle && bundle->verdict);
    int seen = 0;
    for (const Verdict::Evidence &each : bundle->verdict->evidence) {
        if (each.line == 0)
            continue;
        ++seen;
        QCOMPARE(each.file, bundle->state.plan->processes[3].logFile);
        const QList<QByteArray> log = fileText(each.file).split('\n');
        QVERIFY(each.line <= log.size());
        QCOMPARE(QString::fromUtf8(log.at(each.line - 1)).trimmed(), each.text.trimmed());
    }
    QVERIFY(seen > 0);
}

void BundleTest::theHistoryOfSamplesComesBack()
{
    RecordedRun run;
    failThird(run);
    QDir(run.directory()).mkdir(u"samples"_s);
    NodeSample sample;
    sample.time = QDateTime::currentDateTimeUtc();
    sample.loads.insert(3, TreeLoad{1, 50 << 20, 99.0, {}, {}});
    QVERIFY(!LoadHistoryWriter(loadHistoryPath(run.directory(), 0)).add(sample));
    const RunState state = failedRun(run);
    QVERIFY(writeBundle(state, diagnose(state), bundlePath()));
    const auto bundle = openBundle(bundlePath());
    QVERIFY2(bundle, qPrintable(bundle.error().sentence()));
    const auto history = LoadHistory::read(loadHistoryPath(bundle->state.directory, 0));
    QVERIFY2(history, qPrintable(history.error().sentence()));
    QCOMPARE(history->moments.size(), 1);
    const QString line = u"Rank 3: at most 50 MB resident, 99 % of a processor on average"_s;
    QCOMPARE(textsOf(bundle->verdict->samples), QStringList{line});
    QVERIFY(bundle->report.contains(line));
}

void BundleTest::aLiveRunIsNotLiveHere()
{
    RecordedRun run;
    run.startAll();
    const RunState state = failedRun(run);
    QCOMPARE(state.phase, RunPhase::Running);
    QVERIFY(writeBundle(state, diagnose(state), bundlePath()));
    const auto bundle = openBundle(bundlePath());
    QVERIFY(bundle);
    QVERIFY(!isLive(bundle->state.phase));
    QVERIFY(!mayGrow(bundle->state.phase));
    QCOMPARE(bundle->state.count(RankPhase::Running), 0);
    QVERIFY(bundle->state.ended.isValid());
    QVERIFY(bundle->state.notes.first().contains("(run: running)"_L1));
}

void BundleTest::aLogDirectoryComesBack()
{
    QVERIFY(QDir().mkpath(m_home->path("logs/0")) && QDir().mkpath(m_home->path("logs/1")));
    const QMap<QString, QByteArray> logs{{u"logs/0/stdout.log"_s, "zero\n"},
                                         {u"logs/1/stdout.log"_s, "one\n"},
                                         {u"logs/1/stderr.log"_s, "ValueError: bad value\n"}};
    for (auto log = logs.begin(); log != logs.end(); ++log) {
        QFile file(m_home->path(log.key()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(*log), log->size());
    }
    const auto state = LogDirectory(m_home->path("logs")).open();
    QVERIFY(state);
    const Verdict verdict = diagnose(*state);
    QVERIFY(writeBundle(*state, verdict, bundlePath()));
    QVERIFY(QDir(m_home->path("logs")).removeRecursively());
    const auto bundle = openBundle(bundlePath());
    QVERIFY2(bundle, qPrintable(bundle.error().sentence()));
    QCOMPARE(bundle->state.plan->processes.size(), size_t(2));
    QCOMPARE(fileText(bundle->state.plan->processes[0].logFile), QByteArray("zero\n"));
    QCOMPARE(fileText(bundle->state.plan->processes[1].logFile), QByteArray("one\n"));
    QCOMPARE(fileText(bundle->state.plan->processes[1].stderrFile), QByteArray("ValueError: bad value\n"));
    QCOMPARE(verdictTitle(*bundle->verdict), verdictTitle(verdict));
}

void BundleTest::whatItSaysIsShort()
{
    RecordedRun run;
    run.startAll();
    run.fail(3, {ExitStatus::Kind::Signalled, SIGKILL, u"line\n"_s.repeated(100'000)});
    run.finish(RunPhase::Failed, 137);
    Verdict verdict = diagnose(failedRun(run));
    verdict.reason = Sentence(u"one\ntwo\x1b[2J "_s.repeated(100'000));
    verdict.trace = QStringList(100'000, u"line"_s);
    verdict.known.id = u"theirs"_s;
    verdict.known.commands = verdict.trace;
    QVERIFY(writeBundle(failedRun(run), verdict, bundlePath()));
    const auto bundle = openBundle(bundlePath());
    QVERIFY(bundle && bundle->verdict);
    const QString ending = bundle->state.ranks[3].status->outOfMemory;
    for (const QString &text : {bundle->verdict->reason.text(), ending}) {
        QVERIFY(!text.isEmpty() && text.size() <= 1000);
        QVERIFY(!text.contains('\n'_L1) && !text.contains(QChar(0x1b)));
    }
    QCOMPARE(bundle->verdict->trace.size(), 200);
    QCOMPARE(bundle->verdict->known.commands.size(), 20);
}

void BundleTest::itIsPrivateAndWhole()
{
    RecordedRun run;
    failThird(run);
    const RunState state = failedRun(run);
    const Verdict verdict = diagnose(state);
    const QString folder = m_home->path("out");
    QVERIFY(QDir().mkpath(folder));
    const QString path = folder + u"/b.tar.gz"_s;
    BundleOptions cancelled;
    cancelled.isCancelled = [] {
        return true;
    };
    QVERIFY(!writeBundle(state, verdict, path, cancelled));
    QVERIFY(QDir(folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));

    const mode_t before = umask(0);
    QVERIFY(writeBundle(state, verdict, path));
    QVERIFY(writeBundle(state, verdict, path)); // Replaced.
    umask(before);
    struct stat info {
    };
    QCOMPARE(stat(QFile::encodeName(path).constData(), &info), 0);
    QCOMPARE(info.st_mode & 0777, mode_t(0600));
    QCOMPARE(QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList{u"b.tar.gz"_s});

    const QString link = folder + u"/link.tar.gz"_s;
    QVERIFY(QFile::link(m_home->path("elsewhere"), link));
    const auto refused = writeBundle(state, verdict, link);
    QVERIFY(!refused && refused.error().sentence().contains("symbolic link"_L1));
    QVERIFY(!QFile::exists(m_home->path("elsewhere")));
    QVERIFY(!writeBundle(state, verdict, folder));
    QVERIFY(!writeBundle(state, verdict, m_home->path("nowhere/b.tar.gz")));
}

void BundleTest::aFullDiskLeavesWhatWasThere()
{
    const SmallDisk disk;
    if (!disk.isThere())
        QSKIP(smallDiskNeedsRoot);
    RecordedRun run;
    failThird(run);
    const RunState state = failedRun(run);
    QFile before(disk.path(u"b.tar.gz"_s));
    QVERIFY(before.open(QIODevice::WriteOnly));
    before.write("what was there");
    before.close();
    disk.fill();
    const auto written = writeBundle(state, diagnose(state), before.fileName());
    QVERIFY(!written);
    QVERIFY2(written.error().sentence().contains("No space left"_L1), qPrintable(written.error().sentence()));
    QCOMPARE(fileText(before.fileName()), QByteArray("what was there"));
    QCOMPARE(QDir(disk.path()).entryList(QDir::Files | QDir::Hidden).size(), 2); // And the filling.
}

void BundleTest::whatItWasUnpackedToGoesWithIt()
{
    RecordedRun run;
    failThird(run);
    const RunState state = failedRun(run);
    QVERIFY(writeBundle(state, diagnose(state), bundlePath()));
    QString place;
    {
        const auto bundle = openBundle(bundlePath());
        QVERIFY(bundle);
        place = bundle->directory->path();
        QVERIFY(place.startsWith(m_home->path("state/rankdeck/bundles/")));
        struct stat info {
        };
        QCOMPARE(stat(QFile::encodeName(place).constData(), &info), 0);
        QCOMPARE(info.st_mode & 0777, mode_t(0700));
    }
    QVERIFY(!QFile::exists(place));
}

} // namespace tst_bundle

RANKDECK_TEST(tst_bundle, BundleTest)
#include "tst_bundle.moc"
