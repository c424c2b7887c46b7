#include "devicegrid/grid/devicegrid.h"
#include "logview/panes/logtiles.h"
#include "mainwindow/window/mainwindow.h"
#include "run/record/rundirectory.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/windowtest.h"
#include "terminal/many/answersview.h"
#include "terminal/view/terminalpane.h"
#include "terminal/view/terminaltiles.h"
#include "terminal/view/terminalview.h"

#include <QApplication>
#include <QClipboard>
#include <QInputMethodEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>

namespace tst_windowterminals
{

using namespace rankdeck;

/// Real programs in terminals that the window shows, driven with keys.
class WindowTerminalsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aDebuggerIsStepped();
    void readlineKnowsTheLineBefore();
    void ipdbIsStepped();
    void controlCBreaksALoopIntoTheDebugger();
    void aProgramSeesItsSize();
    void aWindowThatComesLaterGoesOn();
    void aQueryOfBeforeIsNotAnsweredAgain();
    void chineseIsTypedAndShown();
    void aPasteComesInBrackets();
    void aRankWithoutATerminalSaysHowToGetOne();
    void aRankThatHasEndedTakesNoKeys();
    void keysOfAnotherHolderAreNotOurs();
    void theLogIsOneActionAway();

private:
    static constexpr int limitMs = 30000;

    /// As ranks with a terminal each, those in `ttys`.
    void launch(const QStringList &command, int ranks = 1, const QString &ttys = u"all"_s);
    void openWindow();
    QString script(const QByteArray &text);
    static QString pythonWithIpdb();

    TerminalTiles *tiles() const { return m_window->findChild<TerminalTiles *>(); }
    TerminalPane *pane() const { return tiles()->currentPane(); }
    TerminalView *view() const { return pane()->view(); }
    bool shows(const QString &text) const
    {
        return QTest::qWaitFor([&] { return pane() && view()->visibleText().contains(text); }, limitMs);
    }
    bool ends(const QString &text) const
    {
        return QTest::qWaitFor([&] { return pane() && view()->visibleText().endsWith(text); }, limitMs);
    }
    void type(const QString &text) const { QTest::keyClicks(view(), text); }
    void enter(const QString &text) const
    {
        type(text);
        QTest::keyClick(view(), Qt::Key_Return);
    }

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<MainWindow> m_window;
    QString m_run;
};

void WindowTerminalsTest::init()
{
    m_home = std::make_unique<TestHome>();
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_home->path("config"));
    // What readline and pdb read and write of the user's.
    qputenv("HOME", m_home->path(".").toLocal8Bit());
    qputenv("TERM", "xterm-256color");
    qputenv("INPUTRC", "/dev/null");
    qputenv("PS1", "$ ");
}

void WindowTerminalsTest::cleanup()
{
    m_window.reset();
    if (!m_run.isEmpty())
        ctl({u"stop"_s, QFileInfo(m_run).fileName(), u"--kill"_s});
    m_run.clear();
    killProcessesOf(*m_home);
}

QString WindowTerminalsTest::script(const QByteArray &text)
{
    QFile file(m_home->path("train.py"));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("a script cannot be written");
    return file.fileName();
}

void WindowTerminalsTest::launch(const QStringList &command, int ranks, const QString &ttys)
{
    QStringList arguments{
        u"processes"_s, u"--nproc"_s, QString::number(ranks), u"--master-port"_s, QString::number(freePort()),
        u"--detach"_s};
    if (!ttys.isEmpty())
        arguments << u"--tty"_s << ttys;
    const Outcome launched = ctl(arguments << u"--"_s << command);
    QVERIFY2(launched.code == 0, launched.err.constData());
    m_run = *findRun(QString::fromUtf8(launched.out.trimmed()));
}

void WindowTerminalsTest::openWindow()
{
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1000, 760);
    m_window->show();
    m_window->activateWindow();
    m_window->openRun(m_run);
    QVERIFY(QTest::qWaitForWindowActive(m_window.get(), limitMs));
    QVERIFY(QTest::qWaitFor([this] { return pane() != nullptr; }, limitMs));
    view()->setFocus();
}

