#include "agent/preflight/preflight.h"
#include "agent/supervise/launcher.h"
#include "run/record/rundirectory.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QTest>

#include <memory>

namespace tst_launcher
{

using namespace rankdeck;

class LauncherTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aGoodPlanPasses();
    void aMissingProgramIsNamedWithItsRank();
    void aProgramIsLookedUpInTheRanksOwnPath();
    void aFileInPlaceOfTheLogDirectoryIsRefused();
    void aSupervisorThatCannotStartLeavesNothing();
    void aRankTableThatCannotBeWrittenLeavesNothing();

private:
    LaunchPlan m_plan;
    std::unique_ptr<TestHome> m_home;
    QProcessEnvironment m_environment;
};

void LauncherTest::init()
{
    m_home = std::make_unique<TestHome>();
    m_environment = QProcessEnvironment::systemEnvironment();
    m_plan = {};
    m_plan.name = u"x"_s;
    m_plan.rankTable.status = u"completed"_s;
    m_plan.processes.resize(2);
    for (int rank = 0; rank < 2; ++rank) {
        ProcessPlan &process = m_plan.processes[static_cast<std::size_t>(rank)];
        process.rank = Rank(rank);
        process.argv = {u"true"_s};
        process.workDir = m_home->path("");
        process.logFile = m_home->path(u"logs/%1.txt"_s.arg(rank));
    }
}

void LauncherTest::aGoodPlanPasses()
{
    QVERIFY(!preflight(m_plan, m_environment));
}

void LauncherTest::aMissingProgramIsNamedWithItsRank()
{
    m_plan.processes[1].argv = {u"./missing"_s};
    const auto error = preflight(m_plan, m_environment);
    QVERIFY(error);
    QVERIFY(error->what.contains("rank 1"_L1));
    QVERIFY(error->what.contains("No such file or directory"_L1));
}

void LauncherTest::aProgramIsLookedUpInTheRanksOwnPath()
{
    QFile program(m_home->path("only-here"));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
    m_plan.processes[0].argv = {u"only-here"_s};
    QVERIFY(preflight(m_plan, m_environment));
    m_plan.processes[0].setVariables.insert(u"PATH"_s, m_home->path(""));
    QVERIFY(!preflight(m_plan, m_environment));
}

void LauncherTest::aFileInPlaceOfTheLogDirectoryIsRefused()
{
    QFile file(m_home->path("logs"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const auto error = preflight(m_plan, m_environment);
    QVERIFY(error);
    QCOMPARE(error->where, m_home->path("logs"));
}

void LauncherTest::aSupervisorThatCannotStartLeavesNothing()
{
    qputenv("RANKDECK_CTL", "/no/such/rankdeckctl");
    const auto directory = startRun({}, m_plan);
    QVERIFY(!directory);
    QVERIFY(QDir(runsDirectory()).isEmpty());
    QVERIFY(QDir(m_home->path("logs")).isEmpty());
}

void LauncherTest::aRankTableThatCannotBeWrittenLeavesNothing()
{
    m_plan.files = {{testData("ranktables/malformed.json/inside/a/file.json"), "x"}};
    const auto directory = startRun({}, m_plan);
    QVERIFY(!directory);
    QVERIFY(directory.error().mend.contains("--converted-rank-table"_L1));
    QVERIFY(QDir(runsDirectory()).isEmpty());
    QVERIFY(QDir(m_home->path("logs")).isEmpty());
}

} // namespace tst_launcher

RANKDECK_TEST(tst_launcher, LauncherTest)
#include "tst_launcher.moc"
