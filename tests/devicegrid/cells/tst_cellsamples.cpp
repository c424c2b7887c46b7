#include "base/times.h"
#include "devicegrid/cells/devicecell.h"
#include "devicegrid/grid/gridcontents.h"
#include "support/handmaderun.h"
#include "support/madesamples.h"
#include "support/windowtest.h"

#include <QTest>

namespace tst_cellsamples
{

using namespace rankdeck;

namespace
{

const QDateTime start = utcTime(QDate(2026, 3, 1), QTime(12, 0, 0));
const QString node = u"10.0.0.1"_s;
constexpr SampleRows both{true, true};
constexpr SampleRows devicesAlone{true, false};
constexpr SampleRows processesAlone{false, true};

RunSamples::Sample sampleOf(const DeviceSample &device)
{
    RunSamples::Sample sample;
    sample.time = start;
    sample.device = device;
    sample.deviceTime = start;
    return sample;
}

KnownSample known(const RunSamples::Sample &sample)
{
    return {&sample, {}, {}, {}};
}

/// Rank 0 of a run whose samples these are.
DeviceCell cellOf(GridContents &contents, const QDateTime &now)
{
    contents.settleRows();
    return contents.cell({0, 0}, now);
}

} // namespace

/// What a cell of the device grid shows of its NPU and its process tree.
class TestCellSamples : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anNpuShowsHowBusyFullAndWarmItIs();
    void whatACardDoesNotGiveIsAbsent();
    void aNumberDoesNotMoveWhatStandsBehindIt();
    void healthIsAWordWithItsTone_data();
    void healthIsAWordWithItsTone();
    void anInventedNpuSaysSo();
    void aThrottledClockIsSaidWhileItMatters();
    void othersOnTheDeviceAreNamed();
    void anAlarmComesFirst();
    void anAlarmOfSeveralNodesSaysWhatHappened();
    void aProcessTreeIsShownWithoutAnNpuToo();
    void besideAnNpuTheTreeTakesOneRow();
    void aSparklineHasACharacterAValue_data();
    void aSparklineHasACharacterAValue();
    void aSampleGrowsOldAfterThreeIntervals();
    void oldNumbersAreNotShown();
    void anNpuThatIsNotReadAnyMoreIsOldThoughItsProcessIsNot();
    void rowsAreThereWhileALiveRunHasSamples();
    void whatIsShownCanBeChosen();
    void aReadingThatComesAgainIsNoOther();
    void samplesAreSpoken();
};

void TestCellSamples::anNpuShowsHowBusyFullAndWarmItIs()
{
    DeviceSample device = madeDevice(0);
    device.hbm = {60'006, 65'536};
    const RunSamples::Sample sample = sampleOf(device);
    const QList<SampleLine> lines = sampleLines(known(sample), devicesAlone);
    QCOMPARE(lines.size(), devicesAlone.count());
    QCOMPARE(lines[0].left, u"AI  87%"_s);
    QCOMPARE(lines[0].percent, std::optional<double>(87));
    QCOMPARE(lines[1].left, u"HBM 58.6/64.0 GB"_s);
    QCOMPARE(qRound(*lines[1].percent), 92);
    QCOMPARE(lines[2].left, u"63°C  312 W"_s);
    QCOMPARE(lines[2].right, u"OK"_s);
    QVERIFY(!lines[2].tone);
}

void TestCellSamples::whatACardDoesNotGiveIsAbsent()
{
    DeviceSample device;
    RunSamples::Sample sample = sampleOf(device);
    for (const SampleLine &line : sampleLines(known(sample), devicesAlone))
        QCOMPARE(line, SampleLine());
    // A 950 says how busy the chip is as a whole, a 310 has DDR, `info watch` knows shares alone.
    device.rates.npu = 12;
    device.ddr = {2048, 8192};
    device.powerW = 12.8;
    sample = sampleOf(device);
    QList<SampleLine> lines = sampleLines(known(sample), devicesAlone);
    QCOMPARE(lines[0].left, u"NPU  12%"_s);
    QCOMPARE(lines[1].left, u"DDR 2.0/8.0 GB"_s);
    QCOMPARE(lines[2].left, u" 13 W"_s);
    QCOMPARE(lines[2].right, QString());
    device.ddr = {};
    device.rates.hbm = 7;
    sample = sampleOf(device);
    lines = sampleLines(known(sample), devicesAlone);
    QCOMPARE(lines[1].left, u"HBM   7%"_s);
    QCOMPARE(lines[1].percent, std::optional<double>(7));
}

