#include "support/programs.h"
#include "support/testmain.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <memory>

namespace tst_ranktablecommands
{

using namespace rankdeck;
using Json = nlohmann::json;

namespace
{

Json jsonOf(const QByteArray &text)
{
    return Json::parse(text.begin(), text.end(), nullptr, false);
}

/// A version 1.0 table of one server with two devices.
QByteArray oneServer(const char *serverId, int firstByte)
{
    const auto device = [&](int id) {
        return Json{{"device_id", std::to_string(id)},
                    {"device_ip", "198.51.100." + std::to_string(firstByte + id)},
                    {"rank_id", std::to_string(id)}};
    };
    const Json table{{"version", "1.0"},
                     {"status", "completed"},
                     {"server_count", "1"},
                     {"server_list", {{{"server_id", serverId}, {"device", {device(0), device(1)}}}}}};
    return QByteArray::fromStdString(table.dump(2));
}

/// The server of each rank, in the order of the ranks.
QStringList serversByRank(const QByteArray &table)
{
    const Json json = jsonOf(table);
    QMap<int, QString> servers;
    for (const Json &server : json["server_list"]) {
        for (const Json &device : server["device"])
            servers.insert(std::stoi(device["rank_id"].get<std::string>()),
                           QString::fromStdString(server["server_id"].get<std::string>()));
    }
    return servers.values();
}

} // namespace

/// rankdeckctl ranktable as a user runs it.
class RankTableCommandsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { qputenv("PATH", m_path); }
    void checkOfASoundTableSaysSo();
    void checkNamesPlaceRuleAndCode();
    void checkTellsOfEveryFile();
    void checkWritesJson();
    void checkOfWhatIsNoTableIsExitCode2_data();
    void checkOfWhatIsNoTableIsExitCode2();
    void checkKnowsTheChip();
    void foreignTextCannotCommandTheTerminal();
    void showAlignsServersAndRanks();
    void showWritesJson();
    void convertTurnsTemplateTwoIntoVersion10();
    void convertAddsSuperPods();
    void convertRefusesWhatDoesNotFit_data();
    void convertRefusesWhatDoesNotFit();
    void aFileThatIsThereIsReplacedOnlyByForce();
    void diffShowsWhatChangesAndWritesNothing();
    void mergeNumbersByServerIdAndWarnsOfTheOtherOrder();
    void mergeKeepsTheOrderOfTheArgumentsWhenAsked();
    void mergeRefusesAServerTwice();
    void subsetKeepsDevicesAndServers();
    void subsetNamesWhatIsNotThere();
    void generateWithoutAnNpuSaysWhatItLookedFor();
    void generateTakesGivenAddresses();
    void generateAsksHccnTool();
    void generateMakesATableForServing();
    void initPrintsJsonOrNullSeparated();
    void initRefusesToHandAShellControlCharacters();
    void waitEndsWhenTheTableIsCompleted();
    void waitGivesUpAfterItsTime();
    void aFileThatIsNotThereYetIsWaitedFor_data();
    void aFileThatIsNotThereYetIsWaitedFor();
    void waitRefusesWhatCannotBeRead();
    void anInterruptEndsTheWait();
    void everyActionHasHelp_data();
    void everyActionHasHelp();
    void badArgumentsAreOneSentenceAndExitCode2_data();
    void badArgumentsAreOneSentenceAndExitCode2();
    void aLaunchOnADoubtfulTableWarnsAndGoesOn();

private:
    QString write(const char *name, const QByteArray &text) const
    {
        const QString path = m_home->path(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("%s cannot be written", name);
        return path;
    }
    static Outcome rankTable(const QStringList &arguments)
    {
        return ctl(QStringList{u"ranktable"_s} + arguments);
    }
    static QString arg(const char *text) { return QString::fromUtf8(text); }

    std::unique_ptr<TestHome> m_home;
    QByteArray m_path = qgetenv("PATH");
};

void RankTableCommandsTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void RankTableCommandsTest::checkOfASoundTableSaysSo()
{
    const QString table = testData("ranktables/server_list_1.0.json");
    const Outcome outcome = rankTable({arg("check"), table});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.out, table.toUtf8() + ": no findings\n");
    QCOMPARE(outcome.err, QByteArray());
}

