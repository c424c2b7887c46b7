#include "canvas/widget/backends.h"
#include "canvas/widget/framepacer.h"
#include "support/windowtest.h"
#include "terminal/view/terminalview.h"
#include "widgets/tone.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QInputMethodEvent>
#include <QScreen>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

namespace tst_terminalview
{

using namespace rankdeck;

namespace
{

/// Counts what is drawn.
class CountingCanvas : public Canvas
{
public:
    QSize cellSize() const override { return {10, 20}; }
    QSize size() const override { return {800, 400}; }
    void fill(const QRect &area, const QColor &) override { filled += area.width() / 10; }
    void text(const QPoint &, QStringView text, const TextStyle &, const QRect &) override
    {
        texts.append(text.toString());
    }
    void scroll(const QRect &area, int dy) override { scrolls.append({area, dy}); }
    bool present() override { return true; }

    QStringList texts;
    QList<std::pair<QRect, int>> scrolls;
    int filled = 0;
};

TerminalRow rowOf(const QString &text, int columns = 20)
{
    TerminalRow row(columns);
    for (TerminalLook &look : row)
        look.style.background = Qt::white;
    for (int column = 0; column < text.size(); ++column)
        row[column].characters[0] = text[column].unicode();
    return row;
}

QList<TerminalRow> rowsOf(const QStringList &texts)
{
    QList<TerminalRow> rows;
    for (const QString &text : texts)
        rows.append(rowOf(text));
    return rows;
}

void show(TerminalView &view)
{
    view.resize(600, 300);
    view.show();
    view.activateWindow();
    QVERIFY(QTest::qWaitForWindowExposed(&view, 30000));
    QVERIFY(QTest::qWaitForWindowActive(&view, 30000));
    view.setFocus();
    QTRY_COMPARE(view.terminalScreen().size(), view.fittingSize());
}

QPoint cellAt(const TerminalView &view, int row, int column)
{
    const QSize cell = view.canvas().cellSize();
    return {TerminalView::margin + column * cell.width() + 1, row * cell.height() + cell.height() / 2};
}

} // namespace

class TerminalViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatChangedIsDrawn();
    void rowsThatMovedAreMoved();
    void aScreenWithALastLineOfItsOwnIsMovedAboveIt();
    void cellsOfTheirOwnWidthAreDrawnAlone();
    void coloursAreLegible_data();
    void coloursAreLegible();
    void whatWasMovedAndMendedIsAsDrawnAnew_data();
    void whatWasMovedAndMendedIsAsDrawnAnew();
    void theSizeFollowsTheWidget();
    void keysAreTyped();
    void keysOfTheWindowStillWork();
    void withoutTheKeyboardNothingIsTyped();
    void answersAreTypedOnlyWhenWanted();
    void newOutputKeepsTheViewWhereItIs();
    void typingGoesToTheEnd();
    void aWordAndALineAreSelectedAndCopied();
    void aBrokenLineIsCopiedWhole();
    void aSelectionEndsWhenItsTextChanges();
    void aPasteIsTyped();
    void anInputMethodTypesWhatItSettled();
    void wheelInAnAlternateScreenSendsArrows();
    void theKeyboardLeavesIt();
    void screenReadersReadIt();
};

void TerminalViewTest::onlyWhatChangedIsDrawn()
{
    TerminalPainter painter;
    CountingCanvas canvas;
    painter.draw(canvas, {}, rowsOf({u"$ pri"_s, u"two"_s}), Qt::white, true);
    QCOMPARE(canvas.texts, QStringList({u"$"_s, u"pri"_s, u"two"_s}));
    canvas = {};
    painter.draw(canvas, {}, rowsOf({u"$ prin"_s, u"two"_s}), Qt::white, false);
    QCOMPARE(canvas.texts, QStringList({u"n"_s}));
    QCOMPARE(canvas.filled, 0);
    canvas = {};
    painter.draw(canvas, {}, rowsOf({u"$ prin"_s, QString()}), Qt::white, false);
    QCOMPARE(canvas.texts, QStringList());
    QCOMPARE(canvas.filled, 3);
}

