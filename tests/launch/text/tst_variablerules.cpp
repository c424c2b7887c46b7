#include "launch/text/variablerules.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_variablerules
{

using namespace rankdeck;

/// The rules of the file, against environments. Values with spaces stand behind a tab each.
class VariableRulesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aProblemSaysWhatAndHasItsFix_data();
    void aProblemSaysWhatAndHasItsFix();
    void documentedValuesPass_data();
    void documentedValuesPass();
    void everyVariableOfTheDocumentsIsKnown();
    void everyExampleOfTheFilePasses();
    void anOptionSwitchesAVariableOff();
    void aWrongFileIsRefused();

private:
    static VariableLookup lookup(const QString &set)
    {
        return [set](const QString &name) {
            const QStringList entries = set.split('\t'_L1);
            for (const QString &entry : entries) {
                if (entry.section('='_L1, 0, 0) == name)
                    return entry.section('='_L1, 1);
            }
            return QString();
        };
    }
};

void VariableRulesTest::aProblemSaysWhatAndHasItsFix_data()
{
    QTest::addColumn<QString>("set");
    QTest::addColumn<bool>("isError");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("fix");
    const auto row = [](const char *set, bool isError, const char *word, const char *fix) {
        QTest::newRow(set) << QString::fromLatin1(set) << isError << QString::fromLatin1(word)
                           << QString::fromLatin1(fix);
    };
    row("HCCL_CONNECT_TIMEOUT=60", true, "120 to 7200", "HCCL_CONNECT_TIMEOUT=120");
    row("HCCL_RDMA_TC=130", true, "multiple of 4", "HCCL_RDMA_TC=128");
    row("HCCL_RDMA_SL=8", true, "0 to 7", "HCCL_RDMA_SL=7");
    row("HCCL_RDMA_QPS_PER_CONNECTION=16", false, "slow", "HCCL_RDMA_QPS_PER_CONNECTION=8");
    row("HCCL_MULTI_QP_THRESHOLD=512", false, "HCCL_RDMA_QPS_PER_CONNECTION",
        "HCCL_RDMA_QPS_PER_CONNECTION=");
    row("HCCL_DEBUG_CONFIG=alg, task", true, "contains a space", "HCCL_DEBUG_CONFIG=alg,task");
    row("HCCL_DEBUG_CONFIG=rdma", true, "alg,task,resource", "");
    row("HCCL_ALGO=ring", true, "level0:NA", "");
    row("HCCL_DFS_CONFIG=stuck_detection:yes", true, "on, off", "");
    row("HCCL_DFS_CONFIG=stuck_detection:ON,cluster_heartbeat:on", true, "on, off",
        "HCCL_DFS_CONFIG=stuck_detection:on,cluster_heartbeat:on");
    row("HCCL_DFS_CONFIG=connection_fault_detection_time:10", true, "20 to 7200",
        "HCCL_DFS_CONFIG=connection_fault_detection_time:20");
    row("HCCL_DFS_CONFIG=heartbeat:on", true, "heartbeat:on", "");
    row("HCCL_OP_EXPANSION_MODE=aiv", false, "documented", "HCCL_OP_EXPANSION_MODE=AIV");
    row("HCCL_OP_RETRY_PARAMS=MaxCnt:11\tHCCL_OP_RETRY_ENABLE=L1:1", true, "1 to 10",
        "HCCL_OP_RETRY_PARAMS=MaxCnt:10");
    row("HCCL_INTRA_PCIE_ENABLE=1\tHCCL_INTRA_ROCE_ENABLE=1", true, "exclude", "HCCL_INTRA_PCIE_ENABLE=");
    row("HCCL_IF_BASE_PORT=61000\tHCCL_HOST_SOCKET_PORT_RANGE=auto", false, "no effect",
        "HCCL_IF_BASE_PORT=");
    row("PYTORCH_ALLOC_CONF=expandable_segments:True\tPYTORCH_NPU_ALLOC_CONF=expandable_segments:True", true,
        "exclude", "PYTORCH_ALLOC_CONF=");
    row("PYTORCH_NPU_ALLOC_CONF=expandable_segments:true", true, "True, False",
        "PYTORCH_NPU_ALLOC_CONF=expandable_segments:True");
    row("PYTORCH_NPU_ALLOC_CONF=garbage_collection_threshold:1.5", true, "fraction", "");
    row("CPU_AFFINITY_CONF=3", true, "npu_affine", "");
    row("CPU_AFFINITY_CONF=1, npu0:0-3", true, "space", "CPU_AFFINITY_CONF=1,npu0:0-3");
    row("TORCH_HCCL_STATUS_SAVE_INTERVAL=5", false, "TORCH_HCCL_STATUS_SAVE_ENABLE=1",
        "TORCH_HCCL_STATUS_SAVE_ENABLE=1");
    row("TORCH_NPU_DISABLED_WARNING=1", false, "old name", "TORCH_NPU_WARNING_DISABLE=1");
    row("ASCEND_MODULE_LOG_LEVEL=HCCL=7", true, "HCCL=1", "");
    row("ASCEND_LOG_DEVICE_FLUSH_TIMEOUT=200000", true, "180000", "ASCEND_LOG_DEVICE_FLUSH_TIMEOUT=180000");
    row("HCCL_EXEC_TIMEOUT=1.234", true, "a number from 0 up", "");
}