void RankTableCommandsTest::checkNamesPlaceRuleAndCode()
{
    QByteArray text = oneServer("192.0.2.1", 10);
    text.replace("198.51.100.11", "198.51.100.10");
    const QString table = write("t.json", text);
    const Outcome outcome = rankTable({arg("check"), table});
    QCOMPARE(outcome.code, 1);
    const QByteArray first = linesOf(outcome.out).first();
    QVERIFY2(first.startsWith(table.toUtf8() + ':'), first.constData());
    QVERIFY2(first.contains(": error: ") && first.contains("[EI0014]") &&
                 first.endsWith("(duplicate-device-ip)"),
             first.constData());
    QVERIFY2(linesOf(outcome.out).last().endsWith(": 1 error"), outcome.out.constData());
}

void RankTableCommandsTest::checkTellsOfEveryFile()
{
    const QString good = testData("ranktables/server_list_1.0.json");
    const QString bad = write("bad.json", oneServer("192.0.2.1", 10).replace("\"1\",\n", "\"7\",\n"));
    const Outcome outcome = rankTable({arg("check"), bad, good, arg("/no/such/table.json")});
    QCOMPARE(outcome.code, 2);
    QVERIFY(outcome.out.contains(bad.toUtf8() + ":"));
    QVERIFY(outcome.out.contains(good.toUtf8() + ": no findings"));
    QVERIFY(outcome.err.contains("/no/such/table.json"));
    QCOMPARE(rankTable({arg("check"), good, bad}).code, 1);
    const QString dashed = write("-t.json", fileText(good));
    QCOMPARE(ctl({arg("ranktable"), arg("check"), arg("--"), arg("-t.json")}, QFileInfo(dashed).path()).code,
             0);
}

void RankTableCommandsTest::checkWritesJson()
{
    QByteArray text = oneServer("192.0.2.1", 10);
    text.replace("198.51.100.11", "not an ip");
    const QString bad = write("bad.json", text);
    const Outcome outcome = rankTable({arg("check"), arg("--json"), bad, arg("/no/such/table.json")});
    QCOMPARE(outcome.code, 2);
    const Json json = jsonOf(outcome.out).at("files");
    QVERIFY2(json.is_array() && json.size() == 2, outcome.out.constData());
    QCOMPARE(json[0]["file"].get<std::string>(), bad.toStdString());
    QCOMPARE(json[0]["form"].get<std::string>(), std::string("version 1.0 (server_list)"));
    QCOMPARE(json[0]["servers"].get<int>(), 1);
    QCOMPARE(json[0]["devices"].get<int>(), 2);
    QVERIFY(json[0]["unusable"].is_null());
    const Json &finding = json[0]["findings"].at(0);
    QCOMPARE(finding["severity"].get<std::string>(), std::string("error"));
    QCOMPARE(finding["rule"].get<std::string>(), std::string("invalid-device-ip"));
    QCOMPARE(finding["pointer"].get<std::string>(), std::string("/server_list/0/device/1/device_ip"));
    QVERIFY(finding["line"].get<int>() > 1);
    for (const char *key : {"column", "what", "mend", "source", "code"})
        QVERIFY2(finding.contains(key), key);
    QVERIFY(json[1]["unusable"].is_string());
    QVERIFY(json[1]["form"].is_null());
}

void RankTableCommandsTest::checkOfWhatIsNoTableIsExitCode2_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("rank table");
    QTest::newRow("half a table") << oneServer("192.0.2.1", 10).left(80);
    QTest::newRow("too deep") << QByteArray("[").repeated(100000);
    QTest::newRow("binary") << QByteArray("\x7f\x45LF\0\0\1\xff\xfe", 9);
}

void RankTableCommandsTest::checkOfWhatIsNoTableIsExitCode2()
{
    QFETCH(QByteArray, text);
    const QString path = write("t.json", text);
    const Outcome outcome = rankTable({arg("check"), path});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.out.contains("error: "), outcome.out.constData());
    QCOMPARE(rankTable({arg("check"), arg("--json"), path}).code, 2);
}

