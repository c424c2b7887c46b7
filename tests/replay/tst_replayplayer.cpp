#include "replay/replayplayer.h"
#include "support/pastrun.h"
#include "support/testhome.h"
#include "support/testmain.h"

namespace tst_replayplayer
{

using namespace rankdeck;

/// A past run that plays.
class ReplayPlayerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void itTellsOfWhereItIs();
    void itPlaysToTheEndAndPauses();
    void onlyTheNewestPlaceIsReached();
    void marksAreStepsOfTheReplay();
    void speedsAreChosenInTheirOrder();
    void stepsAreFoundForATimeLine();
    void whatIsNoRunIsRefused();

private:
    std::unique_ptr<ReplayPlayer> player(double speed = 1) const
    {
        const auto source = openReplay(m_run->directory());
        if (!source)
            qFatal("%s", qPrintable(source.error().sentence()));
        return std::make_unique<ReplayPlayer>(*source, source->replay->begin(), speed);
    }

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<PastRun> m_run;
};

/// Two ranks print a step each ten seconds, and rank 1 fails after 100 s.
void ReplayPlayerTest::init()
{
    m_home = std::make_unique<TestHome>();
    m_run = std::make_unique<PastRun>(2);
    m_run->startAll(5);
    for (int second = 10; second < 100; second += 10) {
        for (int rank = 0; rank < m_run->ranks(); ++rank)
            m_run->print(second, rank, "step: [" + QByteArray::number(second) + "/200], loss: 1.5\n");
    }
    m_run->exit(100, 1, {ExitStatus::Kind::Exited, 1});
    m_run->recordFailure(100, 1);
    m_run->add(100, events::TearDown{Sentence(u"rank 1 failed"_s)});
    m_run->exit(101, 0, {ExitStatus::Kind::Signalled, 15});
    m_run->finish(110, RunPhase::Failed, 1);
}

void ReplayPlayerTest::itTellsOfWhereItIs()
{
    const auto player = this->player();
    QList<ReplayMoment> moments;
    connect(player.get(), &ReplayPlayer::reached, this,
            [&](const ReplayMoment &moment) { moments << moment; });
    QTRY_COMPARE(moments.size(), 1);
    QCOMPARE(moments.first().state.phase, RunPhase::Starting);
    QCOMPARE(moments.first().state.seenAt, PastRun::at(0));
    QVERIFY(!moments.first().state.isLiveNow());
    player->goTo(PastRun::at(55));
    QTRY_COMPARE(moments.size(), 2);
    const ReplayMoment &there = moments.last();
    QCOMPARE(there.time, PastRun::at(55));
    QCOMPARE(there.state.phase, RunPhase::Running);
    QVERIFY(!there.state.isLiveNow()); // Nothing of it can be stopped.
    QCOMPARE(there.state.timeSeen(), PastRun::at(55));
    QCOMPARE(there.progress.at(0).step, std::optional<qint64>(50));
    QVERIFY(there.logs.at(0).log > 0);
}

void ReplayPlayerTest::itPlaysToTheEndAndPauses()
{
    const auto player = this->player(ReplayClock::mostSpeed);
    RunPhase last = RunPhase::Starting;
    connect(player.get(), &ReplayPlayer::reached, this,
            [&](const ReplayMoment &moment) { last = moment.state.phase; });
    player->playOrPause();
    QVERIFY(player->isPlaying());
    QTRY_COMPARE(last, RunPhase::Failed);
    QTRY_VERIFY(!player->isPlaying());
    QCOMPARE(player->fraction(), 1.0);
    // From the end it plays once more.
    player->playOrPause();
    QVERIFY(player->isPlaying());
    QVERIFY(player->fraction() < 1);
}

void ReplayPlayerTest::onlyTheNewestPlaceIsReached()
{
    const auto player = this->player();
    QDateTime last;
    int count = 0;
    connect(player.get(), &ReplayPlayer::reached, this, [&](const ReplayMoment &moment) {
        last = moment.time;
        ++count;
    });
    constexpr int places = 100;
    for (int second = 1; second <= places; ++second)
        player->goTo(PastRun::at(second));
    QTRY_COMPARE(last, PastRun::at(places));
    QVERIFY(count < places);
}

void ReplayPlayerTest::marksAreStepsOfTheReplay()
{
    const auto player = this->player();
    const auto failure = player->goToMark(true);
    QVERIFY(failure);
    QCOMPARE(failure->kind, ReplayMark::Kind::Failure);
    QCOMPARE(player->time(), PastRun::at(100));
    const auto end = player->goToMark(true);
    QVERIFY(end);
    QCOMPARE(end->kind, ReplayMark::Kind::End);
    QVERIFY(!player->goToMark(true));
    QVERIFY(player->goToMark(false));
    QCOMPARE(player->time(), PastRun::at(100));
    QVERIFY(!player->goToMark(false));
}

void ReplayPlayerTest::speedsAreChosenInTheirOrder()
{
    const auto player = this->player();
    player->changeSpeed(-1);
    QCOMPARE(player->speed(), ReplayPlayer::speeds().first());
    for (const double speed : ReplayPlayer::speeds()) {
        QCOMPARE(player->speed(), speed);
        player->changeSpeed(1);
    }
    QCOMPARE(player->speed(), ReplayPlayer::speeds().last());
    player->setSpeed(1e9);
    QCOMPARE(player->speed(), ReplayClock::mostSpeed);
}

void ReplayPlayerTest::stepsAreFoundForATimeLine()
{
    const auto player = this->player();
    QTRY_VERIFY(!player->steps().isEmpty());
    for (qsizetype at = 1; at < player->steps().size(); ++at) {
        QVERIFY(player->steps()[at].time > player->steps()[at - 1].time);
        QVERIFY(player->steps()[at].step >= player->steps()[at - 1].step);
    }
    QCOMPARE(player->steps().last().step, 90);
}

void ReplayPlayerTest::whatIsNoRunIsRefused()
{
    QVERIFY(!openReplay(u"no-such-run"_s));
    const QString empty = m_home->path("empty");
    QVERIFY(QDir().mkpath(empty));
    QVERIFY(!openReplay(empty));
}

} // namespace tst_replayplayer

RANKDECK_TEST(tst_replayplayer, ReplayPlayerTest)

#include "tst_replayplayer.moc"
