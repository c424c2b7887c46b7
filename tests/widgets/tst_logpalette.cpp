#include "log/line/logtypes.h"
#include "support/testmain.h"
#include "widgets/logpalette.h"
#include "widgets/tone.h"

#include <QTest>

#include <cmath>

namespace tst_logpalette
{

using namespace rankdeck;

namespace
{

QPalette surroundings(const QColor &base, const QColor &text)
{
    QPalette palette;
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::Highlight, QColor(0x2A82DA));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    return palette;
}

LogColor indexed(int index)
{
    return {LogColor::Kind::Indexed, quint32(index)};
}

} // namespace

class TestLogPalette : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyColourIsLegible_data();
    void everyColourIsLegible();
    void coloursStayTellable_data() { everyColourIsLegible_data(); }
    void coloursStayTellable();
    void plainTextHasThePalettesColours();
    void twelveRanksAreToldApart_data() { everyColourIsLegible_data(); }
    void twelveRanksAreToldApart();
};

void TestLogPalette::everyColourIsLegible_data()
{
    QTest::addColumn<QColor>("base");
    QTest::addColumn<QColor>("text");
    QTest::newRow("light") << QColor(Qt::white) << QColor(Qt::black);
    QTest::newRow("grey") << QColor(0xEFEFEF) << QColor(0x202020);
    QTest::newRow("dark") << QColor(0x1E1E1E) << QColor(0xE0E0E0);
    QTest::newRow("black") << QColor(Qt::black) << QColor(Qt::white);
    QTest::newRow("middle") << QColor(0x777777) << QColor(Qt::white);
}

void TestLogPalette::everyColourIsLegible()
{
    QFETCH(QColor, base);
    QFETCH(QColor, text);
    const LogPalette palette(surroundings(base, text));
    QList<LogColor> colors{LogColor()};
    for (int i = 0; i < 256; ++i)
        colors.append(indexed(i));
    colors.append({LogColor::Kind::Rgb, 0x808080});
    for (const LogColor &foreground : colors) {
        const QColor onBase = palette.foreground({foreground, {}}, base);
        QVERIFY2(contrastRatio(onBase, base) >= 3, qPrintable(onBase.name()));
        for (int i = 0; i < 16; ++i) {
            const LogStyle style{foreground, indexed(i)};
            const QColor behind = palette.background(style);
            QVERIFY2(contrastRatio(palette.foreground(style, behind), behind) >= 3,
                     qPrintable(behind.name()));
        }
    }
    QVERIFY(contrastRatio(palette.muted(), base) >= 3);
    for (int i = 0; i < LogPalette::highlightColors; ++i) {
        const QColor behind = palette.highlight(i);
        QVERIFY(contrastRatio(legibleOn(behind, text, LogPalette::leastContrast), behind) >= 4.5);
    }
    for (const LogSeverity severity : {LogSeverity::Warning, LogSeverity::Error, LogSeverity::Critical}) {
        for (const QColor &behind : {base, palette.foundLine()}) {
            const QColor color = palette.severityColor(severity, behind);
            QVERIFY2(contrastRatio(color, behind) >= std::min(4.5, contrastRatio(text, behind)),
                     qPrintable(color.name()));
        }
    }
    QVERIFY(contrastRatio(palette.selectedText(), palette.selection()) >= 3);
    QVERIFY(contrastRatio(palette.foundMark(), base) >= 3);
}

void TestLogPalette::coloursStayTellable()
{
    QFETCH(QColor, base);
    QFETCH(QColor, text);
    const LogPalette palette(surroundings(base, text));
    if (contrastRatio(base, Qt::white) < 6 && contrastRatio(base, Qt::black) < 6)
        QSKIP("between black and white there is no room for six colours");
    QSet<QRgb> seen;
    for (int i = 1; i < 7; ++i)
        seen.insert(palette.foreground({indexed(i), {}}, base).rgb());
    QCOMPARE(seen.size(), 6);
}

void TestLogPalette::plainTextHasThePalettesColours()
{
    const LogPalette palette(surroundings(Qt::white, QColor(0x101010)));
    QCOMPARE(palette.foreground({}, Qt::white), QColor(0x101010));
    QVERIFY(!palette.background({}).isValid());
}

/// By their distance in the colour space CIE L*a*b*, in which 2 or 3 is just seen. On middle grey, text is
/// white or black.
void TestLogPalette::twelveRanksAreToldApart()
{
    QFETCH(QColor, base);
    QFETCH(QColor, text);
    const LogPalette palette(surroundings(base, text));
    const auto linear = [](double value) {
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    const auto root = [](double value) {
        return value > 0.008856 ? std::cbrt(value) : 7.787 * value + 16.0 / 116;
    };
    const auto lab = [&](int member) {
        const auto look = AnsiDecoder().decode("\x1b[" + rankColor(member).toByteArray() + "mx");
        const QColor color = palette.foreground(look.first().style, base);
        const double r = linear(color.redF());
        const double g = linear(color.greenF());
        const double b = linear(color.blueF());
        const double x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
        const double y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
        const double z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
        return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const double least = base == QColor(0x777777) ? 0 : 12;
    for (int one = 0; one < int(rankColors); ++one) {
        for (int other = 0; other < one; ++other) {
            const auto a = lab(one);
            const auto b = lab(other);
            const double distance = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
            QVERIFY2(distance >= least, qPrintable(u"%1 and %2: %3"_s.arg(one).arg(other).arg(distance)));
        }
    }
    QCOMPARE(rankColor(int(rankColors)), rankColor(0));
}

} // namespace tst_logpalette

RANKDECK_TEST(tst_logpalette, TestLogPalette)
#include "tst_logpalette.moc"
