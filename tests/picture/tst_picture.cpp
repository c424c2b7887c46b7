#include "picture/paintrecorder.h"
#include "picture/picture.h"
#include "progressplot/progressplot.h"
#include "support/windowtest.h"
#include "widgets/widgetparts.h"

#include <QFileDialog>
#include <QImage>
#include <QPainter>
#include <QXmlStreamReader>

namespace tst_picture
{

using namespace rankdeck;

constexpr int deadlineMs = 20'000;

/// A canvas that draws a red area and a text.
class View : public CanvasWidget
{
public:
    View() { resize(200, 100); }

protected:
    void drawCanvas(Canvas &canvas, bool everything) override
    {
        if (!everything)
            return;
        canvas.fill({QPoint(), canvas.size()}, Qt::white);
        canvas.fill({10, 10, 50, 20}, Qt::red);
        canvas.text({10, 50}, u"rank 3 <&>", {Qt::black, {}}, {QPoint(), canvas.size()});
    }
};

/// Elements of an SVG by name, and all its text.
struct ReadSvg {
    QString fault;
    QMap<QString, int> elements;
    QString text;
};

static ReadSvg readSvg(const QByteArray &svg)
{
    ReadSvg read;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement())
            ++read.elements[xml.name().toString()];
        if (xml.isCharacters())
            read.text += xml.text();
    }
    read.fault = xml.hasError() ? xml.errorString() : QString();
    return read;
}

class TestPicture : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPngIsTwiceAsFine();
    void anSvgHasTextAsText();
    void aPdfIsOnePageOfTheSize();
    void canvasesAreOneBelowTheOther();
    void widgetsAreDrawnToo();
    void whatIsClippedAwayIsNotShown();
    void curvesAreLinesInTheSvg();
    void theSuffixFollowsTheKind();
    void aFileIsWritten_data();
    void aFileIsWritten();
    void aPlaceThatCannotBeWrittenIsTold();
    void onlyShownViewsCanBeSaved();
};

void TestPicture::aPngIsTwiceAsFine()
{
    View view;
    const QImage image =
        QImage::fromData(pictureBytes(pictureOfCanvases({&view}, u"view"_s), PictureFormat::Png));
    QCOMPARE(image.size(), QSize(400, 200));
    QCOMPARE(image.pixelColor(21, 21), QColor(Qt::red));
    QCOMPARE(image.pixelColor(300, 21), QColor(Qt::white));
    bool isDark = false;
    for (int x = 20; x < 200; ++x)
        isDark = isDark || image.pixelColor(x, 114).lightness() < 100;
    QVERIFY(isDark);
}

void TestPicture::anSvgHasTextAsText()
{
    View view;
    const QByteArray svg = pictureBytes(pictureOfCanvases({&view}, u"view"_s), PictureFormat::Svg);
    const ReadSvg read = readSvg(svg);
    QCOMPARE(read.fault, QString());
    QVERIFY2(read.text.contains("rank 3 <&>"_L1), svg.constData());
    QCOMPARE(read.elements.value(u"image"_s), 0);
    QVERIFY2(svg.contains("fill=\"#ff0000\""), svg.constData());
    QVERIFY(svg.contains("viewBox=\"0 0 200 100\""));
}

void TestPicture::aPdfIsOnePageOfTheSize()
{
    View view;
    Picture picture = pictureOfCanvases({&view}, u"view"_s);
    picture.dotsPerInch = 96;
    const QByteArray pdf = pictureBytes(picture, PictureFormat::Pdf);
    QVERIFY(pdf.startsWith("%PDF-"));
    QCOMPARE(pdf.count("/Type /Page\n"), 1);
    QVERIFY2(pdf.contains("/MediaBox [0 0 150.000000 75.000000]") || pdf.contains("/MediaBox [0 0 150 75]"),
             pdf.mid(pdf.indexOf("/MediaBox"), 60).constData());
    // The text's font is in it.
    QVERIFY(pdf.contains("/FontFile"));
}

void TestPicture::canvasesAreOneBelowTheOther()
{
    QWidget window;
    View one;
    View other;
    View hidden;
    for (View *view : {&one, &other, &hidden})
        view->setParent(&window);
    hidden.hide();
    one.show();
    other.show();
    const Picture picture = pictureOfCanvases({&one, &hidden, &other}, {});
    QCOMPARE(picture.size, QSize(200, 200));
    const QImage image = pictureImage(picture, 1);
    QCOMPARE(image.pixelColor(11, 11), QColor(Qt::red));
    QCOMPARE(image.pixelColor(11, 111), QColor(Qt::red));
}

