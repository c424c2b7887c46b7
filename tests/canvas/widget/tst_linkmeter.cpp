#include "canvas/widget/framepacer.h"
#include "support/windowtest.h"

#include <QTest>

namespace tst_linkmeter
{

using namespace rankdeck;

class TestLinkMeter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theRoundTripIsTheLeastOfTheLast();
    void aSlowLinkIsToldByLargeAmountsAlone_data();
    void aSlowLinkIsToldByLargeAmountsAlone();
};

void TestLinkMeter::theRoundTripIsTheLeastOfTheLast()
{
    LinkMeter meter;
    QVERIFY(!meter.roundTrip());
    meter.add({90000, 95000, 3000});
    meter.add({50000, 51000, 3000});
    meter.add({400000, 410000, 3000});
    QCOMPARE(*meter.roundTrip(), 50000);
    // The link has become another one.
    for (int frame = 0; frame < 16; ++frame)
        meter.add({80000, 81000, 3000});
    QCOMPARE(*meter.roundTrip(), 80000);
}

void TestLinkMeter::aSlowLinkIsToldByLargeAmountsAlone_data()
{
    QTest::addColumn<qint64>("took"); // ms
    QTest::addColumn<quint64>("bytes");
    QTest::addColumn<bool>("slow");
    QTest::newRow("10 Mbit/s, the window's first look") << qint64(3250) << quint64(4'000'000) << true;
    QTest::newRow("100 Mbit/s, the same") << qint64(370) << quint64(4'000'000) << false;
    QTest::newRow("the same in no more than the round trip and the bytes take")
        << qint64(2049) << quint64(4'000'000) << false;
    QTest::newRow("a log's frame that came late") << qint64(3250) << quint64(6'000) << false;
}

void TestLinkMeter::aSlowLinkIsToldByLargeAmountsAlone()
{
    QFETCH(qint64, took);
    QFETCH(quint64, bytes);
    QFETCH(bool, slow);
    LinkMeter meter;
    meter.add({50'000, 51'000, 100});
    QVERIFY(!meter.isSlow());
    meter.add({took * 1000 / 2, took * 1000, bytes});
    QCOMPARE(meter.isSlow(), slow);
    meter.add({50'000, 51'000, 100});
    QCOMPARE(meter.isSlow(), slow);
}

} // namespace tst_linkmeter

RANKDECK_WINDOW_TEST(tst_linkmeter, TestLinkMeter)
#include "tst_linkmeter.moc"
