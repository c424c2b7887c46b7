#include "launch/options/launchers.h"
#include "launch/spec/launchspec.h"
#include "support/testmain.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace tst_msruncommandline
{

using namespace rankdeck;

namespace
{

QStringList words(const char *text)
{
    return QString::fromUtf8(text).split(' '_L1, Qt::SkipEmptyParts);
}

} // namespace

class MsrunCommandLineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutOptionsTheDefaultsAreMsruns();
    void everyOptionIsReadInBothForms();
    void theScriptKeepsItsOwnOptions();
    void aBeginningThatOneOptionHasIsEnough();
    void joinTakesPythonsLiterals_data();
    void joinTakesPythonsLiterals();
    void frontEndSwitchesAreHandedBack();
    void wrongUseNamesTheOption_data();
    void wrongUseNamesTheOption();
    void aSpecComesBackFromItsArguments_data();
    void aSpecComesBackFromItsArguments();
};

void MsrunCommandLineTest::withoutOptionsTheDefaultsAreMsruns()
{
    const auto spec = launcherCommandLine(u"msrun"_s)->parse({u"train.py"_s});
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    QCOMPARE(spec->launcher, u"msrun"_s);
    QCOMPARE(spec->msrun, MsrunOptions());
    QCOMPARE(spec->logDir, QString());
    QCOMPARE(spec->workDir, u"./"_s);
    QCOMPARE(spec->graceSeconds, 15);
    QCOMPARE(spec->command, QStringList{u"train.py"_s});
}

void MsrunCommandLineTest::everyOptionIsReadInBothForms()
{
    const QStringList apart =
        words("--worker_num 16 --local_worker_num 4 --master_addr node1 --master_port "
              "9000 --node_rank 2 --log_dir out "
              "--join True --cluster_time_out -5 --bind_core true --bind_numa true --sim_level 2 "
              "--sim_rank_id 3 --rank_table_file t.json "
              "--worker_log_name w_{ip} --tail_worker_log 0,3 --name n --work-dir w "
              "--grace 2 --env A=b=c train.py");
    QStringList joined;
    for (qsizetype at = 0; at + 1 < apart.size(); at += 2)
        joined << apart[at] + '='_L1 + apart[at + 1];
    joined << apart.last();
    const auto one = launcherCommandLine(u"msrun"_s)->parse(apart);
    const auto other = launcherCommandLine(u"msrun"_s)->parse(joined);
    QVERIFY2(one, qPrintable(one.error().sentence()));
    QVERIFY2(other, qPrintable(other.error().sentence()));
    QCOMPARE(*one, *other);
    LaunchSpec wanted = msrunDefaults();
    wanted.msrun = {16, 4, u"node1"_s, 9000, 2, true, -5, 2, 3, u"True"_s, u"w_{ip}"_s, u"0,3"_s};
    wanted.common.bindCore = u"True"_s;
    wanted.logDir = u"out"_s;
    wanted.rankTableFile = u"t.json"_s;
    wanted.name = u"n"_s;
    wanted.workDir = u"w"_s;
    wanted.graceSeconds = 2;
    wanted.environment = {{u"A"_s, u"b=c"_s}};
    wanted.command = {u"train.py"_s};
    QCOMPARE(*one, wanted);
}

void MsrunCommandLineTest::theScriptKeepsItsOwnOptions()
{
    const auto spec =
        launcherCommandLine(u"msrun"_s)->parse(words("--join=True train.py --worker_num 3 --unknown"));
    QVERIFY(spec);
    QCOMPARE(spec->msrun.workerNum, 8);
    QCOMPARE(spec->command, words("train.py --worker_num 3 --unknown"));
    const auto pytest = launcherCommandLine(u"msrun"_s)->parse(words("-- pytest -s tests"));
    QVERIFY(pytest);
    QCOMPARE(pytest->command, words("pytest -s tests"));
}

void MsrunCommandLineTest::aBeginningThatOneOptionHasIsEnough()
{
    const auto spec = launcherCommandLine(u"msrun"_s)->parse(words("--worker_n 4 --local=4 train.py"));
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    QCOMPARE(spec->msrun.workerNum, 4);
    QCOMPARE(spec->msrun.localWorkerNum, 4);
}

void MsrunCommandLineTest::joinTakesPythonsLiterals_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("joins");
    QTest::newRow("True") << "True" << true;
    QTest::newRow("False") << "False" << false;
    QTest::newRow("1") << "1" << true;
    QTest::newRow("0") << "0" << false;
}

void MsrunCommandLineTest::joinTakesPythonsLiterals()
{
    QFETCH(QString, value);
    const auto spec = launcherCommandLine(u"msrun"_s)->parse({u"--join"_s, value, u"t.py"_s});
    QVERIFY(spec);
    QTEST(spec->msrun.join, "joins");
}

void MsrunCommandLineTest::frontEndSwitchesAreHandedBack()
{
    QStringList found;
    const QStringList switches{u"--detach"_s, u"--quiet"_s};
    const auto spec =
        launcherCommandLine(u"msrun"_s)->parse(words("--detach --join=True t.py --quiet"), switches, &found);
    QVERIFY(spec);
    QCOMPARE(found, QStringList{u"--detach"_s});
    QCOMPARE(spec->command.last(), u"--quiet"_s);
}

