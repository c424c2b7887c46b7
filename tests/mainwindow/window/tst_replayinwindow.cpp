#include "devicegrid/grid/devicegrid.h"
#include "mainwindow/runpage/runpage.h"
#include "mainwindow/window/mainwindow.h"
#include "replaybar/replaybar.h"
#include "run/record/runcatalog.h"
#include "support/pastrun.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/labels.h"
#include "widgets/statelook.h"

#include <QAction>
#include <QComboBox>
#include <QDirIterator>
#include <QPushButton>
#include <QTest>

namespace tst_replayinwindow
{

using namespace rankdeck;

/// A past run in the window as it was at a time.
class ReplayInWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void itBeginsBeforeAnythingHappened();
    void aJumpShowsWhatWasKnown();
    void aMarkIsAStepAway();
    void itPlaysToTheEnd();
    void goingBackTakesBack();
    void nothingCanBeStoppedOrSaved();
    void endingItShowsTheRun();
    void nothingIsWritten();
    void whatCannotBeReplayedIsTold();

private:
    template <typename T>
    T *child(const char *name) const
    {
        return m_window->findChild<T *>(QLatin1String(name));
    }
    MarkedSlider *slider() const { return child<MarkedSlider>("replaySlider"); }
    QString state() const { return child<StateBadge>("runState")->text(); }
    QString line(int process) const
    {
        return m_window->findChild<DeviceGrid *>()->cell(process).lines[3].left;
    }
    /// As the user drags it.
    void goTo(double second) const { slider()->setValue(int(second * 1000 / MarkedSlider::msOfStep)); }
    void open(std::optional<double> speed = {}) const
    {
        m_window->openReplay(m_run->directory(), speed);
        QTRY_VERIFY(child<ReplayBar>("replayBar")->isVisible());
        QTRY_VERIFY(m_window->findChild<RunPage *>()->state().plan);
    }

    std::unique_ptr<WindowHome> m_home;
    std::unique_ptr<PastRun> m_run;
    std::unique_ptr<MainWindow> m_window;
};

/// Ranks start after 10 s, print each 10 s, and rank 3 fails after 100 s.
void ReplayInWindowTest::init()
{
    m_home = std::make_unique<WindowHome>();
    m_run = std::make_unique<PastRun>(4);
    m_run->startAll(10);
    for (int second = 20; second < 100; second += 10) {
        for (int rank = 0; rank < m_run->ranks(); ++rank)
            m_run->print(second, rank, "step: [" + QByteArray::number(second) + "/200], loss: 1.5\n");
    }
    m_run->addSamples(12, 5, 20);
    m_run->exit(100, 3, {ExitStatus::Kind::Exited, 1});
    m_run->recordFailure(100, 3);
    m_run->add(100, events::TearDown{Sentence(u"rank 3 failed"_s)});
    for (const int rank : {0, 1, 2})
        m_run->exit(105, rank, {ExitStatus::Kind::Signalled, 15});
    m_run->finish(110, RunPhase::Failed, 1);
    m_window = std::make_unique<MainWindow>();
    m_window->show();
}

void ReplayInWindowTest::cleanup()
{
    m_window.reset();
    m_home.reset();
}

void ReplayInWindowTest::itBeginsBeforeAnythingHappened()
{
    open();
    QTRY_COMPARE(state(), u"starting"_s);
    QCOMPARE(slider()->value(), 0);
    QCOMPARE(slider()->maximum(), 1100);
    QVERIFY(child<QAction>("replayPlayAction")->isEnabled());
    QVERIFY(!child<QAction>("replayBackAction")->isEnabled());
    QVERIFY(child<QAction>("replayNextAction")->isEnabled());
}

void ReplayInWindowTest::aJumpShowsWhatWasKnown()
{
    open();
    goTo(45);
    QTRY_COMPARE(state(), u"running"_s);
    QTRY_COMPARE(line(0), u"step: [40/200], loss: 1.5"_s);
    QCOMPARE(child<CanvasLabel>("runElapsed")->text(), u"0:45"_s);
    QTRY_VERIFY(child<CanvasWidget>("runProgress")->accessibleDescription().contains(u"40"_s));
    const RunState &shown = m_window->findChild<RunPage *>()->state();
    QVERIFY(!shown.failure);
    QCOMPARE(shown.ranks[3].phase, RankPhase::Running);
    goTo(108);
    QTRY_COMPARE(line(0), u"step: [90/200], loss: 1.5"_s);
    QTRY_VERIFY(m_window->findChild<RunPage *>()->state().failure);
    QVERIFY(child<QAction>("showErrorAction")->isEnabled());
}

