#include "log/growingfile.h"
#include "log/merge/logfold.h"
#include "log/merge/logmerge.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_logmerge
{

using namespace rankdeck;
using namespace rankdeck::test;
using namespace std::chrono_literals;

namespace
{

/// "07.5 text": seconds of a minute, stamped as Python's logging does.
QByteArray stamped(const char *line)
{
    return "2025-04-07 15:34:" + QByteArray(line).replace('.', ',') + '\n';
}

} // namespace

/// Several logs as one, and what their lines have in common.
class TestLogMerge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lines.clear(); }
    void linesComeInTheOrderOfTheirStamps();
    void linesWithoutStampFollowTheirs();
    void aLogWithoutStampsGoesByItsGrowth();
    void linesLongAfterTheLastStampGoByTheGrowth();
    void aLineWaitsForThoseThatMayBeEarlier();
    void aLogWithAClockBehindHoldsUpNoOther();
    void aHalfWrittenLineIsNotPassedOn();
    void aCutLogIsReadFromItsStart();
    void largeLogsAreMergedInPieces();
    void placesInTheFileAreTold();
    void alikeLinesBecomeOne();
    void theOddOneOutStays();
    void oneRanksRepetitionsStay();
    void linesFarApartStay();
    void linesWaitOnlyForAWhile();
    void ranksAreNamed_data();
    void ranksAreNamed();

private:
    QByteArrayList m_lines;
    LogMerge::Sink m_sink = [this](const LogMerge::Line &line) {
        m_lines << QByteArray::number(line.log) + ' ' +
                       line.text.last(std::min<qsizetype>(1, line.text.size())).toByteArray();
    };
    void merge(LogMerge &merge) { merge.takeRest(m_sink); }
};

void TestLogMerge::linesComeInTheOrderOfTheirStamps()
{
    GrowingFile one;
    GrowingFile other;
    one.append(stamped("01.000 a") + stamped("03.000 b") + stamped("05.000 c"));
    other.append(stamped("02.000 d") + stamped("03.000 e") + stamped("04.000 f"));
    LogMerge both;
    QCOMPARE(both.add(one.path()), 0);
    QCOMPARE(both.add(other.path()), 1);
    merge(both);
    QCOMPARE(m_lines, QByteArrayList({"0 a", "1 d", "0 b", "1 e", "1 f", "0 c"}));
}

void TestLogMerge::linesWithoutStampFollowTheirs()
{
    GrowingFile one;
    GrowingFile other;
    one.append("x\n" + stamped("01.000 a") + "y\nz\n" + stamped("03.000 b"));
    other.append("w\n" + stamped("01.000 d") + "v\n");
    LogMerge both;
    both.add(one.path());
    both.add(other.path());
    merge(both);
    QCOMPARE(m_lines, QByteArrayList({"0 x", "1 w", "0 a", "0 y", "0 z", "1 d", "1 v", "0 b"}));
}

void TestLogMerge::aLogWithoutStampsGoesByItsGrowth()
{
    GrowingFile one;
    GrowingFile other;
    one.append("a\nb\nc\n");
    other.append(stamped("02.000 d"));
    const LogTime begin = logTimeOf(QDateTime(QDate(2025, 4, 7), QTime(15, 34, 0)));
    LogMerge both;
    both.add(one.path(), {},
             [&](ByteOffset size) { return LogTime(begin.value + (size.value <= 3 ? 1 : 3) * 1000000); });
    both.add(other.path());
    merge(both);
    QCOMPARE(m_lines, QByteArrayList({"0 a", "0 b", "1 d", "0 c"}));
}

void TestLogMerge::linesLongAfterTheLastStampGoByTheGrowth()
{
    // Its clock is an hour behind that of the growth; only how long the lines are apart counts.
    GrowingFile one;
    GrowingFile other;
    one.append(stamped("01.000 a") + "b\nc\n");
    const qsizetype untilB = stamped("01.000 a").size() + 2;
    other.append(stamped("02.000 d") + stamped("04.000 e"));
    const LogTime begin = logTimeOf(QDateTime(QDate(2025, 4, 7), QTime(16, 34, 1)));
    LogMerge both;
    both.add(one.path(), {}, [&](ByteOffset size) {
        return LogTime(begin.value + (size.value <= untilB ? 0 : 2) * 1000000 + size.value);
    });
    both.add(other.path());
    merge(both);
    QCOMPARE(m_lines, QByteArrayList({"0 a", "0 b", "1 d", "0 c", "1 e"}));
}

