#include "agent/supervise/stallwatch.h"
#include "base/times.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "run/record/runstate.h"
#include "support/testmain.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace tst_stallwatch
{

using namespace rankdeck;

namespace
{

constexpr qint64 second = 1000;
const qint64 noon = utcTime(QDate(2026, 11, 22), QTime(12, 0)).toMSecsSinceEpoch();

} // namespace

/// What the supervisor says of a run whose ranks fall silent. No time passes in these tests but the one that
/// they count.
class StallWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aSilentRankIsToldOfOnce();
    void ranksThatStopTogetherAreToldOfTogether();
    void aRankThatEndsIsNotSaidToGoOn();
    void itsStacksInItsLogAreNoSignOfLife();
    void withoutALimitNothingIsSaid();
    void aRankThatCompilesIsNotStalled();
    void ranksBehindTheOthersAreTold();
    void whoIsBehindIsToldWhileOthersStumble();
    void whoStuttersIsToldOfSeldom();
    void aNodeThatIsCutOffIsNotStalled();
    void logsThatStayOnTheirNodesSayNothing();
    void ranksWithoutLinesFallSilentWithTheirCommand_data();
    void ranksWithoutLinesFallSilentWithTheirCommand();
    void aSchedulerMayBeSilent();
    void anIdleNpuIsSaidOfAStalledRank();
    void anIdleNpuStallsNobody();
    void aBusyNpuPostponesAStallButNotForEver();
    void whatWasSampledLongAgoSaysNothing();
    void samplesAreWantedWhenAStallIsNear();

private:
    /// These NPUs are that busy, by process.
    void sample(const QMap<int, int> &busy)
    {
        NodeSample sample;
        sample.node = u"one"_s;
        sample.devices = DeviceReading{DeviceSource::Kind::NpuSmi, utcTime(m_now), {}, {}};
        for (auto each = busy.begin(); each != busy.end(); ++each) {
            DeviceSample device;
            device.rates.aiCore = each.value();
            sample.chips.insert(each.key(), static_cast<int>(sample.devices->samples.size()));
            sample.devices->samples << device;
        }
        m_watch->sample(sample, m_now);
    }
    /// As train(), with a sample each second.
    QList<RunEvent> trainSampled(int seconds, const std::vector<int> &processes, const QMap<int, int> &busy)
    {
        QList<RunEvent> said;
        for (int passed = 0; passed < seconds; ++passed) {
            said += train(1, processes);
            sample(busy);
        }
        return said;
    }
    void makeWatch(int afterSeconds = 10, int ranks = 4)
    {
        m_plan.processes.clear();
        for (int rank = 0; rank < ranks; ++rank) {
            ProcessPlan process;
            process.rank = Rank(rank);
            process.node = rank < ranks / 2 ? u"one"_s : u"two"_s;
            process.logFile = m_folder->filePath(QString::number(rank));
            m_plan.processes.push_back(process);
        }
        m_spec.common.stallAfterSeconds = afterSeconds;
        m_watch = std::make_unique<StallWatch>(m_spec, m_plan);
    }
    void take(const AnyEvent &what, const QString &node = {})
    {
        m_watch->take(RunEvent::now(what, node), m_now);
    }
    static QMap<int, qint64> silencesIn(const RunEvent &event)
    {
        return event.as<events::Stalled>()->silences;
    }
    void startAll()
    {
        for (int process = 0; process < static_cast<int>(m_plan.processes.size()); ++process)
            take(events::ProcessStarted{process});
    }
    void write(int process, const QByteArray &text) const
    {
        QFile file(m_folder->filePath(QString::number(process)));
        QVERIFY(file.open(QIODevice::Append));
        file.write(text);
    }
    /// These print a step each second; what the watch says of it.
    QList<RunEvent> train(int seconds, const std::vector<int> &processes)
    {
        QList<RunEvent> said;
        for (int passed = 0; passed < seconds; ++passed) {
            m_now += second;
            ++m_step;
            for (const int process : processes)
                write(process, QByteArray("step ") + QByteArray::number(m_step) + "/100000 loss: 1\n");
            m_watch->grow(processes, m_now);
            if (const auto event = m_watch->look(m_now))
                said << *event;
        }
        return said;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    LaunchSpec m_spec;
    LaunchPlan m_plan;
    std::unique_ptr<StallWatch> m_watch;
    qint64 m_now = noon;
    int m_step = 0;
};

void StallWatchTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_spec = {};
    m_plan = {};
    m_now = noon;
    m_step = 0;
}

