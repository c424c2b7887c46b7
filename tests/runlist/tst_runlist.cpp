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
    run.name = u"20240101-120000-"_s + title;
    run.launcher = u"davincirun"_s;
    run.directory = u"/runs/"_s + run.name;
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
    const RunSummary a = summary(u"a"_s);
    const RunSummary b = summary(u"b"_s);
    const RunSummary c = summary(u"c"_s);
    const RunSummary d = summary(u"d"_s);
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
    RunSummary young = summary(u"young"_s);
    young.created = now.addSecs(-50);
    RunSummary old = summary(u"old"_s);
    old.created = now.addDays(-2);
    model.setRuns({young, old}, now);
    QSignalSpy changed(&model, &RunListModel::dataChanged);

    model.setNow(now.addSecs(5));
    QCOMPARE(changed.count(), 0);
    model.setNow(now.addSecs(10));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.at(0).at(0).toModelIndex().row(), 0);
    QCOMPARE(model.index(0).data(RunListModel::AgeRole).toString(), u"1 min"_s);
}

void TestRunList::aRowSaysItsStateInWords()
{
    RunListModel model;
    model.setRuns({summary(u"resnet"_s, RunPhase::Failed)}, QDateTime::currentDateTimeUtc());
    const QString spoken = model.index(0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(spoken.contains(u"resnet"_s), qPrintable(spoken));
    QVERIFY2(spoken.contains(u"failed"_s), qPrintable(spoken));
}

void TestRunList::aRowSaysHowItEndedAndHowLongItTook_data()
{
    QTest::addColumn<int>("phase");
    QTest::addColumn<QString>("detail");
    QTest::newRow("live") << int(RunPhase::Running) << u"%1, 8 ranks, davincirun"_s;
    QTest::newRow("succeeded") << int(RunPhase::Succeeded) << u"1:02:03, %1, 8 ranks, davincirun"_s;
    QTest::newRow("failed") << int(RunPhase::Failed) << u"code 3, 1:02:03, %1, 8 ranks, davincirun"_s;
    QTest::newRow("lost") << int(RunPhase::Lost) << u"1:02:03, %1, 8 ranks, davincirun"_s;
}

void TestRunList::aRowSaysHowItEndedAndHowLongItTook()
{
    QFETCH(int, phase);
    RunListModel model;
    RunSummary run = summary(u"resnet"_s, RunPhase(phase));
    run.ended = run.created.addSecs(3723);
    run.exitCode = run.phase == RunPhase::Succeeded ? 0 : 3;
    run.remark = run.phase == RunPhase::Lost ? u"lost its supervisor at noon"_s : QString();
    model.setRuns({run}, run.ended);
    QFETCH(QString, detail);
    QCOMPARE(model.index(0).data(RunListModel::DetailRole).toString(),
             detail.arg(run.created.toLocalTime().toString(u"HH:mm"_s)));
    const QString tip = model.index(0).data(Qt::ToolTipRole).toString();
    QCOMPARE(tip.contains(u"lost its supervisor at noon"_s), run.phase == RunPhase::Lost);
    QCOMPARE(tip.contains(u"exit code"_s), run.phase == RunPhase::Succeeded || run.phase == RunPhase::Failed);
}

void TestRunList::aNameIsNoMarkup()
{
    RunListModel model;
    model.setRuns({summary(u"<img src=x>"_s)}, QDateTime::currentDateTimeUtc());
    QVERIFY(model.index(0).data(Qt::ToolTipRole).toString().contains(u"&lt;img src=x&gt;"_s));
}

/// It is read when the pointer rests on the run.
void TestRunList::theCommandIsInTheToolTip()
{
    const QTemporaryDir directory;
    RunRecord record;
    record.name = u"resnet"_s;
    record.spec.command = QStringList{u"python3"_s, u"train.py"_s};
    record.plan = *handMadeRun().plan;
    record.created = QDateTime::currentDateTimeUtc();
    QVERIFY(!writeRunRecord(directory.path(), record));
    RunSummary run = summary(record.name);
    run.directory = directory.path();
    RunList list;
    list.resize(300, 300);
    list.setRuns({run, summary(u"gone"_s)});
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    auto *const view = list.findChild<QListView *>();
    const auto tipOf = [view](int row) {
        return view->model()->index(row, 0).data(Qt::ToolTipRole).toString();
    };
    QVERIFY(!tipOf(0).contains(u"train.py"_s));
    for (int row = 0; row < 2; ++row) {
        const QPoint place = view->visualRect(view->model()->index(row, 0)).center();
        QHelpEvent event(QEvent::ToolTip, place, view->viewport()->mapToGlobal(place));
        QApplication::sendEvent(view->viewport(), &event);
    }
    QTRY_VERIFY_WITH_TIMEOUT(tipOf(0).contains(u"train.py"_s), 30'000);
    QVERIFY(!tipOf(1).contains(u"<br><br>"_s)); // Nothing is known of it.
}

void TestRunList::onlyTheRowThatChangedIsPainted()
{
    RunList list;
    // No window manager: one that is still starting would have it painted again.
    list.setWindowFlag(Qt::BypassWindowManagerHint);
    list.resize(300, 500);
    QList<RunSummary> runs{summary(u"one"_s, RunPhase::Running), summary(u"two"_s), summary(u"three"_s)};
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
    list.setRuns({summary(u"a"_s), summary(u"b"_s)});
    list.resize(300, 400);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list, 30000));
    QSignalSpy chosen(&list, &RunList::runChosen);
    click(list.findChild<QListView *>(), 1);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.at(0).at(0).toString(), summary(u"b"_s).directory);
    QCOMPARE(list.currentRun(), summary(u"b"_s).directory);
}

