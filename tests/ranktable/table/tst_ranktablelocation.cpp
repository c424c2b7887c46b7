#include "ranktable/table/ranktablelocation.h"
#include "support/testmain.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

namespace tst_ranktablelocation
{

using namespace rankdeck;

class RankTableLocationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstOfFourPlacesWins();
    void aDirectoryMeansTheFileInIt();
    void theConvertedTableGoesWhereThePlatformSays();

private:
    static QProcessEnvironment with(std::initializer_list<std::pair<const char *, const char *>> variables)
    {
        QProcessEnvironment environment;
        for (const auto &[name, value] : variables)
            environment.insert(QString::fromLatin1(name), QString::fromLatin1(value));
        return environment;
    }
};

void RankTableLocationTest::theFirstOfFourPlacesWins()
{
    const auto both = with({{"RANK_TABLE_FILE_V_1_0", "/v1.json"}, {"RANK_TABLE_FILE", "/file.json"}});
    QCOMPARE(rankTablePath(QStringLiteral("/given.json"), both), QStringLiteral("/given.json"));
    QCOMPARE(rankTablePath({}, both), QStringLiteral("/v1.json"));
    QCOMPARE(rankTablePath({}, with({{"RANK_TABLE_FILE", "/file.json"}})), QStringLiteral("/file.json"));
    QCOMPARE(rankTablePath({}, {}), QStringLiteral("/user/config/jobstart_hccl.json"));
}

void RankTableLocationTest::aDirectoryMeansTheFileInIt()
{
    const QTemporaryDir folder;
    const QString expected = folder.filePath(QStringLiteral("jobstart_hccl.json"));
    QCOMPARE(rankTablePath(folder.path(), {}), expected);
    QCOMPARE(rankTablePath({}, with({{"RANK_TABLE_FILE", folder.path().toLatin1().constData()}})), expected);
    QCOMPARE(rankTablePath(folder.path() + QLatin1Char('/'), {}), expected);
}

void RankTableLocationTest::theConvertedTableGoesWhereThePlatformSays()
{
    const auto both = with({{"MA_HOME", "/home"}, {"MA_MOUNT_PATH", "/mount"}});
    QCOMPARE(convertedRankTablePath(QStringLiteral("/x/t.json"), both), QStringLiteral("/x/t.json"));
    QCOMPARE(convertedRankTablePath(QStringLiteral("/x"), both), QStringLiteral("/x/jobstart_hccl.json"));
    QCOMPARE(convertedRankTablePath({}, both), QStringLiteral("/home/rank_table/jobstart_hccl.json"));
    QCOMPARE(convertedRankTablePath({}, with({{"MA_MOUNT_PATH", "/mount"}})),
             QStringLiteral("/mount/rank_table/jobstart_hccl.json"));
    QCOMPARE(convertedRankTablePath({}, {}), QStringLiteral("/home/ma-user/rank_table/jobstart_hccl.json"));
}

} // namespace tst_ranktablelocation

RANKDECK_TEST(tst_ranktablelocation, RankTableLocationTest)
#include "tst_ranktablelocation.moc"
