#include "support/programs.h"
#include "support/testmain.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace tst_explain
{

using namespace rankdeck;

/// `rankdeckctl explain` as a user calls it.
class ExplainTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aCodeIsExplained();
    void theLinesOfFilesAreExplained();
    void allLogsOfADirectoryAreExplained();
    void standardInputIsRead();
    void jsonHasFileLineAndEntry();
    void aPastedLineIsExplained_data();
    void aPastedLineIsExplained();
    void whyNamesWhatWasSetAside();
    void nothingKnownIsExitCodeOne();
    void theLanguageIsTheLocales();
    void whatCannotBeReadIsOneSentence();

private:
    QString write(const char *name, const QByteArray &text) const
    {
        const QString path = m_home->path(name);
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? path : QString();
    }

    std::unique_ptr<TestHome> m_home;
};

void ExplainTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("XDG_CONFIG_HOME", m_home->path("config").toLocal8Bit());
    qputenv("LC_ALL", "C.UTF-8");
}

void ExplainTest::aCodeIsExplained()
{
    const Outcome told = ctl({u"explain"_s, u"ei0006"_s, u"507035"_s});
    QCOMPARE(told.code, 0);
    QVERIFY(told.out.startsWith("hccl-EI0006: "));
    QVERIFY(told.out.contains("\n      export HCCL_CONNECT_TIMEOUT=1800\n"));
    QVERIFY(told.out.contains("\nruntime-507035: "));
    QVERIFY(told.out.contains("\n  Source: "));
}

void ExplainTest::theLinesOfFilesAreExplained()
{
    const QString first = write("worker_0.log", "step 1\n\x1b[31mEI0006: Getting socket times out\x1b[0m\n");
    const QString second = write("worker_1.log", "EI0006: again\n");
    const Outcome told = ctl({u"explain"_s, first, second});
    QCOMPARE(told.code, 0);
    QVERIFY(told.out.startsWith(first.toUtf8() + ":2: EI0006: Getting socket times out\nhccl-EI0006: "));
    QVERIFY(told.out.endsWith(second.toUtf8() + ":1: EI0006: again\nhccl-EI0006: see above\n"));
}

void ExplainTest::allLogsOfADirectoryAreExplained()
{
    QVERIFY(QDir().mkpath(m_home->path("logs")));
    write("logs/worker_0.log", "fine\n");
    const QString second = write("logs/worker_1.log", "EI0006: Getting socket times out\n");
    const Outcome told = ctl({u"explain"_s, m_home->path("logs")});
    QCOMPARE(told.code, 0);
    QVERIFY2(told.out.startsWith(second.toUtf8() + ":1: EI0006: "), told.out.constData());
}

void ExplainTest::standardInputIsRead()
{
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"), {u"explain"_s, u"-"_s});
    process.write("fine\nOSError: [Errno 28] No space left on device");
    process.closeWriteChannel();
    const Outcome told = outcomeOf(process);
    QCOMPARE(told.code, 0);
    QVERIFY2(told.out.startsWith("standard input:2: OSError"), told.out.constData());
    QVERIFY(told.out.contains("\nsystem-no-space: "));
}

void ExplainTest::jsonHasFileLineAndEntry()
{
    const QString log = write("a.log", "\nEI0006: one\nEJ0001: two\n");
    const Outcome told = ctl({u"explain"_s, u"--json"_s, log});
    QCOMPARE(told.code, 0);
    const auto object = nlohmann::json::parse(told.out.toStdString(), nullptr, false);
    QCOMPARE(object["schema"].get<int>(), 1);
    const auto &json = object["entries"];
    QVERIFY(json.is_array() && json.size() == 2);
    QCOMPARE(json[0]["id"].get<std::string>(), "hccl-EI0006");
    QCOMPARE(json[0]["line"].get<int>(), 2);
    QCOMPARE(json[1]["text"].get<std::string>(), "EJ0001: two");
    QCOMPARE(json[1]["file"].get<std::string>(), log.toStdString());
    QVERIFY(json[1]["commands"].is_array() && json[1]["mend"].is_string());
    QCOMPARE(ctl({u"explain"_s, u"--json"_s, u"XX"_s}).out, QByteArray("{\"schema\":1,\"entries\":[]}\n"));
}

