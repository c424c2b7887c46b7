#include "base/json.h"
#include "base/username.h"
#include "device/sampling/devicesource.h"
#include "device/sampling/prometheustext.h"
#include "run/record/rundirectory.h"
#include "support/freeport.h"
#include "support/npusmistandin.h"
#include "support/programs.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QRegularExpression>
#include <QTest>

#include <unistd.h>

namespace tst_devicescommand
{

using namespace rankdeck;

/// `rankdeckctl devices`, with npu-smi's stand-in first in PATH.
class DevicesCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theTableHasAllThatTheChipsGive();
    void aRunOfOursIsNamed();
    void jsonIsWhatWasSampled();
    void prometheusTextHasUnitsAndLabels();
    void labelsAreEscaped();
    void namesThatWouldMoveTheCursorAreSpelledOut();
    void watchedReadingsComeOneALine();
    void watchingGoesOnAfterAFailure();
    void whatCannotBeSampledIsOneSentenceAndCode1();
    void aReadingThatIsNotCompletedIsAReading_data();
    void aReadingThatIsNotCompletedIsAReading();
    void withoutADriverThatIsSaid();
    void dcmiCanBeChosen();
    void withJsonAnErrorIsAnObjectToo();
    void wrongOptionsAreRefused_data();
    void wrongOptionsAreRefused();
    void helpSaysWhatThereIs();

private:
    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<NpuSmiStandIn> m_npuSmi;
    QByteArray m_path;
};

void DevicesCommandTest::init()
{
    m_home = std::make_unique<TestHome>();
    m_npuSmi = std::make_unique<NpuSmiStandIn>();
    m_path = qgetenv("PATH");
    qputenv("PATH", m_npuSmi->folder().toLocal8Bit() + ':' + m_path);
}

void DevicesCommandTest::cleanup()
{
    qputenv("PATH", m_path);
    qunsetenv("RANKDECK_DCMI");
}

void DevicesCommandTest::theTableHasAllThatTheChipsGive()
{
    const QByteArray pid = QByteArray::number(QCoreApplication::applicationPid());
    m_npuSmi->replay(NpuSmiStandIn::map(),
                     NpuSmiStandIn::table(7, "| 4  0 | " + pid + " | python | 300 |\n"));
    const Outcome outcome = ctl({u"devices"_s});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.err, QByteArray());
    const QList<QByteArray> lines = linesOf(outcome.out);
    QCOMPARE(lines.size(), 6);
    // No DDR, physical ids or clocks: no columns for them.
    QCOMPARE(lines[0].simplified(),
             QByteArray("DEVICE CARD CHIP BUS NAME HEALTH AICORE % HBM MB TEMP C POWER W"));
    QCOMPARE(lines[1].simplified(), QByteArray("0 4 0 0000:C1:00.0 910B3 OK 7 59189/65536 34 99.4"));
    QCOMPARE(lines[2].simplified(), QByteArray("1 5 0 0000:C2:00.0 910B3 Alarm 0 3000/65536 32 91.1"));
    QVERIFY2(lines[5].simplified().startsWith("0 " + pid) && lines[5].simplified().endsWith("300 python"),
             outcome.out.constData());
}

void DevicesCommandTest::aRunOfOursIsNamed()
{
    const Outcome launched =
        ctl({u"processes"_s, u"--nproc"_s, u"1"_s, u"--master-port"_s, QString::number(freePort()),
             u"--detach"_s, u"--"_s, u"sleep"_s, u"1000"_s});
    QVERIFY2(launched.code == 0, launched.err.constData());
    const auto directory = findRun(u"last"_s);
    QVERIFY(directory);
    qint64 pid = 0;
    QTRY_VERIFY_WITH_TIMEOUT(([&] {
                                 const auto state = RunReader(*directory).open();
                                 pid = state && !state->ranks.empty() ? state->ranks[0].pid : 0;
                                 return pid > 0;
                             }()),
                             30000);
    // The same pid for the host and in a container, so that it is found in both.
    const QByteArray number = QByteArray::number(pid);
    const QByteArray heading =
        "| NPU Chip | Process id | Process name | Process memory(MB) | Process id in container |\n";
    m_npuSmi->replay(
        NpuSmiStandIn::map(),
        NpuSmiStandIn::table(7, heading + "| 4  0 | " + number + " | sleep | 300 | " + number + " |\n"));
    const Outcome outcome = ctl({u"devices"_s});
    ctl({u"stop"_s, u"last"_s, u"--kill"_s});
    killProcessesOf(*m_home);
    QCOMPARE(outcome.code, 0);
    const QByteArray expected =
        "0 " + number + ' ' + userName(geteuid()).toUtf8() + " 300 sleep " + launched.out.trimmed();
    QCOMPARE(linesOf(outcome.out).last().simplified(), expected);
}

