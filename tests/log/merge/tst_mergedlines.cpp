#include "log/file/logfile.h"
#include "log/growingfile.h"
#include "log/line/ansidecoder.h"
#include "log/merge/mergedlines.h"
#include "support/testmain.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <deque>

#include <sys/resource.h>

namespace tst_mergedlines
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

constexpr int longMs = 30000;

/// A second of a minute, and what Python's logging writes then.
QByteArray said(int second, const char *level, const char *text)
{
    return "2025-04-07 15:34:" + QByteArray::number(second).rightJustified(2, '0') + ",000 - root - " +
           level + " - " + text + '\n';
}

LogTime at(int second)
{
    return logTimeOf(QDateTime(QDate(2025, 4, 7), QTime(15, 34, second)));
}

/// The last words of each line of a page; with its label before.
QByteArrayList wordsOf(const LogPage &page)
{
    QByteArrayList words;
    for (const QByteArray &line : page.lines) {
        const QString text = AnsiDecoder::plainText(line);
        const QString label = text.section(u" │ "_s, 0, -2).trimmed();
        const QString last = text.section(u" │ "_s, -1).section(u" - "_s, -1);
        words << (label.isEmpty() ? last : label + u": "_s + last).toUtf8();
    }
    return words;
}

} // namespace

/// Lines of several logs in one view, or some lines of one.
class TestMergedLines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_files.clear();
        m_lines.reset();
    }
    void logsBecomeOneInTheOrderOfTheirTime();
    void onlyTheWantedLinesAreThere();
    void linesAroundTheWantedOnesComeWithThem();
    void whatRanksPrintAlikeIsThereOnce();
    void whatIsPrintedMeanwhileComes();
    void logsThatComeAfterTheEndAreRead();
    void aLineOfAFileIsFoundInTheMerge();
    void marksStandAtTheirPlaces();
    void allMatchesAreCollected();
    void aLastLineWithoutAnEndComesAtTheEnd();
    void aCutLogBeginsAnew();
    void textErrorsAndTimesAreFound();
    void nothingIsFoundWhereNothingIs();
    void aLongLineIsCutAndItsLengthSaid();
    void theActivityOfEachLogIsTold();
    void aLogThatIsNotShownHasItsActivity();
    void activityFitsIntoItsSlots();
    void aBlockReadsLinesInBothDirections();
    void thousandsOfLogsNeedFewOpenFiles();

private:
    void open(MergedSpec spec)
    {
        for (std::size_t log = 0; log < m_files.size(); ++log)
            spec.logs.push_back({m_files[log].path(), u"rank %1"_s.arg(log), int(log), int(log)});
        m_lines = std::make_unique<MergedLines>(spec);
        m_lines->start();
    }
    LogPage all()
    {
        QSignalSpy pages(m_lines.get(), &LogLines::page);
        m_lines->request(LineNumber(0), 100000);
        return pages.takeLast().front().value<LogPage>();
    }
    /// -1: told that there is none.
    qint64 found(const std::function<void()> &ask)
    {
        QSignalSpy hits(m_lines.get(), &LogLines::found);
        QSignalSpy misses(m_lines.get(), &LogLines::notFound);
        ask();
        if (!QTest::qWaitFor([&] { return hits.size() + misses.size() > 0; }, longMs))
            return -2;
        return hits.isEmpty() ? -1 : hits.front().front().value<LineNumber>().value;
    }
    static MergedSpec only(const char *text, int context = 0)
    {
        MergedSpec spec;
        spec.filter = *LogFilter::create({{{{QString::fromLatin1(text), false}}}, LogSeverity::None, {}});
        spec.context = context;
        spec.isLabelled = false;
        return spec;
    }

    std::deque<GrowingFile> m_files;
    std::unique_ptr<MergedLines> m_lines;
};