void VariableRulesTest::aProblemSaysWhatAndHasItsFix()
{
    QFETCH(QString, set);
    QFETCH(bool, isError);
    QFETCH(QString, word);
    QFETCH(QString, fix);
    const auto problems = problemsByRules(VariableRules::all(), lookup(set), {});
    QCOMPARE(problems.size(), std::size_t(1));
    const EnvironmentProblem &problem = problems.front();
    QCOMPARE(problem.isError, isError);
    QVERIFY2((problem.what + problem.mend).contains(word), qPrintable(problem.what + problem.mend));
    QVERIFY(!problem.mend.isEmpty());
    const QString change = problem.fix.variable + '='_L1 + problem.fix.value;
    if (!fix.isEmpty())
        QCOMPARE(change, fix);
    if (!problem.fix.variable.isEmpty() && !problem.fix.value.isEmpty()) {
        const auto after = problemsByRules(VariableRules::all(), lookup(change + '\t'_L1 + set), {});
        for (const EnvironmentProblem &left : after)
            QVERIFY2(left.what != problem.what, qPrintable(left.what));
    }
}

void VariableRulesTest::documentedValuesPass_data()
{
    QTest::addColumn<QString>("set");
    for (const char *set :
         {"HCCL_EXEC_TIMEOUT=1836.25",
          "HCCL_ALGO=allreduce=level0:NA;level1:ring/allgather=level0:NA;level1:H-D_R",
          "HCCL_ALGO=level0:fullmesh", "HCCL_DEBUG_CONFIG=ALG,TASK,RESOURCE,AIV_OPS_EXC",
          "HCCL_DEBUG_CONFIG=^task",
          "HCCL_DFS_CONFIG=connection_fault_detection_time:0;cluster_heartbeat:on;stuck_detection:on",
          "HCCL_DFS_CONFIG=task_exception:on,task_monitor_interval:5000",
          "HCCL_OP_RETRY_ENABLE=L0:0, L1:1, L2:1", "HCCL_INTER_HCCS_DISABLE=True",
          "HCCL_OP_EXPANSION_MODE=AICPU_TS", "HCCL_DETERMINISTIC=STRICT",
          "CPU_AFFINITY_CONF=1,npu0:192-215,npu1:216-239", "CPU_AFFINITY_CONF=2,npu_affine:1",
          "PYTORCH_NPU_ALLOC_CONF=expandable_segments:True,a_new_key:1", "MULTI_STREAM_MEMORY_REUSE=3",
          "TORCH_HCCL_TRACE_BUFFER_SIZE=2000\tTORCH_HCCL_DUMP_ON_TIMEOUT=1",
          "ASCEND_MODULE_LOG_LEVEL=TBE=0:RUNTIME=0", "HCCL_CONNECT_TIMEOUT= "})
        QTest::newRow(set) << QString::fromLatin1(set);
}

void VariableRulesTest::documentedValuesPass()
{
    QFETCH(QString, set);
    if (set.endsWith(' '_L1))
        set.chop(1); // An empty value is not set.
    for (const EnvironmentProblem &problem : problemsByRules(VariableRules::all(), lookup(set), {}))
        QFAIL(qPrintable(problem.variable + ' '_L1 + problem.what));
}

void VariableRulesTest::everyVariableOfTheDocumentsIsKnown()
{
    const auto &rules = VariableRules::all().variables;
    for (const char *name :
         {"HCCL_DFS_CONFIG", "HCCL_RDMA_TC", "HCCL_UB_TIMEOUT", "HCCL_UBOE_TIMEOUT", "HCCL_DIAGNOSE_ENABLE",
          "P2P_HCCL_BUFFSIZE", "HCCL_OP_RETRY_PARAMS", "TORCH_HCCL_DEBUG_INFO_PIPE_FILE",
          "TORCH_HCCL_COORD_CHECK_MILSEC", "CPU_AFFINITY_CONF", "PYTORCH_ALLOC_CONF", "OOM_SNAPSHOT_PATH",
          "ASCEND_MODULE_LOG_LEVEL", "ASCEND_PROCESS_LOG_PATH", "TORCH_NPU_LOGS_FILTER"})
        QVERIFY2(std::ranges::count(rules, QLatin1String(name), &VariableRule::name) == 1, name);
}

void VariableRulesTest::everyExampleOfTheFilePasses()
{
    for (const VariableRule &rule : VariableRules::all().variables) {
        for (const QString &example : rule.examples) {
            const QString set = rule.name + '='_L1 + example;
            for (const EnvironmentProblem &problem : problemsByRules(VariableRules::all(), lookup(set), {}))
                QVERIFY2(!problem.isError, qPrintable(set + ": "_L1 + problem.what));
        }
    }
}

void VariableRulesTest::anOptionSwitchesAVariableOff()
{
    const auto problems =
        problemsByRules(VariableRules::all(), lookup(u"CPU_AFFINITY_CONF=1"_s), {u"--bind-core"_s});
    QCOMPARE(problems.size(), std::size_t(1));
    QVERIFY(!problems.front().isError);
    QCOMPARE(problems.front().fix, (VariableFix{u"CPU_AFFINITY_CONF"_s, {}}));
}

void VariableRulesTest::aWrongFileIsRefused()
{
    QVERIFY(!VariableRules::fromJson("[]"));
    QVERIFY(!VariableRules::fromJson("{\"variables\":[{\"name\":1}],\"conflicts\":[]}"));
    const auto form =
        VariableRules::fromJson("{\"variables\":[{\"name\":\"A\",\"pattern\":\"(\"}],\"conflicts\":[]}");
    QVERIFY(!form);
    QCOMPARE(form.error().where, u"A"_s);
    QVERIFY(VariableRules::fromJson("{\"variables\":[],\"conflicts\":[]}"));
}

} // namespace tst_variablerules

RANKDECK_TEST(tst_variablerules, VariableRulesTest)

#include "tst_variablerules.moc"
