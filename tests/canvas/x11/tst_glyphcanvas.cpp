#include "canvas/widget/backends.h"
#include "canvas/widget/canvaswidget.h"
#include "canvas/widget/framepacer.h"
#include "support/windowtest.h"

#include <QGuiApplication>
#include <QTest>

#include <functional>
#include <xcb/xcb.h>

namespace tst_glyphcanvas
{

using namespace rankdeck;

namespace
{

const TextStyle plain{Qt::black, Qt::white};

class Stage : public CanvasWidget
{
public:
    Stage() { setFixedSize(800, 400); }
    /// Draws this at the next frame, and returns when that is sent.
    bool play(const std::function<void(Canvas &)> &scene)
    {
        m_scene = scene;
        schedule();
        return QTest::qWaitFor([this] { return !m_scene && FramePacer::instance().isIdle(); }, 30000);
    }

protected:
    void drawCanvas(Canvas &canvas, bool everything) override
    {
        if (everything)
            canvas.fill(QRect(QPoint(), canvas.size()), Qt::white);
        if (m_scene)
            std::exchange(m_scene, nullptr)(canvas);
    }

private:
    std::function<void(Canvas &)> m_scene;
};

} // namespace

/// What is sent to the X server, byte for byte.
class TestGlyphCanvas : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void aFrameWithoutChangesSendsNothing();
    void aScrollIsACopy();
    void aLineCostsLittleMoreThanItsCharacters();
    void manyLinesAreOneRequestOfEachKind();
    void aCharacterIsSentOnce();
    void theServerKeepsABoundedNumberOfCharacters();

private:
    quint64 sentBy(const std::function<void(Canvas &)> &scene, int *requests = nullptr);

    xcb_connection_t *m_connection = nullptr;
    std::unique_ptr<Stage> m_stage;
};

void TestGlyphCanvas::initTestCase()
{
    if (QGuiApplication::platformName() != "xcb"_L1)
        QSKIP("needs an X server");
    m_connection = qGuiApp->nativeInterface<QNativeInterface::QX11Application>()->connection();
    setCanvasKind(CanvasKind::Glyphs);
}

void TestGlyphCanvas::init()
{
    m_stage = std::make_unique<Stage>();
    m_stage->setWindowFlag(Qt::BypassWindowManagerHint);
    m_stage->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_stage.get(), 30000));
    QVERIFY(m_stage->play([](Canvas &) {}));
}

void TestGlyphCanvas::cleanup()
{
    m_stage.reset();
}

quint64 TestGlyphCanvas::sentBy(const std::function<void(Canvas &)> &scene, int *requests)
{
    // Whatever Qt still had to do for the window.
    for (quint64 before = ~quint64(0); before != xcb_total_written(m_connection);) {
        before = xcb_total_written(m_connection);
        if (!m_stage->play([](Canvas &) {}))
            return ~quint64(0);
        xcb_flush(m_connection);
    }
    const unsigned int first = xcb_no_operation(m_connection).sequence;
    xcb_flush(m_connection);
    const quint64 before = xcb_total_written(m_connection);
    if (!m_stage->play(scene))
        return ~quint64(0);
    const quint64 sent = xcb_total_written(m_connection) - before;
    const int count = int(xcb_no_operation(m_connection).sequence - first) - 1;
    // What asks the server whether it has drawn it, behind each frame that sent something.
    const int questions = sent > 0 ? 1 : 0;
    if (requests)
        *requests = count - questions;
    return sent - quint64(24) * questions;
}

void TestGlyphCanvas::aFrameWithoutChangesSendsNothing()
{
    QCOMPARE(sentBy([](Canvas &) {}), 0U);
}

void TestGlyphCanvas::aScrollIsACopy()
{
    int requests = 0;
    // Within the pixmap, and from there to the window.
    QCOMPARE(sentBy([](Canvas &canvas) { canvas.scroll(QRect(0, 0, 800, 400), -40); }, &requests), 2U * 28);
    QCOMPARE(requests, 2);
}

void TestGlyphCanvas::aLineCostsLittleMoreThanItsCharacters()
{
    const QString line = u"2024-05-12 10:00:00 [INFO] step 1200 loss=0.0312"_s.leftJustified(100, u'.');
    const auto draw = [&line](Canvas &canvas) {
        canvas.text({0, 0}, line, plain, QRect(0, 0, 800, 400));
    };
    QVERIFY(m_stage->play(draw));
    const quint64 sent = sentBy(draw);
    QVERIFY2(sent > 100 - 20 && sent < 100 + 110, qPrintable(QString::number(sent)));
}

void TestGlyphCanvas::manyLinesAreOneRequestOfEachKind()
{
    const auto draw = [](Canvas &canvas) {
        for (int row = 0; row < 20; ++row) {
            const int y = row * canvas.cellSize().height();
            canvas.fill(QRect(0, y, 700, canvas.cellSize().height()), Qt::white);
            canvas.text({0, y}, u"step loss", {Qt::black, {}}, QRect(0, 0, 800, 400));
        }
    };
    QVERIFY(m_stage->play(draw));
    int requests = 0;
    sentBy(draw, &requests);
    QCOMPARE(requests, 3); // fills, text, and the copy to the window
}

void TestGlyphCanvas::aCharacterIsSentOnce()
{
    const auto draw = [](Canvas &canvas) {
        canvas.text({0, 0}, u"训练 é ♞", plain, QRect(0, 0, 800, 400));
    };
    const quint64 first = sentBy(draw);
    const quint64 second = sentBy(draw);
    QVERIFY2(second > 0 && second < 150 && first > second + 200,
             qPrintable(u"%1, %2"_s.arg(first).arg(second)));
}

void TestGlyphCanvas::theServerKeepsABoundedNumberOfCharacters()
{
    // More than it keeps; then the first of them again.
    for (char32_t from = 0x4E00; from < 0x4E00 + 9000; from += 500) {
        QString text;
        for (char32_t c = from; c < from + 500; ++c)
            text += QChar(char16_t(c));
        QVERIFY(m_stage->play([&text](Canvas &canvas) {
            canvas.text({0, 0}, text.left(45), plain, QRect(0, 0, 800, 400));
            for (int row = 1; row <= 10; ++row)
                canvas.text({0, row * canvas.cellSize().height()}, QStringView(text).mid(row * 45, 45), plain,
                            QRect(0, 0, 800, 400));
        }));
    }
    const auto again = [](Canvas &canvas) {
        canvas.text({0, 0}, u"一", plain, QRect(0, 0, 800, 400));
    };
    QVERIFY(sentBy(again) > sentBy(again));
}

} // namespace tst_glyphcanvas

RANKDECK_WINDOW_TEST(tst_glyphcanvas, TestGlyphCanvas)
#include "tst_glyphcanvas.moc"