void TestMergedLines::logsBecomeOneInTheOrderOfTheirTime()
{
    m_files.resize(2);
    m_files[0].append(said(1, "INFO", "a") + said(3, "INFO", "b"));
    m_files[1].append(said(2, "INFO", "c") + said(4, "INFO", "d"));
    open({});
    m_lines->finish();
    const LogPage page = all();
    QCOMPARE(wordsOf(page), QByteArrayList({"rank 0: a", "rank 1: c", "rank 0: b", "rank 1: d"}));
    QCOMPARE(page.totalLines, 4);
    QVERIFY(page.atEnd);
    QCOMPARE(page.origins[2].log, 0);
    QCOMPARE(page.origins[2].line, LineNumber(1));
    QCOMPARE(page.lines[2].mid(page.origins[2].labelBytes) + '\n', said(3, "INFO", "b"));
    QSignalSpy whole(m_lines.get(), &LogLines::wholeLine);
    m_lines->requestWhole(LineNumber(2));
    QCOMPARE(whole.front()[1].toByteArray() + '\n', said(3, "INFO", "b"));
    // The labels have the colours that the command line gives them.
    QVERIFY(page.lines[0].startsWith("\x1b[36mrank 0"));
    QVERIFY(page.lines[1].startsWith("\x1b[32mrank 1"));
}

void TestMergedLines::onlyTheWantedLinesAreThere()
{
    m_files.resize(1);
    m_files[0].append("one\ntwo needle\nthree\nfour needle\n");
    open(only("needle"));
    m_lines->finish();
    const LogPage page = all();
    QCOMPARE(page.lines, QByteArrayList({"two needle", "four needle"}));
    QCOMPARE(page.origins[1].line, LineNumber(3));
}

void TestMergedLines::linesAroundTheWantedOnesComeWithThem()
{
    m_files.resize(1);
    m_files[0].append("1\n2\n3 needle\n4\n5\n6\n7 needle\n8 needle\n9\n");
    open(only("needle", 1));
    m_lines->finish();
    QCOMPARE(all().lines, QByteArrayList({"2", "3 needle", "4", "6", "7 needle", "8 needle", "9"}));
}

void TestMergedLines::whatRanksPrintAlikeIsThereOnce()
{
    m_files.resize(4);
    for (std::size_t rank = 0; rank < m_files.size(); ++rank) {
        m_files[rank].append(said(1, "INFO", "ready"));
        if (rank == 2)
            m_files[rank].append(said(2, "ERROR", "odd"));
        m_files[rank].append(rank == 2 ? said(3, "INFO", "other") : said(3, "INFO", "done"));
    }
    MergedSpec spec;
    spec.isFolded = true;
    open(spec);
    m_lines->finish();
    QCOMPARE(wordsOf(all()),
             QByteArrayList({"ranks 0-3: ready", "rank 2: odd", "all except 2: done", "rank 2: other"}));
}

void TestMergedLines::logsThatComeAfterTheEndAreRead()
{
    m_files.resize(2);
    open({});
    QSignalSpy unreadable(m_lines.get(), &LogLines::unreadable);
    m_lines->finish();
    QCOMPARE(unreadable.size(), 1);
    QCOMPARE(all().totalLines, 0);
    QVERIFY(unreadable[0][0].toString().contains(m_files[0].path()));
    QSignalSpy restarted(m_lines.get(), &LogLines::restarted);
    m_lines->finish(); // Nothing is new.
    QCOMPARE(restarted.size(), 0);
    // They are copied from another node later.
    m_files[1].append(said(1, "INFO", "a"));
    m_lines->finish();
    QCOMPARE(restarted.size(), 1);
    QCOMPARE(wordsOf(all()), QByteArrayList({"rank 1: a"}));
    QCOMPARE(unreadable.constLast()[0].toString(), QString());
}

void TestMergedLines::aLineOfAFileIsFoundInTheMerge()
{
    m_files.resize(2);
    m_files[0].append(said(1, "INFO", "a") + said(3, "INFO", "b"));
    m_files[1].append(said(2, "INFO", "c") + said(4, "INFO", "d"));
    MergedSpec spec;
    spec.patience = {};
    open(spec);
    QCOMPARE(found([&] { m_lines->findOrigin(1, LineNumber(0)); }), 1);
    QCOMPARE(found([&] { m_lines->findOrigin(0, LineNumber(1)); }), 2);
    QCOMPARE(found([&] { m_lines->findOrigin(0, LineNumber(2)); }), -1);
    QCOMPARE(found([&] { m_lines->findOrigin(2, LineNumber(0)); }), -1);
    // A line that came a moment ago.
    m_files[1].append(said(5, "INFO", "e"));
    QCOMPARE(found([&] { m_lines->findOrigin(1, LineNumber(2)); }), 4);
}

