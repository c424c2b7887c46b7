#include "support/testmain.h"
#include "terminal/screen/terminalkeys.h"
#include "terminal/screen/terminalscreen.h"

#include <QRandomGenerator>
#include <QTest>

namespace tst_terminalscreen
{

using namespace rankdeck;

namespace
{

QString textOf(const TerminalScreen &screen)
{
    QStringList lines;
    for (qint64 line = screen.topLine(); line < screen.endLine(); ++line)
        lines.append(screen.line(line).text());
    while (!lines.isEmpty() && lines.constLast().isEmpty())
        lines.removeLast();
    return lines.join('\n'_L1);
}

LogColor indexed(quint32 index)
{
    return {LogColor::Kind::Indexed, index};
}

} // namespace

class TerminalScreenTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void coloursAndAttributesAreKept_data();
    void coloursAndAttributesAreKept();
    void aWideCharacterTakesTwoCells();
    void aMarkStaysWithItsCharacter();
    void whatScrollsOffIsKept();
    void theHistoryIsBounded();
    void aHistoryLineIsWhatTheScreenShowed();
    void theAlternateScreenLeavesNoTrace();
    void aLargerScreenTakesLinesBack();
    void sizesAreBounded();
    void queriesAreAnswered_data();
    void queriesAreAnswered();
    void answersAreBounded();
    void theTitleIsTextOnly();
    void theCursorCanBeHidden();
    void keysSendWhatTerminalsSend_data();
    void keysSendWhatTerminalsSend();
    void arrowsFollowTheProgramsMode();
    void keysOfTheWindowAreLeftToIt_data();
    void keysOfTheWindowAreLeftToIt();
    void aPasteIsHarmless();
    void aPasteIsBracketedWhereAskedFor();
    void aRemarkStandsOnALineOfItsOwn();
    void aCutCharacterIsPutTogether();
    void fullLinesAreKnown();
    void aCharacterIsRepeated_data();
    void aCharacterIsRepeated();
    void theCursorStaysOnAScreenThatShrinks();
    void aRestoredCursorStaysOnTheScreen();
    void brokenTextIsMarkedAsSuch();
    void sequencesAreBounded();
    void anythingIsTaken();
};

void TerminalScreenTest::coloursAndAttributesAreKept_data()
{
    QTest::addColumn<QByteArray>("codes");
    QTest::addColumn<LogStyle>("style");
    QTest::newRow("red") << QByteArray("31") << LogStyle{indexed(1), {}};
    QTest::newRow("bright") << QByteArray("96") << LogStyle{indexed(14), {}};
    QTest::newRow("background") << QByteArray("44") << LogStyle{{}, indexed(4)};
    QTest::newRow("256") << QByteArray("38;5;208") << LogStyle{indexed(208), {}};
    QTest::newRow("256 behind") << QByteArray("48;5;17") << LogStyle{{}, indexed(17)};
    QTest::newRow("RGB") << QByteArray("38;2;1;2;255")
                         << LogStyle{LogColor{LogColor::Kind::Rgb, 0x0102FF}, {}};
    QTest::newRow("RGB with colons") << QByteArray("38:2:1:2:255")
                                     << LogStyle{LogColor{LogColor::Kind::Rgb, 0x0102FF}, {}};
    QTest::newRow("bold") << QByteArray("1") << LogStyle{{}, {}, true, false};
    QTest::newRow("underlined") << QByteArray("4") << LogStyle{{}, {}, false, true};
    QTest::newRow("all off") << QByteArray("1;4;31;44;0") << LogStyle{};
}

void TerminalScreenTest::coloursAndAttributesAreKept()
{
    QFETCH(QByteArray, codes);
    QFETCH(LogStyle, style);
    TerminalScreen screen;
    screen.write("a\x1b[" + codes + "mx\x1b[mb");
    const TerminalLine line = screen.line(0);
    QCOMPARE(line.text(), u"axb"_s);
    QVERIFY(line.cells[1].style == style);
    QVERIFY(line.cells[0].style == LogStyle() && line.cells[2].style == LogStyle());
    screen.write("\r\n\x1b[7mi");
    QVERIFY(screen.line(1).cells[0].isInverse);
}

