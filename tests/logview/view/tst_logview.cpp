#include "logview/canvas/logcanvas.h"
#include "logview/find/logfind.h"
#include "logview/find/logjumps.h"
#include "logview/followedlog.h"
#include "logview/view/logtaking.h"
#include "logview/view/logview.h"
#include "logview/view/markstrip.h"
#include "support/tickmeter.h"
#include "support/windowtest.h"
#include "widgets/editor.h"
#include "widgets/texthistory.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <atomic>

namespace tst_logview
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

/// Counts a signal that comes from another thread, in this one.
struct Count : QObject {
    template <typename Signal>
    Count(LogFollower *follower, Signal signal)
    {
        connect(follower, signal, this, [this] { ++value; });
    }
    int value = 0;
};

void show(LogView &view)
{
    view.resize(600, 300);
    view.show();
    view.activateWindow();
    QVERIFY(QTest::qWaitForWindowExposed(&view, 30000));
    view.setFocus();
}

LogCanvas *canvasOf(const LogView &view)
{
    return view.findChild<LogCanvas *>();
}

bool showsAtItsEnd(const LogView &view, const QString &text)
{
    return view.visibleText().endsWith(text);
}

/// In the canvas, the middle of the left edge of a cell.
QPoint cellAt(const LogView &view, int row, int cell)
{
    const QSize size = canvasOf(view)->canvas().cellSize();
    return {6 + cell * size.width() + 1, row * size.height() + size.height() / 2};
}

void turnWheel(const LogView &view, int notches)
{
    LogCanvas *const canvas = canvasOf(view);
    const QPointF middle = canvas->rect().center();
    QWheelEvent event(middle, canvas->mapToGlobal(middle), {}, {0, notches * 120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    // Only a wheel of the window system's climbs to the parent by itself.
    for (QWidget *widget = canvas; widget; widget = widget->parentWidget()) {
        QApplication::sendEvent(widget, &event);
        if (event.isAccepted())
            break;
    }
}

/// As if the keys were pressed, for which the window would have to be active. False: no action has them.
bool trigger(const LogView &view, const QKeySequence &keys)
{
    for (QAction *action : canvasOf(view)->actions()) {
        if (action->shortcuts().contains(keys)) {
            action->trigger();
            return true;
        }
    }
    return false;
}

QString resultOf(const LogView &view)
{
    return view.findChild<FindBar *>()->findChild<QLabel *>()->text();
}

} // namespace

class TestLogView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLogWithoutLinesSaysSo();
    void aLogThatCannotBeReadSaysWhy();
    void liveTextAppears();
    void chineseAndColouredTextIsShownPlain();
    void followLetsGoOnScrollAndResumesAtTheEnd_data();
    void followLetsGoOnScrollAndResumesAtTheEnd();
    void newLinesAreCountedWhileNotFollowing();
    void keysMoveThroughTheLog();
    void theBarMovesThroughTheLog();
    void longLinesScrollSideways();
    void aCutLogStartsAgain();
    void anotherSourceShowsAnotherLog();
    void aLineIsGoneToByItsNumber();
    void findMovesToTheMatch();
    void findSaysWhenThereIsNoMatch();
    void screenReadersReadItsLines();
    void aSmallTileHasNoHorizontalBar();
    void matchesThatComeLaterAreCounted();
    void matchesAndBookmarksStandBesideTheScrollBar();
    void highlightsStandBesideTheScrollBar();
    void searchesAreRemembered();
    void theSelectionIsFilteredExcludedAndHighlighted();
    void aSourceLineOpensTheEditor();
    void findBeginsWhenTypingPauses();
    void findTakesRegularExpressions();
    void everyMatchOnTheScreenIsMarked();
    void reverseVideoSwapsTextAndBackground();
    void aProgressBarIsLessHighThanItsLine();
    void theNextErrorIsGoneTo();
    void aTimeIsGoneTo();
    void linesAreColouredByTheirSeverity();
    void findOpensAndClosesByKey();
    void aFarMatchIsScrolledToSideways();
    void dragSelectsAndCopyIsPlainText();
    void coloursAreCopiedWithWholeLines();
    void allLinesAreSaved_data();
    void allLinesAreSaved();
    void aLogIsNotSavedOverItself();
    void marksAreSetAndGoneTo();
    void theHistoryOfALineIsShown();
    void doubleClickSelectsAWord();
    void everythingIsCopiedFarBeyondTheScreen();
    void aHiddenViewFetchesNothing();
    void onlyChangedLinesAreDrawn();
    void aFloodLeavesTheWindowResponsive();
    void screenReadersHearWhatIsShown();
};

void TestLogView::aLogWithoutLinesSaysSo()
{
    FollowedLog log;
    LogView view;
    view.setSource(log.follower());
    show(view);
    QCOMPARE(view.visibleText(), u"No output yet."_s);
    log.disk.append("now\n");
    QTRY_COMPARE(view.visibleText(), u"now"_s);
}

void TestLogView::aLogThatCannotBeReadSaysWhy()
{
    QTemporaryDir directory;
    LogFollower follower(directory.path());
    follower.start();
    LogView view;
    QSignalSpy notices(&view, &LogView::noticeChanged);
    view.setSource(&follower);
    show(view);
    QTRY_VERIFY(view.visibleText().startsWith(directory.path()));
    QCOMPARE(notices.back()[0].toString(), view.visibleText());
}

