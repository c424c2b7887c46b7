#include "canvas/widget/framepacer.h"
#include "support/slowdisplay.h"
#include "support/windowtest.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_framepacer
{

using namespace rankdeck;

namespace
{

/// A canvas that always has something to draw, and sends it.
class Drawer : public QObject
{
public:
    explicit Drawer(FramePacer &pacer, SlowDisplay *display)
    {
        connect(&pacer, &FramePacer::frame, this, [this, &pacer, display] {
            times.append(m_clock.elapsed());
            if (display)
                display->sent += 1000;
            pacer.sending();
            pacer.request();
        });
        m_clock.start();
        pacer.request();
    }

    QList<qint64> times; ///< ms

private:
    QElapsedTimer m_clock;
};

} // namespace

class TestFramePacer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void noFrameBeforeTheLastOneIsAnswered();
    void whatAnswersTheUserWaitsForOneFrameAtMost();
    void nothingIsAskedWhenNothingWasSent();
    void framesKeepTheirInterval_data();
    void framesKeepTheirInterval();
    void withoutAnEchoNothingIsWaitedFor();
    void anAnswerSaysWhatItTook();

private:
    /// As many timer events as frames could have come in.
    static void wait(int ms);

    std::unique_ptr<FramePacer> m_pacer;
    SlowDisplay *m_display = nullptr;
};

void TestFramePacer::init()
{
    auto display = std::make_unique<SlowDisplay>();
    m_display = display.get();
    m_pacer = std::make_unique<FramePacer>(std::move(display));
}

void TestFramePacer::wait(int ms)
{
    QTimer timer;
    timer.setSingleShot(true);
    timer.start(ms);
    QTRY_VERIFY_WITH_TIMEOUT(!timer.isActive(), 30000);
}

void TestFramePacer::noFrameBeforeTheLastOneIsAnswered()
{
    Drawer drawer(*m_pacer, m_display);
    QTRY_COMPARE_WITH_TIMEOUT(m_display->asked, 1, 30000);
    wait(3 * FramePacer::interval);
    QCOMPARE(drawer.times.size(), 1);
    Q_EMIT m_display->answered();
    QTRY_COMPARE_WITH_TIMEOUT(drawer.times.size(), 2, 30000);
    wait(3 * FramePacer::interval);
    QCOMPARE(drawer.times.size(), 2);
}

void TestFramePacer::whatAnswersTheUserWaitsForOneFrameAtMost()
{
    Drawer drawer(*m_pacer, m_display);
    QTRY_COMPARE_WITH_TIMEOUT(m_display->asked, 1, 30000);
    m_pacer->answerSoon();
    QTRY_COMPARE_WITH_TIMEOUT(drawer.times.size(), 2, 30000);
    m_pacer->answerSoon();
    wait(3 * FramePacer::interval);
    QCOMPARE(drawer.times.size(), 2);
}

void TestFramePacer::nothingIsAskedWhenNothingWasSent()
{
    QSignalSpy frames(m_pacer.get(), &FramePacer::frame);
    m_pacer->request();
    QTRY_COMPARE_WITH_TIMEOUT(frames.size(), 1, 30000);
    wait(FramePacer::interval);
    QCOMPARE(frames.size(), 1);
    QCOMPARE(m_display->asked, 0);
    QVERIFY(m_pacer->isIdle());
}

void TestFramePacer::framesKeepTheirInterval_data()
{
    QTest::addColumn<int>("wanted");
    QTest::addColumn<int>("interval");
    QTest::newRow("10 a second") << 0 << 100;
    QTest::newRow("4 a second") << 250 << 250;
}

void TestFramePacer::framesKeepTheirInterval()
{
    QFETCH(int, wanted);
    QFETCH(int, interval);
    QObject flooded;
    QObject other;
    m_pacer->setInterval(&flooded, wanted);
    m_pacer->setInterval(&other, 0);
    Drawer drawer(*m_pacer, m_display);
    // Each is asked before it is answered.
    connect(m_pacer.get(), &FramePacer::frame, this,
            [this] { QMetaObject::invokeMethod(m_display, &DisplayEcho::answered, Qt::QueuedConnection); });
    QTRY_VERIFY_WITH_TIMEOUT(drawer.times.size() >= 5, 30000);
    // A millisecond of rounding each.
    QVERIFY2(drawer.times[4] - drawer.times[0] >= 4 * (interval - 1),
             qPrintable(QString::number(drawer.times[4] - drawer.times[0])));
}

void TestFramePacer::withoutAnEchoNothingIsWaitedFor()
{
    FramePacer pacer(nullptr);
    Drawer drawer(pacer, nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(drawer.times.size() >= 3, 30000);
}

void TestFramePacer::anAnswerSaysWhatItTook()
{
    QSignalSpy answers(m_pacer.get(), &FramePacer::answered);
    Drawer drawer(*m_pacer, m_display);
    QTRY_COMPARE_WITH_TIMEOUT(m_display->asked, 1, 30000);
    wait(20);
    Q_EMIT m_display->answered();
    QCOMPARE(answers.size(), 1);
    const auto answer = answers.front().front().value<FramePacer::Answer>();
    QCOMPARE(answer.bytes, 1000U);
    QVERIFY(answer.roundTrip >= 19000);
    QVERIFY(answer.took >= answer.roundTrip);
    // Nothing more was asked.
    m_display->answered();
    QCOMPARE(answers.size(), 1);
}

} // namespace tst_framepacer

RANKDECK_WINDOW_TEST(tst_framepacer, TestFramePacer)
#include "tst_framepacer.moc"