void RankTableCommandsTest::checkKnowsTheChip()
{
    const QString table = testData("ranktables/server_list_1.0.json");
    QCOMPARE(rankTable({arg("check"), table, arg("--chip"), arg("910B")}).code, 0);
    QCOMPARE(rankTable({arg("check"), table, arg("--chip=950")}).code, 1);
    const Outcome unknown = rankTable({arg("check"), table, arg("--chip"), arg("386")});
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.err.contains("\"386\"") && unknown.err.contains("910b"), unknown.err.constData());
}

void RankTableCommandsTest::foreignTextCannotCommandTheTerminal()
{
    QByteArray text = oneServer("EVIL", 10);
    text.replace("EVIL", "a\\u001b[2J\\u009b31m\\u202eb\x7f\\n");
    text.replace("198.51.100.11", "\\u001b[31mx");
    text.replace("\"completed\"", "\"completed\", \"other\": \"\\u001b]0;x\\u0007 \xc2\x9b\"");
    const QString path = write("t.json", text);
    for (const QStringList &action : {QStringList{arg("check")},
                                      {arg("check"), arg("--json")},
                                      {arg("show")},
                                      {arg("show"), arg("--json")},
                                      {arg("convert")},
                                      {arg("subset"), arg("--devices"), arg("0")},
                                      {arg("subset"), arg("--devices"), arg("0"), arg("--diff")},
                                      {arg("subset"), arg("--server"), arg("\x1b[31m")}}) {
        const Outcome outcome = rankTable(action + QStringList{path});
        for (const QByteArray &bytes : {outcome.out, outcome.err}) {
            const QString shown = QString::fromUtf8(bytes);
            for (const QChar character : shown)
                QVERIFY2(character == '\n'_L1 || (character.category() != QChar::Other_Control &&
                                                  character.category() != QChar::Other_Format),
                         bytes.constData());
        }
    }
    // It is spelled out, not lost.
    const Json table = jsonOf(rankTable({arg("convert"), path}).out);
    QCOMPARE(QString::fromStdString(table["server_list"][0]["server_id"].get<std::string>()),
             QString::fromUtf8("a\x1b[2J\xc2\x9b"
                               "31m\xe2\x80\xae"
                               "b\x7f\n"));
}

void RankTableCommandsTest::showAlignsServersAndRanks()
{
    const QString table = testData("ranktables/super_pod_1.2.json");
    const Outcome outcome = rankTable({arg("show"), table});
    QCOMPARE(outcome.code, 0);
    const auto lines = linesOf(outcome.out);
    QVERIFY2(lines[0].endsWith("version 1.2 (super_pod_list), status completed, 1 server, 8 devices"),
             lines[0].constData());
    QCOMPARE(lines[2], QByteArray("192.0.2.1, super pod 0, 8 devices"));
    QCOMPARE(lines[3], QByteArray("  RANK  DEVICE  DEVICE IP       SUPER DEVICE"));
    QCOMPARE(lines[4], QByteArray("     0       0  198.51.100.100  37748736"));
    QCOMPARE(lines.size(), 12);
    QCOMPARE(rankTable({arg("show"), testData("ranktables/malformed.json")}).code, 2);
}

void RankTableCommandsTest::showWritesJson()
{
    const Outcome outcome =
        rankTable({arg("show"), arg("--json"), testData("ranktables/template2_2servers.json")});
    QCOMPARE(outcome.code, 0);
    const Json json = jsonOf(outcome.out);
    QCOMPARE(json["device_count"].get<int>(), 16);
    QCOMPARE(json["servers"][0]["pod_name"].get<std::string>(), std::string("train-job-10"));
    QVERIFY(json["servers"][0]["devices"][0]["rank"].is_null());
    QCOMPARE(json["servers"][1]["devices"][7]["device_id"].get<int>(), 7);
}

void RankTableCommandsTest::convertTurnsTemplateTwoIntoVersion10()
{
    for (const char *to : {"", "--to=1.0"}) {
        QStringList arguments{arg("convert"), testData("ranktables/template2_2servers.json")};
        if (*to)
            arguments << arg(to);
        const Outcome outcome = rankTable(arguments);
        QCOMPARE(outcome.code, 0);
        QVERIFY(jsonOf(outcome.out) ==
                jsonOf(fileText(testData("ranktables/template2_2servers_converted.json"))));
    }
    const Outcome lab = rankTable({arg("convert"), testData("ranktables/deploy_mode_lab.json")});
    QCOMPARE(lab.code, 0);
    QCOMPARE(serversByRank(lab.out), (QStringList{arg("192.0.2.1"), arg("192.0.2.1")}));
}

