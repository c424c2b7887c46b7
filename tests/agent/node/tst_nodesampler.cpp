#include "agent/node/nodesampler.h"
#include "launch/plan/launchplan.h"
#include "run/process/processtree.h"
#include "support/npusmistandin.h"
#include "support/testmain.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_nodesampler
{

using namespace rankdeck;

using namespace std::chrono_literals;

/// Two ranks, each a shell with a child, on the two cards of a script that stands in for npu-smi.
class NodeSamplerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void nothingIsAskedBeforeSomebodyWants();
    void aSampleHasTheLoadsAndTheNpusAndWhoseTheyAre();
    void newReadingsComeAsTheyAre();
    void aNodeWithoutNpusHasLoadsAlone();
    void aHangingNpuSmiIsKilledAndSaid();
    void aSlowNpuSmiIsAskedMoreSeldomThanLoadsAreSampled();
    void aFailingNpuSmiIsExplained();
    void whatIsUnderWayIsKilledWhenNobodyWants();
    void whoWantsMoreOftenDoesNotWaitForTheSlowerOne();
    void aRankThatEndsHasNoLoad();
    void theCardOfTheDetailedProcessIsAskedForMore();
    void aRankIsOnTheChipThatItUses();
    void whatIsOldIsNoNews();
    void whatHcclLogsIsARanksCollective();

private:
    static constexpr int ranks = 2;
    static constexpr int limitMs = 30000;

    qint64 pidOf(int process) const { return m_ranks.at(size_t(process))->processId(); }
    pid_t childOf(int process) const
    {
        const auto below = descendants(static_cast<pid_t>(pidOf(process)));
        return below.empty() ? 0 : below.front().pid;
    }
    /// The pid of one that has ended.
    static qint64 goneProcess()
    {
        QProcess process;
        process.start(u"true"_s, {});
        const qint64 pid = process.waitForStarted() ? process.processId() : 0;
        process.waitForFinished();
        return pid;
    }
    static QByteArray row(const char *chip, qint64 pid)
    {
        return QByteArray("| ") + chip + "       0   | " + QByteArray::number(pid) +
               "  | python   | 300  |\n";
    }
    void make(std::chrono::milliseconds limit = 15s, int restFactor = 0)
    {
        DeviceSamplerSettings settings;
        settings.limit = limit;
        settings.restFactor = restFactor;
        settings.afterFailure = 20ms;
        make({DeviceSource::Kind::NpuSmi, m_standIn->path()}, settings);
    }
    void make(const DeviceSource &source, const DeviceSamplerSettings &settings)
    {
        m_sampler = std::make_unique<NodeSampler>(
            m_plan, u"here"_s, [this](int process) { return pidOf(process); }, source, settings);
        connect(m_sampler.get(), &NodeSampler::sampled, this, [this](const NodeSample &sample) {
            m_samples << sample;
            m_last = sample;
        });
    }

    std::unique_ptr<NpuSmiStandIn> m_standIn;
    std::vector<std::unique_ptr<QProcess>> m_ranks;
    LaunchPlan m_plan;
    std::unique_ptr<NodeSampler> m_sampler;
    QList<NodeSample> m_samples;
    NodeSample m_last;
};

void NodeSamplerTest::init()
{
    m_standIn = std::make_unique<NpuSmiStandIn>();
    m_plan = {};
    m_samples.clear();
    m_last = {};
    for (int rank = 0; rank < ranks; ++rank) {
        ProcessPlan process;
        process.node = u"here"_s;
        process.device = DeviceId(rank);
        m_plan.processes.push_back(process);
        auto shell = std::make_unique<QProcess>();
        shell->start(u"sh"_s, {u"-c"_s, u"sleep 1000; true"_s});
        QVERIFY(shell->waitForStarted());
        m_ranks.push_back(std::move(shell));
        QTRY_VERIFY_WITH_TIMEOUT(childOf(rank) > 0, limitMs);
    }
}

