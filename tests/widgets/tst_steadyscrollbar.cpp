#include "support/windowtest.h"
#include "widgets/steadyviews.h"

#include <QTest>

namespace tst_steadyscrollbar
{

using namespace rankdeck;

namespace
{

template <typename Bar>
class Painted : public Bar
{
public:
    using Bar::Bar;
    int paints = 0;

    void follow(int lines)
    {
        Bar::setRange(0, lines);
        Bar::setValue(lines);
    }

protected:
    void paintEvent(QPaintEvent *event) override
    {
        ++paints;
        Bar::paintEvent(event);
    }
};

} // namespace

class TestSteadyScrollBar : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itIsPaintedWhenItsHandleMoves();
};

void TestSteadyScrollBar::itIsPaintedWhenItsHandleMoves()
{
    QWidget window(nullptr, Qt::Window | Qt::BypassWindowManagerHint);
    window.resize(60, 200);
    Painted<SteadyScrollBar> bar(Qt::Vertical, &window);
    Painted<QScrollBar> other(Qt::Vertical, &window);
    bar.setGeometry(0, 0, 20, 200);
    other.setGeometry(30, 0, 20, 200);
    bar.follow(100000);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, 30000));
    QTRY_VERIFY_WITH_TIMEOUT(bar.paints > 0 && other.paints > 0, 30000);

    // The window paints both at once, if both have to be. It may have been exposed anew meanwhile, but not
    // each time.
    qint64 lines = 100000;
    for (int round = 0; round < 10; ++round) {
        lines += 10;
        bar.paints = 0;
        other.paints = 0;
        bar.follow(lines);
        QCoreApplication::processEvents();
        other.follow(lines);
        QTRY_VERIFY_WITH_TIMEOUT(other.paints > 0, 30000);
        if (bar.paints == 0)
            break;
    }
    QCOMPARE(bar.paints, 0);
    bar.setValue(0);
    QTRY_COMPARE_WITH_TIMEOUT(bar.paints, 1, 30000);
    bar.setRange(0, 0);
    QTRY_COMPARE_WITH_TIMEOUT(bar.paints, 2, 30000);
}

} // namespace tst_steadyscrollbar

RANKDECK_WINDOW_TEST(tst_steadyscrollbar, TestSteadyScrollBar)
#include "tst_steadyscrollbar.moc"