void RankTableCommandsTest::convertAddsSuperPods()
{
    const QString table = write("t.json", oneServer("192.0.2.1", 10));
    const Outcome outcome =
        rankTable({arg("convert"), table, arg("--super-pod"), arg("pod=192.0.2.1"), arg("--super-device-id"),
                   arg("192.0.2.1/0=37748736"), arg("--super-device-id=192.0.2.1/1=37814272")});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const Json json = jsonOf(outcome.out);
    QCOMPARE(json["version"].get<std::string>(), std::string("1.2"));
    QCOMPARE(json["super_pod_list"][0]["super_pod_id"].get<std::string>(), std::string("pod"));
    QCOMPARE(json["server_list"][0]["device"][1]["super_device_id"].get<std::string>(),
             std::string("37814272"));
    const QString converted = write("c.json", outcome.out);
    QCOMPARE(rankTable({arg("check"), converted, arg("--chip"), arg("a3")}).code, 0);
}

void RankTableCommandsTest::convertRefusesWhatDoesNotFit_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("words");
    const QString one = testData("ranktables/server_list_1.0.json");
    QTest::newRow("2.0 to 1.0") << testData("ranktables/rank_list_2.0.json") << QStringList()
                                << arg("cannot become version 1.0");
    QTest::newRow("unfinished") << testData("ranktables/initializing.json") << QStringList()
                                << arg("\"initializing\"");
    QTest::newRow("no such version") << one << QStringList{arg("--to"), arg("3.0")} << arg("1.0 or 1.2");
    QTest::newRow("1.0 with super pods")
        << one << QStringList{arg("--to"), arg("1.0"), arg("--super-pod"), arg("0=192.0.2.1")}
        << arg("no super pods");
    QTest::newRow("no super_device_id")
        << one << QStringList{arg("--super-pod"), arg("0=192.0.2.1")} << arg("no super_device_id");
    QTest::newRow("no super pod") << one << QStringList{arg("--to"), arg("1.2")}
                                  << arg("belongs to no super pod");
    QTest::newRow("a pod without servers")
        << one << QStringList{arg("--super-pod"), arg("0")} << arg("ID=SERVER");
    QTest::newRow("a device without number")
        << one << QStringList{arg("--super-device-id"), arg("192.0.2.1/x=7")} << arg("SERVER/DEVICE=ID");
    QTest::newRow("not there") << arg("/no/such/table.json") << QStringList() << arg("file not found");
    QTest::newRow("a folder") << arg("/tmp") << QStringList() << arg("/tmp");
}

void RankTableCommandsTest::convertRefusesWhatDoesNotFit()
{
    QFETCH(QString, table);
    QFETCH(QStringList, options);
    QFETCH(QString, words);
    const Outcome outcome = rankTable(QStringList{arg("convert"), table} + options);
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(words.toUtf8()), outcome.err.constData());
    QCOMPARE(linesOf(outcome.err).size(), 1);
    QCOMPARE(outcome.out, QByteArray());
}

void RankTableCommandsTest::aFileThatIsThereIsReplacedOnlyByForce()
{
    const QByteArray before = fileText(testData("ranktables/template2_2servers.json"));
    const QString table = write("t.json", before);
    const Outcome refused = rankTable({arg("convert"), table, arg("-o"), table});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("--force"), refused.err.constData());
    QCOMPARE(fileText(table), before);
    QCOMPARE(rankTable({arg("convert"), table, arg("-o"), table, arg("--force")}).code, 0);
    QVERIFY(fileText(table).contains("server_list"));
    QDir().mkpath(m_home->path("folder"));
    QCOMPARE(rankTable({arg("convert"), table, arg("--output"), m_home->path("folder")}).code, 0);
    QVERIFY(QFile::exists(m_home->path("folder/t.json")));
}

