#include "log/file/logsearch.h"
#include "log/growingfile.h"
#include "support/testmain.h"

#include <QSignalSpy>
#include <QTest>

#include <deque>

namespace tst_manylogssearch
{

using namespace rankdeck;
using namespace rankdeck::test;

/// A search through the logs of all ranks.
class TestManyLogsSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachLogHasItsMatches();
    void onlyTheFirstLinesAreKept();
    void whatIsBehindALimitIsNotFound();
    void aDeletedSearchEnds();
};

static LogMatcher matcher(const char *text)
{
    return *LogMatcher::create({QString::fromLatin1(text), false, false});
}

void TestManyLogsSearch::eachLogHasItsMatches()
{
    std::deque<GrowingFile> files(3);
    files[0].append("hay\nNeedle \x1b[31mred\x1b[0m\nhay\n");
    files[2].append(numberedLines(0, 20000) + "needle");
    ManyLogsSearch search(
        {{files[0].path(), {}}, {u"/nonexistent"_s, {}}, {files[1].path(), {}}, {files[2].path(), {}}},
        matcher("needle"));
    QSignalSpy progressed(&search, &ManyLogsSearch::progressed);
    QSignalSpy finished(&search, &ManyLogsSearch::finished);
    search.start();
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 30000);
    QList<LogHits> hits;
    for (const QList<QVariant> &each : std::as_const(progressed))
        hits += each[0].value<QList<LogHits>>();
    QCOMPARE(progressed.constLast()[1].toInt(), 4);
    QCOMPARE(hits.size(), 2);
    QCOMPARE(hits[0].log, 0);
    QCOMPARE(hits[0].lines[0].line, LineNumber(1));
    QCOMPARE(hits[0].lines[0].text, u"Needle red"_s);
    QCOMPARE(hits[1].log, 3);
    QCOMPARE(hits[1].lines[0].line, LineNumber(20000));
}

void TestManyLogsSearch::onlyTheFirstLinesAreKept()
{
    GrowingFile file;
    file.append(numberedLines(0, 3000));
    ManyLogsSearch search({{file.path(), {}}}, matcher("line"));
    QSignalSpy progressed(&search, &ManyLogsSearch::progressed);
    search.start();
    QTRY_COMPARE_WITH_TIMEOUT(progressed.size(), 1, 30000);
    const LogHits hits = progressed[0][0].value<QList<LogHits>>().value(0);
    QCOMPARE(hits.count, 3000);
    QCOMPARE(hits.lines.size(), ManyLogsSearch::mostLines);
    QCOMPARE(hits.lines.constLast().text, u"line %1"_s.arg(ManyLogsSearch::mostLines - 1));
}

void TestManyLogsSearch::whatIsBehindALimitIsNotFound()
{
    GrowingFile file;
    file.append(numberedLines(0, 3000));
    constexpr qint64 tenLines = 7 * 10; // "line 0" to "line 9", with their newlines.
    const auto limit = std::make_shared<std::atomic<qint64>>(tenLines);
    ManyLogsSearch search({{file.path(), limit}}, matcher("line"));
    QSignalSpy progressed(&search, &ManyLogsSearch::progressed);
    search.start();
    QTRY_COMPARE_WITH_TIMEOUT(progressed.size(), 1, 30000);
    QCOMPARE(progressed[0][0].value<QList<LogHits>>().value(0).count, 10);
}

void TestManyLogsSearch::aDeletedSearchEnds()
{
    GrowingFile file;
    file.append(numberedLines(0, 1000));
    auto search = std::make_unique<ManyLogsSearch>(QList<ManyLogsSearch::Log>(200000, {file.path(), {}}),
                                                   matcher("line 999"));
    QSignalSpy progressed(search.get(), &ManyLogsSearch::progressed);
    search->start();
    QTRY_VERIFY_WITH_TIMEOUT(!progressed.isEmpty(), 30000);
    QVERIFY(progressed.constLast()[1].toInt() < 200000); // Events get their turn long before the end.
    search.reset();
}

} // namespace tst_manylogssearch

RANKDECK_TEST(tst_manylogssearch, TestManyLogsSearch)
#include "tst_manylogssearch.moc"
