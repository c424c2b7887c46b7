#include "canvas/widget/backends.h"
#include "canvas/widget/canvaswidget.h"
#include "canvas/widget/framepacer.h"
#include "support/windowtest.h"

#include <QGuiApplication>
#include <QScreen>
#include <QTest>
#include <QTimer>
#include <QWindow>

#include <cstdlib>
#include <memory>
#include <xcb/xcb.h>

namespace tst_xvisibility
{

using namespace rankdeck;

namespace
{

/// Shows how often it was told to.
class Lines : public CanvasWidget
{
public:
    Lines()
    {
        // A window manager that is still starting must not move it.
        setWindowFlag(Qt::BypassWindowManagerHint);
    }
    void add()
    {
        ++m_count;
        schedule();
    }
    bool isCovered() const { return dynamic_cast<const WidgetCanvas &>(canvas()).isCovered(); }
    QColor newest() const { return colorOf(m_count); }

    int frames = 0;

protected:
    void drawCanvas(Canvas &canvas, bool everything) override
    {
        ++frames;
        if (everything)
            canvas.fill(QRect(QPoint(), canvas.size()), Qt::white);
        canvas.fill(QRect(0, 0, 100, 20), newest());
    }

private:
    static QColor colorOf(int count) { return QColor(QColor::fromHsv(count * 30 % 360, 255, 255).rgb()); }

    int m_count = 0;
};

QColor onScreen(const QWidget &widget)
{
    return widget.screen()
        ->grabWindow(widget.window()->winId(), 10, 10, 1, 1)
        .toImage()
        .convertToFormat(QImage::Format_RGB32)
        .pixelColor(0, 0);
}

} // namespace

/// What the raster back end learns of the windows above its own.
class TestXVisibility : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void qtHearsWhatItHeardBefore();
    void nothingIsSentWhileItIsCovered();
    void theNewestIsThereOnceItIsSeen();
    void whatIsCoveredInPartIsDrawn();
    void aWindowThatIsShownAnewIsCoveredAgain();

private:
    uint32_t maskOf(const QWidget &window) const;
    void cover();
    /// As many timer events as frames could have come in.
    static void waitForFrames();

    xcb_connection_t *m_connection = nullptr;
    std::unique_ptr<Lines> m_lines;
    std::unique_ptr<QWidget> m_cover;
};

void TestXVisibility::initTestCase()
{
    if (QGuiApplication::platformName() != "xcb"_L1)
        QSKIP("needs an X server");
    m_connection = qGuiApp->nativeInterface<QNativeInterface::QX11Application>()->connection();
    setCanvasKind(CanvasKind::Raster);
}

void TestXVisibility::init()
{
    m_lines = std::make_unique<Lines>();
    m_lines->setGeometry(200, 200, 300, 200);
    m_lines->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_lines.get(), 30000));
    m_lines->add();
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(*m_lines), m_lines->newest(), 30000);
    QTRY_VERIFY_WITH_TIMEOUT(maskOf(*m_lines) & XCB_EVENT_MASK_VISIBILITY_CHANGE, 30000);
}

void TestXVisibility::cleanup()
{
    m_cover.reset();
    m_lines.reset();
}

uint32_t TestXVisibility::maskOf(const QWidget &window) const
{
    auto *const reply = xcb_get_window_attributes_reply(
        m_connection, xcb_get_window_attributes(m_connection, xcb_window_t(window.internalWinId())), nullptr);
    const uint32_t mask = reply ? reply->your_event_mask : 0;
    std::free(reply);
    return mask;
}

void TestXVisibility::cover()
{
    m_cover = std::make_unique<QWidget>(nullptr, Qt::ToolTip);
    m_cover->setGeometry(100, 100, 500, 400);
    m_cover->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_cover.get(), 30000));
    QTRY_VERIFY_WITH_TIMEOUT(m_lines->isCovered(), 30000);
}

void TestXVisibility::waitForFrames()
{
    QTimer timer;
    timer.setSingleShot(true);
    timer.start(3 * FramePacer::interval);
    QTRY_VERIFY_WITH_TIMEOUT(!timer.isActive(), 30000);
}

void TestXVisibility::qtHearsWhatItHeardBefore()
{
    QWidget other(nullptr, Qt::Window | Qt::BypassWindowManagerHint);
    other.show();
    QVERIFY(QTest::qWaitForWindowExposed(&other, 30000));
    QCOMPARE(maskOf(other) & XCB_EVENT_MASK_VISIBILITY_CHANGE, 0U);
    QCOMPARE(maskOf(*m_lines), maskOf(other) | XCB_EVENT_MASK_VISIBILITY_CHANGE);
}

void TestXVisibility::nothingIsSentWhileItIsCovered()
{
    cover();
    const int frames = m_lines->frames;
    // Whatever the window manager and Qt have to say about the new window comes first.
    quint64 before = 0;
    for (quint64 sent = ~quint64(0); sent != before;) {
        sent = before;
        waitForFrames();
        before = xcb_total_written(m_connection);
    }
    for (int i = 0; i < 5; ++i) {
        m_lines->add();
        waitForFrames();
    }
    QCOMPARE(xcb_total_written(m_connection), before);
    QCOMPARE(m_lines->frames, frames);
}

void TestXVisibility::theNewestIsThereOnceItIsSeen()
{
    cover();
    const int frames = m_lines->frames;
    for (int i = 0; i < 5; ++i)
        m_lines->add();
    m_cover->hide();
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(*m_lines), m_lines->newest(), 30000);
    QCOMPARE(m_lines->frames, frames + 1);
}

void TestXVisibility::whatIsCoveredInPartIsDrawn()
{
    cover();
    m_cover->move(260, 100);
    QTRY_VERIFY_WITH_TIMEOUT(!m_lines->isCovered(), 30000);
    m_lines->add();
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(*m_lines), m_lines->newest(), 30000);
}

void TestXVisibility::aWindowThatIsShownAnewIsCoveredAgain()
{
    // Qt gives its window another mask of events then.
    m_lines->setWindowFlag(Qt::WindowMaximizeButtonHint, false);
    m_lines->show();
    m_lines->add();
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(*m_lines), m_lines->newest(), 30000);
    QTRY_VERIFY_WITH_TIMEOUT(maskOf(*m_lines) & XCB_EVENT_MASK_VISIBILITY_CHANGE, 30000);
    cover();
    m_lines->hide();
    QTRY_VERIFY_WITH_TIMEOUT(m_lines->windowHandle() && !m_lines->windowHandle()->isExposed(), 30000);
    m_cover->hide();
    m_lines->show();
    QTRY_VERIFY_WITH_TIMEOUT(!m_lines->isCovered(), 30000);
    m_lines->add();
    QTRY_COMPARE_WITH_TIMEOUT(onScreen(*m_lines), m_lines->newest(), 30000);
}

} // namespace tst_xvisibility

RANKDECK_WINDOW_TEST(tst_xvisibility, TestXVisibility)
#include "tst_xvisibility.moc"
