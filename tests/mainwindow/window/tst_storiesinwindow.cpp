#include "demo/democaption.h"
#include "devicegrid/grid/devicegrid.h"
#include "failure/failuredialog.h"
#include "mainwindow/runpage/lowerhalf.h"
#include "mainwindow/runpage/runpage.h"
#include "mainwindow/window/mainwindow.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/labels.h"
#include "widgets/statelook.h"

#include <QAction>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

namespace tst_storiesinwindow
{

using namespace rankdeck;

namespace
{

constexpr int patienceMs = 120'000;

/// Which pixels of a picture are text: those that differ from its commonest colour, more than halfway to the
/// text's.
QImage inkOf(const QImage &picture)
{
    const QImage pixels = picture.convertToFormat(QImage::Format_RGB32);
    QHash<QRgb, int> counts;
    for (int y = 0; y < pixels.height(); ++y) {
        for (int x = 0; x < pixels.width(); ++x)
            ++counts[pixels.pixel(x, y)];
    }
    QRgb ground = 0;
    for (auto count = counts.cbegin(); count != counts.cend(); ++count) {
        if (*count > counts.value(ground))
            ground = count.key();
    }
    int most = 0;
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        most = std::max(most, std::abs(qGray(count.key()) - qGray(ground)));
    QImage ink(pixels.size(), QImage::Format_Grayscale8);
    for (int y = 0; y < pixels.height(); ++y) {
        for (int x = 0; x < pixels.width(); ++x) {
            const bool isInk = 2 * std::abs(qGray(pixels.pixel(x, y)) - qGray(ground)) > most;
            ink.scanLine(y)[x] = isInk ? 255 : 0;
        }
    }
    return ink;
}

/// Reads a picture: whether this text stands somewhere in it, as this font draws it.
bool reads(const QImage &picture, const QString &text, const QFont &font)
{
    const QFontMetrics metrics(font);
    QImage drawn(metrics.horizontalAdvance(text) + 2, metrics.height(), QImage::Format_RGB32);
    drawn.setDotsPerMeterX(picture.dotsPerMeterX());
    drawn.setDotsPerMeterY(picture.dotsPerMeterY());
    drawn.fill(Qt::white);
    QPainter painter(&drawn);
    painter.setFont(font);
    painter.drawText(QPoint(0, metrics.ascent()), text);
    painter.end();
    const QImage wanted = inkOf(drawn);
    const QImage seen = inkOf(picture);
    QList<QPoint> points;
    for (int y = 0; y < wanted.height(); ++y) {
        for (int x = 0; x < wanted.width(); ++x) {
            if (wanted.constScanLine(y)[x])
                points << QPoint(x, y);
        }
    }
    constexpr double enough = 0.9;
    for (int top = 1 - wanted.height() / 2; top < seen.height(); ++top) {
        for (int left = -2; left < seen.width(); ++left) {
            qsizetype matches = 0;
            for (qsizetype at = 0; at < points.size(); ++at) {
                const QPoint point = points[at] + QPoint(left, top);
                matches += seen.rect().contains(point) && seen.constScanLine(point.y())[point.x()] ? 1 : 0;
                if (double(at + 1 - matches) > (1 - enough) * double(points.size()))
                    break;
            }
            if (double(matches) >= enough * double(points.size()))
                return true;
        }
    }
    return false;
}

} // namespace

/// Stories in the window: screenshots have the words where they must be.
class StoriesInWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aPictureIsRead();
    void aRankFails();
    void aRankIsSlow();
    void aRankHangs();

private:
    template <typename T>
    T *child(const char *name) const
    {
        return m_window->findChild<T *>(QLatin1String(name));
    }
    const RunState &state() const { return m_window->findChild<RunPage *>()->state(); }
    void launch(Demo demo, int speed) const
    {
        const auto spec = demoSpec(demo, speed);
        QVERIFY2(spec, spec ? "" : qPrintable(spec.error().sentence()));
        m_window->startLaunch(*spec);
        QTRY_VERIFY_WITH_TIMEOUT(state().plan, patienceMs);
    }
    /// A screenshot of the window, the part of it where this widget is.
    QImage shot(const QWidget *widget) const
    {
        const QImage all = m_window->grab().toImage();
        const double scale = all.devicePixelRatio();
        const QRect place(widget->mapTo(m_window.get(), QPoint()), widget->size());
        return all.copy(QRectF(QPointF(place.topLeft()) * scale, QSizeF(place.size()) * scale).toRect());
    }
    void verifyCaption(const QString &words) const
    {
        const auto *label = child<QLabel>("captionText");
        QVERIFY2(label->text().contains(words), qPrintable(label->text()));
        QTRY_VERIFY_WITH_TIMEOUT(reads(shot(label), label->text(), label->font()), patienceMs);
    }
    QString shownView() const
    {
        const auto *tabs = child<QTabBar>("viewTabs");
        return tabs->tabText(tabs->currentIndex());
    }
    void verifyState(const QString &word) const
    {
        const auto *badge = child<StateBadge>("runState");
        QTRY_COMPARE_WITH_TIMEOUT(badge->text(), word, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(reads(shot(badge), word, badge->font()), patienceMs);
    }

    std::unique_ptr<WindowHome> m_home;
    std::unique_ptr<MainWindow> m_window;
};

void StoriesInWindowTest::init()
{
    qputenv("RANKDECK_CTL", buildPath("bin/rankdeckctl").toUtf8());
    m_home = std::make_unique<WindowHome>();
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1280, 800);
    m_window->show();
}