void TerminalViewTest::rowsThatMovedAreMoved()
{
    TerminalPainter painter;
    CountingCanvas canvas;
    painter.draw(canvas, {}, rowsOf({u"one"_s, u"two"_s, u"three"_s, u"four"_s}), Qt::white, true);
    canvas = {};
    painter.draw(canvas, {}, rowsOf({u"two"_s, u"three"_s, u"four"_s, u"five"_s}), Qt::white, false);
    QCOMPARE(canvas.scrolls.size(), 1);
    QCOMPARE(canvas.scrolls[0].second, -20);
    QCOMPARE(canvas.texts, QStringList({u"five"_s}));
    // And back.
    canvas = {};
    painter.draw(canvas, {}, rowsOf({u"one"_s, u"two"_s, u"three"_s, u"four"_s}), Qt::white, false);
    QCOMPARE(canvas.scrolls[0].second, 20);
    QCOMPARE(canvas.texts, QStringList({u"one"_s}));
}

void TerminalViewTest::aScreenWithALastLineOfItsOwnIsMovedAboveIt()
{
    TerminalPainter painter;
    CountingCanvas canvas;
    painter.draw(canvas, {}, rowsOf({u"one"_s, u"two"_s, u"three"_s, u"four"_s, u"train.py 1%"_s}), Qt::white,
                 true);
    canvas = {};
    painter.draw(canvas, {}, rowsOf({u"two"_s, u"three"_s, u"four"_s, u"five"_s, u"train.py 2%"_s}),
                 Qt::white, false);
    QCOMPARE(canvas.scrolls.size(), 1);
    QCOMPARE(canvas.scrolls[0].first, QRect(0, 0, 800, 80));
    QCOMPARE(canvas.texts, QStringList({u"five"_s, u"2"_s}));
}

void TerminalViewTest::cellsOfTheirOwnWidthAreDrawnAlone()
{
    TerminalPainter painter;
    CountingCanvas canvas;
    TerminalRow row = rowOf(u"ab"_s);
    row[2].characters[0] = U'训';
    row[2].width = 2;
    row[3].characters[0] = 0;
    row[3].width = 0;
    row[4].characters = {U'e', 0x301, 0};
    row[5].characters[0] = U'训'; // Of one cell, as the emulator has it.
    painter.draw(canvas, {}, {row}, Qt::white, true);
    QCOMPARE(canvas.texts, QStringList({u"ab训"_s, u"e\u0301"_s, u"训"_s}));
}

void TerminalViewTest::coloursAreLegible_data()
{
    QTest::addColumn<QColor>("base");
    QTest::addColumn<QColor>("text");
    QTest::newRow("light") << QColor(Qt::white) << QColor(Qt::black);
    QTest::newRow("dark") << QColor(0x1E1E1E) << QColor(0xDCDCDC);
}

void TerminalViewTest::coloursAreLegible()
{
    QFETCH(QColor, base);
    QFETCH(QColor, text);
    QPalette palette;
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::Text, text);
    const TerminalColors colors{LogPalette(palette)};
    QList<LogColor> asked{{}, {LogColor::Kind::Rgb, 0x808080}};
    for (quint32 index = 0; index < 256; index += index < 16 ? 1 : 7)
        asked.append({LogColor::Kind::Indexed, index});
    for (const LogColor &foreground : std::as_const(asked)) {
        for (const LogColor &background : std::as_const(asked)) {
            for (const bool isInverse : {false, true}) {
                TerminalCell cell;
                cell.style = {foreground, background};
                cell.isInverse = isInverse;
                const TextStyle style = colors.style(cell);
                QVERIFY(contrastRatio(style.foreground, style.background) >= 4.4);
                const TextStyle cursor = colors.cursor(style, true);
                QVERIFY(contrastRatio(cursor.background, style.background) >= 4.4);
            }
        }
    }
    TerminalCell inverse;
    inverse.isInverse = true;
    QCOMPARE(colors.style({}).background, base);
    QCOMPARE(colors.style(inverse).background, text);
}

void TerminalViewTest::whatWasMovedAndMendedIsAsDrawnAnew_data()
{
    QTest::addColumn<CanvasKind>("kind");
    QTest::newRow("raster") << CanvasKind::Raster;
    QTest::newRow("glyphs") << CanvasKind::Glyphs;
    QTest::newRow("bitmaps") << CanvasKind::Bitmaps;
}

