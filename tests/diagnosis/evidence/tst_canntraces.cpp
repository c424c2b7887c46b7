#include "diagnosis/evidence/cannfiles.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/handmaderun.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_canntraces
{

using namespace rankdeck;

class CannTracesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tracesOfTheRunsProcessesAreFound();
};

void CannTracesTest::tracesOfTheRunsProcessesAreFound()
{
    const QTemporaryDir folder;
    RunState state = running(handMadeRun());
    auto plan = std::make_shared<LaunchPlan>(*state.plan);
    for (ProcessPlan &process : plan->processes)
        process.setVariables.insert(u"ASCEND_WORK_PATH"_s, folder.path());
    state.plan = plan;
    state.created = QDateTime::currentDateTimeUtc().addSecs(-60);
    const auto write = [&](const QString &event, const char *file, int secondsAgo = 0) {
        const QString path = folder.filePath(u"atrace/trace_20261127/%1"_s.arg(event));
        QFile trace(path + '/'_L1 + QLatin1String(file));
        QVERIFY(QDir().mkpath(path) && trace.open(QIODevice::WriteOnly) && trace.write("#0 main\n") > 0);
        trace.flush();
        QVERIFY(trace.setFileTime(QDateTime::currentDateTime().addSecs(-secondsAgo),
                                  QFileDevice::FileModificationTime));
    };
    const qint64 pid = state.ranks[3].pid;
    write(u"stackcore_event_%1_2026"_s.arg(pid), "stackcore_tracer_11_1.txt");
    write(u"schedule_event_%1_2026"_s.arg(state.ranks[5].pid), "schedule_tracer_HCCL_1.txt");
    write(u"exit_event_%1_2026"_s.arg(pid), "exit.txt");
    write(u"stackcore_event_%1_2026"_s.arg(pid), "old.txt", 600);
    write(u"stackcore_event_99999_2026"_s, "another.txt");
    write(u"other_event_%1_2026"_s.arg(pid), "other.txt");

    const auto traces = cannTracesOf(state);
    QCOMPARE(traces.size(), std::size_t(3));
    const auto crash = std::ranges::find(traces, CannTrace::Kind::Crash, &CannTrace::kind);
    QVERIFY(crash != traces.end() && crash->process == 3);
    QVERIFY(crash->path.endsWith(u"/stackcore_tracer_11_1.txt"_s));
    const QStringList notes = textsOf(cannTraceNotes(traces, *state.plan));
    QCOMPARE(notes.size(), 2);
    QCOMPARE(notes[0], u"CANN has kept the stacks of rank 3 when it crashed: %1"_s.arg(crash->path));
    QVERIFY(notes[1].startsWith(u"CANN has kept what rank 5 was doing when its wait timed out: "_s));
    state.phase = RunPhase::Recorded;
    QVERIFY(cannTracesOf(state).empty());
}

} // namespace tst_canntraces

RANKDECK_TEST(tst_canntraces, CannTracesTest)
#include "tst_canntraces.moc"