void MsrunCommandLineTest::wrongUseNamesTheOption_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("where");
    const auto row = [](const char *arguments, const char *where) {
        QTest::newRow(arguments) << words(arguments) << QString::fromUtf8(where);
    };
    row("", "task_script");
    row("--worker_num 8", "task_script");
    row("--no_such_thing 1 t.py", "--no_such_thing");
    row("-x t.py", "-x");
    row("--master 1 t.py", "--master");
    row("--worker_num", "--worker_num");
    row("--worker_num --join=True t.py", "--worker_num");
    row("--worker_num eight t.py", "--worker_num");
    row("--worker_num 2.0 t.py", "--worker_num");
    row("--worker_num 99999999999 t.py", "--worker_num");
    row("--worker_num 0 t.py", "--worker_num");
    row("--local_worker_num 0 t.py", "--local_worker_num");
    row("--local_worker_num 5000 t.py", "--local_worker_num");
    row("--master_port 1023 t.py", "--master_port");
    row("--master_port 65536 t.py", "--master_port");
    row("--master_addr fe80::1 t.py", "--master_addr");
    row("--master_addr= t.py", "--master_addr");
    row("--node_rank -2 t.py", "--node_rank");
    row("--node_rank one t.py", "--node_rank");
    row("--join true t.py", "--join");
    row("--join yes t.py", "--join");
    row("--cluster_time_out soon t.py", "--cluster_time_out");
    row("--sim_level 4 t.py", "--sim_level");
    row("--sim_rank_id -2 t.py", "--sim_rank_id");
    row("--bind_core 0-10 t.py", "--bind_core");
    row("--bind_core [] t.py", "--bind_core");
    row("--bind_core {\"device0\":[\"0-1\"] t.py", "--bind_core");
    row("--bind_core {\"gpu0\":[\"0-1\"]} t.py", "--bind_core");
    row("--bind_core {\"device0\":\"0-1\"} t.py", "--bind_core");
    row("--bind_core {\"device0\":[0]} t.py", "--bind_core");
    row("--bind_core {\"device0\":[\"0\"]} t.py", "--bind_core");
    row("--bind_core {\"device0\":[\"3-1\"]} t.py", "--bind_core");
    row("--bind_core {\"device0\":[\"0-999999\"]} t.py", "--bind_core");
    row("--bind_numa 0 t.py", "--bind_numa");
    row("--bind_numa no/such.json t.py", "--bind_numa");
    row("--bind_numa {\"gpu0\":[\"0\"]} t.py", "--bind_numa");
    row("--bind_numa {\"device0\":[\"x\"]} t.py", "--bind_numa");
    row("--bind_numa {\"device0\":[-1]} t.py", "--bind_numa");
    row("--bind_numa {\"bind_config\":{\"bind_cpu_mode\":\"core\"}} t.py", "--bind_numa");
    row("--worker_log_name ../w t.py", "--worker_log_name");
    row("--worker_log_name a\nb t.py", "--worker_log_name");
    row("--tail_worker_log all t.py", "--tail_worker_log");
    row("--tail_worker_log 0,,1 t.py", "--tail_worker_log");
    row("--tail_worker_log= t.py", "--tail_worker_log");
    row("--grace x t.py", "--grace");
    row("--grace -1 t.py", "--grace");
    row("--env A t.py", "--env");
}

void MsrunCommandLineTest::wrongUseNamesTheOption()
{
    QFETCH(QStringList, arguments);
    const auto spec = launcherCommandLine(u"msrun"_s)->parse(arguments);
    QVERIFY(!spec);
    QTEST(spec.error().where, "where");
    QVERIFY(!spec.error().what.isEmpty());
}

void MsrunCommandLineTest::aSpecComesBackFromItsArguments_data()
{
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const char *arguments) {
        QTest::newRow(arguments) << words(arguments);
    };
    row("train.py");
    row("--worker_num=16 --node_rank=-1 --cluster_time_out=-1 --join=True train.py -x --join=False");
    row("--bind_core={\"device0\":[\"0-1\"]} --env=A= --env=B=1=2 --log_dir=a/b python3 -u t.py");
    row("--tail_worker_log=0 --worker_log_name={hostname} --sim_level=0 pytest -s");
}

void MsrunCommandLineTest::aSpecComesBackFromItsArguments()
{
    QFETCH(QStringList, arguments);
    const auto spec = launcherCommandLine(u"msrun"_s)->parse(arguments);
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    const auto again =
        launcherCommandLine(u"msrun"_s)->parse(launcherCommandLine(u"msrun"_s)->arguments(*spec));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(*again, *spec);
    const auto fromJson = launchSpecFromJson(toJson(*spec));
    QVERIFY(fromJson);
    QCOMPARE(*fromJson, *spec);
}

} // namespace tst_msruncommandline

RANKDECK_TEST(tst_msruncommandline, MsrunCommandLineTest)
#include "tst_msruncommandline.moc"
