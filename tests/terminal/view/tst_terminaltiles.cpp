#include "background/iothread.h"
#include "support/windowtest.h"
#include "terminal/view/terminalpane.h"
#include "terminal/view/terminaltiles.h"
#include "terminal/view/terminalview.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_terminaltiles
{

using namespace rankdeck;

/// Terminals side by side on logs that the test writes.
class TerminalTilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void eachShowsItsLog();
    void aPaneThatStaysKeepsItsScreen();
    void altAndArrowsGoToTheNeighbour();
    void keysGoToTheProcessOfTheirPane();
    void sizesAreToldWithTheFocus();
    void withoutTheKeyboardNoSizeIsTold();
    void whatIsTooMuchIsSkippedAndSaidSo();
    void anotherLogBeginsAnew();

private:
    void append(int process, const QByteArray &text) const
    {
        QFile file(logFile(process));
        QVERIFY(file.open(QIODevice::Append));
        QCOMPARE(file.write(text), text.size());
    }
    QString logFile(int process) const { return m_folder->filePath(u"%1.log"_s.arg(process)); }
    void showTiles(const QList<int> &processes)
    {
        QList<TerminalTile> tiles;
        for (const int process : processes)
            tiles.append({process, u"rank %1"_s.arg(process), logFile(process), {}});
        m_tiles->setTiles(tiles, [this](int process) {
            RemoteOwner<TerminalFollower> follower(new TerminalFollower(logFile(process)));
            m_thread->adopt(follower.get());
            return follower;
        });
    }
    TerminalView &view(int process) const { return *m_tiles->pane(process)->view(); }
    QList<TerminalInput> sizesOf(int process) const
    {
        QList<TerminalInput> sizes;
        for (const TerminalInput &input : m_typed) {
            if (input.processes == QList<int>{process} && input.size)
                sizes.append(input);
        }
        return sizes;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<IoThread> m_thread;
    std::unique_ptr<TerminalTiles> m_tiles;
    QList<TerminalInput> m_typed;
};

void TerminalTilesTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_thread = std::make_unique<IoThread>(u"terminals"_s);
    m_tiles = std::make_unique<TerminalTiles>();
    m_typed.clear();
    connect(m_tiles.get(), &TerminalTiles::typed, this,
            [this](const TerminalInput &input) { m_typed.append(input); });
    m_tiles->resize(1000, 600);
    m_tiles->show();
    m_tiles->activateWindow();
    QVERIFY(QTest::qWaitForWindowExposed(m_tiles.get(), 30000));
    QVERIFY(QTest::qWaitForWindowActive(m_tiles.get(), 30000));
}

void TerminalTilesTest::cleanup()
{
    m_tiles.reset();
    m_thread.reset();
}

void TerminalTilesTest::eachShowsItsLog()
{
    append(3, "three> ");
    append(5, "five> ");
    showTiles({3, 5});
    QCOMPARE(m_tiles->processes(), QList<int>({3, 5}));
    QTRY_COMPARE(view(3).visibleText(), u"three>"_s);
    QTRY_COMPARE(view(5).visibleText(), u"five>"_s);
    append(5, "\r\nmore");
    QTRY_COMPARE(view(5).visibleText(), u"five>\nmore"_s);
    QCOMPARE(view(3).visibleText(), u"three>"_s);
    QCOMPARE(m_tiles->pane(3)->accessibleName(), u"Terminal of rank 3"_s);
    QVERIFY(!m_tiles->pane(4));
}

void TerminalTilesTest::aPaneThatStaysKeepsItsScreen()
{
    append(3, "three> ");
    showTiles({3});
    QTRY_COMPARE(view(3).visibleText(), u"three>"_s);
    const TerminalPane *const before = m_tiles->pane(3);
    showTiles({2, 3});
    QCOMPARE(m_tiles->pane(3), before);
    showTiles({2});
    QVERIFY(!m_tiles->pane(3));
}

