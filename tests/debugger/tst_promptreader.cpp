#include "debugger/promptreader.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_promptreader
{

using namespace rankdeck;

class PromptReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void promptsAreSeen_data();
    void promptsAreSeen();
    void whatIsTypedKeepsThePrompt();
    void thePlaceIsThatOfTheLastStop();
    void anInterpreterStandsNowhere();
    void aPatternAddsAPrompt();
    void ofAFloodOnlyTheEndCounts();
};

/// pdb, ipdb and gdb as they were recorded on a pseudo-terminal, shortened; the others by what is known of
/// them.
void PromptReaderTest::promptsAreSeen_data()
{
    QTest::addColumn<QByteArray>("printed");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("function");
    QTest::newRow("pdb") << QByteArray("start\r\n> /tmp/t1.py(7)<module>()\r\n-> f(3)\r\n(Pdb) ") << "(Pdb)"
                         << "/tmp/t1.py" << 7 << "<module>";
    QTest::newRow("pdb at a return")
        << QByteArray("--Return--\r\n> /tmp/a (copy).py(12)f()->None\r\n-> return\r\n(Pdb) ") << "(Pdb)"
        << "/tmp/a (copy).py" << 12 << "f";
    QTest::newRow("pdb in pdb") << QByteArray("> <string>(1)<module>()\r\n((Pdb)) ") << "((Pdb))"
                                << "<string>" << 1 << "<module>";
    QTest::newRow("ipdb")
        << QByteArray("> \x1b[0;32m/tmp/t2.py\x1b[0m(8)\x1b[0;36m<module>\x1b[0;34m()\x1b[0m\r\n"
                      "\x1b[0;32m      7 \x1b[0;31m\x1b[0mf\x1b[0m\r\n\x1b[0m\r\n"
                      "\x1b[6n\x1b[?2004h\x1b[?1l\x1b[?25l\x1b[0m\x1b[?7l\x1b[0m\x1b[J\x1b[0;32mipdb> "
                      "\x1b[6D\x1b[6C\x1b[?7h\x1b[0m\x1b[?12l\x1b[?25h")
        << "ipdb>"
        << "/tmp/t2.py" << 8 << "<module>";
    QTest::newRow("ipdb, which knows where the cursor is")
        << QByteArray("> \x1b[0;32m/tmp/t2.py\x1b[0m(8)\x1b[0;36m<module>\x1b[0;34m()\x1b[0m\r\n\r\n"
                      "\x1b[6n\x1b[?2004h\x1b[?25l\x1b[0m\x1b[?7l\x1b[0m\x1b[J\x1b[0;32mipdb> \x1b[6D\x1b[6C"
                      "\x1b[?7h\x1b[0m\x1b[?12l\x1b[?25h\x1b[?25l\x1b[?7l\x1b[6D\x1b[0;32mipdb> \x1b[0m\r\r\n"
                      "\r\r\n\x1b[0m \b\x1b[2A\x1b[6C\x1b[?7h\x1b[0m\x1b[?12l\x1b[?25h")
        << "ipdb>"
        << "/tmp/t2.py" << 8 << "<module>";
    QTest::newRow("gdb at a breakpoint")
        << QByteArray("Breakpoint 1.1, \x1b[33mstep\x1b[m (\x1b[36mn\x1b[m=1) at \x1b[32mloop.c\x1b[m:4\r\n"
                      "4\t    n \x1b[31m+=\x1b[m \x1b[35m1\x1b[m\x1b[31m;\x1b[m\r\n"
                      "\x1b[?2004h\x1b[?2004l\r\x1b[?2004h(gdb) ")
        << "(gdb)"
        << "loop.c" << 4 << "step";
    QTest::newRow("gdb after next")
        << QByteArray("Breakpoint 1, \x1b[33mstep\x1b[m (\x1b[36mn\x1b[m=1) at \x1b[32mloop.c\x1b[m:4\r\n"
                      "4\t    n\r\n\x1b[?2004h(gdb) next\r\n"
                      "\x1b[?2004l\r5\t    \x1b[01;34mreturn\x1b[m n\x1b[31m;\x1b[m\r\n\x1b[?2004h(gdb) ")
        << "(gdb)"
        << "loop.c" << 5 << "step";
    QTest::newRow("gdb, a frame up")
        << QByteArray(
               "\x1b[?2004l\r#1  \x1b[34m0x0000555555555171\x1b[m in \x1b[33mmain\x1b[m "
               "(\x1b[36margc\x1b[m=1, \x1b[36margv\x1b[m=0x7fffffffe5c8) at \x1b[32mloop.c\x1b[m:11\r\n"
               "11\t        x \x1b[31m=\x1b[m \x1b[01mstep\x1b[m(x);\r\n\x1b[?2004h(gdb) ")
        << "(gdb)"
        << "loop.c" << 11 << "main";
    QTest::newRow("gdb without symbols") << QByteArray("0x00007f in select () from /lib/libc.so.6\r\n(gdb) ")
                                         << "(gdb)" << QString() << 0 << QString();
    QTest::newRow("lldb") << QByteArray("(lldb) ") << "(lldb)" << QString() << 0 << QString();
    QTest::newRow("python") << QByteArray("Python 3.11.2\r\n>>> ") << ">>>" << QString() << 0 << QString();
    QTest::newRow("ipython") << QByteArray("\x1b[?25l\x1b[0;38;5;28mIn [\x1b[0;92m12\x1b[0;38;5;28m]: ")
                             << "In [12]:" << QString() << 0 << QString();
    QTest::newRow("an editor") << QByteArray("\x1b[2J\x1b[H(Pdb) \r\n~\r\n~\x1b[1;1H") << QString()
                               << QString() << 0 << QString();
    QTest::newRow("text below it") << QByteArray("(Pdb) \r\nmore\x1b[A\r") << QString() << QString() << 0
                                   << QString();
    QTest::newRow("a title") << QByteArray("\x1b]0;(Pdb) \x07$ ") << QString() << QString() << 0 << QString();
    QTest::newRow("drawn over") << QByteArray("(Pdb) \r\x1b[Kdone") << QString() << QString() << 0
                                << QString();
    QTest::newRow("nothing yet") << QByteArray() << QString() << QString() << 0 << QString();
    QTest::newRow("a line that has ended")
        << QByteArray("(Pdb) \r\n") << QString() << QString() << 0 << QString();
    QTest::newRow("words") << QByteArray("the (Pdb) prompt") << QString() << QString() << 0 << QString();
    QTest::newRow("a number that is none")
        << QByteArray("> f(99999999999999)g()\r\n(Pdb) ") << "(Pdb)" << QString() << 0 << QString();
}