void TestLogView::liveTextAppears()
{
    FollowedLog log("epoch: 1\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_COMPARE(view.visibleText(), u"epoch: 1"_s);
    log.disk.append("epoch: 2\nepo");
    QTRY_COMPARE(view.visibleText(), u"epoch: 1\nepoch: 2\nepo"_s);
    log.disk.append("ch: 3");
    QTRY_COMPARE(view.visibleText(), u"epoch: 1\nepoch: 2\nepoch: 3"_s);
    log.disk.append(numberedLines(0, 1000));
    QTRY_VERIFY(showsAtItsEnd(view, u"line 998\nline 999"_s));
    QCOMPARE(view.topLine(), 1002 - canvasOf(view)->rows());
}

void TestLogView::chineseAndColouredTextIsShownPlain()
{
    FollowedLog log("\x1B[31m第 3 轮训练失败\x1B[0m\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_COMPARE(view.visibleText(), u"第 3 轮训练失败"_s);
    const auto redInk = [&view] {
        const QImage image = view.grab().toImage();
        int red = 0;
        for (int y = 0; y < 20; ++y) {
            for (int x = 0; x < 120; ++x) {
                const QColor color = image.pixelColor(x, y);
                red += color.red() > color.blue() + 40 && color.red() > color.green() + 40;
            }
        }
        return red;
    };
    QTRY_VERIFY(redInk() > 20);
}

void TestLogView::followLetsGoOnScrollAndResumesAtTheEnd_data()
{
    QTest::addColumn<QString>("leave");
    QTest::addColumn<QString>("comeBack");
    QTest::newRow("keys") << u"PgUp"_s << u"End"_s;
    QTest::newRow("line by line") << u"Up"_s << u"Down"_s;
    QTest::newRow("home and down") << u"Home"_s << u"End"_s;
    QTest::newRow("wheel") << u"wheel"_s << u"wheel"_s;
    QTest::newRow("bar") << u"bar"_s << u"bar"_s;
    QTest::newRow("button") << u"bar"_s << u"button"_s;
}

void TestLogView::followLetsGoOnScrollAndResumesAtTheEnd()
{
    QFETCH(QString, leave);
    QFETCH(QString, comeBack);
    FollowedLog log(numberedLines(0, 1000));
    LogView view;
    QSignalSpy following(&view, &LogView::followingChanged);
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 999"_s));
    auto *const bar = view.findChild<QScrollBar *>();
    QTRY_COMPARE(qint64(bar->value()), view.topLine());

    const auto press = [&](const QString &key) {
        QTest::keyClick(canvasOf(view), QKeySequence(key)[0].key());
    };
    if (leave == u"wheel"_s)
        turnWheel(view, 1);
    else if (leave == u"bar"_s)
        bar->setValue(bar->maximum() - 5);
    else
        press(leave);
    QVERIFY(!view.isFollowing());
    QCOMPARE(following.size(), 1);
    const qint64 top = view.topLine();
    QTRY_VERIFY(view.visibleText().startsWith(u"line %1\n"_s.arg(top)));
    const QString shown = view.visibleText();

    const Count grew(log.follower(), &LogFollower::grew);
    log.disk.append("one more\n");
    QTRY_VERIFY(grew.value > 0);
    QCOMPARE(view.topLine(), top);
    QCOMPARE(view.visibleText(), shown);

    for (int i = 0; i < 10 && !view.isFollowing(); ++i) {
        if (comeBack == u"wheel"_s)
            turnWheel(view, -1);
        else if (comeBack == u"bar"_s)
            bar->setValue(bar->maximum());
        else if (comeBack == u"button"_s)
            view.setFollowing(true);
        else
            press(comeBack);
        QCoreApplication::processEvents();
    }
    QVERIFY(view.isFollowing());
    QTRY_VERIFY(showsAtItsEnd(view, u"one more"_s));
    log.disk.append("and one\n");
    QTRY_VERIFY(showsAtItsEnd(view, u"and one"_s));
}

void TestLogView::newLinesAreCountedWhileNotFollowing()
{
    FollowedLog log(numberedLines(0, 100));
    LogView view;
    QSignalSpy newLines(&view, &LogView::newLinesChanged);
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 99"_s));
    QTest::keyClick(canvasOf(view), Qt::Key_Home);
    log.disk.append(numberedLines(100, 12));
    QTRY_VERIFY(!newLines.isEmpty());
    QTRY_COMPARE(newLines.back()[0].toLongLong(), 12);
    QTest::keyClick(canvasOf(view), Qt::Key_End);
    QTRY_COMPARE(newLines.back()[0].toLongLong(), 0);
}

void TestLogView::keysMoveThroughTheLog()
{
    FollowedLog log(numberedLines(0, 1000));
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 999"_s));
    LogCanvas *const canvas = canvasOf(view);
    QTest::keyClick(canvas, Qt::Key_Home);
    QCOMPARE(view.topLine(), 0);
    QTRY_VERIFY(view.visibleText().startsWith(u"line 0\nline 1\n"_s));
    QTest::keyClick(canvas, Qt::Key_Down);
    QCOMPARE(view.topLine(), 1);
    QTest::keyClick(canvas, Qt::Key_PageDown);
    QCOMPARE(view.topLine(), canvas->rows());
    QTest::keyClick(canvas, Qt::Key_PageUp);
    QTest::keyClick(canvas, Qt::Key_Up);
    QCOMPARE(view.topLine(), 0);
    QTest::keyClick(canvas, Qt::Key_Up);
    QCOMPARE(view.topLine(), 0);
    QTest::keyClick(canvas, Qt::Key_End);
    QCOMPARE(view.topLine(), 1000 - canvas->rows());
}

void TestLogView::theBarMovesThroughTheLog()
{
    FollowedLog log(numberedLines(0, 100000));
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 99999"_s));
    auto *const bar = view.findChild<QScrollBar *>();
    QTRY_COMPARE(bar->maximum(), 100000 - canvasOf(view)->rows());
    bar->setValue(54321);
    QTRY_VERIFY(view.visibleText().startsWith(u"line 54321\n"_s));
}

void TestLogView::longLinesScrollSideways()
{
    FollowedLog log("short\n" + QByteArray("0123456789").repeated(100) + "\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    const QList<QScrollBar *> bars = view.findChildren<QScrollBar *>();
    const auto isHorizontal = [](const QScrollBar *bar) {
        return bar->orientation() == Qt::Horizontal;
    };
    QScrollBar *const horizontal = *std::find_if(bars.begin(), bars.end(), isHorizontal);
    QTRY_VERIFY(horizontal->isVisible());
    QTRY_COMPARE(horizontal->maximum(), 1000 - canvasOf(view)->columns());
    QTest::keyClick(canvasOf(view), Qt::Key_Right);
    QVERIFY(canvasOf(view)->left() > 0);
    QTest::keyClick(canvasOf(view), Qt::Key_Left);
    QCOMPARE(canvasOf(view)->left(), 0);
    QVERIFY(view.isFollowing());
}

void TestLogView::aCutLogStartsAgain()
{
    FollowedLog log(numberedLines(0, 1000));
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 999"_s));
    QTest::keyClick(canvasOf(view), Qt::Key_PageUp);
    log.disk.cut("again\n");
    QTRY_COMPARE(view.visibleText(), u"again"_s);
}

void TestLogView::anotherSourceShowsAnotherLog()
{
    FollowedLog one("one\n");
    FollowedLog two("two\n");
    LogView view;
    view.setSource(one.follower());
    show(view);
    QTRY_COMPARE(view.visibleText(), u"one"_s);
    view.setSource(two.follower());
    QTRY_COMPARE(view.visibleText(), u"two"_s);
    const Count grew(one.follower(), &LogFollower::grew);
    one.disk.append("more of one\n");
    QTRY_VERIFY(grew.value > 0);
    QCOMPARE(view.visibleText(), u"two"_s);
    view.setSource(nullptr);
    QCOMPARE(view.visibleText(), u"No output yet."_s);
}

void TestLogView::aLineIsGoneToByItsNumber()
{
    FollowedLog log(numberedLines(0, 5000));
    LogView view;
    view.resize(600, 400);
    view.setSource(log.follower());
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, 30000));
    QTRY_VERIFY(view.topLine() > 1000);
    QVERIFY(trigger(view, Qt::CTRL | Qt::Key_G));
    auto *const dialog = view.findChild<PlaceDialog *>();
    QVERIFY(dialog);
    auto *const place = dialog->findChild<QLineEdit *>();
    place->setText(u"5001"_s);
    dialog->accept();
    QVERIFY(dialog->isVisible()); // There are 5,000 only.
    place->setText(u"1001"_s);
    dialog->accept();
    QVERIFY(!view.isFollowing());
    QTRY_VERIFY(view.visibleText().contains(QString::fromUtf8(numberedLines(1000, 1)).trimmed()));
}

void TestLogView::findMovesToTheMatch()
{
    FollowedLog log(numberedLines(0, 5000) + "a Needle here\n" + numberedLines(0, 5000) + "another needle\n" +
                    numberedLines(0, 1000));
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 999"_s));
    QTest::keyClick(canvasOf(view), Qt::Key_Home);
    QTRY_VERIFY(view.visibleText().startsWith(u"line 0\n"_s));

    view.openFind();
    auto *const edit = view.findChild<QLineEdit *>();
    QTest::keyClicks(edit, u"needle"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_VERIFY(view.visibleText().contains(u"a Needle here"_s));
    QVERIFY(!view.isFollowing());
    QTRY_COMPARE(resultOf(view), u"1 of 2, line 5001"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_VERIFY(view.visibleText().contains(u"another needle"_s));
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(resultOf(view), u"1 of 2, line 5001, from the top again"_s);
    QTRY_VERIFY(view.visibleText().contains(u"a Needle here"_s));
    QTest::keyClick(edit, Qt::Key_F3);
    QTRY_COMPARE(resultOf(view), u"2 of 2, line 10002"_s);
    view.findNext(true);
    QTRY_VERIFY(view.visibleText().contains(u"a Needle here"_s));
    QTest::keyClick(edit, Qt::Key_F3, Qt::ShiftModifier);
    QTRY_COMPARE(resultOf(view), u"2 of 2, line 10002, from the end again"_s);
}

void TestLogView::findSaysWhenThereIsNoMatch()
{
    FollowedLog log(numberedLines(0, 100));
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 99"_s));
    const qint64 top = view.topLine();
    view.openFind();
    view.findChild<QLineEdit *>()->setText(u"nowhere"_s);
    view.findNext(false);
    QTRY_COMPARE(resultOf(view), u"No match"_s);
    QVERIFY(view.topLine() >= top);
    QVERIFY(view.isFollowing());
    view.findChild<QLineEdit *>()->setText(u"nowhere else"_s);
    QCOMPARE(resultOf(view), QString());
}

void TestLogView::matchesThatComeLaterAreCounted()
{
    FollowedLog log("needle 1\nhay\nneedle 2\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"needle 2"_s));
    view.openFind();
    view.findChild<QLineEdit *>()->setText(u"needle"_s);
    view.findNext(false);
    QTRY_COMPARE_WITH_TIMEOUT(resultOf(view), u"1 of 2, line 1"_s, 30000);
    log.disk.append("needle 3\n");
    QTRY_COMPARE_WITH_TIMEOUT(resultOf(view), u"1 of 3, line 1"_s, 30000);
    // Another log, of which nothing has been found.
    FollowedLog other("hay\nneedle\n");
    view.setSource(other.follower());
    QTRY_VERIFY(showsAtItsEnd(view, u"needle"_s));
    QCOMPARE(resultOf(view), QString());
    view.findNext(true);
    QTRY_COMPARE_WITH_TIMEOUT(resultOf(view), u"1 of 1, line 2"_s, 30000);
    view.setSource(nullptr);
}

void TestLogView::matchesAndBookmarksStandBesideTheScrollBar()
{
    FollowedLog log("needle\n" + numberedLines(0, 998) + "needle\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"needle"_s));
    auto *const strip = view.findChild<MarkStrip *>();
    QVERIFY(!strip->isVisible());
    view.openFind();
    QVERIFY(strip->isVisible());
    QVERIFY(strip->markedRows().isEmpty());
    view.findChild<QLineEdit *>()->setText(u"needle"_s);
    const int last = strip->height() - 1;
    QTRY_COMPARE_WITH_TIMEOUT(strip->markedRows(), QList<int>({0, 1, last - 1, last}), 30000);
    // It leads there.
    QTest::mouseClick(strip, Qt::LeftButton, Qt::NoModifier, {3, 4});
    QCOMPARE(canvasOf(view)->currentLine(), std::optional<qint64>(0));
    QTest::keyClick(view.findChild<QLineEdit *>(), Qt::Key_Escape);
    QVERIFY(!strip->isVisible());
    view.showLine(499);
    QTRY_VERIFY(canvasOf(view)->top() > 400);
    view.jumps()->toggleBookmark();
    QVERIFY(strip->isVisible());
    QTRY_COMPARE(strip->markedRows().size(), 2);
    QVERIFY(std::abs(strip->markedRows().constFirst() - strip->height() / 2) < 10);
}

void TestLogView::highlightsStandBesideTheScrollBar()
{
    FollowedLog log("a Needle\n" + numberedLines(0, 998) + "1+1\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"1+1"_s));
    auto *const strip = view.findChild<MarkStrip *>();
    QVERIFY(!strip->isVisible());
    LogLook look;
    look.highlights = {{{u"^a need"_s, true, false, false}, 0},
                       {{u"1+1"_s, false, true, false}, 1},
                       {{u"("_s, true, true, false}, 2}}; // The last one is no pattern.
    view.setLook(look);
    QVERIFY(strip->isVisible());
    const int last = strip->height() - 1;
    QTRY_COMPARE_WITH_TIMEOUT(strip->markedRows(), QList<int>({0, 1, last - 1, last}), 30000);
    // While something is searched for, the matches alone are marked.
    view.openFind();
    QVERIFY(strip->markedRows().isEmpty());
    QTest::keyClick(view.findChild<QLineEdit *>(), Qt::Key_Escape);
    QTRY_COMPARE_WITH_TIMEOUT(strip->markedRows().size(), 4, 30000);
    view.setLook({});
    QVERIFY(!strip->isVisible());
}

void TestLogView::searchesAreRemembered()
{
    QTemporaryDir directory;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, directory.path());
    QCoreApplication::setOrganizationName(u"rankdeck-test"_s);
    FollowedLog log("one\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    view.openFind();
    auto *const edit = view.findChild<QLineEdit *>();
    auto *const history = edit->findChild<TextHistory *>();
    for (int number = 0; number <= TextHistory::most; ++number) {
        edit->setText(u"text %1"_s.arg(number));
        QTest::keyClick(edit, Qt::Key_Return);
    }
    edit->setText(u"text 5"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(history->texts().size(), TextHistory::most);
    QCOMPARE(history->texts().mid(0, 2), QStringList({u"text 5"_s, u"text 20"_s}));
    QVERIFY(!history->texts().contains(u"text 0"_s));
    // In another log, the same; Down lists them.
    LogView other;
    show(other);
    other.openFind();
    auto *const otherEdit = other.findChild<QLineEdit *>();
    QTest::keyClick(otherEdit, Qt::Key_Down);
    QTRY_VERIFY(QApplication::activePopupWidget());
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Down);
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Down);
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
    QTRY_COMPARE(otherEdit->text(), u"text 20"_s);
}

void TestLogView::theSelectionIsFilteredExcludedAndHighlighted()
{
    FollowedLog log("a loss b\n");
    LogView view;
    QSignalSpy all(&view, &LogView::allRequested);
    QSignalSpy filtered(&view, &LogView::filterRequested);
    QSignalSpy highlighted(&view, &LogView::highlightRequested);
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"a loss b"_s));
    const auto offered = [&view](const char *name) {
        QContextMenuEvent menu(QContextMenuEvent::Keyboard, QPoint(), QPoint());
        view.eventFilter(canvasOf(view), &menu);
        return canvasOf(view)->findChild<QAction *>(QLatin1String(name));
    };
    QVERIFY(!offered("filterSelectionAction")->isEnabled());
    QTest::mouseDClick(canvasOf(view), Qt::LeftButton, Qt::NoModifier, cellAt(view, 0, 3));
    for (const char *const name :
         {"filterSelectionAction", "excludeSelectionAction", "highlightSelectionAction", "findInAllAction"}) {
        QVERIFY(offered(name)->isEnabled() && offered(name)->isVisible());
        offered(name)->trigger();
    }
    QCOMPARE(filtered, (QList<QList<QVariant>>{{u"loss"_s, false}, {u"loss"_s, true}}));
    QCOMPARE(highlighted, (QList<QList<QVariant>>{{u"loss"_s}}));
    QCOMPARE(all.front().front().value<LogPattern>().text, u"loss"_s);
    offered("copyPathAction")->trigger();
    QCOMPARE(QApplication::clipboard()->text(), log.disk.path());
    // Nobody listens: nothing is offered.
    LogView alone;
    QVERIFY(!canvasOf(alone)->findChild<QAction *>(u"filterSelectionAction"_s)->isVisible());
}

void TestLogView::aSourceLineOpensTheEditor()
{
    QTemporaryDir directory;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, directory.path());
    QCoreApplication::setOrganizationName(u"rankdeck-test"_s);
    const QString opened = directory.filePath(u"opened"_s);
    const QString editor = directory.filePath(u"editor"_s);
    QFile script(editor);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho \"$1\" > \"$0.new\" && mv \"$0.new\" \"${0%editor}opened\"\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    QSettings().setValue(QLatin1String(editorSetting), editor + u" {file}:{line}"_s);
    QFile source(directory.filePath(u"a train.py"_s));
    QVERIFY(source.open(QIODevice::WriteOnly));
    source.close();

    FollowedLog log("Traceback\n  File \"a train.py\", line 14, in f\n  File \"none.py\", line 1\n");
    LogView view;
    QSignalSpy notices(&view, &LogView::noticeChanged);
    view.setDirectories({directory.path()});
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 1"_s));
    const auto openedText = [&] {
        QFile file(opened);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
    };
    QTest::mouseClick(canvasOf(view), Qt::LeftButton, Qt::ControlModifier, cellAt(view, 1, 5));
    QTRY_COMPARE_WITH_TIMEOUT(openedText(), source.fileName() + u":14"_s, 30000);
    QVERIFY(notices.isEmpty());
    QTest::mouseClick(canvasOf(view), Qt::LeftButton, Qt::ControlModifier, cellAt(view, 2, 5));
    QCOMPARE(notices.size(), 1);
    QVERIFY(notices[0][0].toString().contains(u"does not exist"_s));

    // The same in the menu, and for the log itself.
    QTest::mouseClick(canvasOf(view), Qt::LeftButton, Qt::NoModifier, cellAt(view, 1, 5));
    QContextMenuEvent menu(QContextMenuEvent::Keyboard, QPoint(), QPoint());
    view.eventFilter(canvasOf(view), &menu);
    auto *const action = canvasOf(view)->findChild<QAction *>(u"openSourceAction"_s);
    QCOMPARE(action->text(), u"Open a train.py, line 14"_s);
    canvasOf(view)->findChild<QAction *>(u"openInEditorAction"_s)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(openedText(), log.disk.path() + u":2"_s, 30000);
}

void TestLogView::findBeginsWhenTypingPauses()
{
    FollowedLog log(numberedLines(0, 1000) + "a needle\n" + numberedLines(0, 1000));
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 999"_s));
    view.openFind();
    // It stands before what is shown, and nothing behind it.
    QTest::keyClicks(view.findChild<QLineEdit *>(), u"needle"_s);
    QTRY_VERIFY_WITH_TIMEOUT(view.visibleText().contains(u"a needle"_s), 30000);
    QTRY_COMPARE(resultOf(view), u"1 of 1, line 1001"_s);
}

void TestLogView::findTakesRegularExpressions()
{
    FollowedLog log(numberedLines(0, 5000));
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 4999"_s));
    view.openFind();
    auto *const bar = view.findChild<FindBar *>();
    QVERIFY(bar);
    QCheckBox *const regex = bar->findChildren<QCheckBox *>().front();
    auto *const edit = bar->findChild<QLineEdit *>();
    QVERIFY(regex && edit);
    regex->setChecked(true);
    edit->setText(u"e 1(2"_s);
    QVERIFY(resultOf(view).contains(u"regular expression"_s));
    view.findNext(true);
    QVERIFY(resultOf(view).contains(u"regular expression"_s));
    edit->setText(u"^LINE 1(2|3)34$"_s);
    view.findNext(true);
    QTRY_COMPARE_WITH_TIMEOUT(resultOf(view), u"2 of 2, line 1335"_s, 30000);
    view.findNext(true);
    QTRY_COMPARE_WITH_TIMEOUT(resultOf(view), u"1 of 2, line 1235"_s, 30000);
    regex->setChecked(false);
    view.findNext(true);
    QTRY_COMPARE_WITH_TIMEOUT(resultOf(view), u"No match"_s, 30000);
}

void TestLogView::everyMatchOnTheScreenIsMarked()
{
    FollowedLog log("a step\nnothing\nanother step\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"step"_s));
    const auto markedCells = [&view](int row) {
        const QImage image = view.grab().toImage();
        const LogPalette colors(canvasOf(view)->palette());
        int marked = 0;
        for (int cell = 0; cell < 16; ++cell) {
            const QPoint corner(cellAt(view, row, cell).x(),
                                row * canvasOf(view)->canvas().cellSize().height());
            const QRgb color = image.pixel(corner * image.devicePixelRatio());
            marked += color == colors.match().rgb() || color == colors.selection().rgb();
        }
        return marked;
    };
    QTRY_COMPARE(markedCells(0), 0);
    view.openFind();
    view.findChild<QLineEdit *>()->setText(u"step"_s);
    QTRY_COMPARE_WITH_TIMEOUT(markedCells(0), 4, 30000);
    QCOMPARE(markedCells(1), 0);
    QTRY_COMPARE_WITH_TIMEOUT(markedCells(2), 4, 30000);
    QTest::keyClick(view.findChild<QLineEdit *>(), Qt::Key_Escape);
    QTRY_COMPARE_WITH_TIMEOUT(markedCells(2), 0, 30000);
}

void TestLogView::reverseVideoSwapsTextAndBackground()
{
    FollowedLog log("\x1B[7mab\x1B[27mcd\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"abcd"_s));
    const LogPalette colors(canvasOf(view)->palette());
    const auto behind = [&](int cell) {
        const QImage image = view.grab().toImage();
        return image.pixel(QPoint(cellAt(view, 0, cell).x(), 0) * image.devicePixelRatio());
    };
    QTRY_COMPARE(behind(0), colors.text().rgb());
    QCOMPARE(behind(1), colors.text().rgb());
    QCOMPARE(behind(2), colors.base().rgb());
}

void TestLogView::aProgressBarIsLessHighThanItsLine()
{
    FollowedLog log("50%|\u2588\u2588\u258C  | 1/2\n\u2588\u2588\u2557\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(view.visibleText().startsWith(u"50%"_s));
    const LogPalette colors(canvasOf(view)->palette());
    const int height = canvasOf(view)->canvas().cellSize().height();
    const auto inked = [&](int row, int cell) {
        const QImage image = view.grab().toImage();
        int rows = 0;
        for (int y = row * height; y < (row + 1) * height; ++y)
            rows += image.pixel(QPoint(cellAt(view, row, cell).x(), y) * image.devicePixelRatio()) ==
                    colors.text().rgb();
        return rows;
    };
    QTRY_COMPARE(inked(0, 4), height * 2 / 5);
    QCOMPARE(inked(0, 6), height * 2 / 5); // Half a cell, from its left.
    QCOMPARE(inked(0, 7), 0);
    QVERIFY(inked(1, 0) > height / 2); // Letters of a banner are none.
}

void TestLogView::theNextErrorIsGoneTo()
{
    FollowedLog log(
        numberedLines(0, 1000) + "ERROR:root:first\n" + numberedLines(0, 1000) +
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nValueError: second\n" +
        numberedLines(0, 1000));
    LogView view;
    QSignalSpy notices(&view, &LogView::noticeChanged);
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 999"_s));
    QVERIFY(trigger(view, Qt::SHIFT | Qt::Key_F4));
    QTRY_COMPARE_WITH_TIMEOUT(canvasOf(view)->currentLine().value_or(-1), 2001, 30000);
    QTRY_VERIFY(view.visibleText().contains(u"ValueError: second"_s));
    QVERIFY(trigger(view, Qt::SHIFT | Qt::Key_F4));
    QTRY_COMPARE_WITH_TIMEOUT(canvasOf(view)->currentLine().value_or(-1), 1000, 30000);
    QVERIFY(trigger(view, Qt::SHIFT | Qt::Key_F4));
    QTRY_VERIFY_WITH_TIMEOUT(!notices.isEmpty(), 30000);
    QCOMPARE(notices.back()[0].toString(), u"No error before this."_s);
    QVERIFY(trigger(view, Qt::Key_F4));
    QTRY_COMPARE_WITH_TIMEOUT(canvasOf(view)->currentLine().value_or(-1), 2001, 30000);
    QCOMPARE(notices.back()[0].toString(), QString());
}

void TestLogView::aTimeIsGoneTo()
{
    QByteArray bytes;
    for (int minute = 0; minute < 600; ++minute) {
        bytes += "2024-12-26 " + QTime(8, 0).addSecs(60 * minute).toString(Qt::ISODate).toLatin1() +
                 " - INFO - step\n" + numberedLines(0, 9);
    }
    FollowedLog log(bytes);
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 8"_s));
    QVERIFY(trigger(view, Qt::CTRL | Qt::Key_T));
    auto *const dialog = view.findChild<PlaceDialog *>();
    QVERIFY(dialog);
    // Of the day of the log, not of today.
    dialog->findChild<QLineEdit *>()->setText(u"09:30:01"_s);
    dialog->accept();
    QTRY_COMPARE_WITH_TIMEOUT(canvasOf(view)->currentLine().value_or(-1), 910, 30000);
}

void TestLogView::linesAreColouredByTheirSeverity()
{
    FollowedLog log("WARNING:root:slow\nplain\nERROR:root:failed\n\x1B[34mERROR:root:blue\x1B[0m\n"
                    "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nplain\n");
    LogView view;
    view.setSource(log.follower());
    view.setLook({.isNumbered = true});
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"plain"_s));
    const auto has = [&view](int row, const QColor &color) {
        const QImage image = view.grab().toImage();
        const int height = canvasOf(view)->canvas().cellSize().height();
        const LogPalette colors(canvasOf(view)->palette());
        for (int y = row * height; y < (row + 1) * height; ++y) {
            // Behind the gutter: its sign has the colour as well.
            for (int x = 60; x < 300; ++x) {
                if (image.pixelColor(x, y) == color)
                    return true;
            }
        }
        return false;
    };
    const LogPalette colors(canvasOf(view)->palette());
    const QColor warning = colors.severityColor(LogSeverity::Warning, colors.base());
    const QColor error = colors.severityColor(LogSeverity::Error, colors.base());
    QTRY_VERIFY(has(0, warning));
    QTRY_VERIFY(has(2, error));
    QVERIFY(!has(1, warning));
    QVERIFY(!has(3, error));
    QVERIFY(has(4, error) && has(5, error));
}

void TestLogView::findOpensAndClosesByKey()
{
    FollowedLog log("text\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QVERIFY(QTest::qWaitForWindowActive(&view, 30000));
    auto *const bar = view.findChild<FindBar *>();
    QVERIFY(!bar->isVisible());
    QTest::keyClick(canvasOf(view), Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(bar->isVisible());
    auto *const edit = view.findChild<QLineEdit *>();
    QTRY_VERIFY(edit->hasFocus());
    // Beside the log, not over it: a scroll stays a copy.
    QVERIFY(!bar->geometry().intersects(canvasOf(view)->geometry()));
    QTest::keyClick(edit, Qt::Key_Escape);
    QVERIFY(!bar->isVisible());
    QTRY_VERIFY(canvasOf(view)->hasFocus());
}

void TestLogView::aFarMatchIsScrolledToSideways()
{
    FollowedLog log(QByteArray("first\n") + QByteArray(2000, '.') + "needle\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"needle"_s));
    view.openFind();
    view.findChild<QLineEdit *>()->setText(u"needle"_s);
    view.findNext(false);
    QTRY_VERIFY(canvasOf(view)->left() > 0);
    QVERIFY(canvasOf(view)->left() <= 2000);
    QVERIFY(canvasOf(view)->left() + canvasOf(view)->columns() >= 2006);
}

void TestLogView::dragSelectsAndCopyIsPlainText()
{
    FollowedLog log("\x1B[1mfirst\x1B[0m line\n\x1B[32m第二行\x1B[0m of text\nthird\n");
    LogView view;
    QSignalSpy copied(&view, &LogView::copied);
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"third"_s));
    LogCanvas *const canvas = canvasOf(view);
    QTest::mousePress(canvas, Qt::LeftButton, {}, cellAt(view, 0, 6));
    QTest::mouseMove(canvas, cellAt(view, 1, 3));
    QTest::mouseMove(canvas, cellAt(view, 1, 6));
    QTest::mouseRelease(canvas, Qt::LeftButton, {}, cellAt(view, 1, 6));
    QTest::keyClick(canvas, Qt::Key_C, Qt::ControlModifier);
    if (copied.isEmpty())
        view.copy(); // The shortcut needs the window to be active, which a test cannot count on everywhere.
    QTRY_VERIFY(!copied.isEmpty());
    QCOMPARE(QApplication::clipboard()->text(), u"line\n第二行"_s);

    QTest::mouseClick(canvas, Qt::LeftButton, {}, cellAt(view, 0, 0));
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::ShiftModifier, cellAt(view, 0, 5));
    copied.clear();
    view.copy();
    QTRY_VERIFY(!copied.isEmpty());
    QCOMPARE(QApplication::clipboard()->text(), u"first"_s);
}

void TestLogView::coloursAreCopiedWithWholeLines()
{
    FollowedLog log("\x1B[31mred\x1B[0m line\nnext\n");
    LogView view;
    QSignalSpy copied(&view, &LogView::copied);
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"next"_s));
    QTest::mouseClick(canvasOf(view), Qt::LeftButton, {}, cellAt(view, 0, 1));
    QTest::mouseClick(canvasOf(view), Qt::LeftButton, Qt::ShiftModifier, cellAt(view, 0, 2));
    view.taking()->copy(QClipboard::Clipboard, true);
    QTRY_VERIFY(!copied.isEmpty());
    QCOMPARE(QApplication::clipboard()->text(), u"\x1B[31mred\x1B[0m line"_s);
}

void TestLogView::allLinesAreSaved_data()
{
    QTest::addColumn<bool>("withEscapes");
    QTest::newRow("plain") << false;
    QTest::newRow("with escapes") << true;
}

void TestLogView::allLinesAreSaved()
{
    QFETCH(bool, withEscapes);
    const QByteArray lines = numberedLines(0, 12345);
    FollowedLog log("\x1B[31mred\x1B[0m\n" + lines);
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 12344"_s)); // All is read.
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"saved.txt"_s);
    LogSave save(log.follower(), path, withEscapes);
    QSignalSpy finished(&save, &LogSave::finished);
    QSignalSpy progress(&save, &LogSave::progress);
    save.start();
    QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), 30000);
    QCOMPARE(finished[0][0].toString(), QString());
    QCOMPARE(progress.back()[0].toInt(), 100);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), (withEscapes ? "\x1B[31mred\x1B[0m\n" : "red\n") + lines);

    LogSave cancelled(log.follower(), folder.filePath(u"other.txt"_s), withEscapes);
    QSignalSpy ended(&cancelled, &LogSave::finished);
    cancelled.start();
    cancelled.cancel();
    QCOMPARE(ended.size(), 1);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{u"saved.txt"_s});
}

