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
    QCOMPARE(rankTablePath(u"/given.json"_s, both), u"/given.json"_s);
    QCOMPARE(rankTablePath({}, both), u"/v1.json"_s);
    QCOMPARE(rankTablePath({}, with({{"RANK_TABLE_FILE", "/file.json"}})), u"/file.json"_s);
    QCOMPARE(rankTablePath({}, {}), u"/user/config/jobstart_hccl.json"_s);
}

void RankTableLocationTest::aDirectoryMeansTheFileInIt()
{
    const QTemporaryDir folder;
    const QString expected = folder.filePath(u"jobstart_hccl.json"_s);
    QCOMPARE(rankTablePath(folder.path(), {}), expected);
    QCOMPARE(rankTablePath({}, with({{"RANK_TABLE_FILE", folder.path().toLatin1().constData()}})), expected);
    QCOMPARE(rankTablePath(folder.path() + '/'_L1, {}), expected);
}

void RankTableLocationTest::theConvertedTableGoesWhereThePlatformSays()
{
    const auto both = with({{"MA_HOME", "/home"}, {"MA_MOUNT_PATH", "/mount"}});
    QCOMPARE(convertedRankTablePath(u"/x/t.json"_s, both), u"/x/t.json"_s);
    QCOMPARE(convertedRankTablePath(u"/x"_s, both), u"/x/jobstart_hccl.json"_s);
    QCOMPARE(convertedRankTablePath({}, both), u"/home/rank_table/jobstart_hccl.json"_s);
    QCOMPARE(convertedRankTablePath({}, with({{"MA_MOUNT_PATH", "/mount"}})),
             u"/mount/rank_table/jobstart_hccl.json"_s);
    QCOMPARE(convertedRankTablePath({}, {}), u"/home/ma-user/rank_table/jobstart_hccl.json"_s);
}

} // namespace tst_ranktablelocation

RANKDECK_TEST(tst_ranktablelocation, RankTableLocationTest)
#include "tst_ranktablelocation.moc"