void DevicesCommandTest::jsonIsWhatWasSampled()
{
    m_npuSmi->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    const Outcome outcome = ctl({u"devices"_s, u"--json"_s});
    QCOMPARE(outcome.code, 0);
    const auto reading = readingFromJson(outcome.out);
    QVERIFY2(reading, outcome.out.constData());
    QCOMPARE(reading->source, DeviceSource::Kind::NpuSmi);
    QCOMPARE(reading->samples.size(), 2);
    QCOMPARE(reading->samples[0].hbm, (Amount{59189, 65536}));
    QCOMPARE(reading->samples[0].processes->size(), 1);
}

void DevicesCommandTest::prometheusTextHasUnitsAndLabels()
{
    m_npuSmi->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    const Outcome outcome = ctl({u"devices"_s, u"--prometheus"_s});
    QCOMPARE(outcome.code, 0);
    const QByteArray labels = "{device=\"0\",card=\"4\",chip=\"0\",bus=\"0000:C1:00.0\",name=\"910B3\"} ";
    for (const QByteArray &line :
         {QByteArray("# TYPE rankdeck_npu_hbm_used_bytes gauge"),
          "rankdeck_npu_hbm_used_bytes" + labels + "62064164864",
          "rankdeck_npu_ai_core_utilization_ratio" + labels + "0.07",
          "rankdeck_npu_power_watts" + labels + "99.4", "rankdeck_npu_temperature_celsius" + labels + "34"})
        QVERIFY2(linesOf(outcome.out).contains(line), outcome.out.constData());
    QVERIFY(outcome.out.contains("name=\"910B3\",pid=\"4711\",process=\"python\"} 314572800\n"));
    // A family's lines are together, under its HELP and TYPE, and all else is none.
    const QRegularExpression sample(u"^(rankdeck_npu_[a-z_]+)(\\{.*\\})? -?[0-9.e+]+$"_s);
    QByteArray family;
    QList<QByteArray> seen;
    for (const QByteArray &line : linesOf(outcome.out)) {
        if (line.startsWith("# HELP ")) {
            family = line.split(' ')[2];
            QVERIFY2(!seen.contains(family), line.constData());
            seen << family;
        } else if (line.startsWith("# TYPE ")) {
            QCOMPARE(line, "# TYPE " + family + " gauge");
        } else {
            const auto match = sample.match(QString::fromUtf8(line));
            QVERIFY2(match.hasMatch(), line.constData());
            QCOMPARE(match.captured(1).toUtf8(), family);
        }
    }
    QVERIFY(!outcome.out.contains("ddr"));
}

void DevicesCommandTest::labelsAreEscaped()
{
    QCOMPARE(labelValue(u"a\\b\"c\nd"_s), QByteArray("a\\\\b\\\"c\\nd"));
    DeviceReading reading;
    DeviceSample sample;
    sample.name = u"x\"} 1\nfake 2"_s;
    sample.powerW = 1.5;
    reading.samples << sample;
    QVERIFY2(prometheusText(reading).endsWith("rankdeck_npu_power_watts{name=\"x\\\"} 1\\nfake 2\"} 1.5\n"),
             prometheusText(reading).constData());
}

void DevicesCommandTest::namesThatWouldMoveTheCursorAreSpelledOut()
{
    m_npuSmi->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7, "| 4  0 | 4711 | a\x1b[2Jb | 300 |\n"));
    for (const char *form : {"", "--json"}) {
        QStringList arguments{u"devices"_s, QLatin1String(form)};
        arguments.removeAll(QString());
        const Outcome outcome = ctl(arguments);
        QCOMPARE(outcome.code, 0);
        QVERIFY(!outcome.out.contains('\x1b'));
        QVERIFY2(outcome.out.contains("a\\u001b[2Jb"), outcome.out.constData());
    }
}

void DevicesCommandTest::watchedReadingsComeOneALine()
{
    m_npuSmi->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"), {u"devices"_s, u"--watch"_s, u"1"_s, u"--json"_s});
    QByteArray out;
    QTRY_VERIFY_WITH_TIMEOUT((out += process.readAllStandardOutput()).count('\n') >= 2, 30000);
    process.terminate();
    QVERIFY(process.waitForFinished(30000));
    const auto first = readingFromJson(linesOf(out)[0]);
    const auto second = readingFromJson(linesOf(out)[1]);
    QVERIFY2(first && second, out.constData());
    QVERIFY(first->time.msecsTo(second->time) >= 900);
    QCOMPARE(m_npuSmi->calls().count("C info -m"), 1);
}

void DevicesCommandTest::watchingGoesOnAfterAFailure()
{
    m_npuSmi->install("exit 3");
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"), {u"devices"_s, u"--watch"_s});
    QByteArray err;
    QTRY_VERIFY_WITH_TIMEOUT((err += process.readAllStandardError()).contains("ended with code 3"), 30000);
    QCOMPARE(process.state(), QProcess::Running);
    process.terminate();
    QVERIFY(process.waitForFinished(30000));
}

