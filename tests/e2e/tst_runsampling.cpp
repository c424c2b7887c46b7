#include "device/history/devicehistory.h"
#include "run/control/runclient.h"
#include "run/samples/loadhistory.h"
#include "run/samples/nodehistory.h"
#include "support/launchedrun.h"
#include "support/npusmistandin.h"
#include "support/testmain.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

namespace tst_runsampling
{

using namespace rankdeck;

namespace
{

constexpr int limitMs = 30000;

/// A client that wants samples.
struct Watcher {
    RunClient client;
    NodeSample last;
    int samples = 0;

    Watcher(const QString &directory, const SampleWish &wish)
        : client(directory)
    {
        QObject::connect(&client, &RunClient::sampled, &client, [this](const NodeSample &sample) {
            last = sample;
            ++samples;
        });
        client.sample(wish);
        client.open();
    }
};

} // namespace

/// A launch of eight ranks with two NPUs, through a supervisor and an agent, and who watches it.
class RunSamplingTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void nothingIsSampledBeforeAClientWantsNorAfterIt();
    void twoClientsAreOneSampling();
    void alarmsAndStrangersAreInTheJournalOnce();
    void aSlowNpuSmiHoldsNothingUpAndIsNoLeftover();
    void aRestartIsSampledToo();
    void aLaunchMayWantSamplesAllTheTime();
    void aStallIsToldWithWhatTheNpuDoes();
    void aDemoHasInventedNpusAndAnotherLaunchOfItsScriptHasNot();

private:
    static constexpr int devices = 8;

    void start(const QStringList &options = {},
               const QString &rank = u"while :; do echo on; sleep 0.2; done"_s)
    {
        const Outcome launched =
            ctl(QStringList{u"davincirun"_s, u"--rank-table"_s, demoTable(), u"--log-dir"_s,
                            m_home->path("logs"), u"--grace"_s, u"1"_s, u"--detach"_s} +
                options + QStringList{u"sh"_s, u"-c"_s, rank});
        QVERIFY2(launched.code == 0, launched.err.constData());
        m_directory = *findRun(u"last"_s);
        QTRY_COMPARE_WITH_TIMEOUT(state().count(RankPhase::Running), devices, programLimitMs);
    }
    /// Waits until the first rank has printed for some seconds.
    void letItRun() const
    {
        const auto before = logOf(0).size();
        QTRY_VERIFY_WITH_TIMEOUT(logOf(0).size() > before + 15 * 3, limitMs);
    }
    void letOthersRun() const
    {
        const auto before = logOf(1).count('\n');
        QTRY_VERIFY_WITH_TIMEOUT(logOf(1).count('\n') > before + 50, limitMs);
    }
    QString notes() const { return state().notes.join('\n'_L1); }

    std::unique_ptr<NpuSmiStandIn> m_standIn;
    QByteArray m_path;
};

void RunSamplingTest::init()
{
    m_path = qgetenv("PATH");
    makeHome();
    m_standIn = std::make_unique<NpuSmiStandIn>();
    m_standIn->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(98, NpuSmiStandIn::stranger()));
    qputenv("PATH", m_standIn->folder().toLocal8Bit() + ':' + m_path);
}

void RunSamplingTest::cleanup()
{
    endRun();
    qputenv("PATH", m_path);
}

void RunSamplingTest::nothingIsSampledBeforeAClientWantsNorAfterIt()
{
    start();
    const auto asked = m_standIn->calls().size(); // By the launch, which looks who holds the devices.
    RunClient looking(m_directory);
    looking.open();
    letItRun();
    QCOMPARE(m_standIn->calls().size(), asked);
    QVERIFY(!QFileInfo::exists(samplesFolder(m_directory)));

    auto watcher = std::make_unique<Watcher>(m_directory, SampleWish{true, 1});
    QTRY_VERIFY_WITH_TIMEOUT(watcher->last.devices && watcher->samples > 2, limitMs);
    const NodeSample &sample = watcher->last;
    QCOMPARE(sample.node, state().plan->processes.front().node);
    QCOMPARE(sample.chips, (QMap<int, int>{{0, 0}, {1, 1}}));
    QCOMPARE(sample.devices->samples.value(0).rates.aiCore, 98);
    QCOMPARE(sample.loads.size(), devices);
    QVERIFY(sample.loads[0].cpuPercent);
    QTRY_VERIFY_WITH_TIMEOUT(m_standIn->calls().contains("C info -t common -i 5"), limitMs);

    watcher.reset();
    // What is under way when it goes may be killed before it has noted its call.
    letItRun();
    const auto then = m_standIn->calls().size();
    letItRun();
    QCOMPARE(m_standIn->calls().size(), then);

    QCOMPARE(QFileInfo(samplesFolder(m_directory)).permissions() &
                 (QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther),
             QFile::Permissions());
    const auto history = DeviceHistory::read(deviceHistoryPath(m_directory, 0));
    QVERIFY2(history, qPrintable(history.error().sentence()));
    QVERIFY(!history->moments.isEmpty());
    QCOMPARE(history->moments.last().points.value(0).aiCorePercent, 98);
    const auto loads = LoadHistory::read(loadHistoryPath(m_directory, 0));
    QVERIFY2(loads, qPrintable(loads.error().sentence()));
    QVERIFY(loads->moments.size() > 1);
    QCOMPARE(loads->processes.last().size(), devices);
}

