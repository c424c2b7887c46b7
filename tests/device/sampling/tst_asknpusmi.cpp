#include "device/npusmi/npusmireport.h"
#include "device/sample/devicemap.h"
#include "device/sampling/devicetool.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QTest>

#include <csignal>

namespace tst_asknpusmi
{

using namespace rankdeck;

namespace
{

/// Who is on which chip, by what programs count it by.
struct Found {
    int device = 0;
    qint64 pid = 0;
    QString name;
    bool operator==(const Found &) const = default;
};

QList<Found> foundIn(const QList<DeviceSample> &samples)
{
    QList<Found> found;
    for (qsizetype chip = 0; chip < samples.size(); ++chip) {
        for (const DeviceProcess &process : samples.at(chip).processes.value_or(QList<DeviceProcess>()))
            found << Found{programNumber(samples, chip), process.pid, process.name};
    }
    return found;
}

} // namespace

class AskNpuSmiTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyLayoutIsRead_data();
    void everyLayoutIsRead();
    void recordedOutputIsRead();
    void aProgramThatDoesNotAnswerIsGivenUp();
    void aProgramThatIsGivenUpGoesWithItsChildren();
    void aProgramThatFailsIsQuoted();

private:
    static QString tool(QTemporaryDir &folder, const QByteArray &script)
    {
        QFile file(folder.filePath(u"npu-smi"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + script) < 0)
            qFatal("a script cannot be written");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }
};

void AskNpuSmiTest::everyLayoutIsRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<Found>>("expected");
    const QByteArray head = "| NPU     Chip  | Process id | Process name | Process memory(MB) |\n";
    QTest::newRow("two chips a card")
        << QByteArray("| 1  310P3 | OK | NA 62 7210  / 7210 |\n| 0  0 | 0000:01:00.0 | 0 16302/ 44280 |\n"
                      "| 1  310P3 | OK | NA 62 7210  / 7210 |\n| 1  1 | 0000:01:00.0 | 0 15543/ 43693 |\n"
                      "| 2  310P3 | OK | NA 61 17057 / 17057 |\n| 0  2 | 0000:02:00.0 | 0 35563/ 44280 |\n") +
               head +
               "| 1  1 | 3277565 | mindie_llm_back | 14513 |\n| 2  0 | 3034986 | mindie_llm_back | 34207 |\n"
        << QList<Found>{{1, 3277565, u"mindie_llm_back"_s}, {2, 3034986, u"mindie_llm_back"_s}};
    QTest::newRow("the only card seen is its device 0")
        << QByteArray("| 5  910B4 | OK | 89.9 39 0 / 0 |\n| 0 | 0000:41:00.0 | 0 0 / 0 2922 / 32768 |\n") +
               head + "| 5  0 | 12 | python3 | 9 |\n"
        << QList<Found>{{0, 12, u"python3"_s}};
    QTest::newRow("a container's chips count from 0, whatever their physical ids")
        << QByteArray(
               "| NPU   Name  | Health  | Power(W)    Temp(C)  Hugepages-Usage(page) |\n"
               "| Chip  Phy-ID | Bus-Id  | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB) |\n"
               "| 0  Ascend910 | OK | 162.6 34 0 / 0 |\n| 0  8 | 0000:9D:00.0 | 0 0 / 0 3419 / 65536 |\n"
               "| 0  Ascend910 | OK | - 34 0 / 0 |\n| 1  9 | 0000:9F:00.0 | 0 0 / 0 2874 / 65536 |\n"
               "| NPU Chip | Process id | Process name | Process memory(MB) | Process id in container |\n"
               "| 0  1 | 77 | python | 100 | NA |\n")
        << QList<Found>{{1, 77, u"python"_s}};
    QTest::newRow("950: an NPU is a chip, the name has a column")
        << QByteArray("| 3 | Ascend950 | OK | 162.6 34 0 / 0 |\n| | | 0000:9D:00.0 | 0 0 / 0 |\n"
                      "| NPU ID | Process id | Process name | Process memory(MB) |\n"
                      "| 3 | 2018733 | VLLMWorker_TP | 30212 |\n")
        << QList<Found>{{0, 2018733, u"VLLMWorker_TP"_s}};
    QTest::newRow("a process of another container has no name") << head + "| 4  0 | 555 |  | 100 |\n"
                                                                << QList<Found>{{4, 555, QString()}};
    QTest::newRow("nothing runs") << head + "| No running processes found in NPU 0 |\n" << QList<Found>();
    QTest::newRow("not a table") << QByteArray("dcmi module initialize failed. ret is -8005\n")
                                 << QList<Found>();
    QTest::newRow("nonsense") << head + "| x  0 | 1 | a | 2 |\n| 0 0 | -3 | a | 2 |\n||\n|\n| 0 0 | 9 |\n"
                              << QList<Found>();
}

void AskNpuSmiTest::everyLayoutIsRead()
{
    QFETCH(QByteArray, text);
    QFETCH(QList<Found>, expected);
    QCOMPARE(foundIn(parseNpuSmi(text).samples), expected);
}

void AskNpuSmiTest::recordedOutputIsRead()
{
    const QString path = sharedData("npu-smi/131_910B3_25.5.1_8card_procs_REAL.txt");
    if (path.isEmpty())
        QSKIP("shared data: npu-smi/131_910B3_25.5.1_8card_procs_REAL.txt is not on this machine");
    QTemporaryDir folder;
    const auto found =
        askNpuSmi(tool(folder, "cat '" + path.toLocal8Bit() + "'\n"), std::chrono::seconds(20));
    QVERIFY2(found, qPrintable(found ? QString() : found.error().sentence()));
    const QList<Found> processes = foundIn(found->samples);
    QCOMPARE(processes.size(), 8);
    QCOMPARE(processes.constFirst(), (Found{0, 3233241, u"VLLMWorker_TP"_s}));
    QCOMPARE(processes.constLast(), (Found{7, 1886762, u"VLLMEngineCor"_s}));
    QCOMPARE(found->source, DeviceSource::Kind::NpuSmi);
    QCOMPARE(found->driverVersion, u"25.5.1"_s);
}

void AskNpuSmiTest::aProgramThatDoesNotAnswerIsGivenUp()
{
    QTemporaryDir folder;
    const auto found = askNpuSmi(tool(folder, "exec sleep 1000\n"), std::chrono::milliseconds(50));
    QVERIFY(!found);
    QVERIFY2(found.error().what.contains(u"no answer"_s), qPrintable(found.error().sentence()));
}

void AskNpuSmiTest::aProgramThatIsGivenUpGoesWithItsChildren()
{
    QTemporaryDir folder;
    const QString script = tool(folder, "sleep 1000 & echo $! >\"${0%/*}/child\"; wait\n");
    const auto found = askNpuSmi(script, std::chrono::seconds(3));
    QVERIFY(!found);
    QFile file(folder.filePath(u"child"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const int child = file.readAll().trimmed().toInt();
    QVERIFY(child > 0);
    QTRY_VERIFY_WITH_TIMEOUT(::kill(child, 0) != 0, 30000);
}

void AskNpuSmiTest::aProgramThatFailsIsQuoted()
{
    QTemporaryDir folder;
    const auto found = askNpuSmi(tool(folder, "echo 'There is no NPU card on this server.'; exit 1\n"),
                                 std::chrono::seconds(20));
    QVERIFY(!found);
    QVERIFY2(found.error().what.contains(u"no NPU card"_s), qPrintable(found.error().sentence()));
}

} // namespace tst_asknpusmi

RANKDECK_TEST(tst_asknpusmi, AskNpuSmiTest)
#include "tst_asknpusmi.moc"