void StoriesInWindowTest::cleanup()
{
    if (!m_window->liveRuns().isEmpty())
        m_window->findChild<RunPage *>()->stop();
    if (QWidget *question = QApplication::activeModalWidget())
        QTest::keyClick(question, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    m_window.reset();
    m_home.reset();
}

/// What reads the pictures can tell words apart.
void StoriesInWindowTest::aPictureIsRead()
{
    QLabel label(u"Rank 5 failed first"_s);
    label.resize(label.sizeHint());
    const QImage picture = label.grab().toImage();
    QVERIFY(reads(picture, u"Rank 5 failed first"_s, label.font()));
    QVERIFY(!reads(picture, u"Rank 6 failed last"_s, label.font()));
    QVERIFY(!reads(picture, u"succeeded"_s, label.font()));
}

void StoriesInWindowTest::aRankFails()
{
    launch(Demo::Fail, 20);
    QTRY_VERIFY_WITH_TIMEOUT(state().failure, patienceMs);
    verifyState(u"failed"_s);
    verifyCaption(u"Rank 5 failed first"_s);
    const QString words = u"Rank 5 failed first"_s;
    // At the end of the run there may be another dialog.
    const auto headline = [this]() -> QLabel * {
        for (const FailureDialog *dialog : m_window->findChildren<FailureDialog *>()) {
            if (dialog->isVisible())
                return dialog->findChild<QLabel *>(u"failureHeadline"_s);
        }
        return nullptr;
    };
    const auto isRead = [&] {
        QLabel *const label = headline();
        if (!label)
            return false;
        const QRect place(label->mapTo(label->window(), QPoint()), label->size());
        return reads(label->window()->grab(place).toImage(), words, label->font());
    };
    QTRY_VERIFY_WITH_TIMEOUT(headline() && headline()->text() == words, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isRead(), patienceMs);
    // Who knows the story turns its captions off.
    child<QPushButton>("captionsOffButton")->click();
    QVERIFY(!child<QWidget>("captionLine")->isVisible());
    QVERIFY(!child<QAction>("captionsAction")->isChecked());
    child<QAction>("captionsAction")->trigger();
    QVERIFY(child<QWidget>("captionLine")->isVisible());
}

void StoriesInWindowTest::aRankIsSlow()
{
    launch(Demo::Straggler, 5); // Each caption has to be met, on a busy machine too.
    const auto *label = child<QLabel>("captionText");
    QTRY_VERIFY_WITH_TIMEOUT(label->text().contains(u"Curves shows it"_s), patienceMs);
    QCOMPARE(shownView(), u"Curves"_s);
    QTRY_VERIFY_WITH_TIMEOUT(label->text().contains(u"the card of rank 3 is hot"_s), patienceMs);
    verifyCaption(u"rank 3"_s);
    // Who chooses a view keeps it.
    child<QAction>("mergedRanksAction")->trigger();
    verifyState(u"succeeded"_s);
    verifyCaption(u"the last to end"_s);
    QCOMPARE(shownView(), u"Merged"_s);
}

void StoriesInWindowTest::aRankHangs()
{
    launch(Demo::Hang, 10);
    QTRY_VERIFY_WITH_TIMEOUT(state().failure, patienceMs);
    verifyState(u"failed"_s);
    verifyCaption(u"rank 6"_s);
}

} // namespace tst_storiesinwindow

RANKDECK_WINDOW_TEST(tst_storiesinwindow, StoriesInWindowTest)

#include "tst_storiesinwindow.moc"