void NodeSamplerTest::cleanup()
{
    m_sampler.reset();
    for (int rank = 0; rank < static_cast<int>(m_ranks.size()); ++rank) {
        if (const pid_t child = pidOf(rank) > 0 ? childOf(rank) : 0)
            ::kill(child, SIGKILL);
        m_ranks[size_t(rank)]->kill();
        m_ranks[size_t(rank)]->waitForFinished();
    }
    m_ranks.clear();
    // What was asked last has been killed with the sampler.
    QTRY_VERIFY_WITH_TIMEOUT(ownChildren().empty(), limitMs);
}

void NodeSamplerTest::nothingIsAskedBeforeSomebodyWants()
{
    m_standIn->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(50));
    make();
    m_sampler->want(0ms);
    QVERIFY(m_samples.isEmpty());
    m_sampler->want(20ms);
    QTRY_VERIFY_WITH_TIMEOUT(m_last.devices, limitMs);
    QCOMPARE(m_standIn->calls().first(), QByteArray("C info -m"));
}

void NodeSamplerTest::aSampleHasTheLoadsAndTheNpusAndWhoseTheyAre()
{
    m_standIn->replay(NpuSmiStandIn::map(),
                      NpuSmiStandIn::table(50, row("4", childOf(0)) + row("5", 1) + row("5", pidOf(1)) +
                                                   row("5", goneProcess())));
    make();
    m_sampler->want(20ms);
    // The first comes at once, with loads alone.
    QCOMPARE(m_samples.size(), 1);
    QCOMPARE(m_last.node, u"here"_s);
    QCOMPARE(m_last.loads.keys(), (QList<int>{0, 1}));
    QCOMPARE(m_last.loads[0].processes, 2);
    QVERIFY(!m_last.devices);
    QTRY_VERIFY_WITH_TIMEOUT(!m_last.users.isEmpty(), limitMs);
    QVERIFY(m_last.loads[0].cpuPercent);
    QCOMPARE(m_last.devices->samples.size(), 2);
    QCOMPARE(m_last.devices->samples[0].rates.aiCore, 50);
    QCOMPARE(m_last.chips, (QMap<int, int>{{0, 0}, {1, 1}}));
    QCOMPARE(m_last.users.size(), 2);
    if (!isInitialPidNamespace())
        QSKIP("Whose pids are the host's cannot be told in this container.");
    QCOMPARE(m_last.users[0].size(), 1);
    QCOMPARE(m_last.users[0][0].owner, 0);
    QCOMPARE(m_last.users[1].size(), 2);
    QCOMPARE(m_last.devices->samples[1].processes->size(), 2);
    QVERIFY(m_last.users[1][0].isForeign());
    QCOMPARE(m_last.users[1][1].owner, 1);
}

void NodeSamplerTest::newReadingsComeAsTheyAre()
{
    m_standIn->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(50));
    make();
    m_sampler->want(20ms);
    QTRY_VERIFY_WITH_TIMEOUT(m_last.devices, limitMs);
    m_standIn->write("table", NpuSmiStandIn::table(7));
    QTRY_COMPARE_WITH_TIMEOUT(m_last.devices->samples.value(0).rates.aiCore, 7, limitMs);
    // A table that is cut off somewhere is no reading, or one of fewer chips, and never a crash.
    const QByteArray table = NpuSmiStandIn::table(9);
    const auto calls = m_standIn->calls().size();
    m_standIn->write("table", table.left(table.size() / 3));
    QTRY_VERIFY_WITH_TIMEOUT(m_standIn->calls().size() > calls + 2, limitMs);
    m_standIn->write("table", table);
    QTRY_VERIFY_WITH_TIMEOUT(
        m_last.devices->samples.size() == 2 && m_last.devices->samples[0].rates.aiCore == 9, limitMs);
}

