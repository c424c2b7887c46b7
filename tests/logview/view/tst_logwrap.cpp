#include "logview/canvas/logcanvas.h"
#include "logview/canvas/logrows.h"
#include "logview/followedlog.h"
#include "logview/view/logview.h"
#include "support/windowtest.h"

#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace tst_logwrap
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

constexpr int longMs = 30000;

/// A line of so many words "w0 w1 …", numbered.
QByteArray words(int line, int count)
{
    QByteArray text = "line " + QByteArray::number(line);
    for (int word = 0; word < count; ++word)
        text += " w" + QByteArray::number(word);
    return text + '\n';
}

} // namespace

/// Long lines over several rows.
class TestLogWrap : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup()
    {
        m_view.reset();
        m_log.reset();
    }
    void aLineTakesTheRowsThatItNeeds_data();
    void aLineTakesTheRowsThatItNeeds();
    void theEndIsAtTheBottom();
    void rowsAreScrolledOneByOne();
    void aLineIsGoneToBeforeItWasRead();
    void theMouseFindsItsCell();
    void withoutWrappingItIsAsBefore();

private:
    void show(const QByteArray &bytes)
    {
        m_log = std::make_unique<FollowedLog>(bytes);
        m_view = std::make_unique<LogView>();
        m_view->resize(400, 300);
        m_view->setLook({.isWrapped = true});
        m_view->setSource(m_log->follower());
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get(), 30000));
        m_canvas = m_view->findChild<LogCanvas *>();
    }
    /// What the rows on the screen show, the last one's line and whether it is whole.
    LogRows::Row lastRow() const
    {
        const QList<LogRows::Row> rows = m_canvas->logRows().from(m_canvas->topPlace(), m_canvas->rows());
        return rows.isEmpty() ? LogRows::Row{-1, {}} : rows.constLast();
    }

    std::unique_ptr<FollowedLog> m_log;
    std::unique_ptr<LogView> m_view;
    LogCanvas *m_canvas = nullptr;
};

void TestLogWrap::aLineTakesTheRowsThatItNeeds_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("columns");
    QTest::addColumn<QList<int>>("begins");
    const auto row = [](const char *name, const char *line, int columns, const QList<int> &begins) {
        QTest::newRow(name) << QByteArray(line) << columns << begins;
    };
    row("empty", "", 10, {0});
    row("fits", "0123456789", 10, {0});
    row("one more", "0123456789a", 10, {0, 10});
    row("three", "0123456789", 4, {0, 4, 8});
    row("escapes take no room", "\x1b[31m0123456789\x1b[0m", 10, {0});
    // A Han character is not torn.
    row("two cells", "012\u4e2d\u6587\u4e2d", 4, {0, 3, 7});
    row("narrower than a character", "\u4e2d\u6587", 1, {0, 2});
}

void TestLogWrap::aLineTakesTheRowsThatItNeeds()
{
    QFETCH(QByteArray, line);
    QFETCH(int, columns);
    QTEST(ShownLine(line).breaks(columns), "begins");
}

void TestLogWrap::theEndIsAtTheBottom()
{
    QByteArray bytes;
    for (int line = 0; line < 100; ++line)
        bytes += words(line, 60);
    show(bytes);
    QTRY_COMPARE_WITH_TIMEOUT(lastRow().line, 99, longMs);
    QVERIFY(lastRow().isLast());
    QVERIFY(m_canvas->top() > 90); // Each takes several rows.
    QVERIFY(!m_view->findChildren<QScrollBar *>().last()->isVisible());
    m_log->disk.append(words(100, 70));
    QTRY_COMPARE_WITH_TIMEOUT(lastRow().line, 100, longMs);
    QVERIFY(lastRow().isLast());
    QVERIFY(m_view->isFollowing());
}

