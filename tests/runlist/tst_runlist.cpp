#include "run/record/runrecord.h"
#include "runlist/runlist.h"
#include "support/handmaderun.h"
#include "support/windowtest.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPaintEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_runlist
{

using namespace rankdeck;

namespace
{

RunSummary summary(const QString &title, RunPhase phase = RunPhase::Succeeded)
{
    RunSummary run;
    run.title = title;
    run.name = QStringLiteral("20240101-120000-") + title;
    run.launcher = QStringLiteral("davincirun");
    run.directory = QStringLiteral("/runs/") + run.name;
    run.phase = phase;
    run.created = QDateTime::currentDateTimeUtc();
    run.worldSize = 8;
    return run;
}

QStringList titles(const RunListModel &model)
{
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all << model.index(row).data(RunListModel::TitleRole).toString();
    return all;
}

/// What of a widget is painted.
class PaintedRegion : public QObject
{
public:
    explicit PaintedRegion(QWidget *widget) { widget->installEventFilter(this); }
    QRegion region;

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Paint)
            region += static_cast<QPaintEvent *>(event)->region();
        return false;
    }
};

void click(QListView *view, int row)
{
    const QRect place = view->visualRect(view->model()->index(row, 0));
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, place.center());
}

} // namespace

class TestRunList : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsFollowTheOrderTheyAreGivenIn();
    void onlyAgesThatReadDifferentlyAreReported();
    void aRowSaysItsStateInWords();
    void aRowSaysHowItEndedAndHowLongItTook_data();
    void aRowSaysHowItEndedAndHowLongItTook();
    void aNameIsNoMarkup();
    void theCommandIsInTheToolTip();
    void onlyTheRowThatChangedIsPainted();
    void choosingARunIsSignalled();
    void selectionSurvivesARefresh();
    void aRunThatVanishesIsNoLongerSelectedAndNothingElseIsChosen();
    void aRunThatIsNotThereYetIsSelectedWhenItComes();
    void withoutRunsItSaysWhatToDo();
    void filterLooksInTitleAndState();
};

void TestRunList::rowsFollowTheOrderTheyAreGivenIn()
{
    RunListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const RunSummary a = summary(QStringLiteral("a"));
    const RunSummary b = summary(QStringLiteral("b"));
    const RunSummary c = summary(QStringLiteral("c"));
    const RunSummary d = summary(QStringLiteral("d"));
    for (const QList<RunSummary> &runs :
         {QList<RunSummary>{a, b}, {c, a, b}, {b, d, c}, {d, c, b, a}, {a}, {}, {b, a}}) {
        model.setRuns(runs, now);
        QCOMPARE(model.runs(), runs);
        QCOMPARE(titles(model).size(), runs.size());
    }
}

void TestRunList::onlyAgesThatReadDifferentlyAreReported()
{
    RunListModel model;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    RunSummary young = summary(QStringLiteral("young"));
    young.created = now.addSecs(-50);
    RunSummary old = summary(QStringLiteral("old"));
    old.created = now.addDays(-2);
    model.setRuns({young, old}, now);
    QSignalSpy changed(&model, &RunListModel::dataChanged);

    model.setNow(now.addSecs(5));
    QCOMPARE(changed.count(), 0);
    model.setNow(now.addSecs(10));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.at(0).at(0).toModelIndex().row(), 0);
    QCOMPARE(model.index(0).data(RunListModel::AgeRole).toString(), QStringLiteral("1 min"));
}

