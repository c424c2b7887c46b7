#include "sdk/distributedtrain.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <memory>
#include <stdexcept>

namespace tst_distributedtrain
{

using namespace rankdeck;

class DistributedTrainTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void withoutATableNothingIsInitialised();
    void aTemplate2TableIsConvertedAndTheVariablesAreSet();
    void aTableMustBeNamedBeforeALaunch();
    void aGoodLaunchReturns0();
    void aFailureIsThrownWithItsRank();
    void aFailureReturns1WhenAskedNotToThrow();
    void whatCannotBeStartedIsSaid();
    void aHandleMayBeWaitedForLater();
    void theRandomCacheLivesAsLongAsItsObject();

private:
    static QStringList shell(const char *script) { return {u"sh"_s, u"-c"_s, QString::fromLatin1(script)}; }
    void initialise()
    {
        qputenv("RANK_TABLE_FILE", demoTable().toLocal8Bit());
        const auto variables = initRankTable();
        QVERIFY2(variables, qPrintable(variables.error().sentence()));
    }
    QString logDir() const { return m_home->path("logs"); }
    QString workDir() const { return m_home->path(""); }

    std::unique_ptr<TestHome> m_home;
};

void DistributedTrainTest::init()
{
    for (const char *variable : {"RANK_START", "RANK_SIZE"})
        qunsetenv(variable);
    m_home = std::make_unique<TestHome>();
}

void DistributedTrainTest::withoutATableNothingIsInitialised()
{
    qputenv("RANK_TABLE_FILE", m_home->path("none.json").toLocal8Bit());
    const auto variables = initRankTable();
    QVERIFY(variables);
    QVERIFY(!variables->has_value());
    QVERIFY(!qEnvironmentVariableIsSet("RANK_SIZE"));
}

void DistributedTrainTest::aTemplate2TableIsConvertedAndTheVariablesAreSet()
{
    qputenv("RANK_TABLE_FILE", testData("ranktables/template2_2servers.json").toLocal8Bit());
    const auto unknown = initRankTable();
    QVERIFY(!unknown);
    QVERIFY2(unknown.error().what.contains("192.0.2.10"_L1), qPrintable(unknown.error().what));
    const auto variables = initRankTable(u"192.0.2.9"_s);
    QVERIFY2(variables, qPrintable(variables.error().sentence()));
    QVERIFY(variables->has_value());
    const QString written = m_home->path("ma-home/rank_table/jobstart_hccl.json");
    QCOMPARE((*variables)->value(u"RANK_TABLE_FILE"_s), written);
    for (auto it = (*variables)->begin(); it != (*variables)->end(); ++it)
        QCOMPARE(qEnvironmentVariable(it.key().toLatin1().constData()), it.value());
    QCOMPARE(qEnvironmentVariable("RANK_SIZE"), u"16"_s);
    QCOMPARE(qEnvironmentVariable("RANK_START"), u"0"_s);
    const auto table = getRankTable();
    QVERIFY2(table, qPrintable(table.error().sentence()));
    QCOMPARE(table->path, written);
    QCOMPARE(table->thisServer, qEnvironmentVariable("MA_CURRENT_HOST_IP"));
}

void DistributedTrainTest::aTableMustBeNamedBeforeALaunch()
{
    QVERIFY(!getRankTable());
    const auto handle = startDistributedTrain(shell("true"));
    QVERIFY(!handle);
    QVERIFY(handle.error().what.contains("RANK_TABLE_FILE"_L1));
    // A v0.1 table is not what the variable is to name.
    qputenv("RANK_TABLE_FILE", demoTable().toLocal8Bit());
    QVERIFY(getRankTable().error().mend.contains("initRankTable"_L1));
}

void DistributedTrainTest::aGoodLaunchReturns0()
{
    initialise();
    QCOMPARE(startAndWaitDistributedTrain(shell("echo $RANK_ID of $RANK_SIZE"), workDir(), logDir()), 0);
    QCOMPARE(QDir(logDir()).entryList({u"*.txt"_s}, QDir::Files).size(), 8);
}

void DistributedTrainTest::aFailureIsThrownWithItsRank()
{
    initialise();
    try {
        startAndWaitDistributedTrain(shell("[ $RANK_ID = 4 ] && { echo boom; exit 3; }; sleep 1000"),
                                     workDir(), logDir());
        QFAIL("nothing was thrown");
    } catch (const DistributedRuntimeError &error) {
        QCOMPARE(error.failure().rank, Rank(4));
        QVERIFY((error.failure().status == ExitStatus{ExitStatus::Kind::Exited, 3}));
        QVERIFY(QByteArray(error.what()).contains("boom"));
    }
    QTRY_VERIFY(processesOf(m_home->path("state")).isEmpty());
}

void DistributedTrainTest::aFailureReturns1WhenAskedNotToThrow()
{
    initialise();
    QCOMPARE(startAndWaitDistributedTrain(shell("exit 3"), workDir(), logDir(), true, true, false), 1);
}

void DistributedTrainTest::whatCannotBeStartedIsSaid()
{
    initialise();
    try {
        startAndWaitDistributedTrain({u"no-such-program"_s}, workDir(), logDir());
        QFAIL("nothing was thrown");
    } catch (const std::invalid_argument &error) {
        QVERIFY(QByteArray(error.what()).contains("no-such-program"));
    }
}

void DistributedTrainTest::aHandleMayBeWaitedForLater()
{
    initialise();
    const auto handle = startDistributedTrain(shell("sleep 0.2; exit 0"), workDir(), logDir());
    QVERIFY2(handle, qPrintable(handle.error().sentence()));
    QVERIFY(QFile::exists(handle->runDirectory()));
    QCOMPARE(waitDistributedTrain(*handle), 0);
}

void DistributedTrainTest::theRandomCacheLivesAsLongAsItsObject()
{
    qputenv("MS_COMPILER_CACHE_PATH", "/before");
    QString path;
    {
        const RandomMsCacheDir cache;
        path = cache.path();
        QVERIFY(QFile::exists(path));
        QCOMPARE(qEnvironmentVariable("MS_COMPILER_CACHE_PATH"), path);
    }
    QVERIFY(!QFile::exists(path));
    QCOMPARE(qEnvironmentVariable("MS_COMPILER_CACHE_PATH"), u"/before"_s);
    qunsetenv("MS_COMPILER_CACHE_PATH");
}

// No QCoreApplication, as in the SDK users' programs.

} // namespace tst_distributedtrain

RANKDECK_TEST(tst_distributedtrain, DistributedTrainTest)
#include "tst_distributedtrain.moc"
