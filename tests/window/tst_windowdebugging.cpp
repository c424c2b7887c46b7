#include "devicegrid/grid/devicegrid.h"
#include "mainwindow/window/mainwindow.h"
#include "run/control/runclient.h"
#include "stacks/stackdumps.h"
#include "support/programs.h"
#include "support/windowtest.h"
#include "terminal/many/answersview.h"
#include "terminal/many/commandbar.h"
#include "terminal/view/terminalpane.h"
#include "terminal/view/terminaltiles.h"
#include "terminal/view/terminalview.h"
#include "widgets/labels.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>

namespace tst_windowdebugging
{

using namespace rankdeck;

/// The demo of debugging: eight ranks stop in Python's debugger, and the window drives them all.
class WindowDebuggingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void allAnswerOneCommand();
    void someAreSteppedAlone();
    void earlierCommandsComeBack();
    void aWindowThatIsGoneLeavesTheSession();
    void aWindowThatIsKilledLeavesTheSession();
    void twoWindowsShareTheKeyboard();
    void whoCannotBeTypedToIsSaidSo();

private:
    static constexpr int limitMs = 60000;

    std::unique_ptr<MainWindow> makeWindow() const;
    template <typename T>
    T *child(const char *name) const
    {
        return m_window->findChild<T *>(QLatin1String(name));
    }
    void send(const QString &command) const
    {
        auto *line = child<QLineEdit>("command");
        line->setFocus();
        QTest::keyClicks(line, command);
        QTest::keyClick(line, Qt::Key_Return);
    }
    static QString place(int line) { return u"debug.py:%1"_s.arg(line); }
    QString answers() const { return child<AnswersView>("answers")->text(); }
    QString notice() const { return child<StallNotice>("stallNotice")->findChild<ElidedLabel *>()->text(); }
    /// Of a run that is being made nothing is there yet.
    RunState state() const
    {
        const auto read = RunReader(m_run).open();
        return read ? *read : RunState();
    }
    bool allAt(const QString &where) const
    {
        const RunState now = state();
        return !now.ranks.empty() &&
               std::all_of(now.ranks.begin(), now.ranks.end(), [&](const RankState &rank) {
                   return rank.prompt && rank.prompt->place() == where;
               });
    }

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<MainWindow> m_window;
    QString m_run;
    /// Line in which the demo's breakpoint() stops: its own from Python 3.13 on, else the one after it.
    int m_stop = 0;
};

std::unique_ptr<MainWindow> WindowDebuggingTest::makeWindow() const
{
    auto window = std::make_unique<MainWindow>();
    window->resize(1100, 760);
    window->show();
    window->activateWindow();
    return window;
}

void WindowDebuggingTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("RANKDECK_CTL", buildPath("bin/rankdeckctl").toUtf8());
    qputenv("HOME", m_home->path(".").toLocal8Bit());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_home->path("config"));
    m_window = makeWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get(), limitMs));
    child<QAction>("demoAction-debug")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(findRun(u"last"_s), limitMs);
    m_run = *findRun(u"last"_s);
    const QString program = u"import sys; sys.exit(sys.version_info < (3, 13))"_s;
    m_stop = QProcess::execute(u"python3"_s, {u"-c"_s, program}) == 0 ? 38 : 39;
    QTRY_VERIFY_WITH_TIMEOUT(allAt(place(m_stop)), limitMs);
    // The window reads it a moment later.
    QTRY_VERIFY_WITH_TIMEOUT(notice().startsWith(u"‖ 8 of 8 ranks are at a debugger prompt"_s), limitMs);
}

void WindowDebuggingTest::cleanup()
{
    m_window.reset();
    ctl({u"stop"_s, m_run, u"--kill"_s});
    killProcessesOf(*m_home);
}

