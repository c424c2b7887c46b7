#include "background/iothread.h"
#include "log/growingfile.h"
#include "logview/canvas/logcanvas.h"
#include "logview/canvas/logstrips.h"
#include "logview/panes/mergedpane.h"
#include "logview/view/filterstack.h"
#include "logview/view/logview.h"
#include "support/windowtest.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include <deque>

namespace tst_mergedpane
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

constexpr int longMs = 30000;

QByteArray said(int second, const char *level, const QByteArray &text)
{
    return "2025-04-07 15:34:" + QByteArray::number(second).rightJustified(2, '0') + ",000 - root - " +
           level + " - " + text + '\n';
}

} // namespace

/// All ranks in one view, and some lines of one rank.
class TestMergedPane : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_files.clear();
        m_files.resize(3);
        for (int rank = 0; rank < 3; ++rank) {
            m_files[std::size_t(rank)].append(said(1, "INFO", "ready"));
            m_files[std::size_t(rank)].append(said(10 + rank, rank == 1 ? "ERROR" : "INFO", "own"));
        }
    }
    void ranksAreShownInOneTime();
    void ranksAreSwitchedOnAndOff();
    void whatRanksPrintAlikeIsFolded();
    void aFilterLeavesItsLines();
    void aStripIsAWayToATime();
    void aLineIsAWayToItsLog();
    void keysReachTheStrips();
    void stripsAreDrawnByHeight();
    void bothStreamsOfARankShareAStrip();
    void aProgressBarKeepsItsLabel();
    void linesOfStandardErrorAreTinted();
    void filteredLinesKeepTheirNumbers();
    void theGutterHoldsTheNumbersOfLaterLines();

private:
    QList<MergedTile> tiles() const
    {
        QList<MergedTile> all;
        for (int rank = 0; rank < 3; ++rank)
            all.append({10 + rank, {m_files[std::size_t(rank)].path(), u"rank %1"_s.arg(rank), rank, rank}});
        return all;
    }
    StartLines start()
    {
        return [this](const MergedSpec &spec) {
            RemoteOwner<MergedLines> lines(new MergedLines(spec));
            m_thread.adopt(lines.get());
            QMetaObject::invokeMethod(lines.get(), &MergedLines::start);
            QMetaObject::invokeMethod(lines.get(), &MergedLines::finish);
            return lines;
        };
    }
    void show(MergedPane &pane)
    {
        pane.resize(700, 400);
        pane.setLogs(tiles(), start());
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane, 30000));
    }
    /// Of each line its label and its last word.
    static QByteArrayList linesOf(const LogView &view)
    {
        QByteArrayList lines;
        for (const QString &line : view.visibleText().split('\n'_L1)) {
            const QString label = line.section(u" │ "_s, 0, 0).trimmed();
            lines << (label + ' '_L1 + line.section(' '_L1, -1)).toUtf8();
        }
        return lines;
    }

    IoThread m_thread{u"logs"_s};
    std::deque<GrowingFile> m_files;
};

void TestMergedPane::ranksAreShownInOneTime()
{
    MergedPane pane;
    show(pane);
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*pane.view()),
                              QByteArrayList({"rank 0 ready", "rank 1 ready", "rank 2 ready", "rank 0 own",
                                              "rank 1 own", "rank 2 own"}),
                              longMs);
    QTRY_COMPARE_WITH_TIMEOUT(pane.findChild<QLabel *>(u"filterResult"_s)->text(), u"6 lines"_s, longMs);
}

void TestMergedPane::ranksAreSwitchedOnAndOff()
{
    MergedPane pane;
    show(pane);
    LogStrips *const strips = pane.strips();
    QTest::mouseClick(strips, Qt::LeftButton, Qt::NoModifier, strips->labelRect(1).center());
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*pane.view()),
                              QByteArrayList({"rank 0 ready", "rank 2 ready", "rank 0 own", "rank 2 own"}),
                              longMs);
    QTest::mouseClick(strips, Qt::LeftButton, Qt::ControlModifier, strips->labelRect(1).center());
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*pane.view()), QByteArrayList({"rank 1 ready", "rank 1 own"}), longMs);
    QTest::mouseClick(strips, Qt::LeftButton, Qt::NoModifier, strips->labelRect(1).center());
    QTRY_COMPARE_WITH_TIMEOUT(pane.view()->visibleText(), u"No rank is shown."_s, longMs);
}

void TestMergedPane::whatRanksPrintAlikeIsFolded()
{
    MergedPane pane;
    show(pane);
    pane.findChild<QCheckBox *>(u"foldBox"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*pane.view()),
                              QByteArrayList({"ranks 0-2 ready", "ranks 0,2 own", "rank 1 own"}), longMs);
}