void RankTableCommandsTest::diffShowsWhatChangesAndWritesNothing()
{
    const QString table = testData("ranktables/server_list_2servers.json");
    const QString target = m_home->path("out.json");
    const Outcome outcome = rankTable(
        {arg("subset"), table, arg("--server"), arg("192.0.2.2"), arg("--diff"), arg("-o"), target});
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.startsWith("--- " + table.toUtf8() + "\n+++ " + target.toUtf8() + "\n@@ "),
             outcome.out.left(300).constData());
    QVERIFY(outcome.out.contains("\n-  \"server_count\": \"2\",\n+  \"server_count\": \"1\",\n"));
    QVERIFY(!QFile::exists(target));
    const Outcome same = rankTable({arg("convert"), table, arg("--diff")});
    QCOMPARE(same.code, 0);
    QCOMPARE(same.out, QByteArray());
    QVERIFY(same.err.contains("Nothing would change"));
}

void RankTableCommandsTest::mergeNumbersByServerIdAndWarnsOfTheOtherOrder()
{
    const QString a = write("a.json", oneServer("192.0.2.9", 10));
    const QString b = write("b.json", oneServer("192.0.2.10", 20));
    const Outcome outcome = rankTable({arg("merge"), a, b});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(serversByRank(outcome.out),
             (QStringList{arg("192.0.2.10"), arg("192.0.2.10"), arg("192.0.2.9"), arg("192.0.2.9")}));
    QVERIFY2(outcome.err.contains("order of server_id") && outcome.err.contains("warning"),
             outcome.err.constData());
    const Outcome sorted = rankTable({arg("merge"), b, a});
    QVERIFY2(!sorted.err.contains("warning"), sorted.err.constData());
    QCOMPARE(sorted.out, outcome.out);
    QCOMPARE(rankTable({arg("merge"), b, a, arg("-o"), m_home->path("new") + arg("/")}).code, 0);
    QVERIFY(QFile::exists(m_home->path("new/hccl_2s_4p.json")));
}

void RankTableCommandsTest::mergeKeepsTheOrderOfTheArgumentsWhenAsked()
{
    const QString a = write("a.json", oneServer("192.0.2.9", 10));
    const QString b = write("b.json", oneServer("192.0.2.10", 20));
    const Outcome outcome = rankTable({arg("merge"), arg("--keep-order"), a, b});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(serversByRank(outcome.out).first(), arg("192.0.2.9"));
    QVERIFY2(outcome.err.contains("order of the arguments") && outcome.err.contains("warning"),
             outcome.err.constData());
}

void RankTableCommandsTest::mergeRefusesAServerTwice()
{
    const QString a = write("a.json", oneServer("192.0.2.9", 10));
    const Outcome outcome = rankTable({arg("merge"), a, a});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("192.0.2.9"), outcome.err.constData());
}

void RankTableCommandsTest::subsetKeepsDevicesAndServers()
{
    const QString table = testData("ranktables/server_list_2servers.json");
    const Outcome outcome = rankTable({arg("subset"), table, arg("--devices"), arg("0-1,6")});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(serversByRank(outcome.out).size(), 6);
    const Outcome one =
        rankTable({arg("subset"), table, arg("--devices=[4,8)"), arg("--server"), arg("192.0.2.2")});
    QCOMPARE(serversByRank(one.out), QStringList(4, arg("192.0.2.2")));
    const Outcome both = rankTable(
        {arg("subset"), table, arg("--server"), arg("192.0.2.1"), arg("--server"), arg("192.0.2.2")});
    QCOMPARE(serversByRank(both.out).size(), 16);
}

void RankTableCommandsTest::subsetNamesWhatIsNotThere()
{
    const QString table = testData("ranktables/server_list_1.0.json");
    const Outcome device = rankTable({arg("subset"), table, arg("--devices"), arg("0-9")});
    QCOMPARE(device.code, 2);
    QVERIFY2(device.err.contains("has no device 8"), device.err.constData());
    const Outcome list = rankTable({arg("subset"), table, arg("--devices"), arg("0..3")});
    QCOMPARE(list.code, 2);
    QVERIFY2(list.err.contains("[0,8)"), list.err.constData());
    QCOMPARE(rankTable({arg("subset"), table}).code, 2);
}

