#include "base/json.h"
#include "run/record/rundirectory.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <QDirIterator>

#include <memory>

#include <sys/stat.h>

namespace tst_pastruns
{

using namespace rankdeck;

/// What a user does with runs that are over.
class PastRunsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theListSaysHowEachRunEndedAndHowLongItTook();
    void theListIsFilteredByStateAndNumber();
    void aListThatCannotBeReadIsNoEmptyOne();
    void liveRunsStandFirst();
    void aRunIsLaunchedAgainInItsDirectory();
    void optionsWinOverThoseOfTheRunThatIsLaunchedAgain();
    void aDeletedRunIsGoneWithItsLogsInside();
    void logsElsewhereGoOnlyWhenAskedFor();
    void logsThatANewerRunOverwroteStay();
    void aLiveRunIsNotDeleted();
    void withoutATerminalDeletingNeedsYes();
    void nothingIsDeletedWhenOneOfTheRunsCannotBe();
    void aPipeInPlaceOfAnyFileHangsNothing_data();
    void aPipeInPlaceOfAnyFileHangsNothing();
    void oldRunsGoWhenARunEnds();
    void aKeepSettingIsShownAndChecked();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    static QStringList words(const char *text)
    {
        return QString::fromUtf8(text).split(' '_L1, Qt::SkipEmptyParts);
    }
    /// Two ranks that run `command`, launched in `folder`, with a port of their own.
    static Outcome launch(const QStringList &options, const QStringList &command, const QString &folder = {})
    {
        return ctl(words("processes --nproc 2 --quiet")
                       << u"--master-port=%1"_s.arg(freePort()) << options << u"--"_s << command,
                   folder);
    }
    static nlohmann::json list(const QStringList &options = {})
    {
        const Outcome outcome = ctl(words("list --json") << options);
        return parseJson(outcome.out).value_or(nlohmann::json::object()).value("runs", nlohmann::json());
    }

    static QStringList names()
    {
        QStringList all;
        for (const nlohmann::json &run : list())
            all << QString::fromStdString(run["name"].get<std::string>()).section('-'_L1, 2);
        return all;
    }

    std::unique_ptr<TestHome> m_home;
};

void PastRunsTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("XDG_CONFIG_HOME", m_home->path("config").toLocal8Bit());
}

void PastRunsTest::theListSaysHowEachRunEndedAndHowLongItTook()
{
    QCOMPARE(launch({}, {u"sh"_s, u"-c"_s, u"exit 3"_s}).code, 3);
    const nlohmann::json runs = list();
    QCOMPARE(runs.size(), std::size_t(1));
    QVERIFY(runs[0]["state"] == "failed");
    QVERIFY(runs[0]["exit_code"] == 3);
    const int seconds = runs[0]["duration_s"].get<int>();
    QVERIFY(seconds >= 0 && seconds < 60);
    const QList<QByteArray> table = linesOf(ctl(words("list")).out);
    QCOMPARE(table.size(), 2);
    QVERIFY2(table[0].contains("DURATION"), table[0].constData());
    QVERIFY2(table[1].contains("failed     3      2   0:00:"), table[1].constData());
}

void PastRunsTest::theListIsFilteredByStateAndNumber()
{
    launch({}, {u"true"_s});
    launch({}, {u"false"_s});
    QCOMPARE(list().size(), std::size_t(2));
    QCOMPARE(list(words("--limit 1")).size(), std::size_t(1));
    QCOMPARE(list(words("--state failed")).size(), std::size_t(1));
    QCOMPARE(list(words("--state failed,succeeded")).size(), std::size_t(2));
    QCOMPARE(list(words("--state failed --state ended")).size(), std::size_t(2));
    QCOMPARE(list(words("--state live")).size(), std::size_t(0));
    const Outcome none = ctl(words("list --state live"));
    QCOMPARE(none.code, 0);
    QCOMPARE(none.err, QByteArray("There are no such runs.\n"));
}

