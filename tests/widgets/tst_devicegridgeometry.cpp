#include "support/windowtest.h"
#include "widgets/scrolledgrid.h"

#include <QRegion>
#include <QTest>

namespace tst_devicegridgeometry
{

using namespace rankdeck;

namespace
{

DeviceGridGeometry::Metrics metrics()
{
    return {QSize(100, 50), 150, QSize(80, 20), 10, 5};
}

/// Open servers of so many cells each.
DeviceGridGeometry geometryOf(const QList<int> &cells, int width)
{
    QList<DeviceGridGeometry::Block> blocks;
    for (int server = 0; server < cells.size(); ++server)
        blocks.append({server, DeviceGridGeometry::allCells(cells.at(server)), false});
    return DeviceGridGeometry(blocks, metrics(), width);
}

/// So many folded servers of eight, with an open one of two cells among them.
DeviceGridGeometry foldedBut(int servers, int open, int width)
{
    QList<DeviceGridGeometry::Block> blocks;
    for (int server = 0; server < servers; ++server)
        blocks.append({server, DeviceGridGeometry::allCells(server == open ? 2 : 8), server != open});
    return DeviceGridGeometry(blocks, metrics(), width);
}

QRect cellOf(const DeviceGridGeometry &geometry, int server, int cell)
{
    return geometry.place(geometry.indexOf({server, cell}));
}

} // namespace

class TestDeviceGridGeometry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void columnsFollowTheWidth_data();
    void columnsFollowTheWidth();
    void cellsFillTheWidthUpToALimit();
    void everyItemIsHitAtItsCornersAndNothingBetween();
    void placesDoNotOverlap();
    void cellsStandInTheirOrderAndOthersAreNotThere();
    void foldedServersStandSideBySide();
    void arrowsMoveWithinAServerAndStopAtTheEdges();
    void arrowsMoveOverHeadings();
    void emptyGridHasNothingToHit();
    void aFlatGridHasNoHeadingsAndBreaksNoServer();
    void itemsBetweenTwoHeightsAreFound();
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
    QTEST(geometryOf(devices, width).columns(), "columns");
}

void TestDeviceGridGeometry::cellsFillTheWidthUpToALimit()
{
    const DeviceGridGeometry wide = geometryOf({2}, 2000);
    QCOMPARE(cellOf(wide, 0, 0).width(), 150);
    const DeviceGridGeometry snug = geometryOf({4}, 4 * 120 + 3 * 10 + 10);
    QCOMPARE(cellOf(snug, 0, 0).width(), 120);
    QCOMPARE(cellOf(snug, 0, 3).right(), 4 * 120 + 3 * 10 + 5 - 1);
}