void WindowDebuggingTest::allAnswerOneCommand()
{
    QTRY_VERIFY_WITH_TIMEOUT(
        notice().startsWith(
            u"‖ 8 of 8 ranks are at a debugger prompt: 0-7 at %1, rank "_s.arg(place(m_stop))),
        limitMs);
    send(u"p len(batch)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(answers(), u"ranks 0-6: 128\n≠ rank 7: 127"_s, limitMs);
    child<QPushButton>("where")->click();
    QTRY_VERIFY_WITH_TIMEOUT(answers().startsWith(u"ranks 0-7: "_s) &&
                                 answers().contains(u"debug.py(%1)train_step()"_s.arg(m_stop)),
                             limitMs);
    child<QPushButton>("next")->click();
    QTRY_VERIFY_WITH_TIMEOUT(allAt(place(m_stop + 1)), limitMs);
    child<QPushButton>("continue")->click();
    QTRY_VERIFY_WITH_TIMEOUT(allAt(place(m_stop)), limitMs);
    child<QPushButton>("printButton")->click();
    QTest::keyClicks(child<QLineEdit>("command"), u"step"_s);
    child<QPushButton>("sendButton")->click();
    QTRY_COMPARE_WITH_TIMEOUT(answers(), u"ranks 0-7: 2"_s, limitMs);
    // To the end, which is a good one.
    send(u"continue"_s);
    QTRY_VERIFY_WITH_TIMEOUT(answers().contains(u"step: 2/3"_s), limitMs);
    send(u"continue"_s);
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Succeeded, limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!child<CommandBar>("commandBar")->isVisible(), limitMs);
}

void WindowDebuggingTest::someAreSteppedAlone()
{
    child<QComboBox>("commandTargets")->setCurrentText(u"2-3,7"_s);
    child<QPushButton>("next")->click();
    const auto placeOf = [this](int rank) {
        return state().ranks[std::size_t(rank)].prompt->place();
    };
    for (const int rank : {2, 3, 7})
        QTRY_COMPARE_WITH_TIMEOUT(placeOf(rank), place(m_stop + 1), limitMs);
    QCOMPARE(placeOf(0), place(m_stop));
    QTRY_VERIFY_WITH_TIMEOUT(notice().contains(u"2-3,7 at "_s + place(m_stop + 1)), limitMs);
    child<QComboBox>("commandTargets")->setCurrentText(u"this terminal"_s);
    send(u"import time; time.sleep(600)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!state().ranks[0].prompt, limitMs);
    QCOMPARE(answers(), u"rank 0: (no answer yet)"_s);
    // Only those at a prompt hear this one.
    child<QComboBox>("commandTargets")->setCurrentText(u"at a prompt"_s);
    QTRY_VERIFY_WITH_TIMEOUT(notice().startsWith(u"‖ 7 of 8 ranks"_s), limitMs);
    send(u"p 6 * 7"_s);
    QTRY_COMPARE_WITH_TIMEOUT(answers(), u"ranks 1-7: 42"_s, limitMs);
    child<QComboBox>("commandTargets")->setCurrentText(u"all ranks"_s);
    child<QPushButton>("interruptButton")->click();
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks[0].prompt, limitMs);
}

void WindowDebuggingTest::earlierCommandsComeBack()
{
    auto *line = child<QLineEdit>("command");
    send(u"p 1"_s);
    send(u"p 2"_s);
    QTest::keyClick(line, Qt::Key_Up);
    QCOMPARE(line->text(), u"p 2"_s);
    QTest::keyClick(line, Qt::Key_Up);
    QTest::keyClick(line, Qt::Key_Up);
    QCOMPARE(line->text(), u"p 1"_s);
    QTest::keyClick(line, Qt::Key_Down);
    QTest::keyClick(line, Qt::Key_Down);
    QCOMPARE(line->text(), QString());
    QTest::keyClicks(line, u"p"_s);
    QVERIFY(line->text().size() > 1); // Completed.
}