void TerminalScreenTest::aWideCharacterTakesTwoCells()
{
    TerminalScreen screen({4, 6});
    screen.write("a训练b");
    const TerminalLine line = screen.line(0);
    QCOMPARE(line.text(), u"a训练b"_s);
    QCOMPARE(line.cells.size(), 6);
    QCOMPARE(line.cells[1].width, quint8(2));
    QCOMPARE(line.cells[2].width, quint8(0));
    QCOMPARE(line.text(1, 3), u"训"_s);
    screen.write("\r\nabcde训");
    QCOMPARE(textOf(screen), u"a训练b\nabcde\n训"_s);
    // Half of one is none.
    screen.write("\x1b[1;2Hx\x1b[1;4Hyz");
    QCOMPARE(screen.line(0).text(), u"ax yzb"_s);
}

void TerminalScreenTest::aMarkStaysWithItsCharacter()
{
    TerminalScreen screen;
    screen.write("e\u0301x");
    QCOMPARE(screen.line(0).text(), u"e\u0301x"_s);
    QCOMPARE(screen.cursorPlace().column, 2);
}

void TerminalScreenTest::whatScrollsOffIsKept()
{
    TerminalScreen screen({3, 20});
    for (int line = 0; line < 10; ++line)
        screen.write("line " + QByteArray::number(line) + "\r\n");
    QCOMPARE(screen.firstLine(), 0);
    QCOMPARE(screen.topLine(), 8);
    QCOMPARE(screen.line(0).text(), u"line 0"_s);
    QCOMPARE(screen.line(7).text(), u"line 7"_s);
    QCOMPARE(textOf(screen), u"line 8\nline 9"_s);
    QCOMPARE(screen.line(-1), TerminalLine());
    QCOMPARE(screen.line(11), TerminalLine());
}

void TerminalScreenTest::theHistoryIsBounded()
{
    TerminalScreen screen({3, 20});
    QByteArray text;
    const int lines = TerminalHistory::mostLines + 500;
    for (int line = 0; line < lines; ++line)
        text += QByteArray::number(line) + "\r\n";
    screen.write(text);
    QCOMPARE(screen.topLine(), lines - 2);
    QCOMPARE(screen.firstLine(), screen.topLine() - TerminalHistory::mostLines);
    QCOMPARE(screen.line(screen.firstLine()).text(), QString::number(screen.firstLine()));
    QCOMPARE(screen.line(screen.firstLine() - 1), TerminalLine());
}

void TerminalScreenTest::aHistoryLineIsWhatTheScreenShowed()
{
    TerminalScreen screen({2, 30});
    screen.write("\x1b[1;31mE\x1b[0m e\u0301 训练 \x1b[48;2;1;2;3m  \x1b[0m\x1b[7m \x1b[0m end\r\n");
    const TerminalLine before = screen.line(0);
    QCOMPARE(before.text(), u"E e\u0301 训练     end"_s);
    screen.write("\r\n\r\n");
    QVERIFY(screen.topLine() > 0);
    QCOMPARE(screen.line(0), before);
}

void TerminalScreenTest::theAlternateScreenLeavesNoTrace()
{
    TerminalScreen screen({3, 20});
    screen.write("$ vim\r\n");
    screen.write("\x1b[?1049h\x1b[H\x1b[2Jone\r\ntwo\r\nthree\r\nfour");
    QVERIFY(screen.isAlternate());
    QCOMPARE(textOf(screen), u"two\nthree\nfour"_s);
    QCOMPARE(screen.topLine(), 0);
    screen.write("\x1b[?1049l$ ");
    QVERIFY(!screen.isAlternate());
    QCOMPARE(textOf(screen), u"$ vim\n$"_s);
}

void TerminalScreenTest::aLargerScreenTakesLinesBack()
{
    TerminalScreen screen({3, 20});
    screen.write("one\r\ntwo 训\r\nthree\r\nfour\r\n$ ");
    QCOMPARE(screen.topLine(), 2);
    screen.resize({5, 8});
    QCOMPARE(screen.size(), (TerminalSize{5, 8}));
    QCOMPARE(textOf(screen), u"one\ntwo 训\nthree\nfour\n$"_s);
    QCOMPARE(screen.topLine(), 0);
    QCOMPARE(screen.cursorPlace(), (TerminalScreen::Place{4, 2}));
    screen.resize({2, 40});
    QCOMPARE(textOf(screen), u"four\n$"_s);
    QCOMPARE(screen.line(1).text(), u"two 训"_s);
}

