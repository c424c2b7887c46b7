#include "launch/davincirunoptions.h"

#include <QTest>

using namespace rankdeck;

class DavincirunOptionsTest : public QObject
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

void DavincirunOptionsTest::theDefaultsAreDavincirunsOwn()
{
    const auto spec = parseDavincirunArguments(split("python3 train.py"));
    QVERIFY(spec);
    QCOMPARE(spec->workDir, QStringLiteral("./"));
    QCOMPARE(spec->logDir, QStringLiteral("./log"));
    QVERIFY(spec->randomCacheDir && spec->destroyWhenFinished && spec->raiseOnFailure);
    QCOMPARE(spec->graceSeconds, 15);
    QCOMPARE(spec->rankTableWaitSeconds, 1800);
}

void DavincirunOptionsTest::everyOptionIsRead()
{
    const auto spec = parseDavincirunArguments(split(
        "--rank-table t --converted-rank-table c --wait 5 --work-dir w --log-dir=l --grace 3 --env A=b=c "
        "--env D= --name n --no-random-cache-dir --no-destroy --no-raise prog"));
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    LaunchSpec expected;
    expected.rankTableFile = QStringLiteral("t");
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

void DavincirunOptionsTest::theCommandKeepsItsOwnOptions()
{
    const auto spec = parseDavincirunArguments(split("--grace 1 python3 x.py --grace 9 --help"));
    QVERIFY(spec);
    QCOMPARE(spec->graceSeconds, 1);
    QCOMPARE(spec->command, split("python3 x.py --grace 9 --help"));
    QCOMPARE(parseDavincirunArguments(split("-- --odd-program"))->command, split("--odd-program"));
}

void DavincirunOptionsTest::whatIsWrittenIsReadBack()
{
    LaunchSpec spec;
    spec.command = split("--odd x");
    spec.logDir.clear();
    spec.graceSeconds = 0;
    spec.name = QStringLiteral("with blank");
    spec.destroyWhenFinished = false;
    spec.environment = {{QStringLiteral("A"), QStringLiteral("1")}};
    const auto again = parseDavincirunArguments(davincirunArguments(spec));
    QVERIFY(again);
    QCOMPARE(*again, spec);
}

void DavincirunOptionsTest::wrongUseNamesTheOption_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("where");
    QTest::newRow("unknown") << QStringLiteral("--bogus x") << QStringLiteral("--bogus");
    QTest::newRow("value missing") << QStringLiteral("--log-dir") << QStringLiteral("--log-dir");
    QTest::newRow("no number") << QStringLiteral("--grace soon x") << QStringLiteral("--grace");
    QTest::newRow("a value for a switch") << QStringLiteral("--no-raise=1 x") << QStringLiteral("--no-raise");
    QTest::newRow("no name in a variable") << QStringLiteral("--env =x p") << QStringLiteral("--env");
}

void DavincirunOptionsTest::wrongUseNamesTheOption()
{
    QFETCH(QString, arguments);
    QFETCH(QString, where);
    const auto spec = parseDavincirunArguments(arguments.split(QLatin1Char(' ')));
    QVERIFY(!spec);
    QCOMPARE(spec.error().where, where);
}

QTEST_GUILESS_MAIN(DavincirunOptionsTest)
#include "tst_davincirunoptions.moc"
