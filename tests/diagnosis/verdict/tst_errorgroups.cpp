#include "diagnosis/verdict/verdicttext.h"
#include "handmadecase.h"
#include "support/testmain.h"

#include <QTest>

#include <csignal>

namespace tst_errorgroups
{

using namespace rankdeck;

namespace
{

QStringList wordsOf(std::vector<RankEvidence> workers)
{
    QStringList words;
    for (const Verdict::Group &group :
         errorGroups(caseOf(std::move(workers)), smallCatalogue(), QLocale::c()))
        words << groupWords(group);
    return words;
}

/// With the entry that a line of this text would have.
RankEvidence known(int rank, const char *text, std::vector<int> peers = {})
{
    const ErrorCatalogue catalogue = smallCatalogue();
    const ErrorEntry *entry = catalogue.bestFor(text);
    ErrorLine error = errorLine(entry ? entry->layer : Layer::Wrapper, text, {}, std::move(peers));
    if (entry) {
        error.entryId = entry->id;
        error.weight = entry->weight;
    }
    return rankWith(rank, {error});
}

} // namespace

class TestErrorGroups : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRankSaysOneThing_data();
    void aRankSaysOneThing();
    void ranksThatSayTheSameAreOneGroup();
    void whoEndsWithAnotherCodeIsInAnotherGroup();
    void whoWaitsForAnotherIsInAnotherGroup();
    void theMostInformativeComeFirst();
    void aGroupIsToldInOneLine_data();
    void aGroupIsToldInOneLine();
    void aSignatureLeavesOutWhatDiffers_data();
    void aSignatureLeavesOutWhatDiffers();
};

void TestErrorGroups::aRankSaysOneThing_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char *name, const RankEvidence &rank, const char *wanted) {
        QTest::newRow(name) << wordsOf({rank}) << QString::fromLatin1(wanted);
    };
    row("no error", rankWith(3), "1 rank (3): no error");
    row("how it ended", ended(rankWith(3), {ExitStatus::Kind::Signalled, SIGKILL}), "1 rank (3): SIGKILL");
    row("nothing of its end where it ended well", ended(rankWith(3), {}), "1 rank (3): no error");
    RankEvidence ending = rankWith(3);
    ending.phase = RankPhase::Ended;
    ending.status = ExitStatus{ExitStatus::Kind::Signalled, SIGTERM};
    row("nothing of Rankdeck's signal", ending, "1 rank (3): no error");
    ending.status = ExitStatus{ExitStatus::Kind::Exited, 2};
    ending.endedBadly = true;
    row("an exit code of its own, also after others were ended", ending, "1 rank (3): exit code 2");
    row("for whom it waits", known(3, "EI0006: timeout", {7}), "1 rank (3): EI0006 waiting for rank 7");
    row("what a wait for several is called", known(3, "EI0006: timeout", {6, 7}),
        "1 rank (3): EI0006 Another rank did not connect");
    row("what the catalogue calls it", known(3, "RuntimeError: NPU out of memory"),
        "1 rank (3): The device has no memory left");
    row("its own words where the catalogue says little", known(3, "ValueError: bad %1"),
        "1 rank (3): ValueError: bad %1");
    row("its own words where the catalogue says nothing", known(3, "it broke"), "1 rank (3): it broke");
    RankEvidence traced = known(3, "ValueError: as the log has it");
    traced.traces.resize(2);
    traced.traces[1].exception = u"ValueError: as raised"_s;
    row("its exception", traced, "1 rank (3): ValueError: as raised");
}

void TestErrorGroups::aRankSaysOneThing()
{
    QFETCH(QStringList, words);
    QFETCH(QString, wanted);
    QCOMPARE(words, QStringList{wanted});
}

void TestErrorGroups::ranksThatSayTheSameAreOneGroup()
{
    QCOMPARE(
        wordsOf({known(0, "ValueError: 0x7f01 in /a/rank0/x.py"),
                 known(1, "ValueError: 0x7f02 in /b/rank1/x.py"),
                 known(2, "ValueError: 0x7f03 in /a/rank2/y.py"), known(3, "ValueError: 0x1 in /a/3/x.py")}),
        (QStringList{u"1 rank (2): ValueError: 0x7f03 in /a/rank2/y.py"_s,
                     u"3 ranks (0,1,3): ValueError: 0x7f01 in /a/rank0/x.py"_s}));
}