void TestMergedPane::aFilterLeavesItsLines()
{
    MergedPane pane;
    show(pane);
    QTest::keyClicks(pane.findChild<QLineEdit *>(u"filterText"_s), u"error || own"_s);
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*pane.view()),
                              QByteArrayList({"rank 0 own", "rank 1 own", "rank 2 own"}), longMs);
}

void TestMergedPane::aStripIsAWayToATime()
{
    for (int second = 20; second < 60; ++second)
        m_files[0].append(said(second, "INFO", QByteArray::number(second)));
    MergedPane pane;
    show(pane);
    QTRY_VERIFY_WITH_TIMEOUT(pane.view()->visibleText().contains(u"- 59"_s), longMs);
    LogStrips *const strips = pane.strips();
    const QRect strip = strips->stripRect(0);
    QTRY_VERIFY_WITH_TIMEOUT(strips->slotAt(strip.left()) == 0, longMs);
    QTest::mouseClick(strips, Qt::LeftButton, Qt::NoModifier, {strip.left(), strip.center().y()});
    QTRY_VERIFY_WITH_TIMEOUT(pane.view()->visibleText().contains(u"ready"_s), longMs);
    QVERIFY(!pane.view()->isFollowing());
}

void TestMergedPane::aLineIsAWayToItsLog()
{
    MergedPane pane;
    show(pane);
    QSignalSpy wanted(&pane, &MergedPane::lineRequested);
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*pane.view()).size(), 6, longMs);
    auto *const canvas = pane.view()->findChild<LogCanvas *>();
    const int height = canvas->canvas().cellSize().height();
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, {40, height * 4 + height / 2});
    QCOMPARE(wanted.size(), 0);
    canvas->setFocus();
    // While the lines are fetched anew, as when their number is learnt, none is a way anywhere.
    QTRY_VERIFY_WITH_TIMEOUT((QTest::keyClick(canvas, Qt::Key_Return), !wanted.isEmpty()), longMs);
    QCOMPARE(wanted[0][0].toInt(), 11);
    QCOMPARE(wanted[0][1].toLongLong(), 1);
}

void TestMergedPane::keysReachTheStrips()
{
    MergedPane pane;
    show(pane);
    LogStrips *const strips = pane.strips();
    QTRY_VERIFY_WITH_TIMEOUT(strips->slotAt(strips->stripRect(0).left()) == 0, longMs);
    QSignalSpy times(strips, &LogStrips::timeRequested);
    strips->setFocus();
    QTest::keyClick(strips, Qt::Key_Down);
    QCOMPARE(strips->accessibleDescription(), u"rank 1, shown"_s);
    QTest::keyClick(strips, Qt::Key_Right);
    QTest::keyClick(strips, Qt::Key_Right);
    QCOMPARE(strips->accessibleDescription(), u"rank 1, shown, 15:34:11, errors"_s);
    QTest::keyClick(strips, Qt::Key_Return);
    QCOMPARE(times.size(), 1);
    QTest::keyClick(strips, Qt::Key_Space);
    QVERIFY(!strips->shown()[1]);
    QCOMPARE(strips->accessibleDescription(), u"rank 1, hidden, 15:34:11, errors"_s);
}

void TestMergedPane::stripsAreDrawnByHeight()
{
    LogStrips strips;
    strips.setLogs({u"rank 0"_s}, {0});
    LogActivity activity(1);
    const LogTime begin(0);
    activity.add(0, begin, LogSeverity::Info);
    activity.add(0, LogTime(500 * 1000), LogSeverity::Error);
    strips.setActivity(activity);
    strips.resize(400, strips.sizeHint().height());
    strips.show();
    QVERIFY(QTest::qWaitForWindowExposed(&strips, 30000));
    const auto inked = [&](int slot) {
        const QImage image = strips.grab().toImage();
        int x = strips.stripRect(0).left();
        while (strips.slotAt(x) != slot)
            ++x;
        int rows = 0;
        for (int y = 0; y < image.height(); ++y)
            rows += image.pixel(x + 2, y) != image.pixel(image.width() - 2, y) ? 1 : 0;
        return rows;
    };
    QVERIFY(inked(0) > 0);
    QVERIFY2(inked(5) > inked(0), qPrintable(u"%1 and %2"_s.arg(inked(5)).arg(inked(0))));
}

