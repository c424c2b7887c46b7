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
    const QString bind = launcher == "msrun"_L1 ? u"--bind_core=true"_s : u"--bind-core=true"_s;
    const QStringList arguments{u"--name"_s,
                                u"n"_s,
                                u"--work-dir=w"_s,
                                u"--conda-env"_s,
                                u"ms"_s,
                                u"--env"_s,
                                u"A=b=c"_s,
                                u"--env=D="_s,
                                u"--env-file=one"_s,
                                u"--env-file"_s,
                                u"two"_s,
                                u"--unset-env=U"_s,
                                u"--rank-env"_s,
                                u"3:A=x:y"_s,
                                u"--nice"_s,
                                u"-5"_s,
                                u"--umask=27"_s,
                                u"--memory-limit=2G"_s,
                                u"--open-files"_s,
                                u"99"_s,
                                u"--tty"_s,
                                u"0-3,7"_s,
                                u"--wrap=0:gdb"_s,
                                u"--wrap"_s,
                                u"1,2:strace -e 'a b'"_s,
                                u"--progress-pattern"_s,
                                u"s (?P<step>\\d+)"_s,
                                u"--stall-after=7"_s,
                                u"--needs-hbm"_s,
                                u"32000"_s,
                                u"--sample-every=10"_s,
                                u"--dump-signal"_s,
                                u"USR1"_s,
                                u"--before"_s,
                                u"echo 'a b'"_s,
                                u"--after=true"_s,
                                u"--grace=4"_s,
                                u"--no-raise"_s,
                                bind,
                                u"t.py"_s,
                                u"--nice"_s};
    const auto spec = line->parse(arguments);
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    LaunchSpec wanted = line->defaults;
    wanted.name = u"n"_s;
    wanted.workDir = u"w"_s;
    wanted.environment = {{u"A"_s, u"b=c"_s}, {u"D"_s, QString()}};
    wanted.graceSeconds = 4;
    wanted.raiseOnFailure = false;
    wanted.command = {u"t.py"_s, u"--nice"_s};
    wanted.common.condaEnv = u"ms"_s;
    wanted.common.envFiles = {u"one"_s, u"two"_s};
    wanted.common.unsetVariables = {u"U"_s};
    wanted.common.rankEnvironment = {{3, {{u"A"_s, u"x:y"_s}}}};
    wanted.common.bindCore = u"True"_s;
    wanted.common.nice = -5;
    wanted.common.memoryLimitMiB = 2048;
    wanted.common.openFiles = 99;
    wanted.common.umask = 027;
    wanted.common.terminals = u"0-3,7"_s;
    wanted.common.wrappers = {u"0:gdb"_s, u"1,2:strace -e 'a b'"_s};
    wanted.common.progressPattern = u"s (?P<step>\\d+)"_s;
    wanted.common.stallAfterSeconds = 7;
    wanted.common.neededHbmMb = 32000;
    wanted.common.sampleEverySeconds = 10;
    wanted.common.dumpSignal = u"USR1"_s;
    wanted.common.before = {{u"echo"_s, u"a b"_s}};
    wanted.common.after = {{u"true"_s}};
    QCOMPARE(*spec, wanted);

    const auto again = line->parse(line->arguments(*spec));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(*again, wanted);
}

void CommonOptionsTest::wrongUseNamesTheOption_data()
{
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const QStringList &arguments) {
        QTest::newRow(qPrintable(arguments.join(' '_L1))) << arguments;
    };
    for (const char *text : {"--env =x", "--rank-env A=1", "--rank-env -1:A=1", "--rank-env 1:A", "--nice x",
                             "--memory-limit 64", "--memory-limit 0G", "--memory-limit 9999999T", "--umask 8",
                             "--umask 1000", "--open-files many", "--after 'unclosed"})
        row(QString::fromLatin1(text).split(' '_L1));
    row({u"--before"_s, QString()});
    row({u"--nice"_s});
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
    const auto line = launcherCommandLine(u"msrun"_s);
    const auto spec = line->parse({u"--rank=t.json"_s, u"t.py"_s});
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    QCOMPARE(spec->rankTableFile, u"t.json"_s);
    QVERIFY(!line->parse({u"--um=0"_s, u"t.py"_s}));
    QVERIFY(!line->parse({u"--master=x"_s, u"t.py"_s}));
}

} // namespace tst_commonoptions

RANKDECK_TEST(tst_commonoptions, CommonOptionsTest)
#include "tst_commonoptions.moc"
