#include "ranktable/reading/findingcollector.h"
#include "ranktable/rules/ranktablecheck.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QFile>
#include <QTest>

#include <algorithm>

namespace tst_ranktablecheck
{

using namespace rankdeck;

class RankTableCheckTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findingsThatAreNotListedCount();
    void soundTablesHaveNoFinding_data();
    void soundTablesHaveNoFinding();
    void aMistakeIsFoundWhereItStands_data();
    void aMistakeIsFoundWhereItStands();
    void ranksOfServersMustNotInterleave();
    void ranksOutOfOrderAreNoted();
    void serversOfASuperPodMustFollowEachOther();
    void podsHaveNamesOfTheirOwnThatEndInANumber();
    void aRuleOfAChipHoldsForThatChip_data();
    void aRuleOfAChipHoldsForThatChip();
    void anAscend910WantsTheSameNumberOfDevicesOnEachServer();
    void someChipsNeedAnAddressForEachDevice();
    void everyFindingSaysWhatAndWhereItComesFrom();
    void allFindingsComeInOneGoInTheOrderOfTheirPlaces();
    void aTableBeingWrittenIsOnlySaidToBe();
    void anUnusableTableSaysWhy();
    void errorsMayLeaveATableUsable();
    void tenThousandDuplicateKeysAreCountedNotListed();
    void aMillionCommentsOnOneLineAreCountedNotPlaced();
    void theLinesOfServersAndDevicesAreKnown();
    void aHundredThousandDevicesOnOneLineAreCheckedAtOnce();
    void aFileNameMustEndInJson();
    void aSymbolicLinkIsNoticed();
    void aFileThatCannotBeReadIsAnError();
};

