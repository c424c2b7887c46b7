#include "launchform/launchfield.h"

#include <QtTest>

using namespace rankdeck;
using namespace Qt::StringLiterals;

class TestLaunchField : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anErrorBelongsToTheFieldThatItsPlaceNames_data()
    {
        QTest::addColumn<QString>("where");
        QTest::addColumn<int>("field");
        const auto row = [](const char *where, LaunchField field) {
            QTest::newRow(*where ? where : "nothing") << QString::fromUtf8(where) << int(field);
        };
        row("command", LaunchField::Command);
        row("--rank-table", LaunchField::RankTable);
        row("--converted-rank-table", LaunchField::ConvertedTable);
        row("--wait", LaunchField::Wait);
        row("--work-dir", LaunchField::WorkDir);
        row("--work-dir /data", LaunchField::WorkDir);
        row("--log-dir", LaunchField::LogDir);
        row("--grace", LaunchField::Grace);
        row("--env", LaunchField::Environment);
        row("--environment", LaunchField::None);
        row("/config/table.json", LaunchField::RankTable);
        row("/config/table.json:3:14", LaunchField::RankTable);
        row("/config/table.json /server_list/0", LaunchField::RankTable);
        row("/config/table.json.old", LaunchField::None);
        row("/home/rank_table/jobstart_hccl.json", LaunchField::ConvertedTable);
        row("/home/rank_table", LaunchField::ConvertedTable);
        row("/data/log", LaunchField::LogDir);
        row("/data/log/job-proc-rank-0-device-0.txt", LaunchField::LogDir);
        row("/data", LaunchField::WorkDir);
        row("python3", LaunchField::Command);
        row("proc-rank-0-device-0", LaunchField::Command);
        row("/run/rankdeck", LaunchField::None);
        row("", LaunchField::None);
    }
    void anErrorBelongsToTheFieldThatItsPlaceNames()
    {
        PreviewResult context;
        context.tablePath = QStringLiteral("/config/table.json");
        context.plan.emplace();
        context.plan->files.push_back({QStringLiteral("/home/rank_table/jobstart_hccl.json"), {}});
        ProcessPlan process;
        process.argv = QStringList{u"python3"_s, u"train.py"_s};
        process.workDir = QStringLiteral("/data");
        process.logFile = QStringLiteral("/data/log/job-proc-rank-0-device-0.txt");
        context.plan->processes.push_back(process);

        QFETCH(QString, where);
        QFETCH(int, field);
        QCOMPARE(int(fieldOf(Error{QStringLiteral("wrong"), where, {}}, context)), field);
    }

    void anErrorMayNameItsOptionInItsMend()
    {
        const Error error{u"the working directory does not exist"_s, u"/data"_s,
                          u"Make it, or name another with --work-dir."_s};
        QCOMPARE(fieldOf(error, {}), LaunchField::WorkDir);
        QCOMPARE(sentenceAt(LaunchField::WorkDir, error),
                 u"/data: The working directory does not exist. Make it, or name another here."_s);
    }

    void theSentenceLeavesOutTheDirectoryOfTheRankTable()
    {
        PreviewResult context;
        context.tablePath = u"/user/config/table.json"_s;
        const Error error{u"not JSON"_s, u"/user/config/table.json:3:14"_s, {}};
        QCOMPARE(sentenceAt(LaunchField::RankTable, error, context), u"table.json:3:14: Not JSON."_s);
    }

    void theSentenceDoesNotNameItsOwnField()
    {
        const Error error{QStringLiteral("there is no command"), QStringLiteral("command"),
                          QStringLiteral("Type one.")};
        QCOMPARE(sentenceAt(LaunchField::Command, error), QStringLiteral("There is no command. Type one."));
    }

    void theSentenceKeepsThePlaceInAFile()
    {
        const Error error{QStringLiteral("not JSON"), QStringLiteral("/t.json:3:14"), {}};
        QCOMPARE(sentenceAt(LaunchField::RankTable, error), QStringLiteral("/t.json:3:14: Not JSON."));
    }
};

QTEST_GUILESS_MAIN(TestLaunchField)
#include "tst_launchfield.moc"
