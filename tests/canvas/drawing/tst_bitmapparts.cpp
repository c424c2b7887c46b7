#include "canvas/drawing/bitmapparts.h"
#include "support/windowtest.h"

#include <QPainter>
#include <QTest>

#include <algorithm>

namespace tst_bitmapparts
{

using namespace rankdeck;

namespace
{

const QSize cell(8, 16);

QImage blank(int cells, int rows = 1)
{
    QImage image(cells * cell.width(), rows * cell.height(), QImage::Format_RGB32);
    image.fill(Qt::white);
    return image;
}

/// Something like a letter: it reaches no edge of its cell.
void letter(QImage &image, int column, const QColor &color, int row = 0)
{
    QPainter painter(&image);
    painter.fillRect(column * cell.width() + 2, row * cell.height() + 4, 4, 8, color);
}

/// What a server makes of the parts.
QImage drawn(const QImage &image, const std::vector<BitmapPart> &parts)
{
    QImage result(image.size(), QImage::Format_RGB32);
    result.fill(Qt::magenta);
    QPainter painter(&result);
    for (const BitmapPart &part : parts) {
        if (part.kind == BitmapPart::Kind::Fill) {
            painter.fillRect(part.area, QColor(part.background));
        } else if (part.kind == BitmapPart::Kind::Pixels) {
            painter.drawImage(part.area.topLeft(), image.copy(part.area));
        } else {
            const std::vector<uint8_t> bits = bitmapBits(image, part, 32, true);
            QImage bitmap(bits.data(), part.area.width(), part.area.height(), QImage::Format_MonoLSB);
            bitmap.setColorTable({part.background, part.foreground});
            painter.drawImage(part.area.topLeft(), bitmap);
        }
    }
    return result;
}

int count(const std::vector<BitmapPart> &parts, BitmapPart::Kind kind)
{
    return int(std::count_if(parts.begin(), parts.end(),
                             [kind](const BitmapPart &part) { return part.kind == kind; }));
}

} // namespace

class TestBitmapParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBlankRowIsOneFill();
    void textInOneColourIsOneBitmapOfItsInk();
    void longBlanksAreNotSentAsBits();
    void aCellFullOfAColourBeforeBlanksIsKept();
    void eachPairOfColoursIsAPart();
    void whatHasMoreColoursIsSentInPixels();
    void bitsRunAsTheServerWantsThem();
    void anythingComesOutAsItWas();
};

void TestBitmapParts::aBlankRowIsOneFill()
{
    const QImage image = blank(20);
    const std::vector<BitmapPart> expected{
        {image.rect(), BitmapPart::Kind::Fill, QColor(Qt::white).rgb(), 0}};
    QVERIFY(bitmapParts(image, image.rect(), cell) == expected);
}

void TestBitmapParts::textInOneColourIsOneBitmapOfItsInk()
{
    QImage image = blank(20);
    for (int column = 0; column < 20; ++column) {
        if (column % 4 != 3)
            letter(image, column, Qt::blue);
    }
    const std::vector<BitmapPart> parts = bitmapParts(image, image.rect(), cell);
    QCOMPARE(parts.size(), 2U);
    QCOMPARE(parts[1].kind, BitmapPart::Kind::Bitmap);
    QCOMPARE(parts[1].area, QRect(2, 4, 18 * 8 + 4, 8));
    QCOMPARE(parts[1].foreground, QColor(Qt::blue).rgb());
    QCOMPARE(drawn(image, parts), image);
}

void TestBitmapParts::longBlanksAreNotSentAsBits()
{
    QImage image = blank(40);
    letter(image, 0, Qt::black);
    letter(image, 39, Qt::black);
    const std::vector<BitmapPart> parts = bitmapParts(image, image.rect(), cell);
    QCOMPARE(count(parts, BitmapPart::Kind::Bitmap), 2);
    for (const BitmapPart &part : parts)
        QVERIFY(part.kind == BitmapPart::Kind::Fill || part.area.width() <= 8);
    QCOMPARE(drawn(image, parts), image);
}

/// As a cursor is on an empty row.
void TestBitmapParts::aCellFullOfAColourBeforeBlanksIsKept()
{
    QImage image = blank(20);
    QPainter(&image).fillRect(QRect(QPoint(), cell), Qt::black);
    const auto parts = bitmapParts(image, image.rect(), cell);
    QCOMPARE(drawn(image, parts), image);
    QCOMPARE(count(parts, BitmapPart::Kind::Fill), 2);
    QCOMPARE(parts.size(), std::size_t(2));
}

void TestBitmapParts::eachPairOfColoursIsAPart()
{
    QImage image = blank(9);
    for (int column = 0; column < 9; ++column)
        letter(image, column, column < 3 ? Qt::red : column < 6 ? Qt::black : Qt::darkGreen);
    const std::vector<BitmapPart> parts = bitmapParts(image, image.rect(), cell);
    QCOMPARE(count(parts, BitmapPart::Kind::Bitmap), 3);
    QCOMPARE(drawn(image, parts), image);
}

void TestBitmapParts::whatHasMoreColoursIsSentInPixels()
{
    QImage image = blank(3);
    letter(image, 0, Qt::black);
    letter(image, 1, Qt::black);
    image.setPixelColor(12, 8, Qt::yellow);
    letter(image, 2, Qt::black);
    const std::vector<BitmapPart> parts = bitmapParts(image, image.rect(), cell);
    QCOMPARE(count(parts, BitmapPart::Kind::Pixels), 1);
    QCOMPARE(count(parts, BitmapPart::Kind::Bitmap), 2);
    QCOMPARE(drawn(image, parts), image);
}

void TestBitmapParts::bitsRunAsTheServerWantsThem()
{
    QImage image = blank(2);
    image.setPixelColor(0, 0, Qt::black);
    image.setPixelColor(9, 0, Qt::black);
    const BitmapPart part{QRect(0, 0, 10, 1), BitmapPart::Kind::Bitmap, QColor(Qt::white).rgb(),
                          QColor(Qt::black).rgb()};
    QVERIFY(bitmapBits(image, part, 32, true) == (std::vector<uint8_t>{0x01, 0x02, 0, 0}));
    QVERIFY(bitmapBits(image, part, 16, false) == (std::vector<uint8_t>{0x80, 0x40}));
    QCOMPARE(bitmapBits(image, part, 8, true).size(), 2U);
}

void TestBitmapParts::anythingComesOutAsItWas()
{
    QImage image = blank(30, 4);
    quint32 random = 12345;
    const QColor colors[] = {Qt::black, Qt::red, Qt::blue, Qt::gray};
    for (int step = 0; step < 200; ++step) {
        random = random * 1664525 + 1013904223;
        letter(image, int(random >> 8) % 30, colors[(random >> 16) % 4], int(random >> 20) % 4);
        QPainter(&image).fillRect(int(random >> 10) % 240, int(random >> 4) % 64, int(random % 40), 1,
                                  colors[random >> 30]);
        const QRect area(int(random >> 7) % 100, int(random >> 3) % 30, 120, 30);
        const QImage result = drawn(image, bitmapParts(image, area, cell));
        QCOMPARE(result.copy(area), image.copy(area));
    }
}

} // namespace tst_bitmapparts

RANKDECK_WINDOW_TEST(tst_bitmapparts, TestBitmapParts)
#include "tst_bitmapparts.moc"