void StallWatchTest::aSilentRankIsToldOfOnce()
{
    makeWatch();
    startAll();
    QVERIFY(train(30, {0, 1, 2, 3}).isEmpty());
    const qint64 last = m_now;
    const auto said = train(60, {0, 1, 2});
    QCOMPARE(said.size(), 1);
    QVERIFY(said[0].is<events::Stalled>());
    QVERIFY2(said[0].text().text().startsWith(u"No output from rank 3 since"_s), qPrintable(said[0].text()));
    QCOMPARE(silencesIn(said[0]), (QMap<int, qint64>{{3, last}}));

    const auto after = train(30, {0, 1, 2, 3});
    QCOMPARE(after.size(), 1);
    QVERIFY(after[0].is<events::StallEnded>());
    QCOMPARE(after[0].text(), u"Rank 3 continues."_s);
}

void StallWatchTest::ranksThatStopTogetherAreToldOfTogether()
{
    makeWatch();
    startAll();
    train(30, {0, 1, 2, 3});
    const auto said = train(60, {});
    QCOMPARE(said.size(), 1);
    QCOMPARE(silencesIn(said[0]).keys(), QList<int>({0, 1, 2, 3}));
    QVERIFY2(said[0].text().text().startsWith(u"All ranks have been silent"_s), qPrintable(said[0].text()));
}

void StallWatchTest::aRankThatEndsIsNotSaidToGoOn()
{
    makeWatch();
    startAll();
    train(30, {0, 1, 2, 3});
    QCOMPARE(train(30, {0, 1, 2}).size(), 1);
    take(events::ProcessExited{3, 0, ExitStatus{}});
    QVERIFY(train(60, {0, 1, 2}).isEmpty());
}

void StallWatchTest::itsStacksInItsLogAreNoSignOfLife()
{
    makeWatch();
    startAll();
    train(30, {0, 1, 2, 3});
    QCOMPARE(train(30, {0, 1, 2}).size(), 1);
    m_watch->awaitStacks({0, 3}, m_now);
    m_watch->grow({3}, m_now + 100);
    for (const int process : {0, 3})
        m_watch->take(RunEvent::now(events::StacksDumped{.process = process}), m_now + 500);
    m_watch->grow({3}, m_now + 600);
    QVERIFY(train(20, {0, 1, 2}).isEmpty());
    // What comes later is one.
    const auto after = train(20, {0, 1, 2, 3});
    QCOMPARE(after.size(), 1);
    QVERIFY(after[0].is<events::StallEnded>());
}

void StallWatchTest::withoutALimitNothingIsSaid()
{
    makeWatch(0);
    startAll();
    train(30, {0, 1, 2, 3});
    QVERIFY(train(600, {0, 1, 2}).isEmpty());
}

void StallWatchTest::aRankThatCompilesIsNotStalled()
{
    makeWatch();
    startAll();
    train(30, {0, 1, 2, 3});
    write(3, "Start compiling graph, this may take some minutes\n");
    m_watch->grow({3}, m_now);
    QVERIFY(train(100, {0, 1, 2}).isEmpty());
    // Not for ever.
    QCOMPARE(train(100, {0, 1, 2}).size(), 1);
}

void StallWatchTest::ranksBehindTheOthersAreTold()
{
    makeWatch();
    startAll();
    train(30, {0, 1, 2, 3});
    QList<RunEvent> said;
    for (int round = 0; round < 40; ++round) {
        write(3, "step 31/100000 loss: 1\n"); // It prints, and gets no further.
        m_watch->grow({3}, m_now);
        said += train(1, {0, 1, 2});
    }
    QCOMPARE(said.size(), 1);
    QVERIFY2(said[0].text().text().startsWith(u"Rank 3 is "_s), qPrintable(said[0].text()));
    QVERIFY(silencesIn(said[0]).isEmpty());
    // Who is alone at the end has not caught up.
    said.clear();
    for (const int process : {0, 1, 2})
        take(events::ProcessExited{process});
    for (int round = 0; round < 20; ++round) {
        write(3, "step 31/100000 loss: 1\n");
        m_watch->grow({3}, m_now);
        said += train(1, {});
    }
    QCOMPARE(said.size(), 1);
    QCOMPARE(said[0].text(), u"The ranks that were ahead have ended."_s);
}

