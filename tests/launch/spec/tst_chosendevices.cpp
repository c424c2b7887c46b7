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
        const auto spec = line->parse(options.split(QLatin1Char(' '), Qt::SkipEmptyParts) +
                                      QStringList{QStringLiteral("train.py")});
        return spec ? *spec : LaunchSpec();
    }
    static QString visible(const LaunchSpec &spec)
    {
        return spec.environment.value(QStringLiteral("ASCEND_RT_VISIBLE_DEVICES"));
    }
};

void ChosenDevicesTest::ranksAreMovedToFreeDevices_data()
{
    QTest::addColumn<QString>("launcher");
    QTest::addColumn<QString>("options");
    QTest::addColumn<QList<int>>("devices");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("expected");
    const QString msrun = QStringLiteral("msrun");
    const QString processes = QStringLiteral("processes");
    QTest::newRow("as many as ranks") << msrun << QStringLiteral("--worker_num 2 --local_worker_num 2")
                                      << QList<int>{2, 3, 6, 7} << 2 << QStringLiteral("2,3");
    QTest::newRow("fewer ranks where fewer are free")
        << msrun << QStringLiteral("--worker_num 8 --local_worker_num 8") << QList<int>{2, 3, 6} << 3
        << QStringLiteral("2,3,6");
    QTest::newRow("processes") << processes << QStringLiteral("--nproc 4") << QList<int>{4, 5, 6, 7} << 4
                               << QStringLiteral("4,5,6,7");
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
    const bool isMsrun = launcher == QLatin1String("msrun");
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
    QTest::newRow("a rank table does") << QStringLiteral("davincirun") << QString() << some;
    QTest::newRow("one node of several")
        << QStringLiteral("msrun") << QStringLiteral("--worker_num 16 --local_worker_num 8") << some;
    QTest::newRow("named nodes") << QStringLiteral("processes") << QStringLiteral("--nodes a,b") << some;
    QTest::newRow("several nodes") << QStringLiteral("processes") << QStringLiteral("--nnodes 2") << some;
    QTest::newRow("none is free") << QStringLiteral("processes") << QString() << QList<int>();
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