void TerminalScreenTest::sizesAreBounded()
{
    TerminalScreen screen({0, -5});
    QCOMPARE(screen.size(), TerminalScreen::leastSize);
    screen.resize({100000, 100000});
    QCOMPARE(screen.size(), TerminalScreen::mostSize);
}

void TerminalScreenTest::queriesAreAnswered_data()
{
    QTest::addColumn<QByteArray>("query");
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("cursor") << QByteArray("\x1b[6n") << QByteArray("\x1b[1;3R");
    QTest::newRow("status") << QByteArray("\x1b[5n") << QByteArray("\x1b[0n");
    QTest::newRow("what kind") << QByteArray("\x1b[c") << QByteArray("\x1b[?1;2c");
    QTest::newRow("text") << QByteArray("text") << QByteArray();
}

void TerminalScreenTest::queriesAreAnswered()
{
    QFETCH(QByteArray, query);
    QFETCH(QByteArray, answer);
    TerminalScreen screen;
    QCOMPARE(screen.write("ab" + query), answer);
    QCOMPARE(screen.write("ab"), QByteArray());
    // Nor does it come with a key.
    QCOMPARE(screen.key(Qt::Key_X, {}, u"x"_s), QByteArray("x"));
}

void TerminalScreenTest::answersAreBounded()
{
    TerminalScreen screen;
    const QByteArray answers = screen.write(QByteArray("\x1b[6n").repeated(100'000));
    QVERIFY(answers.size() <= TerminalScreen::mostAnswers);
}

void TerminalScreenTest::theTitleIsTextOnly()
{
    TerminalScreen screen;
    screen.write("\x1b]2;step 5 训练\x07");
    QCOMPARE(screen.title(), u"step 5 训练"_s);
    screen.write("\x1b]2;" + QByteArray(5000, 'x') + "\x07");
    QVERIFY(screen.title().size() <= TerminalScreen::mostTitle);
    QCOMPARE(screen.line(0), TerminalLine());
}

void TerminalScreenTest::theCursorCanBeHidden()
{
    TerminalScreen screen;
    screen.write("ab");
    QCOMPARE(*screen.cursor(), (TerminalScreen::Place{0, 2}));
    screen.write("\x1b[?25l");
    QVERIFY(!screen.cursor());
    screen.write("\x1b[?25h");
    QVERIFY(screen.cursor());
}

void TerminalScreenTest::keysSendWhatTerminalsSend_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char *name, Qt::Key key, int modifiers, const QString &text,
                        const QByteArray &bytes) {
        QTest::newRow(name) << int(key) << modifiers << text << bytes;
    };
    const int ctrl = Qt::ControlModifier;
    const int alt = Qt::AltModifier;
    const int shift = Qt::ShiftModifier;
    row("letter", Qt::Key_A, 0, u"a"_s, "a");
    row("capital", Qt::Key_A, shift, u"A"_s, "A");
    row("Han", Qt::Key_unknown, 0, u"训"_s, "训");
    row("Enter", Qt::Key_Return, 0, u"\r"_s, "\r");
    row("Enter of the keypad", Qt::Key_Enter, int(Qt::KeypadModifier), u"\r"_s, "\r");
    row("Shift+Enter", Qt::Key_Return, shift, u"\r"_s, "\r");
    row("Backspace", Qt::Key_Backspace, 0, u"\b"_s, "\x7f");
    row("Shift+Backspace", Qt::Key_Backspace, shift, u"\b"_s, "\x7f");
    row("Alt+Backspace", Qt::Key_Backspace, alt, u"\b"_s, "\x1b\x7f");
    row("Escape", Qt::Key_Escape, 0, u"\x1b"_s, "\x1b");
    row("Tab", Qt::Key_Tab, 0, u"\t"_s, "\t");
    row("Shift+Tab", Qt::Key_Backtab, shift, {}, "\x1b[Z");
    row("Ctrl+C", Qt::Key_C, ctrl, u"\x03"_s, "\x03");
    row("Ctrl+D", Qt::Key_D, ctrl, u"\x04"_s, "\x04");
    row("Ctrl+I", Qt::Key_I, ctrl, u"\t"_s, "\t");
    row("Ctrl+J", Qt::Key_J, ctrl, u"\n"_s, "\n");
    row("Ctrl+M", Qt::Key_M, ctrl, u"\r"_s, "\r");
    row("Ctrl+[", Qt::Key_BracketLeft, ctrl, u"\x1b"_s, "\x1b");
    row("Ctrl+Space", Qt::Key_Space, ctrl, u" "_s, QByteArray(1, '\0'));
    row("Ctrl+_", Qt::Key_Underscore, ctrl | shift, {}, "\x1f");
    row("Ctrl+Backslash", Qt::Key_Backslash, ctrl, {}, "\x1c");
    row("Alt+B", Qt::Key_B, alt, u"b"_s,
        "\x1b"
        "b");
    row("Alt+Ctrl+H", Qt::Key_H, alt | ctrl, u"\b"_s, "\x1b\b");
    row("Up", Qt::Key_Up, 0, {}, "\x1b[A");
    row("Ctrl+Left", Qt::Key_Left, ctrl, {}, "\x1b[1;5D");
    row("Home", Qt::Key_Home, 0, {}, "\x1b[H");
    row("End", Qt::Key_End, 0, {}, "\x1b[F");
    row("Delete", Qt::Key_Delete, 0, {}, "\x1b[3~");
    row("Page up", Qt::Key_PageUp, 0, {}, "\x1b[5~");
    row("F1", Qt::Key_F1, 0, {}, "\x1bOP");
    row("F5", Qt::Key_F5, 0, {}, "\x1b[15~");
    row("F12", Qt::Key_F12, 0, {}, "\x1b[24~");
}

