#include "devicegrid/grid/devicegrid.h"
#include "logview/canvas/logcanvas.h"
#include "mainwindow/runpage/lowerhalf.h"
#include "mainwindow/window/mainwindow.h"
#include "mainwindow/window/presentation.h"
#include "runlist/runlist.h"
#include "support/pastrun.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/preferences.h"

#include <QAction>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <algorithm>

namespace tst_presentation
{

using namespace rankdeck;

/// The window before a room: large, and led by the space key.
class PresentationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void eachPressIsLargerThenAsBefore();
    void spaceGoesFromViewToView();
    void theButtonThatWasPressedLastKeepsNoSpace();
    void aTextKeepsItsSpace();
    void theNextWindowIsAsUsual();

private:
    QAction *action() const { return m_window->findChild<QAction *>(u"presentationAction"_s); }
    ViewTabs *tabs() const { return m_window->findChild<ViewTabs *>(); }
    void focusGrid() const
    {
        m_window->activateWindow();
        auto *grid = m_window->findChild<DeviceGrid *>();
        grid->setFocus();
        QTRY_VERIFY(grid->hasFocus());
    }

    std::unique_ptr<WindowHome> m_home;
    std::unique_ptr<PastRun> m_run;
    std::unique_ptr<MainWindow> m_window;
};

void PresentationTest::init()
{
    m_home = std::make_unique<WindowHome>();
    m_run = std::make_unique<PastRun>(4);
    m_run->startAll(1);
    m_run->finish(20, RunPhase::Succeeded, 0);
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    m_window->openRun(m_run->directory());
    QTRY_VERIFY(tabs()->isEnabled());
    focusGrid();
}

void PresentationTest::cleanup()
{
    m_window.reset();
    applyLook({});
    m_home.reset();
}

void PresentationTest::eachPressIsLargerThenAsBefore()
{
    const double usual = appliedZoom();
    const auto logs = m_window->findChildren<LogCanvas *>();
    const auto shown = std::ranges::find_if(logs, &QWidget::isVisible);
    QVERIFY(shown != logs.end());
    const LogCanvas *const log = *shown;
    const double usualText = log->font().pointSizeF();
    QTest::keyClick(m_window.get(), Qt::Key_F5);
    QTRY_VERIFY(m_window->isFullScreen());
    QVERIFY(action()->isChecked());
    QCOMPARE(appliedZoom(), 1.5 * usual);
    QCOMPARE(log->font().pointSizeF(), 1.5 * usualText);
    QVERIFY(!m_window->findChild<RunList *>()->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_F5);
    QCOMPARE(appliedZoom(), 2 * usual);
    QCOMPARE(log->font().pointSizeF(), 2 * usualText);
    QTest::keyClick(m_window.get(), Qt::Key_F5);
    QTRY_VERIFY(!m_window->isFullScreen());
    QCOMPARE(appliedZoom(), usual);
    QCOMPARE(log->font().pointSizeF(), usualText);
    QVERIFY(!action()->isChecked());
    QVERIFY(m_window->findChild<RunList *>()->isVisible());
}

void PresentationTest::spaceGoesFromViewToView()
{
    const int first = tabs()->currentIndex();
    auto *grid = m_window->findChild<DeviceGrid *>();
    QTest::keyClick(grid, Qt::Key_Space);
    QCOMPARE(tabs()->currentIndex(), first); // Space chooses a rank.
    action()->trigger();
    focusGrid();
    QSet<int> seen;
    do {
        seen += tabs()->currentIndex();
        grid->setFocus();
        QTest::keyClick(grid, Qt::Key_Space);
    } while (tabs()->currentIndex() != first && seen.size() < tabs()->count());
    QCOMPARE(tabs()->currentIndex(), first);
    QVERIFY(seen.size() >= 6);
    QTest::keyClick(grid, Qt::Key_Space, Qt::ShiftModifier);
    QVERIFY(tabs()->currentIndex() != first);
    grid->setFocus();
    QTest::keyClick(grid, Qt::Key_Escape);
    QVERIFY(!action()->isChecked());
}

void PresentationTest::theButtonThatWasPressedLastKeepsNoSpace()
{
    auto *button = new QPushButton(m_window->centralWidget());
    button->show();
    m_window->activateWindow();
    button->setFocus();
    QTRY_VERIFY(button->hasFocus());
    action()->trigger();
    const int first = tabs()->currentIndex();
    QWidget *const focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : m_window.get(), Qt::Key_Space);
    QVERIFY(tabs()->currentIndex() != first);
}

void PresentationTest::aTextKeepsItsSpace()
{
    action()->trigger();
    const int first = tabs()->currentIndex();
    auto *edit = new QLineEdit(m_window->centralWidget());
    edit->show();
    m_window->activateWindow();
    edit->setFocus();
    QTRY_VERIFY(edit->hasFocus());
    QTest::keyClicks(edit, u"a b"_s);
    QCOMPARE(edit->text(), u"a b"_s);
    QCOMPARE(tabs()->currentIndex(), first);
}

void PresentationTest::theNextWindowIsAsUsual()
{
    action()->trigger();
    QTRY_VERIFY(m_window->isFullScreen());
    QCOMPARE(Preferences::load().zoom, 100);
    m_window->close();
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(!m_window->isFullScreen());
    QVERIFY(m_window->findChild<RunList *>()->isVisible());
}

} // namespace tst_presentation

RANKDECK_WINDOW_TEST(tst_presentation, PresentationTest)

#include "tst_presentation.moc"