void TestLogView::aLogIsNotSavedOverItself()
{
    FollowedLog log("one\n");
    const QTemporaryDir folder;
    const QString link = folder.filePath(u"link.log"_s);
    QVERIFY(QFile::link(log.disk.path(), link));
    for (const QString &path : {log.disk.path(), link}) {
        LogSave save(log.follower(), path, true);
        QSignalSpy finished(&save, &LogSave::finished);
        save.start();
        QCOMPARE(finished.size(), 1);
        QVERIFY(finished[0][0].toString().contains(u"the log itself"_s));
    }
}

void TestLogView::marksAreSetAndGoneTo()
{
    FollowedLog log(numberedLines(0, 5000));
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 4999"_s));
    LogCanvas *const canvas = canvasOf(view);
    const auto press = [&](Qt::KeyboardModifier modifier) {
        return trigger(view, modifier | Qt::Key_F2) ? canvas->currentLine().value_or(-1) : -2;
    };
    QTest::mouseClick(canvas, Qt::LeftButton, {}, cellAt(view, 3, 1));
    const qint64 clicked = view.topLine() + 3;
    press(Qt::ControlModifier);
    QTest::keyClick(canvas, Qt::Key_Home);
    QTRY_VERIFY(view.visibleText().startsWith(u"line 0\n"_s));
    press(Qt::ControlModifier); // The first line on the screen.
    QCOMPARE(press(Qt::NoModifier), clicked);
    QCOMPARE(press(Qt::NoModifier), 0); // From the last one to the first.
    QCOMPARE(press(Qt::ShiftModifier), clicked);
    press(Qt::ControlModifier); // Taken away.
    QCOMPARE(press(Qt::NoModifier), 0);
    QCOMPARE(press(Qt::NoModifier), 0);
}