void TestMergedLines::marksStandAtTheirPlaces()
{
    m_files.resize(2);
    m_files[0].append(said(1, "INFO", "a") + said(3, "INFO", "b"));
    m_files[1].append(said(2, "INFO", "c"));
    open({});
    m_lines->finish();
    const qint64 lineBytes = said(1, "INFO", "a").size();
    m_lines->setMarks(0, {{ByteOffset(lineBytes), u"gap"_s, {}}});
    m_lines->setMarks(1, {{ByteOffset(lineBytes), u"end"_s, {}}});
    const QList<LogMark> marks = all().marks;
    QCOMPARE(marks.size(), 2);
    QCOMPARE(marks[0].text, u"gap"_s);
    QCOMPARE(marks[0].line, LineNumber(2)); // Before b.
    QCOMPARE(marks[1].line, LineNumber(3));
}

void TestMergedLines::allMatchesAreCollected()
{
    m_files.resize(2);
    m_files[0].append(said(1, "INFO", "needle") + said(3, "INFO", "hay"));
    m_files[1].append(said(2, "INFO", "hay") + said(4, "INFO", "a needle"));
    MergedSpec spec;
    spec.patience = {};
    open(spec);
    QSignalSpy collected(m_lines.get(), &LogLines::collected);
    m_lines->collect({u"needle"_s, false});
    const auto hits = [&] {
        QList<qint64> all;
        for (const QList<QVariant> &each : std::as_const(collected))
            all += each[1].value<QList<qint64>>();
        return all;
    };
    QTRY_COMPARE_WITH_TIMEOUT(hits(), QList<qint64>({0, 3}), longMs);
    QVERIFY(collected.constLast()[2].toBool());
    m_files[0].append(said(5, "INFO", "needle"));
    QTRY_COMPARE_WITH_TIMEOUT(hits(), QList<qint64>({0, 3, 4}), longMs);
}

void TestMergedLines::whatIsPrintedMeanwhileComes()
{
    m_files.resize(2);
    m_files[0].append(said(1, "INFO", "a"));
    open({});
    QSignalSpy pages(m_lines.get(), &LogLines::page);
    QSignalSpy grew(m_lines.get(), &LogLines::grew);
    m_lines->followTail(2);
    m_files[1].append(said(2, "INFO", "b"));
    m_files[0].append(said(3, "INFO", "c"));
    const auto tail = [&] {
        return pages.isEmpty() ? QByteArrayList() : wordsOf(pages.last().front().value<LogPage>());
    };
    QTRY_COMPARE_WITH_TIMEOUT(tail(), QByteArrayList({"rank 1: b", "rank 0: c"}), longMs);
    QCOMPARE(grew.last().front().toLongLong(), 3);
}

void TestMergedLines::aLastLineWithoutAnEndComesAtTheEnd()
{
    m_files.resize(1);
    m_files[0].append("whole\nhalf");
    open({});
    QTRY_COMPARE_WITH_TIMEOUT(all().totalLines, 1, longMs);
    m_lines->finish();
    QCOMPARE(wordsOf(all()), QByteArrayList({"rank 0: whole", "rank 0: half"}));
    // It was not the end after all.
    m_files[0].append(" and the rest\nmore\n");
    m_lines->start();
    QTRY_COMPARE_WITH_TIMEOUT(wordsOf(all()),
                              QByteArrayList({"rank 0: whole", "rank 0: half and the rest", "rank 0: more"}),
                              longMs);
}

void TestMergedLines::aCutLogBeginsAnew()
{
    m_files.resize(1);
    m_files[0].append("one\ntwo\nthree\n");
    open({});
    QTRY_COMPARE_WITH_TIMEOUT(all().totalLines, 3, longMs);
    QSignalSpy restarted(m_lines.get(), &LogLines::restarted);
    m_files[0].cut("four\n");
    QTRY_COMPARE_WITH_TIMEOUT(wordsOf(all()), QByteArrayList({"rank 0: four"}), longMs);
    QCOMPARE(restarted.size(), 1);
}

void TestMergedLines::textErrorsAndTimesAreFound()
{
    m_files.resize(2);
    for (int second = 0; second < 50; ++second)
        m_files[std::size_t(second % 2)].append(said(second, second % 20 == 7 ? "ERROR" : "INFO", "text"));
    open({});
    m_lines->finish();
    const LogPattern seven{u"34:.7"_s, true};
    QCOMPARE(found([&] { m_lines->find(seven, LineNumber(0), false); }), 7);
    QCOMPARE(found([&] { m_lines->find(seven, LineNumber(8), false); }), 17);
    QCOMPARE(found([&] { m_lines->find(seven, LineNumber(49), true); }), 47);
    QCOMPARE(found([&] { m_lines->findError(LineNumber(8), false); }), 27);
    QCOMPARE(found([&] { m_lines->findError(LineNumber(26), true); }), 7);
    for (const int second : {0, 1, 16, 17, 49})
        QCOMPARE(found([&] { m_lines->findTime(at(second)); }), second);
    QCOMPARE(found([&] { m_lines->findTime(LogTime(at(0).value - 1)); }), 0);
    QCOMPARE(found([&] { m_lines->findTime(at(55)); }), 49);
}