namespace
{

QByteArray fixture(const char *name)
{
    QFile file(testData("ranktables/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const Finding *findingOf(const CheckReport &report, const QString &rule, const QString &pointer)
{
    const auto found =
        std::find_if(report.findings.begin(), report.findings.end(), [&](const Finding &finding) {
            return finding.rule == rule && finding.pointer == pointer;
        });
    return found == report.findings.end() ? nullptr : &*found;
}

QString listOf(const CheckReport &report)
{
    QString text;
    for (const Finding &finding : report.findings)
        text += u"%1 at %2 line %3: %4\n"_s.arg(finding.rule, finding.pointer)
                    .arg(finding.line)
                    .arg(finding.what);
    return text;
}

} // namespace

void RankTableCheckTest::soundTablesHaveNoFinding_data()
{
    QTest::addColumn<QByteArray>("file");
    for (const char *file : {"template2_2servers.json", "deploy_mode_lab.json", "server_list_2servers.json",
                             "server_list_1.0.json", "node_list_1.1.json", "super_pod_1.2.json",
                             "rank_list_2.0.json", "server_group_list.json"})
        QTest::newRow(file) << QByteArray(file);
}

void RankTableCheckTest::soundTablesHaveNoFinding()
{
    QFETCH(QByteArray, file);
    const CheckReport report = checkRankTable(fixture(file.constData()), u"t"_s);
    QVERIFY2(report.findings.empty(), qPrintable(listOf(report)));
    QVERIFY(!report.unusable);
}

void RankTableCheckTest::aMistakeIsFoundWhereItStands_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("pointer");
    // The first occurrence of `from` in the file becomes `to`.
    const auto row = [](const char *file, const char *from, const char *to, const char *rule,
                        const char *pointer) {
        QTest::addRow("%s: %s > %s", file, from, to)
            << QByteArray(file) << QByteArray(from) << QByteArray(to) << QString::fromLatin1(rule)
            << QString::fromLatin1(pointer);
    };
    const char *one = "server_list_1.0.json";
    row(one, "\"version\": \"1.0\",", "", "missing-key", "");
    row(one, "\"1.0\"", "\"1.7\"", "version", "/version");
    row(one, "\"version\": \"1.0\"", "\"version\": \"1.0\", \"version\": \"1.0\"", "duplicate-key",
        "/version");
    row(one, "\"completed\"", "\"Completed\"", "status", "/status");
    row(one, "\"completed\"", "\"initializing\"", "initializing", "/status");
    row(one, "{", "{ // a comment", "json-comment", "");
    row(one, "{", "{ /* another\n */", "json-comment", "");
    row(one, "\"completed\",", "\"completed\",,", "json-trailing-comma", "");
    row(one, "{", "\xEF\xBB\xBF{", "json-byte-order-mark", "");
    row(one, "\"server_count\"", "\"Server_count\"", "missing-documented-key", "");
    row(one, "\"server_count\"", "\"Server_count\"", "unknown-key", "/Server_count");
    row(one, "\"server_count\": \"1\"", "\"server_count\": 1", "wrong-type", "/server_count");
    row(one, "\"server_count\": \"1\"", "\"server_count\": \"one\"", "not-a-number", "/server_count");
    row(one, "\"server_count\": \"1\"", "\"server_count\": \"3\"", "count", "/server_count");
    row(one, "\"server_id\": \"192.0.2.1\"", "\"server_id\": \"\"", "empty-server-id",
        "/server_list/0/server_id");
    row(one, "\"server_id\": \"192.0.2.1\"", "\"server_id\": \"node_0\"", "server-id-no-address",
        "/server_list/0/server_id");
    row(one, "\"server_id\": \"192.0.2.1\"", "\"server_id\": \"10.*.*.*\"", "masked-server-id",
        "/server_list/0/server_id");
    row(one, "\"server_id\": \"192.0.2.1\"", "\"server_id\": \"192.0.2.1\", \"host_nic_ip\": \"reserve\"",
        "ignored-key", "/server_list/0/host_nic_ip");
    row(one, "\"server_id\": \"192.0.2.1\"", "\"server_id\": \"192.0.2.1\", \"host_ip\": \"here\"", "host-ip",
        "/server_list/0/host_ip");
    row(one, "\"device_id\": \"0\"", "\"device_id\": \"16\"", "device-id-range",
        "/server_list/0/device/0/device_id");
    row(one, "\"device_id\": \"0\"", "\"device_id\": \"99\"", "out-of-range",
        "/server_list/0/device/0/device_id");
    row(one, "\"device_id\": \"0\"", "\"device_id\": \"1\"", "duplicate-device-id",
        "/server_list/0/device/1/device_id");
    row(one, "\"device_id\": \"0\"", "\"device_id\": 0", "wrong-type", "/server_list/0/device/0/device_id");
    row(one, "\"device_ip\": \"198.51.100.100\"", "\"device_ip\": \"198.51.100.101\"", "duplicate-device-ip",
        "/server_list/0/device/1/device_ip");
    row(one, "\"device_ip\": \"198.51.100.100\"", "\"device_ip\": \"198.51.*.100\"", "masked-device-ip",
        "/server_list/0/device/0/device_ip");
    row(one, "\"device_ip\": \"198.51.100.100\"", "\"device_ip\": \"198.51.100\"", "invalid-device-ip",
        "/server_list/0/device/0/device_ip");
    row(one, "\"device_ip\": \"198.51.100.100\"", "\"device_ip\": \"198.51.100.300\"", "invalid-device-ip",
        "/server_list/0/device/0/device_ip");
    row(one, "\"device_ip\": \"198.51.100.100\"", "\"device_ip\": \"\"", "no-device-ip",
        "/server_list/0/device/0/device_ip");
    row(one, "\"device_ip\": \"198.51.100.101\"", "\"device_ip\": \"198.51.100.101,198.51.100.201\"",
        "device-ip-count", "/server_list/0/device/1/device_ip");
    row(one, "\"rank_id\": \"0\"", "\"rank_id\": \"0\", \"device_port\": \"70000\"", "out-of-range",
        "/server_list/0/device/0/device_port");
    row(one, "\"rank_id\": \"0\"", "\"rank_id\": \"0\", \"device_port\": \"80\"", "reserved-port",
        "/server_list/0/device/0/device_port");
    row(one, "\"rank_id\": \"0\"", "\"rank_id\": \"1\"", "duplicate-rank", "/server_list/0/device/1/rank_id");
    row(one, "\"rank_id\": \"7\"", "\"rank_id\": \"8\"", "rank-range", "/server_list/0/device/7/rank_id");
    const char *two = "server_list_2servers.json";
    row(two, "\"server_id\": \"192.0.2.2\"", "\"server_id\": \"192.0.2.1\"", "duplicate-server-id",
        "/server_list/1/server_id");
    row(two, "\"server_id\": \"192.0.2.2\"", "\"server_id\": \"192.0.1.9\"", "server-order",
        "/server_list/1/device/0/rank_id");
    row(two, "\"host_ip\": \"192.0.2.2\",", "", "host-ip", "/server_list/1");
    row(two, "\"device_ip\": \"198.51.100.200\", ", "", "missing-device-ip", "/server_list/1/device/0");
    row(two, "\"device_ip\": \"198.51.100.200\"", "\"device_ip\": \"2001:db8::1\"", "device-ip-family",
        "/server_list/1/device/0/device_ip");
    const char *cloud = "template2_2servers.json";
    row(cloud, "\"status\"", "\"version\": \"1.0\", \"status\"", "version", "/version");
    row(cloud, "\"group_count\": \"1\"", "\"group_count\": \"2\"", "count", "/group_count");
    row(cloud, "\"device_count\": \"16\"", "\"device_count\": \"8\"", "count", "/group_list/0/device_count");
    row(cloud, "\"instance_count\": \"2\"", "\"instance_count\": \"1\"", "count",
        "/group_list/0/instance_count");
    const char *lab = "deploy_mode_lab.json";
    row(lab, "\"para_plane_nic_location\": \"device\"", "\"para_plane_nic_location\": \"host\"",
        "nic-location", "/para_plane_nic_location");
    row(lab, "\"device_num\": \"2\"", "\"device_num\": \"3\"", "lab-devices-per-server",
        "/group_list/0/device_num");
    row(lab, "\"device_num\": \"2\"", "\"device_num\": \"4\"", "count", "/group_list/0/device_num");
    row(lab, "\"server_num\": \"1\"", "\"server_num\": \"2\"", "count", "/group_list/0/server_num");
    row(lab, "\"rank_id\": \"1\"", "\"rank_id\": \"0\"", "duplicate-rank",
        "/group_list/0/instance_list/1/rank_id");
    const char *node = "node_list_1.1.json";
    row(node, "\"192.0.2.2\"", "\"host-b\"", "node-address", "/node_list/1/node_addr");
    row(node, "\"192.0.2.2\"", "\"192.0.2.1\"", "duplicate-server-id", "/node_list/1/node_addr");
    row(node, "\"tcp\"", "\"udp\"", "node-mode", "/mode");
    row(node, "\"rank_id\": \"0\"", "\"rank_id\": \"0\", \"rank_ip\": \"*\"", "node-address",
        "/node_list/0/ranks/0/rank_ip");
    row(node, "\"collective_id\": \"",
        "\"collective_id\": \"0123456789012345678901234567890123456789012345678901234567890123"
        "0123456789012345678901234567890123456789012345678901234567890123",
        "collective-id", "/collective_id");
    const char *pod = "super_pod_1.2.json";
    row(pod, "\"super_device_id\": \"37748736\", ", "", "super-device-id", "/server_list/0/device/0");
    row(pod, "\"37748736\"", "\"0x2400000\"", "super-device-id", "/server_list/0/device/0/super_device_id");
    row(pod, "\"37748736\"", "\"37814272\"", "duplicate-super-device-id",
        "/server_list/0/device/1/super_device_id");
    row(pod, "\"super_pod_list\"", "\"super_pods\"", "no-super-pods", "");
    row(pod, "\"super_pod_id\": \"0\"", "\"super_pod_id\": \"\"", "super-pod-id",
        "/super_pod_list/0/super_pod_id");
    row(pod, "          \"server_id\": \"192.0.2.1\"", "          \"server_id\": \"192.0.2.9\"",
        "super-pod-server", "/super_pod_list/0/server_list/0/server_id");
    row(pod, "          \"server_id\": \"192.0.2.1\"", "          \"server_id\": \"192.0.2.9\"",
        "super-pod-server", "/server_list/0");
    const char *ranks = "rank_list_2.0.json";
    row(ranks, "\"rank_count\": 2", "\"rank_count\": \"2\"", "wrong-type", "/rank_count");
    row(ranks, "\"rank_count\": 2", "\"rank_count\": 3", "count", "/rank_count");
    row(ranks, "\"status\": \"completed\",", "", "missing-status", "");
    row(ranks, "\"local_id\": 0", "\"local_id\": 64", "backup-device", "/rank_list/0/local_id");
    row(ranks, "\"local_id\": 0", "\"local_id\": 65", "out-of-range", "/rank_list/0/local_id");
    row(ranks, "\"net_layer\": 0", "\"net_layer\": 8", "out-of-range", "/rank_list/0/level_list/0/net_layer");
    row(ranks, "\"TOPO_FILE_DESC\"", "\"CLOS\"", "network-layer", "/rank_list/0/level_list/0/net_type");
    row(ranks, "\"IPV4\"", "\"IPV5\"", "network-address",
        "/rank_list/0/level_list/0/rank_addr_list/0/addr_type");
    row(ranks, "\"IPV4\"", "\"EID\"", "network-address", "/rank_list/0/level_list/0/rank_addr_list/0/addr");
}

void RankTableCheckTest::aMistakeIsFoundWhereItStands()
{
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QString, rule);
    QFETCH(QString, pointer);
    QByteArray text = fixture(file.constData());
    const qsizetype at = text.indexOf(from);
    QVERIFY2(at >= 0, from.constData());
    text.replace(at, from.size(), to);
    const CheckReport report = checkRankTable(text, u"t"_s);
    const Finding *finding = findingOf(report, rule, pointer);
    QVERIFY2(finding, qPrintable(listOf(report)));
    QVERIFY(finding->line > 0 && finding->column > 0);
    if (pointer.isEmpty())
        return;
    // The place is where the key of the pointer's last step stands, or the entry itself.
    const QByteArray line = text.split('\n').value(finding->line - 1).mid(finding->column - 1);
    const QByteArray key = pointer.section('/'_L1, -1).toUtf8();
    QVERIFY2(line.startsWith('"' + key + '"') || line.startsWith('{'), line.constData());
}

void RankTableCheckTest::ranksOfServersMustNotInterleave()
{
    QByteArray text = fixture("server_list_2servers.json");
    text.replace("\"rank_id\": \"7\"", "\"rank_id\": \"x\"")
        .replace("\"rank_id\": \"8\"", "\"rank_id\": \"7\"");
    text.replace("\"rank_id\": \"x\"", "\"rank_id\": \"8\"");
    const CheckReport report = checkRankTable(text, u"t"_s);
    QVERIFY2(findingOf(report, u"interleaved-ranks"_s, u"/server_list/0/device/0/rank_id"_s),
             qPrintable(listOf(report)));
}

void RankTableCheckTest::ranksOutOfOrderAreNoted()
{
    QByteArray text = fixture("server_list_1.0.json");
    text.replace("\"rank_id\": \"0\"", "\"rank_id\": \"x\"")
        .replace("\"rank_id\": \"1\"", "\"rank_id\": \"0\"");
    text.replace("\"rank_id\": \"x\"", "\"rank_id\": \"1\"");
    const CheckReport report = checkRankTable(text, u"t"_s);
    QCOMPARE(report.findings.size(), std::size_t(1));
    QCOMPARE(report.findings[0].rule, u"unsorted-ranks"_s);
    QCOMPARE(report.findings[0].severity, Severity::Note);
}

void RankTableCheckTest::serversOfASuperPodMustFollowEachOther()
{
    const auto server = [](int id) {
        return uR"({"server_id": "192.0.2.%1", "device": [{"device_id": "0", "rank_id": "%2",
            "device_ip": "198.51.100.%1", "super_device_id": "%1"}]})"_s.arg(id)
            .arg(id - 1);
    };
    const QString text = uR"({"status": "completed", "version": "1.2", "server_count": "3",
        "server_list": [%1, %2, %3], "super_pod_list": [
        {"super_pod_id": "0", "server_list": [{"server_id": "192.0.2.1"}, {"server_id": "192.0.2.3"}]},
        {"super_pod_id": "1", "server_list": [{"server_id": "192.0.2.2"}]}]})"_s.arg(server(1), server(2),
                                                                                     server(3));
    const CheckReport report = checkRankTable(text.toUtf8(), u"t"_s);
    QCOMPARE(report.findings.size(), std::size_t(1));
    QVERIFY2(findingOf(report, u"super-pod-order"_s, u"/server_list/2"_s), qPrintable(listOf(report)));
}

