#include "diagnosis/stall/stallverdict.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_stallverdict
{

using namespace rankdeck;

namespace
{

using Does = RankActivity::Kind;
using Kind = StallVerdict::Kind;

const QDateTime noon(QDate(2026, 11, 22), QTime(12, 0));

RankActivity activity(Does kind, int secondsAfterNoon = 0, qint64 behind = 0)
{
    RankActivity made;
    made.kind = kind;
    made.since = noon.addSecs(secondsAfterNoon).toMSecsSinceEpoch();
    made.usualMs = 2000;
    made.step = 100 - behind;
    made.stepsBehind = behind;
    return made;
}

} // namespace

class StallVerdictTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunIsJudgedAsAWhole_data();
    void aRunIsJudgedAsAWhole();
    void whoIsHeldHoldsUpTheOthers();
    void ranksAreCalledByTheirNumbers();
    void anotherDayIsNamed();
};

void StallVerdictTest::aRunIsJudgedAsAWhole_data()
{
    QTest::addColumn<std::vector<RankActivity>>("activities");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("sentence");
    const RankActivity works = activity(Does::Working, 300);
    const RankActivity hangs = activity(Does::Stalled, 170);

    QTest::addRow("nothing") << std::vector<RankActivity>{} << Kind::None << QString();
    QTest::addRow("all work") << std::vector{works, works} << Kind::None << QString();
    QTest::addRow("one behind") << std::vector{works, works, activity(Does::Working, 300, 12)} << Kind::Behind
                                << u"Rank 2 is 12 steps behind."_s;
    QTest::addRow("one rank") << std::vector{hangs} << Kind::All
                              << u"Rank 0 has been silent since 12:02:50."_s;
    QTest::addRow("all at once") << std::vector{hangs, activity(Does::Stalled, 171), hangs, hangs}
                                 << Kind::All << u"All ranks have been silent since 12:02:50."_s;
    QTest::addRow("all at once, one a step behind")
        << std::vector{hangs, activity(Does::Stalled, 170, 1), hangs, hangs} << Kind::All
        << u"All ranks have been silent since 12:02:50. Rank 1 has made the least progress. It "
           "is one step behind."_s;
    QTest::addRow("all at once, most behind")
        << std::vector{hangs, activity(Does::Stalled, 170, 1), activity(Does::Stalled, 170, 1)} << Kind::All
        << u"All ranks have been silent since 12:02:50."_s;
    QTest::addRow("one first") << std::vector{hangs, hangs, activity(Does::Stalled, 10), hangs} << Kind::First
                               << u"Rank 2 has been silent the longest, since 12:00:10; "
                                  "the others have waited since 12:02:50."_s;
    QTest::addRow("two first, far behind")
        << std::vector{activity(Does::Stalled, 11, 40), hangs, activity(Does::Stalled, 10, 42), hangs, hangs}
        << Kind::First
        << u"Ranks 0,2 have been silent the longest, since 12:00:10; the others have waited "
           "since 12:02:50. "
           "They are 40 steps behind."_s;
    QTest::addRow("one alone") << std::vector{works, works, activity(Does::Stalled, 10), works} << Kind::Some
                               << u"No output from rank 2 since 12:00:10; the others continue."_s;
    QTest::addRow("one alone, far behind")
        << std::vector{works, works, activity(Does::Stalled, 10, 30), works} << Kind::Some
        << u"No output from rank 2 since 12:00:10; the others continue. When this was noticed, it was "
           "30 steps behind."_s;
    QTest::addRow("all but one")
        << std::vector{hangs, hangs, works, hangs} << Kind::AllButSome
        << u"All ranks except rank 2 have been silent since 12:02:50: they may wait for it."_s;
    QTest::addRow("all but one that compiles")
        << std::vector{hangs, hangs, activity(Does::Compiling), hangs} << Kind::AllButSome
        << u"All ranks except rank 2 have been silent since 12:02:50: they may wait for it."_s;
    QTest::addRow("those that never print do not count")
        << std::vector{activity(Does::Quiet), activity(Does::Unseen), activity(Does::Ended), hangs}
        << Kind::All << u"Rank 3 has been silent since 12:02:50."_s;
}

void StallVerdictTest::aRunIsJudgedAsAWhole()
{
    QFETCH(std::vector<RankActivity>, activities);
    QFETCH(Kind, kind);
    const StallVerdict verdict = stallVerdict(activities);
    QCOMPARE(verdict.kind, kind);
    QList<int> ranks;
    for (int rank = 0; rank < static_cast<int>(activities.size()); ++rank)
        ranks << rank;
    QTEST(stallSentence(verdict, ranks, noon).text(), "sentence");
}

void StallVerdictTest::whoIsHeldHoldsUpTheOthers()
{
    const StallVerdict verdict =
        stallVerdict({activity(Does::Stalled, 30), activity(Does::Held, 20), activity(Does::Stalled, 25)});
    QCOMPARE(verdict.kind, Kind::Held);
    QCOMPARE(verdict.named, QList<int>{1});
    QCOMPARE(verdict.stalled, (QList<int>{0, 2}));
    QCOMPARE(stallSentence(verdict, {0, 1, 2}, noon),
             u"Rank 1 has been paused (SIGSTOP or a debugger) since 12:00:20: the others wait "
             "for it, silent since 12:00:25."_s);
    // While the others go on there is nothing to say but that it is held, which its state does.
    QCOMPARE(stallVerdict({activity(Does::Working), activity(Does::Held, 20, 50)}).kind, Kind::None);
    QCOMPARE(stallVerdict({activity(Does::Held), activity(Does::Held)}).kind, Kind::None);
}

void StallVerdictTest::ranksAreCalledByTheirNumbers()
{
    const StallVerdict verdict = stallVerdict({activity(Does::Waiting), activity(Does::Stalled, 1),
                                               activity(Does::Working), activity(Does::Working)});
    QCOMPARE(verdict.stalled, QList<int>{1});
    QCOMPARE(stallSentence(verdict, {0, 16, 17, 18}, noon),
             u"No output from rank 16 since 12:00:01; the others continue."_s);
}

void StallVerdictTest::anotherDayIsNamed()
{
    const StallVerdict verdict = stallVerdict({activity(Does::Stalled, 1)});
    QCOMPARE(stallSentence(verdict, {0}, noon.addDays(1)),
             u"Rank 0 has been silent since 2026-11-22 12:00:01."_s);
}

} // namespace tst_stallverdict

RANKDECK_TEST(tst_stallverdict, StallVerdictTest)
#include "tst_stallverdict.moc"
