#include "launch/options/launchers.h"
#include "launch/spec/launchspec.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_chosendevices
{

using namespace rankdeck;

class ChosenDevicesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksAreMovedToFreeDevices_data();
    void ranksAreMovedToFreeDevices();
    void whatDoesNotChooseDevicesStays_data();
    void whatDoesNotChooseDevicesStays();

private:
    static LaunchSpec parsed(const QString &launcher, const QString &options)
    {
        const auto line = launcherCommandLine(launcher);
        const auto spec = line->parse(options.split(' '_L1, Qt::SkipEmptyParts) + QStringList{u"train.py"_s});
        return spec ? *spec : LaunchSpec();
    }
    static QString visible(const LaunchSpec &spec)
    {
        return spec.environment.value(u"ASCEND_RT_VISIBLE_DEVICES"_s);
    }
};

void ChosenDevicesTest::ranksAreMovedToFreeDevices_data()
{
    QTest::addColumn<QString>("launcher");
    QTest::addColumn<QString>("options");
    QTest::addColumn<QList<int>>("devices");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("expected");
    const QString msrun = u"msrun"_s;
    const QString processes = u"processes"_s;
    QTest::newRow("as many as ranks")
        << msrun << u"--worker_num 2 --local_worker_num 2"_s << QList<int>{2, 3, 6, 7} << 2 << u"2,3"_s;
    QTest::newRow("fewer ranks where fewer are free")
        << msrun << u"--worker_num 8 --local_worker_num 8"_s << QList<int>{2, 3, 6} << 3 << u"2,3,6"_s;
    QTest::newRow("processes") << processes << u"--nproc 4"_s << QList<int>{4, 5, 6, 7} << 4 << u"4,5,6,7"_s;
}

void ChosenDevicesTest::ranksAreMovedToFreeDevices()
{
    QFETCH(QString, launcher);
    QFETCH(QString, options);
    QFETCH(QList<int>, devices);
    const LaunchSpec spec = parsed(launcher, options);
    const auto moved = onDevices(spec, devices);
    QVERIFY(moved);
    QTEST(visible(*moved), "expected");
    const bool isMsrun = launcher == "msrun"_L1;
    QTEST(isMsrun ? moved->msrun.workerNum : moved->processes.nproc, "ranks");
    if (isMsrun)
        QCOMPARE(moved->msrun.localWorkerNum, moved->msrun.workerNum);
    QCOMPARE(moved->command, spec.command);
}

void ChosenDevicesTest::whatDoesNotChooseDevicesStays_data()
{
    QTest::addColumn<QString>("launcher");
    QTest::addColumn<QString>("options");
    QTest::addColumn<QList<int>>("devices");
    const QList<int> some{1, 2};
    QTest::newRow("a rank table does") << u"davincirun"_s << QString() << some;
    QTest::newRow("one node of several") << u"msrun"_s << u"--worker_num 16 --local_worker_num 8"_s << some;
    QTest::newRow("named nodes") << u"processes"_s << u"--nodes a,b"_s << some;
    QTest::newRow("several nodes") << u"processes"_s << u"--nnodes 2"_s << some;
    QTest::newRow("none is free") << u"processes"_s << QString() << QList<int>();
}

void ChosenDevicesTest::whatDoesNotChooseDevicesStays()
{
    QFETCH(QString, launcher);
    QFETCH(QString, options);
    QFETCH(QList<int>, devices);
    QVERIFY(!onDevices(parsed(launcher, options), devices));
}

} // namespace tst_chosendevices

RANKDECK_TEST(tst_chosendevices, ChosenDevicesTest)
#include "tst_chosendevices.moc"
