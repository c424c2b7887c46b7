#include "logview/canvas/logcanvas.h"
#include "logview/followedlog.h"
#include "logview/panes/logtiles.h"
#include "logview/view/logview.h"
#include "support/windowtest.h"
#include "widgets/tiles.h"

#include <QFontInfo>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

namespace tst_logtiles
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

QToolButton *buttonOf(const QWidget *widget, const QString &text)
{
    for (QToolButton *button : widget->findChildren<QToolButton *>()) {
        if (button->text() == text)
            return button;
    }
    return nullptr;
}

QStringList labelsOf(const QWidget *widget)
{
    QStringList texts;
    for (const QLabel *label : widget->findChildren<QLabel *>())
        texts.append(label->text());
    return texts;
}

} // namespace

class TestLogTiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theGridSuitsTheArea_data();
    void theGridSuitsTheArea();
    void eachLogHasAPane();
    void aPaneThatStaysKeepsItsPlace();
    void theStateStandsBesideTheTitle();
    void numbersAndTextSizeAreThoseOfAllPanes();
    void theFollowButtonAndTheViewAgree();
    void aDoubleClickOnTheStripTellsWhich();
    void panesScrollTogetherInTime();
    void gapsBetweenPanesAreDragged();
};

void TestLogTiles::theGridSuitsTheArea_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<QSize>("area");
    QTest::addColumn<int>("columns");
    QTest::newRow("one") << 1 << QSize(1200, 800) << 1;
    QTest::newRow("two") << 2 << QSize(1200, 800) << 1;
    QTest::newRow("two, wide") << 2 << QSize(1600, 400) << 2;
    QTest::newRow("four") << 4 << QSize(1200, 800) << 2;
    QTest::newRow("eight") << 8 << QSize(1200, 800) << 2;
    QTest::newRow("eight, wide") << 8 << QSize(1900, 700) << 4;
    QTest::newRow("eight, narrow") << 8 << QSize(400, 1200) << 1;
    QTest::newRow("none") << 0 << QSize(1200, 800) << 1;
    QTest::newRow("no area") << 1 << QSize(0, 0) << 1;
}

void TestLogTiles::theGridSuitsTheArea()
{
    QFETCH(int, count);
    QFETCH(QSize, area);
    QTEST(tileColumns(count, area), "columns");
}

void TestLogTiles::eachLogHasAPane()
{
    FollowedLog one("one\n");
    FollowedLog two("two\n");
    LogTiles tiles;
    tiles.resize(900, 600);
    tiles.setTiles({{3, u"rank 3"_s, one.follower()}, {5, u"rank 5"_s, two.follower()}});
    tiles.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tiles, 30000));
    QCOMPARE(tiles.keys(), QList<int>({3, 5}));
    QTRY_COMPARE(tiles.pane(3)->view()->visibleText(), u"one"_s);
    QTRY_COMPARE(tiles.pane(5)->view()->visibleText(), u"two"_s);
    QVERIFY(!tiles.pane(3)->geometry().intersects(tiles.pane(5)->geometry()));
    QVERIFY(!tiles.pane(4));
    tiles.setTiles({});
    QVERIFY(tiles.keys().isEmpty());
}

void TestLogTiles::aPaneThatStaysKeepsItsPlace()
{
    FollowedLog one(numberedLines(0, 1000));
    FollowedLog two("two\n");
    LogTiles tiles;
    tiles.resize(900, 600);
    const LogTile first{1, u"rank 1"_s, one.follower()};
    const LogTile second{2, u"rank 2"_s, two.follower()};
    tiles.setTiles({first, second});
    tiles.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tiles, 30000));
    LogPane *const pane = tiles.pane(1);
    QTRY_VERIFY(pane->view()->topLine() > 0);
    pane->view()->showLine(0);
    tiles.setTiles({first});
    QCOMPARE(tiles.pane(1), pane);
    QCOMPARE(pane->view()->topLine(), 0);
    QTRY_COMPARE(pane->width(), tiles.width());
    QTRY_COMPARE(pane->height(), tiles.height());
    // The same key for another log is another pane.
    tiles.setTiles({{1, u"rank 1"_s, two.follower()}});
    QTRY_COMPARE(tiles.pane(1)->view()->visibleText(), u"two"_s);
}

