#include "base/json.h"
#include "preflight/selftesthead.h"
#include "support/testmain.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace tst_selftesthead
{

using namespace rankdeck;

/// The head of a self-test, its ranks as lines of the test's own.
class SelfTestHeadTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksMeetAtItsStore();
    void aRankThatEndsBadlyIsToldToTheOthers();
    void whoWasNeverHeardIsMissing();
    void aPairThatFailsIsNamed();
    void whatFailsWithOneRankNamesIt();
    void aPairThatStandsOutIsAWarning();
    void collectivesAreSummedUp();
    void aWrongResultFails();
    void ranksAreCalledAsInTheLaunch();
    void linesOfNobodyArePassedOver();

private:
    using Status = PreflightCheck::Status;

    static QStringList nodes(int ranks) { return QStringList(ranks, u"alpha"_s); }
    static QList<int> numbers(int ranks)
    {
        QList<int> all;
        for (int rank = 0; rank < ranks; ++rank)
            all << rank;
        return all;
    }
    static RankLine says(const SelfTestEvent &event)
    {
        return {event.rank, jsonText({{"event", event.toLine().toStdString()}})};
    }
    static SelfTestEvent stage(int rank, SelfTestStage stage)
    {
        SelfTestEvent event;
        event.rank = rank;
        event.stage = stage;
        return event;
    }
    static SelfTestEvent pair(int from, int to, double us, double mbs, const char *problem = "")
    {
        SelfTestEvent event;
        event.kind = SelfTestEvent::Kind::Pair;
        event.rank = from;
        event.pair = {from, to, us, mbs, mbs, QString::fromLatin1(problem)};
        return event;
    }
    static SelfTestEvent collective(const char *operation, const QList<int> &ranks, qint64 bytes, double ms,
                                    const char *problem = "")
    {
        SelfTestEvent event;
        event.kind = SelfTestEvent::Kind::Collective;
        event.rank = ranks.first();
        event.collective = {QString::fromLatin1(operation), ranks, bytes, ms, QString::fromLatin1(problem)};
        return event;
    }
    static std::vector<PreflightCheck> with(const SelfTestHead &head, Status status)
    {
        const auto checks = head.checks();
        std::vector<PreflightCheck> found;
        std::copy_if(checks.begin(), checks.end(), std::back_inserter(found),
                     [&](const PreflightCheck &check) { return check.status == status; });
        return found;
    }
};

void SelfTestHeadTest::ranksMeetAtItsStore()
{
    SelfTestHead head(numbers(2), nodes(2));
    QList<std::pair<int, QByteArray>> told;
    connect(&head, &SelfTestHead::tell, this, [&](int rank, const QByteArray &line) {
        told.append({rank, line});
    });
    head.take({0, R"({"get":"rank/1"})"});
    QVERIFY(told.isEmpty());
    head.take({1, R"({"set":"rank/1","value":"YQ=="})"});
    QCOMPARE(told.size(), 1);
    QCOMPARE(told.first().first, 0);
    QCOMPARE((*parseJson(told.first().second))["value"].get<std::string>(), std::string("YQ=="));
}

void SelfTestHeadTest::aRankThatEndsBadlyIsToldToTheOthers()
{
    SelfTestHead head(numbers(3), nodes(3));
    QSignalSpy over(&head, &SelfTestHead::over);
    QList<int> told;
    connect(&head, &SelfTestHead::tell, this, [&](int rank, const QByteArray &line) {
        QVERIFY(line.contains("rank 1 is gone: it ended with signal 9"));
        told << rank;
    });
    for (int rank = 0; rank < 3; ++rank)
        head.take(says(stage(rank, SelfTestStage::Arrived)));
    head.take({1, {}, true, u"it ended with signal 9 (SIGKILL)"_s});
    QCOMPARE(told, (QList<int>{0, 2}));
    QVERIFY(over.isEmpty());
    head.take({0, {}, true, {}});
    head.take({2, {}, true, {}});
    QCOMPARE(over.size(), 1);
    const auto failed = with(head, Status::Fail);
    QCOMPARE(failed.size(), std::size_t(1));
    QCOMPARE(failed.front().subject, u"rank 1"_s);
}

void SelfTestHeadTest::whoWasNeverHeardIsMissing()
{
    SelfTestHead head(numbers(3), nodes(3));
    head.take(says(stage(0, SelfTestStage::Arrived)));
    QCOMPARE(head.missing(), (QList<int>{1, 2}));
    head.giveUp(head.missing(), u"it has not arrived within 10 s"_s);
    const auto failed = with(head, Status::Fail);
    QCOMPARE(failed.size(), std::size_t(1));
    QCOMPARE(failed.front().subject, u"ranks 1-2"_s);
    QVERIFY(failed.front().sentence.contains("has not arrived within 10 s"_L1));
}