void ExplainTest::aPastedLineIsExplained_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("id");
    QTest::newRow("with slashes")
        << u"RuntimeError: ../torch_npu/csrc/core/npu/NPUStream.cpp:361 NPU function "
           "error: aclrtSynchronizeStream, error code is 507035"_s
        << "runtime-507035"_ba;
    QTest::newRow("with quotes") << u"\"OSError: [Errno 28] No space left on device: '/data/x'\""_s
                                 << "system-no-space"_ba;
    QTest::newRow("in colour") << u"\x1b[31mEI0006: Getting socket times out\x1b[0m"_s << "hccl-EI0006"_ba;
    QTest::newRow("in colour, as cat -v shows it")
        << u"^[[31mEI0006: Getting socket times out^[[0m"_s << "hccl-EI0006"_ba;
    QTest::newRow("two lines") << u"Traceback (most recent call last):\nModuleNotFoundError: No module named "
                                  "'a/b'"_s
                               << "python-module-not-found"_ba;
}

void ExplainTest::aPastedLineIsExplained()
{
    QFETCH(QString, line);
    QFETCH(QByteArray, id);
    const Outcome told = ctl({u"explain"_s, line});
    QCOMPARE(told.code, 0);
    QVERIFY2(told.out.startsWith(id + ": "), told.out.constData());
    QCOMPARE(told.err, QByteArray());
}

void ExplainTest::whyNamesWhatWasSetAside()
{
    const QString log =
        write("why.log", "EE9999: Inner Error!\nOSError: [Errno 28] No space left on device\n");
    const Outcome told = ctl({u"explain"_s, u"--why"_s, log});
    QCOMPARE(told.code, 0);
    QVERIFY2(told.out.contains("\n  Why system-no-space: own error, line 2 of lines 1 to 2, which stand "
                               "together.\n  Set aside: cann-EE9999 (passes another error on), "),
             told.out.constData());
    const Outcome json =
        ctl({u"explain"_s, u"--why"_s, u"--json"_s, u"EI0006: [Errno 28] No space left on device"_s});
    const auto object = nlohmann::json::parse(json.out.toStdString(), nullptr, false);
    QCOMPARE(object["entries"][0]["layer"].get<std::string>(), "own");
    QVERIFY2(json.out.contains("\"setAside\":[\"hccl-EI0006\""), json.out.constData());
    QVERIFY(!object["entries"][0].contains("file"));
}

void ExplainTest::nothingKnownIsExitCodeOne()
{
    const QString log = write("fine.log", "epoch: 1 step: 1875, loss is 1.1544309\n");
    for (const QString &what : {log, u"XX9876"_s}) {
        const Outcome told = ctl({u"explain"_s, what});
        QCOMPARE(told.code, 1);
        QCOMPARE(told.out, QByteArray());
        QCOMPARE(told.err, QByteArray("No known error.\n"));
    }
}

void ExplainTest::theLanguageIsTheLocales()
{
    qputenv("LC_ALL", "zh_CN.UTF-8");
    const Outcome told = ctl({u"explain"_s, u"EI0006"_s});
    QVERIFY2(told.out.startsWith("hccl-EI0006：rank 之间建链超时\n"), told.out.constData());
}

void ExplainTest::whatCannotBeReadIsOneSentence()
{
    for (const QStringList &arguments :
         {QStringList(), QStringList(m_home->path("none.log")), QStringList(m_home->path("."))}) {
        const Outcome told = ctl(QStringList(u"explain"_s) + arguments);
        QCOMPARE(told.code, 2);
        QCOMPARE(linesOf(told.err).size(), 1);
        QCOMPARE(told.out, QByteArray());
    }
    QVERIFY(QDir().mkpath(m_home->path("config/rankdeck")));
    const QString own = write("config/rankdeck/errors.json", "{}");
    const Outcome told = ctl({u"explain"_s, u"EI0006"_s});
    QCOMPARE(told.code, 2);
    QVERIFY2(told.err.contains(own.toUtf8() + ": this is not an error catalogue"), told.err.constData());
}

} // namespace tst_explain

RANKDECK_TEST(tst_explain, ExplainTest)
#include "tst_explain.moc"