void RankTableCheckTest::podsHaveNamesOfTheirOwnThatEndInANumber()
{
    QByteArray text = fixture("template2_2servers.json");
    const QByteArray first = "\"pod_name\": \"train-job-10\"";
    QVERIFY(text.contains(first));
    const QByteArray second =
        "\"pod_name\": \"" + text.mid(text.lastIndexOf("pod_name") + 12).split('"')[0] + '"';
    QVERIFY2(text.count(second) == 1, second.constData());
    QByteArray same = text;
    same.replace(first, second);
    QVERIFY(findingOf(checkRankTable(same, u"t"_s), u"duplicate-pod-name"_s,
                      u"/group_list/0/instance_list/1/pod_name"_s));
    text.replace(first, "\"pod_name\": \"worker\"");
    QVERIFY(findingOf(checkRankTable(text, u"t"_s), u"pod-number"_s,
                      u"/group_list/0/instance_list/0/pod_name"_s));
}

void RankTableCheckTest::aRuleOfAChipHoldsForThatChip_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("chip");
    QTest::addColumn<QString>("rule"); // Empty: none.
    const auto row = [](const char *file, const char *chip, const char *rule) {
        QTest::addRow("%s on %s", file, chip)
            << QByteArray(file) << QString::fromLatin1(chip) << QString::fromLatin1(rule);
    };
    row("server_list_1.0.json", "910b", "");
    row("server_list_1.0.json", "950", "version-of-chip");
    row("super_pod_1.2.json", "910_93", "");
    row("super_pod_1.2.json", "910B", "version-of-chip");
    row("rank_list_2.0.json", "a5", "");
    row("rank_list_2.0.json", "a2", "version-of-chip");
    row("super_pod_1.2.json", "A1", "version-of-chip");
}