void TestRunList::aRowSaysItsStateInWords()
{
    RunListModel model;
    model.setRuns({summary(QStringLiteral("resnet"), RunPhase::Failed)}, QDateTime::currentDateTimeUtc());
    const QString spoken = model.index(0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(spoken.contains(QStringLiteral("resnet")), qPrintable(spoken));
    QVERIFY2(spoken.contains(QStringLiteral("failed")), qPrintable(spoken));
}

void TestRunList::aRowSaysHowItEndedAndHowLongItTook_data()
{
    QTest::addColumn<int>("phase");
    QTest::addColumn<QString>("detail");
    QTest::newRow("live") << int(RunPhase::Running) << QStringLiteral("%1, 8 ranks, davincirun");
    QTest::newRow("succeeded") << int(RunPhase::Succeeded)
                               << QStringLiteral("1:02:03, %1, 8 ranks, davincirun");
    QTest::newRow("failed") << int(RunPhase::Failed)
                            << QStringLiteral("code 3, 1:02:03, %1, 8 ranks, davincirun");
    QTest::newRow("lost") << int(RunPhase::Lost) << QStringLiteral("1:02:03, %1, 8 ranks, davincirun");
}

void TestRunList::aRowSaysHowItEndedAndHowLongItTook()
{
    QFETCH(int, phase);
    RunListModel model;
    RunSummary run = summary(QStringLiteral("resnet"), RunPhase(phase));
    run.ended = run.created.addSecs(3723);
    run.exitCode = run.phase == RunPhase::Succeeded ? 0 : 3;
    run.remark = run.phase == RunPhase::Lost ? QStringLiteral("lost its supervisor at noon") : QString();
    model.setRuns({run}, run.ended);
    QFETCH(QString, detail);
    QCOMPARE(model.index(0).data(RunListModel::DetailRole).toString(),
             detail.arg(run.created.toLocalTime().toString(QStringLiteral("HH:mm"))));
    const QString tip = model.index(0).data(Qt::ToolTipRole).toString();
    QCOMPARE(tip.contains(QStringLiteral("lost its supervisor at noon")), run.phase == RunPhase::Lost);
    QCOMPARE(tip.contains(QStringLiteral("exit code")),
             run.phase == RunPhase::Succeeded || run.phase == RunPhase::Failed);
}

void TestRunList::aNameIsNoMarkup()
{
    RunListModel model;
    model.setRuns({summary(QStringLiteral("<img src=x>"))}, QDateTime::currentDateTimeUtc());
    QVERIFY(model.index(0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("&lt;img src=x&gt;")));
}

/// It is read when the pointer rests on the run.
void TestRunList::theCommandIsInTheToolTip()
{
    const QTemporaryDir directory;
    RunRecord record;
    record.name = QStringLiteral("resnet");
    record.spec.command = QStringList{QStringLiteral("python3"), QStringLiteral("train.py")};
    record.plan = *handMadeRun().plan;
    record.created = QDateTime::currentDateTimeUtc();
    QVERIFY(!writeRunRecord(directory.path(), record));
    RunSummary run = summary(record.name);
    run.directory = directory.path();
    RunList list;
    list.resize(300, 300);
    list.setRuns({run, summary(QStringLiteral("gone"))});
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    auto *const view = list.findChild<QListView *>();
    const auto tipOf = [view](int row) {
        return view->model()->index(row, 0).data(Qt::ToolTipRole).toString();
    };
    QVERIFY(!tipOf(0).contains(QStringLiteral("train.py")));
    for (int row = 0; row < 2; ++row) {
        const QPoint place = view->visualRect(view->model()->index(row, 0)).center();
        QHelpEvent event(QEvent::ToolTip, place, view->viewport()->mapToGlobal(place));
        QApplication::sendEvent(view->viewport(), &event);
    }
    QTRY_VERIFY_WITH_TIMEOUT(tipOf(0).contains(QStringLiteral("train.py")), 30'000);
    QVERIFY(!tipOf(1).contains(QStringLiteral("<br><br>"))); // Nothing is known of it.
}

void TestRunList::onlyTheRowThatChangedIsPainted()
{
    RunList list;
    // No window manager: one that is still starting would have it painted again.
    list.setWindowFlag(Qt::BypassWindowManagerHint);
    list.resize(300, 500);
    QList<RunSummary> runs{summary(QStringLiteral("one"), RunPhase::Running), summary(QStringLiteral("two")),
                           summary(QStringLiteral("three"))};
    list.setRuns(runs);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list, 30000));
    auto *const view = list.findChild<QListView *>();
    PaintedRegion painted(view->viewport());
    view->viewport()->update();
    QTRY_VERIFY_WITH_TIMEOUT(painted.region.contains(view->viewport()->rect().center()), 30000);
    // Whatever else is due.
    QTest::qWait(0);
    painted.region = {};

    runs[0].phase = RunPhase::Failed;
    list.setRuns(runs);
    QTRY_VERIFY_WITH_TIMEOUT(!painted.region.isEmpty(), 30000);
    const QRect row = view->visualRect(view->model()->index(0, 0));
    QVERIFY2((painted.region - row).isEmpty(),
             qPrintable(QString::number(painted.region.boundingRect().height())));
}