void PastRunsTest::aListThatCannotBeReadIsNoEmptyOne()
{
    QVERIFY(ctl(words("list")).err.contains("There are no runs yet."));
    QVERIFY(QDir().mkpath(QFileInfo(runsDirectory()).path()));
    QFile inItsPlace(runsDirectory());
    QVERIFY(inItsPlace.open(QIODevice::WriteOnly));
    for (const char *command : {"list", "report last"}) {
        const Outcome outcome = ctl(words(command));
        QCOMPARE(outcome.code, command == QByteArray("list") ? 1 : 2);
        QVERIFY2(outcome.err.contains("the runs cannot be listed: Not a directory"), outcome.err.constData());
        QVERIFY2(outcome.err.contains(QFile::encodeName(runsDirectory())), outcome.err.constData());
    }
}

void PastRunsTest::liveRunsStandFirst()
{
    launch(words("--name aaa --detach"), words("sleep 1000"));
    launch(words("--name zzz"), {u"true"_s});
    const nlohmann::json runs = list();
    QCOMPARE(runs.size(), std::size_t(2));
    QVERIFY(QString::fromStdString(runs[0]["name"].get<std::string>()).endsWith("aaa"_L1));
    QVERIFY(!runs[0].contains("exit_code"));
    QCOMPARE(ctl(words("stop --kill aaa")).code, 0);
    QTRY_VERIFY(processesOf(m_home->path("state")).isEmpty());
}

void PastRunsTest::aRunIsLaunchedAgainInItsDirectory()
{
    QVERIFY(QDir().mkpath(m_home->path("work")));
    const QStringList command{u"sh"_s, u"-c"_s, u"pwd; exit 4"_s};
    QCOMPARE(launch({u"--name=first"_s}, command, m_home->path("work")).code, 4);
    const Outcome again = ctl(words("run --again first --name=second"), m_home->path(""));
    QVERIFY2(again.code == 4, again.err.constData());
    // The other rank may be ended before it prints.
    QVERIFY(again.out.contains(QFile::encodeName(m_home->path("work")) + '\n'));
    QCOMPARE(list().size(), std::size_t(2));
    const Outcome plan = ctl(words("plan run --again second"));
    QVERIFY2(plan.out.startsWith("processes: 2 processes"), plan.err.constData());
}

void PastRunsTest::optionsWinOverThoseOfTheRunThatIsLaunchedAgain()
{
    launch({u"--env=A=1"_s, u"--log-dir"_s, m_home->path("logs")}, {u"true"_s});
    // torch's rule, which holds for a run that is launched again as well.
    const Outcome full = ctl(words("run --again last"));
    QCOMPARE(full.code, 2);
    QVERIFY2(full.err.contains("logs"), full.err.constData());
    const Outcome again = ctl(words("run --again last --quiet --log-dir")
                              << m_home->path("more") << words("sh -c") << u"echo A is $A"_s);
    QVERIFY2(again.code == 0, again.err.constData());
    QCOMPARE(fileText(m_home->path("more/0/stdout.log")), QByteArray("A is 1\n"));
}

void PastRunsTest::aDeletedRunIsGoneWithItsLogsInside()
{
    launch({u"--name=one"_s}, {u"true"_s});
    launch({u"--name=two"_s}, {u"true"_s});
    const QString directory = *findRun(u"one"_s);
    QVERIFY(QFile::exists(directory + u"/logs/0/stdout.log"_s));
    const Outcome dry = ctl(words("delete one --dry-run"));
    QCOMPARE(dry.code, 0);
    QVERIFY(QFile::exists(directory));
    const Outcome deleted = ctl(words("delete one --yes"));
    QVERIFY2(deleted.code == 0, deleted.err.constData());
    QCOMPARE(deleted.out.trimmed(), QFile::encodeName(QFileInfo(directory).fileName()));
    QVERIFY(!QFile::exists(directory));
    QCOMPARE(names(), QStringList{u"two"_s});
    QVERIFY(QDir(runsDirectory()).entryList({u".deleted*"_s}, QDir::Dirs | QDir::Hidden).isEmpty());
    QCOMPARE(ctl(words("delete one --yes")).code, 2);
}

