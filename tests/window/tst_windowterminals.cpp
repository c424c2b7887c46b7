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
    void launch(const QStringList &command, int ranks = 1, const QString &ttys = QStringLiteral("all"));
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
        ctl({QStringLiteral("stop"), QFileInfo(m_run).fileName(), QStringLiteral("--kill")});
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
    QStringList arguments{QStringLiteral("processes"), QStringLiteral("--nproc"),
                          QString::number(ranks),      QStringLiteral("--master-port"),
                          QString::number(freePort()), QStringLiteral("--detach")};
    if (!ttys.isEmpty())
        arguments << QStringLiteral("--tty") << ttys;
    const Outcome launched = ctl(arguments << QStringLiteral("--") << command);
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
    launch({QStringLiteral("python3"), QStringLiteral("-m"), QStringLiteral("pdb"),
            script("shape = 127\nfor step in range(3):\n    print('step', step)\n")});
    openWindow();
    QVERIFY(ends(QStringLiteral("(Pdb)")));
    enter(QStringLiteral("next"));
    QVERIFY(shows(QStringLiteral("-> for step in range(3):")));
    enter(QStringLiteral("p shape + 1"));
    QVERIFY(shows(QStringLiteral("p shape + 1\n128\n(Pdb)")));
    enter(QStringLiteral("quit"));
    QVERIFY(shows(QStringLiteral("quit")));
}

void WindowTerminalsTest::readlineKnowsTheLineBefore()
{
    launch({QStringLiteral("python3"), QStringLiteral("-i"), QStringLiteral("-q")});
    openWindow();
    QVERIFY(ends(QStringLiteral(">>>")));
    enter(QStringLiteral("6 * 7"));
    QVERIFY(ends(QStringLiteral("42\n>>>")));
    QTest::keyClick(view(), Qt::Key_Up);
    QVERIFY(ends(QStringLiteral("42\n>>> 6 * 7")));
    QTest::keyClick(view(), Qt::Key_Backspace);
    QTest::keyClick(view(), Qt::Key_Home);
    type(QStringLiteral("1"));
    QTest::keyClick(view(), Qt::Key_End);
    enter(QStringLiteral("2"));
    QVERIFY(ends(QStringLiteral(">>> 16 * 2\n32\n>>>")));
    QTest::keyClick(view(), Qt::Key_D, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!view()->takesKeys(), limitMs);
}