void TerminalScreenTest::keysSendWhatTerminalsSend()
{
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(QString, text);
    QFETCH(QByteArray, bytes);
    TerminalScreen screen;
    QVERIFY(isForProgram(key, Qt::KeyboardModifiers(modifiers), text));
    QCOMPARE(screen.key(key, Qt::KeyboardModifiers(modifiers), text), bytes);
}

void TerminalScreenTest::arrowsFollowTheProgramsMode()
{
    TerminalScreen screen;
    screen.write("\x1b[?1h");
    QCOMPARE(screen.key(Qt::Key_Up, {}, {}), QByteArray("\x1bOA"));
    screen.write("\x1b[?1l");
    QCOMPARE(screen.key(Qt::Key_Up, {}, {}), QByteArray("\x1b[A"));
}

void TerminalScreenTest::keysOfTheWindowAreLeftToIt_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    const int ctrl = Qt::ControlModifier;
    const int alt = Qt::AltModifier;
    const int shift = Qt::ShiftModifier;
    QTest::newRow("Ctrl+Shift+C") << int(Qt::Key_C) << (ctrl | shift);
    QTest::newRow("Ctrl+Tab") << int(Qt::Key_Tab) << ctrl;
    QTest::newRow("Ctrl+Shift+Tab") << int(Qt::Key_Backtab) << (ctrl | shift);
    QTest::newRow("Ctrl+1") << int(Qt::Key_1) << ctrl;
    QTest::newRow("Alt+Left") << int(Qt::Key_Left) << alt;
    QTest::newRow("Shift+Page up") << int(Qt::Key_PageUp) << shift;
    QTest::newRow("Shift+Insert") << int(Qt::Key_Insert) << shift;
    QTest::newRow("Ctrl+Alt+Plus") << int(Qt::Key_Plus) << (ctrl | alt);
    QTest::newRow("Shift alone") << int(Qt::Key_Shift) << shift;
}

void TerminalScreenTest::keysOfTheWindowAreLeftToIt()
{
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QVERIFY(!isForProgram(key, Qt::KeyboardModifiers(modifiers), {}));
}

void TerminalScreenTest::aPasteIsHarmless()
{
    TerminalScreen screen;
    QCOMPARE(screen.paste(u"a\tb\r\nc\nd\x1b[201~\x03\x7f\u009b训"_s), QByteArray("a\tb\rc\rd[201~训"));
}