void RunSamplingTest::twoClientsAreOneSampling()
{
    start();
    auto one = std::make_unique<Watcher>(m_directory, SampleWish{true, -1});
    Watcher other(m_directory, SampleWish{true, -1});
    QTRY_VERIFY_WITH_TIMEOUT(one->last.devices && other.last.devices, limitMs);
    one.reset();
    const int before = other.samples;
    QTRY_VERIFY_WITH_TIMEOUT(other.samples > before + 1, limitMs);
    // Every 2 s at most, whoever comes and goes: a call for each sample and one for the ids.
    QVERIFY(m_standIn->calls().count("C info") <= other.samples + 2);
    other.client.sample({});
    letItRun();
    const auto asked = m_standIn->calls().size();
    const int samples = other.samples;
    letItRun();
    QCOMPARE(m_standIn->calls().size(), asked);
    QCOMPARE(other.samples, samples);
}

void RunSamplingTest::alarmsAndStrangersAreInTheJournalOnce()
{
    start();
    Watcher watcher(m_directory, SampleWish{true, -1});
    QTRY_COMPARE_WITH_TIMEOUT(events<events::DeviceAlarm>().size(), 1, limitMs);
    const auto alarm = events<events::DeviceAlarm>().first();
    QCOMPARE(alarm.process, 1);
    QCOMPARE(alarm.text, u"Device 1 (910B3, card 5): its health is Alarm. Rank 1 runs on it."_s);
    QCOMPARE(state().deviceAlarm(1), alarm.text);
    QVERIFY(state().deviceAlarm(0).isEmpty());
    if (isInitialPidNamespace()) {
        QTRY_VERIFY_WITH_TIMEOUT(notes().contains(u"Device 0 of rank 0 is also used by python (pid 1,"_s),
                                 limitMs);
    }
    m_standIn->write("table", NpuSmiStandIn::table(98, NpuSmiStandIn::stranger()).replace("Alarm", "OK   "));
    QTRY_COMPARE_WITH_TIMEOUT(events<events::DeviceWell>().size(), 1, limitMs);
    QVERIFY(state().deviceAlarm(1).isEmpty());
    // Who comes later, or again, is not told anew.
    {
        Watcher later(m_directory, SampleWish{true, -1});
        QTRY_VERIFY_WITH_TIMEOUT(later.samples > 1, limitMs);
    }
    QCOMPARE(events<events::DeviceAlarm>().size(), 1);
    QVERIFY(notes().count(u"is also used by"_s) <= 1);
}