void TestPicture::widgetsAreDrawnToo()
{
    QWidget page;
    auto *layout = new QVBoxLayout(&page);
    auto *label = new QLabel(u"The cause of it"_s, &page);
    layout->addWidget(label);
    layout->addWidget(new QPushButton(u"A button"_s, &page));
    page.resize(300, 120);
    page.layout()->activate();
    const QByteArray svg = pictureBytes(pictureOf(&page, u"page"_s), PictureFormat::Svg);
    const ReadSvg read = readSvg(svg);
    QCOMPARE(read.fault, QString());
    QVERIFY2(read.text.contains("The cause of it"_L1), svg.constData());
    QVERIFY(read.text.contains("A button"_L1));
    QVERIFY(!pictureBytes(pictureOf(&page, {}), PictureFormat::Pdf).contains("Bold"));
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    QVERIFY(pictureBytes(pictureOf(&page, {}), PictureFormat::Pdf).contains("Bold"));
}

void TestPicture::whatIsClippedAwayIsNotShown()
{
    PaintRecorder device(QSize(100, 100), 96);
    QPainter painter(&device);
    painter.setClipRect(10, 20, 30, 40);
    painter.fillRect(QRect(0, 0, 100, 100), Qt::blue);
    painter.setClipping(false);
    painter.fillRect(QRect(90, 90, 5, 5), Qt::green);
    painter.end();
    const QByteArray svg = svgOf(device);
    QCOMPARE(readSvg(svg).fault, QString());
    QVERIFY2(svg.contains("viewBox=\"10 20 30 40\""), svg.constData());
    QCOMPARE(readSvg(svg).elements.value(u"svg"_s), 2);
    // The second area is outside the inner picture.
    QVERIFY(svg.indexOf("</svg>") < svg.indexOf("#00ff00"));
}

void TestPicture::curvesAreLinesInTheSvg()
{
    ProgressPlot plot;
    plot.resize(600, 400);
    PlotCurve curve;
    curve.rank = 5;
    for (int step = 1; step <= 100; ++step)
        curve.loss.add(step, 10.0 / step);
    plot.setCurves({curve});
    const QByteArray svg = pictureBytes(plot.picture(u"progress"_s), PictureFormat::Svg);
    const ReadSvg read = readSvg(svg);
    QCOMPARE(read.fault, QString());
    QVERIFY(read.text.contains("rank 5"_L1));
    QVERIFY(svg.contains("class=\"curve c0\""));
    QVERIFY2(read.elements.value(u"path"_s) < 10, svg.constData());
    QVERIFY(QImage::fromData(pictureBytes(plot.picture({}), PictureFormat::Png)).size() == QSize(1200, 800));
}

void TestPicture::theSuffixFollowsTheKind()
{
    View view;
    savePictureOf(&view, u"grid"_s, [&view] { return pictureOfCanvases({&view}, {}); });
    auto *chooser = view.findChild<QFileDialog *>(u"pictureFileDialog"_s);
    QVERIFY(chooser);
    QVERIFY(chooser->selectedFiles().value(0).endsWith("/grid.png"_L1));
    for (const QString &filter : chooser->nameFilters()) {
        if (!filter.contains("svg"_L1))
            continue;
        chooser->selectNameFilter(filter);
        Q_EMIT chooser->filterSelected(filter);
    }
    QVERIFY2(chooser->selectedFiles().value(0).endsWith("/grid.svg"_L1),
             qPrintable(chooser->selectedFiles().value(0)));
    QCOMPARE(chooser->defaultSuffix(), u"svg"_s);
}

void TestPicture::aFileIsWritten_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("png") << u"a.png"_s << QByteArray("\x89PNG");
    QTest::newRow("svg") << u"a.SVG"_s << QByteArray("<svg");
    QTest::newRow("pdf") << u"a.pdf"_s << QByteArray("%PDF");
    QTest::newRow("another suffix") << u"a.picture"_s << QByteArray("\x89PNG");
}

void TestPicture::aFileIsWritten()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, begin);
    const QTemporaryDir folder;
    View view;
    writePicture(&view, pictureOfCanvases({&view}, {}), folder.filePath(name));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder.filePath(name)), deadlineMs);
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith(begin));
}

void TestPicture::aPlaceThatCannotBeWrittenIsTold()
{
    View view;
    writePicture(&view, pictureOfCanvases({&view}, {}), u"/nonexistent/a.png"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!view.findChildren<QMessageBox *>().isEmpty(), deadlineMs);
}

void TestPicture::onlyShownViewsCanBeSaved()
{
    QWidget window;
    PictureActions actions(&window);
    View shown;
    View hidden;
    actions.add(u"shown"_s, &shown, {}, [&shown] { return pictureOfCanvases({&shown}, {}); });
    actions.add(u"hidden"_s, &hidden, {}, [&hidden] { return pictureOfCanvases({&hidden}, {}); });
    shown.show();
    Q_EMIT actions.action()->menu()->aboutToShow();
    QVERIFY(actions.action()->menu()->actions().at(0)->isEnabled());
    QVERIFY(!actions.action()->menu()->actions().at(1)->isEnabled());
}

} // namespace tst_picture

RANKDECK_WINDOW_TEST(tst_picture, TestPicture)
#include "tst_picture.moc"