void TerminalScreenTest::aPasteIsBracketedWhereAskedFor()
{
    TerminalScreen screen;
    screen.write("\x1b[?2004h");
    QCOMPARE(screen.paste(u"a\x1b[201~b"_s), QByteArray("\x1b[200~a[201~b\x1b[201~"));
    screen.write("\x1b[?2004l");
    QCOMPARE(screen.paste(u"ab"_s), QByteArray("ab"));
}

void TerminalScreenTest::aRemarkStandsOnALineOfItsOwn()
{
    TerminalScreen screen;
    screen.write("half a line \x1b[3");
    screen.remark(u"98 MB \x1b[31mnot shown"_s);
    screen.write("more");
    QCOMPARE(textOf(screen), u"half a line\n98 MB [31mnot shown\nmore"_s);
    QVERIFY(screen.line(1).cells[0].style.foreground == indexed(8));
    QVERIFY(screen.line(2).cells[0].style == LogStyle());
}

void TerminalScreenTest::aCutCharacterIsPutTogether()
{
    TerminalScreen screen;
    const QByteArray text("训练\x1b[31mx");
    for (const char byte : text)
        screen.write(QByteArray(1, byte));
    QCOMPARE(textOf(screen), u"训练x"_s);
    QVERIFY(screen.line(0).cells[4].style.foreground == indexed(1));
}

void TerminalScreenTest::fullLinesAreKnown()
{
    TerminalScreen screen({3, 5});
    screen.write("abcdefg\r\nxy");
    QVERIFY(screen.line(0).isFull);
    QVERIFY(!screen.line(1).isFull);
    screen.write("\r\n\r\n\r\n");
    QVERIFY(screen.line(0).isFull);
}

void TerminalScreenTest::aCharacterIsRepeated_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("narrow") << QByteArray("-\x1b[4b>") << u"----->"_s;
    QTest::newRow("without a count") << QByteArray("-\x1b[b>") << u"-->"_s;
    QTest::newRow("to the edge") << QByteArray("-\x1b[99b") << QString(11, '-'_L1);
    QTest::newRow("wide, to the edge") << QByteArray("训\x1b[99b") << QString(5, QChar(u'训'));
    QTest::newRow("of a line drawing") << QByteArray("\x1b(0q\x1b[2b") << u"───"_s;
    QTest::newRow("nothing before") << QByteArray("\x1b[5bx") << u"x"_s;
    QTest::newRow("control characters in it") << QByteArray("训\x1b\x7f[\x07"
                                                            "9\x00"
                                                            "9b",
                                                            11)
                                              << QString(5, QChar(u'训'));
    QTest::newRow("another sequence") << QByteArray("a\x1b[1mb") << u"ab"_s;
    QTest::newRow("given up") << QByteArray("a\x1b[3\x18"
                                            "b")
                              << u"ab"_s;
}

void TerminalScreenTest::aCharacterIsRepeated()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    TerminalScreen whole({3, 11});
    whole.write(bytes);
    QCOMPARE(textOf(whole), text);
    TerminalScreen cut({3, 11});
    for (const char byte : bytes)
        cut.write(QByteArray(1, byte));
    QCOMPARE(textOf(cut), text);
}

void TerminalScreenTest::theCursorStaysOnAScreenThatShrinks()
{
    TerminalScreen screen({20, 20});
    screen.write("\x1b[20;1Hlast\x1b[H\x1b[4h");
    screen.resize({10, 30});
    QVERIFY(screen.cursorPlace().line >= screen.topLine());
    screen.write("x");
    QCOMPARE(screen.line(screen.topLine()).text(), u"x"_s);
}

void TerminalScreenTest::aRestoredCursorStaysOnTheScreen()
{
    TerminalScreen screen({30, 40});
    screen.write("\x1b[30;40H\x1b[2;28r\x1b"
                 "7\x1b[30;40H\x1b[s");
    screen.resize({4, 8});
    screen.write("\x1b[4h\x1b"
                 "8");
    QVERIFY(screen.cursorPlace().line < screen.endLine());
    screen.write("x\x1b#3\x1b[uy");
    QVERIFY(textOf(screen).contains('x'_L1));
}

