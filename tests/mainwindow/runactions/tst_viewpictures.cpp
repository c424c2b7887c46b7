#include "logview/canvas/logstrips.h"
#include "mainwindow/window/mainwindow.h"
#include "picture/picture.h"
#include "support/pastrun.h"
#include "support/windowhome.h"
#include "support/windowtest.h"

#include <QAction>
#include <QTest>

namespace tst_viewpictures
{

using namespace rankdeck;

/// Views of a run as pictures: those that are shown can be saved.
class ViewPicturesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTimeLineOfMergedLogsIsOne();
};

void ViewPicturesTest::theTimeLineOfMergedLogsIsOne()
{
    const WindowHome home;
    PastRun run(2);
    run.startAll(1);
    run.print(2, 0, "one\n");
    run.print(3, 1, "two\n");
    run.finish(4, RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    auto *merged = window.findChild<QAction *>(u"mergedRanksAction"_s);
    QTRY_VERIFY(merged->isEnabled());
    auto *strips = window.findChild<LogStrips *>();
    QVERIFY(!strips->isVisible());
    merged->trigger();
    QTRY_VERIFY(strips->isVisible());
    QCOMPARE(strips->actions().size(), 1); // Of its menu.
    strips->setFixedHeight(1);             // A picture has those that are scrolled, too.
    const auto whole = strips->whole();
    const QByteArray svg = pictureBytes(pictureOfCanvases({whole.get()}, u"timeline"_s), PictureFormat::Svg);
    QVERIFY2(svg.contains("rank 1"), svg.left(2000).constData());
}

} // namespace tst_viewpictures

RANKDECK_WINDOW_TEST(tst_viewpictures, ViewPicturesTest)

#include "tst_viewpictures.moc"