void WindowTerminalsTest::aDebuggerIsStepped()
{
    launch({u"python3"_s, u"-m"_s, u"pdb"_s,
            script("shape = 127\nfor step in range(3):\n    print('step', step)\n")});
    openWindow();
    QVERIFY(ends(u"(Pdb)"_s));
    enter(u"next"_s);
    QVERIFY(shows(u"-> for step in range(3):"_s));
    enter(u"p shape + 1"_s);
    QVERIFY(shows(u"p shape + 1\n128\n(Pdb)"_s));
    enter(u"quit"_s);
    QVERIFY(shows(u"quit"_s));
}

void WindowTerminalsTest::readlineKnowsTheLineBefore()
{
    launch({u"python3"_s, u"-i"_s, u"-q"_s});
    openWindow();
    QVERIFY(ends(u">>>"_s));
    enter(u"6 * 7"_s);
    QVERIFY(ends(u"42\n>>>"_s));
    QTest::keyClick(view(), Qt::Key_Up);
    QVERIFY(ends(u"42\n>>> 6 * 7"_s));
    QTest::keyClick(view(), Qt::Key_Backspace);
    QTest::keyClick(view(), Qt::Key_Home);
    type(u"1"_s);
    QTest::keyClick(view(), Qt::Key_End);
    enter(u"2"_s);
    QVERIFY(ends(u">>> 16 * 2\n32\n>>>"_s));
    QTest::keyClick(view(), Qt::Key_D, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!view()->takesKeys(), limitMs);
}

/// A Python that has ipdb; empty: there is none.
QString WindowTerminalsTest::pythonWithIpdb()
{
    for (const QString &python : {u"python3"_s, u"/usr/bin/python3"_s}) {
        QProcess process;
        process.start(python, {u"-c"_s, u"import ipdb"_s});
        if (outcomeOf(process).code == 0)
            return python;
    }
    return {};
}

void WindowTerminalsTest::ipdbIsStepped()
{
    const QString python = pythonWithIpdb();
    if (python.isEmpty())
        QSKIP("ipdb is not installed");
    launch({python, script("import ipdb; ipdb.set_trace()\nshape = 127\nprint(shape)\n")});
    openWindow();
    QVERIFY(ends(u"ipdb>"_s));
    enter(u"next"_s);
    QVERIFY(shows(u"----> 3 print(shape)"_s));
    const auto place = [this] {
        const auto prompt = RunReader(m_run).open()->ranks[0].prompt;
        return prompt ? prompt->word + ' '_L1 + prompt->place() : QString();
    };
    QTRY_COMPARE_WITH_TIMEOUT(place(), u"ipdb> train.py:3"_s, limitMs);
    enter(u"p shape + 1"_s);
    QVERIFY(shows(u"128"_s));
    QTRY_VERIFY_WITH_TIMEOUT(ends(u"ipdb>"_s), limitMs);
    auto *const command = m_window->findChild<QLineEdit *>(u"command"_s);
    command->setFocus();
    QTest::keyClicks(command, u"p shape + 2"_s);
    QTest::keyClick(command, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->findChild<AnswersView *>()->text(), u"rank 0: 129"_s, limitMs);
}