void TestRunList::choosingARunIsSignalled()
{
    RunList list;
    list.setRuns({summary(QStringLiteral("a")), summary(QStringLiteral("b"))});
    list.resize(300, 400);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list, 30000));
    QSignalSpy chosen(&list, &RunList::runChosen);
    click(list.findChild<QListView *>(), 1);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.at(0).at(0).toString(), summary(QStringLiteral("b")).directory);
    QCOMPARE(list.currentRun(), summary(QStringLiteral("b")).directory);
}

void TestRunList::selectionSurvivesARefresh()
{
    RunList list;
    const RunSummary a = summary(QStringLiteral("a"));
    const RunSummary b = summary(QStringLiteral("b"), RunPhase::Running);
    list.setRuns({a, b});
    list.setCurrentRun(b.directory);
    QSignalSpy chosen(&list, &RunList::runChosen);

    RunSummary ended = b;
    ended.phase = RunPhase::Succeeded;
    list.setRuns({summary(QStringLiteral("new")), ended, a});
    QCOMPARE(list.currentRun(), b.directory);
    QCOMPARE(chosen.count(), 0);
}

void TestRunList::aRunThatVanishesIsNoLongerSelectedAndNothingElseIsChosen()
{
    RunList list;
    const RunSummary a = summary(QStringLiteral("a"));
    const RunSummary b = summary(QStringLiteral("b"));
    list.setRuns({a, b});
    list.setCurrentRun(a.directory);
    QSignalSpy chosen(&list, &RunList::runChosen);
    list.setRuns({b});
    QCOMPARE(list.currentRun(), QString());
    QCOMPARE(chosen.count(), 0);
}

void TestRunList::aRunThatIsNotThereYetIsSelectedWhenItComes()
{
    RunList list;
    const RunSummary a = summary(QStringLiteral("a"));
    const RunSummary b = summary(QStringLiteral("b"));
    list.setRuns({a});
    list.setCurrentRun(b.directory);
    QCOMPARE(list.currentRun(), QString());
    list.setRuns({b, a});
    QCOMPARE(list.currentRun(), b.directory);
}

void TestRunList::withoutRunsItSaysWhatToDo()
{
    RunList list;
    list.show();
    const auto *hint = list.findChild<QLabel *>(QStringLiteral("noRunsLabel"));
    QVERIFY(hint->isVisible());
    QVERIFY(hint->text().contains(QStringLiteral("Launch")));
    list.setRuns({summary(QStringLiteral("a"))});
    QVERIFY(!hint->isVisible());
    QVERIFY(list.findChild<QListView *>()->isVisible());
}

void TestRunList::filterLooksInTitleAndState()
{
    RunList list;
    list.setRuns({summary(QStringLiteral("bert"), RunPhase::Failed), summary(QStringLiteral("resnet"))});
    auto *filter = list.findChild<QLineEdit *>(QStringLiteral("runFilter"));
    const auto *shown = list.findChild<QListView *>()->model();
    filter->setText(QStringLiteral("RESN"));
    QCOMPARE(shown->rowCount(), 1);
    filter->setText(QStringLiteral("failed"));
    QCOMPARE(shown->rowCount(), 1);
    QCOMPARE(shown->index(0, 0).data().toString(), QStringLiteral("bert"));
    filter->clear();
    QCOMPARE(shown->rowCount(), 2);
}

} // namespace tst_runlist

RANKDECK_WINDOW_TEST(tst_runlist, TestRunList)
#include "tst_runlist.moc"
