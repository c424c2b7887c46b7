#include "run/record/runevent.h"
#include "support/shellworkers.h"
#include "support/testmain.h"

namespace tst_terminal
{

using namespace rankdeck;

/// Workers that have a terminal.
class TerminalTest : public ShellWorkers
{
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }
    void cleanup();
    void allStreamsAreItsOwnTerminal();
    void whatIsTypedReachesTheOneItIsFor();
    void controlCInterruptsWhatRuns();
    void itsSizeIsSeen();
    void allThatItPrintedIsInTheLogWhenItHasEnded();
    void aRankThatNeverReadsHarmsNobody();
    void oneThatCannotWriteItsLogIsNotStarted();
    void withoutATerminalNothingIsTyped();

private:
    void addWithTerminal(const QString &script)
    {
        add(script);
        m_plan.processes.back().hasTerminal = true;
    }
    void type(QList<int> processes, const char *text) { m_group->type({std::move(processes), text, {}}); }
};

void TerminalTest::cleanup()
{
    if (m_group && !m_done) {
        m_group->kill();
        QVERIFY(waitForEnd());
    }
}

void TerminalTest::allStreamsAreItsOwnTerminal()
{
    addWithTerminal(u"for n in 0 1 2; do [ -t $n ] && echo $n is one; done; tty <&2; "
                    "echo controlled > /dev/tty; echo error >&2"_s);
    start();
    QVERIFY(waitForEnd());
    const QByteArray printed = log(0);
    for (const char *line :
         {"0 is one\r\n", "1 is one\r\n", "2 is one\r\n", "/dev/pts/", "controlled\r\n", "error\r\n"})
        QVERIFY2(printed.contains(line), printed.constData());
}

void TerminalTest::whatIsTypedReachesTheOneItIsFor()
{
    for (int rank = 0; rank < 3; ++rank)
        addWithTerminal(u"echo ready; read line; echo got $line"_s);
    start();
    for (int rank = 0; rank < 3; ++rank)
        QVERIFY(waitForLog(rank, "ready"));
    type({1}, "alone\r");
    QVERIFY(waitForLog(1, "got alone"));
    QVERIFY(!log(0).contains("alone") && !log(2).contains("alone"));
    type({0, 1, 2, 7, -1}, "both\r");
    QVERIFY(waitForEnd());
    QVERIFY(log(0).contains("got both") && log(2).contains("got both"));
}

void TerminalTest::controlCInterruptsWhatRuns()
{
    addWithTerminal(u"trap 'echo interrupted; exit 5' INT; echo ready; while :; do sleep 0.05; done"_s);
    start();
    QVERIFY(waitForLog(0, "ready"));
    type({0}, "\x03");
    QVERIFY(waitForEnd());
    QVERIFY(log(0).contains("interrupted"));
    QCOMPARE(events<events::ProcessExited>().first().status->shellCode(), 5);
}

void TerminalTest::itsSizeIsSeen()
{
    addWithTerminal(u"stty size; read line; stty size"_s);
    start();
    QVERIFY(waitForLog(0, "24 80\r\n"));
    m_group->type({{0}, {}, TerminalSize{50, 132}});
    type({0}, "\r");
    QVERIFY(waitForEnd());
    QVERIFY(log(0).contains("50 132\r\n"));
}

void TerminalTest::allThatItPrintedIsInTheLogWhenItHasEnded()
{
    addWithTerminal(u"seq 1 400000; printf 'no line end'"_s);
    start();
    QTRY_VERIFY_WITH_TIMEOUT(!events<events::ProcessExited>().isEmpty(), 60000);
    const QByteArray printed = log(0);
    QCOMPARE(printed.count('\n'), 400000);
    QVERIFY(printed.startsWith("1\r\n2\r\n") && printed.endsWith("400000\r\nno line end"));
    QVERIFY(waitForEnd());
}

void TerminalTest::aRankThatNeverReadsHarmsNobody()
{
    // Raw: nothing of what is typed is thrown away by the terminal itself.
    addWithTerminal(u"stty raw -echo; echo ready; sleep 600"_s);
    addWithTerminal(u"echo ready; read line; echo got $line; sleep 600"_s);
    start();
    QVERIFY(waitForLog(0, "ready") && waitForLog(1, "ready"));
    const QByteArray chunk(TerminalInput::mostBytes, 'x');
    for (int count = 0; count < 200; ++count)
        m_group->type({{0}, chunk, {}});
    QCOMPARE(events<events::Note>().size(), 1);
    QVERIFY(events<events::Note>().first().text.text().contains(m_plan.processes[0].label()));
    type({0, 1}, "still\r");
    QVERIFY(waitForLog(1, "got still"));
    QCOMPARE(events<events::Note>().size(), 1);
}

void TerminalTest::oneThatCannotWriteItsLogIsNotStarted()
{
    addWithTerminal(u"true"_s);
    m_plan.processes[0].logFile = m_home->filePath(u"no/such/folder/log"_s);
    start();
    QVERIFY(waitForEnd());
    const auto notStarted = events<events::ProcessNotStarted>();
    QCOMPARE(notStarted.size(), 1);
    QVERIFY2(notStarted.first().text.text().contains(m_plan.processes[0].logFile),
             qPrintable(notStarted.first().text));
}

void TerminalTest::withoutATerminalNothingIsTyped()
{
    add(u"read line && echo got $line || echo nothing"_s);
    start();
    type({0}, "words\r");
    QVERIFY(waitForEnd());
    QCOMPARE(log(0), QByteArray("nothing\n"));
}

} // namespace tst_terminal

RANKDECK_TEST(tst_terminal, TerminalTest)
#include "tst_terminal.moc"