void WindowTerminalsTest::controlCBreaksALoopIntoTheDebugger()
{
    launch({u"python3"_s, script("breakpoint()\n"
                                 "print('looping', flush=True)\n"
                                 "while True:\n"
                                 "    pass\n")});
    openWindow();
    QVERIFY(ends(u"(Pdb)"_s));
    enter(u"continue"_s);
    QVERIFY(shows(u"\nlooping"_s));
    QTest::keyClick(view(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(shows(u"Program interrupted"_s));
    QVERIFY(ends(u"(Pdb)"_s));
    enter(u"p 128 + 1"_s);
    QVERIFY(ends(u"129\n(Pdb)"_s));
}

void WindowTerminalsTest::aProgramSeesItsSize()
{
    launch({u"python3"_s, script("import os, signal\n"
                                 "def say(*_):\n"
                                 "    size = os.get_terminal_size()\n"
                                 "    print('size', size.lines, size.columns, flush=True)\n"
                                 "signal.signal(signal.SIGWINCH, say)\n"
                                 "say()\n"
                                 "while True:\n"
                                 "    signal.pause()\n")});
    openWindow();
    // Until the window has settled it may still change.
    const auto saysIts = [this] {
        const TerminalSize size = view()->fittingSize();
        return view()->visibleText().contains(u"size %1 %2"_s.arg(size.rows).arg(size.columns));
    };
    QTRY_VERIFY_WITH_TIMEOUT(saysIts(), limitMs);
    const TerminalSize before = view()->fittingSize();
    m_window->resize(m_window->size() - QSize(100, 60));
    QTRY_VERIFY_WITH_TIMEOUT(view()->terminalScreen().size() != before, limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(saysIts(), limitMs);
}

void WindowTerminalsTest::aWindowThatComesLaterGoesOn()
{
    launch({u"python3"_s, u"-i"_s, u"-q"_s});
    openWindow();
    QVERIFY(ends(u">>>"_s));
    enter(u"steps = 41"_s);
    QVERIFY(ends(u"steps = 41\n>>>"_s));
    type(u"steps"_s);
    QVERIFY(ends(u">>> steps"_s));
    m_window.reset();
    openWindow();
    QVERIFY(ends(u">>> steps"_s));
    enter(u" + 1"_s);
    QVERIFY(ends(u"42\n>>>"_s));
}

void WindowTerminalsTest::aQueryOfBeforeIsNotAnsweredAgain()
{
    // Prints a query, reads the answer, shows all that was typed; again for each line.
    launch({u"python3"_s, script("import os, sys, tty\n"
                                 "tty.setraw(0)\n"
                                 "os.write(1, b'ready\\r\\n')\n"
                                 "for name in ('first', 'second'):\n"
                                 "    assert os.read(0, 1) == b'g'\n"
                                 "    os.write(1, b'\\x1b[6n')\n"
                                 "    got = b''\n"
                                 "    while not got.endswith(b'!'):\n"
                                 "        got += os.read(0, 1)\n"
                                 "    os.write(1, ('\\r\\n%s %r\\r\\n' % (name, got)).encode())\n"
                                 "os.read(0, 1)\n")});
    // The answer is typed as keys are, and is all that is.
    const auto ask = [this] {
        QSignalSpy typed(view(), &TerminalView::typed);
        type(u"g"_s);
        QVERIFY(QTest::qWaitFor([&] { return typed.size() == 2; }, limitMs));
        QVERIFY(typed[1][0].toByteArray().startsWith("\x1b["));
        type(u"!"_s);
    };
    openWindow();
    QVERIFY(shows(u"ready"_s));
    ask();
    QVERIFY(shows(u"first b'\\x1b[2;1R!'"_s));
    m_window.reset();
    openWindow();
    QVERIFY(shows(u"first b'\\x1b[2;1R!'"_s));
    tiles()->setKeyboard(false, {});
    tiles()->setKeyboard(true, {});
    ask();
    QVERIFY(shows(u"second b'\\x1b["_s));
    QCOMPARE(view()->visibleText().count(u"\\x1b["_s), 2);
}

void WindowTerminalsTest::chineseIsTypedAndShown()
{
    qputenv("LC_ALL", "C.UTF-8");
    launch({u"python3"_s, u"-i"_s, u"-q"_s});
    openWindow();
    QVERIFY(ends(u">>>"_s));
    type(u"'"_s);
    QInputMethodEvent settled;
    settled.setCommitString(u"训练"_s);
    QApplication::sendEvent(view(), &settled);
    enter(u"' * 2"_s);
    QVERIFY(ends(u">>> '训练' * 2\n'训练训练'\n>>>"_s));
}

void WindowTerminalsTest::aPasteComesInBrackets()
{
    QFile inputrc(m_home->path("inputrc"));
    QVERIFY(inputrc.open(QIODevice::WriteOnly));
    inputrc.write("set enable-bracketed-paste on\n");
    inputrc.close();
    qputenv("INPUTRC", inputrc.fileName().toLocal8Bit());
    launch({u"bash"_s, u"--norc"_s, u"-i"_s});
    openWindow();
    QVERIFY(ends(u"$"_s));
    QApplication::clipboard()->setText(u"echo one\necho two"_s);
    QTest::keyClick(view(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    // Both lines wait for Enter.
    QVERIFY(ends(u"$ echo one\necho two"_s));
    QTest::keyClick(view(), Qt::Key_Return);
    QVERIFY(ends(u"echo two\none\ntwo\n$"_s));
}

void WindowTerminalsTest::aRankWithoutATerminalSaysHowToGetOne()
{
    launch({u"python3"_s, u"-c"_s, u"import time; time.sleep(1000)"_s}, 2, u"0"_s);
    openWindow();
    auto *const grid = m_window->findChild<DeviceGrid *>();
    Q_EMIT grid->ranksChosen({0, 1});
    QTRY_COMPARE(tiles()->processes(), QList<int>({0, 1}));
    QVERIFY(tiles()->pane(0)->view()->isVisible());
    QVERIFY(!tiles()->pane(1)->view()->isVisible());
    QStringList words;
    for (const QLabel *label : tiles()->pane(1)->findChildren<QLabel *>())
        words.append(label->text());
    QVERIFY2(
        words.join('|'_L1).contains(u"Rank 1 has no terminal. Launch with Terminals: 1 (--tty 1), or all."_s),
        qPrintable(words.join('|'_L1)));
}

void WindowTerminalsTest::aRankThatHasEndedTakesNoKeys()
{
    launch({u"python3"_s, u"-c"_s, u"input('go? ')"_s});
    openWindow();
    QVERIFY(ends(u"go?"_s));
    QVERIFY(!pane()->findChild<QWidget *>(u"keyboardLine"_s)->isVisible());
    QTest::keyClick(view(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!view()->takesKeys(), limitMs);
    auto *const line = pane()->findChild<QWidget *>(u"keyboardLine"_s);
    QTRY_VERIFY(line->isVisible());
    QVERIFY(!line->findChild<QPushButton *>()->isVisible());
}

void WindowTerminalsTest::keysOfAnotherHolderAreNotOurs()
{
    launch({u"python3"_s, u"-i"_s, u"-q"_s});
    openWindow();
    QVERIFY(ends(u">>>"_s));
    tiles()->setKeyboard(false, u"ada on node2"_s);
    auto *const line = pane()->findChild<QWidget *>(u"keyboardLine"_s);
    QTRY_VERIFY(line->isVisible());
    type(u"1"_s);
    QSignalSpy wanted(tiles(), &TerminalTiles::keyboardRequested);
    QTest::mouseClick(line->findChild<QPushButton *>(), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    tiles()->setKeyboard(true, {});
    QVERIFY(!line->isVisible());
    enter(u"2"_s);
    QVERIFY(ends(u">>> 2\n2\n>>>"_s));
}

void WindowTerminalsTest::theLogIsOneActionAway()
{
    launch({u"python3"_s, u"-i"_s, u"-q"_s});
    openWindow();
    QVERIFY(ends(u">>>"_s));
    auto *const logs = m_window->findChild<LogTiles *>();
    QVERIFY(!logs->isVisible());
    // The key works in the terminal too.
    QTest::keyClick(view(), Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(logs->isVisible());
    QCOMPARE(logs->keys(), QList<int>({0}));
    QVERIFY(!pane());
    m_window->findChild<QAction *>(u"terminalsAction"_s)->trigger();
    QTRY_VERIFY(pane());
    QTRY_VERIFY(view()->hasFocus());
    QVERIFY(ends(u">>>"_s));
}

} // namespace tst_windowterminals

RANKDECK_WINDOW_TEST(tst_windowterminals, WindowTerminalsTest)
#include "tst_windowterminals.moc"