void TerminalViewTest::whatWasMovedAndMendedIsAsDrawnAnew()
{
    QFETCH(CanvasKind, kind);
    setCanvasKind(kind);
    TerminalView view;
    setCanvasKind(CanvasKind::BestForDisplay);
    view.setTakesKeys(true);
    show(view);
    const auto onScreen = [&view] {
        // Once all is drawn that is to be.
        const bool isDrawn = QTest::qWaitFor([] { return FramePacer::instance().isIdle(); }, 30000);
        QCoreApplication::processEvents();
        return isDrawn ? view.screen()->grabWindow(view.winId()).toImage() : QImage();
    };
    QByteArrayList steps{"step 1 训练 \x1b[31mred\x1b[m \x1b[7minverse\x1b[m e\u0301 ",
                         "\r\n\x1b[44mbehind\x1b[m\x1b[1;4m bold\x1b[m",
                         "\x1b[H\x1b[3P训\x1b[1;5Hx",
                         "\x1b[?1049h\x1b[2J\x1b[2;5r\x1b[5;1Hone\r\ntwo 训\r\nthree\r\nfour\r\nfive",
                         "\x1b[5;1H\n\n",
                         "\x1b[2;1H\x1bM\x1bMback 练",
                         "\x1b[r\x1b[?1049l"};
    steps.append("\x1b[99;1H:\x1b[K");
    steps.append("\r\x1b[Kof a pager\r\n:\x1b[K");
    for (int line = 0; line < 8; ++line)
        steps.append("\r\n" + QByteArray::number(line * 1234567) + (line % 3 == 0 ? " 损失" : ""));
    const auto isAsAnew = [&] {
        const QImage mended = onScreen();
        QEvent change(QEvent::PaletteChange);
        QApplication::sendEvent(&view, &change);
        const QImage anew = onScreen();
        return !anew.isNull() && mended == anew;
    };
    for (const QByteArray &step : std::as_const(steps)) {
        view.write(step, false);
        QVERIFY2(isAsAnew(), step.constData());
    }
    QTest::keyClick(&view, Qt::Key_PageUp, Qt::ShiftModifier);
    QVERIFY(isAsAnew());
    QTest::keyClick(&view, Qt::Key_End, Qt::ShiftModifier | Qt::ControlModifier);
    QVERIFY(isAsAnew());
}

void TerminalViewTest::theSizeFollowsTheWidget()
{
    TerminalView view;
    QSignalSpy sizes(&view, &TerminalView::sizeChanged);
    show(view);
    QCOMPARE(sizes.size(), 1);
    const TerminalSize before = view.terminalScreen().size();
    const QSize cell = view.canvas().cellSize();
    view.resize(view.width() + 5 * cell.width(), view.height() - 2 * cell.height());
    QTRY_COMPARE(view.terminalScreen().size(), (TerminalSize{before.rows - 2, before.columns + 5}));
    QCOMPARE(sizes.size(), 2);
    QCOMPARE(sizes[1][0].value<TerminalSize>(), view.terminalScreen().size());
}

void TerminalViewTest::keysAreTyped()
{
    TerminalView view;
    view.setTakesKeys(true);
    show(view);
    QByteArray typed;
    connect(&view, &TerminalView::typed, this, [&](const QByteArray &bytes) { typed += bytes; });
    QTest::keyClicks(&view, u"p x"_s);
    QTest::keyClick(&view, Qt::Key_Return);
    QTest::keyClick(&view, Qt::Key_Tab);
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    QTest::keyClick(&view, Qt::Key_Up);
    QCOMPARE(typed, QByteArray("p x\r\t\x03\x1b[A"));
    QVERIFY(view.hasFocus());
}

void TerminalViewTest::keysOfTheWindowStillWork()
{
    QWidget window;
    auto *const layout = new QVBoxLayout(&window);
    auto *const view = new TerminalView;
    layout->addWidget(view);
    window.resize(600, 300);
    int copies = 0;
    int grids = 0;
    auto *const copy = new QAction(&window);
    copy->setShortcut(Qt::CTRL | Qt::Key_P);
    connect(copy, &QAction::triggered, this, [&] { ++copies; });
    auto *const grid = new QAction(&window);
    grid->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_D);
    connect(grid, &QAction::triggered, this, [&] { ++grids; });
    window.addActions({copy, grid});
    view->setTakesKeys(true);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, 30000));
    view->setFocus();
    QSignalSpy typed(view, &TerminalView::typed);
    QTest::keyClick(view, Qt::Key_P, Qt::ControlModifier);
    QCOMPARE(copies, 0);
    QCOMPARE(typed.size(), 1);
    QCOMPARE(typed[0][0].toByteArray(), QByteArray("\x10"));
    QTest::keyClick(view, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(grids, 1);
    QCOMPARE(typed.size(), 1);
    view->setTakesKeys(false);
    QTest::keyClick(view, Qt::Key_P, Qt::ControlModifier);
    QCOMPARE(copies, 1);
}

