#include "launch/text/environmentrules.h"
#include "support/testmain.h"

#include <QMap>
#include <QTest>

namespace tst_environmentrules
{

using namespace rankdeck;

/// Variables of CANN, HCCL, torch_npu and MindSpore against their documented ranges and meanings.
class EnvironmentRulesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void problemsAreFound_data();
    void problemsAreFound();
    void goodValuesHaveNone_data();
    void goodValuesHaveNone();
    void anEmptyEnvironmentHasNone();
    void knownVariablesAreListed();
    void theBasePortIsTheDefaultWhenItIsNone_data();
    void theBasePortIsTheDefaultWhenItIsNone();

private:
    /// "A=1 B=2".
    static QMap<QString, QString> variables(const QString &text)
    {
        QMap<QString, QString> read;
        for (const QString &word : text.split(' '_L1, Qt::SkipEmptyParts))
            read.insert(word.section('='_L1, 0, 0), word.section('='_L1, 1));
        return read;
    }
    static VariableLookup lookup(const QString &text)
    {
        return [read = variables(text)](const QString &name) {
            return read.value(name);
        };
    }
};

void EnvironmentRulesTest::problemsAreFound_data()
{
    QTest::addColumn<QString>("set");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<bool>("isError");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *set, const char *variable, bool isError, const char *word) {
        QTest::newRow(set) << QString::fromLatin1(set) << QString::fromLatin1(variable) << isError
                           << QString::fromLatin1(word);
    };
    row("HCCL_CONNECT_TIMEOUT=119", "HCCL_CONNECT_TIMEOUT", true, "120 to 7200");
    row("HCCL_CONNECT_TIMEOUT=7201", "HCCL_CONNECT_TIMEOUT", true, "120 to 7200");
    row("HCCL_CONNECT_TIMEOUT=10m", "HCCL_CONNECT_TIMEOUT", true, "\"10m\"");
    row("HCCL_EXEC_TIMEOUT=-1", "HCCL_EXEC_TIMEOUT", true, "from 0 up");
    row("HCCL_EXEC_TIMEOUT=0", "HCCL_EXEC_TIMEOUT", false, "never gives up");
    row("HCCL_EVENT_TIMEOUT=1836", "HCCL_EVENT_TIMEOUT", false, "1836 s");
    row("HCCL_EXEC_TIMEOUT=3000 HCCL_EVENT_TIMEOUT=2000", "HCCL_EVENT_TIMEOUT", false, "3000 s");
    row("HCCL_IF_BASE_PORT=65521", "HCCL_IF_BASE_PORT", true, "65520");
    row("HCCL_IF_IP=eth0", "HCCL_IF_IP", true, "\"eth0\"");
    row("HCCL_SOCKET_IFNAME=eth0,,eth1", "HCCL_SOCKET_IFNAME", true, "^=docker0");
    row("HCCL_SOCKET_FAMILY=ipv4", "HCCL_SOCKET_FAMILY", true, "AF_INET");
    row("HCCL_NPU_SOCKET_PORT_RANGE=16666..16700", "HCCL_NPU_SOCKET_PORT_RANGE", true, "auto");
    row("HCCL_WHITELIST_DISABLE=0", "HCCL_WHITELIST_DISABLE", true, "HCCL_WHITELIST_FILE");
    row("HCCL_RDMA_TIMEOUT=22", "HCCL_RDMA_TIMEOUT", false, "910A");
    row("HCCL_RDMA_TIMEOUT=4", "HCCL_RDMA_TIMEOUT", true, "5 to 24");
    row("HCCL_DETERMINISTIC=yes", "HCCL_DETERMINISTIC", true, "strict");
    row("TASK_QUEUE_ENABLE=3", "TASK_QUEUE_ENABLE", true, "0 to 2");
    row("ASCEND_GLOBAL_LOG_LEVEL=4", "ASCEND_GLOBAL_LOG_LEVEL", false, "not even errors");
    row("ASCEND_SLOG_PRINT_TO_STDOUT=1", "ASCEND_SLOG_PRINT_TO_STDOUT", false, "no log files");
    row("ASCEND_LAUNCH_BLOCKING=1", "ASCEND_LAUNCH_BLOCKING", false, "slow");
    row("DEVICE_ID=2 ASCEND_RT_VISIBLE_DEVICES=4,5", "DEVICE_ID", true, "2 devices");
    row("ASCEND_DEVICE_ID=5 ASCEND_RT_VISIBLE_DEVICES=4,5", "ASCEND_DEVICE_ID", true, "2 devices");
    row("CM_CHIEF_IP=10.0.0.1 RANK_TABLE_FILE=/a.json", "CM_CHIEF_IP", true, "RANK_TABLE_FILE");
    row("LOCAL_RANK=0,1,2,3", "LOCAL_RANK", true, "0,1,2,3");
    row("ASCEND_VISIBLE_DEVICES=0,,1", "ASCEND_VISIBLE_DEVICES", true, "0,,1");
    row("MASTER_PORT=0", "MASTER_PORT", true, "1 to 65535");
}