void RankTableCheckTest::aRuleOfAChipHoldsForThatChip()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, chip);
    QFETCH(QString, rule);
    const auto known = chipFromName(chip);
    QVERIFY(known);
    const CheckReport report = checkRankTable(fixture(file.constData()), u"t"_s, {*known});
    if (rule.isEmpty())
        QVERIFY2(report.findings.empty(), qPrintable(listOf(report)));
    else
        QVERIFY2(findingOf(report, rule, u"/version"_s), qPrintable(listOf(report)));
    QVERIFY(!chipFromName(u"z80"_s));
}

void RankTableCheckTest::anAscend910WantsTheSameNumberOfDevicesOnEachServer()
{
    QByteArray text = fixture("server_list_2servers.json");
    const qsizetype comma = text.lastIndexOf("},", text.indexOf("\"rank_id\": \"15\""));
    text.remove(comma + 1, text.indexOf('}', comma + 2) - comma);
    const CheckReport onA1 = checkRankTable(text, u"t"_s, {Chip::A1});
    QCOMPARE(onA1.table.deviceCount(), 15);
    // Seven is no power of two, and not eight.
    QCOMPARE(onA1.findings.size(), std::size_t(2));
    QVERIFY2(findingOf(onA1, u"device-count"_s, u"/server_list/1"_s), qPrintable(listOf(onA1)));
    const CheckReport onA2 = checkRankTable(text, u"t"_s, {Chip::A2});
    QVERIFY2(onA2.findings.empty(), qPrintable(listOf(onA2)));
}

