#include "devicegrid/devicegridgeometry.h"

#include <QRegion>
#include <QTest>

using namespace rankdeck;

namespace
{

DeviceGridGeometry::Metrics metrics()
{
    return {QSize(100, 50), 150, 20, 10, 5};
}

} // namespace

class TestDeviceGridGeometry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void columnsFollowTheWidth_data();
    void columnsFollowTheWidth();
    void cellsFillTheWidthUpToALimit();
    void everyCellIsHitAtItsCornersAndNothingBetween();
    void placesDoNotOverlap();
    void arrowsMoveAcrossServersAndStopAtTheEdges();
    void emptyGridHasNothingToHit();
};

void TestDeviceGridGeometry::columnsFollowTheWidth_data()
{
    QTest::addColumn<QList<int>>("devices");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("columns");
    QTest::newRow("eight in a row") << QList<int>{8} << 8 * 110 << 8;
    QTest::newRow("seven would fit, four fill two rows") << QList<int>{8} << 7 * 110 << 4;
    QTest::newRow("three fit") << QList<int>{8} << 3 * 110 << 3;
    QTest::newRow("narrower than a cell") << QList<int>{8} << 60 << 1;
    QTest::newRow("wider than the devices") << QList<int>{2} << 2000 << 2;
    QTest::newRow("the largest server decides") << QList<int>{2, 8} << 4 * 110 << 4;
    QTest::newRow("sixteen") << QList<int>{16, 16} << 5 * 110 + 20 << 4;
}

void TestDeviceGridGeometry::columnsFollowTheWidth()
{
    QFETCH(QList<int>, devices);
    QFETCH(int, width);
    QTEST(DeviceGridGeometry(devices, metrics(), width).columns(), "columns");
}

void TestDeviceGridGeometry::cellsFillTheWidthUpToALimit()
{
    const DeviceGridGeometry wide({2}, metrics(), 2000);
    QCOMPARE(wide.cell(0).width(), 150);
    const DeviceGridGeometry snug({4}, metrics(), 4 * 120 + 3 * 10 + 10);
    QCOMPARE(snug.cell(0).width(), 120);
    QCOMPARE(snug.cell(3).right(), 4 * 120 + 3 * 10 + 5 - 1);
}

void TestDeviceGridGeometry::everyCellIsHitAtItsCornersAndNothingBetween()
{
    const DeviceGridGeometry geometry({8, 3}, metrics(), 450);
    QCOMPARE(geometry.cellCount(), 11);
    for (int index = 0; index < geometry.cellCount(); ++index) {
        const QRect place = geometry.cell(index);
        QCOMPARE(geometry.cellAt(place.topLeft()), index);
        QCOMPARE(geometry.cellAt(place.bottomRight()), index);
        QCOMPARE(geometry.cellAt(place.bottomRight() + QPoint(1, 0)), -1);
        QCOMPARE(geometry.cellAt(place.bottomRight() + QPoint(0, 1)), -1);
    }
    QCOMPARE(geometry.cellAt(geometry.heading(1).center()), -1);
    QCOMPARE(geometry.cellAt(QPoint(0, 0)), -1);
    QCOMPARE(geometry.cellAt(QPoint(10, 100'000)), -1);
}

void TestDeviceGridGeometry::placesDoNotOverlap()
{
    const DeviceGridGeometry geometry({8, 8, 5}, metrics(), 370);
    QRegion taken;
    for (int server = 0; server < geometry.headingCount(); ++server) {
        QVERIFY(!taken.intersects(geometry.heading(server)));
        taken += geometry.heading(server);
    }
    for (int index = 0; index < geometry.cellCount(); ++index) {
        QVERIFY(!taken.intersects(geometry.cell(index)));
        taken += geometry.cell(index);
    }
    QVERIFY(QRect(0, 0, 370, geometry.height()).contains(taken.boundingRect()));
}

void TestDeviceGridGeometry::arrowsMoveAcrossServersAndStopAtTheEdges()
{
    const DeviceGridGeometry geometry({4, 3}, metrics(), 2 * 110 + 20); // Rows 0 1, 2 3; 4 5, 6.
    QCOMPARE(geometry.columns(), 2);
    QCOMPARE(geometry.neighbour(0, Qt::Key_Left), 0);
    QCOMPARE(geometry.neighbour(0, Qt::Key_Up), 0);
    QCOMPARE(geometry.neighbour(1, Qt::Key_Right), 2);
    QCOMPARE(geometry.neighbour(1, Qt::Key_Down), 3);
    QCOMPARE(geometry.neighbour(3, Qt::Key_Down), 5);
    QCOMPARE(geometry.neighbour(5, Qt::Key_Down), 6); // The last row is shorter.
    QCOMPARE(geometry.neighbour(6, Qt::Key_Down), 6);
    QCOMPARE(geometry.neighbour(6, Qt::Key_Right), 6);
    QCOMPARE(geometry.neighbour(6, Qt::Key_Home), 0);
    QCOMPARE(geometry.neighbour(0, Qt::Key_End), 6);
    QCOMPARE(geometry.neighbour(0, Qt::Key_PageDown, 120), 4);
    QCOMPARE(geometry.neighbour(6, Qt::Key_PageUp, 10'000), 0);
}

void TestDeviceGridGeometry::emptyGridHasNothingToHit()
{
    const DeviceGridGeometry geometry({}, metrics(), 400);
    QCOMPARE(geometry.cellCount(), 0);
    QCOMPARE(geometry.cellAt(QPoint(20, 20)), -1);
    QCOMPARE(geometry.neighbour(0, Qt::Key_Down), -1);
}

QTEST_MAIN(TestDeviceGridGeometry)
#include "tst_devicegridgeometry.moc"