void NodeSamplerTest::aNodeWithoutNpusHasLoadsAlone()
{
    make(DeviceSource(), {});
    m_sampler->want(20ms);
    QTRY_VERIFY_WITH_TIMEOUT(m_samples.size() > 2, limitMs);
    QVERIFY(!m_last.devices);
    QVERIFY(!m_last.problem);
    QVERIFY(m_last.chips.isEmpty());
    QCOMPARE(m_last.loads.size(), ranks);
}

void NodeSamplerTest::aHangingNpuSmiIsKilledAndSaid()
{
    m_standIn->install("echo $$ >>\"$0.pids\"; exec sleep 1000");
    make(200ms);
    QSignalSpy started(m_sampler.get(), &NodeSampler::toolStarted);
    QSignalSpy ended(m_sampler.get(), &NodeSampler::toolEnded);
    m_sampler->want(20ms);
    QTRY_VERIFY_WITH_TIMEOUT(m_last.problem, limitMs);
    QVERIFY2(m_last.problem->sentence().contains(u"did not answer within 0.2 s"_s),
             qPrintable(m_last.problem->sentence()));
    QCOMPARE(m_last.loads.size(), ranks);
    QTRY_VERIFY_WITH_TIMEOUT(ended.size() >= 1, limitMs);
    QCOMPARE(ended[0][0].toLongLong(), started[0][0].toLongLong());
    QVERIFY(!readProcess(static_cast<pid_t>(ended[0][0].toLongLong())));
}

void NodeSamplerTest::aSlowNpuSmiIsAskedMoreSeldomThanLoadsAreSampled()
{
    m_standIn->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(50));
    m_standIn->install("sleep 0.2\ncase \"$*\" in 'info -m') cat '" +
                       m_standIn->write("map", NpuSmiStandIn::map()) + "' ;; *) cat '" +
                       m_standIn->write("table", NpuSmiStandIn::table(50)) + "' ;; esac");
    make(15s, 50);
    m_sampler->want(20ms);
    QTRY_VERIFY_WITH_TIMEOUT(m_last.devices, limitMs);
    const auto before = m_samples.size();
    const auto calls = m_standIn->calls().size();
    QTRY_VERIFY_WITH_TIMEOUT(m_samples.size() > before + 20, limitMs);
    QVERIFY(m_standIn->calls().size() <= calls + 1);
}

void NodeSamplerTest::aFailingNpuSmiIsExplained()
{
    m_standIn->install("echo 'dcmi module initialize failed. ret is -8005'; exit 1");
    make();
    m_sampler->want(20ms);
    QTRY_VERIFY_WITH_TIMEOUT(m_last.problem, limitMs);
    QVERIFY2(m_last.problem->sentence().contains(u"-8005"_s), qPrintable(m_last.problem->sentence()));
    QVERIFY(!m_last.devices);
    m_standIn->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(50));
    QTRY_VERIFY_WITH_TIMEOUT(m_last.devices && !m_last.problem, limitMs);
}

void NodeSamplerTest::whatIsUnderWayIsKilledWhenNobodyWants()
{
    m_standIn->install("exec sleep 1000");
    make();
    QSignalSpy started(m_sampler.get(), &NodeSampler::toolStarted);
    QSignalSpy ended(m_sampler.get(), &NodeSampler::toolEnded);
    m_sampler->want(20ms);
    QTRY_COMPARE_WITH_TIMEOUT(started.size(), 1, limitMs);
    m_sampler->want(0ms);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, limitMs);
    QCOMPARE(started.size(), 1);
    QVERIFY(!m_last.problem);
}

void NodeSamplerTest::whoWantsMoreOftenDoesNotWaitForTheSlowerOne()
{
    m_standIn->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(50));
    make();
    m_sampler->want(1h);
    QTRY_COMPARE_WITH_TIMEOUT(m_standIn->calls().count("C info"), 1, limitMs);
    m_sampler->want(20ms);
    QTRY_VERIFY_WITH_TIMEOUT(m_standIn->calls().count("C info") > 2, limitMs);
}