void RankTableCheckTest::someChipsNeedAnAddressForEachDevice()
{
    QByteArray text = fixture("server_list_1.0.json");
    text.replace("\"device_ip\": \"198.51.100.103\", ", "");
    const QString pointer = u"/server_list/0/device/3"_s;
    for (const Chip chip : {Chip::A1, Chip::Duo300I})
        QVERIFY(findingOf(checkRankTable(text, u"t"_s, {chip}), u"missing-device-ip"_s, pointer));
    for (const Chip chip : {Chip::A2, Chip::Unknown})
        QVERIFY(findingOf(checkRankTable(text, u"t"_s, {chip}), u"no-device-ip"_s, pointer));
}

void RankTableCheckTest::everyFindingSaysWhatAndWhereItComesFrom()
{
    QByteArray text = fixture("server_list_2servers.json");
    text.replace("\"rank_id\": \"3\"", "\"rank_id\": 99").replace("192.0.2.2", "x.x.x.x");
    const CheckReport report = checkRankTable(text, u"t"_s);
    QVERIFY(report.findings.size() >= 3);
    for (const Finding &finding : report.findings) {
        QVERIFY2(finding.what.endsWith('.'_L1), qPrintable(finding.what));
        QVERIFY(!finding.source.isEmpty());
        QVERIFY(finding.severity == Severity::Note || !finding.mend.isEmpty());
        QVERIFY(finding.severity != Severity::Error || finding.code.startsWith("EI00"_L1));
    }
}

