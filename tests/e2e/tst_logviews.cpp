#include "base/json.h"
#include "run/record/growthmarks.h"
#include "run/record/runphase.h"
#include "support/programs.h"
#include "support/recordedrun.h"
#include "support/testmain.h"

#include <QtEndian>

#include <memory>

#include <fcntl.h>
#include <unistd.h>

namespace tst_logviews
{

using namespace rankdeck;

/// What rankdeckctl logs makes of the logs of several ranks: one time, chosen lines, alike ones folded.
class LogViewsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void logsAreMergedByTheirStamps();
    void logsWithoutStampsAreMergedByTheirGrowth();
    void alikeLinesAreFoldedAndTheOddOneStays();
    void linesAreChosen_data();
    void linesAreChosen();
    void aMergeIsFollowed();
    void aDirectoryOfLogsIsMergedToo();
    void eachLineIsAnObject();
    void foldedLinesNameTheirRanks();
    void aCommandThatPrintsObjectsPrintsItsErrorToo();
    void colorsAreForTerminals();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    Outcome logs(const QStringList &options) const
    {
        return ctl(QStringList{u"logs"_s, u"last"_s} + options);
    }
    /// The lines of a view, those of ranks as "<rank> text".
    static QByteArrayList shortened(const QByteArray &printed)
    {
        QByteArrayList lines;
        for (const QByteArray &line : linesOf(printed)) {
            const qsizetype rank = line.indexOf("rank-") + 5;
            lines << line.mid(rank, line.indexOf('-', rank) - rank) + ' ' + line.mid(line.indexOf("): ") + 3);
        }
        return lines;
    }
    /// At second `at` of the minute in which all of this happens.
    static QByteArray stamped(int at, const QByteArray &text)
    {
        return "2025-04-07 15:34:" + QByteArray::number(at).rightJustified(2, '0') + ",000 " + text + '\n';
    }

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<RecordedRun> m_run; ///< Of four ranks.
};

void LogViewsTest::init()
{
    m_run.reset();
    m_home = std::make_unique<TestHome>();
    m_run = std::make_unique<RecordedRun>(1, 4);
    m_run->startAll();
}

void LogViewsTest::logsAreMergedByTheirStamps()
{
    m_run->print(0, "begin\n" + stamped(1, "- INFO - a") + "more of a\n" + stamped(4, "d"));
    m_run->print(2, stamped(2, "b") + stamped(3, "- ERROR - c"));
    m_run->finish(RunPhase::Succeeded, 0);
    const Outcome merged = logs({u"--merge"_s});
    QCOMPARE(merged.err, QByteArray());
    QCOMPARE(shortened(merged.out),
             QByteArrayList({"0 begin", "0 2025-04-07 15:34:01,000 - INFO - a", "0 more of a",
                             "2 2025-04-07 15:34:02,000 b", "2 2025-04-07 15:34:03,000 - ERROR - c",
                             "0 2025-04-07 15:34:04,000 d"}));
    const Outcome ofTwo = logs({u"--merge"_s, u"--rank"_s, u"1,2"_s, u"--tail"_s, u"1"_s});
    QCOMPARE(shortened(ofTwo.out), QByteArrayList({"2 2025-04-07 15:34:03,000 - ERROR - c"}));
}

void LogViewsTest::logsWithoutStampsAreMergedByTheirGrowth()
{
    m_run->print(0, "a\nc\n");
    m_run->print(1, "b\n");
    const QString folder = growthFolder(m_run->directory(), m_run->plan(), 0);
    QVERIFY(QDir().mkpath(folder));
    const auto mark = [&](int process, qint64 time, qint64 size) {
        QFile marks(marksFile(folder, process, false));
        const std::array<qint64, 2> both{qToLittleEndian(time), qToLittleEndian(size)};
        if (!marks.open(QIODevice::Append) ||
            marks.write(reinterpret_cast<const char *>(both.data()), sizeof both) != sizeof both)
            qFatal("no marks");
    };
    mark(0, 1000, 2);
    mark(1, 2000, 2);
    mark(0, 3000, 4);
    m_run->finish(RunPhase::Succeeded, 0);
    QCOMPARE(shortened(logs({u"--merge"_s}).out), QByteArrayList({"0 a", "1 b", "0 c"}));
    QCOMPARE(logs({u"--since"_s, u"1970-01-03"_s}).out.size() > 0, false);
}

void LogViewsTest::alikeLinesAreFoldedAndTheOddOneStays()
{
    for (int rank = 0; rank < 4; ++rank) {
        const QByteArray pid = QByteArray::number(4000 + rank);
        m_run->print(rank, "[INFO] GE(" + pid + ",ffff,python):2025-04-07-15:34:01.00" +
                               QByteArray::number(rank) + ".000 [a.cc:1] F] start of " + pid + '\n');
        m_run->print(rank, stamped(2, rank == 3 ? "loss nan" : "loss 2.0") + stamped(3, "step done"));
    }
    m_run->print(1, stamped(4, "only here"));
    m_run->finish(RunPhase::Succeeded, 0);
    QCOMPARE(linesOf(logs({u"--fold"_s}).out),
             QByteArrayList({"ranks 0-3: [INFO] GE(4000,ffff,python):2025-04-07-15:34:01.000.000 [a.cc:1] F] "
                             "start of 4000",
                             "all except 3: 2025-04-07 15:34:02,000 loss 2.0",
                             "rank 3: 2025-04-07 15:34:02,000 loss nan",
                             "ranks 0-3: 2025-04-07 15:34:03,000 step done",
                             "rank 1: 2025-04-07 15:34:04,000 only here"}));
}