void TestLogView::theHistoryOfALineIsShown()
{
    QByteArray bar;
    for (int percent = 0; percent <= 100; ++percent)
        bar += '\r' + QByteArray::number(percent) + '%' + QByteArray(500, '#');
    FollowedLog log("first\n" + bar + "\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(view.visibleText().contains(u"100%"_s));
    QTest::mouseClick(canvasOf(view), Qt::LeftButton, {}, cellAt(view, 1, 1));
    view.taking()->askForHistory();
    QTRY_VERIFY_WITH_TIMEOUT(view.findChild<LineHistoryDialog *>(), 30000);
    const QString text = view.findChild<QPlainTextEdit *>()->toPlainText();
    QCOMPARE(text.count('\n'_L1), 100);
    QVERIFY(text.startsWith(u"0%#"_s));
}

void TestLogView::doubleClickSelectsAWord()
{
    FollowedLog log("see /var/log/rank-3.log now\n");
    LogView view;
    QSignalSpy copied(&view, &LogView::copied);
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"now"_s));
    QTest::mouseDClick(canvasOf(view), Qt::LeftButton, {}, cellAt(view, 0, 8));
    view.copy();
    QTRY_COMPARE(copied.size(), 1);
    QCOMPARE(QApplication::clipboard()->text(), u"/var/log/rank-3.log"_s);
}

