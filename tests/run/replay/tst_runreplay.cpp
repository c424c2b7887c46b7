#include "launch/plan/launchplan.h"
#include "log/line/loglinereader.h"
#include "run/replay/runreplay.h"
#include "support/pastrun.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDirIterator>

#include <ctime>

namespace tst_runreplay
{

using namespace rankdeck;
/// What a past run was at a time is what a client of the live run had then.
class RunReplayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<TestHome>(); }
    void everyTimeHasTheStateOfTheLiveRun();
    void theEndIsTheEndedRun();
    void logsAreAsLongAsTheirMarksSay();
    void logsWithoutMarksGoByTheirStamps();
    void samplesAreThoseOfTheMinutesBefore();
    void aClockThatGoesBackChangesNoOrder();
    void marksTellWhatHappened();
    void logsAloneGoByTheirStamps();
    void nothingToGoByIsRefused();
    void nothingIsWritten();
    void aClockPlays();
    void placesAreRead_data();
    void placesAreRead();
    void aJumpInALongRunIsQuick();

private:
    /// A run with most that can happen, an event each second.
    static void live(PastRun &run)
    {
        double second = 0;
        run.add(++second, events::Note{Sentence(u"a note"_s)});
        for (int process = 0; process < run.ranks(); ++process)
            run.start(++second, process);
        const RankPrompt prompt{u"(Pdb)"_s, u"/train.py"_s, 12, {}, {}, 0};
        run.add(++second, events::AtPrompt{2, prompt});
        run.add(++second, events::PromptLeft{2});
        run.add(++second, events::ProcessHeld{1, 1001, Hold::Suspended});
        run.add(++second, events::ProcessReleased{1, 1001});
        run.add(++second, events::Stalled{Sentence(u"ranks 0, 1 are silent"_s),
                                          {{0, PastRun::at(3).toMSecsSinceEpoch()},
                                           {1, PastRun::at(4).toMSecsSinceEpoch()}}});
        run.add(++second, events::StallEnded{Sentence(u"they print again"_s)});
        run.add(++second, events::DeviceAlarm{3, Sentence(u"its health was OK and is Alarm."_s)});
        run.exit(++second, 3, {ExitStatus::Kind::Exited, 1});
        run.recordFailure(++second, 3);
        run.add(++second, events::TearDown{Sentence(u"rank 3 failed"_s)});
        for (int process = 0; process < run.ranks(); ++process) {
            if (process != 3)
                run.exit(++second, process, {ExitStatus::Kind::Signalled, 15});
        }
        run.finish(++second, RunPhase::Failed, 1);
    }

    static void compare(const RunState &replayed, const RunState &live)
    {
        QCOMPARE(replayed.phase, live.phase);
        QCOMPARE(replayed.notes, live.notes);
        QCOMPARE(replayed.created, live.created);
        QCOMPARE(replayed.ended, live.ended);
        QCOMPARE(replayed.attempt, live.attempt);
        QCOMPARE(replayed.exitCode, live.exitCode);
        QCOMPARE(replayed.prompts, live.prompts);
        QVERIFY(replayed.failure == live.failure);
        QVERIFY(replayed.stall == live.stall);
        QCOMPARE(replayed.deviceAlarms, live.deviceAlarms);
        QCOMPARE(replayed.ranks.size(), live.ranks.size());
        for (std::size_t rank = 0; rank < live.ranks.size(); ++rank) {
            const RankState &one = replayed.ranks[rank];
            const RankState &other = live.ranks[rank];
            QCOMPARE(one.phase, other.phase);
            QCOMPARE(one.pid, other.pid);
            QCOMPARE(one.started, other.started);
            QCOMPARE(one.ended, other.ended);
            QVERIFY(one.status == other.status);
            QVERIFY(one.prompt == other.prompt);
            QCOMPARE(one.hold, other.hold);
            QCOMPARE(replayed.shownPhase(one), live.shownPhase(other));
        }
    }

    std::unique_ptr<TestHome> m_home;
};

void RunReplayTest::everyTimeHasTheStateOfTheLiveRun()
{
    // What a client of the live run reads after each event.
    PastRun live;
    QList<RunState> states;
    RunReader reader(live.directory());
    QVERIFY(reader.open());
    PastRun past;
    RunReplayTest::live(past);
    for (qsizetype event = 0; event < past.events().size(); ++event) {
        const RunEvent &next = past.events().at(event);
        const double second = double(event + 1);
        if (next.is<events::FailureRecorded>())
            live.recordFailure(second, 3);
        else if (next.is<events::Finished>())
            live.finish(second, RunPhase::Failed, 1);
        else
            live.add(second, next);
        QVERIFY(reader.update());
        states << reader.state();
    }
    const auto replay = RunReplay::of(past.ended());
    QVERIFY2(replay, qPrintable(replay.error().sentence()));
    // In any order; between two events it is as after the first.
    for (qsizetype event = states.size(); event-- > 0;) {
        compare(replay->stateAt(PastRun::at(double(event) + 1)), states[event]);
        compare(replay->stateAt(PastRun::at(double(event) + 1.9)), states[event]);
    }
    QCOMPARE(replay->stateAt(PastRun::at(0.5)).phase, RunPhase::Starting);
}