void LogViewsTest::linesAreChosen_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArrayList>("lines");
    const auto row = [](const char *options, const QByteArrayList &lines) {
        QTest::newRow(options) << QString::fromLatin1(options).split(' '_L1) << lines;
    };
    row("--grep loss", {"loss 1", "loss nan"});
    row("--grep l.*n --grep warm", {"warm up", "loss nan"});
    row("--grep loss --grep nan --all-match", {"loss nan"});
    row("--grep loss --exclude nan", {"loss 1"});
    row("--grep LOSS --ignore-case", {"loss 1", "loss nan"});
    row("--grep l.ss --fixed-strings", {});
    row("--level warning", {"slow", "failed", "why it failed"});
    row("--level error --merge", {"failed", "why it failed"});
    row("--since=2025-04-07T15:34:04", {"loss nan", "failed", "why it failed"});
    row("--since=2025-04-07T15:34:04 --grep f --tail 2", {"failed", "why it failed"});
}

void LogViewsTest::linesAreChosen()
{
    QFETCH(QStringList, options);
    m_run->print(0, "warm up\n" + stamped(1, "- INFO - loss 1") + stamped(2, "- WARNING - slow") +
                        stamped(4, "- INFO - loss nan") + stamped(5, "- ERROR - failed") + "why it failed\n");
    m_run->finish(RunPhase::Succeeded, 0);
    const Outcome chosen = logs(QStringList{u"--rank"_s, u"0"_s} + options);
    QCOMPARE(chosen.err, QByteArray());
    QByteArrayList texts;
    for (const QByteArray &line : linesOf(chosen.out))
        texts << line.mid(line.lastIndexOf("- ") < 0 ? 0 : line.lastIndexOf("- ") + 2);
    QTEST(texts, "lines");
}

void LogViewsTest::aMergeIsFollowed()
{
    QProcess follower;
    follower.start(buildPath("bin/rankdeckctl"),
                   {u"logs"_s, u"last"_s, u"--merge"_s, u"--follow"_s, u"--exclude"_s, u"noise"_s});
    QByteArray printed;
    const auto reads = [&](const QByteArray &text) {
        printed += follower.readAllStandardOutput();
        return printed.contains(text);
    };
    m_run->print(1, stamped(1, "a") + stamped(1, "noise"));
    QTRY_VERIFY_WITH_TIMEOUT(reads(" a\n"), 30000);
    m_run->print(0, stamped(2, "b") + "unfinished");
    QTRY_VERIFY_WITH_TIMEOUT(reads(" b\n"), 30000);
    m_run->finish(RunPhase::Succeeded, 0);
    QVERIFY(follower.waitForFinished(programLimitMs));
    printed += follower.readAllStandardOutput();
    QCOMPARE(shortened(printed),
             QByteArrayList({"1 2025-04-07 15:34:01,000 a", "0 2025-04-07 15:34:02,000 b", "0 unfinished"}));
}

void LogViewsTest::aDirectoryOfLogsIsMergedToo()
{
    QVERIFY(QDir().mkpath(m_home->path("logs")));
    for (int rank = 0; rank < 2; ++rank) {
        QFile log(m_home->path(u"logs/worker_%1.log"_s.arg(rank)));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write(stamped(2 - rank, QByteArray::number(rank)) + stamped(9, "end"));
    }
    const Outcome merged = ctl({u"logs"_s, u"--fold"_s, u"--open"_s, m_home->path("logs")});
    QCOMPARE(linesOf(merged.out),
             QByteArrayList({"rank 1: 2025-04-07 15:34:01,000 1", "rank 0: 2025-04-07 15:34:02,000 0",
                             "ranks 0,1: 2025-04-07 15:34:09,000 end"}));
}

void LogViewsTest::eachLineIsAnObject()
{
    m_run->keepErrorsApart();
    m_run->print(1, "begin\n" + stamped(1, "- ERROR - \x1b[31mno\x1b[0m"));
    m_run->finish(RunPhase::Succeeded, 0);
    const Outcome outcome = logs({u"--json"_s});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QByteArrayList lines = linesOf(outcome.out);
    QCOMPARE(lines.size(), 2);
    const auto begin = parseJson(lines[0]);
    const auto error = parseJson(lines[1]);
    QVERIFY(begin && error);
    QCOMPARE(*begin, (nlohmann::json{{"schema", 1},
                                     {"rank", 1},
                                     {"role", "worker"},
                                     {"stream", "stdout"},
                                     {"level", nullptr},
                                     {"time", nullptr},
                                     {"text", "begin"}}));
    QCOMPARE(error->at("level").get<QString>(), u"error"_s);
    const QDateTime time(QDate(2025, 4, 7), QTime(15, 34, 1));
    QCOMPARE(error->at("time").get<QString>(), time.toUTC().toString(Qt::ISODateWithMs));
    QVERIFY(error->at("text").get<QString>().endsWith("- ERROR - \x1b[31mno\x1b[0m"_L1));

    const Outcome attached = ctl({u"attach"_s, m_run->directory(), u"--json"_s});
    QCOMPARE(linesOf(attached.out), lines);
}