void TestMergedPane::bothStreamsOfARankShareAStrip()
{
    QList<MergedTile> logs = tiles();
    logs[1].log.label = logs[0].log.label;
    logs[1].log.isError = true;
    MergedPane pane;
    pane.resize(700, 400);
    pane.setLogs(logs, start());
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane, 30000));
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*pane.view()),
                              QByteArrayList({"rank 0 ready", "rank 0 ready", "rank 2 ready", "rank 0 own",
                                              "rank 0 own", "rank 2 own"}),
                              longMs);
    QCOMPARE(pane.strips()->shown().size(), 2U);
    QTest::mouseClick(pane.strips(), Qt::LeftButton, Qt::NoModifier, pane.strips()->labelRect(0).center());
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*pane.view()), QByteArrayList({"rank 2 ready", "rank 2 own"}), longMs);
}

void TestMergedPane::aProgressBarKeepsItsLabel()
{
    m_files[2].append(said(20, "INFO", "go") + "10%\r20%\r  \r\n");
    MergedPane pane;
    show(pane);
    QTRY_VERIFY_WITH_TIMEOUT(pane.view()->visibleText().endsWith(u"rank 2 │ 20%"_s), longMs);
}

void TestMergedPane::linesOfStandardErrorAreTinted()
{
    MergedSpec spec;
    spec.logs = {{m_files[0].path(), {}}, {m_files[1].path(), {}}};
    spec.logs[1].isError = true;
    spec.isLabelled = false;
    const auto lines = start()(spec);
    LogView view;
    view.resize(700, 300);
    view.setSource(lines.get());
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, 30000));
    QTRY_COMPARE_WITH_TIMEOUT(view.visibleText().count('\n'_L1), 3, longMs);
    auto *const canvas = view.findChild<LogCanvas *>();
    const int height = canvas->canvas().cellSize().height();
    const LogPalette palette(canvas->palette());
    const auto isTinted = [&](int row) {
        const QImage image = view.grab().toImage();
        // Far behind the text, and the bar before it.
        const QRgb behind = image.pixel(QPoint(600, row * height + 2) * image.devicePixelRatio());
        const QRgb before = image.pixel(QPoint(4, row * height + 2) * image.devicePixelRatio());
        return behind == palette.errorLine().rgb() && before != behind;
    };
    for (int row = 0; row < 4; ++row)
        QTRY_COMPARE_WITH_TIMEOUT(isTinted(row), row == 1 || row == 3, longMs);
    view.setSource(nullptr);
}

void TestMergedPane::filteredLinesKeepTheirNumbers()
{
    FilterView filter({{m_files[1].path(), {}}}, start());
    filter.resize(700, 300);
    filter.show();
    QVERIFY(QTest::qWaitForWindowExposed(&filter, 30000));
    QSignalSpy wanted(&filter, &FilterView::lineRequested);
    QSignalSpy closed(&filter, &FilterView::closed);
    filter.open();
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*filter.view()).size(), 2, longMs);
    QTest::keyClicks(filter.findChild<QLineEdit *>(u"filterText"_s), u"own"_s);
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*filter.view()).size(), 1, longMs);
    QTRY_VERIFY_WITH_TIMEOUT(filter.view()->visibleText().endsWith(u"own"_s), longMs);
    auto *const canvas = filter.view()->findChild<LogCanvas *>();
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, {60, 5});
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].value<LogPage::Origin>().line, LineNumber(1));
    QTest::keyClick(canvas, Qt::Key_Escape);
    QCOMPARE(closed.size(), 1);
}

void TestMergedPane::theGutterHoldsTheNumbersOfLaterLines()
{
    constexpr int lines = 120'000;
    QByteArray text;
    for (int line = 0; line < lines; ++line)
        text += line % 50'000 == 0 ? "own\n" : "-\n";
    QFile file(m_files[1].path());
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(text) == text.size());
    file.close();
    FilterView filter({{m_files[1].path(), {}}}, start());
    filter.resize(700, 300);
    filter.show();
    QVERIFY(QTest::qWaitForWindowExposed(&filter, 30000));
    filter.open();
    QTest::keyClicks(filter.findChild<QLineEdit *>(u"filterText"_s), u"own"_s);
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(*filter.view()).size(), 3, longMs); // Lines 1, 50,001 and 100,001.
    auto *const canvas = filter.view()->findChild<LogCanvas *>();
    const int besideNumbers = canvas->columns();
    canvas->setNumbered(false);
    constexpr int besideText = 6 + 1 + 2; // The number, its sign and the gap.
    QCOMPARE(canvas->columns() - besideNumbers, besideText);
}

} // namespace tst_mergedpane

RANKDECK_WINDOW_TEST(tst_mergedpane, TestMergedPane)
#include "tst_mergedpane.moc"