void TestCellSamples::aNumberDoesNotMoveWhatStandsBehindIt()
{
    QList<qsizetype> lengths;
    for (const qint64 used : {0, 9'000, 60'006}) {
        DeviceSample device;
        device.rates.aiCore = int(used / 9'000);
        device.hbm = {used, 65'536};
        const RunSamples::Sample sample = sampleOf(device);
        const QList<SampleLine> lines = sampleLines(known(sample), devicesAlone);
        QCOMPARE(lines[0].left.size(), 7);
        lengths << lines[1].left.size();
    }
    QCOMPARE(lengths, QList<qsizetype>(3, lengths[0]));
}

void TestCellSamples::healthIsAWordWithItsTone_data()
{
    QTest::addColumn<int>("health");
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("word");
    QTest::addColumn<int>("tone"); ///< -1: it stands back.
    QTest::newRow("ok") << int(DeviceHealth::Ok) << QString() << u"OK"_s << -1;
    QTest::newRow("warning") << int(DeviceHealth::Warning) << QString() << u"Warning"_s << int(Tone::Caution);
    QTest::newRow("alarm") << int(DeviceHealth::Alarm) << QString() << u"Alarm"_s << int(Tone::Bad);
    QTest::newRow("critical") << int(DeviceHealth::Critical) << QString() << u"Critical"_s << int(Tone::Bad);
    QTest::newRow("another word") << int(DeviceHealth::Unknown) << u"Offline"_s << u"Offline"_s
                                  << int(Tone::Caution);
}

void TestCellSamples::healthIsAWordWithItsTone()
{
    QFETCH(int, health);
    QFETCH(QString, printed);
    QFETCH(int, tone);
    DeviceSample device;
    device.health = DeviceHealth(health);
    device.healthWord = printed;
    const RunSamples::Sample sample = sampleOf(device);
    const SampleLine line = sampleLines(known(sample), devicesAlone).at(2);
    QTEST(line.right, "word");
    QCOMPARE(line.tone ? int(*line.tone) : -1, tone);
}

void TestCellSamples::anInventedNpuSaysSo()
{
    DeviceSample device = madeDevice(0);
    device.isInvented = true;
    RunSamples::Sample sample = sampleOf(device);
    QCOMPARE(sampleLines(known(sample), devicesAlone).at(2).right, u"invented"_s);
    QVERIFY(sampleLines(known(sample), devicesAlone).at(2).spoken.contains(u"invented"_s));
    sample.device->setHealth(u"Warning"_s);
    QCOMPARE(sampleLines(known(sample), devicesAlone).at(2).right, u"Warning, invented"_s);
}

void TestCellSamples::aThrottledClockIsSaidWhileItMatters()
{
    DeviceSample device = madeDevice(0);
    device.clockMhz = 900;
    device.ratedClockMhz = 1800;
    RunSamples::Sample sample = sampleOf(device);
    QCOMPARE(sampleNote(known(sample), {}, node).text, u"⚠ throttled 900/1800 MHz"_s);
    QCOMPARE(sampleNote(known(sample), {}, node).tone, Tone::Caution);
    sample.device->rates.aiCore = 0;
    QCOMPARE(sampleNote(known(sample), {}, node).text, QString());
    sample.device->rates.aiCore = 50;
    sample.device->clockMhz = 1800;
    QCOMPARE(sampleNote(known(sample), {}, node).text, QString());
}

void TestCellSamples::othersOnTheDeviceAreNamed()
{
    RunSamples::Sample sample = sampleOf(madeDevice(0));
    sample.foreign << madeStranger();
    QCOMPARE(sampleNote(known(sample), {}, node).text, u"⚠ +1 other: python 4711 bob 1.0 GB"_s);
    DeviceUser nameless;
    nameless.process.pid = 99;
    sample.foreign << nameless;
    const SampleNote note = sampleNote(known(sample), {}, node);
    QCOMPARE(note.text, u"⚠ +2 others: python 4711 bob 1.0 GB, 99"_s);
    QCOMPARE(note.spoken, u"used by others: python 4711 bob 1.0 GB, 99"_s);
}

void TestCellSamples::anAlarmComesFirst()
{
    RunSamples::Sample sample = sampleOf(madeDevice(0));
    sample.foreign << madeStranger();
    const QString alarm = u"Device 1 (910B3, card 5): its health was OK and is Alarm."_s;
    const SampleNote note = sampleNote(known(sample), alarm, node);
    QVERIFY2(note.text.startsWith(u"⚠ its health was OK and is Alarm. · +1 other"_s), qPrintable(note.text));
    QCOMPARE(note.tone, Tone::Bad);
    QVERIFY(note.spoken.startsWith(alarm));
    // It stays when nothing is sampled any more.
    QVERIFY(sampleNote({}, alarm, node).text.contains(u"is Alarm"_s));
}

void TestCellSamples::anAlarmOfSeveralNodesSaysWhatHappened()
{
    const RunSamples::Sample sample = sampleOf(madeDevice(0));
    const QString what = u"its health was OK and is Alarm. Rank 1 runs on it."_s;
    // A name that is an address has colons too.
    for (const char *name : {"node2", "fe80::1", "odd: name"}) {
        const QString its = QString::fromLatin1(name);
        const QString alarm = u"%1: Device 1 (910B3, card 5): %2"_s.arg(its, what);
        const SampleNote note = sampleNote(known(sample), alarm, its);
        QCOMPARE(note.text, u"⚠ "_s + what);
        QCOMPARE(note.spoken, alarm);
    }
    QCOMPARE(sampleNote(known(sample), u"It is hot."_s, node).text, u"⚠ It is hot."_s);

    // As the journal has it.
    RunState state = running(handMadeRun(2, 2, 2));
    const QString other = state.plan->processes.at(3).node;
    const QString alarm = u"%1: Device 1: its health was OK and is Alarm."_s.arg(other);
    state.apply(RunEvent::now(events::DeviceAlarm{3, Sentence(alarm)}, other));
    GridContents contents;
    contents.setState(state);
    QCOMPARE(contents.cell({1, 1}, start).note.text, u"⚠ its health was OK and is Alarm."_s);
}

void TestCellSamples::aProcessTreeIsShownWithoutAnNpuToo()
{
    RunSamples::Sample sample;
    sample.time = start;
    sample.load = TreeLoad{9, 3'436'000'000, 812.4, 3.1 * 1024 * 1024, 0.2 * 1024 * 1024};
    KnownSample tree = known(sample);
    tree.recent = {1.0, 60.0, std::nullopt, 800.0};
    QList<SampleLine> lines = sampleLines(tree, processesAlone);
    QCOMPARE(lines.size(), processesAlone.count());
    QCOMPARE(lines[0].left, u"CPU  812%"_s);
    QCOMPARE(lines[0].history, u"▁▅ █"_s); // 100 % is one core.
    QVERIFY(!lines[0].percent);
    QCOMPARE(lines[1].left, u"Mem 3.2 GB"_s);
    QCOMPARE(lines[1].right, u"R3.1 W0.2 MB/s"_s);
    // Its first sample, and another user's processes.
    sample.load = TreeLoad{1, 300'000'000, {}, {}, {}};
    lines = sampleLines(known(sample), processesAlone);
    QCOMPARE(lines[0], SampleLine());
    QCOMPARE(lines[1].left, u"Mem 286 MB"_s);
    QCOMPARE(lines[1].right, QString());
}

void TestCellSamples::besideAnNpuTheTreeTakesOneRow()
{
    RunSamples::Sample sample = sampleOf(madeDevice(0));
    sample.load = TreeLoad{9, 3'436'000'000, 812.4, 0, 3.1 * 1024 * 1024};
    const QList<SampleLine> lines = sampleLines(known(sample), both);
    QCOMPARE(lines.size(), both.count());
    QCOMPARE(lines[3].left, u"CPU  812%  3.2 GB"_s);
    QCOMPARE(lines[3].right, u"R0 W3.1 MB/s"_s);
    // How busy the NPU was says nothing of the tree.
    KnownSample recent = known(sample);
    recent.recent = {50.0};
    QCOMPARE(sampleLines(recent, processesAlone).at(0).history, QString());
}

void TestCellSamples::aSparklineHasACharacterAValue_data()
{
    QTest::addColumn<QList<double>>("values"); ///< Below 0: nothing is known.
    QTest::addColumn<double>("full");
    QTest::addColumn<QString>("line");
    QTest::newRow("nothing") << QList<double>{} << 100.0 << QString();
    QTest::newRow("all heights") << QList<double>{0, 12.5, 25, 40, 50, 70, 80, 100} << 100.0 << u"▁▂▃▄▅▆▇█"_s;
    QTest::newRow("gaps") << QList<double>{100, -1, -1, 0} << 100.0 << u"█  ▁"_s;
    QTest::newRow("beyond") << QList<double>{130} << 100.0 << u"█"_s;
    QTest::newRow("idle") << QList<double>{0, 0} << 0.0 << u"▁▁"_s;
}

void TestCellSamples::aSparklineHasACharacterAValue()
{
    QFETCH(QList<double>, values);
    QFETCH(double, full);
    QList<std::optional<double>> known;
    for (const double value : values)
        known << (value < 0 ? std::nullopt : std::optional<double>(value));
    QTEST(sparkline(known, full), "line");
}

void TestCellSamples::aSampleGrowsOldAfterThreeIntervals()
{
    SampleAge age;
    QVERIFY(!age.oldSince(start).isValid());
    // The clock of where it was made is another.
    const QDateTime made = start.addDays(-1);
    age.take(made, start);
    QVERIFY(!age.oldSince(start.addSecs(30)).isValid()); // How often they come is not known yet.
    QVERIFY(age.oldSince(start.addSecs(31)).isValid());
    age.take(made.addSecs(2), start.addSecs(2));
    QVERIFY(!age.oldSince(start.addSecs(2 + 6)).isValid());
    QVERIFY(age.oldSince(start.addSecs(2 + 7)).isValid());
    age.take(made.addSecs(2), start.addSecs(7)); // The same one again.
    QVERIFY(age.oldSince(start.addSecs(2 + 7)).isValid());
    age.take(made.addSecs(25), start.addSecs(25)); // Calls take long.
    QVERIFY(!age.oldSince(start.addSecs(25 + 69)).isValid());
    QVERIFY(age.oldSince(start.addSecs(25 + 70)).isValid());
    age.take(made.addSecs(7200), start.addSecs(7200)); // Nobody wanted any in between.
    QCOMPARE(age.oldSince(start.addSecs(7200 + 3 * 75 + 1)), made.addSecs(7200));
}

void TestCellSamples::oldNumbersAreNotShown()
{
    GridContents contents;
    contents.setShownSamples(ShownSamples::Both);
    contents.setState(running(handMadeRun()));
    RunSamples samples;
    NodeSample sample = madeNodeSample(node, {0, 1}, start);
    sample.users[0] << madeStranger();
    samples.take(sample);
    contents.setSamples(samples, start);
    QCOMPARE(cellOf(contents, start.addSecs(5)).samples.at(0).left, u"AI  87%"_s);
    QVERIFY(!cellOf(contents, start.addSecs(5)).note.text.isEmpty());
    const DeviceCell old = cellOf(contents, start.addSecs(31));
    QCOMPARE(old.samples.at(0).left,
             u"no sample since %1"_s.arg(start.toLocalTime().toString(u"HH:mm:ss"_s)));
    QCOMPARE(old.samples.at(0).percent, std::optional<double>());
    for (const SampleLine &line : old.samples.mid(1))
        QCOMPARE(line, SampleLine());
    QCOMPARE(old.note, SampleNote());
    QVERIFY(old.spoken().contains(u"no sample since"_s));
    // It is back.
    samples.take(madeNodeSample(node, {0, 1}, start.addSecs(40), 1));
    contents.setSamples(samples, start.addSecs(40));
    QCOMPARE(cellOf(contents, start.addSecs(40)).samples.at(0).left, u"AI 100%"_s);
}

void TestCellSamples::anNpuThatIsNotReadAnyMoreIsOldThoughItsProcessIsNot()
{
    GridContents contents;
    contents.setShownSamples(ShownSamples::Both);
    contents.setState(running(handMadeRun()));
    RunSamples samples;
    for (int second = 0; second <= 32; second += 2) {
        NodeSample sample = madeNodeSample(node, {0}, start.addSecs(second));
        sample.devices->time = start; // The last reading, again and again.
        samples.take(sample);
        contents.setSamples(samples, start.addSecs(second));
    }
    const DeviceCell cell = cellOf(contents, start.addSecs(32));
    QVERIFY(cell.samples.at(0).left.startsWith(u"no sample since"_s));
    QVERIFY(cell.samples.at(3).left.startsWith(u"CPU"_s));
}

void TestCellSamples::rowsAreThereWhileALiveRunHasSamples()
{
    GridContents contents;
    contents.setShownSamples(ShownSamples::Both);
    contents.setState(running(handMadeRun()));
    QVERIFY(!contents.settleRows());
    QCOMPARE(contents.sampleRows().count(), 0);
    RunSamples samples;
    samples.addRecent(0, start, 50); // From the history alone.
    contents.setSamples(samples, start);
    QVERIFY(!contents.settleRows());
    samples.take(madeLoadSample(node, {0}, start));
    contents.setSamples(samples, start);
    QCOMPARE(contents.sampleRows().count(), 0); // Not before it may.
    QVERIFY(contents.settleRows());
    QCOMPARE(contents.sampleRows(), processesAlone);
    samples.take(madeNodeSample(node, {0}, start));
    contents.setSamples(samples, start);
    QVERIFY(contents.settleRows());
    QCOMPARE(contents.sampleRows(), both);
    contents.setState(failed(running(handMadeRun()), 3, ExitStatus{ExitStatus::Kind::Exited, 3}));
    QVERIFY(contents.settleRows());
    QCOMPARE(contents.sampleRows().count(), 0);
}

void TestCellSamples::whatIsShownCanBeChosen()
{
    GridContents contents;
    contents.setShownSamples(ShownSamples::Both);
    contents.setState(running(handMadeRun()));
    const auto rows = [&contents](ShownSamples shown) {
        contents.setShownSamples(shown);
        contents.settleRows();
        return contents.sampleRows();
    };
    RunSamples samples;
    samples.take(madeLoadSample(node, {0}, start));
    contents.setSamples(samples, start);
    QCOMPARE(rows(ShownSamples::Devices), processesAlone); // There are no NPUs.
    QCOMPARE(rows(ShownSamples::Neither), SampleRows());
    samples.take(madeNodeSample(node, {0}, start));
    contents.setSamples(samples, start);
    QCOMPARE(rows(ShownSamples::Devices), devicesAlone);
    QCOMPARE(rows(ShownSamples::Processes), processesAlone);
    QCOMPARE(rows(ShownSamples::Both), both);
    QCOMPARE(rows(ShownSamples::Neither), SampleRows());
}

void TestCellSamples::aReadingThatComesAgainIsNoOther()
{
    RunSamples samples;
    const auto take = [&samples](int second, int read, int busy) {
        NodeSample sample = madeNodeSample(node, {0}, start.addSecs(second));
        sample.devices->time = start.addSecs(read);
        sample.devices->samples[0].rates.aiCore = busy;
        samples.take(sample);
    };
    using Recent = QList<std::optional<double>>;
    take(2, 0, 50);
    take(12, 8, 97); // Asked for in the first ten seconds.
    QCOMPARE(samples.recent(0), (Recent{97}));
    for (int second = 14; second < 600; second += 2)
        take(second, 8, 97);
    QCOMPARE(samples.recent(0), (Recent{97}));
    // It answers again.
    take(40, 38, 10);
    QCOMPARE(samples.recent(0), (Recent{97, std::nullopt, std::nullopt, 10}));
    // Of a process tree each sample is another.
    for (const int second : {0, 12})
        samples.take(madeLoadSample(node, {1}, start.addSecs(second)));
    QCOMPARE(samples.recent(1), (Recent{812, 812}));
}

void TestCellSamples::samplesAreSpoken()
{
    GridContents contents;
    contents.setShownSamples(ShownSamples::Both);
    RunState state = running(handMadeRun());
    state.deviceAlarms.insert(0, u"Device 0: it reports the error 0x80e01801."_s);
    contents.setState(state);
    contents.setLastLine(0, u"step 7"_s);
    RunSamples samples;
    samples.take(madeNodeSample(node, {0}, start));
    contents.setSamples(samples, start);
    const QString spoken = cellOf(contents, start).spoken();
    for (const char *part : {"rank 0", "running", "AI cores 87%", "HBM 58.6 of 64.0 GB",
                             "63°C, 312 W, health OK", "CPU 812%, memory 3.2 GB, read 3.1, written 0.2 MB/s",
                             "Device 0: it reports the error 0x80e01801.", "step 7"})
        QVERIFY2(spoken.contains(QString::fromUtf8(part)), qPrintable(spoken));
    QVERIFY(!spoken.contains(u"▁"_s) && !spoken.contains(u"█"_s));
}

} // namespace tst_cellsamples

RANKDECK_WINDOW_TEST(tst_cellsamples, TestCellSamples)
#include "tst_cellsamples.moc"