void TestErrorGroups::whoEndsWithAnotherCodeIsInAnotherGroup()
{
    const auto exited = [](int rank, int code) {
        return ended(rankWith(rank), {ExitStatus::Kind::Exited, code});
    };
    QCOMPARE(wordsOf({rankWith(0), exited(1, 1), exited(2, 2), exited(3, 2)}),
             (QStringList{u"1 rank (1): exit code 1"_s, u"1 rank (0): no error"_s,
                          u"2 ranks (2,3): exit code 2"_s}));
}

void TestErrorGroups::whoWaitsForAnotherIsInAnotherGroup()
{
    QCOMPARE(wordsOf({known(0, "EI0006", {3}), known(1, "EI0006", {3}), known(2, "EI0006", {4})}),
             (QStringList{u"1 rank (2): EI0006 waiting for rank 4"_s,
                          u"2 ranks (0,1): EI0006 waiting for rank 3"_s}));
}

void TestErrorGroups::theMostInformativeComeFirst()
{
    const auto groups = errorGroups(
        caseOf({rankWith(0), known(1, "EI0006"), known(2, "it broke"), known(3, "EI0005"),
                known(4, "ValueError: a"), known(5, "ValueError: a"), known(6, "ValueError: other")}),
        smallCatalogue(), QLocale::c());
    QStringList ranks;
    for (const Verdict::Group &group : groups)
        ranks << QString::number(group.ranks.front().value);
    QCOMPARE(ranks.join(' '_L1), u"6 4 3 2 1 0"_s);
    QCOMPARE(groups[1].ranks, (std::vector{Rank(4), Rank(5)}));
    QCOMPARE(groups[1].entryId, u"python-value-error"_s);
    QCOMPARE(groups[1].process, 4);
}

void TestErrorGroups::aGroupIsToldInOneLine_data()
{
    QTest::addColumn<std::vector<Rank>>("ranks");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char *name, std::initializer_list<int> numbers, const char *wanted) {
        std::vector<Rank> ranks;
        for (const int number : numbers)
            ranks.emplace_back(number);
        QTest::newRow(name) << ranks << QString::fromLatin1(wanted);
    };
    row("one rank", {5}, "1 rank (5): 100 %1 %2");
    row("two ranks", {5, 6}, "2 ranks (5,6): 100 %1 %2");
    row("ranges of ranks", {0, 1, 2, 4, 5, 6, 7}, "7 ranks (0-2,4-7): 100 %1 %2");
}

void TestErrorGroups::aGroupIsToldInOneLine()
{
    QFETCH(std::vector<Rank>, ranks);
    QFETCH(QString, wanted);
    QCOMPARE(groupWords({ranks, Sentence(u"100 %1 %2"_s), {}, 0}), wanted);
}

void TestErrorGroups::aSignatureLeavesOutWhatDiffers_data()
{
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::addColumn<bool>("alike");
    const auto row = [](const char *name, const char *one, const char *other, bool alike) {
        QTest::newRow(name) << QString::fromLatin1(one) << QString::fromLatin1(other) << alike;
    };
    row("numbers", "rank 3 of 8 failed", "rank 12 of 8 failed", true);
    row("addresses", "at 0x7f12 on 10.0.0.1:8118", "at 0xffff9a on 10.0.0.22:9", true);
    row("stamps", "2026-11-22-10:00:00.123.456 lost", "2026-11-23-11:01:01.654.321 lost", true);
    row("folders", "cannot read /data/rank_1/x.ckpt", "cannot read /other/place/x.ckpt", true);
    row("blanks", "out  of\tmemory", "out of memory ", true);
    row("other words", "out of memory", "out of space", false);
    row("other files", "cannot read /data/x.ckpt", "cannot read /data/y.ckpt", false);
}

void TestErrorGroups::aSignatureLeavesOutWhatDiffers()
{
    QFETCH(QString, one);
    QFETCH(QString, other);
    QFETCH(bool, alike);
    QCOMPARE(errorSignature(one) == errorSignature(other), alike);
    QVERIFY(errorSignature(one.repeated(100)).size() <= 200);
}

} // namespace tst_errorgroups

RANKDECK_TEST(tst_errorgroups, TestErrorGroups)
#include "tst_errorgroups.moc"
