#include "support/programs.h"
#include "support/testmain.h"

#include <memory>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_standardoutput
{

using namespace rankdeck;

/// Where the output of rankdeckctl goes: a terminal must not obey the ranks, and what cannot be written is
/// told.
class StandardOutputTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aTerminalGetsTextAndColoursAlone_data();
    void aTerminalGetsTextAndColoursAlone();
    void pipesAndRawTerminalsGetTheBytes();
    void whatCannotBeWrittenIsTold_data();
    void whatCannotBeWrittenIsTold();
    void aReaderThatHasGoneIsNoError();

private:
    QStringList logs(const QStringList &options = {}) const
    {
        return QStringList{u"logs"_s, u"--open"_s, m_home->path("logs")} + options;
    }
    /// What rankdeckctl writes to a terminal.
    static QByteArray onTerminal(const QStringList &arguments);
    static Outcome behind(const QString &line, const QStringList &arguments);

    std::unique_ptr<TestHome> m_home;
};

void StandardOutputTest::init()
{
    m_home = std::make_unique<TestHome>();
    QVERIFY(QDir().mkpath(m_home->path("logs")));
    QFile log(m_home->path("logs/rank_0.log"));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("title \x1b]0;evil\x07 end\n"
              "clipboard \x1b]52;c;cm0gLXJm\x07 end\n"
              "query \x1b[6n end\n"
              "clear \x1b[2J end\n"
              "device \x1bPq#0\x1b\\ end\n"
              "alternate \x1b[?1049h end\n"
              "reset \x1b"
              "c end\n"
              "eight bit \xc2\x9b"
              "6n end\n"
              "bidi \xe2\x80\xae end\n"
              "backspace \b\b end\n"
              "bell \a end\n"
              "delete \x7f end\n"
              "colour \x1b[31mred\x1b[0m \x1b[38;5;7mgrey end\n"
              "progress 1%\rprogress 2% \t\xe4\xb8\xad end\n");
}

Outcome StandardOutputTest::behind(const QString &line, const QStringList &arguments)
{
    QProcess process;
    process.start(u"sh"_s, QStringList{u"-c"_s, line, u"sh"_s, buildPath("bin/rankdeckctl")} + arguments);
    return outcomeOf(process);
}

QByteArray StandardOutputTest::onTerminal(const QStringList &arguments)
{
    QByteArrayList words{buildPath("bin/rankdeckctl").toUtf8()};
    for (const QString &argument : arguments)
        words << QFile::encodeName(argument);
    std::vector<char *> argv;
    for (QByteArray &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
        execv(argv[0], argv.data());
        _exit(127);
    }
    QByteArray all;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; (count = read(terminal, buffer.data(), buffer.size())) > 0;)
        all.append(buffer.data(), count);
    waitpid(child, nullptr, 0);
    close(terminal);
    return all;
}

void StandardOutputTest::aTerminalGetsTextAndColoursAlone_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::newRow("plain") << QStringList();
    QTest::newRow("merged") << QStringList{u"--merge"_s};
    QTest::newRow("coloured") << QStringList{u"--merge"_s, u"--color"_s, u"always"_s};
}

void StandardOutputTest::aTerminalGetsTextAndColoursAlone()
{
    QFETCH(QStringList, options);
    const QByteArray shown = onTerminal(logs(options));
    for (const char *text :
         {"title ^[]0;evil^G end", "clipboard ^[]52;c;cm0gLXJm^G end", "query ^[[6n end", "clear ^[[2J end",
          "device ^[Pq#0^[\\ end", "alternate ^[[?1049h end", "reset ^[c end", "eight bit \\u009b6n end",
          "bidi \\u202e end", "backspace ^H^H end", "bell ^G end", "delete ^? end",
          "colour \x1b[31mred\x1b[0m \x1b[38;5;7mgrey end", "progress 1%\rprogress 2% \t\xe4\xb8\xad end"})
        QVERIFY2(shown.contains(text), shown.constData());
    // Nothing else that a terminal obeys, whatever it is: each escape begins a colour.
    for (qsizetype at = shown.indexOf('\x1b'); at >= 0; at = shown.indexOf('\x1b', at + 1)) {
        const QByteArray rest = shown.mid(at + 1, 12);
        QVERIFY2(rest.startsWith('[') &&
                     rest.left(rest.indexOf('m')).mid(1).toStdString().find_first_not_of("0123456789;") ==
                         std::string::npos,
                 rest.constData());
    }
    QVERIFY(shown.contains("grey end\x1b[0m")); // A colour ends with its line.
}

void StandardOutputTest::pipesAndRawTerminalsGetTheBytes()
{
    const QByteArray log = fileText(m_home->path("logs/rank_0.log"));
    const QStringList plain = logs({u"--rank"_s, u"0"_s});
    QCOMPARE(ctl(plain).out, log);
    QByteArray raw = onTerminal(plain + QStringList{u"--raw"_s, u"--color"_s, u"never"_s});
    QCOMPARE(raw.replace("\r\n", "\n"), log); // The terminal's own carriage returns.
}

void StandardOutputTest::whatCannotBeWrittenIsTold_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::newRow("logs") << QStringList{u"logs"_s, u"--open"_s, u"LOGS"_s};
    QTest::newRow("merged") << QStringList{u"logs"_s, u"--open"_s, u"LOGS"_s, u"--merge"_s};
    QTest::newRow("version") << QStringList{u"--version"_s};
    QTest::newRow("JSON") << QStringList{u"list"_s, u"--json"_s};
    QTest::newRow("help") << QStringList{u"--help"_s};
    QTest::newRow("report") << QStringList{u"report"_s, u"LOGS"_s};
    QTest::newRow("plan") << QStringList{u"plan"_s,    u"processes"_s, u"--json"_s,
                                         u"--nproc"_s, u"1"_s,         u"true"_s};
    QTest::newRow("launch") << QStringList{u"processes"_s, u"--nproc"_s, u"1"_s, u"echo"_s, u"x"_s};
}

void StandardOutputTest::whatCannotBeWrittenIsTold()
{
    QFETCH(QStringList, command);
    command.replaceInStrings(u"LOGS"_s, m_home->path("logs"));
    const Outcome outcome = behind(u"exec \"$@\" >/dev/full"_s, command);
    QVERIFY2(outcome.err.contains("standard output cannot be written: No space left on device"),
             outcome.err.constData());
    QCOMPARE(outcome.err.count("standard output cannot be written"), 1);
    QCOMPARE(outcome.code, 1);
}

void StandardOutputTest::aReaderThatHasGoneIsNoError()
{
    // Ignored, as some shells and programs leave it to their children.
    const Outcome outcome = behind(u"trap '' PIPE; { \"$@\"; echo $? >&2; } | true"_s, logs());
    QCOMPARE(outcome.err, QByteArray("0\n"));
}

} // namespace tst_standardoutput

RANKDECK_TEST(tst_standardoutput, StandardOutputTest)
#include "tst_standardoutput.moc"
