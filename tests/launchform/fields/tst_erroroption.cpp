#include "launchform/fields/previewresult.h"
#include "support/testmain.h"

#include <QtTest>

namespace tst_erroroption
{

using namespace rankdeck;

class TestErrorOption : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anErrorBelongsToTheFieldThatItsPlaceNames_data()
    {
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("option");
        const auto row = [](const char *where, const char *option) {
            QTest::newRow(*where ? where : "nothing")
                << QString::fromUtf8(where) << QString::fromUtf8(option);
        };
        row("command", "command");
        row("--rank-table", "--rank-table");
        row("--converted-rank-table", "--converted-rank-table");
        row("--wait", "--wait");
        row("--work-dir", "--work-dir");
        row("--work-dir /data", "--work-dir");
        row("--log-dir", "--log-dir");
        row("--grace", "--grace");
        row("--env", "--env");
        row("--environment", "--environment");
        row("--master_port", "--master-port");
        row("--log_dir", "--log-dir");
        row("task_script", "command");
        row("args", "args");
        row("envs.3", "envs");
        row("environment", "");
        row("/data/train.py", "command");
        row("/config/table.json", "--rank-table");
        row("/config/table.json:3:14", "--rank-table");
        row("/config/table.json /server_list/0", "--rank-table");
        row("/config/table.json.old", "");
        row("/home/rank_table/jobstart_hccl.json", "--converted-rank-table");
        row("/home/rank_table", "--converted-rank-table");
        row("/data/log", "--log-dir");
        row("/data/log/job-proc-rank-0-device-0.txt", "--log-dir");
        row("/data", "--work-dir");
        row("/data/log/eval.py", "command");
        row("python3", "command");
        row("proc-rank-0-device-0", "command");
        row("/run/rankdeck", "");
        row("", "");
    }
    void anErrorBelongsToTheFieldThatItsPlaceNames()
    {
        PreviewResult context;
        context.tablePath = u"/config/table.json"_s;
        context.plan.emplace();
        context.plan->files.push_back({u"/home/rank_table/jobstart_hccl.json"_s, {}});
        ProcessPlan process;
        process.argv = QStringList{u"python3"_s, u"train.py"_s, u"log/eval.py"_s};
        process.workDir = u"/data"_s;
        process.logFile = u"/data/log/job-proc-rank-0-device-0.txt"_s;
        context.plan->processes.push_back(process);

        QFETCH(QString, where);
        QFETCH(QString, option);
        QCOMPARE(optionOf(Error{u"wrong"_s, where, {}}, context), option);
    }

    void anErrorMayNameItsOptionInItsMend()
    {
        const Error error{u"the working directory does not exist"_s, u"/data"_s,
                          u"Create it, or name another with --work-dir."_s};
        QCOMPARE(optionOf(error, {}), u"--work-dir"_s);
        QCOMPARE(
            sentenceAt(u"--work-dir"_s, error),
            u"/data: The working directory does not exist. Create it, or name another with --work-dir."_s);
    }

    void theSentenceLeavesOutTheDirectoryOfTheRankTable()
    {
        PreviewResult context;
        context.tablePath = u"/user/config/table.json"_s;
        const Error error{u"not JSON"_s, u"/user/config/table.json:3:14"_s, {}};
        QCOMPARE(sentenceAt(u"--rank-table"_s, error, context), u"table.json:3:14: Not JSON."_s);
    }

    void theSentenceDoesNotNameItsOwnField()
    {
        const Error error{u"missing command"_s, u"command"_s, u"Type one."_s};
        QCOMPARE(sentenceAt(u"command"_s, error), u"Missing command. Type one."_s);
    }

    void theSentenceKeepsThePlaceInAFile()
    {
        const Error error{u"not JSON"_s, u"/t.json:3:14"_s, {}};
        QCOMPARE(sentenceAt(u"--rank-table"_s, error), u"/t.json:3:14: Not JSON."_s);
    }
};

} // namespace tst_erroroption

RANKDECK_TEST(tst_erroroption, TestErrorOption)
#include "tst_erroroption.moc"
