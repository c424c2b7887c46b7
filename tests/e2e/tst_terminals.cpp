#include "log/line/ansidecoder.h"
#include "run/control/runclient.h"
#include "run/record/rundirectory.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/shellworkers.h"
#include "support/testmain.h"

namespace tst_terminals
{

using namespace rankdeck;

/// Eight real Python programs in their debugger, each in a terminal of its own, and `rankdeckctl attach` in a
/// terminal too.
class TerminalsTest : public ShellWorkers
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void oneIsSteppedAlone();
    void allAreSteppedTogether();
    void controlCBreaksALoopIntoTheDebugger();
    void theKeysToDetachLeaveTheRankInItsDebugger();
    void sameAnswersArePrintedOnce();
    void theRunKnowsWhoWaitsAtWhichPrompt();
    void aProgressBarIsOneLineOfTheLog();
    void aSizeThatIsToldBeforeTheStartCounts();
    void theKeyboardIsTakenAndTakenBack();
    void whoCannotBeTypedToIsSaidSo_data();
    void whoCannotBeTypedToIsSaidSo();

private:
    static constexpr int ranks = 8;

    void launch(const QString &ttys);
    /// `rankdeckctl attach RUN` with these arguments; its screen is log(0).
    void attach(const QStringList &arguments);
    void type(const char *keys) { m_group->type({{0}, keys, {}}); }
    QByteArray rankLog(int rank) const
    {
        return fileText(m_state.plan->processes[std::size_t(rank)].logFile);
    }
    bool allLogsHave(const QByteArray &text) const
    {
        for (int rank = 0; rank < ranks; ++rank) {
            if (!rankLog(rank).contains(text))
                return false;
        }
        return true;
    }

    std::unique_ptr<TestHome> m_testHome;
    QString m_run;
    RunState m_state;
};

void TerminalsTest::init()
{
    reset();
    m_testHome = std::make_unique<TestHome>();
}

void TerminalsTest::cleanup()
{
    if (m_group && !m_done) {
        m_group->endWorkers({0}, true);
        QVERIFY(waitForEnd());
    }
    ctl({u"stop"_s, m_run, u"--kill"_s});
    killProcessesOf(*m_testHome);
}