void StallWatchTest::whoIsBehindIsToldWhileOthersStumble()
{
    makeWatch();
    startAll();
    train(30, {0, 1, 2, 3});
    QList<RunEvent> said;
    for (int round = 0; round < 12; ++round) {
        for (int second = 0; second < 4; ++second) {
            write(3, "step 31/100000 loss: 1\n");
            m_watch->grow({3}, m_now);
            // Rank 2 is some steps behind again and again, and catches up.
            said += train(1, second == 3 || round % 2 ? std::vector{0, 1, 2} : std::vector{0, 1});
        }
    }
    QCOMPARE(said.size(), 1);
    QVERIFY2(said[0].text().text().startsWith(u"Rank 3 is "_s), qPrintable(said[0].text()));
}

void StallWatchTest::whoStuttersIsToldOfSeldom()
{
    makeWatch();
    startAll();
    train(30, {0, 1, 2, 3});
    QList<RunEvent> said;
    // Half an hour. Its pauses grow, so that it never gets used to them.
    for (int round = 0; round < 30; ++round) {
        said += train(30 + round, {0, 1, 2});
        said += train(30 - round, {0, 1, 2, 3});
    }
    QVERIFY2(said.size() <= 10 + 6, qPrintable(QString::number(said.size())));
    QVERIFY(said.size() >= 2);
}

void StallWatchTest::aNodeThatIsCutOffIsNotStalled()
{
    makeWatch();
    startAll();
    train(30, {0, 1, 2, 3});
    take(events::LinkLost(), u"two"_s);
    QVERIFY(train(60, {0, 1}).isEmpty());
    take(events::LinkBack(), u"two"_s);
    QVERIFY(train(60, {0, 1, 2, 3}).isEmpty());
}

void StallWatchTest::logsThatStayOnTheirNodesSayNothing()
{
    m_spec.nodes.mirror = false;
    makeWatch();
    m_plan.processes[3].copiedFrom = {u"/there/3"_s};
    m_watch = std::make_unique<StallWatch>(m_spec, m_plan);
    m_watch->show({3}, m_now);
    startAll();
    train(30, {0, 1, 2, 3});
    m_watch->show({}, m_now);
    QVERIFY(train(60, {0, 1, 2}).isEmpty());
    m_watch->show({3}, m_now);
    train(5, {0, 1, 2, 3});
    QCOMPARE(train(60, {0, 1, 2}).size(), 1);
}

void StallWatchTest::ranksWithoutLinesFallSilentWithTheirCommand_data()
{
    QTest::addColumn<bool>("tellsSteps");
    QTest::newRow("a training") << true;
    QTest::newRow("a server") << false;
}

void StallWatchTest::ranksWithoutLinesFallSilentWithTheirCommand()
{
    QFETCH(bool, tellsSteps);
    makeWatch();
    m_plan.processes.front().role = Role::Console;
    for (std::size_t rank = 1; rank < m_plan.processes.size(); ++rank) {
        m_plan.processes[rank].isFound = true;
        m_plan.processes[rank].console = Streams::None;
    }
    m_watch = std::make_unique<StallWatch>(m_spec, m_plan);
    startAll();
    if (tellsSteps)
        QVERIFY(train(60, {0}).isEmpty());
    for (int passed = 0; passed < 60 && !tellsSteps; ++passed) {
        m_now += second;
        write(0, "INFO: 10.0.0.1 - POST /v1/chat\n");
        m_watch->grow({0}, m_now);
        QVERIFY(!m_watch->look(m_now));
    }
    const QList<RunEvent> said = train(60, {});
    QCOMPARE(said.size(), tellsSteps ? 1 : 0);
    if (tellsSteps)
        QCOMPARE(silencesIn(said.front()).keys(), (QList<int>{1, 2, 3}));
}

