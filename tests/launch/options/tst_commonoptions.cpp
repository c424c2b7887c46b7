#include "launch/options/launchers.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_commonoptions
{

using namespace rankdeck;

/// The options that every launcher takes, on each launcher's command line.
class CommonOptionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyLauncherTakesThem_data();
    void everyLauncherTakesThem();
    void wrongUseNamesTheOption_data();
    void wrongUseNamesTheOption();
    void beginningsAreThoseOfTheLaunchersOwnOptions();
};

namespace
{

void addLaunchers()
{
    QTest::addColumn<QString>("launcher");
    for (const QString &launcher : launcherNames())
        QTest::newRow(qPrintable(launcher)) << launcher;
}

} // namespace

void CommonOptionsTest::everyLauncherTakesThem_data()
{
    addLaunchers();
}

void CommonOptionsTest::everyLauncherTakesThem()
{
    QFETCH(QString, launcher);
    const auto line = launcherCommandLine(launcher);
    QVERIFY(line);
    const QString bind = launcher == QLatin1String("msrun") ? QStringLiteral("--bind_core=true")
                                                            : QStringLiteral("--bind-core=true");
    const QStringList arguments{QStringLiteral("--name"),
                                QStringLiteral("n"),
                                QStringLiteral("--work-dir=w"),
                                QStringLiteral("--conda-env"),
                                QStringLiteral("ms"),
                                QStringLiteral("--env"),
                                QStringLiteral("A=b=c"),
                                QStringLiteral("--env=D="),
                                QStringLiteral("--env-file=one"),
                                QStringLiteral("--env-file"),
                                QStringLiteral("two"),
                                QStringLiteral("--unset-env=U"),
                                QStringLiteral("--rank-env"),
                                QStringLiteral("3:A=x:y"),
                                QStringLiteral("--nice"),
                                QStringLiteral("-5"),
                                QStringLiteral("--umask=27"),
                                QStringLiteral("--memory-limit=2G"),
                                QStringLiteral("--open-files"),
                                QStringLiteral("99"),
                                QStringLiteral("--tty"),
                                QStringLiteral("0-3,7"),
                                QStringLiteral("--wrap=0:gdb"),
                                QStringLiteral("--wrap"),
                                QStringLiteral("1,2:strace -e 'a b'"),
                                QStringLiteral("--progress-pattern"),
                                QStringLiteral("s (?P<step>\\d+)"),
                                QStringLiteral("--stall-after=7"),
                                QStringLiteral("--needs-hbm"),
                                QStringLiteral("32000"),
                                QStringLiteral("--sample-every=10"),
                                QStringLiteral("--dump-signal"),
                                QStringLiteral("USR1"),
                                QStringLiteral("--before"),
                                QStringLiteral("echo 'a b'"),
                                QStringLiteral("--after=true"),
                                QStringLiteral("--grace=4"),
                                QStringLiteral("--no-raise"),
                                bind,
                                QStringLiteral("t.py"),
                                QStringLiteral("--nice")};
    const auto spec = line->parse(arguments);
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    LaunchSpec wanted = line->defaults;
    wanted.name = QStringLiteral("n");
    wanted.workDir = QStringLiteral("w");
    wanted.environment = {{QStringLiteral("A"), QStringLiteral("b=c")}, {QStringLiteral("D"), QString()}};
    wanted.graceSeconds = 4;
    wanted.raiseOnFailure = false;
    wanted.command = {QStringLiteral("t.py"), QStringLiteral("--nice")};
    wanted.common.condaEnv = QStringLiteral("ms");
    wanted.common.envFiles = {QStringLiteral("one"), QStringLiteral("two")};
    wanted.common.unsetVariables = {QStringLiteral("U")};
    wanted.common.rankEnvironment = {{3, {{QStringLiteral("A"), QStringLiteral("x:y")}}}};
    wanted.common.bindCore = QStringLiteral("True");
    wanted.common.nice = -5;
    wanted.common.memoryLimitMiB = 2048;
    wanted.common.openFiles = 99;
    wanted.common.umask = 027;
    wanted.common.terminals = QStringLiteral("0-3,7");
    wanted.common.wrappers = {QStringLiteral("0:gdb"), QStringLiteral("1,2:strace -e 'a b'")};
    wanted.common.progressPattern = QStringLiteral("s (?P<step>\\d+)");
    wanted.common.stallAfterSeconds = 7;
    wanted.common.neededHbmMb = 32000;
    wanted.common.sampleEverySeconds = 10;
    wanted.common.dumpSignal = QStringLiteral("USR1");
    wanted.common.before = {{QStringLiteral("echo"), QStringLiteral("a b")}};
    wanted.common.after = {{QStringLiteral("true")}};
    QCOMPARE(*spec, wanted);

    const auto again = line->parse(line->arguments(*spec));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(*again, wanted);
}

void CommonOptionsTest::wrongUseNamesTheOption_data()
{
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const QStringList &arguments) {
        QTest::newRow(qPrintable(arguments.join(QLatin1Char(' ')))) << arguments;
    };
    for (const char *text : {"--env =x", "--rank-env A=1", "--rank-env -1:A=1", "--rank-env 1:A", "--nice x",
                             "--memory-limit 64", "--memory-limit 0G", "--memory-limit 9999999T", "--umask 8",
                             "--umask 1000", "--open-files many", "--after 'unclosed"})
        row(QString::fromLatin1(text).split(QLatin1Char(' ')));
    row({QStringLiteral("--before"), QString()});
    row({QStringLiteral("--nice")});
}

void CommonOptionsTest::wrongUseNamesTheOption()
{
    QFETCH(QStringList, arguments);
    for (const QString &launcher : launcherNames()) {
        const auto spec = launcherCommandLine(launcher)->parse(arguments);
        QVERIFY2(!spec, qPrintable(launcher));
        QCOMPARE(spec.error().where, arguments.first());
    }
}

void CommonOptionsTest::beginningsAreThoseOfTheLaunchersOwnOptions()
{
    const auto line = launcherCommandLine(QStringLiteral("msrun"));
    const auto spec = line->parse({QStringLiteral("--rank=t.json"), QStringLiteral("t.py")});
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    QCOMPARE(spec->rankTableFile, QStringLiteral("t.json"));
    QVERIFY(!line->parse({QStringLiteral("--um=0"), QStringLiteral("t.py")}));
    QVERIFY(!line->parse({QStringLiteral("--master=x"), QStringLiteral("t.py")}));
}

} // namespace tst_commonoptions

RANKDECK_TEST(tst_commonoptions, CommonOptionsTest)
#include "tst_commonoptions.moc"
