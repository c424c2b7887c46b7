#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/evidence/logevidence.h"
#include "diagnosis/evidence/pythontrace.h"
#include "diagnosis/verdict/handmadecase.h"
#include "support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_pythontrace
{

using namespace rankdeck;

namespace
{

QString frameOf(const QStringList &lines)
{
    PythonTrace trace;
    for (const QString &line : lines)
        trace.add(line);
    return trace.userFrame ? frameWords(*trace.userFrame) : QString();
}

} // namespace

class TestPythonTrace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theInnermostFrameOfTheUserCounts_data();
    void theInnermostFrameOfTheUserCounts();
    void aLongTraceKeepsItsHeadAndItsEnd();
    void aFrameIsToldAsItStands();
    void aTraceIsFoundInALog_data();
    void aTraceIsFoundInALog();
    void ofChainedExceptionsTheFirstAndTheLastAreKept();
    void aTraceThatTheLogCutsOffHasNoException();
};

void TestPythonTrace::theInnermostFrameOfTheUserCounts_data()
{
    QTest::addColumn<QStringList>("lines");
    QTest::addColumn<QString>("wanted");
    const QString head = u"Traceback (most recent call last):"_s;
    const QString dump = u"Current thread 0x00007f01 (most recent call first):"_s;
    const QString outer = u"  File \"train.py\", line 9, in main"_s;
    const QString inner = u"  File \"/home/me/net.py\", line 3, in forward"_s;
    const QString package = u"  File \"/usr/lib/python3/site-packages/torch/nn.py\", line 70, in call"_s;
    const QString debian = u"  File \"/usr/share/dist-packages/x.py\", line 1, in go"_s;
    const QString library = u"  File \"/usr/lib/python3.10/runpy.py\", line 196, in run"_s;
    const QString frozen = u"  File \"<frozen importlib._bootstrap>\", line 5, in _load"_s;
    const auto row = [](const char *name, const QStringList &lines, const char *wanted) {
        QTest::newRow(name) << lines << QString::fromLatin1(wanted);
    };
    row("none without a frame", {head, u"    x = 1"_s}, "");
    row("the last", {head, outer, inner}, "/home/me/net.py, line 3, in forward");
    row("not a package's", {head, outer, inner, package, debian}, "/home/me/net.py, line 3, in forward");
    row("not Python's own", {head, library, outer, frozen}, "train.py, line 9, in main");
    row("where there is no other, a package's", {head, library, package},
        "/usr/lib/python3/site-packages/torch/nn.py, line 70, in call");
    row("of a dump the first", {dump, inner, outer}, "/home/me/net.py, line 3, in forward");
    row("of a dump not a package's", {dump, package, inner, outer}, "/home/me/net.py, line 3, in forward");
    row("of a dump, where there is no other, the first", {dump, package, library},
        "/usr/lib/python3/site-packages/torch/nn.py, line 70, in call");
    row("of a dump without commas", {dump, u"  File \"net.py\", line 4 in step"_s},
        "net.py, line 4, in step");
    row("not where a syntax is wrong, which is in no function", {head, outer, u"  File \"net.py\", line 4"_s},
        "train.py, line 9, in main");
    row("a module's", {head, u"  File \"train.py\", line 20, in <module>"_s},
        "train.py, line 20, in <module>");
    row("a line of any size", {head, u"  File \"a.py\", line 99999999999, in f"_s}, "a.py, line 0, in f");
}

void TestPythonTrace::theInnermostFrameOfTheUserCounts()
{
    QFETCH(QStringList, lines);
    QFETCH(QString, wanted);
    QCOMPARE(frameOf(lines), wanted);
}

