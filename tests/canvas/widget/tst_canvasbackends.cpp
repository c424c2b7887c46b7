#include "canvas/widget/backends.h"
#include "canvas/widget/canvaswidget.h"
#include "support/windowtest.h"

#include <QGuiApplication>
#include <QScreen>
#include <QTest>
#include <QVBoxLayout>

#include <functional>

namespace tst_canvasbackends
{

using namespace rankdeck;

namespace
{

using Scene = std::function<void(Canvas &)>;

const TextStyle plain{Qt::black, Qt::white};

/// Draws one scene, once, and then what it is told to.
class Stage : public CanvasWidget
{
public:
    explicit Stage(Scene scene, QWidget *parent = nullptr)
        : CanvasWidget(parent)
        , m_scene(std::move(scene))
    {
        setFixedSize(400, 120);
        // No window manager: one that is still starting must not move it.
        if (!parent)
            setWindowFlag(Qt::BypassWindowManagerHint);
    }
    void play(const Scene &scene)
    {
        m_next = scene;
        schedule();
    }
    bool isDone() const { return m_drawn && !m_next; }

protected:
    void drawCanvas(Canvas &canvas, bool everything) override
    {
        if (everything) {
            canvas.fill(QRect(QPoint(), canvas.size()), Qt::white);
            m_scene(canvas);
        }
        if (m_next)
            std::exchange(m_next, nullptr)(canvas);
        m_drawn = true;
    }

private:
    Scene m_scene;
    Scene m_next;
    bool m_drawn = false;
};

/// What the X server shows of the widget, which is not what QWidget::grab() paints.
QImage onScreen(const QWidget &widget)
{
    const QRect area(widget.mapTo(widget.window(), QPoint()), widget.size());
    return widget.screen()
        ->grabWindow(widget.window()->winId(), area.x(), area.y(), area.width(), area.height())
        .toImage()
        .convertToFormat(QImage::Format_RGB32);
}

int channelDistance(QRgb a, QRgb b)
{
    return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
}

struct CellLook {
    QRgb background = 0; ///< The most frequent colour.
    double red = 0;      ///< Means over the cell.
    double green = 0;
    double blue = 0;
};

CellLook lookAt(const QImage &image, const QRect &cell)
{
    CellLook look;
    QHash<QRgb, int> counts;
    for (int y = cell.top(); y <= cell.bottom(); ++y) {
        for (int x = cell.left(); x <= cell.right(); ++x) {
            const QRgb pixel = image.pixel(x, y);
            ++counts[pixel];
            look.red += qRed(pixel);
            look.green += qGreen(pixel);
            look.blue += qBlue(pixel);
        }
    }
    const double pixels = double(cell.width()) * cell.height();
    look.red /= pixels;
    look.green /= pixels;
    look.blue /= pixels;
    look.background =
        std::max_element(counts.keyValueBegin(), counts.keyValueEnd(), [](const auto &a, const auto &b) {
            return a.second < b.second;
        })->first;
    return look;
}

/// The cells of one image that do not look as those of the other; the first of them in words.
QString difference(const QImage &expected, const QImage &shown, const QSize &cellSize)
{
    if (expected.size() != shown.size())
        return u"another size"_s;
    const int width = qRound(cellSize.width() * expected.devicePixelRatio());
    const int height = qRound(cellSize.height() * expected.devicePixelRatio());
    for (int y = 0; y + height <= expected.height(); y += height) {
        for (int x = 0; x + width <= expected.width(); x += width) {
            const QRect cell(x, y, width, height);
            const CellLook a = lookAt(expected, cell);
            const CellLook b = lookAt(shown, cell);
            const QString where = u"row %1, cell %2: "_s.arg(y / height).arg(x / width);
            if (channelDistance(a.background, b.background) > 6)
                return where + u"background %1, not %2"_s.arg(QString::number(b.background, 16),
                                                              QString::number(a.background, 16));
            // Qt smooths dark text thinner and light text thicker; another character or colour is more than
            // this.
            if (std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue) > 60)
                return where + u"mean %1 %2 %3, not %4 %5 %6"_s.arg(b.red)
                                   .arg(b.green)
                                   .arg(b.blue)
                                   .arg(a.red)
                                   .arg(a.green)
                                   .arg(a.blue);
            double far = 0;
            for (int row = cell.top(); row <= cell.bottom(); ++row) {
                for (int column = cell.left(); column <= cell.right(); ++column)
                    far += channelDistance(expected.pixel(column, row), shown.pixel(column, row)) > 180;
            }
            if (far / (double(width) * height) > 0.1)
                return where + u"another shape"_s;
        }
    }
    return {};
}

Scene lines(const QStringList &texts, const TextStyle &style = plain)
{
    return [texts, style](Canvas &canvas) {
        const QRect everywhere(QPoint(), canvas.size());
        QPoint at;
        for (const QString &text : texts) {
            canvas.text(at, text, style, everywhere);
            at.ry() += canvas.cellSize().height();
        }
    };
}

} // namespace