void TestLogTiles::theStateStandsBesideTheTitle()
{
    FollowedLog log(numberedLines(0, 100));
    LogTiles tiles;
    tiles.resize(900, 600);
    tiles.setState(1, u"exit code 3"_s);
    tiles.setTiles({{1, u"rank 1 · device 1"_s, log.follower()}});
    tiles.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tiles, 30000));
    QVERIFY(labelsOf(tiles.pane(1)).contains(u"rank 1 · device 1"_s));
    QTRY_VERIFY(labelsOf(tiles.pane(1)).contains(u"exit code 3"_s));
    tiles.setState(1, u"<b>ended</b>"_s);
    QVERIFY(labelsOf(tiles.pane(1)).contains(u"<b>ended</b>"_s));
    for (const QLabel *label : tiles.findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);

    QTRY_VERIFY(tiles.pane(1)->view()->topLine() > 0);
    tiles.setState(1, {});
    tiles.pane(1)->view()->showLine(0);
    log.disk.append("more\n");
    QTRY_VERIFY(labelsOf(tiles.pane(1)).join('|'_L1).contains(u"1 new line"_s));
}

void TestLogTiles::numbersAndTextSizeAreThoseOfAllPanes()
{
    FollowedLog one(numberedLines(0, 100));
    FollowedLog two(numberedLines(0, 100));
    LogTiles tiles;
    tiles.resize(900, 600);
    const LogTile first{1, u"rank 1"_s, one.follower()};
    const LogTile second{2, u"rank 2"_s, two.follower()};
    tiles.setTiles({first});
    tiles.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tiles, 30000));
    const auto canvas = [&](int key) {
        return tiles.pane(key)->findChild<LogCanvas *>();
    };
    const int columns = canvas(1)->columns();
    const int rows = canvas(1)->rows();
    LogLook look;
    look.isNumbered = true;
    tiles.setLook(look);
    QTRY_VERIFY(canvas(1)->columns() < columns);
    look.textSize = 2 * QFontInfo(tiles.font()).pointSizeF();
    tiles.setLook(look);
    QTRY_VERIFY(canvas(1)->rows() <= rows * 2 / 3);
    tiles.setTiles({first, second});
    QTRY_COMPARE(canvas(2)->canvas().cellSize(), canvas(1)->canvas().cellSize());
    look.isNumbered = false;
    tiles.setLook(look);
    const int narrow = canvas(2)->columns();
    look.isNumbered = true;
    tiles.setLook(look);
    QTRY_VERIFY(canvas(2)->columns() < narrow);

    QSignalSpy zoomed(&tiles, &LogTiles::zoomRequested);
    const QPoint middle = canvas(2)->rect().center();
    QWheelEvent turn(middle, canvas(2)->mapToGlobal(middle), {}, {0, 240}, {}, Qt::ControlModifier,
                     Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(tiles.pane(2)->view(), &turn);
    QCOMPARE(zoomed.size(), 1);
    QCOMPARE(zoomed.first().first().toInt(), 2);
}

void TestLogTiles::theFollowButtonAndTheViewAgree()
{
    FollowedLog log(numberedLines(0, 1000));
    LogPane pane;
    pane.setSource(log.follower());
    pane.resize(600, 300);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane, 30000));
    QTRY_VERIFY(pane.view()->topLine() > 0);
    QToolButton *const follow = buttonOf(&pane, u"Follow"_s);
    QVERIFY(follow && follow->isChecked());
    pane.view()->showLine(0);
    QVERIFY(!follow->isChecked());
    follow->click();
    QVERIFY(pane.view()->isFollowing());
    QTRY_VERIFY(pane.view()->visibleText().endsWith(u"line 999"_s));
    follow->click();
    QVERIFY(!pane.view()->isFollowing());
}

void TestLogTiles::aDoubleClickOnTheStripTellsWhich()
{
    FollowedLog log("text\n");
    LogTiles tiles;
    QSignalSpy activated(&tiles, &LogTiles::activated);
    tiles.resize(900, 600);
    tiles.setTiles({{7, u"rank 7"_s, log.follower()}});
    tiles.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tiles, 30000));
    connect(&tiles, &LogTiles::activated, &tiles, [&] { tiles.setTiles({}); });
    QWidget *const strip = buttonOf(tiles.pane(7), u"Find"_s)->parentWidget();
    QTest::mouseDClick(strip, Qt::LeftButton, {}, QPoint(strip->width() / 2, strip->height() / 2));
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated[0][0].toInt(), 7);
}

