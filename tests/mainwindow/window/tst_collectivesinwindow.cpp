#include "failure/failuredialog.h"
#include "launch/spec/launchspec.h"
#include "mainwindow/runpage/runpage.h"
#include "mainwindow/window/mainwindow.h"
#include "preflight/pairs/pairmatrix.h"
#include "preflight/pairs/rankgroups.h"
#include "preflight/pairs/selftestview.h"
#include "support/freeport.h"
#include "support/windowhome.h"
#include "support/windowtest.h"

#include <QPushButton>
#include <QTest>

#include <csignal>

namespace tst_collectivesinwindow
{

using namespace rankdeck;

namespace
{
constexpr int patienceMs = 60'000;
constexpr int ranks = 4;
} // namespace

/// Real ranks of the collective self-test, shown while they run.
class TestCollectivesInWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<WindowHome>();
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        m_page = m_window->findChild<RunPage *>();
        m_view = m_page->findChild<SelfTestView *>();
    }

    void cleanup()
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
        m_window.reset();
        m_home.reset();
    }

    void aRunShowsItsRanksAndPairsToTheEnd()
    {
        m_window->startLaunch(spec({}));
        QTRY_VERIFY_WITH_TIMEOUT(m_view->isVisible(), patienceMs);
        QCOMPARE(m_view->groups()->count(), ranks);
        for (int rank = 0; rank < ranks; ++rank)
            QTRY_COMPARE_WITH_TIMEOUT(m_view->groups()->cell(rank).stage, SelfTestStage::Done, patienceMs);
        for (int row = 0; row < ranks; ++row) {
            for (int column = 0; column < ranks; ++column) {
                if (row == column)
                    continue;
                const PairCell cell = m_view->matrix()->table().cell(row, column, PairMeasure::Bandwidth);
                QCOMPARE(cell.kind, PairCell::Kind::Measured);
                QVERIFY(cell.value > 0);
            }
        }
    }

    void aRankThatIsKilledShowsAsFailed()
    {
        m_window->startLaunch(spec({u"--pace"_s, u"200"_s, u"--rounds"_s, u"0"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(m_view->isVisible(), patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->matrix()->table().isMeasured(), patienceMs);
        const RankState &rank = m_page->state().ranks.at(2);
        QCOMPARE(rank.phase, RankPhase::Running);
        QVERIFY(rank.pid > 0);
        QCOMPARE(::kill(static_cast<pid_t>(rank.pid), SIGKILL), 0);
        QTRY_COMPARE_WITH_TIMEOUT(m_view->groups()->cell(2).stage, SelfTestStage::Failed, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->groups()->wordsOf(2).contains("SIGKILL"_L1), patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->findChild<FailureDialog *>(), patienceMs);
        QVERIFY(m_view->isVisible());
    }

private:
    LaunchSpec spec(const QStringList &options) const
    {
        LaunchSpec made = processesDefaults();
        made.command = QStringList{buildPath("bin/rankdeckctl"), u"collective"_s} + options;
        made.workDir = m_home->path();
        made.logDir = m_home->path(u"log"_s);
        made.processes.nproc = ranks;
        made.processes.masterPort = freePort();
        made.graceSeconds = 2;
        return made;
    }

    std::unique_ptr<WindowHome> m_home;
    std::unique_ptr<MainWindow> m_window;
    RunPage *m_page = nullptr;
    SelfTestView *m_view = nullptr;
};

} // namespace tst_collectivesinwindow

RANKDECK_WINDOW_TEST(tst_collectivesinwindow, TestCollectivesInWindow)
#include "tst_collectivesinwindow.moc"
