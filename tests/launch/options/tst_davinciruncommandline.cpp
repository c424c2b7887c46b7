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
    return QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

} // namespace

void DavincirunCommandLineTest::theDefaultsAreDavincirunsOwn()
{
    const auto spec = launcherCommandLine(QStringLiteral("davincirun"))->parse(split("python3 train.py"));
    QVERIFY(spec);
    QCOMPARE(spec->workDir, QStringLiteral("./"));
    QCOMPARE(spec->logDir, QStringLiteral("./log"));
    QVERIFY(spec->randomCacheDir && spec->destroyWhenFinished && spec->raiseOnFailure);
    QCOMPARE(spec->graceSeconds, 15);
    QCOMPARE(spec->rankTableWaitSeconds, 1800);
}

void DavincirunCommandLineTest::everyOptionIsRead()
{
    const auto spec =
        launcherCommandLine(QStringLiteral("davincirun"))
            ->parse(split(
                "--rank-table t --server 10.0.0.2 --converted-rank-table c --wait 5 --work-dir w --log-dir=l "
                "--grace 3 --env A=b=c "
                "--env D= --name n --no-random-cache-dir --no-destroy --no-raise prog"));
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    LaunchSpec expected;
    expected.rankTableFile = QStringLiteral("t");
    expected.server = QStringLiteral("10.0.0.2");
    expected.convertedRankTable = QStringLiteral("c");
    expected.rankTableWaitSeconds = 5;
    expected.workDir = QStringLiteral("w");
    expected.logDir = QStringLiteral("l");
    expected.graceSeconds = 3;
    expected.environment = {{QStringLiteral("A"), QStringLiteral("b=c")}, {QStringLiteral("D"), QString()}};
    expected.name = QStringLiteral("n");
    expected.randomCacheDir = expected.destroyWhenFinished = expected.raiseOnFailure = false;
    expected.command = {QStringLiteral("prog")};
    QCOMPARE(*spec, expected);
}

void DavincirunCommandLineTest::theCommandKeepsItsOwnOptions()
{
    const auto spec = launcherCommandLine(QStringLiteral("davincirun"))
                          ->parse(split("--grace 1 python3 x.py --grace 9 --help"));
    QVERIFY(spec);
    QCOMPARE(spec->graceSeconds, 1);
    QCOMPARE(spec->command, split("python3 x.py --grace 9 --help"));
    QCOMPARE(launcherCommandLine(QStringLiteral("davincirun"))->parse(split("-- --odd-program"))->command,
             split("--odd-program"));
}

void DavincirunCommandLineTest::whatIsWrittenIsReadBack()
{
    LaunchSpec spec;
    spec.command = split("--odd x");
    spec.logDir.clear();
    spec.graceSeconds = 0;
    spec.name = QStringLiteral("with blank");
    spec.destroyWhenFinished = false;
    spec.environment = {{QStringLiteral("A"), QStringLiteral("1")}};
    const auto again = launcherCommandLine(QStringLiteral("davincirun"))
                           ->parse(launcherCommandLine(QStringLiteral("davincirun"))->arguments(spec));
    QVERIFY(again);
    QCOMPARE(*again, spec);
}

void DavincirunCommandLineTest::wrongUseNamesTheOption_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("where");
    QTest::newRow("unknown") << QStringLiteral("--bogus x") << QStringLiteral("--bogus");
    QTest::newRow("value missing") << QStringLiteral("--log-dir") << QStringLiteral("--log-dir");
    QTest::newRow("no number") << QStringLiteral("--grace soon x") << QStringLiteral("--grace");
    QTest::newRow("a value for a switch") << QStringLiteral("--no-raise=1 x") << QStringLiteral("--no-raise");
    QTest::newRow("no name in a variable") << QStringLiteral("--env =x p") << QStringLiteral("--env");
}

void DavincirunCommandLineTest::wrongUseNamesTheOption()
{
    QFETCH(QString, arguments);
    QFETCH(QString, where);
    const auto spec =
        launcherCommandLine(QStringLiteral("davincirun"))->parse(arguments.split(QLatin1Char(' ')));
    QVERIFY(!spec);
    QCOMPARE(spec.error().where, where);
}

} // namespace tst_davinciruncommandline

RANKDECK_TEST(tst_davinciruncommandline, DavincirunCommandLineTest)
#include "tst_davinciruncommandline.moc"