void RankTableCommandsTest::generateWithoutAnNpuSaysWhatItLookedFor()
{
    if (QFile::exists(arg("/etc/hccn.conf")) ||
        QFile::exists(arg("/usr/local/Ascend/driver/tools/hccn_tool")))
        QSKIP("this machine has an NPU's driver");
    qputenv("PATH", "/usr/bin:/bin");
    const Outcome outcome = rankTable({arg("generate"), arg("--server-id"), arg("192.0.2.1")});
    QCOMPARE(outcome.code, 2);
    QCOMPARE(outcome.out, QByteArray());
    QVERIFY2(outcome.err.contains("hccn_tool") && outcome.err.contains("/etc/hccn.conf") &&
                 outcome.err.contains("--device-ip"),
             outcome.err.constData());
}

void RankTableCommandsTest::generateTakesGivenAddresses()
{
    const QString folder = m_home->path("tables");
    QDir().mkpath(folder);
    const Outcome outcome = rankTable({arg("generate"), arg("--devices"), arg("0,2"), arg("--server-id"),
                                       arg("192.0.2.1"), arg("--device-ip"), arg("198.51.100.1,198.51.100.2"),
                                       arg("--host-nic-ip"), arg("-o"), folder});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QString path = folder + arg("/hccl_2p_02_192.0.2.1.json");
    const Json json = jsonOf(fileText(path));
    QVERIFY(!json.is_discarded());
    QCOMPARE(json["server_list"][0]["device"][1]["device_id"].get<std::string>(), std::string("2"));
    QCOMPARE(json["server_list"][0]["host_nic_ip"].get<std::string>(), std::string("reserve"));
    QCOMPARE(rankTable({arg("check"), path}).code, 0);
    const Outcome wrong = rankTable({arg("generate"), arg("--device-ip"), arg("198.51.100.1")});
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains("1 device address, but the number of devices is 8"), wrong.err.constData());
}

void RankTableCommandsTest::generateAsksHccnTool()
{
    QDir().mkpath(m_home->path("bin"));
    const QString tool = write("bin/hccn_tool", "#!/bin/sh\nprintf 'ipaddr:198.51.100.1%s\\n"
                                                "netmask:255.255.255.0\\n' \"$2\"\n");
    QFile::setPermissions(tool, QFile::ReadOwner | QFile::ExeOwner);
    qputenv("PATH", QFile::encodeName(m_home->path("bin")) + ':' + m_path);
    const Outcome outcome = rankTable({arg("generate"), arg("--devices=0-7"), arg("--server-id=192.0.2.1")});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const Json json = jsonOf(outcome.out);
    QCOMPARE(json["server_list"][0]["device"].size(), std::size_t(8));
    QCOMPARE(json["server_list"][0]["device"][7]["device_ip"].get<std::string>(),
             std::string("198.51.100.17"));
}

void RankTableCommandsTest::generateMakesATableForServing()
{
    const QString table = testData("ranktables/server_list_1.0.json");
    const QString path = m_home->path("global.json");
    const Outcome outcome = rankTable({arg("generate"), arg("--prefill=1"), arg("--decode=1"), table,
                                       arg("--controller=192.0.2.99"), arg("-o"), path});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const Json json = jsonOf(fileText(path));
    QVERIFY(!json.is_discarded());
    QCOMPARE(json["server_group_list"].size(), std::size_t(4));
    QCOMPARE(json["server_group_list"][1]["server_list"][0]["server_ip"].get<std::string>(),
             std::string("192.0.2.99"));
    const Outcome check = rankTable({arg("check"), path});
    QVERIFY2(check.code == 0, check.out.constData());
    const Outcome half = rankTable({arg("generate"), arg("--prefill=1"), table});
    QCOMPARE(half.code, 2);
    QVERIFY2(half.err.contains("--decode"), half.err.constData());
    const Outcome uneven = rankTable({arg("generate"), arg("--prefill=4"), arg("--decode=3"), table});
    QCOMPARE(uneven.code, 2);
    QVERIFY2(uneven.err.contains("divided evenly"), uneven.err.constData());
    const Outcome alone = rankTable({arg("generate"), table});
    QCOMPARE(alone.code, 2);
    QVERIFY2(alone.err.contains("--prefill"), alone.err.constData());
}