void RankTableCheckTest::allFindingsComeInOneGoInTheOrderOfTheirPlaces()
{
    QByteArray text = fixture("server_list_2servers.json");
    text.replace("\"server_count\": \"2\"", "\"server_count\": \"9\"");
    text.replace("\"rank_id\": \"15\"", "\"rank_id\": \"14\"");
    text.replace("198.51.100.100", "198.51.*.*");
    const CheckReport report = checkRankTable(text, u"t"_s);
    QStringList rules;
    int line = 0;
    for (const Finding &finding : report.findings) {
        rules << finding.rule;
        QVERIFY(finding.line >= line);
        line = finding.line;
    }
    QCOMPARE(rules, (QStringList{u"count"_s, u"masked-device-ip"_s, u"duplicate-rank"_s}));
    QCOMPARE(countOf(report.findings, Severity::Error), 3);
}

void RankTableCheckTest::aTableBeingWrittenIsOnlySaidToBe()
{
    const CheckReport report =
        checkRankTable(R"({"status": "initializing", "server_count": "2", "server_list": []})", u"t"_s);
    QCOMPARE(report.findings.size(), std::size_t(1));
    QCOMPARE(report.findings[0].rule, u"initializing"_s);
    QVERIFY(!report.hasErrors());
    QVERIFY(!report.unusable);
    QVERIFY(!report.table.isCompleted());
}

void RankTableCheckTest::anUnusableTableSaysWhy()
{
    QByteArray text = fixture("server_list_1.0.json");
    text.replace("\"rank_id\": \"5\"", "\"rank\": \"5\"");
    const CheckReport report = checkRankTable(text, u"t"_s);
    QVERIFY(report.unusable);
    QVERIFY2(report.unusable->where.startsWith("t:"_L1) &&
                 report.unusable->where.endsWith(" /server_list/0/device/5"_L1),
             qPrintable(report.unusable->where));
    QCOMPARE(report.table.deviceCount(), 8);
}

void RankTableCheckTest::errorsMayLeaveATableUsable()
{
    QByteArray text = fixture("server_list_1.0.json");
    text.replace("\"server_count\": \"1\"", "\"server_count\": \"9\"");
    const CheckReport report = checkRankTable(text, u"t"_s);
    QVERIFY(report.hasErrors());
    QVERIFY(!report.unusable);
}

void RankTableCheckTest::tenThousandDuplicateKeysAreCountedNotListed()
{
    QByteArray text = "{";
    for (int i = 0; i < 10001; ++i)
        text += "\"status\": \"completed\",\n";
    text += "\"version\": \"1.0\"}";
    const CheckReport report = checkRankTable(text, u"t"_s);
    const auto duplicates =
        std::count_if(report.findings.begin(), report.findings.end(),
                      [](const Finding &finding) { return finding.rule == "duplicate-key"_L1; });
    QCOMPARE(duplicates, 100);
    QVERIFY2(listOf(report).contains("9900 more"_L1), qPrintable(report.findings.back().what));
    QVERIFY(report.unusable);
}

void RankTableCheckTest::aMillionCommentsOnOneLineAreCountedNotPlaced()
{
    const CheckReport report =
        checkRankTable(QByteArray("{") + QByteArray("/**/").repeated(1'000'000) + "}", u"t"_s);
    QVERIFY2(listOf(report).contains("999900 more"_L1), qPrintable(listOf(report)));
}