void WindowDebuggingTest::aWindowThatIsGoneLeavesTheSession()
{
    send(u"mark = 'still here'"_s);
    QTRY_COMPARE_WITH_TIMEOUT(answers(), u"ranks 0-7: (no output)"_s, limitMs);
    m_window = makeWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get(), limitMs));
    m_window->openRun(m_run);
    QTRY_VERIFY_WITH_TIMEOUT(child<CommandBar>("commandBar")->isVisible(), limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(child<QLineEdit>("command")->isEnabled(), limitMs);
    send(u"p mark"_s);
    QTRY_COMPARE_WITH_TIMEOUT(answers(), u"ranks 0-7: 'still here'"_s, limitMs);
}

void WindowDebuggingTest::aWindowThatIsKilledLeavesTheSession()
{
    send(u"mark = 'still here'"_s);
    QTRY_COMPARE_WITH_TIMEOUT(answers(), u"ranks 0-7: (no output)"_s, limitMs);
    m_window.reset();
    RunClient watching(m_run);
    std::optional<Keyboard> seen;
    connect(&watching, &RunClient::keyboardChanged, this, [&](const Keyboard &keyboard) { seen = keyboard; });
    watching.open();
    QProcess window;
    window.setProcessChannelMode(QProcess::ForwardedChannels);
    window.start(buildPath("bin/rankdeck"), {u"--attach"_s, m_run});
    QTRY_VERIFY_WITH_TIMEOUT(seen && seen->holder.startsWith(u"a window on "_s), limitMs);
    window.kill();
    QVERIFY(window.waitForFinished(limitMs));
    QTRY_VERIFY_WITH_TIMEOUT(seen->isFree(), limitMs);
    QVERIFY(allAt(place(m_stop)));
    m_window = makeWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get(), limitMs));
    m_window->openRun(m_run);
    QTRY_VERIFY_WITH_TIMEOUT(child<CommandBar>("commandBar")->isVisible(), limitMs);
    send(u"p mark"_s);
    QTRY_COMPARE_WITH_TIMEOUT(answers(), u"ranks 0-7: 'still here'"_s, limitMs);
}

void WindowDebuggingTest::twoWindowsShareTheKeyboard()
{
    QTRY_VERIFY_WITH_TIMEOUT(child<QLineEdit>("command")->isEnabled(), limitMs);
    const std::unique_ptr<MainWindow> other = makeWindow();
    other->openRun(m_run);
    const auto commandOf = [](const MainWindow &window) {
        return window.findChild<QLineEdit *>(u"command"_s);
    };
    const auto holderLine = u"a window on "_s;
    QTRY_VERIFY_WITH_TIMEOUT(commandOf(*other)->placeholderText().startsWith(holderLine), limitMs);
    QVERIFY(!commandOf(*other)->isEnabled());
    auto *tiles = other->findChild<TerminalTiles *>();
    QTRY_VERIFY_WITH_TIMEOUT(tiles->currentPane(), limitMs);
    QVERIFY(!tiles->currentPane()->view()->takesKeys());
    Q_EMIT tiles->keyboardRequested();
    QTRY_VERIFY_WITH_TIMEOUT(commandOf(*other)->isEnabled(), limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!child<QLineEdit>("command")->isEnabled(), limitMs);
    QVERIFY(tiles->currentPane()->view()->takesKeys());
}

void WindowDebuggingTest::whoCannotBeTypedToIsSaidSo()
{
    child<QComboBox>("commandTargets")->setCurrentText(u"the third"_s);
    send(u"p 1"_s);
    QVERIFY2(answers().contains(u"\"the third\" does not name ranks"_s), qPrintable(answers()));
    child<QComboBox>("commandTargets")->setCurrentText(u"9"_s);
    send(u"p 1"_s);
    QVERIFY2(answers().contains(u"no terminal for: 9"_s), qPrintable(answers()));
}

} // namespace tst_windowdebugging

RANKDECK_WINDOW_TEST(tst_windowdebugging, WindowDebuggingTest)
#include "tst_windowdebugging.moc"
