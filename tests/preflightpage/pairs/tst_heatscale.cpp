#include "preflight/pairs/pairpainter.h"
#include "support/windowtest.h"
#include "widgets/tone.h"

#include <QTest>

namespace tst_heatscale
{

using namespace rankdeck;

namespace
{

QPalette lightPalette()
{
    QPalette palette;
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::Text, Qt::black);
    return palette;
}

QPalette darkPalette()
{
    QPalette palette;
    palette.setColor(QPalette::Base, QColor(0x1e1e1e));
    palette.setColor(QPalette::Text, QColor(0xf0f0f0));
    return palette;
}

} // namespace

class TestHeatScale : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreLegibleOnEveryColor_data()
    {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << lightPalette();
        QTest::newRow("dark") << darkPalette();
    }
    void numbersAreLegibleOnEveryColor()
    {
        QFETCH(QPalette, palette);
        const HeatScale scale(palette, HeatScale::Slow::High, 10, 1000);
        for (double value = 5; value < 2000; value *= 1.05) {
            const QColor color = scale.color(value);
            QVERIFY2(contrastRatio(color, HeatScale::textOn(color)) >= 4.5, qPrintable(color.name()));
        }
    }

    void whatIsSlowIsFartherFromTheBackground_data() { numbersAreLegibleOnEveryColor_data(); }
    void whatIsSlowIsFartherFromTheBackground()
    {
        QFETCH(QPalette, palette);
        const QColor base = palette.color(QPalette::Base);
        const HeatScale latency(palette, HeatScale::Slow::High, 10, 1000);
        const HeatScale bandwidth(palette, HeatScale::Slow::Low, 10, 1000);
        for (double value = 10; value * 3 <= 1000; value *= 3) {
            QVERIFY(contrastRatio(latency.color(value), base) <
                    contrastRatio(latency.color(value * 3), base));
            QVERIFY(contrastRatio(bandwidth.color(value), base) >
                    contrastRatio(bandwidth.color(value * 3), base));
        }
    }

    void valuesThatDifferLittleAreAllFaint()
    {
        const QPalette palette = lightPalette();
        const HeatScale scale(palette, HeatScale::Slow::High, 100, 120);
        QVERIFY(contrastRatio(scale.color(120), palette.color(QPalette::Base)) < 1.6);
        const HeatScale reversed(palette, HeatScale::Slow::Low, 100, 120);
        QVERIFY(contrastRatio(reversed.color(100), palette.color(QPalette::Base)) < 1.6);
    }

    void theLegendGoesFromQuickToSlow()
    {
        const QList<double> marks = HeatScale(lightPalette(), HeatScale::Slow::Low, 10, 1000).marks();
        QCOMPARE(marks.size(), HeatScale::markCount);
        QCOMPARE(qRound(marks.constFirst()), 1000);
        QCOMPARE(qRound(marks.constLast()), 10);
        QVERIFY(std::is_sorted(marks.rbegin(), marks.rend()));
    }
};

} // namespace tst_heatscale

RANKDECK_WINDOW_TEST(tst_heatscale, TestHeatScale)
#include "tst_heatscale.moc"
