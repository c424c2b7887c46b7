#include "base/times.h"
#include "device/history/devicehistory.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_devicehistory
{

using namespace rankdeck;

namespace
{

DeviceReading readingAt(qint64 second, int busy, int chips = 2)
{
    DeviceReading reading;
    reading.time = utcTime(1700000000000 + second * 1000);
    for (int chip = 0; chip < chips; ++chip) {
        DeviceSample sample;
        sample.ids.logical = LogicalDeviceId(chip);
        sample.ids.card = CardId(chip + 4);
        sample.name = u"910B3"_s;
        sample.hbm = {1000 + busy, 65536};
        sample.temperatureC = chip == 0 ? -3 : 45;
        sample.health = chip == 0 ? DeviceHealth::Ok : DeviceHealth::Alarm;
        if (chip == 0) {
            sample.rates.aiCore = busy;
            sample.powerW = 99.44;
        } else {
            sample.errorCodes = QList<quint32>{1, 2};
        }
        reading.samples << sample;
    }
    return reading;
}

QByteArray textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class DeviceHistoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsRead();
    void whatStaysCostsAByte();
    void otherChipsBeginAnew();
    void aLineThatWasCutOffHarmsNoOther();
    void aSecondWriterContinues();
    void itStaysBoundedAndSpansTheRun();
    void whatCannotBeWrittenIsSaidAndTriedAnew();
    void whatIsNoHistoryIsSaid();
    void chipsWithoutAMomentAreNotKept();
    void csvHasARowForEachChip();

private:
    QTemporaryDir m_folder;
    QString path() const { return m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction())); }
};

void DeviceHistoryTest::whatIsWrittenIsRead()
{
    DeviceHistoryWriter writer(path());
    const DeviceReading first = readingAt(0, 7);
    DeviceReading second = readingAt(2, 8);
    second.samples[1] = first.samples[1];
    second.samples[0].rates.aiCore.reset();
    QVERIFY(!writer.add(first));
    QVERIFY(!writer.add(second));
    const auto history = DeviceHistory::read(path());
    QVERIFY(history);
    QCOMPARE(history->chips.size(), 1);
    QCOMPARE(history->chips[0][1].ids, first.samples[1].ids);
    QCOMPARE(history->chips[0][1].hbm, (Amount{{}, 65536}));
    QCOMPARE(history->chips[0][1].name, u"910B3"_s);
    QCOMPARE(history->moments.size(), 2);
    QCOMPARE(history->moments[1].time, second.time);
    for (int moment : {0, 1}) {
        const DeviceReading &reading = moment == 0 ? first : second;
        for (int chip : {0, 1})
            QCOMPARE(history->moments[moment].points[chip], DevicePoint::of(reading.samples[chip]));
    }
    QCOMPARE(history->moments[0].points[0].powerW, 99.4);
    QCOMPARE(history->moments[0].points[1].errors, 2);
    QVERIFY(!history->moments[1].points[0].aiCorePercent);
    QCOMPARE(QFile(path()).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
}

void DeviceHistoryTest::whatStaysCostsAByte()
{
    DeviceHistoryWriter writer(path());
    QVERIFY(!writer.add(readingAt(0, 7, 8)));
    const auto before = QFile(path()).size();
    QVERIFY(!writer.add(readingAt(2, 7, 8)));
    QCOMPARE(QFile(path()).size() - before, 8 * 2 + 16);
    QVERIFY(!writer.add(readingAt(4, 93, 8)));
    QVERIFY2(QFile(path()).size() < before + 32 + 8 * 25, textOf(path()).constData());
    const auto history = DeviceHistory::read(path());
    QVERIFY(history);
    QCOMPARE(history->moments[1].points, history->moments[0].points);
}

void DeviceHistoryTest::otherChipsBeginAnew()
{
    DeviceHistoryWriter writer(path());
    QVERIFY(!writer.add(readingAt(0, 7, 2)));
    QVERIFY(!writer.add(readingAt(2, 7, 1)));
    QVERIFY(!writer.add(readingAt(4, 7, 2)));
    const auto history = DeviceHistory::read(path());
    QVERIFY(history);
    QCOMPARE(history->chips.size(), 3);
    QCOMPARE(history->moments[1].points.size(), 1);
    QCOMPARE(history->chips[history->moments[2].chips].size(), 2);
    QCOMPARE(history->moments[2].points, history->moments[0].points);
}

void DeviceHistoryTest::aLineThatWasCutOffHarmsNoOther()
{
    const QString whole = path() + u"-whole"_s;
    DeviceHistoryWriter writer(whole);
    for (int second = 0; second < 5; ++second)
        QVERIFY(!writer.add(readingAt(second, second * 3)));
    const QByteArray text = textOf(whole);
    const auto all = DeviceHistory::read(whole);
    QVERIFY(all);
    const QString cut = path();
    for (qsizetype size = text.indexOf('\n') + 1; size < text.size(); ++size) {
        QFile::remove(cut);
        QFile file(cut);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.first(size));
        file.close();
        const auto before = DeviceHistory::read(cut);
        QVERIFY(before);
        for (qsizetype moment = 0; moment < before->moments.size(); ++moment)
            QCOMPARE(before->moments[moment].points, all->moments[moment].points);
        DeviceHistoryWriter again(cut);
        QVERIFY(!again.add(readingAt(9, 50)));
        const auto after = DeviceHistory::read(cut);
        QVERIFY(after);
        QCOMPARE(after->moments.size(), before->moments.size() + 1);
        QCOMPARE(after->moments.last().points[0].aiCorePercent, 50);
    }
}