void TestRunList::selectionSurvivesARefresh()
{
    RunList list;
    const RunSummary a = summary(u"a"_s);
    const RunSummary b = summary(u"b"_s, RunPhase::Running);
    list.setRuns({a, b});
    list.setCurrentRun(b.directory);
    QSignalSpy chosen(&list, &RunList::runChosen);

    RunSummary ended = b;
    ended.phase = RunPhase::Succeeded;
    list.setRuns({summary(u"new"_s), ended, a});
    QCOMPARE(list.currentRun(), b.directory);
    QCOMPARE(chosen.count(), 0);
}

void TestRunList::aRunThatVanishesIsNoLongerSelectedAndNothingElseIsChosen()
{
    RunList list;
    const RunSummary a = summary(u"a"_s);
    const RunSummary b = summary(u"b"_s);
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
    const RunSummary a = summary(u"a"_s);
    const RunSummary b = summary(u"b"_s);
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
    const auto *hint = list.findChild<QLabel *>(u"noRunsLabel"_s);
    QVERIFY(hint->isVisible());
    QVERIFY(hint->text().contains(u"Launch"_s));
    list.setRuns({summary(u"a"_s)});
    QVERIFY(!hint->isVisible());
    QVERIFY(list.findChild<QListView *>()->isVisible());
}

void TestRunList::filterLooksInTitleAndState()
{
    RunList list;
    list.setRuns({summary(u"bert"_s, RunPhase::Failed), summary(u"resnet"_s)});
    auto *filter = list.findChild<QLineEdit *>(u"runFilter"_s);
    const auto *shown = list.findChild<QListView *>()->model();
    filter->setText(u"RESN"_s);
    QCOMPARE(shown->rowCount(), 1);
    filter->setText(u"failed"_s);
    QCOMPARE(shown->rowCount(), 1);
    QCOMPARE(shown->index(0, 0).data().toString(), u"bert"_s);
    filter->clear();
    QCOMPARE(shown->rowCount(), 2);
}

} // namespace tst_runlist

RANKDECK_WINDOW_TEST(tst_runlist, TestRunList)
#include "tst_runlist.moc"