void RankTableCommandsTest::initPrintsJsonOrNullSeparated()
{
    qputenv("RANK_TABLE_FILE", demoTable().toLocal8Bit());
    const Json json = jsonOf(rankTable({arg("init"), arg("--json")}).out);
    QCOMPARE(json["RANK_SIZE"].get<std::string>(), std::string("8"));
    QVERIFY(json.contains("RANK_TABLE_FILE"));
    const Outcome null = rankTable({arg("init"), arg("--null")});
    QCOMPARE(null.code, 0);
    QVERIFY(null.out.split('\0').contains("RANK_SIZE=8"));
    QVERIFY(null.out.endsWith('\0'));
    QCOMPARE(rankTable({arg("init"), arg("--null"), arg("--json")}).code, 2);
    qputenv("RANK_TABLE_FILE", "/no/such/table.json");
    QCOMPARE(rankTable({arg("init"), arg("--json")}).code, 3);
}

void RankTableCommandsTest::initRefusesToHandAShellControlCharacters()
{
    qputenv("RANK_TABLE_FILE", write("t.json", oneServer("a\x1b[2J", 10)).toLocal8Bit());
    const Outcome outcome = rankTable({arg("init")});
    QCOMPARE(outcome.code, 2);
    QCOMPARE(outcome.out, QByteArray());
    QVERIFY2(outcome.err.contains("MA_CURRENT_HOST_IP") && !outcome.err.contains('\x1b'),
             outcome.err.constData());
    QCOMPARE(rankTable({arg("init"), arg("--null")}).code, 0);
}

void RankTableCommandsTest::waitEndsWhenTheTableIsCompleted()
{
    const QString path = write("t.json", "{\"status\": \"initializing\"}");
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"),
                  {arg("ranktable"), arg("wait"), path, arg("--timeout"), arg("60")});
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("(initializing)"), 20000);
    write("new.json", oneServer("192.0.2.1", 10));
    QCOMPARE(std::rename(m_home->path("new.json").toLocal8Bit().constData(), path.toLocal8Bit().constData()),
             0);
    QCOMPARE(outcomeOf(process).code, 0);
    qputenv("RANK_TABLE_FILE", path.toLocal8Bit());
    QCOMPARE(rankTable({arg("wait")}).code, 0);
}

void RankTableCommandsTest::waitGivesUpAfterItsTime()
{
    const Outcome outcome = rankTable(
        {arg("wait"), write("t.json", "{\"status\": \"initializing\"}"), arg("--timeout"), arg("0")});
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("\"initializing\""), outcome.err.constData());
    QVERIFY2(outcome.err.contains("--timeout") && !outcome.err.contains("--wait"), outcome.err.constData());
    QCOMPARE(rankTable({arg("wait"), m_home->path("none.json"), arg("--timeout=0")}).code, 1);
}

void RankTableCommandsTest::aFileThatIsNotThereYetIsWaitedFor_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("wait") << QStringList{arg("ranktable"), arg("wait")};
    QTest::newRow("davincirun") << QStringList{arg("davincirun"), arg("--quiet"), arg("true")};
}

void RankTableCommandsTest::aFileThatIsNotThereYetIsWaitedFor()
{
    QFETCH(QStringList, arguments);
    const QString path = m_home->path("t.json");
    qputenv("RANK_TABLE_FILE", path.toLocal8Bit());
    for (const bool isMade : {false, true}) {
        QFile::remove(path);
        QProcess process;
        process.setWorkingDirectory(m_home->path());
        process.start(buildPath("bin/rankdeckctl"), arguments);
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("file not found yet"),
                                 20000);
        QVERIFY2(said.contains("of 1800 s. Ctrl+C ends the wait."), said.constData());
        // Half of it, longer than a file can be fresh, and then all.
        if (isMade) {
            const QByteArray table = oneServer("192.0.2.1", 10);
            write("t.json", table.left(table.size() / 2));
            QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("being written"),
                                     20000);
            QFile half(path);
            QVERIFY(half.open(QIODevice::ReadWrite) &&
                    half.setFileTime(QDateTime::currentDateTime().addSecs(-60),
                                     QFileDevice::FileModificationTime));
            QVERIFY(!process.waitForFinished(1500));
            write("t.json", table);
        } else {
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        }
        QCOMPARE(outcomeOf(process).code, isMade ? 0 : 128 + SIGINT);
    }
}