void NodeSamplerTest::aRankThatEndsHasNoLoad()
{
    make(DeviceSource(), {});
    m_sampler->want(20ms);
    QCOMPARE(m_last.loads.size(), ranks);
    ::kill(childOf(1), SIGKILL);
    m_ranks[1]->kill();
    QTRY_COMPARE_WITH_TIMEOUT(m_last.loads.keys(), QList<int>{0}, limitMs);
}

void NodeSamplerTest::theCardOfTheDetailedProcessIsAskedForMore()
{
    m_standIn->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(50));
    make();
    m_sampler->want(20ms, 1);
    QTRY_VERIFY_WITH_TIMEOUT(m_standIn->calls().contains("C info -t common -i 5"), limitMs);
    QVERIFY(!m_standIn->calls().contains("C info -t common -i 4"));
    m_sampler->want(20ms, 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_standIn->calls().contains("C info -t common -i 4"), limitMs);
}

void NodeSamplerTest::aRankIsOnTheChipThatItUses()
{
    if (!isInitialPidNamespace())
        QSKIP("Whose pids are the host's cannot be told in this container.");
    m_plan.processes[0].device = ProcessPlan::noDevice;
    m_plan.processes[1].device = DeviceId(1);
    m_standIn->replay(NpuSmiStandIn::map(),
                      NpuSmiStandIn::table(50, row("5", pidOf(0)) + row("4", childOf(1))));
    make();
    m_sampler->want(20ms);
    QTRY_COMPARE_WITH_TIMEOUT(m_last.chips, (QMap<int, int>{{0, 1}, {1, 0}}), limitMs);
}

void NodeSamplerTest::whatIsOldIsNoNews()
{
    m_standIn->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(50));
    make(500ms);
    m_sampler->want(20ms);
    QTRY_VERIFY_WITH_TIMEOUT(m_last.devices && m_last.loads.value(0).cpuPercent, limitMs);
    m_sampler->want(0ms);
    const QDateTime reading = m_last.devices->time;
    m_standIn->install("sleep 1000");
    // Later than the next reading would have come.
    QTRY_VERIFY_WITH_TIMEOUT(reading.msecsTo(QDateTime::currentDateTimeUtc()) > 1000, limitMs);
    m_sampler->want(20ms);
    QVERIFY(!m_last.devices);
    QVERIFY(m_last.isAwaitingDevices);
    QVERIFY(m_last.chips.isEmpty() && m_last.users.isEmpty());
    QVERIFY(!m_last.loads.value(0).cpuPercent);
    QTRY_VERIFY_WITH_TIMEOUT(m_last.problem, limitMs);
    m_sampler->want(0ms);
    // Nor is what went wrong then.
    m_sampler->want(20ms);
    QVERIFY(!m_last.problem);
}

void NodeSamplerTest::whatHcclLogsIsARanksCollective()
{
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(u"run/plog"_s));
    for (ProcessPlan &process : m_plan.processes)
        process.setVariables.insert(u"ASCEND_PROCESS_LOG_PATH"_s, folder.path());
    m_plan.processes[1].setVariables.insert(u"HCCL_ENTRY_LOG_ENABLE"_s, u"1"_s);
    make({}, {});
    QFile plog(folder.filePath(u"run/plog/plog-%1_20260307114332305.log"_s.arg(childOf(1))));
    QVERIFY(plog.open(QIODevice::WriteOnly));
    plog.write("[INFO] HCCL(1,sleep): Entry-HcclAllReduce: tag[AllReduce_tp], sendBuf[0x1]\n");
    plog.close();
    m_sampler->want(10ms);
    const LiveCollective waiting{u"AllReduce"_s, u"tp"_s, 1, true};
    QTRY_COMPARE_WITH_TIMEOUT(m_last.collectives, (QMap<int, LiveCollective>{{1, waiting}}), limitMs);
}

} // namespace tst_nodesampler

RANKDECK_TEST(tst_nodesampler, NodeSamplerTest)
#include "tst_nodesampler.moc"
