#include "logview/canvas/logcanvas.h"
#include "logview/find/logfind.h"
#include "logview/followedlog.h"
#include "logview/source/shownline.h"
#include "logview/view/logview.h"
#include "support/windowtest.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

namespace tst_logmarks
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

LogMark markAt(qint64 offset, const QString &text = u"lines are missing"_s)
{
    return {ByteOffset(offset), text, {}};
}

void setMarks(const FollowedLog &log, const QList<LogMark> &marks)
{
    QMetaObject::invokeMethod(log.follower(),
                              [follower = log.follower(), marks] { follower->setMarks(marks); });
}

void show(LogView &view)
{
    view.resize(600, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, 30000));
}

QString resultOf(const LogView &view)
{
    return view.findChild<FindBar *>()->findChild<QLabel *>()->text();
}

} // namespace

/// Remarks of ours among the lines of a log.
class TestLogMarks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shownLinesCountTheMarks_data();
    void shownLinesCountTheMarks();
    void aMarkIsALineOfItsOwn();
    void aMarkThatComesLaterIsShownThough();
    void aMarkWaitsForItsPlace();
    void whatIsFoundIsCountedInTheFile();
    void whatIsCopiedIsOfTheFile();
};

void TestLogMarks::shownLinesCountTheMarks_data()
{
    QTest::addColumn<int>("shown");
    QTest::addColumn<int>("file");
    QTest::addColumn<bool>("isMark");
    // Two marks stand before line 2, one before line 4.
    QTest::newRow("before all") << 1 << 1 << false;
    QTest::newRow("first mark") << 2 << 2 << true;
    QTest::newRow("second mark") << 3 << 2 << true;
    QTest::newRow("line behind both") << 4 << 2 << false;
    QTest::newRow("next line") << 5 << 3 << false;
    QTest::newRow("third mark") << 6 << 4 << true;
    QTest::newRow("behind all") << 8 << 5 << false;
    QTest::newRow("before the first line") << -1 << -1 << false;
}

void TestLogMarks::shownLinesCountTheMarks()
{
    QFETCH(int, shown);
    QFETCH(int, file);
    QFETCH(bool, isMark);
    LogMarks marks;
    LogMark mark;
    mark.line = LineNumber(2);
    LogMark later;
    later.line = LineNumber(4);
    marks.set({mark, mark, later});
    QCOMPARE(marks.count(), 3);
    QCOMPARE(marks.fileLine(shown), file);
    QCOMPARE(marks.isMark(shown), isMark);
    QCOMPARE(marks.line(shown).isNull(), !isMark);
    if (!isMark)
        QCOMPARE(marks.shownLine(file), shown);
}

void TestLogMarks::aMarkIsALineOfItsOwn()
{
    FollowedLog log("one\ntwo\nthree\n");
    setMarks(log, {markAt(8)});
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_COMPARE(view.visibleText(), u"one\ntwo\n──── lines are missing ────\nthree"_s);
    QCOMPARE(QAccessible::queryAccessibleInterface(view.findChild<LogCanvas *>())->text(QAccessible::Value),
             view.visibleText());
}

void TestLogMarks::aMarkThatComesLaterIsShownThough()
{
    FollowedLog log(numberedLines(0, 500));
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(view.visibleText().endsWith(u"line 499"_s));
    setMarks(log, {markAt(0), markAt(qint64(numberedLines(0, 500).size()))});
    QTRY_VERIFY(view.visibleText().endsWith(u"line 499\n──── lines are missing ────"_s));
    view.setFollowing(false);
    view.showLine(0);
    QTRY_VERIFY(view.visibleText().startsWith(u"──── lines are missing ────\nline 0\n"_s));
    setMarks(log, {});
    QTRY_VERIFY(view.visibleText().startsWith(u"line 0\nline 1\n"_s));
}

void TestLogMarks::aMarkWaitsForItsPlace()
{
    FollowedLog log("one\n");
    setMarks(log, {markAt(8)});
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_COMPARE(view.visibleText(), u"one"_s);
    log.disk.append("two\nthree\n");
    QTRY_COMPARE(view.visibleText(), u"one\ntwo\n──── lines are missing ────\nthree"_s);
}

void TestLogMarks::whatIsFoundIsCountedInTheFile()
{
    FollowedLog log("needle 1\nneedle 2\n");
    setMarks(log, {markAt(0, u"no needle"_s), markAt(9, u"no needle"_s)});
    LogView view;
    view.setSource(log.follower());
    show(view);
    QTRY_VERIFY(view.visibleText().endsWith(u"needle 2"_s));
    view.openFind();
    view.findChild<QLineEdit *>()->setText(u"needle"_s);
    view.findNext(false);
    QTRY_COMPARE(resultOf(view), u"1 of 2, line 1"_s);
    view.findNext(false);
    QTRY_COMPARE(resultOf(view), u"2 of 2, line 2"_s);
    view.findNext(true);
    QTRY_COMPARE(resultOf(view), u"1 of 2, line 1"_s);
    view.findNext(true);
    QTRY_COMPARE(resultOf(view), u"2 of 2, line 2, from the end again"_s);
}

void TestLogMarks::whatIsCopiedIsOfTheFile()
{
    FollowedLog log("one\ntwo\nthree\n");
    setMarks(log, {markAt(4), markAt(14)});
    LogView view;
    QSignalSpy copied(&view, &LogView::copied);
    view.setSource(log.follower());
    show(view);
    QTRY_COMPARE(view.visibleText().count('\n'_L1), 4);
    view.selectAll();
    view.copy();
    QTRY_COMPARE(copied.count(), 1);
    QCOMPARE(QApplication::clipboard()->text(), u"one\ntwo\nthree"_s);

    // A mark alone leaves the clipboard as it is.
    auto *canvas = view.findChild<LogCanvas *>();
    canvas->setSelection({{1, 0}, {1, 8}});
    view.copy();
    canvas->setSelection({{1, 3}, {2, 3}});
    view.copy();
    QTRY_COMPARE(copied.count(), 2);
    QCOMPARE(QApplication::clipboard()->text(), u"two"_s);
}

} // namespace tst_logmarks

RANKDECK_WINDOW_TEST(tst_logmarks, TestLogMarks)
#include "tst_logmarks.moc"