void TestDeviceGridGeometry::everyItemIsHitAtItsCornersAndNothingBetween()
{
    const DeviceGridGeometry geometry = foldedBut(7, 3, 450);
    QCOMPARE(geometry.itemCount(), 7 + 2);
    for (int index = 0; index < geometry.itemCount(); ++index) {
        const QRect place = geometry.place(index);
        QCOMPARE(geometry.indexOf(geometry.item(index)), index);
        QCOMPARE(geometry.itemAt(place.topLeft()), index);
        QCOMPARE(geometry.itemAt(place.bottomRight()), index);
        QCOMPARE(geometry.itemAt(place.bottomRight() + QPoint(1, 0)), -1);
        if (geometry.item(index) != GridItem{3, -1}) // Its cells follow at once.
            QCOMPARE(geometry.itemAt(place.bottomRight() + QPoint(0, 1)), -1);
    }
    QCOMPARE(geometry.itemAt(QPoint(0, 0)), -1);
    QCOMPARE(geometry.itemAt(QPoint(10, 100'000)), -1);
}

void TestDeviceGridGeometry::placesDoNotOverlap()
{
    for (const DeviceGridGeometry &geometry : {geometryOf({8, 8, 5}, 370), foldedBut(7, 3, 370)}) {
        QRegion taken;
        for (int index = 0; index < geometry.itemCount(); ++index) {
            QVERIFY(!taken.intersects(geometry.place(index)));
            taken += geometry.place(index);
        }
        QVERIFY(QRect(0, 0, 370, geometry.height()).contains(taken.boundingRect()));
    }
}

void TestDeviceGridGeometry::cellsStandInTheirOrderAndOthersAreNotThere()
{
    const DeviceGridGeometry geometry({{3, {5, 0, 2}, false}, {1, {}, false}, {0, {7}, false}}, metrics(),
                                      2 * 110 + 20);
    QCOMPARE(geometry.itemCount(), 3 + 3 + 1); // Headings and cells.
    QVERIFY(cellOf(geometry, 3, 5).left() < cellOf(geometry, 3, 0).left());
    QCOMPARE(cellOf(geometry, 3, 5).top(), cellOf(geometry, 3, 0).top());
    QVERIFY(cellOf(geometry, 3, 2).top() > cellOf(geometry, 3, 0).bottom());
    QVERIFY(cellOf(geometry, 3, -1).bottom() < cellOf(geometry, 3, 5).top());
    for (const int hidden : {1, 3, 4, 6, 7})
        QCOMPARE(geometry.indexOf({3, hidden}), -1);
    for (int index = 0; index < geometry.itemCount(); ++index)
        QCOMPARE(geometry.indexOf(geometry.item(index)), index);
    QCOMPARE(geometry.item(geometry.neighbour(geometry.indexOf({3, 5}), Qt::Key_Right)), (GridItem{3, 0}));
    QCOMPARE(geometry.item(geometry.neighbour(geometry.indexOf({3, 2}), Qt::Key_Down)), (GridItem{1, -1}));
}

void TestDeviceGridGeometry::foldedServersStandSideBySide()
{
    const DeviceGridGeometry geometry = foldedBut(7, 3, 2 * 90);
    const QList<QPoint> rows{{0, 0}, {0, 1}, {1, 0}};
    for (int server = 0; server < 3; ++server) {
        const QRect place = cellOf(geometry, server, -1);
        QCOMPARE(place.topLeft(), QPoint(5 + rows[server].y() * 90, 5 + rows[server].x() * 30));
    }
    // An open one has rows of its own; those after it begin anew.
    QCOMPARE(cellOf(geometry, 3, -1).width(), 170);
    QCOMPARE(cellOf(geometry, 3, 0).top(), cellOf(geometry, 3, -1).bottom() + 1);
    QCOMPARE(cellOf(geometry, 4, -1).left(), 5);
    QVERIFY(cellOf(geometry, 4, -1).top() > cellOf(geometry, 3, 1).bottom());
    QCOMPARE(geometry.indexOf({4, 0}), -1);
    QVERIFY(cellOf(geometry, 4, 0).isEmpty());
}

void TestDeviceGridGeometry::arrowsMoveWithinAServerAndStopAtTheEdges()
{
    const DeviceGridGeometry geometry =
        geometryOf({7}, 2 * 110 + 20); // Rows 1 2, 3 4, 5 6, 7 below a heading.
    QCOMPARE(geometry.columns(), 2);
    QCOMPARE(geometry.item(0), (GridItem{0, -1}));
    QCOMPARE(geometry.itemAt(geometry.place(0).center()), -1); // The heading of a single server.
    QCOMPARE(geometry.neighbour(1, Qt::Key_Left), 1);
    QCOMPARE(geometry.neighbour(1, Qt::Key_Up), 1);
    QCOMPARE(geometry.neighbour(2, Qt::Key_Right), 3);
    QCOMPARE(geometry.neighbour(2, Qt::Key_Down), 4);
    QCOMPARE(geometry.neighbour(6, Qt::Key_Down), 7); // The last row is shorter.
    QCOMPARE(geometry.neighbour(7, Qt::Key_Down), 7);
    QCOMPARE(geometry.neighbour(7, Qt::Key_Right), 7);
    QCOMPARE(geometry.neighbour(7, Qt::Key_Home), 1);
    QCOMPARE(geometry.neighbour(1, Qt::Key_End), 7);
    QCOMPARE(geometry.neighbour(1, Qt::Key_PageDown, 120), 5);
    QCOMPARE(geometry.neighbour(1, Qt::Key_PageDown, 1), 3); // One row at least.
    QCOMPARE(geometry.neighbour(7, Qt::Key_PageUp, 10'000), 1);
}

void TestDeviceGridGeometry::arrowsMoveOverHeadings()
{
    const DeviceGridGeometry geometry = foldedBut(7, 3, 2 * 110 + 20); // 0 1, 2, 3 below it 4 5, 6 7, 8.
    QCOMPARE(geometry.columns(), 2);
    QVERIFY(geometry.isAloneInRow(2) && geometry.isAloneInRow(3));
    QVERIFY(!geometry.isAloneInRow(1) && !geometry.isAloneInRow(5));
    QCOMPARE(geometry.neighbour(1, Qt::Key_Right), 2);
    QCOMPARE(geometry.neighbour(1, Qt::Key_Down), 2);
    QCOMPARE(geometry.neighbour(2, Qt::Key_Down), 3);
    QCOMPARE(geometry.neighbour(3, Qt::Key_Down), 4); // Not the one below its middle.
    QCOMPARE(geometry.neighbour(5, Qt::Key_Down), 7);
    QCOMPARE(geometry.neighbour(7, Qt::Key_Up), 5);
    QCOMPARE(geometry.neighbour(8, Qt::Key_Home), 0);
}

void TestDeviceGridGeometry::emptyGridHasNothingToHit()
{
    const DeviceGridGeometry geometry = geometryOf({}, 400);
    QCOMPARE(geometry.itemCount(), 0);
    QCOMPARE(geometry.itemAt(QPoint(20, 20)), -1);
    QCOMPARE(geometry.neighbour(0, Qt::Key_Down), -1);
    QVERIFY(!geometry.item(-1).isValid());
}

void TestDeviceGridGeometry::aFlatGridHasNoHeadingsAndBreaksNoServer()
{
    DeviceGridGeometry::Metrics metrics;
    metrics.minimumCell = {10, 10};
    metrics.isFlat = true;
    QList<DeviceGridGeometry::Block> blocks;
    for (int server = 0; server < 3; ++server)
        blocks.append({server, DeviceGridGeometry::allCells(4), true});
    const DeviceGridGeometry geometry(blocks, metrics, 100);
    QCOMPARE(geometry.itemCount(), 12);
    QCOMPARE(geometry.indexOf({0, -1}), -1);
    QCOMPARE(geometry.place(4).top(), geometry.place(0).top());
    QCOMPARE(geometry.place(4).left() - geometry.place(3).right(), 6); // Half a cell between servers.
    QCOMPARE(geometry.place(8).topLeft(), geometry.place(0).topLeft() + QPoint(0, 10));
    QCOMPARE(geometry.neighbour(0, Qt::Key_Down), 8);
    QCOMPARE(geometry.itemAt(geometry.place(9).center()), 9);
    // One that is wider than the grid is.
    const DeviceGridGeometry wide({{0, DeviceGridGeometry::allCells(25), false}}, metrics, 100);
    QCOMPARE(wide.place(10).left(), wide.place(0).left());
    QCOMPARE(wide.height(), 30);
    QCOMPARE(DeviceGridGeometry({}, metrics, 100).itemCount(), 0);
}

void TestDeviceGridGeometry::itemsBetweenTwoHeightsAreFound()
{
    DeviceGridGeometry::Metrics metrics;
    metrics.minimumCell = {10, 10};
    metrics.maximumCellWidth = 10;
    metrics.minimumHeading = {10, 10};
    const DeviceGridGeometry geometry({{0, DeviceGridGeometry::allCells(100), false}}, metrics, 100);
    const auto [first, end] = geometry.between(25, 45);
    for (int index = 0; index < geometry.itemCount(); ++index) {
        const QRect place = geometry.place(index);
        if (place.top() <= 45 && place.bottom() >= 25)
            QVERIFY(index >= first && index < end);
    }
    QVERIFY(end - first <= 40);
    QCOMPARE(geometry.between(0, 5).first, 0); // The heading too.
}

} // namespace tst_devicegridgeometry

RANKDECK_WINDOW_TEST(tst_devicegridgeometry, TestDeviceGridGeometry)
#include "tst_devicegridgeometry.moc"
