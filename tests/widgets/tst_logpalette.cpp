#include "support/testmain.h"
#include "widgets/logpalette.h"
#include "widgets/tone.h"

#include <QTest>

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

} // namespace tst_logpalette

RANKDECK_TEST(tst_logpalette, TestLogPalette)
#include "tst_logpalette.moc"
