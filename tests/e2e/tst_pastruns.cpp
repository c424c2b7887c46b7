#include "json.h"
#include "support/freeport.h"
#include "support/programs.h"

#include <memory>

using namespace rankdeck;

/// What a user does with runs that are over.
class PastRunsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theListSaysHowEachRunEndedAndHowLongItTook();
    void theListIsFilteredByStateAndNumber();
    void liveRunsStandFirst();
    void aRunIsLaunchedAgainInItsDirectory();
    void optionsWinOverThoseOfTheRunThatIsLaunchedAgain();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    static QStringList words(const char *text)
    {
        return QString::fromUtf8(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    }
    /// Two ranks that run `command`, launched in `folder`, with a port of their own.
    static Outcome launch(const QStringList &options, const QStringList &command, const QString &folder = {})
    {
        return ctl(words("processes --nproc 2 --quiet") << QStringLiteral("--master-port=%1").arg(freePort())
                                                        << options << QStringLiteral("--") << command,
                   folder);
    }
    static nlohmann::json list(const QStringList &options = {})
    {
        const Outcome outcome = ctl(words("list --json") << options);
        return parseJson(outcome.out).value_or(nlohmann::json());
    }

    std::unique_ptr<TestHome> m_home;
};

void PastRunsTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("XDG_CONFIG_HOME", m_home->path("config").toLocal8Bit());
}

void PastRunsTest::theListSaysHowEachRunEndedAndHowLongItTook()
{
    QCOMPARE(launch({}, {QStringLiteral("sh"), QStringLiteral("-c"), QStringLiteral("exit 3")}).code, 3);
    const nlohmann::json runs = list();
    QCOMPARE(runs.size(), std::size_t(1));
    QVERIFY(runs[0]["state"] == "failed");
    QVERIFY(runs[0]["exit_code"] == 3);
    const int seconds = runs[0]["duration_s"].get<int>();
    QVERIFY(seconds >= 0 && seconds < 60);
    const QList<QByteArray> table = linesOf(ctl(words("list")).out);
    QCOMPARE(table.size(), 2);
    QVERIFY2(table[0].contains("DURATION"), table[0].constData());
    QVERIFY2(table[1].contains("failed     3      2      0:"), table[1].constData());
}

void PastRunsTest::theListIsFilteredByStateAndNumber()
{
    launch({}, {QStringLiteral("true")});
    launch({}, {QStringLiteral("false")});
    QCOMPARE(list().size(), std::size_t(2));
    QCOMPARE(list(words("--limit 1")).size(), std::size_t(1));
    QCOMPARE(list(words("--state failed")).size(), std::size_t(1));
    QCOMPARE(list(words("--state failed,succeeded")).size(), std::size_t(2));
    QCOMPARE(list(words("--state failed --state ended")).size(), std::size_t(2));
    QCOMPARE(list(words("--state live")).size(), std::size_t(0));
    const Outcome none = ctl(words("list --state live"));
    QCOMPARE(none.code, 0);
    QCOMPARE(none.err, QByteArray("There are no such runs.\n"));
}

void PastRunsTest::liveRunsStandFirst()
{
    launch(words("--name aaa --detach"), words("sleep 1000"));
    launch(words("--name zzz"), {QStringLiteral("true")});
    const nlohmann::json runs = list();
    QCOMPARE(runs.size(), std::size_t(2));
    QVERIFY(QString::fromStdString(runs[0]["name"].get<std::string>()).endsWith(QLatin1String("aaa")));
    QVERIFY(!runs[0].contains("exit_code"));
    QCOMPARE(ctl(words("stop --kill aaa")).code, 0);
    QTRY_VERIFY(processesOf(m_home->path("state")).isEmpty());
}

void PastRunsTest::aRunIsLaunchedAgainInItsDirectory()
{
    QVERIFY(QDir().mkpath(m_home->path("work")));
    const QStringList command{QStringLiteral("sh"), QStringLiteral("-c"), QStringLiteral("pwd; exit 4")};
    QCOMPARE(launch({QStringLiteral("--name=first")}, command, m_home->path("work")).code, 4);
    const Outcome again = ctl(words("run --again first --name=second"), m_home->path(""));
    QVERIFY2(again.code == 4, again.err.constData());
    QCOMPARE(again.out.count(QFile::encodeName(m_home->path("work")) + '\n'), 2);
    QCOMPARE(list().size(), std::size_t(2));
    const Outcome plan = ctl(words("plan run --again second"));
    QVERIFY2(plan.out.startsWith("processes: 2 processes"), plan.err.constData());
}

void PastRunsTest::optionsWinOverThoseOfTheRunThatIsLaunchedAgain()
{
    launch({QStringLiteral("--env=A=1"), QStringLiteral("--log-dir"), m_home->path("logs")},
           {QStringLiteral("true")});
    // torch's rule, which holds for a run that is launched again as well.
    const Outcome full = ctl(words("run --again last"));
    QCOMPARE(full.code, 2);
    QVERIFY2(full.err.contains("logs"), full.err.constData());
    const Outcome again = ctl(words("run --again last --quiet --log-dir")
                              << m_home->path("more") << words("sh -c") << QStringLiteral("echo A is $A"));
    QVERIFY2(again.code == 0, again.err.constData());
    QCOMPARE(fileText(m_home->path("more/0/stdout.log")), QByteArray("A is 1\n"));
}

void PastRunsTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *arguments, const char *said) {
        QTest::newRow(arguments) << QString::fromUtf8(arguments) << QString::fromUtf8(said);
    };
    row("list --state gone", "\"gone\" is no state of a run");
    row("list --limit 0", "--limit: \"0\" is not a whole number from 1 up");
    row("run --again", "the run's name is missing");
    row("run --again nothing", "there is no run of this name");
}

void PastRunsTest::wrongUseIsOneSentence()
{
    QFETCH(QString, arguments);
    QFETCH(QString, said);
    const Outcome outcome = ctl(words(qPrintable(arguments)));
    QCOMPARE(outcome.code, 2);
    QCOMPARE(outcome.out, QByteArray());
    QCOMPARE(linesOf(outcome.err).size(), 1);
    QVERIFY2(outcome.err.contains(said.toUtf8()), outcome.err.constData());
}

QTEST_GUILESS_MAIN(PastRunsTest)
#include "tst_pastruns.moc"