void TerminalViewTest::withoutTheKeyboardNothingIsTyped()
{
    TerminalView view;
    show(view);
    QSignalSpy typed(&view, &TerminalView::typed);
    QTest::keyClicks(&view, u"abc"_s);
    QApplication::clipboard()->setText(u"pasted"_s);
    view.paste();
    QInputMethodEvent input;
    input.setCommitString(u"训"_s);
    QApplication::sendEvent(&view, &input);
    QCOMPARE(typed.size(), 0);
}

void TerminalViewTest::answersAreTypedOnlyWhenWanted()
{
    TerminalView view;
    QSignalSpy typed(&view, &TerminalView::typed);
    view.write("\x1b[6n", false);
    QCOMPARE(typed.size(), 0);
    view.write("\x1b[6n", true);
    QCOMPARE(typed.size(), 1);
    QCOMPARE(typed[0][0].toByteArray(), QByteArray("\x1b[1;1R"));
}

void TerminalViewTest::newOutputKeepsTheViewWhereItIs()
{
    TerminalView view;
    show(view);
    for (int line = 0; line < 100; ++line)
        view.write(QByteArray::number(line) + "\r\n", false);
    QVERIFY(view.isFollowing());
    QTest::keyClick(&view, Qt::Key_PageUp, Qt::ShiftModifier);
    QVERIFY(!view.isFollowing());
    const QString before = view.visibleText();
    view.write("more\r\nand more\r\n", false);
    QCOMPARE(view.visibleText(), before);
    QTest::keyClick(&view, Qt::Key_End, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(view.isFollowing());
    QVERIFY(view.visibleText().endsWith(u"and more"_s));
    QTest::keyClick(&view, Qt::Key_Home, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(view.visibleText().startsWith(u"0\n1\n"_s));
}

void TerminalViewTest::typingGoesToTheEnd()
{
    TerminalView view;
    view.setTakesKeys(true);
    show(view);
    view.write(QByteArray("line\r\n").repeated(100), false);
    QTest::keyClick(&view, Qt::Key_PageUp, Qt::ShiftModifier);
    QVERIFY(!view.isFollowing());
    QTest::keyClick(&view, Qt::Key_X);
    QVERIFY(view.isFollowing());
}

void TerminalViewTest::aWordAndALineAreSelectedAndCopied()
{
    TerminalView view;
    show(view);
    view.write("loss 0.25 训练 /tmp/a.txt   \r\nnext", false);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, cellAt(view, 0, 17));
    view.copy();
    QCOMPARE(QApplication::clipboard()->text(), u"/tmp/a.txt"_s);
    QTest::mouseClick(&view, Qt::LeftButton, {}, cellAt(view, 0, 17));
    view.copy();
    QCOMPARE(QApplication::clipboard()->text(), u"loss 0.25 训练 /tmp/a.txt"_s);
    QTest::mousePress(&view, Qt::LeftButton, {}, cellAt(view, 0, 10));
    QTest::mouseMove(&view, cellAt(view, 1, 2));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, cellAt(view, 1, 2));
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QApplication::clipboard()->text(), u"训练 /tmp/a.txt\nne"_s);
    view.selectAll();
    view.copy();
    QCOMPARE(QApplication::clipboard()->text(), u"loss 0.25 训练 /tmp/a.txt\nnext"_s);
}

void TerminalViewTest::aBrokenLineIsCopiedWhole()
{
    TerminalView view;
    show(view);
    const QByteArray word(view.terminalScreen().size().columns + 7, 'x');
    view.write(word + "\r\nnext", false);
    view.selectAll();
    view.copy();
    QCOMPARE(QApplication::clipboard()->text(), QString::fromUtf8(word) + u"\nnext"_s);
}

void TerminalViewTest::aSelectionEndsWhenItsTextChanges()
{
    TerminalView view;
    show(view);
    view.write("one two\r\n", false);
    view.setSelection({{0, 0}, {0, 3}});
    view.write("more\r\n", false);
    QVERIFY(!view.selection().isEmpty());
    view.write("\x1b[HONE", false);
    QVERIFY(view.selection().isEmpty());
}