void TestPythonTrace::aLongTraceKeepsItsHeadAndItsEnd()
{
    PythonTrace trace;
    trace.add(u"head"_s);
    for (int each = 0; each < 1000; ++each)
        trace.add(u"line %1 "_s.arg(each) + QString(10'000, 'x'_L1));
    QCOMPARE(trace.lines.size(), qsizetype(PythonTrace::mostLines));
    QCOMPARE(trace.lines.front(), u"head"_s);
    QVERIFY(trace.lines.back().startsWith("line 999 "_L1));
    QVERIFY(trace.lines.back().size() < 1000);
}

void TestPythonTrace::aFrameIsToldAsItStands()
{
    QCOMPARE(frameWords({u"%2%3.py"_s, 7, u"%1"_s}), u"%2%3.py, line 7, in %1"_s);
}

void TestPythonTrace::aTraceIsFoundInALog_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("exception");
    QTest::addColumn<QString>("frame");
    QTest::addColumn<int>("lines");
    const auto row = [](const char *name, const QByteArray &log, const char *exception, const char *frame,
                        int lines) {
        QTest::newRow(name) << log << QString::fromUtf8(exception) << QString::fromUtf8(frame) << lines;
    };
    row("Python's",
        "step 1\nTraceback (most recent call last):\n  File \"train.py\", line 3, in main\n    go()\n"
        "ValueError: bad value\n",
        "ValueError: bad value", "train.py, line 3, in main", 4);
    row("behind a rank",
        "[rank3]: Traceback (most recent call last):\n[rank3]:   File \"train.py\", line 3, in main\n"
        "[rank3]:     go()\n[rank3]: torch.OutOfMemoryError: NPU out of memory\n",
        "torch.OutOfMemoryError: NPU out of memory", "train.py, line 3, in main", 4);
    row("of wrong syntax",
        "Traceback (most recent call last):\n  File \"train.py\", line 1, in <module>\n    import net\n"
        "  File \"/home/me/net.py\", line 4\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n",
        "SyntaxError: invalid syntax", "train.py, line 1, in <module>", 7);
    row("an exception without words",
        "Traceback (most recent call last):\n  File \"train.py\", line 1, in <module>\nKeyboardInterrupt\n",
        "KeyboardInterrupt", "train.py, line 1, in <module>", 3);
    row("an assertion without words",
        "Traceback (most recent call last):\n  File \"train.py\", line 1, in <module>\n    assert 'factor' "
        "in "
        "scaling\n           ^^^^^^^^^^^^^^^^^^^\nAssertionError\n",
        "AssertionError: assert 'factor' in scaling", "train.py, line 1, in <module>", 5);
    row("with a logger's head before each line",
        "(Worker_TP0 pid=8) ERROR 10-25 15:32:13.270 [executor.py:597] Traceback (most recent call last):\n"
        "(Worker_TP0 pid=8) ERROR 10-25 15:32:13.270 [executor.py:597]   File \"train.py\", line 3, in main\n"
        "(Worker_TP0 pid=8) ERROR 10-25 15:32:13.270 [executor.py:597]     go()\n"
        "(Worker_TP0 pid=8) ERROR 10-25 15:32:13.270 [executor.py:597] ValueError: bad value\n"
        "(Worker_TP0 pid=8) ERROR 10-25 15:32:13.270 [executor.py:597] \n",
        "ValueError: bad value", "train.py, line 3, in main", 4);
    row("with a stamp before each line",
        "[2026-03-11 17:47:54] Traceback (most recent call last):\n"
        "[2026-03-11 17:47:54]   File \"train.py\", line 3, in main\n"
        "[2026-03-11 17:47:54] ValueError: bad value\n",
        "ValueError: bad value", "train.py, line 3, in main", 3);
    row("the same without the process",
        "ERROR 05-30 09:16:50 worker_base.py:581] Traceback (most recent call last):\n"
        "ERROR 05-30 09:16:50 worker_base.py:581]   File \"train.py\", line 3, in main\n"
        "ERROR 05-30 09:16:50 worker_base.py:581] ValueError: bad value\n",
        "ValueError: bad value", "train.py, line 3, in main", 3);
    row("with coloured lines",
        "\x1b[31mTraceback (most recent call last):\x1b[0m\n\x1b[31m  File \"train.py\", line 3, in "
        "main\x1b[0m\n\x1b[31mValueError: red\x1b[0m\n",
        "ValueError: red", "train.py, line 3, in main", 3);
    row("in a box, as rich draws it",
        "╭───────── Traceback (most recent call last) ──────────╮\n"
        "│ /job/train.py:67 in <module>                         │\n"
        "│                                                      │\n"
        "│   64                                                 │\n"
        "│ ❱ 67 │   main(sys.argv[1])                           │\n"
        "│                                                      │\n"
        "│ /usr/lib/python3/dist-packages/torch/serialization.p │\n"
        "│ y:41 in load                                         │\n"
        "│ ╭────── locals ──────╮                               │\n"
        "│ │ part = '/a.py:3 in x' │                            │\n"
        "│ ╰────────────────────╯                               │\n"
        "╰──────────────────────────────────────────────────────╯\n"
        "FileNotFoundError: [Errno 2] No such file or directory: 'prompts-1'\n",
        "FileNotFoundError: [Errno 2] No such file or directory: 'prompts-1'",
        "/job/train.py, line 67, in <module>", 4);
    row("in a box below a logger's columns",
        "                    ╭─── Traceback (most recent call last) ──╮\n"
        "                    │ /job/train.py:67 in main               │\n"
        "                    │ ❱ 67 │   │   load(part)                │\n"
        "                    ╰────────────────────────────────────────╯\n"
        "                    ValueError: bad value\n",
        "ValueError: bad value", "/job/train.py, line 67, in main", 4);
    row("with another thread's line in it",
        "Traceback (most recent call last):\n  File \"train.py\", line 3, in main\n"
        "[INFO] ME(4711,7f1c,python):2026-11-22-10:00:00.000.000 [a.py:1] saved\nValueError: bad\n",
        "ValueError: bad", "train.py, line 3, in main", 3);
    row("faulthandler's",
        "Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f01 (most recent call first):\n"
        "  File \"/usr/lib/python3.10/site-packages/a.py\", line 5 in call\n  File \"train.py\", line 3 in "
        "main\n",
        "Fatal Python error: Segmentation fault", "train.py, line 3, in main", 5);
}

void TestPythonTrace::aTraceIsFoundInALog()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, exception);
    QFETCH(QString, frame);
    QFETCH(int, lines);
    const QTemporaryDir home;
    QFile file(home.filePath(u"worker_0.log"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(log);
    file.close();
    const auto evidence = readEvidence(file.fileName(), smallCatalogue());
    QVERIFY(evidence);
    QCOMPARE(evidence->traces.size(), 1U);
    const PythonTrace &trace = evidence->traces.front();
    QCOMPARE(trace.exception, exception);
    QCOMPARE(frameWords(trace.userFrame.value_or(PythonFrame())), frame);
    QCOMPARE(int(trace.lines.size()), lines);
    QCOMPARE(evidence->errors.size(), 1U);
    QCOMPARE(evidence->errors.front().text, exception);
}

void TestPythonTrace::ofChainedExceptionsTheFirstAndTheLastAreKept()
{
    const QTemporaryDir home;
    QFile file(home.filePath(u"worker_0.log"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray frame = "  File \"train.py\", line 3, in main\n";
    file.write("Traceback (most recent call last):\n" + frame + "KeyError: 'first'\n\n" +
               "During handling of the above exception, another exception occurred:\n\n" +
               "Traceback (most recent call last):\n" + frame + "TypeError: second\n\n" +
               "The above exception was the direct cause of the following exception:\n\n" +
               "Traceback (most recent call last):\n" + frame + "ValueError: third\n");
    file.close();
    const auto evidence = readEvidence(file.fileName(), smallCatalogue());
    QVERIFY(evidence);
    QCOMPARE(evidence->traces.size(), 2U);
    QCOMPARE(evidence->traces[0].exception, u"KeyError: 'first'"_s);
    QCOMPARE(evidence->traces[0].line, LineNumber(0));
    QCOMPARE(evidence->traces[1].exception, u"ValueError: third"_s);
    QCOMPARE(evidence->traces[1].line, LineNumber(12));
    QCOMPARE(evidence->errorCount, 3);
}

void TestPythonTrace::aTraceThatTheLogCutsOffHasNoException()
{
    const QTemporaryDir home;
    QFile file(home.filePath(u"worker_0.log"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("Traceback (most recent call last):\n  File \"train.py\", line 3, in main\n    go");
    file.close();
    const auto evidence = readEvidence(file.fileName(), smallCatalogue());
    QVERIFY(evidence);
    QCOMPARE(evidence->traces.size(), 1U);
    QCOMPARE(evidence->traces.front().exception, QString());
    QCOMPARE(frameWords(*evidence->traces.front().userFrame), u"train.py, line 3, in main"_s);
}

} // namespace tst_pythontrace

RANKDECK_TEST(tst_pythontrace, TestPythonTrace)
#include "tst_pythontrace.moc"