void PromptReaderTest::promptsAreSeen()
{
    QFETCH(QByteArray, printed);
    QFETCH(QString, word);
    QFETCH(QString, file);
    QFETCH(int, line);
    QFETCH(QString, function);
    // In whatever pieces it comes.
    for (const qsizetype piece : {qsizetype(1), qsizetype(7), printed.size() + 1}) {
        PromptReader reader;
        for (qsizetype at = 0; at < printed.size(); at += piece)
            reader.take(printed.mid(at, piece));
        const auto prompt = reader.prompt();
        QCOMPARE(prompt.has_value(), !word.isEmpty());
        QCOMPARE(reader.isIdle(), !word.isEmpty());
        if (!prompt)
            continue;
        QCOMPARE(prompt->word, word);
        QCOMPARE(prompt->file, file);
        QCOMPARE(prompt->line, line);
        QCOMPARE(prompt->function, function);
    }
}

void PromptReaderTest::whatIsTypedKeepsThePrompt()
{
    PromptReader reader;
    reader.take("(Pdb) ");
    QVERIFY(reader.isIdle());
    reader.take("p sha");
    QVERIFY(reader.prompt());
    QVERIFY(!reader.isIdle());
    reader.take("\r\n");
    QVERIFY(!reader.prompt());
    reader.take("128\r\n(Pdb) ");
    QVERIFY(reader.prompt());
    QVERIFY(reader.isIdle());
}

void PromptReaderTest::thePlaceIsThatOfTheLastStop()
{
    PromptReader reader;
    reader.take("> /tmp/t.py(3)f()\r\n-> x\r\n(Pdb) n\r\n> /tmp/t.py(4)f()\r\n-> y\r\n(Pdb) ");
    QCOMPARE(reader.prompt()->place(), u"t.py:4"_s);
    // A long answer does not take it away.
    reader.take("p 'x' * 20000\r\n" + QByteArray(20000, 'x') + "\r\n(Pdb) ");
    QCOMPARE(reader.prompt()->place(), u"t.py:4"_s);

    PromptReader native;
    native.take("Breakpoint 1, step (n=3) at /src/loop.c:17\r\n17\t  n++;\r\n(gdb) ");
    QCOMPARE(native.prompt()->place(), u"loop.c:17"_s);
    native.take("next\r\n18\t  return n;\r\n(gdb) ");
    QCOMPARE(native.prompt()->place(), u"loop.c:18"_s);
    QCOMPARE(native.prompt()->function, u"step"_s);
}

void PromptReaderTest::anInterpreterStandsNowhere()
{
    PromptReader reader;
    reader.take("> /tmp/t.py(3)f()\r\n(Pdb) interact\r\n*interactive*\r\n>>> ");
    QCOMPARE(reader.prompt()->word, u">>>"_s);
    QVERIFY(reader.prompt()->place().isEmpty());
}

void PromptReaderTest::aPatternAddsAPrompt()
{
    PromptReader reader(u"\\(rank \\d+ dbg\\) "_s);
    reader.take("(rank 3 dbg) ");
    QCOMPARE(reader.prompt()->word, u"(rank 3 dbg)"_s);
    QVERIFY(reader.isIdle());
    reader.take("\r\n(Pdb) ");
    QCOMPARE(reader.prompt()->word, u"(Pdb)"_s);
    // One that is none is none.
    PromptReader broken(u"("_s);
    broken.take("( ");
    QVERIFY(!broken.prompt());
}

void PromptReaderTest::ofAFloodOnlyTheEndCounts()
{
    PromptReader reader;
    const QByteArray chunk = QByteArray(65536, 'x');
    for (int count = 0; count < 100; ++count)
        reader.take(chunk);
    QVERIFY(!reader.prompt());
    reader.take("\r\n(gdb) ");
    QCOMPARE(reader.prompt()->word, u"(gdb)"_s);
}

} // namespace tst_promptreader

RANKDECK_TEST(tst_promptreader, PromptReaderTest)
#include "tst_promptreader.moc"
