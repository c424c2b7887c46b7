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
    m_plan.name = QStringLiteral("x");
    m_plan.rankTable.status = QStringLiteral("completed");
    m_plan.processes.resize(2);
    for (int rank = 0; rank < 2; ++rank) {
        ProcessPlan &process = m_plan.processes[static_cast<std::size_t>(rank)];
        process.rank = Rank(rank);
        process.argv = {QStringLiteral("true")};
        process.workDir = m_home->path("");
        process.logFile = m_home->path(QStringLiteral("logs/%1.txt").arg(rank));
    }
}

void LauncherTest::aGoodPlanPasses()
{
    QVERIFY(!preflight(m_plan, m_environment));
}

void LauncherTest::aMissingProgramIsNamedWithItsRank()
{
    m_plan.processes[1].argv = {QStringLiteral("./missing")};
    const auto error = preflight(m_plan, m_environment);
    QVERIFY(error);
    QVERIFY(error->what.contains(QLatin1String("rank 1")));
    QVERIFY(error->what.contains(QLatin1String("No such file or directory")));
}

void LauncherTest::aProgramIsLookedUpInTheRanksOwnPath()
{
    QFile program(m_home->path("only-here"));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
    m_plan.processes[0].argv = {QStringLiteral("only-here")};
    QVERIFY(preflight(m_plan, m_environment));
    m_plan.processes[0].setVariables.insert(QStringLiteral("PATH"), m_home->path(""));
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
    QVERIFY(directory.error().mend.contains(QLatin1String("--converted-rank-table")));
    QVERIFY(QDir(runsDirectory()).isEmpty());
    QVERIFY(QDir(m_home->path("logs")).isEmpty());
}

} // namespace tst_launcher

RANKDECK_TEST(tst_launcher, LauncherTest)
#include "tst_launcher.moc"