void TerminalViewTest::aPasteIsTyped()
{
    TerminalView view;
    view.setTakesKeys(true);
    show(view);
    QSignalSpy typed(&view, &TerminalView::typed);
    QApplication::clipboard()->setText(u"a\nb\x1b[31m"_s);
    QTest::keyClick(&view, Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(typed.last()[0].toByteArray(), QByteArray("a\rb[31m"));
    if (!QApplication::clipboard()->supportsSelection())
        QSKIP("no primary selection here");
    QApplication::clipboard()->setText(u"chosen"_s, QClipboard::Selection);
    QTest::keyClick(&view, Qt::Key_Insert, Qt::ShiftModifier);
    QCOMPARE(typed.last()[0].toByteArray(), QByteArray("chosen"));
    QTest::mouseClick(&view, Qt::MiddleButton, {}, cellAt(view, 0, 0));
    QCOMPARE(typed.size(), 3);
    QCOMPARE(typed.last()[0].toByteArray(), QByteArray("chosen"));
}

void TerminalViewTest::anInputMethodTypesWhatItSettled()
{
    TerminalView view;
    view.setTakesKeys(true);
    show(view);
    view.write(">>> ", false);
    QSignalSpy typed(&view, &TerminalView::typed);
    QInputMethodEvent asking(u"xun"_s, {});
    QApplication::sendEvent(&view, &asking);
    QCOMPARE(typed.size(), 0);
    QInputMethodEvent settled;
    settled.setCommitString(u"训练"_s);
    QApplication::sendEvent(&view, &settled);
    QCOMPARE(typed.size(), 1);
    QCOMPARE(typed[0][0].toByteArray(), QByteArray("训练"));
    const QRect cursor = view.inputMethodQuery(Qt::ImCursorRectangle).toRect();
    QVERIFY(cursor.contains(cellAt(view, 0, 4)));
}

void TerminalViewTest::wheelInAnAlternateScreenSendsArrows()
{
    TerminalView view;
    view.setTakesKeys(true);
    show(view);
    QSignalSpy typed(&view, &TerminalView::typed);
    view.write("\x1b[?1049h", false);
    const QPointF middle = view.rect().center();
    QWheelEvent turn(middle, view.mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                     Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &turn);
    QCOMPARE(typed.size(), 1);
    QCOMPARE(typed[0][0].toByteArray(), QByteArray("\x1b[B\x1b[B\x1b[B"));
}

void TerminalViewTest::theKeyboardLeavesIt()
{
    QWidget window;
    auto *const layout = new QVBoxLayout(&window);
    auto *const one = new TerminalView;
    auto *const two = new TerminalView;
    layout->addWidget(one);
    layout->addWidget(two);
    one->setTakesKeys(true);
    two->setTakesKeys(true);
    window.resize(600, 400);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, 30000));
    one->setFocus();
    QTest::keyClick(one, Qt::Key_Tab);
    QVERIFY(one->hasFocus());
    QTest::keyClick(one, Qt::Key_Tab, Qt::ControlModifier);
    QVERIFY(two->hasFocus());
    QTest::keyClick(two, Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(one->hasFocus());
    QSignalSpy wanted(one, &TerminalView::neighbourRequested);
    QTest::keyClick(one, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toInt(), int(Qt::Key_Down));
}

void TerminalViewTest::screenReadersReadIt()
{
    TerminalView view;
    view.setTitle(u"rank 3"_s);
    view.write("(Pdb) p 训练", false);
    QAccessibleInterface *const reader = QAccessible::queryAccessibleInterface(&view);
    QVERIFY(reader);
    QCOMPARE(reader->role(), QAccessible::Terminal);
    QCOMPARE(reader->text(QAccessible::Name), u"Terminal of rank 3"_s);
    QCOMPARE(reader->text(QAccessible::Value), u"(Pdb) p 训练"_s);
    QVERIFY(reader->text(QAccessible::Description).contains(u"Ctrl+Tab"_s));
    QVERIFY(reader->state().readOnly);
}

} // namespace tst_terminalview

RANKDECK_WINDOW_TEST(tst_terminalview, TerminalViewTest)
#include "tst_terminalview.moc"