void SelfTestHeadTest::aPairThatFailsIsNamed()
{
    SelfTestHead head(numbers(4), {u"alpha"_s, u"alpha"_s, u"beta"_s, u"beta"_s});
    head.take(says(pair(0, 1, 20, 1000)));
    head.take(says(pair(1, 2, 0, 0, "no connection to 10.0.0.2:4000 within 3 s")));
    const auto failed = with(head, Status::Fail);
    QCOMPARE(failed.size(), std::size_t(1));
    QCOMPARE(failed.front().subject, u"rank 1 on alpha and rank 2 on beta"_s);
    QVERIFY(failed.front().sentence.contains("no connection to 10.0.0.2:4000"_L1));
    QVERIFY(!failed.front().mend.isEmpty());
    QVERIFY(with(head, Status::Pass).front().sentence.contains("Working pairs: 1;"_L1));
}

void SelfTestHeadTest::whatFailsWithOneRankNamesIt()
{
    SelfTestHead head(numbers(4), nodes(4));
    for (const int other : {0, 1, 2})
        head.take(says(pair(other, 3, 0, 0, "no connection")));
    const auto failed = with(head, Status::Fail);
    QCOMPARE(failed.size(), std::size_t(4));
    QCOMPARE(failed.front().subject, u"rank 3"_s);
}

void SelfTestHeadTest::aPairThatStandsOutIsAWarning()
{
    SelfTestHead head(numbers(4), nodes(4));
    for (int from = 0; from < 4; ++from) {
        for (int to = from + 1; to < 4; ++to)
            head.take(says(pair(from, to, from == 1 && to == 2 ? 900 : 20, 1000)));
    }
    const auto warned = with(head, Status::Warn);
    QCOMPARE(warned.size(), std::size_t(1));
    QCOMPARE(warned.front().subject, u"rank 1 and rank 2"_s);
    QVERIFY(with(head, Status::Fail).empty());
}

void SelfTestHeadTest::collectivesAreSummedUp()
{
    SelfTestHead head(numbers(4), nodes(4));
    head.take(says(collective("barrier", numbers(4), 0, 0.2)));
    head.take(says(collective("allreduce sum", numbers(4), 1 << 20, 2)));
    head.take(says(collective("allreduce sum", {0, 1}, 1 << 20, 1)));
    QStringList sentences;
    for (const PreflightCheck &check : with(head, Status::Pass))
        sentences << check.sentence;
    QCOMPARE(sentences.size(), 2);
    QVERIFY(sentences.contains(u"barrier works in groups of 4."_s));
    QVERIFY2(sentences.last().contains("in groups of 4, 2, up to 1.0 MiB; at best 1049 MB/s"_L1),
             qPrintable(sentences.last()));
}

void SelfTestHeadTest::aWrongResultFails()
{
    SelfTestHead head(numbers(2), nodes(2));
    head.take(says(collective("allreduce max", numbers(2), 4, 1, "rank 1 has 3 at 0, expected 4")));
    const auto failed = with(head, Status::Fail);
    QCOMPARE(failed.size(), std::size_t(1));
    QCOMPARE(failed.front().subject, u"all ranks"_s);
    QVERIFY(failed.front().sentence.contains("expected 4"_L1));
}

void SelfTestHeadTest::ranksAreCalledAsInTheLaunch()
{
    SelfTestHead head({0, 8}, {u"alpha"_s, u"beta"_s});
    head.take(says(pair(0, 1, 0, 0, "refused")));
    QCOMPARE(with(head, Status::Fail).front().subject, u"rank 0 on alpha and rank 8 on beta"_s);
}

void SelfTestHeadTest::linesOfNobodyArePassedOver()
{
    SelfTestHead head(numbers(2), nodes(2));
    QSignalSpy told(&head, &SelfTestHead::tell);
    QSignalSpy happened(&head, &SelfTestHead::happened);
    for (const int rank : {-1, 2, 1000000})
        head.take({rank, R"({"get":"x"})"});
    for (const char *line : {"", "[]", R"({"event":7})", R"({"event":"x"})", R"({"get":7})", "\xff"})
        head.take({0, QByteArray(line)});
    QVERIFY(told.isEmpty());
    QVERIFY(happened.isEmpty());
    QCOMPARE(head.open(), (QList<int>{0, 1}));
}

} // namespace tst_selftesthead

RANKDECK_TEST(tst_selftesthead, SelfTestHeadTest)
#include "tst_selftesthead.moc"