void ReplayInWindowTest::aMarkIsAStepAway()
{
    open();
    child<QAction>("replayNextAction")->trigger();
    QTRY_COMPARE(slider()->value(), 1000);
    QTRY_VERIFY(child<ElidedLabel>("replayLast")->text().contains(u"rank 3"_s));
    child<QAction>("replayNextAction")->trigger();
    QTRY_COMPARE(slider()->value(), 1100);
    QTRY_COMPARE(state(), u"failed"_s);
    QVERIFY(!child<QAction>("replayNextAction")->isEnabled());
    child<QAction>("replayBackAction")->trigger();
    QTRY_COMPARE(slider()->value(), 1000);
    // A click on the letter of a mark goes there too.
    slider()->setValue(0);
    const ReplayMark *mark = nullptr;
    for (int x = 0; x < slider()->width() && !mark; ++x) {
        mark = slider()->markAt({x, 2});
        if (mark)
            QTest::mouseClick(slider(), Qt::LeftButton, {}, {x, 2});
    }
    QVERIFY(mark);
    QCOMPARE(slider()->value(), 1000);
}

void ReplayInWindowTest::itPlaysToTheEnd()
{
    open(1000);
    QTRY_COMPARE(state(), u"failed"_s);
    QTRY_COMPARE(slider()->value(), slider()->maximum());
    QCOMPARE(child<QComboBox>("replaySpeed")->currentText(), u"x1000"_s);
}

void ReplayInWindowTest::goingBackTakesBack()
{
    open();
    goTo(109);
    QTRY_COMPARE(line(2), u"step: [90/200], loss: 1.5"_s);
    goTo(25);
    QTRY_COMPARE(line(2), u"step: [20/200], loss: 1.5"_s);
    QTRY_VERIFY(!m_window->findChild<RunPage *>()->state().failure);
    QVERIFY(!child<QAction>("showErrorAction")->isEnabled());
    goTo(5);
    QTRY_COMPARE(state(), u"starting"_s);
}

void ReplayInWindowTest::nothingCanBeStoppedOrSaved()
{
    open();
    goTo(45);
    QTRY_COMPARE(state(), u"running"_s);
    for (const char *action : {"stopAction", "runAgainAction", "saveBundleAction", "deleteAction"})
        QVERIFY2(!child<QAction>(action)->isEnabled(), action);
    // What is left only looks.
    QStringList enabled;
    for (const QAction *action : m_window->findChild<RunPage *>()->rankActions()) {
        if (action->isEnabled())
            enabled << action->objectName();
    }
    QCOMPARE(enabled.join(' '_L1),
             u"deviceDetailsAction copyPidAction copyLogPathAction openLogInEditorAction "
             "openLogFolderAction"_s);
    for (const char *name : {"stopButton", "killButton", "runAgainButton"})
        QVERIFY2(!child<QPushButton>(name)->isVisible(), name);
    QVERIFY(m_window->liveRuns().isEmpty());
}

void ReplayInWindowTest::endingItShowsTheRun()
{
    open();
    child<QPushButton>("replayClose")->click();
    QTRY_COMPARE(state(), u"failed"_s);
    QVERIFY(!child<ReplayBar>("replayBar")->isVisible());
    QVERIFY(!m_window->findChild<RunPage *>()->isReplay());
    QTRY_VERIFY(child<QAction>("runAgainAction")->isEnabled());
}

void ReplayInWindowTest::nothingIsWritten()
{
    const auto files = [this] {
        QStringList names;
        QDirIterator each(m_run->directory(), QDir::Files, QDirIterator::Subdirectories);
        while (each.hasNext()) {
            const QFileInfo file(each.next());
            names << file.filePath() + QString::number(file.size()) + file.lastModified().toString();
        }
        names.sort();
        return names;
    };
    const QStringList before = files();
    open(1000);
    QTRY_COMPARE(state(), u"failed"_s);
    QTRY_VERIFY(m_window->findChild<RunPage *>()->state().failure);
    m_window->findChild<RunPage *>()->showError();
    QTRY_VERIFY(child<QWidget>("failureHeadline"));
    m_window.reset();
    QCOMPARE(files(), before);
}

void ReplayInWindowTest::whatCannotBeReplayedIsTold()
{
    QVERIFY(QDir().mkpath(m_home->path("empty")));
    m_window->openReplay(m_home->path("empty"));
    QTRY_VERIFY(child<QLabel>("nothingShownText")->isVisible());
    QVERIFY(!child<ReplayBar>("replayBar")->isVisible());
}

} // namespace tst_replayinwindow

RANKDECK_WINDOW_TEST(tst_replayinwindow, ReplayInWindowTest)

#include "tst_replayinwindow.moc"