void LogViewsTest::foldedLinesNameTheirRanks()
{
    for (int rank = 0; rank < 3; ++rank)
        m_run->print(rank, stamped(1, "alike"));
    m_run->finish(RunPhase::Succeeded, 0);
    const auto line = parseJson(logs({u"--fold"_s, u"--json"_s}).out);
    QVERIFY(line);
    QCOMPARE(line->at("ranks"), nlohmann::json({0, 1, 2}));
    QCOMPARE(line->at("stream").get<QString>(), u"both"_s);
}

void LogViewsTest::aCommandThatPrintsObjectsPrintsItsErrorToo()
{
    for (const char *command : {"logs", "attach"}) {
        const Outcome outcome = ctl({QLatin1String(command), u"no-such-run"_s, u"--json"_s});
        QCOMPARE(outcome.code, 2);
        const auto object = parseJson(outcome.out);
        QVERIFY2(object && object->at("error").contains("what"), outcome.out.constData());
    }
    const Outcome both = logs({u"--json"_s, u"--raw"_s});
    QCOMPARE(both.code, 2);
    QVERIFY2(both.err.contains("--json: it goes neither with --raw nor with --color"), both.err.constData());
}

void LogViewsTest::colorsAreForTerminals()
{
    m_run->print(1, stamped(1, "- ERROR - no") + "\x1b[32mgreen\x1b[0m\n");
    m_run->finish(RunPhase::Succeeded, 0);
    const QStringList merge{u"--fold"_s, u"--grep"_s, u"."_s};
    const QByteArray plain = "rank 1: 2025-04-07 15:34:01,000 - ERROR - no\nrank 1: \x1b[32mgreen\x1b[0m\n";
    const QByteArray colored = "\x1b[32mrank 1: \x1b[0m\x1b[31m2025-04-07 15:34:01,000 - ERROR - no\x1b[0m\n"
                               "\x1b[32mrank 1: \x1b[0m\x1b[32mgreen\x1b[0m\x1b[0m\n";
    QCOMPARE(logs(merge).out, plain);
    QCOMPARE(logs(merge + QStringList{u"--color=always"_s}).out, colored);

    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    QVERIFY(terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
    const QString name = QString::fromLocal8Bit(::ptsname(terminal));
    const int kept = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY); // What was printed stays readable.
    QVERIFY(kept >= 0);
    const auto onTerminal = [&](const QStringList &options, const char *noColor) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        environment.insert(u"NO_COLOR"_s, QString::fromLatin1(noColor));
        process.setProcessEnvironment(environment);
        process.setStandardOutputFile(name);
        process.start(buildPath("bin/rankdeckctl"), QStringList{u"logs"_s, u"last"_s} + merge + options);
        if (!process.waitForFinished(programLimitMs))
            return QByteArray("not ended");
        QByteArray printed(4096, '\0');
        printed.resize(std::max<ssize_t>(0, ::read(terminal, printed.data(), size_t(printed.size()))));
        return printed.replace("\r\n", "\n");
    };
    QCOMPARE(onTerminal({}, ""), colored);
    QCOMPARE(onTerminal({}, "1"), plain);
    QCOMPARE(onTerminal({u"--color=never"_s}, ""), plain);
    ::close(kept);
    ::close(terminal);
}

void LogViewsTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *options, const char *said) {
        QTest::newRow(options) << QString::fromUtf8(options) << QString::fromUtf8(said);
    };
    row("--grep rank( --merge", "--grep rank(: the pattern is not a regular expression: missing )");
    row("--exclude [", "--exclude [: the pattern is not a regular expression");
    row("--grep=", "--grep: the pattern is empty");
    row("--level loud", "--level: \"loud\" is not a severity. Give debug");
    row("--since soon", "--since: \"soon\" is not a time. Give e.g.");
    row("--color=red", "--color: unknown colour choice \"red\"");
    row("--rank x", "--rank: \"x\" does not name ranks");
    row("--rank 0,4", "--rank: this run started no rank 4 here");
}

void LogViewsTest::wrongUseIsOneSentence()
{
    QFETCH(QString, options);
    QFETCH(QString, said);
    verifyOneSentence(logs(options.split(' '_L1)), said.toUtf8());
}

} // namespace tst_logviews

RANKDECK_TEST(tst_logviews, LogViewsTest)
#include "tst_logviews.moc"
