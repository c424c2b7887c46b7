#include "devicegrid/grid/devicegrid.h"
#include "mainwindow/runactions/rankactions.h"
#include "support/handmaderun.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/preferences.h"

#include <QAction>
#include <QClipboard>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace tst_rankactions
{

using namespace rankdeck;

/// Stop and kill for chosen ranks and their node.
class TestRankActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void withoutARunNothingCanBeStopped();
    void theChosenRanksAreStoppedAfterAQuestion();
    void nothingHappensWithoutAYes();
    void withoutTheQuestionItIsDoneAtOnce();
    void pidsAndLogsOfTheChosenRanksAreCopied();
    void aNodeIsAllItsRanks();
    void theQuestionSaysWhatBecomesOfTheOthers();
    void whatHasEndedCannotBeStopped();
    void whatIsBeingStoppedCanBeKilled();
    void ranksThatRankdeckDidNotStartAreOnlyKilled();
    void ranksAreStartedAgainAfterAQuestion();
    void theMenuKeyAndARightClickAskForTheMenu();

private:
    QAction *action(const char *name) const { return m_actions->findChild<QAction *>(QLatin1String(name)); }
    /// What the user asked for; nothing when the answer was no.
    QList<StopRequest> trigger(const char *name, const char *answer)
    {
        QList<StopRequest> asked;
        const auto connection =
            connect(m_actions, &RankActions::requested, this,
                    [&](const Request &request) { asked << std::get<StopRequest>(request); });
        action(name)->trigger();
        auto *question = m_page->findChild<QMessageBox *>(u"rankQuestion"_s);
        if (!question)
            return asked;
        if (answer)
            question->findChild<QPushButton *>(QLatin1String(answer))->click();
        else
            question->button(QMessageBox::Cancel)->click();
        disconnect(connection);
        QCoreApplication::sendPostedEvents(question, QEvent::DeferredDelete);
        return asked;
    }

    std::unique_ptr<QWidget> m_page;
    RankActions *m_actions = nullptr;
};

void TestRankActions::init()
{
    m_page = std::make_unique<QWidget>();
    m_actions = new RankActions(m_page.get());
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get(), 30000));
}

void TestRankActions::withoutARunNothingCanBeStopped()
{
    QCOMPARE(m_actions->actions().size(), 5);
    for (const QAction *each : m_actions->actions())
        QVERIFY(!each->isEnabled());
}

void TestRankActions::theChosenRanksAreStoppedAfterAQuestion()
{
    m_actions->setChosen(running(handMadeRun()), {3});
    QCOMPARE(action("stopRanksAction")->text(), u"Stop rank 3…"_s);
    QCOMPARE(trigger("stopRanksAction", "confirmStopButton"), (QList<StopRequest>{{false, {3}}}));
    m_actions->setChosen(running(handMadeRun()), {5, 3});
    QCOMPARE(action("killRanksAction")->text(), u"Kill 2 ranks…"_s);
    QCOMPARE(trigger("killRanksAction", "confirmStopButton"), (QList<StopRequest>{{true, {3, 5}}}));
}

void TestRankActions::nothingHappensWithoutAYes()
{
    m_actions->setChosen(running(handMadeRun()), {3});
    QVERIFY(trigger("stopRanksAction", nullptr).isEmpty());
}

void TestRankActions::withoutTheQuestionItIsDoneAtOnce()
{
    const WindowHome home;
    Preferences preferences;
    preferences.asksToStop = false;
    preferences.save();
    m_actions->setChosen(running(handMadeRun()), {3});
    QSignalSpy wanted(m_actions, &RankActions::requested);
    action("stopRanksAction")->trigger();
    QCOMPARE(wanted.size(), 1);
    QVERIFY(!m_page->findChild<QMessageBox *>() || !m_page->findChild<QMessageBox *>()->isVisible());
    Preferences().save();
}

void TestRankActions::pidsAndLogsOfTheChosenRanksAreCopied()
{
    PlaceActions places(m_page.get());
    const QList<QAction *> actions = places.actions();
    QVERIFY(std::ranges::none_of(actions, &QAction::isEnabled));
    RunState run = running(handMadeRun());
    run.ranks[3].pid = 4711;
    run.ranks[5].pid = 4713;
    places.setChosen(run, {3, 5});
    actions.at(0)->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), u"4711 4713"_s);
    actions.at(1)->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(),
             run.plan->processes[3].logFile + '\n'_L1 + run.plan->processes[5].logFile);
    // A log that is not there yet is told of, not created.
    QSignalSpy said(&places, &PlaceActions::said);
    for (QAction *const action : actions) {
        if (action->objectName() == "openLogInEditorAction"_L1)
            action->trigger();
    }
    QCOMPARE(said.count(), 1);
    QVERIFY(said.constFirst().constFirst().toString().contains(run.plan->processes[3].logFile));
}

void TestRankActions::aNodeIsAllItsRanks()
{
    m_actions->setChosen(running(handMadeRun()), {3});
    QCOMPARE(action("stopNodeAction")->text(), u"Stop node 10.0.0.1…"_s);
    QCOMPARE(trigger("stopNodeAction", "confirmStopButton"),
             (QList<StopRequest>{{false, {0, 1, 2, 3, 4, 5, 6, 7}}}));
}

void TestRankActions::theQuestionSaysWhatBecomesOfTheOthers()
{
    const RunState run = running(handMadeRun());
    const QString wholeNode = StopQuestion(run, u"node 1"_s, 8, StopQuestion::How::Stop, nullptr).text();
    QVERIFY2(wholeNode.contains(u"No other rank will be left"_s), qPrintable(wholeNode));
    const QString oneRank = StopQuestion(run, u"rank 1"_s, 1, StopQuestion::How::Stop, nullptr).text();
    QVERIFY2(oneRank.contains(u"The other ranks keep running"_s), qPrintable(oneRank));
}