/// A Python that has ipdb; empty: there is none.
QString WindowTerminalsTest::pythonWithIpdb()
{
    for (const QString &python : {QStringLiteral("python3"), QStringLiteral("/usr/bin/python3")}) {
        QProcess process;
        process.start(python, {QStringLiteral("-c"), QStringLiteral("import ipdb")});
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
    QVERIFY(ends(QStringLiteral("ipdb>")));
    enter(QStringLiteral("next"));
    QVERIFY(shows(QStringLiteral("----> 3 print(shape)")));
    const auto place = [this] {
        const auto prompt = RunReader(m_run).open()->ranks[0].prompt;
        return prompt ? prompt->word + QLatin1Char(' ') + prompt->place() : QString();
    };
    QTRY_COMPARE_WITH_TIMEOUT(place(), QStringLiteral("ipdb> train.py:3"), limitMs);
    enter(QStringLiteral("p shape + 1"));
    QVERIFY(shows(QStringLiteral("128")));
    QTRY_VERIFY_WITH_TIMEOUT(ends(QStringLiteral("ipdb>")), limitMs);
    auto *const command = m_window->findChild<QLineEdit *>(QStringLiteral("command"));
    command->setFocus();
    QTest::keyClicks(command, QStringLiteral("p shape + 2"));
    QTest::keyClick(command, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->findChild<AnswersView *>()->text(), QStringLiteral("rank 0: 129"),
                              limitMs);
}

void WindowTerminalsTest::controlCBreaksALoopIntoTheDebugger()
{
    launch({QStringLiteral("python3"), script("breakpoint()\n"
                                              "print('looping', flush=True)\n"
                                              "while True:\n"
                                              "    pass\n")});
    openWindow();
    QVERIFY(ends(QStringLiteral("(Pdb)")));
    enter(QStringLiteral("continue"));
    QVERIFY(shows(QStringLiteral("\nlooping")));
    QTest::keyClick(view(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(shows(QStringLiteral("Program interrupted")));
    QVERIFY(ends(QStringLiteral("(Pdb)")));
    enter(QStringLiteral("p 128 + 1"));
    QVERIFY(ends(QStringLiteral("129\n(Pdb)")));
}

void WindowTerminalsTest::aProgramSeesItsSize()
{
    launch({QStringLiteral("python3"), script("import os, signal\n"
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
        return view()->visibleText().contains(QStringLiteral("size %1 %2").arg(size.rows).arg(size.columns));
    };
    QTRY_VERIFY_WITH_TIMEOUT(saysIts(), limitMs);
    const TerminalSize before = view()->fittingSize();
    m_window->resize(m_window->size() - QSize(100, 60));
    QTRY_VERIFY_WITH_TIMEOUT(view()->terminalScreen().size() != before, limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(saysIts(), limitMs);
}

void WindowTerminalsTest::aWindowThatComesLaterGoesOn()
{
    launch({QStringLiteral("python3"), QStringLiteral("-i"), QStringLiteral("-q")});
    openWindow();
    QVERIFY(ends(QStringLiteral(">>>")));
    enter(QStringLiteral("steps = 41"));
    QVERIFY(ends(QStringLiteral("steps = 41\n>>>")));
    type(QStringLiteral("steps"));
    QVERIFY(ends(QStringLiteral(">>> steps")));
    m_window.reset();
    openWindow();
    QVERIFY(ends(QStringLiteral(">>> steps")));
    enter(QStringLiteral(" + 1"));
    QVERIFY(ends(QStringLiteral("42\n>>>")));
}

void WindowTerminalsTest::aQueryOfBeforeIsNotAnsweredAgain()
{
    // Prints a query, reads the answer, shows all that was typed; again for each line.
    launch(
        {QStringLiteral("python3"), script("import os, sys, tty\n"
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
        type(QStringLiteral("g"));
        QVERIFY(QTest::qWaitFor([&] { return typed.size() == 2; }, limitMs));
        QVERIFY(typed[1][0].toByteArray().startsWith("\x1b["));
        type(QStringLiteral("!"));
    };
    openWindow();
    QVERIFY(shows(QStringLiteral("ready")));
    ask();
    QVERIFY(shows(QStringLiteral("first b'\\x1b[2;1R!'")));
    m_window.reset();
    openWindow();
    QVERIFY(shows(QStringLiteral("first b'\\x1b[2;1R!'")));
    tiles()->setKeyboard(false, {});
    tiles()->setKeyboard(true, {});
    ask();
    QVERIFY(shows(QStringLiteral("second b'\\x1b[")));
    QCOMPARE(view()->visibleText().count(QStringLiteral("\\x1b[")), 2);
}

void WindowTerminalsTest::chineseIsTypedAndShown()
{
    qputenv("LC_ALL", "C.UTF-8");
    launch({QStringLiteral("python3"), QStringLiteral("-i"), QStringLiteral("-q")});
    openWindow();
    QVERIFY(ends(QStringLiteral(">>>")));
    type(QStringLiteral("'"));
    QInputMethodEvent settled;
    settled.setCommitString(QStringLiteral("训练"));
    QApplication::sendEvent(view(), &settled);
    enter(QStringLiteral("' * 2"));
    QVERIFY(ends(QStringLiteral(">>> '训练' * 2\n'训练训练'\n>>>")));
}

void WindowTerminalsTest::aPasteComesInBrackets()
{
    QFile inputrc(m_home->path("inputrc"));
    QVERIFY(inputrc.open(QIODevice::WriteOnly));
    inputrc.write("set enable-bracketed-paste on\n");
    inputrc.close();
    qputenv("INPUTRC", inputrc.fileName().toLocal8Bit());
    launch({QStringLiteral("bash"), QStringLiteral("--norc"), QStringLiteral("-i")});
    openWindow();
    QVERIFY(ends(QStringLiteral("$")));
    QApplication::clipboard()->setText(QStringLiteral("echo one\necho two"));
    QTest::keyClick(view(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    // Both lines wait for Enter.
    QVERIFY(ends(QStringLiteral("$ echo one\necho two")));
    QTest::keyClick(view(), Qt::Key_Return);
    QVERIFY(ends(QStringLiteral("echo two\none\ntwo\n$")));
}

void WindowTerminalsTest::aRankWithoutATerminalSaysHowToGetOne()
{
    launch({QStringLiteral("python3"), QStringLiteral("-c"), QStringLiteral("import time; time.sleep(1000)")},
           2, QStringLiteral("0"));
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
        words.join(QLatin1Char('|'))
            .contains(QStringLiteral("Rank 1 has no terminal. Launch with Terminals: 1 (--tty 1), or all.")),
        qPrintable(words.join(QLatin1Char('|'))));
}

void WindowTerminalsTest::aRankThatHasEndedTakesNoKeys()
{
    launch({QStringLiteral("python3"), QStringLiteral("-c"), QStringLiteral("input('go? ')")});
    openWindow();
    QVERIFY(ends(QStringLiteral("go?")));
    QVERIFY(!pane()->findChild<QWidget *>(QStringLiteral("keyboardLine"))->isVisible());
    QTest::keyClick(view(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!view()->takesKeys(), limitMs);
    auto *const line = pane()->findChild<QWidget *>(QStringLiteral("keyboardLine"));
    QTRY_VERIFY(line->isVisible());
    QVERIFY(!line->findChild<QPushButton *>()->isVisible());
}

void WindowTerminalsTest::keysOfAnotherHolderAreNotOurs()
{
    launch({QStringLiteral("python3"), QStringLiteral("-i"), QStringLiteral("-q")});
    openWindow();
    QVERIFY(ends(QStringLiteral(">>>")));
    tiles()->setKeyboard(false, QStringLiteral("ada on node2"));
    auto *const line = pane()->findChild<QWidget *>(QStringLiteral("keyboardLine"));
    QTRY_VERIFY(line->isVisible());
    type(QStringLiteral("1"));
    QSignalSpy wanted(tiles(), &TerminalTiles::keyboardWanted);
    QTest::mouseClick(line->findChild<QPushButton *>(), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    tiles()->setKeyboard(true, {});
    QVERIFY(!line->isVisible());
    enter(QStringLiteral("2"));
    QVERIFY(ends(QStringLiteral(">>> 2\n2\n>>>")));
}

void WindowTerminalsTest::theLogIsOneActionAway()
{
    launch({QStringLiteral("python3"), QStringLiteral("-i"), QStringLiteral("-q")});
    openWindow();
    QVERIFY(ends(QStringLiteral(">>>")));
    auto *const logs = m_window->findChild<LogTiles *>();
    QVERIFY(!logs->isVisible());
    // The key works in the terminal too.
    QTest::keyClick(view(), Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(logs->isVisible());
    QCOMPARE(logs->keys(), QList<int>({0}));
    QVERIFY(!pane());
    m_window->findChild<QAction *>(QStringLiteral("terminalsAction"))->trigger();
    QTRY_VERIFY(pane());
    QTRY_VERIFY(view()->hasFocus());
    QVERIFY(ends(QStringLiteral(">>>")));
}

} // namespace tst_windowterminals

RANKDECK_WINDOW_TEST(tst_windowterminals, WindowTerminalsTest)
#include "tst_windowterminals.moc"