/// The same scenes on every back end, each read back from the X server.
class TestCanvasBackends : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup() { setCanvasKind(CanvasKind::BestForDisplay); }
    void allShowTheSameCells_data();
    void allShowTheSameCells();
    void bitmapsAreTheRasterWithoutSmoothing_data() { allShowTheSameCells_data(); }
    void bitmapsAreTheRasterWithoutSmoothing();
    void anotherTextIsToldApart();
    void whatIsUncoveredComesBack_data() { kinds(); }
    void whatIsUncoveredComesBack();
    void nothingIsDrawnWhileItIsCovered_data() { kinds(); }
    void nothingIsDrawnWhileItIsCovered();
    void itFollowsItsWidget_data() { serverKinds(); }
    void itFollowsItsWidget();
    void whatIsOverItIsSeen_data() { serverKinds(); }
    void whatIsOverItIsSeen();
    void theMouseReachesTheWidget_data() { serverKinds(); }
    void theMouseReachesTheWidget();

private:
    static void kinds();
    /// Those that draw in a window of the server's.
    static void serverKinds();
};

namespace
{

/// Shows `scene`, then `next`, with this back end; null when it does not come up.
QImage shown(CanvasKind kind, const Scene &scene, const Scene &next = {}, QSize *cell = nullptr,
             QFont::StyleStrategy strategy = QFont::PreferDefault)
{
    setCanvasKind(kind);
    Stage stage(scene);
    QFont font = stage.font();
    font.setStyleStrategy(strategy);
    stage.setFont(font);
    stage.show();
    if (!QTest::qWaitForWindowExposed(&stage, 30000) ||
        !QTest::qWaitFor([&] { return stage.isDone(); }, 30000))
        return {};
    if (next) {
        stage.play(next);
        if (!QTest::qWaitFor([&] { return stage.isDone(); }, 30000))
            return {};
    }
    // Raster paints after its frame.
    QTest::qWait(0);
    if (cell)
        *cell = stage.canvas().cellSize();
    return onScreen(stage);
}

} // namespace

void TestCanvasBackends::initTestCase()
{
    if (QGuiApplication::platformName() != "xcb"_L1)
        QSKIP("needs an X server");
}

void TestCanvasBackends::kinds()
{
    serverKinds();
    QTest::newRow("raster") << CanvasKind::Raster;
}

void TestCanvasBackends::serverKinds()
{
    QTest::addColumn<CanvasKind>("kind");
    QTest::newRow("glyphs") << CanvasKind::Glyphs;
    QTest::newRow("bitmaps") << CanvasKind::Bitmaps;
}