void TerminalsTest::launch(const QString &ttys)
{
    QFile script(m_testHome->path("train.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("import os\n"
                 "shape = 127 if os.environ['RANK'] == '7' else 128\n"
                 "for step in range(3):\n"
                 "    breakpoint()\n"
                 "    print('step', step)\n");
    script.close();
    const Outcome launched = ctl({u"processes"_s, u"--nproc"_s, QString::number(ranks), u"--master-port"_s,
                                  QString::number(freePort()), u"--detach"_s, u"--tty"_s, ttys, u"--"_s,
                                  u"python3"_s, script.fileName()});
    QVERIFY2(launched.code == 0, launched.err.constData());
    m_run = QString::fromUtf8(launched.out.trimmed());
    const auto state = RunReader(*findRun(m_run)).open();
    QVERIFY(state);
    m_state = *state;
}

void TerminalsTest::attach(const QStringList &arguments)
{
    add(QString());
    ProcessPlan &process = m_plan.processes.back();
    process.argv = QStringList{buildPath("bin/rankdeckctl"), u"attach"_s, m_run} + arguments;
    process.hasTerminal = true;
    m_plan.destroyWhenFinished = false; // The run lives below this program too.
    start();
}

void TerminalsTest::oneIsSteppedAlone()
{
    launch(u"all"_s);
    attach({u"--rank"_s, u"7"_s});
    QVERIFY(waitForLog(0, "(Pdb) "));
    type("p shape\r");
    QVERIFY(waitForLog(0, "127\r\n(Pdb) "));
    type("continue\r");
    QVERIFY(waitForLog(0, "step 0\r\n"));
    QTRY_VERIFY(rankLog(0).endsWith("(Pdb) "));
    QVERIFY(!rankLog(0).contains("step 0"));
    type("quit\r");
    QVERIFY(waitForEnd());
    QVERIFY2(log(0).contains("Rank 7 has ended: exit code 1."), log(0).constData());
    QCOMPARE(events<events::ProcessExited>().first().status->shellCode(), 1);
}

void TerminalsTest::allAreSteppedTogether()
{
    launch(u"all"_s);
    QTRY_VERIFY_WITH_TIMEOUT(allLogsHave("(Pdb) "), 20000);
    attach({u"--rank"_s, u"all"_s, u"--tail"_s, u"0"_s});
    type("p shape\r");
    QVERIFY(waitForLog(0, "[default7]:127"));
    for (int rank = 0; rank < ranks - 1; ++rank)
        QVERIFY(waitForLog(0, QByteArray("[default" + QByteArray::number(rank) + "]:128").constData()));
    type("continue\r");
    QTRY_VERIFY_WITH_TIMEOUT(allLogsHave("step 0\r\n"), 20000);
    QVERIFY(!rankLog(0).contains("step 1"));
    type("continue\r");
    type("continue\r");
    QVERIFY(waitForEnd());
    QVERIFY(allLogsHave("step 2\r\n"));
    QCOMPARE(events<events::ProcessExited>().first().status->shellCode(), 0);
}

void TerminalsTest::controlCBreaksALoopIntoTheDebugger()
{
    launch(u"all"_s);
    attach({u"--rank"_s, u"3"_s});
    QVERIFY(waitForLog(0, "(Pdb) "));
    type("print('looping'); exec('while 1: pass')\r");
    QVERIFY(waitForLog(0, "looping\r\n"));
    type("\x03");
    QVERIFY(waitForLog(0, "KeyboardInterrupt"));
    type("p shape + 1\r");
    QVERIFY(waitForLog(0, "129\r\n"));
}

void TerminalsTest::theKeysToDetachLeaveTheRankInItsDebugger()
{
    launch(u"all"_s);
    attach({u"--rank"_s, u"0"_s});
    QVERIFY(waitForLog(0, "(Pdb) "));
    type("\x10");
    type("\x11");
    QVERIFY(waitForEnd());
    QVERIFY(log(0).contains("Rank 0 continues."));
    QCOMPARE(events<events::ProcessExited>().first().status->shellCode(), 0);
    reset();
    attach({u"--rank"_s, u"0"_s});
    QVERIFY(waitForLog(0, "(Pdb) "));
    type("p shape * 2\r");
    QVERIFY(waitForLog(0, "256\r\n"));
}

void TerminalsTest::sameAnswersArePrintedOnce()
{
    launch(u"all"_s);
    QTRY_VERIFY_WITH_TIMEOUT(allLogsHave("(Pdb) "), 20000);
    attach({u"--rank"_s, u"all"_s, u"--fold"_s});
    type("p shape\r");
    QVERIFY(waitForLog(0, "ranks 0-6: 128\r\nrank 7: 127\r\n"));
    // Several lines of an answer stand below each other.
    type("print('a\\nb')\r");
    QVERIFY(waitForLog(0, "ranks 0-7: a\r\n           b\r\n"));
    type("continue\r");
    QVERIFY(waitForLog(0, "ranks 0-7: step 0\r\n"));
    type("if shape == 127: raise SystemExit(3)\r");
    type("quit\r");
    QVERIFY(waitForEnd());
    QVERIFY(events<events::ProcessExited>().first().status->shellCode() != 0);
}

void TerminalsTest::theRunKnowsWhoWaitsAtWhichPrompt()
{
    launch(u"all"_s);
    RunReader reader(*findRun(m_run));
    QVERIFY(reader.open());
    const auto placeOf = [&reader](int rank) {
        reader.update();
        const auto &prompt = reader.state().ranks[std::size_t(rank)].prompt;
        return prompt ? prompt->word + ' '_L1 + prompt->place() : QString();
    };
    // From Python 3.13 on breakpoint() stops in its own line, else in the one after it.
    QTRY_VERIFY_WITH_TIMEOUT(!placeOf(0).isEmpty(), 20000);
    const bool stopsInLine = placeOf(0).endsWith(":4"_L1);
    const auto stop = stopsInLine ? u"(Pdb) train.py:4"_s : u"(Pdb) train.py:5"_s;
    for (int rank = 0; rank < ranks; ++rank)
        QTRY_COMPARE_WITH_TIMEOUT(placeOf(rank), stop, 20000);
    const QDateTime before = QDateTime::currentDateTimeUtc();
    attach({u"--rank"_s, u"7"_s});
    type(stopsInLine ? "next\rnext\r" : "next\r");
    QTRY_COMPARE(placeOf(7), u"(Pdb) train.py:3"_s);
    QCOMPARE(placeOf(6), stop);
    QVERIFY(reader.state().ranks[7].prompt->since >= before);
    QVERIFY(reader.state().ranks[6].prompt->since < before);
    type("import time; time.sleep(600)\r");
    QTRY_COMPARE(placeOf(7), QString());
    type("\x03");
    QTRY_COMPARE(placeOf(7), u"(Pdb) train.py:3"_s);
    type("quit\r");
    QVERIFY(waitForEnd());
    QTRY_VERIFY(placeOf(7).isEmpty());
}

void TerminalsTest::aProgressBarIsOneLineOfTheLog()
{
    launch(u"all"_s);
    attach({u"--rank"_s, u"2"_s});
    QVERIFY(waitForLog(0, "(Pdb) "));
    type("[print(f'\\r{done}% of it', end='') for done in range(101)] and print('\\ndone')\r");
    QVERIFY(waitForLog(0, "100% of it\r\ndone\r\n"));
    const QList<QByteArray> lines = linesOf(rankLog(2));
    const auto bar = std::find_if(lines.cbegin(), lines.cend(),
                                  [](const QByteArray &line) { return line.contains("100% of it\r"); });
    QVERIFY(bar != lines.cend());
    QVERIFY(bar->contains("\r50% of it"));
    QCOMPARE(AnsiDecoder::plainText(*bar).trimmed(), u"100% of it"_s);
}

void TerminalsTest::aSizeThatIsToldBeforeTheStartCounts()
{
    QFile gate(m_testHome->path("gate"));
    const Outcome launched =
        ctl({u"processes"_s, u"--nproc"_s, u"1"_s, u"--master-port"_s, QString::number(freePort()),
             u"--detach"_s, u"--tty"_s, u"all"_s, u"--before"_s,
             u"sh -c 'until [ -e \"%1\" ]; do sleep 0.1; done'"_s.arg(gate.fileName()), u"--"_s, u"sh"_s,
             u"-c"_s, u"until [ \"$(stty size)\" = '33 111' ]; do sleep 0.1; done; echo it is so"_s});
    QVERIFY2(launched.code == 0, launched.err.constData());
    m_run = QString::fromUtf8(launched.out.trimmed());
    RunClient client(*findRun(m_run));
    std::optional<Keyboard> seen;
    connect(&client, &RunClient::keyboardChanged, this, [&](const Keyboard &keyboard) { seen = keyboard; });
    client.open();
    client.askForKeyboard(u"a window"_s, true);
    client.request(TerminalInput{{0}, {}, TerminalSize{33, 111}});
    QTRY_VERIFY(seen && seen->isOurs);
    // The supervisor has had the size by the time it answers the next request.
    client.askForKeyboard(u"the same window"_s, true);
    RunClient other(*findRun(m_run));
    std::optional<Keyboard> heard;
    connect(&other, &RunClient::keyboardChanged, this, [&](const Keyboard &keyboard) { heard = keyboard; });
    other.open();
    other.askForKeyboard(u"another"_s, false);
    QTRY_VERIFY(heard && heard->holder == "the same window"_L1);
    QVERIFY(gate.open(QIODevice::WriteOnly));
    const auto log = [&] {
        const auto state = RunReader(*findRun(m_run)).open();
        return state ? fileText(state->plan->processes.at(0).logFile) : QByteArray();
    };
    QTRY_VERIFY_WITH_TIMEOUT(log().contains("it is so"), 20000);
}

void TerminalsTest::theKeyboardIsTakenAndTakenBack()
{
    launch(u"all"_s);
    attach({u"--rank"_s, u"0"_s});
    QVERIFY(waitForLog(0, "(Pdb) "));
    RunClient other(*findRun(m_run));
    std::optional<Keyboard> seen;
    connect(&other, &RunClient::keyboardChanged, this, [&](const Keyboard &keyboard) { seen = keyboard; });
    other.open();
    other.askForKeyboard(u"a window"_s, false);
    QTRY_VERIFY(seen && seen->holder.startsWith(u"rankdeckctl attach (pid "_s));
    other.request(TerminalInput{{0}, "p 'dropped'\r", {}});
    other.askForKeyboard(u"a window"_s, true);
    QTRY_VERIFY(seen->isOurs);
    QVERIFY(waitForLog(0, "The keyboard is with a window now. Ctrl-P Ctrl-K takes it back."));
    type("p 'nor this'\r");
    other.request(TerminalInput{{0}, "p 6 * 7\r", {}});
    QVERIFY(waitForLog(0, "42\r\n"));
    QVERIFY(!rankLog(0).contains("dropped"));
    QVERIFY(!rankLog(0).contains("nor this"));
    type("\x10\x0b");
    QTRY_VERIFY(!seen->isOurs);
    type("p 7 * 7\r");
    QVERIFY(waitForLog(0, "49\r\n"));
}

void TerminalsTest::whoCannotBeTypedToIsSaidSo_data()
{
    QTest::addColumn<QString>("rank");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no terminal") << u"1"_s << QByteArray("rank 1 has no terminal");
    QTest::newRow("no rank") << u"8"_s << QByteArray("there is no rank 8 in this run");
    QTest::newRow("no number") << u"one"_s << QByteArray("\"one\" does not name ranks");
}

void TerminalsTest::whoCannotBeTypedToIsSaidSo()
{
    QFETCH(QString, rank);
    QFETCH(QByteArray, words);
    launch(u"0"_s);
    verifyOneSentence(ctl({u"attach"_s, m_run, u"--rank"_s, rank}), words);
}

} // namespace tst_terminals

RANKDECK_TEST(tst_terminals, TerminalsTest)
#include "tst_terminals.moc"