void TestMergedLines::nothingIsFoundWhereNothingIs()
{
    m_files.resize(1);
    open({});
    const LogPattern any{u"a"_s, false};
    QCOMPARE(found([&] { m_lines->find(any, LineNumber(0), false); }), -1);
    QCOMPARE(found([&] { m_lines->find(any, LineNumber(0), true); }), -1);
    QCOMPARE(found([&] { m_lines->findError(LineNumber(0), false); }), -1);
    QCOMPARE(found([&] { m_lines->findTime(at(1)); }), -1);
    m_files[0].append("b\n");
    QTRY_COMPARE_WITH_TIMEOUT(all().totalLines, 1, longMs);
    QCOMPARE(found([&] { m_lines->find(any, LineNumber(0), false); }), -1);
    QCOMPARE(found([&] { m_lines->find({u"("_s, true}, LineNumber(0), false); }), -1);
}

void TestMergedLines::aLongLineIsCutAndItsLengthSaid()
{
    m_files.resize(1);
    m_files[0].append("first\n" + QByteArray(400000, 'x') + "\nlast\n");
    open({});
    m_lines->finish();
    const LogPage page = all();
    QCOMPARE(page.lines.size(), 3);
    QVERIFY(page.lines[1].size() < LogLines::maxShownLineBytes + 100);
    QVERIFY(page.lines[1].endsWith(" … (400.0 kB line)"));
    QVERIFY(page.lines[2].endsWith("last"));
}

void TestMergedLines::theActivityOfEachLogIsTold()
{
    m_files.resize(2);
    m_files[0].append(said(1, "INFO", "a") + said(1, "INFO", "b") + said(5, "ERROR", "c"));
    m_files[1].append(said(3, "WARNING", "d"));
    QList<LogActivity> told;
    MergedSpec spec = only("no such text");
    for (std::size_t log = 0; log < m_files.size(); ++log)
        spec.logs.push_back({m_files[log].path(), {}, int(log), int(log)});
    MergedLines lines(spec);
    connect(&lines, &MergedLines::active, this, [&](const LogActivity &activity) { told << activity; });
    lines.start();
    lines.finish();
    QVERIFY(!told.isEmpty());
    const LogActivity &activity = told.last();
    QCOMPARE(activity.begin(), at(1));
    const auto slot = [&](int log, int second) {
        return activity.at(log,
                           int((at(second).value - activity.begin().value) / activity.slotMicroseconds()));
    };
    QCOMPARE(slot(0, 1), (LogActivity::Slot{2, LogSeverity::Info}));
    QCOMPARE(slot(0, 5), (LogActivity::Slot{1, LogSeverity::Error}));
    QCOMPARE(slot(1, 3), (LogActivity::Slot{1, LogSeverity::Warning}));
    QCOMPARE(slot(1, 5), LogActivity::Slot());
}

void TestMergedLines::aLogThatIsNotShownHasItsActivity()
{
    m_files.resize(3);
    MergedSpec spec;
    spec.isFolded = true;
    for (std::size_t log = 0; log < m_files.size(); ++log) {
        m_files[log].append(said(1, "INFO", "a") + said(2 + int(log), "INFO", log == 2 ? "b" : "c"));
        spec.logs.push_back({m_files[log].path(), u"rank %1"_s.arg(log), int(log), int(log), {}, log != 1});
    }
    LogActivity told;
    m_lines = std::make_unique<MergedLines>(spec);
    connect(m_lines.get(), &MergedLines::active, this, [&](const LogActivity &activity) { told = activity; });
    m_lines->start();
    m_lines->finish();
    const LogPage page = all();
    QCOMPARE(wordsOf(page), QByteArrayList({"ranks 0,2: a", "rank 0: c", "rank 2: b"}));
    // Its colour stays its own.
    QVERIFY(page.lines[2].startsWith("\x1b[34mrank 2"));
    QCOMPARE(told.logs(), 3);
    QVERIFY(told.at(1, int((at(3).value - told.begin().value) / told.slotMicroseconds())).lines > 0);
}