void TestRankActions::whatHasEndedCannotBeStopped()
{
    RunState run = running(handMadeRun());
    run.ranks[3].status = ExitStatus{};
    run.ranks[3].phase = RankPhase::Exited;
    m_actions->setChosen(run, {3});
    QVERIFY(!action("stopRanksAction")->isEnabled());
    QVERIFY(!action("killRanksAction")->isEnabled());
    QVERIFY(action("stopNodeAction")->isEnabled());
    m_actions->setChosen(failed(running(handMadeRun()), 2, ExitStatus{ExitStatus::Kind::Exited, 1}), {3});
    for (const QAction *each : m_actions->actions())
        QVERIFY(!each->isEnabled());
}

void TestRankActions::whatIsBeingStoppedCanBeKilled()
{
    RunState run = running(handMadeRun());
    run.ranks[3].stopRequested = true;
    m_actions->setChosen(run, {3});
    QVERIFY(!action("stopRanksAction")->isEnabled());
    QVERIFY(action("killRanksAction")->isEnabled());
    run.phase = RunPhase::Stopping;
    m_actions->setChosen(run, {4});
    QVERIFY(!action("stopRanksAction")->isEnabled());
    QVERIFY(action("killRanksAction")->isEnabled());
}

void TestRankActions::ranksThatRankdeckDidNotStartAreOnlyKilled()
{
    RunState run = running(handMadeRun());
    LaunchPlan plan = *run.plan;
    plan.adopted = AdoptedProcess{4711, 1, {}};
    run.plan = std::make_shared<const LaunchPlan>(plan);
    m_actions->setChosen(run, {3});
    QVERIFY(!action("stopRanksAction")->isEnabled());
    QVERIFY(action("killRanksAction")->isEnabled());
    const StopQuestion question(run, StopQuestion::How::Stop, m_page.get());
    QVERIFY2(question.text().contains("Only the watching ends."_L1), qPrintable(question.text()));
    QVERIFY(!question.text().contains("SIGTERM"_L1));
}

void TestRankActions::ranksAreStartedAgainAfterAQuestion()
{
    RunState run = running(handMadeRun());
    run.phase = RunPhase::Running;
    run.ranks[3].status = ExitStatus{ExitStatus::Kind::Exited, 1};
    run.ranks[3].phase = RankPhase::Failed;
    QSignalSpy wanted(m_actions, &RankActions::requested);
    const auto ask = [&](const QList<int> &processes, bool confirm) {
        m_actions->setChosen(run, processes);
        action("startRanksAction")->trigger();
        auto *question = m_page->findChild<QMessageBox *>(u"startQuestion"_s);
        const QString text = question ? question->text() : QString();
        if (question && confirm)
            question->findChild<QPushButton *>(u"confirmStartButton"_s)->click();
        else if (question)
            question->button(QMessageBox::Cancel)->click();
        QCoreApplication::sendPostedEvents(question, QEvent::DeferredDelete);
        return text;
    };
    const QString ended = ask({3}, false);
    QCOMPARE(action("startRanksAction")->text(), u"Start rank 3 again…"_s);
    QVERIFY2(ended.contains(u"does not take a rank back"_s), qPrintable(ended));
    QVERIFY(!ended.contains(u"ended first"_s));
    QVERIFY(wanted.isEmpty());
    ask({3}, true);
    QCOMPARE(wanted.takeFirst().constFirst().value<Request>(), Request(StartRequest{{3}}));
    const QString both = ask({4, 3}, true);
    QVERIFY2(both.contains(u"ended first"_s), qPrintable(both));
    QCOMPARE(wanted.takeFirst().constFirst().value<Request>(), Request(StartRequest{{3, 4}}));
    // Where that is not possible, the reason is the action's tip.
    run.phase = RunPhase::Stopping;
    m_actions->setChosen(run, {3});
    QVERIFY(!action("startRanksAction")->isEnabled());
    QVERIFY(action("startRanksAction")->toolTip().contains(u"about to end"_s));
    run.phase = RunPhase::Failed;
    m_actions->setChosen(run, {3});
    QVERIFY(!action("startRanksAction")->isEnabled());
}

void TestRankActions::theMenuKeyAndARightClickAskForTheMenu()
{
    DeviceGrid grid;
    grid.resize(900, 500);
    grid.setState(running(handMadeRun()));
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid, 30000));
    grid.setChosen({0, 1});
    QSignalSpy menus(&grid, &DeviceGrid::menuRequested);
    const auto ask = [&](QContextMenuEvent::Reason reason, int cell) {
        const QPoint place = grid.cellRect(cell).center();
        QContextMenuEvent event(reason, place, grid.mapToGlobal(place));
        QCoreApplication::sendEvent(&grid, &event);
    };
    ask(QContextMenuEvent::Mouse, 1);
    QCOMPARE(menus.size(), 1);
    QCOMPARE(grid.chosen(), (QList<int>{0, 1}));
    ask(QContextMenuEvent::Mouse, 5);
    QCOMPARE(grid.chosen(), QList<int>{5});
    QCOMPARE(grid.currentCell(), 5);
    ask(QContextMenuEvent::Keyboard, 0); // For the cursor, wherever the mouse is.
    QCOMPARE(menus.size(), 3);
    QCOMPARE(grid.chosen(), QList<int>{5});
}

} // namespace tst_rankactions

RANKDECK_WINDOW_TEST(tst_rankactions, TestRankActions)
#include "tst_rankactions.moc"