void TestCanvasBackends::allShowTheSameCells_data()
{
    QTest::addColumn<Scene>("scene");
    QTest::addColumn<Scene>("next");

    QTest::newRow("ASCII") << lines({u"epoch 3 step 1200 loss=0.0312 |~{}[]"_s,
                                     u"0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ gjpqy_,;"_s})
                           << Scene();
    QTest::newRow("Chinese") << lines({u"第3轮 训练完成，损失 0.03"_s, u"中a文b"_s}) << Scene();
    QTest::newRow("combining marks") << lines({u"e\u0301x a\u0323\u0302b"_s}) << Scene();
    QTest::newRow("emoji and blocks") << lines({u"50%|█████▌    | \U0001F600!"_s}) << Scene();
    QTest::newRow("sparkline") << lines({u"AI  87% ▁▂▃▄▅▆▇█ ▁ 63°C ⚠"_s}) << Scene();
    QTest::newRow("bold") << lines({u"Traceback 训练 (most recent)"_s},
                                   TextStyle{Qt::darkRed, Qt::white, true})
                          << Scene();
    QTest::newRow("underline") << lines({u"found gap"_s}, TextStyle{Qt::blue, Qt::yellow, false, true})
                               << Scene();
    QTest::newRow("colours beside each other") << Scene([](Canvas &canvas) {
        const QRect everywhere(QPoint(), canvas.size());
        const int cell = canvas.cellSize().width();
        canvas.text({0, 0}, u"ERROR ", {QColor(0xC02020), {}}, everywhere);
        canvas.text({6 * cell, 0}, u"WARNING ", {QColor(0xA06000), QColor(0xFFF0C0)}, everywhere);
        canvas.text({14 * cell, 0}, u"selected", {Qt::white, QColor(0x3060C0)}, everywhere);
        canvas.text({22 * cell, 0}, u" INFO", {QColor(0x207020), {}}, everywhere);
    }) << Scene();
    QTest::newRow("dark") << Scene([](Canvas &canvas) {
        canvas.fill(QRect(QPoint(), canvas.size()), QColor(0x1E1E1E));
        canvas.text({0, 0}, u"step 12 训练 done", {QColor(0xD0D0D0), {}}, QRect(QPoint(), canvas.size()));
    }) << Scene();
    QTest::newRow("text over text that was overwritten") << lines({u"old old old"_s}) << lines({u"new"_s});
    QTest::newRow("a fill over text, and text again") << Scene([](Canvas &canvas) {
        const QRect everywhere(QPoint(), canvas.size());
        canvas.text({0, 0}, u"beneath beneath", plain, everywhere);
        canvas.fill(QRect(QPoint(), canvas.cellSize() * 5), Qt::cyan);
        canvas.text({0, 0}, u"above", {Qt::black, {}}, everywhere);
    }) << Scene();
    QTest::newRow("cut by its clip") << Scene([](Canvas &canvas) {
        const QSize cell = canvas.cellSize();
        canvas.text({-cell.width(), 0}, u"训练完成", plain,
                    QRect(0, 0, 3 * cell.width() + 3, cell.height() - 4));
        canvas.text({0, cell.height()}, u"whole", plain, QRect(QPoint(), canvas.size()));
    }) << Scene();
    const auto scrolled = [](int rows) {
        return [rows](Canvas &canvas) {
            const QSize cell = canvas.cellSize();
            canvas.scroll(QRect(0, 0, canvas.size().width(), 5 * cell.height()), rows * cell.height());
            const int row = rows < 0 ? 5 + rows : 0;
            canvas.fill(QRect(0, row * cell.height(), canvas.size().width(), std::abs(rows) * cell.height()),
                        Qt::white);
            canvas.text({0, row * cell.height()}, u"what came in", plain, QRect(QPoint(), canvas.size()));
        };
    };
    const QStringList five{u"one"_s, u"two"_s, u"three 三"_s, u"four"_s, u"five"_s};
    QTest::newRow("scrolled up") << lines(five) << Scene(scrolled(-2));
    QTest::newRow("scrolled down") << lines(five) << Scene(scrolled(1));
}

void TestCanvasBackends::allShowTheSameCells()
{
    QFETCH(Scene, scene);
    QFETCH(Scene, next);
    QSize cell;
    const QImage expected = shown(CanvasKind::Raster, scene, next, &cell);
    QVERIFY(!expected.isNull());
    const QImage image = shown(CanvasKind::Glyphs, scene, next);
    QCOMPARE(difference(expected, image, cell), QString());
}

void TestCanvasBackends::bitmapsAreTheRasterWithoutSmoothing()
{
    QFETCH(Scene, scene);
    QFETCH(Scene, next);
    QSize cell;
    const QImage expected = shown(CanvasKind::Raster, scene, next, nullptr, QFont::NoAntialias);
    QVERIFY(!expected.isNull());
    const QImage image = shown(CanvasKind::Bitmaps, scene, next, &cell);
    QCOMPARE(image, expected);
    // The cells are where all others have them.
    QSize smoothCell;
    shown(CanvasKind::Raster, scene, {}, &smoothCell);
    QCOMPARE(cell, smoothCell);
}

void TestCanvasBackends::anotherTextIsToldApart()
{
    QSize cell;
    const QImage a = shown(CanvasKind::Raster, lines({u"step 12"_s}), {}, &cell);
    QVERIFY(!difference(a, shown(CanvasKind::Raster, lines({u"step 13"_s})), cell).isEmpty());
    QVERIFY(!difference(a, shown(CanvasKind::Raster, lines({u"step 12"_s}, {Qt::darkGray, Qt::white})), cell)
                 .isEmpty());
}

void TestCanvasBackends::whatIsUncoveredComesBack()
{
    QFETCH(CanvasKind, kind);
    setCanvasKind(kind);
    Stage stage(lines({u"beneath a window"_s}));
    stage.show();
    QVERIFY(QTest::qWaitForWindowExposed(&stage, 30000));
    QTRY_VERIFY_WITH_TIMEOUT(stage.isDone(), 30000);
    const QImage before = onScreen(stage);
    QWidget cover(nullptr, Qt::ToolTip);
    cover.setGeometry(QRect(stage.mapToGlobal(QPoint()), stage.size()));
    cover.show();
    QVERIFY(QTest::qWaitForWindowExposed(&cover, 30000));
    QTRY_VERIFY_WITH_TIMEOUT(onScreen(stage) != before, 30000);
    cover.hide();
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(stage), before, 30000);
}

