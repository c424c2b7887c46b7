#include "canvas/widget/canvaswidget.h"
#include "support/windowtest.h"

#include <QTest>

namespace tst_linerate
{

using namespace rankdeck;

class TestLineRate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsThereAtFirstIsNoFlood();
    void aFloodBeginsAndEnds();
    void aThousandASecondIsNone();
};

void TestLineRate::whatIsThereAtFirstIsNoFlood()
{
    LineRate rate;
    QVERIFY(!rate.isFlood(10000000, 0));
    QVERIFY(!rate.isFlood(10000100, 1000));
}

void TestLineRate::aFloodBeginsAndEnds()
{
    LineRate rate;
    QVERIFY(!rate.isFlood(0, 0));
    QVERIFY(!rate.isFlood(900, 100)); // too short a time to tell
    QVERIFY(rate.isFlood(5000, 600));
    QVERIFY(rate.isFlood(5001, 700));
    QVERIFY(!rate.isFlood(5100, 1700));
    // Another log in its place.
    QVERIFY(!rate.isFlood(10, 2700));
}

void TestLineRate::aThousandASecondIsNone()
{
    LineRate rate;
    QVERIFY(!rate.isFlood(0, 0));
    for (int step = 1; step <= 10; ++step)
        QVERIFY(!rate.isFlood(step * 500, step * 500 - 20));
}

} // namespace tst_linerate

RANKDECK_WINDOW_TEST(tst_linerate, TestLineRate)
#include "tst_linerate.moc"