void DeviceHistoryTest::aSecondWriterContinues()
{
    {
        DeviceHistoryWriter writer(path());
        QVERIFY(!writer.add(readingAt(0, 7)));
    }
    DeviceHistoryWriter writer(path());
    QVERIFY(!writer.add(readingAt(2, 7)));
    const auto history = DeviceHistory::read(path());
    QVERIFY(history);
    QCOMPARE(history->moments.size(), 2);
    QCOMPARE(textOf(path()).count("# rankdeck"), 1);
}

void DeviceHistoryTest::itStaysBoundedAndSpansTheRun()
{
    constexpr qint64 limit = 10000;
    constexpr int readings = 5000;
    DeviceHistoryWriter writer(path(), limit);
    qint64 largest = 0;
    for (int second = 0; second < readings; ++second) {
        QVERIFY(!writer.add(readingAt(second, second % 101)));
        largest = std::max(largest, QFile(path()).size());
    }
    QVERIFY2(largest < limit + 500, qPrintable(QString::number(largest)));
    const auto history = DeviceHistory::read(path());
    QVERIFY(history);
    QVERIFY2(history->moments.size() > 80, qPrintable(QString::number(history->moments.size())));
    QCOMPARE(history->moments.first().time, readingAt(0, 0).time);
    const qint64 last = history->moments.last().time.toMSecsSinceEpoch() / 1000 - 1700000000;
    QVERIFY2(last > readings - 200, qPrintable(QString::number(last)));
    // One that continues it keeps as few.
    const int before = static_cast<int>(history->moments.size());
    DeviceHistoryWriter again(path(), limit);
    for (int second = 0; second < 10; ++second)
        QVERIFY(!again.add(readingAt(readings + second, 1)));
    QVERIFY(DeviceHistory::read(path())->moments.size() <= before + 1);
}

void DeviceHistoryTest::whatCannotBeWrittenIsSaidAndTriedAnew()
{
    const QString folder = path();
    DeviceHistoryWriter writer(folder + u"/devices"_s);
    const auto error = writer.add(readingAt(0, 7));
    QVERIFY(error);
    QVERIFY2(error->sentence().contains(u"/devices"_s), qPrintable(error->sentence()));
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(!writer.add(readingAt(2, 7)));
    QCOMPARE(DeviceHistory::read(folder + u"/devices"_s)->moments.size(), 1);
}

void DeviceHistoryTest::whatIsNoHistoryIsSaid()
{
    QVERIFY(!DeviceHistory::read(path()));
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("something else\n");
    file.close();
    QVERIFY(!DeviceHistory::read(path()));
    DeviceHistoryWriter writer(path());
    QVERIFY(writer.add(readingAt(0, 7)));
    QCOMPARE(textOf(path()), QByteArray("something else\n"));
}

void DeviceHistoryTest::chipsWithoutAMomentAreNotKept()
{
    QByteArray text = "# rankdeck devices 1 1\n";
    for (int line = 0; line < 100; ++line)
        text += "C [{},{}]\n";
    text += "C [{}]\nS 1000 5\n";
    QByteArray many = "C [{}";
    for (int chip = 0; chip < 65536; ++chip)
        many += ",{}";
    const auto history = DeviceHistory::from(text + many + "]\nS 2000 5\nC [{},{}]\n");
    QVERIFY(history);
    QCOMPARE(history->chips.size(), 2);
    QCOMPARE(history->chipsOfProcesses.size(), 2);
    QCOMPARE(history->chips[0].size(), 1);
    QCOMPARE(history->moments.size(), 1);
    QCOMPARE(history->moments[0].chips, 0);
}

void DeviceHistoryTest::csvHasARowForEachChip()
{
    DeviceHistoryWriter writer(path());
    QVERIFY(!writer.add(readingAt(0, 7)));
    QVERIFY(!writer.add(readingAt(2, 8)));
    const auto history = DeviceHistory::read(path());
    QCOMPARE(history->moments.size(), 2);
    QCOMPARE(DeviceHistory::csvHeading(),
             QByteArray("time,device,physical_id,card,chip,bus,name,ai_core_percent,npu_percent,"
                        "hbm_used_mb,ddr_used_mb,temperature_c,power_w,clock_mhz,health,errors"));
    QCOMPARE(history->csvRow(history->moments[0], 0),
             QByteArray("2023-11-14T22:13:20.000Z,0,,4,,,910B3,7,,1007,,-3,99.4,,0,"));
    QCOMPARE(history->csvRow(history->moments[1], 1),
             QByteArray("2023-11-14T22:13:22.000Z,1,,5,,,910B3,,,1008,,45,,,2,2"));
}

} // namespace tst_devicehistory

RANKDECK_TEST(tst_devicehistory, DeviceHistoryTest)
#include "tst_devicehistory.moc"