void EnvironmentRulesTest::problemsAreFound()
{
    QFETCH(QString, set);
    QFETCH(QString, variable);
    QFETCH(bool, isError);
    QFETCH(QString, word);
    const auto problems = environmentProblems(lookup(set));
    QCOMPARE(problems.size(), std::size_t(1));
    QCOMPARE(problems.front().variable, variable);
    QCOMPARE(problems.front().isError, isError);
    QVERIFY2(problems.front().what.contains(word), qPrintable(problems.front().what));
    QVERIFY(!problems.front().mend.isEmpty());
}

void EnvironmentRulesTest::goodValuesHaveNone_data()
{
    QTest::addColumn<QString>("set");
    for (const char *set :
         {"HCCL_CONNECT_TIMEOUT=120", "HCCL_CONNECT_TIMEOUT=7200", "HCCL_EXEC_TIMEOUT=2147483647",
          "HCCL_EVENT_TIMEOUT=1837", "HCCL_IF_IP=10.0.0.1", "HCCL_IF_IP=fe80::1", "HCCL_SOCKET_IFNAME=eth",
          "HCCL_SOCKET_IFNAME=^=docker0,lo", "HCCL_HOST_SOCKET_PORT_RANGE=auto",
          "HCCL_NPU_SOCKET_PORT_RANGE=16666-16700,17000",
          "HCCL_WHITELIST_DISABLE=0 HCCL_WHITELIST_FILE=/w.json", "HCCL_RDMA_TIMEOUT=20",
          "DEVICE_ID=1 ASCEND_RT_VISIBLE_DEVICES=4,5", "ASCEND_VISIBLE_DEVICES=0-3",
          "RANK_TABLE_FILE=/a.json RANK_ID=3 RANK_SIZE=8", "SOMETHING_ELSE=x"})
        QTest::newRow(set) << QString::fromLatin1(set);
}

void EnvironmentRulesTest::goodValuesHaveNone()
{
    QFETCH(QString, set);
    for (const EnvironmentProblem &problem : environmentProblems(lookup(set)))
        QFAIL(qPrintable(problem.variable + ' '_L1 + problem.what));
}

void EnvironmentRulesTest::anEmptyEnvironmentHasNone()
{
    QVERIFY(environmentProblems(lookup({})).empty());
    QVERIFY(knownVariablesSet(lookup({})).isEmpty());
}

void EnvironmentRulesTest::knownVariablesAreListed()
{
    QCOMPARE(knownVariablesSet(lookup(u"HCCL_IF_IP=x GLOG_v=9 PATH=/bin"_s)),
             (QStringList{u"HCCL_IF_IP"_s, u"GLOG_v"_s}));
}

void EnvironmentRulesTest::theBasePortIsTheDefaultWhenItIsNone_data()
{
    QTest::addColumn<QString>("set");
    QTest::addColumn<int>("port");
    QTest::newRow("unset") << QString() << 60000;
    QTest::newRow("set") << u"HCCL_IF_BASE_PORT=50000"_s << 50000;
    QTest::newRow("no number") << u"HCCL_IF_BASE_PORT=x"_s << 60000;
    QTest::newRow("too high") << u"HCCL_IF_BASE_PORT=65530"_s << 60000;
}

void EnvironmentRulesTest::theBasePortIsTheDefaultWhenItIsNone()
{
    QFETCH(QString, set);
    QFETCH(int, port);
    QCOMPARE(hcclBasePort(lookup(set)), port);
}

} // namespace tst_environmentrules

RANKDECK_TEST(tst_environmentrules, EnvironmentRulesTest)
#include "tst_environmentrules.moc"