void PastRunsTest::logsElsewhereGoOnlyWhenAskedFor()
{
    const QStringList options{u"--log-dir"_s, m_home->path("logs")};
    const QStringList command{u"echo"_s, u"hello"_s};
    launch(options, command);
    QCOMPARE(ctl(words("delete last --yes")).code, 0);
    QCOMPARE(fileText(m_home->path("logs/0/stdout.log")), QByteArray("hello\n"));

    QVERIFY(QDir(m_home->path("logs")).removeRecursively());
    launch(options, command);
    QFile own(m_home->path("logs/1/notes.txt"));
    QVERIFY(own.open(QIODevice::WriteOnly));
    const Outcome shown = ctl(words("delete last --logs --dry-run"));
    QVERIFY2(shown.out.contains("logs/0/stdout.log"), shown.err.constData());
    QVERIFY2(!shown.out.contains("notes.txt"), shown.out.constData());
    QCOMPARE(ctl(words("delete last --logs --yes")).code, 0);
    QVERIFY(!QFile::exists(m_home->path("logs/0")));
    QVERIFY(!QFile::exists(m_home->path("logs/1/stdout.log")));
    QVERIFY(QFile::exists(m_home->path("logs/1/notes.txt")));
}

void PastRunsTest::logsThatANewerRunOverwroteStay()
{
    QFile script(m_home->path("train.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("print('trained')\n");
    script.close();
    QStringList runs;
    for (int run = 0; run < 2; ++run) {
        const Outcome outcome = ctl(words("msrun --worker_num=1 --local_worker_num=1 --grace=1")
                                    << u"--master_port=%1"_s.arg(freePort()) << u"--log_dir"_s
                                    << m_home->path("logs") << script.fileName());
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        runs << QString::fromUtf8(outcome.out.trimmed());
        QCOMPARE(ctl({u"wait"_s, runs.last()}).code, 0);
    }
    const Outcome older = ctl({u"delete"_s, runs.first(), u"--logs"_s, u"--yes"_s});
    QVERIFY2(older.code == 0, older.err.constData());
    QVERIFY(QFile::exists(m_home->path("logs/worker_0.log")));
    QCOMPARE(ctl({u"delete"_s, runs.last(), u"--logs"_s, u"--yes"_s}).code, 0);
    QVERIFY(!QFile::exists(m_home->path("logs/worker_0.log")));
}

void PastRunsTest::aLiveRunIsNotDeleted()
{
    launch(words("--name live --detach"), words("sleep 1000"));
    const Outcome refused = ctl(words("delete live --yes"));
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("the run is live. Stop it first"), refused.err.constData());
    QCOMPARE(ctl(words("stop --kill live")).code, 0);
    QCOMPARE(ctl(words("delete live --yes")).code, 0);
    QVERIFY(names().isEmpty());
}

void PastRunsTest::withoutATerminalDeletingNeedsYes()
{
    launch({}, {u"true"_s});
    const Outcome outcome = ctl(words("delete last"));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("Give --yes"), outcome.err.constData());
    QCOMPARE(names().size(), 1);
}

void PastRunsTest::nothingIsDeletedWhenOneOfTheRunsCannotBe()
{
    launch({}, {u"true"_s});
    QCOMPARE(ctl(words("delete last nothing --yes")).code, 2);
    QCOMPARE(names().size(), 1);
}

void PastRunsTest::aPipeInPlaceOfAnyFileHangsNothing_data()
{
    QTest::addColumn<bool>("isLive");
    QTest::newRow("of a run that has ended") << false;
    QTest::newRow("of a live run") << true;
}

void PastRunsTest::aPipeInPlaceOfAnyFileHangsNothing()
{
    QFETCH(bool, isLive);
    const QStringList rank = words("sh -c")
                             << u"echo step 1; %1"_s.arg(isLive ? u"exec sleep 600"_s : u"exit $RANK"_s);
    QCOMPARE(launch(isLive ? words("--detach") : QStringList(), rank).code, isLive ? 0 : 1);
    const auto run = findRun(u"last"_s);
    QVERIFY(run);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(*run + u"/growth/0"_s), 20000);
    QCOMPARE(ctl(words("report last --json")).code,
             0); // The verdict of one that has ended is kept from now on.
    QStringList files;
    QDirIterator all(*run, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (all.hasNext())
        files << all.next();
    QCOMPARE(files.contains(*run + u"/verdict.json"_s), !isLive);
    QVERIFY(files.contains(*run + u"/growth/0"_s));
    for (const QString &file : std::as_const(files)) {
        // The supervisor of a live run may have removed it, or may write it again.
        QVERIFY2(QFile::rename(file, file + u".away"_s) || isLive, qPrintable(file));
        QVERIFY2(mkfifo(QFile::encodeName(file).constData(), 0600) == 0 || isLive, qPrintable(file));
        for (const char *command : {"list", "report last --json", "logs last --merge", "progress last"}) {
            const Outcome outcome = ctl(words(command));
            // -1: it was ended because it did not return.
            QVERIFY2(outcome.code >= 0 && outcome.code <= 2,
                     qPrintable(file + ": "_L1 + QLatin1String(command)));
        }
        QVERIFY((QFile::remove(file) && QFile::rename(file + u".away"_s, file)) || isLive);
    }
    if (isLive) {
        const Outcome stopped = ctl(words("stop last"));
        QVERIFY2(stopped.code == 0, stopped.err.constData());
        QTRY_VERIFY(processesOf(m_home->path(u"state"_s)).isEmpty());
    }
}