void TestLogView::everythingIsCopiedFarBeyondTheScreen()
{
    const QByteArray text = numberedLines(0, 12345);
    FollowedLog log(text);
    LogView view;
    QSignalSpy copied(&view, &LogView::copied);
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"line 12344"_s));
    view.selectAll();
    view.copy();
    QTRY_COMPARE(copied.size(), 1);
    QCOMPARE(QApplication::clipboard()->text(), QString::fromUtf8(text).chopped(1));
}

void TestLogView::aHiddenViewFetchesNothing()
{
    FollowedLog log("one\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_COMPARE(view.visibleText(), u"one"_s);
    view.hide();
    // The order to stop has crossed to the other thread when this one has.
    QMetaObject::invokeMethod(
        log.follower(), [] {}, Qt::BlockingQueuedConnection);
    const Count pages(log.follower(), &LogFollower::page);
    const Count grew(log.follower(), &LogFollower::grew);
    log.disk.append("two\n");
    QTRY_COMPARE(grew.value, 1);
    log.disk.append("three\n");
    QTRY_COMPARE(grew.value, 2);
    QCOMPARE(pages.value, 0);
    view.show();
    QTRY_COMPARE(view.visibleText(), u"one\ntwo\nthree"_s);
}

void TestLogView::onlyChangedLinesAreDrawn()
{
    class PaintedRegion : public QObject
    {
    public:
        QRegion region;
        bool eventFilter(QObject *, QEvent *event) override
        {
            if (event->type() == QEvent::Paint)
                region += static_cast<QPaintEvent *>(event)->region();
            return false;
        }
    };
    FollowedLog log("one\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_COMPARE(view.visibleText(), u"one"_s);
    LogCanvas *const canvas = canvasOf(view);
    const QSize cell = canvas->canvas().cellSize();
    PaintedRegion painted;
    canvas->installEventFilter(&painted);
    // The first frames of a new window are whole; after a few lines it has settled.
    QRect drawn;
    for (int row = 1; row < 6; ++row) {
        painted.region = {};
        log.disk.append("another\n");
        QTRY_VERIFY(painted.region.contains(QPoint(10, row * cell.height() + 5)) &&
                    view.visibleText().count('\n'_L1) == row);
        drawn = painted.region.boundingRect();
        if (drawn.top() == row * cell.height())
            break;
    }
    QVERIFY(drawn.top() > 0);
    QCOMPARE(drawn.height(), cell.height());
    QVERIFY(drawn.width() < 12 * cell.width());
}

void TestLogView::aFloodLeavesTheWindowResponsive()
{
    FollowedLog log;
    LogView view;
    view.setSource(log.follower());
    show(view);
    std::atomic<bool> stop = false;
    std::atomic<qint64> written = 0;
    const std::unique_ptr<QThread> writer(QThread::create([&] {
        QElapsedTimer clock;
        clock.start();
        const QByteArray chunk = QByteArray("epoch: 1 step: 2, loss is 0.123456, 一些中文\n").repeated(1000);
        while (!stop) {
            // 100,000 lines a second.
            if (written < clock.elapsed() * 100) {
                log.disk.append(chunk);
                written += 1000;
            } else {
                QThread::yieldCurrentThread();
            }
        }
    }));
    writer->start();

    TickMeter meter;
    meter.start();
    QTRY_VERIFY_WITH_TIMEOUT(written > 200000 && view.topLine() > 100000, 60000);
    stop = true;
    writer->wait();
    QVERIFY(meter.ticks() > 20);
    // Of its own: how late it gets on a machine that does other things too is a matter of luck.
    QVERIFY2(meter.work(1) < 1000, qPrintable(QString::number(meter.work(1))));
    QTRY_COMPARE_WITH_TIMEOUT(view.topLine(), written.load() - canvasOf(view)->rows(), 60000);
}

void TestLogView::screenReadersHearWhatIsShown()
{
    FollowedLog log("训练 done\n");
    LogView view;
    view.setTitle(u"rank 3"_s);
    view.setSource(log.follower());
    show(view);
    QTRY_COMPARE(view.visibleText(), u"训练 done"_s);
    QAccessibleInterface *const accessible = QAccessible::queryAccessibleInterface(canvasOf(view));
    QVERIFY(accessible);
    QCOMPARE(accessible->text(QAccessible::Name), u"Log of rank 3"_s);
    QCOMPARE(accessible->text(QAccessible::Value), u"训练 done"_s);
    QVERIFY(accessible->state().readOnly);
}

void TestLogView::screenReadersReadItsLines()
{
    FollowedLog log(numberedLines(0, 1000) + "训练 done\n");
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(showsAtItsEnd(view, u"训练 done"_s));
    LogCanvas *const canvas = canvasOf(view);
    QAccessibleInterface *const accessible = QAccessible::queryAccessibleInterface(canvas);
    QVERIFY(accessible && accessible->textInterface());
    QAccessibleTextInterface &text = *accessible->textInterface();
    const QString all = view.visibleText();
    QCOMPARE(text.characterCount(), int(all.size()));
    QCOMPARE(text.text(0, text.characterCount()), all);
    // Lines, as screen readers go through them.
    const int last = int(all.size()) - 2;
    int begin = 0;
    int end = 0;
    QCOMPARE(text.textAtOffset(last, QAccessible::LineBoundary, &begin, &end), u"训练 done"_s);
    QCOMPARE(begin, int(all.size()) - 7);
    // The second character stands behind one that is two cells wide.
    const QSize cell = canvas->canvas().cellSize();
    const QRect second = text.characterRect(begin + 1);
    QCOMPARE(second.left() - text.characterRect(begin).left(), 2 * cell.width());
    QCOMPARE(text.offsetAtPoint(second.center() - QPoint(cell.width() / 2 - 1, 0)), begin + 1);
    QCOMPARE(text.offsetAtPoint(canvas->mapToGlobal(QPoint(-5, 5))), -1);
    QCOMPARE(text.selectionCount(), 0);
    text.addSelection(begin, begin + 2);
    QCOMPARE(text.selectionCount(), 1);
    QCOMPARE(canvas->selectedText(), u"训练"_s);
    int from = 0;
    int to = 0;
    text.selection(0, &from, &to);
    QCOMPARE(std::pair(from, to), std::pair(begin, begin + 2));
    text.removeSelection(0);
    QCOMPARE(text.selectionCount(), 0);
    // What was found is where the cursor stands.
    canvas->setCurrentLine(1000);
    QCOMPARE(text.cursorPosition(), begin);
    text.setCursorPosition(0);
    QCOMPARE(canvas->currentLine(), std::optional(canvas->top()));
}

void TestLogView::aSmallTileHasNoHorizontalBar()
{
    FollowedLog log(QByteArray(1000, 'x') + '\n');
    LogView view;
    view.setSource(log.follower());
    show(view);
    const auto isBarShown = [&view] {
        return std::ranges::any_of(view.findChildren<QScrollBar *>(), [](const QScrollBar *bar) {
            return bar->orientation() == Qt::Horizontal && bar->isVisible();
        });
    };
    QTRY_VERIFY(isBarShown());
    view.resize(300, 90);
    QTRY_VERIFY(!isBarShown());
    QTest::keyClick(canvasOf(view), Qt::Key_Right);
    QVERIFY(canvasOf(view)->left() > 0);
    view.resize(300, 300);
    QTRY_VERIFY(isBarShown());
}

} // namespace tst_logview

RANKDECK_WINDOW_TEST(tst_logview, TestLogView)
#include "tst_logview.moc"