void TestLogWrap::rowsAreScrolledOneByOne()
{
    QByteArray bytes;
    for (int line = 0; line < 100; ++line)
        bytes += words(line, 60);
    show(bytes);
    QTRY_COMPARE_WITH_TIMEOUT(lastRow().line, 99, longMs);
    QTest::keyClick(m_canvas, Qt::Key_Home);
    QTRY_VERIFY_WITH_TIMEOUT(m_view->visibleText().startsWith(u"line 0 "_s), longMs);
    QCOMPARE(m_canvas->topPlace(), LogRows::Place());
    QTest::keyClick(m_canvas, Qt::Key_Down);
    QCOMPARE(m_canvas->topPlace(), (LogRows::Place{0, 1}));
    const int rowsOfOne = m_canvas->logRows().placeOf({0, 1 << 20}).row + 1;
    QVERIFY(rowsOfOne > 2);
    for (int row = 1; row < rowsOfOne; ++row)
        QTest::keyClick(m_canvas, Qt::Key_Down);
    QCOMPARE(m_canvas->topPlace(), (LogRows::Place{1, 0}));
    QTest::keyClick(m_canvas, Qt::Key_Up);
    QCOMPARE(m_canvas->topPlace(), (LogRows::Place{0, rowsOfOne - 1}));
    QTest::keyClick(m_canvas, Qt::Key_End);
    QTRY_COMPARE_WITH_TIMEOUT(lastRow().line, 99, longMs);
    QVERIFY(m_view->isFollowing());
    QTest::keyClick(m_canvas, Qt::Key_Up);
    QVERIFY(!m_view->isFollowing());
    QTest::keyClick(m_canvas, Qt::Key_Down);
    QVERIFY(m_view->isFollowing());
}

void TestLogWrap::aLineIsGoneToBeforeItWasRead()
{
    QByteArray bytes;
    for (int line = 0; line < 20000; ++line)
        bytes += words(line, 60);
    show(bytes);
    QTRY_COMPARE_WITH_TIMEOUT(lastRow().line, 19999, longMs);
    m_view->markLine(7000);
    QTRY_VERIFY_WITH_TIMEOUT(m_view->visibleText().contains(u"line 7000 "_s), longMs);
    QVERIFY(m_canvas->top() <= 7000 && m_canvas->bottom() >= 7000);
    m_view->markLine(19999);
    QTRY_VERIFY_WITH_TIMEOUT(m_view->visibleText().contains(u"line 19999 "_s), longMs);
}

void TestLogWrap::theMouseFindsItsCell()
{
    show("short\n" + words(1, 60));
    QTRY_VERIFY_WITH_TIMEOUT(m_view->visibleText().contains(u"w59"_s), longMs);
    const QSize cell = m_canvas->canvas().cellSize();
    const QList<LogRows::Row> rows = m_canvas->logRows().from(m_canvas->topPlace(), 10);
    QCOMPARE(rows[2].line, 1);
    const auto at = [&](int row, int column) {
        return QPoint(6 + column * cell.width() + 1, row * cell.height() + cell.height() / 2);
    };
    // From the second row of the line into its third.
    QTest::mousePress(m_canvas, Qt::LeftButton, Qt::NoModifier, at(2, 0));
    QTest::mouseMove(m_canvas, at(3, 4));
    QTest::mouseRelease(m_canvas, Qt::LeftButton, Qt::NoModifier, at(3, 4));
    QSignalSpy copied(m_view.get(), &LogView::copied);
    m_view->copy();
    QTRY_COMPARE_WITH_TIMEOUT(copied.size(), 1, longMs);
    const QString whole = QString::fromLatin1(words(1, 60));
    QCOMPARE(QApplication::clipboard()->text(),
             whole.mid(rows[2].cells.begin, rows[3].cells.begin + 4 - rows[2].cells.begin));
}

void TestLogWrap::withoutWrappingItIsAsBefore()
{
    show(words(0, 60) + words(1, 60));
    QTRY_VERIFY_WITH_TIMEOUT(lastRow().line == 1, longMs);
    m_view->setLook({});
    QCOMPARE(m_canvas->logRows().from({0, 0}, 10), (QList<LogRows::Row>{{0}, {1}}));
    QTRY_VERIFY_WITH_TIMEOUT(m_view->findChildren<QScrollBar *>().last()->isVisible(), longMs);
}

} // namespace tst_logwrap

RANKDECK_WINDOW_TEST(tst_logwrap, TestLogWrap)
#include "tst_logwrap.moc"
