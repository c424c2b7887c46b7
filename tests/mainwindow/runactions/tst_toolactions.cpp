#include "mainwindow/runactions/rankactions.h"
#include "support/handmaderun.h"
#include "support/windowtest.h"

#include <QAction>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

namespace tst_toolactions
{

using namespace rankdeck;

/// The menu of debuggers for a chosen rank.
class TestToolActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneRankThatRunsCanBeLookedAt();
    void whatWasWantedIsToldOfOnceItIsThere();
    void thoseThatRunAreShownAgain();

private:
    static AttachedTool tool(const RunState &run, int process)
    {
        AttachedTool made;
        made.plan =
            toolPlan(toolKinds().front(), run.plan->processes.at(std::size_t(process)), 4711, u"/run"_s, 1);
        made.process = process;
        return made;
    }
};

void TestToolActions::oneRankThatRunsCanBeLookedAt()
{
    ToolActions actions;
    QVERIFY(!actions.action()->isEnabled());
    QCOMPARE(actions.action()->menu()->actions().size(), int(toolKinds().size()));
    RunState run = running(handMadeRun());
    actions.setChosen(run, {3, 4});
    QVERIFY(!actions.action()->isEnabled());
    actions.setChosen(run, {3});
    QVERIFY(actions.action()->isEnabled());
    QVERIFY(actions.action()->text().contains(u"rank 3"_s));
    QList<ToolRequest> asked;
    connect(&actions, &ToolActions::requested, this,
            [&](const Request &request) { asked << std::get<ToolRequest>(request); });
    actions.action()->menu()->findChild<QAction *>(u"strace"_s)->trigger();
    QCOMPARE(asked, (QList<ToolRequest>{{u"strace"_s, 3}}));
    run.ranks[3].phase = RankPhase::Failed;
    actions.setChosen(run, {3});
    QVERIFY(!actions.action()->isEnabled());
}

void TestToolActions::whatWasWantedIsToldOfOnceItIsThere()
{
    ToolActions actions;
    RunState run = running(handMadeRun());
    run.tools.push_back(tool(run, 1));
    actions.setChosen(run, {3});
    QSignalSpy attached(&actions, &ToolActions::attached);
    run.tools.push_back(tool(run, 2)); // Somebody else's.
    actions.setChosen(run, {3});
    QVERIFY(attached.isEmpty());
    actions.action()->menu()->actions().constFirst()->trigger();
    actions.setChosen(run, {3});
    QVERIFY(attached.isEmpty());
    run.tools.push_back(tool(run, 3));
    actions.setChosen(run, {3});
    QCOMPARE(attached.size(), 1);
    const int index = attached.first().first().toInt();
    QCOMPARE(index, int(run.ranks.size()) + 2);
    QCOMPARE(run.planOf(index)->rank.value, 3);
    actions.setChosen(run, {3});
    QCOMPARE(attached.size(), 1);
}

void TestToolActions::thoseThatRunAreShownAgain()
{
    ToolActions actions;
    RunState run = running(handMadeRun());
    run.tools.push_back(tool(run, 1));
    run.tools.push_back(tool(run, 2));
    run.tools[1].state.phase = RankPhase::Running;
    actions.setChosen(run, {3, 4});
    const auto entries = [&] {
        return actions.action()->menu()->actions();
    };
    // A line, and one that runs.
    QCOMPARE(entries().size(), int(toolKinds().size()) + 2);
    QVERIFY(actions.action()->isEnabled());
    QVERIFY(!entries().first()->isEnabled());
    QCOMPARE(entries().last()->text(), u"Show gdb at rank 2"_s);
    QSignalSpy attached(&actions, &ToolActions::attached);
    entries().last()->trigger();
    QCOMPARE(attached.first().first().toInt(), int(run.ranks.size()) + 1);
    run.tools[1].state.phase = RankPhase::Exited;
    actions.setChosen(run, {3});
    QCOMPARE(entries().size(), int(toolKinds().size()));
}

} // namespace tst_toolactions

RANKDECK_WINDOW_TEST(tst_toolactions, TestToolActions)
#include "launch/plan/launchplan.h"
#include "tst_toolactions.moc"
