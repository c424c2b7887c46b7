#include "support/cablednodes.h"
#include "support/steadyrun.h"

using namespace rankdeck;

/// Runs on two nodes, each in a network of its own, whose cable to this one is cut: what breaks there breaks
/// without a word to the other side.
class CutCablesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aCutThatIsMendedInTimeCostsNothing();
    void aNodeWhoseCableIsCutIsLost();
    void ranksBehindACutCableEndWhenTheirSupervisorWasKilled();

private:
    bool startRun();
    void verifyLost(const QString &how) const;

    std::unique_ptr<RemoteRun> m_remote;
    std::unique_ptr<CabledNodes> m_nodes;
    std::unique_ptr<SteadyRun> m_run;
};

void CutCablesTest::init()
{
    if (!CabledNodes::canBe())
        QSKIP("network namespaces take root, ip and an OpenSSH server");
    m_remote = std::make_unique<RemoteRun>();
    m_nodes = std::make_unique<CabledNodes>(m_remote->home().path("nodes"));
    QVERIFY(m_nodes->start());
    m_remote->setConfiguration(m_nodes->configuration());
    m_run = std::make_unique<SteadyRun>(*m_remote);
}

void CutCablesTest::cleanup()
{
    m_run.reset();
    m_nodes.reset();
    m_remote.reset();
}

bool CutCablesTest::startRun()
{
    return ctl(m_run->arguments(m_remote->nodeOptions() << QStringLiteral("--detach"))).code == 0 &&
           m_run->isUp();
}

/// As the run's first failure, on all sides.
void CutCablesTest::verifyLost(const QString &how) const
{
    const RunState ended = m_run->state();
    QCOMPARE(ended.phase, RunPhase::Failed);
    QVERIFY(ended.failure);
    QCOMPARE(ended.failure->node, QStringLiteral("beta"));
    QVERIFY2(ended.failure->reason.startsWith(QLatin1String("Lost node beta since ")) &&
                 ended.failure->reason.contains(how),
             qPrintable(ended.failure->reason));
}

void CutCablesTest::aCutThatIsMendedInTimeCostsNothing()
{
    QVERIFY(startRun());
    QVERIFY(CabledNodes::cut("beta"));
    const int before = m_run->lines(3);
    // More than two seconds: who lives says something within them.
    QTRY_VERIFY_WITH_TIMEOUT(m_run->lines(3) > before + 20, programLimitMs);
    QVERIFY(CabledNodes::mend("beta"));
    m_run->finish();
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
    const RunState ended = m_run->state();
    QCOMPARE(ended.phase, RunPhase::Succeeded);
    for (int rank = 0; rank < SteadyRun::ranks; ++rank) {
        QVERIFY(ended.ranks[std::size_t(rank)].status->isSuccess());
        QVERIFY(m_run->lines(rank) > 0);
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), SteadyRun::goneMs);
}

void CutCablesTest::aNodeWhoseCableIsCutIsLost()
{
    QVERIFY(startRun());
    QVERIFY(CabledNodes::cut("beta"));
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone() && m_nodes->areIdle(), SteadyRun::goneSilentlyMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), SteadyRun::goneMs);
    verifyLost(QStringLiteral("it was silent for 6 s"));
    // Nobody has heard how those on beta ended.
    QCOMPARE(m_run->state().ranks[3].phase, RankPhase::Unknown);
    QCOMPARE(m_run->state().ranks[0].phase, RankPhase::Ended);
}

void CutCablesTest::ranksBehindACutCableEndWhenTheirSupervisorWasKilled()
{
    QVERIFY(startRun());
    QVERIFY(CabledNodes::cut("beta"));
    QVERIFY(::kill(m_run->supervisor(), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->areGone({0, 1}), SteadyRun::goneMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->areGone({2, 3}) && m_nodes->areIdle(), SteadyRun::goneSilentlyMs);
    // Here, the guardian gives the agent behind the cable the time that it may need.
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), programLimitMs);
    QCOMPARE(m_run->state().phase, RunPhase::Lost);
}

int main(int argc, char *argv[])
{
    moveToOwnMachine(argv);
    QCoreApplication application(argc, argv);
    CutCablesTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_cutcables.moc"
