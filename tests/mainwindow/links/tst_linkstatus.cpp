#include "mainwindow/links/linkstatus.h"
#include "support/slowdisplay.h"
#include "support/windowtest.h"

#include <QPointer>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace tst_linkstatus
{

using namespace rankdeck;

namespace
{

constexpr int interval = 200; // ms

} // namespace

class TestLinkStatus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void aLocalDisplayHasNone();
    void itSaysRoundTripAndRate();
    void whatSaysTheSameIsNotDrawnAgain();
    void itsOwnDrawingChangesNothing();
    void theAdviceForASlowLinkIsClosedForGood();

private:
    /// Sends `bytes`, which the display answers at once.
    void send(quint64 bytes);
    LinkStatus *status() const { return m_bar->findChild<LinkStatus *>(); }

    QTemporaryDir m_home;
    std::unique_ptr<FramePacer> m_pacer;
    SlowDisplay *m_display = nullptr;
    std::unique_ptr<QStatusBar> m_bar;
};

void TestLinkStatus::initTestCase()
{
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_home.path());
}

void TestLinkStatus::init()
{
    m_bar.reset();
    auto display = std::make_unique<SlowDisplay>();
    m_display = display.get();
    m_pacer = std::make_unique<FramePacer>(std::move(display));
    m_bar = std::make_unique<QStatusBar>();
}

void TestLinkStatus::send(quint64 bytes)
{
    const int asked = m_display->asked;
    m_pacer->sending();
    m_display->sent += bytes;
    QTRY_COMPARE_WITH_TIMEOUT(m_display->asked, asked + 1, 30000);
    Q_EMIT m_display->answered();
}

void TestLinkStatus::aLocalDisplayHasNone()
{
    m_display->overNetwork = false;
    LinkStatus::addTo(m_bar.get(), *m_pacer, interval);
    QVERIFY(!status());
}

void TestLinkStatus::itSaysRoundTripAndRate()
{
    LinkStatus::addTo(m_bar.get(), *m_pacer, interval);
    QCOMPARE(status()->text(), QString());
    send(60000);
    QTRY_VERIFY_WITH_TIMEOUT(!status()->text().isEmpty(), 30000);
    const QRegularExpression form(u"^[0-9,]+ ms  [0-9,]+ kB/s$"_s);
    QVERIFY2(form.match(status()->text()).hasMatch(), qPrintable(status()->text()));
    QVERIFY(status()->accessibleName().contains("kB/s"_L1));
    // Nothing is sent any more.
    QTRY_VERIFY_WITH_TIMEOUT(status()->text().endsWith(" 0 kB/s"_L1), 30000);
}

void TestLinkStatus::whatSaysTheSameIsNotDrawnAgain()
{
    LinkStatus::addTo(m_bar.get(), *m_pacer, interval);
    send(0);
    QTRY_VERIFY_WITH_TIMEOUT(!status()->text().isEmpty(), 30000);
    m_bar->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_bar.get(), 30000));
    QTRY_VERIFY_WITH_TIMEOUT(FramePacer::instance().isIdle(), 30000);
    QSignalSpy frames(&FramePacer::instance(), &FramePacer::frame);
    QTimer looks; // Twice as long as it takes to look.
    looks.setSingleShot(true);
    looks.start(2 * interval + 100);
    QTRY_VERIFY_WITH_TIMEOUT(!looks.isActive(), 30000);
    QCOMPARE(frames.size(), 0);
}

void TestLinkStatus::itsOwnDrawingChangesNothing()
{
    LinkStatus::addTo(m_bar.get(), *m_pacer, interval);
    send(0);
    QTRY_VERIFY_WITH_TIMEOUT(!status()->text().isEmpty(), 30000);
    const QString before = status()->text();
    // The answers of the last such frames came late.
    for (int frame = 0; frame < 20; ++frame)
        Q_EMIT m_pacer->answered({70'000, 71'000, 40});
    QTimer looks; // Twice as long as it takes to look.
    looks.setSingleShot(true);
    looks.start(2 * interval + 100);
    QTRY_VERIFY_WITH_TIMEOUT(!looks.isActive(), 30000);
    QCOMPARE(status()->text(), before);
    send(20'000);
    QTRY_VERIFY_WITH_TIMEOUT(status()->text() != before, 30000);
}

void TestLinkStatus::theAdviceForASlowLinkIsClosedForGood()
{
    for (const bool isFirst : {true, false}) {
        init();
        LinkStatus::addTo(m_bar.get(), *m_pacer, interval);
        QSignalSpy slow(status(), &LinkStatus::foundSlow);
        send(0);
        Q_EMIT m_pacer->answered({50'000, 4'000'000, 2'000'000});
        Q_EMIT m_pacer->answered({50'000, 4'000'000, 2'000'000});
        QCOMPARE(slow.size(), 1);
        auto *const advice = m_bar->findChild<QWidget *>(u"linkAdvice"_s);
        QCOMPARE(advice != nullptr, isFirst);
        if (advice) {
            QPointer<QWidget> guard(advice);
            advice->findChild<QToolButton *>()->click();
            QTRY_VERIFY_WITH_TIMEOUT(!guard, 30000);
        }
    }
}

} // namespace tst_linkstatus

RANKDECK_WINDOW_TEST(tst_linkstatus, TestLinkStatus)
#include "tst_linkstatus.moc"
