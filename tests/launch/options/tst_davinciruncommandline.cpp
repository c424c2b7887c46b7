#include "launch/options/launchers.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_davinciruncommandline
{

using namespace rankdeck;

class DavincirunCommandLineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theDefaultsAreDavincirunsOwn();
    void everyOptionIsRead();
    void theCommandKeepsItsOwnOptions();
    void whatIsWrittenIsReadBack();
    void wrongUseNamesTheOption_data();
    void wrongUseNamesTheOption();
};

namespace
{

QStringList split(const char *text)
{
    return QString::fromLatin1(text).split(' '_L1, Qt::SkipEmptyParts);
}

} // namespace

void DavincirunCommandLineTest::theDefaultsAreDavincirunsOwn()
{
    const auto spec = launcherCommandLine(u"davincirun"_s)->parse(split("python3 train.py"));
    QVERIFY(spec);
    QCOMPARE(spec->workDir, u"./"_s);
    QCOMPARE(spec->logDir, u"./log"_s);
    QVERIFY(spec->randomCacheDir && spec->destroyWhenFinished && spec->raiseOnFailure);
    QCOMPARE(spec->graceSeconds, 15);
    QCOMPARE(spec->rankTableWaitSeconds, 1800);
}

void DavincirunCommandLineTest::everyOptionIsRead()
{
    const auto spec =
        launcherCommandLine(u"davincirun"_s)
            ->parse(split(
                "--rank-table t --server 10.0.0.2 --converted-rank-table c --wait 5 --work-dir w --log-dir=l "
                "--grace 3 --env A=b=c "
                "--env D= --name n --no-random-cache-dir --no-destroy --no-raise prog"));
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    LaunchSpec expected;
    expected.rankTableFile = u"t"_s;
    expected.server = u"10.0.0.2"_s;
    expected.convertedRankTable = u"c"_s;
    expected.rankTableWaitSeconds = 5;
    expected.workDir = u"w"_s;
    expected.logDir = u"l"_s;
    expected.graceSeconds = 3;
    expected.environment = {{u"A"_s, u"b=c"_s}, {u"D"_s, QString()}};
    expected.name = u"n"_s;
    expected.randomCacheDir = expected.destroyWhenFinished = expected.raiseOnFailure = false;
    expected.command = {u"prog"_s};
    QCOMPARE(*spec, expected);
}

void DavincirunCommandLineTest::theCommandKeepsItsOwnOptions()
{
    const auto spec =
        launcherCommandLine(u"davincirun"_s)->parse(split("--grace 1 python3 x.py --grace 9 --help"));
    QVERIFY(spec);
    QCOMPARE(spec->graceSeconds, 1);
    QCOMPARE(spec->command, split("python3 x.py --grace 9 --help"));
    QCOMPARE(launcherCommandLine(u"davincirun"_s)->parse(split("-- --odd-program"))->command,
             split("--odd-program"));
}

void DavincirunCommandLineTest::whatIsWrittenIsReadBack()
{
    LaunchSpec spec;
    spec.command = split("--odd x");
    spec.logDir.clear();
    spec.graceSeconds = 0;
    spec.name = u"with blank"_s;
    spec.destroyWhenFinished = false;
    spec.environment = {{u"A"_s, u"1"_s}};
    const auto again =
        launcherCommandLine(u"davincirun"_s)->parse(launcherCommandLine(u"davincirun"_s)->arguments(spec));
    QVERIFY(again);
    QCOMPARE(*again, spec);
}

void DavincirunCommandLineTest::wrongUseNamesTheOption_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("where");
    QTest::newRow("unknown") << u"--bogus x"_s << u"--bogus"_s;
    QTest::newRow("value missing") << u"--log-dir"_s << u"--log-dir"_s;
    QTest::newRow("no number") << u"--grace soon x"_s << u"--grace"_s;
    QTest::newRow("a value for a switch") << u"--no-raise=1 x"_s << u"--no-raise"_s;
    QTest::newRow("no name in a variable") << u"--env =x p"_s << u"--env"_s;
}

void DavincirunCommandLineTest::wrongUseNamesTheOption()
{
    QFETCH(QString, arguments);
    QFETCH(QString, where);
    const auto spec = launcherCommandLine(u"davincirun"_s)->parse(arguments.split(' '_L1));
    QVERIFY(!spec);
    QCOMPARE(spec.error().where, where);
}

} // namespace tst_davinciruncommandline

RANKDECK_TEST(tst_davinciruncommandline, DavincirunCommandLineTest)
#include "tst_davinciruncommandline.moc"