void TestLogTiles::panesScrollTogetherInTime()
{
    constexpr int longMs = 30000;
    // One prints every second, the other every third one.
    const auto minute = [](int step) {
        QByteArray lines;
        for (int second = 0; second < 3600; second += step)
            lines += u"2025-04-07 15:%1:%2,000 - root - INFO - at %3\n"_s.arg(second / 60, 2, 10, '0'_L1)
                         .arg(second % 60, 2, 10, '0'_L1)
                         .arg(second)
                         .toLatin1();
        return lines;
    };
    const FollowedLog one(minute(1));
    const FollowedLog other(minute(3));
    LogTiles tiles;
    tiles.resize(1000, 300);
    tiles.setTiles({{0, u"one"_s, one.follower()}, {1, u"other"_s, other.follower()}});
    tiles.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tiles, 30000));
    LogView *const view = tiles.pane(0)->view();
    LogView *const follower = tiles.pane(1)->view();
    const auto endsAt = [](const LogView *log, const char *text) {
        return log->visibleText().endsWith(QLatin1String(text));
    };
    const auto beginsAt = [](const LogView *log, const char *text) {
        return log->visibleText().section('\n'_L1, 0, 0).endsWith(QLatin1String(text));
    };
    QTRY_VERIFY_WITH_TIMEOUT(endsAt(view, "at 3599") && endsAt(follower, "at 3597"), longMs);
    tiles.setTogether(true);
    QTest::keyClick(view->findChild<LogCanvas *>(), Qt::Key_Home);
    QTRY_VERIFY_WITH_TIMEOUT(beginsAt(view, "at 0") && beginsAt(follower, "at 0"), longMs);
    for (int line = 0; line < 4; ++line)
        QTest::keyClick(view->findChild<LogCanvas *>(), Qt::Key_Down);
    QTRY_VERIFY_WITH_TIMEOUT(beginsAt(view, "at 4") && beginsAt(follower, "at 6"), longMs);
    QTest::keyClick(follower->findChild<LogCanvas *>(), Qt::Key_End);
    QTRY_VERIFY_WITH_TIMEOUT(endsAt(view, "at 3599") && view->isFollowing(), longMs);
    tiles.setTogether(false);
    QTest::keyClick(view->findChild<LogCanvas *>(), Qt::Key_Home);
    QTRY_VERIFY_WITH_TIMEOUT(beginsAt(view, "at 0"), longMs);
    QVERIFY(follower->isFollowing());
}

/// As with a splitter; a double click makes all equal again.
void TestLogTiles::gapsBetweenPanesAreDragged()
{
    LogTiles tiles;
    tiles.resize(1200, 800);
    QList<LogTile> four;
    for (int rank = 0; rank < 4; ++rank)
        four.append({rank, u"rank %1"_s.arg(rank), nullptr});
    tiles.setTiles(four);
    tiles.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tiles, 30000));
    const auto widthOf = [&tiles](int rank) {
        return tiles.pane(rank)->width();
    };
    QTRY_VERIFY(std::abs(widthOf(0) - widthOf(1)) <= 1);
    const int before = widthOf(0);
    auto *const grid = tiles.pane(0)->parentWidget();
    const QPoint gap(tiles.pane(0)->geometry().right() + 2, 10);
    QTest::mousePress(grid, Qt::LeftButton, Qt::NoModifier, gap);
    QTest::mouseMove(grid, gap + QPoint(200, 0));
    QTest::mouseRelease(grid, Qt::LeftButton, Qt::NoModifier, gap + QPoint(200, 0));
    QTRY_VERIFY(std::abs(widthOf(0) - before - 200) <= 2);
    QCOMPARE(widthOf(2), widthOf(0));
    QVERIFY(std::abs(widthOf(1) - before + 200) <= 2);
    // A pane cannot be made to vanish.
    const QPoint moved(tiles.pane(0)->geometry().right() + 2, 10);
    QTest::mousePress(grid, Qt::LeftButton, Qt::NoModifier, moved);
    QTest::mouseMove(grid, QPoint(grid->width(), 10));
    QTest::mouseRelease(grid, Qt::LeftButton, Qt::NoModifier, QPoint(grid->width(), 10));
    QTRY_VERIFY(widthOf(1) <= std::max(100, tiles.pane(1)->minimumSizeHint().width()));
    QVERIFY(widthOf(1) > 40);
    const QPoint now(tiles.pane(0)->geometry().right() + 2, 10);
    QTest::mouseDClick(grid, Qt::LeftButton, Qt::NoModifier, now);
    QTRY_COMPARE(widthOf(0), before);
}

} // namespace tst_logtiles

RANKDECK_WINDOW_TEST(tst_logtiles, TestLogTiles)
#include "tst_logtiles.moc"