void TestLogMerge::aLogWithAClockBehindHoldsUpNoOther()
{
    GrowingFile behind;
    GrowingFile other;
    GrowingFile silent;
    other.append(stamped("30.000 x"));
    LogMerge all(500ms);
    all.add(behind.path());
    all.add(other.path());
    all.add(silent.path());
    LogMerge::Now now = 0ms;
    for (int second = 0; second < 5; ++second, now += 200ms) {
        behind.append(stamped("01.000 b"));
        while (all.take(m_sink, now)) {
        }
    }
    QVERIFY(m_lines.contains("1 x"));
}

void TestLogMerge::aLineWaitsForThoseThatMayBeEarlier()
{
    GrowingFile one;
    GrowingFile other;
    LogMerge both(500ms);
    both.add(one.path());
    both.add(other.path());
    one.append(stamped("03.000 a"));
    QVERIFY(!both.take(m_sink, 1000ms));
    QVERIFY(m_lines.isEmpty());
    other.append(stamped("02.000 b"));
    both.take(m_sink, 1400ms);
    QCOMPARE(m_lines, QByteArrayList({"1 b"})); // And then nothing is known of the other's next line.
    both.take(m_sink, 1500ms);
    QCOMPARE(m_lines, QByteArrayList({"1 b", "0 a"}));
}

void TestLogMerge::aHalfWrittenLineIsNotPassedOn()
{
    GrowingFile log;
    log.append(stamped("01.000 a") + "unfinished");
    LogMerge one(0ms);
    one.add(log.path());
    one.take(m_sink, 1s);
    QCOMPARE(m_lines, QByteArrayList({"0 a"}));
    log.append("!\n!!");
    one.take(m_sink, 1s);
    QCOMPARE(m_lines, QByteArrayList({"0 a", "0 !"}));
    one.takeRest(m_sink);
    QCOMPARE(m_lines, QByteArrayList({"0 a", "0 !", "0 !"}));
}

void TestLogMerge::aCutLogIsReadFromItsStart()
{
    GrowingFile log;
    log.append("first, a long one: a\n");
    LogMerge one(0ms);
    one.add(log.path());
    one.take(m_sink, 1s);
    log.cut("b\n");
    one.take(m_sink, 1s);
    QCOMPARE(m_lines, QByteArrayList({"0 a", "0 b"}));
}

void TestLogMerge::largeLogsAreMergedInPieces()
{
    constexpr int lines = 20000;
    std::array<GrowingFile, 3> files;
    LogMerge all(0ms);
    for (std::size_t file = 0; file < files.size(); ++file) {
        QByteArray text;
        for (int i = int(file); i < lines; i += int(files.size())) {
            const QTime time = QTime(10, 0).addMSecs(i);
            text += "2025-04-07 " + time.toString(u"HH:mm:ss,zzz"_s).toLatin1() + ' ' +
                    QByteArray::number(i) + '\n';
        }
        files[file].append(text);
        all.add(files[file].path());
    }
    int next = 0;
    int calls = 0;
    const LogMerge::Sink sink = [&](const LogMerge::Line &line) {
        if (line.text.toByteArray().endsWith(' ' + QByteArray::number(next)))
            ++next;
    };
    while (all.take(sink, 1s, 10000))
        ++calls;
    QCOMPARE(next, lines);
    QVERIFY(calls > 10);
}

void TestLogMerge::placesInTheFileAreTold()
{
    GrowingFile log;
    log.append("skipped\nab\ncde\nf");
    LogMerge one;
    one.add(log.path(), ByteOffset(8));
    QList<qint64> places;
    one.takeRest([&](const LogMerge::Line &line) { places << line.begin.value; });
    QCOMPARE(places, QList<qint64>({8, 11, 15}));
}

namespace
{

/// Folds what it is given and keeps what comes out: "0-2 text".
struct Folder {
    QStringList lines;
    LogFold fold;

    explicit Folder(int members)
        : fold(members, [this](const LogFold::Line &line) {
            QStringList who;
            for (const int member : line.members)
                who << QString::number(member);
            lines << who.join(','_L1) + ' '_L1 + QString::fromUtf8(line.text);
        })
    {
    }

    void add(int member, const QByteArray &text, LogMerge::Now now = 0ms, qint64 seconds = 0)
    {
        fold.add({member, text, {}, {LogSeverity::None, LogTime(seconds * 1000000)}}, member, now);
    }
};

} // namespace