void RunSamplingTest::aSlowNpuSmiHoldsNothingUpAndIsNoLeftover()
{
    start({}, u"until [ -e '%1' ]; do echo on; sleep 0.2; done"_s.arg(m_home->path("end")));
    const QByteArray pids = m_standIn->write("pids", {});
    m_standIn->install("echo $$ >>'" + pids + "'; sleep 1000; true");
    Watcher watcher(m_directory, SampleWish{true, -1});
    QTRY_VERIFY_WITH_TIMEOUT(!m_standIn->read("pids").isEmpty(), limitMs);
    const auto slow = static_cast<pid_t>(m_standIn->read("pids").split('\n').first().toInt());
    // Loads come all the same.
    QTRY_VERIFY_WITH_TIMEOUT(watcher.samples > 1, limitMs);
    QVERIFY(!watcher.last.devices);
    QVERIFY(readProcess(slow));
    QFile end(m_home->path("end"));
    QVERIFY(end.open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(state().phase == RunPhase::Succeeded, limitMs);
    QVERIFY(events<events::Swept>().isEmpty());
    QTRY_VERIFY(!readProcess(slow));
    QTRY_VERIFY(processesOf(m_standIn->folder()).isEmpty());
    m_directory.clear();
}

void RunSamplingTest::aRestartIsSampledToo()
{
    launch({u"--max-restarts"_s, u"1"_s},
           {u"sh"_s, u"-c"_s,
            u"while [ ! -e '%1' ] || [ $RANK != 0 ]; do echo on; sleep 0.2; done; rm '%1'; exit 1"_s.arg(
                m_home->path("fail"))});
    Watcher watcher(m_directory, SampleWish{true, -1});
    QTRY_VERIFY_WITH_TIMEOUT(watcher.last.devices && watcher.last.loads.size() == ranks, limitMs);
    QFile fail(m_home->path("fail"));
    QVERIFY(fail.open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(state().attempt, 1, limitMs);
    QTRY_COMPARE_WITH_TIMEOUT(state().count(RankPhase::Running), ranks, limitMs);
    const QDateTime restarted = state().ranks.front().started;
    QTRY_VERIFY_WITH_TIMEOUT(watcher.last.time > restarted && watcher.last.devices &&
                                 watcher.last.devices->time > restarted && watcher.last.loads.size() == ranks,
                             limitMs);
    const auto loads = LoadHistory::read(loadHistoryPath(m_directory, 0));
    QVERIFY(loads);
    QVERIFY(loads->moments.first().time < restarted);
    QTRY_VERIFY_WITH_TIMEOUT(
        LoadHistory::read(loadHistoryPath(m_directory, 0))->moments.last().time > restarted, limitMs);
    QCOMPARE(events<events::DeviceAlarm>().size(), 1);
}

void RunSamplingTest::aLaunchMayWantSamplesAllTheTime()
{
    start({u"--sample-every"_s, u"1"_s});
    // Nobody looks.
    QTRY_COMPARE_WITH_TIMEOUT(events<events::DeviceAlarm>().size(), 1, limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(
        [this] {
            const auto history = DeviceHistory::read(deviceHistoryPath(m_directory, 0));
            return history && history->moments.size() > 1;
        }(),
        limitMs);
    ctl({u"stop"_s, m_directory, u"--kill"_s});
    const Outcome report = ctl({u"report"_s, m_directory});
    QVERIFY2(report.out.contains("Device 0 (rank 0): at most 59189 of 65536 MB of its memory, AICore 98 %"),
             report.out.constData());
}

void RunSamplingTest::aStallIsToldWithWhatTheNpuDoes()
{
    m_standIn->write("table", NpuSmiStandIn::table(0, NpuSmiStandIn::stranger()));
    start({u"--stall-after"_s, u"20"_s},
          u"n=0; while [ $n -lt 100 ] || [ $RANK_ID != 0 ]; do n=$((n + 1)); echo step $n/100000 loss: 1; "
          "sleep 0.1; done; sleep 1000"_s);
    QTRY_COMPARE_WITH_TIMEOUT(events<events::Stalled>().size(), 1, 2 * limitMs);
    const QString text = events<events::Stalled>().first().text;
    QVERIFY2(text.startsWith(u"No output from rank 0 since"_s), qPrintable(text));
    QVERIFY2(text.contains(u"AICore of rank 0 has been at 0 %"_s), qPrintable(text));
    // Nothing is sampled for it any more.
    letOthersRun();
    const auto asked = m_standIn->calls().size();
    letOthersRun();
    QCOMPARE(m_standIn->calls().size(), asked);
}

void RunSamplingTest::aDemoHasInventedNpusAndAnotherLaunchOfItsScriptHasNot()
{
    const Outcome launched = ctl({u"demo"_s, u"--detach"_s});
    QVERIFY2(launched.code == 0, launched.err.constData());
    m_directory = *findRun(u"last"_s);
    QTRY_COMPARE_WITH_TIMEOUT(state().count(RankPhase::Running), devices, programLimitMs);
    const QString script = state().plan->processes.front().argv.value(1);
    {
        const Watcher watcher(m_directory, SampleWish{true, 1});
        QTRY_VERIFY_WITH_TIMEOUT(watcher.last.devices && watcher.last.chips.size() == devices, limitMs);
        const DeviceReading &reading = *watcher.last.devices;
        QVERIFY(reading.source == DeviceSource::Kind::Invented);
        QCOMPARE(reading.samples.size(), devices);
        QVERIFY(std::ranges::all_of(reading.samples, &DeviceSample::isInvented));
        QTRY_VERIFY_WITH_TIMEOUT(watcher.last.devices->samples.first().rates.aiCore.value_or(0) > 80,
                                 limitMs);
        QVERIFY(!watcher.last.users.first().isEmpty());
        QVERIFY(!watcher.last.users.first().first().isForeign());
    }
    QVERIFY2(notes().contains("invented"_L1), qPrintable(notes()));
    const auto history = DeviceHistory::read(deviceHistoryPath(m_directory, 0));
    QVERIFY(history && !history->chips.isEmpty());
    QVERIFY(history->csvRow(history->moments.first(), 0).contains("910B3 (invented)"));
    endRun();

    start({}, u"exec python3 '%1' --steps 600"_s.arg(script));
    const Watcher watcher(m_directory, SampleWish{true, 1});
    QTRY_VERIFY_WITH_TIMEOUT(watcher.last.devices, limitMs);
    QVERIFY(watcher.last.devices->source == DeviceSource::Kind::NpuSmi);
    QVERIFY(std::ranges::none_of(watcher.last.devices->samples, &DeviceSample::isInvented));
    QVERIFY(!notes().contains("invented"_L1));
}

} // namespace tst_runsampling

RANKDECK_TEST(tst_runsampling, RunSamplingTest)
#include "tst_runsampling.moc"