void RunReplayTest::theEndIsTheEndedRun()
{
    PastRun run;
    live(run);
    const RunState ended = run.ended();
    const auto replay = RunReplay::of(ended);
    QVERIFY(replay);
    QCOMPARE(replay->begin(), PastRun::at(0));
    QCOMPARE(replay->end(), run.events().last().wall);
    compare(replay->stateAt(replay->end()), ended);
    compare(replay->stateAt(replay->end().addDays(1)), ended);
}

void RunReplayTest::logsAreAsLongAsTheirMarksSay()
{
    PastRun run;
    run.startAll(1);
    for (int second = 2; second < 50; ++second)
        run.print(second, 4, QByteArray(second, 'x') + '\n');
    run.finish(60, RunPhase::Succeeded, 0);
    const auto replay = RunReplay::of(run.ended());
    QVERIFY(replay);
    qint64 size = 0;
    for (int second = 2; second < 50; ++second) {
        size += second + 1;
        const QDateTime time = PastRun::at(second + 0.5);
        const auto logs = replay->logsAt(replay->stateAt(time), time);
        QCOMPARE(logs.at(4).log, size);
        QCOMPARE(logs.at(3).log, 0);
    }
    QCOMPARE(replay->logsAt(replay->stateAt(PastRun::at(1.5)), PastRun::at(1.5)).at(4).log, 0);
    QCOMPARE(replay->logsAt(run.ended(), replay->end()).at(4).log, size);
}

/// A stamped line of MindSpore at this second of a run.
QByteArray stamped(int second, const QByteArray &text)
{
    const QDateTime local = PastRun::at(second).toLocalTime();
    return "[INFO] ME(7,7f,python):" + local.toString(u"yyyy-MM-dd-HH:mm:ss"_s).toLatin1() +
           ".000.000 [train.py:1] " + text + '\n';
}

void RunReplayTest::logsWithoutMarksGoByTheirStamps()
{
    PastRun run;
    run.startAll(1);
    QFile log(run.log(0));
    QVERIFY(log.open(QIODevice::WriteOnly));
    QList<qint64> sizes;
    for (int second = 2; second < 4000; ++second) {
        log.write(stamped(second, "step") + "a line without a stamp\n");
        sizes << log.pos();
    }
    log.close();
    run.finish(5000, RunPhase::Succeeded, 0);
    const auto replay = RunReplay::of(run.ended());
    QVERIFY(replay);
    for (const int second : {2, 3, 77, 1500, 2222, 3998, 3999}) {
        const QDateTime time = PastRun::at(second + 0.5);
        QCOMPARE(replay->logsAt(replay->stateAt(time), time).at(0).log, sizes.at(second - 2));
    }
    const QDateTime before = PastRun::at(1.5);
    QCOMPARE(replay->logsAt(replay->stateAt(before), before).at(0).log, 0);
}