void TestMergedLines::activityFitsIntoItsSlots()
{
    LogActivity activity(2);
    const qint64 hour = 3600LL * 1000 * 1000;
    for (const qint64 time : {10 * hour, 10 * hour + 1, 7 * hour, 30 * hour, -5 * hour, 30 * hour})
        activity.add(1, LogTime(time), LogSeverity::Info);
    activity.add(0, LogTime(8 * hour), LogSeverity::Critical);
    QVERIFY(activity.slotCount() <= LogActivity::mostSlots);
    quint32 lines = 0;
    for (int slot = 0; slot < activity.slotCount(); ++slot)
        lines += activity.at(1, slot).lines;
    QCOMPARE(lines, 6U);
    const auto slotOf = [&](qint64 time) {
        return int((time - activity.begin().value) / activity.slotMicroseconds());
    };
    QCOMPARE(activity.at(1, slotOf(10 * hour)).lines, 2U);
    QCOMPARE(activity.at(1, slotOf(-5 * hour)).lines, 1U);
    QCOMPARE(activity.at(1, slotOf(30 * hour)).lines, 2U);
    QCOMPARE(activity.at(0, slotOf(8 * hour)).worst, LogSeverity::Critical);
}

void TestMergedLines::aBlockReadsLinesInBothDirections()
{
    m_files.resize(1);
    QList<ByteOffset> begins;
    QByteArray text;
    for (int line = 0; line < 30000; ++line) {
        begins << ByteOffset(text.size());
        text += "line " + QByteArray::number(line) + QByteArray(line % 40, '.') + '\n';
    }
    begins << ByteOffset(text.size());
    text += QByteArray(2 * LineBlock::blockBytes, 'y') + "\nunfinished";
    m_files[0].append(text);
    LogFile file(m_files[0].path());
    QVERIFY(file.poll());
    LineBlock block;
    for (int line = 0; line < 30000; line += 7)
        QVERIFY(block.line(file, begins[line]).startsWith("line " + QByteArray::number(line)));
    QCOMPARE(block.line(file, begins[30000]).size(), LineBlock::blockBytes);
    for (int line = 29999; line >= 0; line -= 7)
        QCOMPARE(block.line(file, begins[line]).toByteArray(),
                 "line " + QByteArray::number(line) + QByteArray(line % 40, '.'));
    const ByteOffset rest(text.size() - 10);
    QCOMPARE(block.line(file, rest).toByteArray(), QByteArray("unfinished"));
    m_files[0].append(" no more\n");
    QCOMPARE(block.line(file, rest).toByteArray(), QByteArray("unfinished no more"));
    QVERIFY(block.line(file, ByteOffset(10 * text.size())).isEmpty());
}

/// A process may have fewer open files than a run has logs.
void TestMergedLines::thousandsOfLogsNeedFewOpenFiles()
{
    constexpr int logs = 600;
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_NOFILE, &before), 0);
    const auto restore = qScopeGuard([&] { setrlimit(RLIMIT_NOFILE, &before); });
    rlimit few = before;
    few.rlim_cur = 100;
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &few), 0);
    const QTemporaryDir folder;
    MergedSpec spec;
    for (int log = 0; log < logs; ++log) {
        const QString path = folder.filePath(QString::number(log));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(said(log % 60, "INFO", "all") + said(59, "ERROR", QByteArray::number(log).constData()));
        file.close();
        spec.logs.push_back({path, u"rank %1"_s.arg(log), log, log});
    }
    m_lines = std::make_unique<MergedLines>(spec);
    QSignalSpy problems(m_lines.get(), &LogLines::unreadable);
    m_lines->start();
    m_lines->finish();
    const LogPage page = all();
    QCOMPARE(page.totalLines, qint64(2 * logs));
    QCOMPARE(page.origins.last().log, logs - 1);
    QVERIFY(wordsOf(page).last().endsWith(": 599"));
    QCOMPARE(problems.size(), 0);
    // The last one of a log that was closed meanwhile is found too.
    QCOMPARE(found([&] { m_lines->findError(LineNumber(2 * logs), true); }), qint64(2 * logs - 1));
}

} // namespace tst_mergedlines

RANKDECK_TEST(tst_mergedlines, TestMergedLines)
#include "tst_mergedlines.moc"