void RankTableCommandsTest::waitRefusesWhatCannotBeRead()
{
    QCOMPARE(rankTable({arg("wait"), arg("/no/such/table.json")}).code, 2);
    QCOMPARE(rankTable({arg("wait"), testData("ranktables/malformed.json"), arg("--timeout=0")}).code, 2);
}

void RankTableCommandsTest::anInterruptEndsTheWait()
{
    const QString path = write("t.json", "{\"status\": \"initializing\"}");
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"), {arg("ranktable"), arg("wait"), path});
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("(initializing)"), 20000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QCOMPARE(outcomeOf(process).code, 128 + SIGINT);
}

void RankTableCommandsTest::everyActionHasHelp_data()
{
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("option");
    const auto row = [](const char *action, const char *option) {
        QTest::newRow(action) << QString::fromLatin1(action) << QString::fromLatin1(option);
    };
    row("check", "--chip");
    row("show", "--json");
    row("convert", "--super-pod");
    row("merge", "--keep-order");
    row("subset", "--devices");
    row("generate", "--device-ip");
    row("init", "--null");
    row("wait", "--timeout");
}

void RankTableCommandsTest::everyActionHasHelp()
{
    QFETCH(QString, action);
    QFETCH(QString, option);
    const Outcome all = rankTable({arg("--help")});
    QCOMPARE(all.code, 0);
    QVERIFY(all.out.contains("  " + action.toUtf8() + ' '));
    const Outcome own = rankTable({action, arg("--help")});
    QCOMPARE(own.code, 0);
    QVERIFY2(own.out.contains(option.toUtf8()), own.out.constData());
}

void RankTableCommandsTest::badArgumentsAreOneSentenceAndExitCode2_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("no action") << QStringList();
    QTest::newRow("unknown action") << QStringList{arg("repair")};
    QTest::newRow("no file") << QStringList{arg("check")};
    QTest::newRow("one file to merge") << QStringList{arg("merge"), demoTable()};
    QTest::newRow("unknown option") << QStringList{arg("show"), demoTable(), arg("--colour")};
    QTest::newRow("an option twice") << QStringList{arg("subset"), demoTable(), arg("--devices=0"),
                                                    arg("--devices=1")};
    QTest::newRow("no value") << QStringList{arg("convert"), demoTable(), arg("-o")};
    QTest::newRow("two files to show") << QStringList{arg("show"), demoTable(), demoTable()};
    QTest::newRow("timeout is no number") << QStringList{arg("wait"), demoTable(), arg("--timeout=soon")};
}

void RankTableCommandsTest::badArgumentsAreOneSentenceAndExitCode2()
{
    QFETCH(QStringList, arguments);
    const Outcome outcome = rankTable(arguments);
    QCOMPARE(outcome.code, 2);
    QCOMPARE(outcome.out, QByteArray());
    QVERIFY2(outcome.err.startsWith("rankdeckctl: ") && linesOf(outcome.err).size() == 1,
             outcome.err.constData());
}

void RankTableCommandsTest::aLaunchOnADoubtfulTableWarnsAndGoesOn()
{
    Json table = jsonOf(fileText(demoTable()));
    for (Json &device : table["group_list"][0]["instance_list"][0]["devices"])
        device["device_ip"] = "198.51.100.7";
    const QString path = write("t.json", QByteArray::fromStdString(table.dump(2)));
    const Outcome outcome = ctl({arg("davincirun"), arg("--rank-table"), path, arg("--log-dir"),
                                 m_home->path("logs"), arg("--quiet"), arg("true")});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(outcome.err.count("(duplicate-device-ip)"), 5);
    QVERIFY2(outcome.err.contains("2 more errors: rankdeckctl ranktable check " + path.toUtf8()),
             outcome.err.constData());
    const Outcome sound = ctl({arg("davincirun"), arg("--rank-table"), demoTable(), arg("--log-dir"),
                               m_home->path("logs"), arg("--quiet"), arg("true")});
    QVERIFY2(!sound.err.contains("warning"), sound.err.constData());
}

} // namespace tst_ranktablecommands

RANKDECK_TEST(tst_ranktablecommands, RankTableCommandsTest)
#include "tst_ranktablecommands.moc"