void RankTableCheckTest::theLinesOfServersAndDevicesAreKnown()
{
    const QByteArray text = fixture("server_list_2servers.json");
    const QList<QByteArray> lines = text.split('\n');
    const CheckReport report = checkRankTable(text, u"t"_s);
    QCOMPARE(report.lines.size(), report.table.servers.size());
    for (std::size_t server = 0; server < report.lines.size(); ++server) {
        const auto &devices = report.table.servers[server].devices;
        QCOMPARE(report.lines[server].devices.size(), devices.size());
        for (std::size_t device = 0; device < devices.size(); ++device)
            QVERIFY(
                lines[report.lines[server].devices[device] - 1].contains(devices[device].deviceIp.toUtf8()));
    }
}

/// Every place counted from the beginning of its line would take minutes here.
void RankTableCheckTest::aHundredThousandDevicesOnOneLineAreCheckedAtOnce()
{
    constexpr int devices = 100'000;
    QByteArray text =
        R"({"version":"1.0","status":"completed","server_count":"1","server_list":[{"server_id":"10.0.0.1","device":[)";
    for (int rank = 0; rank < devices; ++rank) {
        const QByteArray number = QByteArray::number(rank);
        text += (rank > 0 ? "," : "") + QByteArray(R"({"device_id":")") + number + R"(","rank_id":")" +
                number + R"("})";
    }
    const auto column = int(text.size()) + 3;
    text += R"(],"nothing":1,"nothing":2}]})";
    const CheckReport report = checkRankTable(text, u"table.json"_s);
    QCOMPARE(report.lines.front().devices, std::vector<int>(devices, 1));
    const auto twice =
        std::find_if(report.findings.begin(), report.findings.end(), [](const Finding &finding) {
            return finding.pointer == u"/server_list/0/nothing"_s && finding.column > 0;
        });
    QVERIFY2(twice != report.findings.end(), qPrintable(listOf(report)));
    QVERIFY2(twice->column >= column - 1 && twice->column <= column + 12, qPrintable(listOf(report)));
}

void RankTableCheckTest::aFileNameMustEndInJson()
{
    QTemporaryDir directory;
    const QString path = directory.filePath(u"table.txt"_s);
    QVERIFY(QFile::copy(testData("ranktables/server_list_1.0.json"), path));
    const auto report = checkRankTableFile(path);
    QVERIFY(report);
    QCOMPARE(report->findings.size(), std::size_t(1));
    QCOMPARE(report->findings[0].rule, u"file-name"_s);
    QCOMPARE(report->findings[0].code, u"EI0004"_s);
    QCOMPARE(report->findings[0].line, 0);
}

void RankTableCheckTest::aSymbolicLinkIsNoticed()
{
    QTemporaryDir directory;
    const QString path = directory.filePath(u"table.json"_s);
    QVERIFY(QFile::link(testData("ranktables/server_list_1.0.json"), path));
    const auto report = checkRankTableFile(path);
    QVERIFY(report);
    QCOMPARE(report->findings.size(), std::size_t(1));
    QCOMPARE(report->findings[0].rule, u"symbolic-link"_s);
    QCOMPARE(report->findings[0].severity, Severity::Warning);
}

void RankTableCheckTest::aFileThatCannotBeReadIsAnError()
{
    const auto report = checkRankTableFile(u"/no/such/table.json"_s);
    QVERIFY(!report);
    QCOMPARE(report.error().where, u"/no/such/table.json"_s);
}

void RankTableCheckTest::findingsThatAreNotListedCount()
{
    constexpr int most = 128;
    FindingCollector collector;
    for (int count = 0; count < most; ++count)
        collector.add(rules::noSuperPods, u"it has none"_s, {});
    const Findings findings = collector.take();
    QCOMPARE(int(findings.size()), FindingCollector::keptOfARule);
    QCOMPARE(countOf(findings, Severity::Warning), most);
    QCOMPARE(countWords(findings), u"128 warnings"_s);
    QVERIFY(findings.back().what.contains(u"28 more"_s));
}

} // namespace tst_ranktablecheck

RANKDECK_TEST(tst_ranktablecheck, RankTableCheckTest)
#include "tst_ranktablecheck.moc"