void TerminalScreenTest::brokenTextIsMarkedAsSuch()
{
    TerminalScreen screen;
    // Control characters of 8 bits, in an encoding and as bytes, and a character that is interrupted.
    screen.write("a\xc2\x91"
                 "b\xc1\x93"
                 "c\xe8\xae\x1b[1md");
    QVERIFY(textOf(screen).startsWith(u"ab\uFFFD"_s));
    QVERIFY(textOf(screen).endsWith('d'_L1));
    screen.write("\x1b[4h\xc2\x9f!");
    QVERIFY(textOf(screen).endsWith('!'_L1));
}

void TerminalScreenTest::sequencesAreBounded()
{
    TerminalScreen screen;
    screen.write("\x1b[31" + QByteArray(1000, ':') + QByteArray(1000, ';') + QByteArray(1000, '!') +
                 "m\x1b[" + QByteArray(1000, '9') + ";1Ha\x1b" + QByteArray(1000, '(') + "Bb");
    QCOMPARE(screen.line(screen.endLine() - 1).text(), u"ab"_s);
    // Text ends them.
    screen.write("\r\x1b\xd0\x93\x94\xa1\x1b[2训c");
    QVERIFY(screen.line(screen.endLine() - 1).text().endsWith(u"训c"_s));
    // As many as programs use.
    screen.write("\r\x1b[1;4;38;2;10;20;30;48;2;40;50;60mx");
    const LogStyle style = screen.line(screen.endLine() - 1).cells[0].style;
    QVERIFY(style.bold && style.underline);
    QCOMPARE(style.background.value, 0x28323CU);
}

/// What a fuzzer would try: sequences put together by chance, sizes that change in between.
void TerminalScreenTest::anythingIsTaken()
{
    QRandomGenerator random(20260101);
    const QByteArrayList pieces{"\x1b[",
                                "\x1b]2;",
                                "\x1bP",
                                "\x07",
                                "\x1b\\",
                                ";",
                                ":",
                                "?",
                                "训",
                                "e\u0301",
                                "\x1b[?1049h",
                                "\x1b[?1049l",
                                "\x1b[2;3r",
                                "\x1b[r",
                                "\x1b#3",
                                "\x1b#6",
                                "\x1b[99999999999999999999",
                                "\x1b[6n",
                                "\x1bM",
                                "\x1b"
                                "D",
                                "\n",
                                "\r",
                                "\t",
                                "\x1b[?69h",
                                "\x1b[2;5s",
                                "\x1b[!p",
                                "\x1b"
                                "c",
                                "\x1b[4h",
                                "\x1b(0",
                                "\xff",
                                "\x80",
                                "\x1b[?6h",
                                "\x1b[?1000h",
                                "\x1b[3J",
                                "\x1b[2J",
                                "😀",
                                "\x1b[10b",
                                "\x1b"
                                "7",
                                "\x1b"
                                "8",
                                "\x1b[s",
                                "\x1b[u",
                                "\x9b"};
    const QByteArray finals("@ABCDEFGHIJKLMPSTXZ`abcdefghlmnqrstu");
    TerminalScreen screen({5, 12});
    for (int round = 0; round < 20'000; ++round) {
        QByteArray bytes;
        for (int part = random.bounded(8); part >= 0; --part) {
            switch (random.bounded(4)) {
            case 0:
                bytes += pieces[random.bounded(int(pieces.size()))];
                break;
            case 1:
                bytes += QByteArray::number(random.bounded(30));
                break;
            case 2:
                bytes += finals[random.bounded(int(finals.size()))];
                break;
            default:
                bytes += char(random.bounded(256));
            }
        }
        screen.write(bytes);
        if (random.bounded(20) == 0)
            screen.resize({random.bounded(1, 40), random.bounded(1, 60)});
        QVERIFY(screen.topLine() - screen.firstLine() <= TerminalHistory::mostLines);
        QVERIFY(screen.cursorPlace().column < screen.size().columns);
        for (qint64 line = screen.topLine(); line < screen.endLine(); ++line)
            QVERIFY(screen.line(line).cells.size() <= screen.size().columns);
    }
}

} // namespace tst_terminalscreen

RANKDECK_TEST(tst_terminalscreen, TerminalScreenTest)
#include "tst_terminalscreen.moc"