void TerminalTilesTest::altAndArrowsGoToTheNeighbour()
{
    showTiles({0, 1, 2, 3});
    view(0).setFocus();
    QTRY_VERIFY(view(0).hasFocus());
    QTest::keyClick(&view(0), Qt::Key_Right, Qt::AltModifier);
    QVERIFY(view(1).hasFocus());
    QTest::keyClick(&view(1), Qt::Key_Down, Qt::AltModifier);
    QVERIFY(view(3).hasFocus());
    QTest::keyClick(&view(3), Qt::Key_Right, Qt::AltModifier);
    QVERIFY(view(3).hasFocus());
    QTest::keyClick(&view(3), Qt::Key_Left, Qt::AltModifier);
    QVERIFY(view(2).hasFocus());
    QCOMPARE(m_tiles->currentPane(), m_tiles->pane(2));
    QTest::keyClick(&view(2), Qt::Key_Tab, Qt::ControlModifier);
    QVERIFY(view(3).hasFocus());
}

void TerminalTilesTest::keysGoToTheProcessOfTheirPane()
{
    showTiles({4, 7});
    view(7).setFocus();
    m_typed.clear();
    QTest::keyClick(&view(7), Qt::Key_Q);
    QVERIFY(m_typed.contains(TerminalInput{{7}, "q", {}}));
}

void TerminalTilesTest::sizesAreToldWithTheFocus()
{
    showTiles({0, 1});
    QTRY_VERIFY(!sizesOf(0).isEmpty() && !sizesOf(1).isEmpty());
    QCOMPARE(sizesOf(1).constLast().size, view(1).terminalScreen().size());
    view(0).setFocus();
    m_typed.clear();
    view(1).setFocus();
    QCOMPARE(sizesOf(1).size(), 1);
    QCOMPARE(sizesOf(0).size(), 0);
    m_tiles->resize(700, 500);
    QTRY_VERIFY(sizesOf(1).size() == 2 && sizesOf(0).size() == 1);
    QCOMPARE(sizesOf(0).constLast().size, view(0).fittingSize());
}

void TerminalTilesTest::withoutTheKeyboardNoSizeIsTold()
{
    m_tiles->setKeyboard(false, u"ada on node2"_s);
    append(0, "shown");
    showTiles({0});
    QTRY_COMPARE(view(0).visibleText(), u"shown"_s);
    view(0).setFocus();
    QCOMPARE(m_typed.size(), 0);
    auto *const line = m_tiles->pane(0)->findChild<QWidget *>(u"keyboardLine"_s);
    QVERIFY(line->isVisible());
    QSignalSpy wanted(m_tiles.get(), &TerminalTiles::keyboardRequested);
    QTest::mouseClick(line->findChild<QPushButton *>(), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    m_tiles->setKeyboard(true, {});
    QVERIFY(!line->isVisible());
    QVERIFY(!sizesOf(0).isEmpty());
    m_tiles->pane(0)->setEnding(u"Rank 0 has ended: exit code 1."_s);
    QVERIFY(line->isVisible() && !line->findChild<QPushButton *>()->isVisible());
    QVERIFY(!view(0).takesKeys());
}

void TerminalTilesTest::whatIsTooMuchIsSkippedAndSaidSo()
{
    append(0, "begin\r\n");
    showTiles({0});
    QTRY_COMPARE(view(0).visibleText(), u"begin"_s);
    // What comes while it skips is less than the history keeps.
    append(0, (QByteArray("0123456789").repeated(12) + "\r\n").repeated(60'000) + "end");
    QTRY_VERIFY(view(0).visibleText().endsWith(u"end"_s));
    QString words;
    const TerminalScreen &screen = view(0).terminalScreen();
    for (qint64 line = screen.firstLine(); line < screen.topLine(); ++line) {
        if (const QString text = screen.line(line).text(); text.contains(u"not shown here"_s))
            words = text;
    }
    const QRegularExpression sentence(u"^… \\d MB not shown here; the log has them\\.$"_s);
    QVERIFY2(sentence.match(words).hasMatch(), qPrintable(words));
}

void TerminalTilesTest::anotherLogBeginsAnew()
{
    append(0, "a long first line\r\nand more");
    showTiles({0});
    QTRY_VERIFY(view(0).visibleText().endsWith(u"more"_s));
    QFile file(logFile(0));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("new");
    file.close();
    QTRY_COMPARE(view(0).visibleText(), u"new"_s);
}

} // namespace tst_terminaltiles

RANKDECK_WINDOW_TEST(tst_terminaltiles, TerminalTilesTest)
#include "tst_terminaltiles.moc"