void StallWatchTest::aSchedulerMayBeSilent()
{
    makeWatch();
    m_plan.processes[3].role = Role::Scheduler;
    m_watch = std::make_unique<StallWatch>(m_spec, m_plan);
    startAll();
    train(30, {0, 1, 2, 3});
    QVERIFY(train(300, {0, 1, 2}).isEmpty());
}

void StallWatchTest::anIdleNpuIsSaidOfAStalledRank()
{
    makeWatch();
    startAll();
    QVERIFY(trainSampled(30, {0, 1, 2, 3}, {{0, 90}, {1, 90}, {2, 90}, {3, 90}}).isEmpty());
    const auto said = trainSampled(60, {0, 1}, {{0, 90}, {1, 90}, {2, 0}, {3, 0}});
    QCOMPARE(said.size(), 1);
    QVERIFY2(said[0].text().text().startsWith(u"No output from ranks 2-3 since"_s),
             qPrintable(said[0].text()));
    const QRegularExpression words(u" AICore of ranks 2-3 has been at 0 % for (\\d+) s\\.$"_s);
    const auto match = words.match(said[0].text());
    QVERIFY2(match.hasMatch(), qPrintable(said[0].text()));
    QVERIFY2(match.captured(1).toInt() >= 8 && match.captured(1).toInt() < 20, qPrintable(said[0].text()));
}

void StallWatchTest::anIdleNpuStallsNobody()
{
    makeWatch();
    startAll();
    QVERIFY(trainSampled(120, {0, 1, 2, 3}, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}).isEmpty());
}

void StallWatchTest::aBusyNpuPostponesAStallButNotForEver()
{
    makeWatch();
    startAll();
    const QMap<int, int> busy{{0, 98}, {1, 98}, {2, 20}, {3, 98}};
    QVERIFY(trainSampled(30, {0, 1, 2, 3}, busy).isEmpty());
    // Silent for more than the limit, but for less than three times that.
    QVERIFY(trainSampled(28, {}, busy).isEmpty());
    const auto said = trainSampled(20, {}, busy);
    QCOMPARE(said.size(), 1);
    QVERIFY2(said[0].text().text().endsWith(u" The NPUs of ranks 0 (98 %), 1 (98 %), 2 (20 %), 3 (98 %) "
                                            "are busy: they may be computing."_s),
             qPrintable(said[0].text()));
    // What they do now makes nobody go on that has been told.
    const QMap<int, int> idle{{0, 0}, {1, 0}, {2, 0}, {3, 0}};
    QVERIFY(trainSampled(20, {}, idle).isEmpty());
    QVERIFY(trainSampled(20, {}, busy).isEmpty());
}

void StallWatchTest::whatWasSampledLongAgoSaysNothing()
{
    makeWatch(60);
    startAll();
    QVERIFY(trainSampled(30, {0, 1, 2, 3}, {{3, 98}}).isEmpty());
    // Nobody samples any more: the limit is what it was.
    const auto said = train(80, {0, 1, 2});
    QCOMPARE(said.size(), 1);
    QVERIFY2(!said[0].text().text().contains(u"NPU"_s), qPrintable(said[0].text()));
}

void StallWatchTest::samplesAreWantedWhenAStallIsNear()
{
    makeWatch(60);
    startAll();
    train(30, {0, 1, 2, 3});
    QVERIFY(!m_watch->isStallNear());
    train(40, {0, 1, 2});
    QVERIFY(!m_watch->isStallNear());
    train(10, {0, 1, 2});
    QVERIFY(m_watch->isStallNear());
    QCOMPARE(train(15, {0, 1, 2}).size(), 1);
    QVERIFY(m_watch->isStallNear());
    train(30, {0, 1, 2});
    QVERIFY(!m_watch->isStallNear());
    makeWatch(0);
    QVERIFY(!m_watch->isStallNear());
}

} // namespace tst_stallwatch

RANKDECK_TEST(tst_stallwatch, StallWatchTest)
#include "tst_stallwatch.moc"