void TestLogMerge::alikeLinesBecomeOne()
{
    Folder folder(3);
    folder.add(0, "[INFO] GE(118114,ffff4effd1e0,python):2021-09-11-16:48:31.511.290 [a.cc:1] F] go");
    folder.add(2, "[INFO] GE(118116,ffff4effd2e0,python):2021-09-11-16:48:31.511.290 [a.cc:1] F] go");
    QVERIFY(folder.lines.isEmpty());
    folder.add(1, "[INFO] GE(118115,ffff4effd3e0,python):2021-09-11-16:48:31.511.290 [a.cc:1] F] go");
    const QStringList wanted{
        u"0,1,2 [INFO] GE(118114,ffff4effd1e0,python):2021-09-11-16:48:31.511.290 [a.cc:1] F] go"_s};
    QCOMPARE(folder.lines, wanted); // At once: there is nobody to wait for.
}

void TestLogMerge::theOddOneOutStays()
{
    Folder folder(3);
    for (int member = 0; member < 3; ++member) {
        folder.add(member, "step 1");
        folder.add(member, member == 1 ? "loss nan" : "loss 2.0");
        folder.add(member, "step 2");
    }
    folder.add(LogFold::alone, "step 2");
    folder.fold.passRest();
    const QStringList wanted{u"0,1,2 step 1"_s, u"0,2 loss 2.0"_s, u"0,1,2 step 2"_s, u"1 loss nan"_s,
                             u"-1 step 2"_s};
    QCOMPARE(folder.lines, wanted);
}

void TestLogMerge::oneRanksRepetitionsStay()
{
    Folder folder(2);
    for (const int member : {0, 0, 1, 1})
        folder.add(member, "again");
    QCOMPARE(folder.lines, QStringList({u"0,1 again"_s, u"0,1 again"_s}));
    Folder uneven(3);
    for (const int member : {2, 0, 0, 1, 0, 1})
        uneven.add(member, "again");
    uneven.fold.passRest();
    QCOMPARE(uneven.lines, QStringList({u"0,1,2 again"_s, u"0,1 again"_s, u"0 again"_s}));
}

void TestLogMerge::linesFarApartStay()
{
    Folder folder(2);
    folder.add(0, "a", 0ms, 0);
    folder.add(1, "a", 0ms, 11);
    folder.fold.passRest();
    QCOMPARE(folder.lines, QStringList({u"0 a"_s, u"1 a"_s}));
    // Nor is more kept than there is room for.
    Folder many(2);
    for (int i = 0; i < 30000; ++i)
        many.add(0, QByteArray::number(i));
    QCOMPARE(many.lines.size(), 10000);
    for (int i = 0; i < 30000; ++i)
        many.add(0, "the same"); // Nor does it take ever longer to look for it.
    QCOMPARE(many.lines.size(), 40000);
}

void TestLogMerge::linesWaitOnlyForAWhile()
{
    Folder folder(2);
    folder.add(0, "a", 100ms);
    folder.fold.passOn(599ms);
    QVERIFY(folder.lines.isEmpty());
    folder.fold.passOn(600ms);
    QCOMPARE(folder.lines, QStringList({u"0 a"_s}));
    folder.add(1, "a", 700ms);
    folder.fold.passRest();
    QCOMPARE(folder.lines, QStringList({u"0 a"_s, u"1 a"_s}));
}

void TestLogMerge::ranksAreNamed_data()
{
    QTest::addColumn<std::vector<int>>("some");
    QTest::addColumn<int>("of");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *words, std::vector<int> some, int of) {
        QTest::addRow("%s of %d", words, of) << std::move(some) << of << QString::fromLatin1(words);
    };
    row("rank 3", {3}, 8);
    row("ranks 0-7", {0, 1, 2, 3, 4, 5, 6, 7}, 8);
    row("ranks 0,1", {0, 1}, 2);
    row("ranks 0,1,4-6", {0, 1, 4, 5, 6}, 16);
    row("all except 3", {0, 1, 2, 4, 5, 6, 7}, 8);
    row("all except 3,4", {0, 1, 2, 5, 6, 7}, 8);
    row("ranks 0,2", {0, 2}, 3);
    row("ranks 0-2", {0, 1, 2}, 6);
    row("rank 1", {1}, 3);
}

void TestLogMerge::ranksAreNamed()
{
    QFETCH(std::vector<int>, some);
    QFETCH(int, of);
    std::vector<int> all;
    for (int rank = 0; rank < of; ++rank)
        all.push_back(rank);
    QTEST(rankWords(some, all).text(), "words");
}

} // namespace tst_logmerge

RANKDECK_TEST(tst_logmerge, TestLogMerge)
#include "tst_logmerge.moc"