void PastRunsTest::oldRunsGoWhenARunEnds()
{
    launch({u"--name=old"_s}, {u"true"_s});
    launch({u"--name=young"_s}, {u"true"_s});
    QFile record(*findRun(u"old"_s) + u"/run.json"_s);
    QVERIFY(record.open(QIODevice::ReadWrite));
    auto json = parseJson(record.readAll());
    (*json)["ended"] = "2020-01-01T00:00:00.000Z";
    QVERIFY(record.resize(0) && record.seek(0));
    record.write(jsonText(*json));
    record.close();

    const Outcome dry = ctl(words("keep 30 --dry-run"));
    QVERIFY2(dry.out.endsWith("-old\n"), dry.err.constData());
    QCOMPARE(linesOf(dry.out).size(), 2);
    QVERIFY(ctl(words("keep 30000 --dry-run")).out.endsWith("no run would be deleted.\n"));
    launch({u"--name=kept"_s}, {u"true"_s});
    QTRY_VERIFY(processesOf(m_home->path("state")).isEmpty());
    QCOMPARE(names().size(), 3);

    QCOMPARE(ctl(words("keep 30")).code, 0);
    launch({u"--name=last"_s}, {u"true"_s});
    const auto sortedNames = [] {
        QStringList left = names();
        left.sort();
        return left;
    };
    QTRY_COMPARE(sortedNames(), (QStringList{u"kept"_s, u"last"_s, u"young"_s}));
}

void PastRunsTest::aKeepSettingIsShownAndChecked()
{
    QCOMPARE(ctl(words("keep")).out, QByteArray("Runs are kept forever.\n"));
    QCOMPARE(ctl(words("keep 7")).code, 0);
    QVERIFY(ctl(words("keep --json")).out.contains("\"keep_days\": 7"));
    QCOMPARE(ctl(words("keep forever")).code, 0);
    QCOMPARE(ctl(words("keep")).out, QByteArray("Runs are kept forever.\n"));

    QFile setting(m_home->path("config/rankdeck/runs.json"));
    QVERIFY(setting.open(QIODevice::WriteOnly));
    setting.write("{\"keep_days\": -1}");
    setting.close();
    launch({}, {u"true"_s});
    const Outcome outcome = ctl(words("keep --apply"));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("this does not set how long runs are kept"), outcome.err.constData());
    QCOMPARE(names().size(), 1);
}

void PastRunsTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *arguments, const char *said) {
        QTest::newRow(arguments) << QString::fromUtf8(arguments) << QString::fromUtf8(said);
    };
    row("list --state gone", "unknown state \"gone\"");
    row("list --limit 0", "--limit: \"0\" is not a whole number from 1 up");
    row("delete", "RUN is missing");
    row("keep soon", "\"soon\" is not a number of days");
    row("keep 0", "\"0\" is not a number of days");
    row("keep 3 --apply", "cannot be combined with anything else");
    row("run --again", "RUN is missing");
    row("run --again nothing", "unknown run");
}

void PastRunsTest::wrongUseIsOneSentence()
{
    QFETCH(QString, arguments);
    QFETCH(QString, said);
    const Outcome outcome = ctl(words(qPrintable(arguments)));
    verifyOneSentence(outcome, said.toUtf8());
}

} // namespace tst_pastruns

RANKDECK_TEST(tst_pastruns, PastRunsTest)
#include "tst_pastruns.moc"
