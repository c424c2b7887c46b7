#include "devicegrid/grid/devicegrid.h"
#include "launch/spec/launchspec.h"
#include "launchform/form/launchform.h"
#include "mainwindow/runpage/runpage.h"
#include "mainwindow/window/mainwindow.h"
#include "preflight/page/preflightlist.h"
#include "preflight/page/preflightpage.h"
#include "support/freeport.h"
#include "support/windowhome.h"
#include "support/windowtest.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTest>
#include <QTreeView>

namespace tst_preflightinwindow
{

using namespace rankdeck;

namespace
{
constexpr int patienceMs = 60'000;
} // namespace

/// From the launch form to the page and on: what is looked at is this machine.
class TestPreflightInWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<WindowHome>();
        m_window = std::make_unique<MainWindow>();
        m_window->show();
    }

    void cleanup()
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
        m_window.reset();
        m_home.reset();
    }

    void theFormLeadsToThePageAndOnToTheLaunch()
    {
        checkFromForm(spec(u"true"_s));
        QVERIFY(isShown());
        QCOMPARE(m_window->windowTitle(), u"Preflight - Rankdeck"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->state() != PreflightPage::State::Running, patienceMs);
        QVERIFY(m_page->state() == PreflightPage::State::Passed ||
                m_page->state() == PreflightPage::State::Failed);
        QVERIFY(m_page->list()->list()->model()->rowCount() > 0);
        button("launchCheckedButton")->click();
        const auto *grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
        QTRY_COMPARE_WITH_TIMEOUT(grid->cellCount(), 2, patienceMs);
        QVERIFY(!isShown());
        QTRY_COMPARE_WITH_TIMEOUT(grid->cell(1).lines[0].right, u"succeeded"_s, patienceMs);
    }

    void whatFailsIsShownAndTheFormComesBack()
    {
        LaunchSpec wrong = spec(u"true"_s);
        wrong.command = {u"no-such-program-of-mine"_s};
        checkFromForm(wrong);
        QTRY_COMPARE_WITH_TIMEOUT(m_page->state(), PreflightPage::State::Failed, patienceMs);
        QVERIFY(m_page->findChild<QLabel *>(u"preflightSummary"_s)->text().startsWith(u"× "_s));
        button("changeLaunchButton")->click();
        auto *form = m_window->findChild<LaunchForm *>();
        QVERIFY(form->isVisible());
        QCOMPARE(form->spec().command, wrong.command);
        // What is mended counts at the next one.
        form->setSpec(spec(u"true"_s));
        QTRY_VERIFY_WITH_TIMEOUT(form->canLaunch(), patienceMs);
        form->checkFirst();
        QCOMPARE(m_page->state(), PreflightPage::State::Running);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->state() != PreflightPage::State::Running, patienceMs);
    }

    void aCancelledOneEndsAndIsMadeAgain()
    {
        checkFromForm(spec(u"true"_s));
        button("cancelPreflightButton")->click();
        QTRY_COMPARE_WITH_TIMEOUT(m_page->state(), PreflightPage::State::Cancelled, patienceMs);
        button("preflightAgainButton")->click();
        QCOMPARE(m_page->state(), PreflightPage::State::Running);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->list()->list()->model()->rowCount() > 0, patienceMs);
        // It goes on while something else is looked at.
        auto *back = m_window->findChild<QAction *>(u"preflightAction"_s);
        m_window->openRankTable(sourcePath("resources/demo/rank_table.json"));
        QTRY_VERIFY_WITH_TIMEOUT(!isShown(), patienceMs);
        back->trigger();
        QVERIFY(isShown());
        QTRY_COMPARE_WITH_TIMEOUT(m_window->windowTitle(), u"Preflight - Rankdeck"_s, patienceMs);
        button("closePreflightButton")->click();
        QVERIFY(!isShown());
        QVERIFY(!back->isEnabled());
    }

private:
    LaunchSpec spec(const QString &program) const
    {
        LaunchSpec made = processesDefaults();
        made.command = {program};
        made.workDir = m_home->path();
        made.logDir = m_home->path(u"log"_s);
        made.processes.nproc = 2;
        made.processes.masterPort = freePort();
        return made;
    }

    void checkFromForm(const LaunchSpec &wanted)
    {
        m_window->showLaunchForm();
        auto *form = m_window->findChild<LaunchForm *>();
        form->setSpec(wanted);
        auto *check = form->findChild<QPushButton *>(u"preflightButton"_s);
        QTRY_VERIFY_WITH_TIMEOUT(check->isEnabled(), patienceMs);
        check->click();
        m_page = m_window->findChild<PreflightPage *>(u"preflightPage"_s);
        QVERIFY(!form->isVisible());
    }

    QPushButton *button(const char *name) const
    {
        return m_page->findChild<QPushButton *>(QLatin1String(name));
    }

    bool isShown() const
    {
        return m_window->findChild<QStackedWidget *>(u"pages"_s)->currentWidget() == m_page;
    }

    std::unique_ptr<WindowHome> m_home;
    std::unique_ptr<MainWindow> m_window;
    PreflightPage *m_page = nullptr;
};

} // namespace tst_preflightinwindow

RANKDECK_WINDOW_TEST(tst_preflightinwindow, TestPreflightInWindow)
#include "tst_preflightinwindow.moc"