void DevicesCommandTest::whatCannotBeSampledIsOneSentenceAndCode1()
{
    m_npuSmi->install("echo 'dcmi module initialize failed. ret is -8005'");
    const Outcome outcome = ctl({u"devices"_s});
    QCOMPARE(outcome.code, 1);
    QCOMPARE(outcome.out, QByteArray());
    QCOMPARE(linesOf(outcome.err).size(), 1);
    QVERIFY2(outcome.err.contains("-8005"), outcome.err.constData());
    const Outcome json = ctl({u"devices"_s, u"--json"_s});
    QCOMPARE(json.code, 1);
    const auto reading = readingFromJson(json.out);
    QVERIFY(!reading);
    QVERIFY2(reading.error().what.contains(u"-8005"_s), json.out.constData());
}

void DevicesCommandTest::aReadingThatIsNotCompletedIsAReading_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("crashes") << QByteArray("kill -SEGV $$");
    QTest::newRow("prints endlessly") << QByteArray("exec yes");
}

void DevicesCommandTest::aReadingThatIsNotCompletedIsAReading()
{
    QFETCH(QByteArray, script);
    const QByteArray map = m_npuSmi->write("map", NpuSmiStandIn::map());
    const QByteArray table = m_npuSmi->write("table", NpuSmiStandIn::table(7));
    // One chip's health is Alarm, and its error codes are asked.
    m_npuSmi->install("case \"$*\" in 'info -m') cat '" + map + "' ;; info) cat '" + table + "' ;; *) " +
                      script + " ;; esac");
    const Outcome outcome = ctl({u"devices"_s, u"--json"_s});
    QVERIFY(m_npuSmi->calls().contains("C info -t health -i 5 -c 0"));
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.err, QByteArray());
    const auto reading = readingFromJson(outcome.out);
    QVERIFY2(reading, outcome.out.constData());
    QCOMPARE(reading->samples.size(), 2);
    // Who wanted one reading does not wait for what changes seldom.
    const QList<QByteArray> calls = m_npuSmi->calls();
    QVERIFY(std::none_of(calls.begin(), calls.end(),
                         [](const QByteArray &call) { return call.contains("ecc"); }));
}

void DevicesCommandTest::withoutADriverThatIsSaid()
{
    if (!findDeviceSource(DeviceSource::Kind::Dcmi).path.isEmpty())
        QSKIP("this machine has a driver for NPUs");
    const Outcome outcome = ctl({u"devices"_s, u"--source"_s, u"dcmi"_s});
    QCOMPARE(outcome.code, 1);
    QCOMPARE(outcome.out, QByteArray());
    QCOMPARE(linesOf(outcome.err).size(), 1);
    QVERIFY2(outcome.err.contains("no NPU driver"), outcome.err.constData());
}

void DevicesCommandTest::dcmiCanBeChosen()
{
    qputenv("RANKDECK_DCMI", buildPath("tests/libdcmi_standin.so").toUtf8());
    m_npuSmi->install("echo called");
    const Outcome outcome = ctl({u"devices"_s, u"--source"_s, u"dcmi"_s});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.contains("800 of 1800") && outcome.out.contains("0x80e18005"),
             outcome.out.constData());
    QCOMPARE(m_npuSmi->calls().size(), 0);
}

void DevicesCommandTest::withJsonAnErrorIsAnObjectToo()
{
    const Outcome outcome = ctl({u"devices"_s, u"--json"_s, u"--prometheus"_s});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("only one output format"), outcome.err.constData());
    const auto told = nlohmann::json::parse(outcome.out.toStdString());
    QCOMPARE(told.at("error").at("where").get<std::string>(), std::string("--json"));
}

void DevicesCommandTest::wrongOptionsAreRefused_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no number") << QStringList{u"--watch"_s, u"soon"_s} << QByteArray("soon");
    QTest::newRow("zero") << QStringList{u"--watch"_s, u"0"_s} << QByteArray("--watch");
    QTest::newRow("no source") << QStringList{u"--source"_s, u"none"_s} << QByteArray("npu-smi or dcmi");
    QTest::newRow("unknown") << QStringList{u"--csv"_s} << QByteArray("--csv");
}

void DevicesCommandTest::wrongOptionsAreRefused()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, words);
    m_npuSmi->install("echo called");
    verifyOneSentence(ctl(QStringList{u"devices"_s} + options), words);
    QCOMPARE(m_npuSmi->calls().size(), 0);
}

void DevicesCommandTest::helpSaysWhatThereIs()
{
    const Outcome outcome = ctl({u"devices"_s, u"--help"_s});
    QCOMPARE(outcome.code, 0);
    for (const char *word : {"--watch", "--json", "--prometheus", "--source", "Exit codes"})
        QVERIFY2(outcome.out.contains(word), word);
}

} // namespace tst_devicescommand

RANKDECK_TEST(tst_devicescommand, DevicesCommandTest)
#include "tst_devicescommand.moc"