void RunReplayTest::samplesAreThoseOfTheMinutesBefore()
{
    PastRun run;
    run.startAll(1);
    constexpr int every = 5;
    run.addSamples(10, every, 4000);
    run.exit(20'100, 2, {});
    run.finish(30'000, RunPhase::Succeeded, 0);
    const auto replay = RunReplay::of(run.ended());
    QVERIFY(replay);
    for (const int step : {0, 1, 70, 2000, 3999}) {
        RunSamples live;
        for (int each = std::max(0, step - 60); each <= step; ++each)
            live.take(run.sample(10 + each * every, each));
        const QDateTime time = PastRun::at(10 + step * every + 2.5);
        const RunSamples samples = replay->samplesAt(replay->stateAt(time), time);
        for (int process = 0; process < run.ranks(); ++process) {
            QVERIFY(samples.of(process));
            const RunSamples::Sample &one = *samples.of(process);
            const RunSamples::Sample &other = *live.of(process);
            QCOMPARE(one.time, other.time);
            QVERIFY(one.device && one.load);
            QCOMPARE(one.busyPercent(), other.busyPercent());
            QVERIFY(one.memory() == other.memory());
            QCOMPARE(one.device->temperatureC, other.device->temperatureC);
            QCOMPARE(one.device->name, other.device->name);
            QCOMPARE(one.load->processes, other.load->processes);
            QCOMPARE(one.load->cpuPercent, other.load->cpuPercent);
            QCOMPARE(samples.recent(process).mid(1), live.recent(process).mid(1));
        }
    }
    // Long after the last one, before the first one, and of a rank that has ended.
    for (const double second : {25'000.0, 5.0})
        QVERIFY(replay->samplesAt(replay->stateAt(PastRun::at(second)), PastRun::at(second)).isEmpty());
    const QDateTime afterEnd = PastRun::at(20'101);
    const RunSamples samples = replay->samplesAt(replay->stateAt(afterEnd), afterEnd);
    QVERIFY(!samples.of(2) || !samples.of(2)->load);
}

void RunReplayTest::aClockThatGoesBackChangesNoOrder()
{
    PastRun run;
    run.startAll(10);
    run.add(5, events::Note{Sentence(u"by a clock that is behind"_s)});
    run.finish(20, RunPhase::Succeeded, 0);
    const auto replay = RunReplay::of(run.ended());
    QVERIFY(replay);
    QVERIFY(replay->stateAt(PastRun::at(9)).notes.isEmpty());
    QCOMPARE(replay->stateAt(PastRun::at(10)).notes.size(), 1);
}

void RunReplayTest::marksTellWhatHappened()
{
    PastRun run;
    live(run);
    const auto replay = RunReplay::of(run.ended());
    QVERIFY(replay);
    QStringList kinds;
    for (const ReplayMark &mark : replay->marks())
        kinds << markWord(mark.kind);
    // The ranks that were ended after the first one are not marked.
    QCOMPARE(kinds.join(' '_L1), u"note stall note alarm failure end"_s);
    const ReplayMark failure = replay->marks().at(4);
    QCOMPARE(failure.text, u"rank 3: exit code 1"_s);
    QCOMPARE(replay->marks().constLast().text, u"The run ended: failed."_s);
    QVERIFY(*replay->markAfter(replay->marks().at(3).time) == failure);
    QVERIFY(*replay->markBefore(failure.time) == replay->marks().at(3));
    QVERIFY(!replay->markBefore(replay->begin()));
    QVERIFY(!replay->markAfter(replay->end()));
}

void RunReplayTest::logsAloneGoByTheirStamps()
{
    const QTemporaryDir folder;
    RunState state = handMadeRun(1, 2);
    LaunchPlan plan = *state.plan;
    for (int rank = 0; rank < 2; ++rank) {
        QString &path = plan.processes[std::size_t(rank)].logFile;
        path = folder.filePath(u"worker_%1.log"_s.arg(rank));
        QFile log(path);
        QVERIFY(log.open(QIODevice::WriteOnly));
        for (int second = 10 * rank; second <= 100; second += 10)
            log.write(stamped(second, "step " + QByteArray::number(second)));
    }
    state.setPlan(plan);
    state.directory = folder.path();
    state.phase = RunPhase::Recorded;
    state.ranks[0].phase = RankPhase::Unknown;
    state.ranks[1].phase = RankPhase::Failed;
    const auto replay = RunReplay::of(state);
    QVERIFY2(replay, qPrintable(replay.error().sentence()));
    QVERIFY(replay->hasLogsAlone());
    QCOMPARE(replay->begin(), PastRun::at(0));
    QCOMPARE(replay->end(), PastRun::at(100));
    const QDateTime early = PastRun::at(5);
    const RunState then = replay->stateAt(early);
    QCOMPARE(then.ranks[0].phase, RankPhase::Writing);
    QCOMPARE(then.ranks[1].phase, RankPhase::Waiting);
    QCOMPARE(replay->logsAt(then, early).at(0).log, stamped(0, "step 0").size());
    QCOMPARE(replay->logsAt(then, early).at(1).log, 0);
    QCOMPARE(replay->stateAt(replay->end()).ranks[1].phase, RankPhase::Failed);
    QCOMPARE(replay->marks().size(), 1);
}

void RunReplayTest::nothingToGoByIsRefused()
{
    const QTemporaryDir folder;
    RunState state = handMadeRun(1, 2);
    state.directory = folder.path();
    QVERIFY(!RunReplay::of(state));
}

/// Returns the names, sizes and times of all files in a folder.
static QStringList listing(const QString &folder)
{
    QStringList files;
    QDirIterator all(folder, QDir::AllEntries | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (all.hasNext()) {
        all.next();
        const QFileInfo info = all.fileInfo();
        files << u"%1 %2 %3"_s.arg(info.filePath())
                     .arg(info.size())
                     .arg(info.lastModified().toMSecsSinceEpoch());
    }
    files.sort();
    return files;
}

void RunReplayTest::nothingIsWritten()
{
    PastRun run;
    live(run);
    run.print(3, 0, "a line\n");
    run.addSamples(2, 1, 20);
    const RunState ended = run.ended();
    const QStringList before = listing(run.directory());
    const auto replay = RunReplay::of(ended);
    QVERIFY(replay);
    for (int second = 0; second < 40; ++second) {
        const RunState state = replay->stateAt(PastRun::at(second));
        replay->logsAt(state, PastRun::at(second));
        replay->samplesAt(state, PastRun::at(second));
    }
    QCOMPARE(listing(run.directory()), before);
}

void RunReplayTest::aClockPlays()
{
    ReplayClock clock(PastRun::at(0), PastRun::at(100));
    QCOMPARE(clock.time(5000), PastRun::at(0));
    clock.play(5000);
    QCOMPARE(clock.time(8000), PastRun::at(3));
    clock.setSpeed(10, 8000);
    QCOMPARE(clock.time(9000), PastRun::at(13));
    clock.pause(9000);
    QCOMPARE(clock.time(99'000), PastRun::at(13));
    clock.seek(PastRun::at(50), 99'000);
    QCOMPARE(clock.fraction(99'000), 0.5);
    clock.play(100'000);
    QVERIFY(!clock.isAtEnd(104'999));
    QVERIFY(clock.isAtEnd(105'000));
    QCOMPARE(clock.time(900'000), PastRun::at(100));
    clock.pause(900'000);
    clock.play(900'000);
    QCOMPARE(clock.time(900'000), PastRun::at(0));
    clock.setSpeed(5000, 900'000);
    QCOMPARE(clock.speed(), ReplayClock::mostSpeed);
    clock.seek(PastRun::at(1000), 900'000);
    QCOMPARE(clock.time(900'000), PastRun::at(100));
}

void RunReplayTest::placesAreRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("second"); // -1: refused.
    QTest::newRow("seconds") << u"7"_s << 7.0;
    QTest::newRow("minutes") << u"0:09"_s << 9.0;
    QTest::newRow("hours") << u"1:00:00"_s << 27.0;
    QTest::newRow("part") << u"50%"_s << 13.5;
    QTest::newRow("stall") << u"stall"_s << 14.0;
    QTest::newRow("end") << u"end"_s << 27.0;
    QTest::newRow("failure") << u"failure"_s << 17.0;
    QTest::newRow("date") << PastRun::at(12).toString(Qt::ISODate) << 12.0;
    QTest::newRow("local date") << PastRun::at(12).toLocalTime().toString(u"yyyy-MM-ddTHH:mm:ss"_s) << 12.0;
    QTest::newRow("word") << u"soon"_s << -1.0;
    QTest::newRow("too much") << u"101%"_s << -1.0;
    QTest::newRow("sixty") << u"1:60"_s << -1.0;
    QTest::newRow("nothing") << QString() << -1.0;
}

void RunReplayTest::placesAreRead()
{
    QFETCH(const QString, text);
    QFETCH(const double, second);
    PastRun run;
    live(run);
    const auto replay = RunReplay::of(run.ended());
    QVERIFY(replay);
    const auto time = replayTime(text, *replay);
    QCOMPARE(bool(time), second >= 0);
    if (time)
        QCOMPARE(*time, PastRun::at(second));
}

/// The bench has the long one: 8 h, 64 ranks, 100 MB each.
void RunReplayTest::aJumpInALongRunIsQuick()
{
    PastRun run(8);
    run.startAll(1);
    constexpr int seconds = 3600;
    for (int second = 2; second < seconds; ++second) {
        for (int process = 0; process < run.ranks(); ++process)
            run.mark(second, process, qint64(second) * 1000);
    }
    for (int second = 2; second < seconds; second += 2)
        run.add(second, events::Note{Sentence(u"note %1"_s.arg(second))});
    run.addSamples(2, 2, seconds / 2);
    run.finish(seconds, RunPhase::Succeeded, 0);
    const auto replay = RunReplay::of(run.ended());
    QVERIFY(replay);
    constexpr int jumps = 20;
    constexpr qint64 mostMs = 300;
    // Processor time: other programs may have the machine.
    const std::clock_t before = std::clock();
    for (int jump = 0; jump < jumps; ++jump) {
        const int second = 2 + (jump * 1237) % (seconds - 4);
        const QDateTime time = PastRun::at(second);
        const RunState state = replay->stateAt(time);
        QCOMPARE(replay->logsAt(state, time).at(1).log, qint64(second) * 1000);
        QVERIFY(!replay->samplesAt(state, time).isEmpty());
    }
    const qint64 used = qint64(std::clock() - before) * 1000 / CLOCKS_PER_SEC;
    QVERIFY2(used <= jumps * mostMs, qPrintable(QString::number(used)));
}

} // namespace tst_runreplay

RANKDECK_TEST(tst_runreplay, RunReplayTest)
#include "tst_runreplay.moc"