void TestCanvasBackends::nothingIsDrawnWhileItIsCovered()
{
    QFETCH(CanvasKind, kind);
    setCanvasKind(kind);
    Stage stage(lines({u"beneath a window"_s}));
    Stage other(lines({u"beside it"_s}));
    stage.move(100, 100);
    other.move(100, 400);
    for (Stage *const each : {&stage, &other}) {
        each->show();
        QVERIFY(QTest::qWaitForWindowExposed(each, 30000));
        QTRY_VERIFY_WITH_TIMEOUT(each->isDone(), 30000);
    }
    QWidget cover(nullptr, Qt::ToolTip);
    cover.setGeometry(QRect(stage.mapToGlobal(QPoint()), stage.size()));
    cover.show();
    QVERIFY(QTest::qWaitForWindowExposed(&cover, 30000));
    QTRY_VERIFY_WITH_TIMEOUT(dynamic_cast<WidgetCanvas &>(stage.canvas()).isCovered(), 30000);

    stage.play([](Canvas &canvas) { canvas.fill(QRect(0, 0, 50, 50), Qt::magenta); });
    // As many frames as the other one makes, this one could have made.
    for (int frame = 0; frame < 2; ++frame) {
        other.play([](Canvas &canvas) { canvas.fill(QRect(0, 0, 50, 50), Qt::cyan); });
        QTRY_VERIFY_WITH_TIMEOUT(other.isDone(), 30000);
    }
    QVERIFY(!stage.isDone());
    cover.hide();
    QTRY_VERIFY_WITH_TIMEOUT(stage.isDone(), 30000);
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(stage).pixelColor(5, 5), QColor(Qt::magenta), 30000);
}

void TestCanvasBackends::itFollowsItsWidget()
{
    QFETCH(CanvasKind, kind);
    setCanvasKind(kind);
    QWidget window(nullptr, Qt::Window | Qt::BypassWindowManagerHint);
    QWidget room(&window);
    Stage stage(lines({u"on the move"_s}), &room);
    room.setGeometry(0, 0, 400, 120);
    window.resize(500, 300);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, 30000));
    QTRY_VERIFY_WITH_TIMEOUT(stage.isDone(), 30000);
    const QImage before = onScreen(stage);

    room.move(60, 70); // an ancestor
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(stage), before, 30000);
    QTRY_VERIFY_WITH_TIMEOUT(
        window.screen()->grabWindow(window.winId(), 0, 0, 50, 60).toImage().pixelColor(5, 5) ==
            window.palette().color(QPalette::Window),
        30000);

    room.hide();
    QTRY_VERIFY_WITH_TIMEOUT(onScreen(stage) != before, 30000);
    room.show();
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(stage), before, 30000);
}

void TestCanvasBackends::whatIsOverItIsSeen()
{
    QFETCH(CanvasKind, kind);
    setCanvasKind(kind);
    Stage stage(lines({u"beside a scroll bar"_s}));
    QWidget bar(&stage);
    bar.setAutoFillBackground(true);
    bar.setPalette(QPalette(Qt::magenta));
    bar.setGeometry(380, 0, 20, 120);
    stage.show();
    QVERIFY(QTest::qWaitForWindowExposed(&stage, 30000));
    QTRY_VERIFY_WITH_TIMEOUT(stage.isDone(), 30000);
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(bar).pixelColor(5, 5), QColor(Qt::magenta), 30000);
    bar.hide();
    stage.play([](Canvas &) {});
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(stage).pixelColor(onScreen(stage).width() - 5, 5), QColor(Qt::white),
                              30000);
}

void TestCanvasBackends::theMouseReachesTheWidget()
{
    QFETCH(CanvasKind, kind);
    setCanvasKind(kind);
    QWidget window(nullptr, Qt::Window | Qt::BypassWindowManagerHint);
    window.resize(500, 200);
    Stage stage(lines({u"point here"_s}), &window);
    stage.move(50, 50);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, 30000));
    QTRY_VERIFY_WITH_TIMEOUT(stage.isDone(), 30000);
    // QTest's own mouse would not pass through the server.
    QCursor::setPos(window.mapToGlobal(QPoint(10, 10)));
    QTRY_VERIFY_WITH_TIMEOUT(window.underMouse(), 30000);
    QCursor::setPos(stage.mapToGlobal(QPoint(20, 20)));
    QTRY_VERIFY_WITH_TIMEOUT(stage.underMouse(), 30000);
    QCursor::setPos(window.mapToGlobal(QPoint(10, 10)));
    QTRY_VERIFY_WITH_TIMEOUT(!stage.underMouse(), 30000);
}

} // namespace tst_canvasbackends

RANKDECK_WINDOW_TEST(tst_canvasbackends, TestCanvasBackends)
#include "tst_canvasbackends.moc"
