#include "support/windowtest.h"
#include "widgets/calmstyle.h"
#include "widgets/preferences.h"
#include "widgets/tone.h"

#include <QApplication>
#include <QCheckBox>
#include <QRadioButton>
#include <QStyleFactory>
#include <QTest>

#include <algorithm>

namespace tst_calmstyle
{

using namespace rankdeck;

/// What the style draws, with Fusion below it.
class CalmStyleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void framesOfBoxesAreSeen_data();
    void framesOfBoxesAreSeen();
};

void CalmStyleTest::framesOfBoxesAreSeen_data()
{
    QTest::addColumn<bool>("isDark");
    QTest::addColumn<bool>("isRadio");
    QTest::newRow("check box, dark") << true << false;
    QTest::newRow("check box, light") << false << false;
    QTest::newRow("radio button, dark") << true << true;
    QTest::newRow("radio button, light") << false << true;
}

void CalmStyleTest::framesOfBoxesAreSeen()
{
    QFETCH(const bool, isDark);
    QFETCH(const bool, isRadio);
    CalmStyle style;
    style.setBaseStyle(QStyleFactory::create(u"Fusion"_s));
    Preferences look;
    look.theme = isDark ? Preferences::Theme::Dark : Preferences::Theme::Light;
    applyLook(look);
    const std::unique_ptr<QAbstractButton> box =
        isRadio ? std::unique_ptr<QAbstractButton>(new QRadioButton) : std::make_unique<QCheckBox>();
    box->setStyle(&style);
    box->resize(box->sizeHint());
    const QImage image = box->grab().toImage();
    const QColor behind = box->palette().color(QPalette::Window);
    double most = 1;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            most = std::max(most, contrastRatio(image.pixelColor(x, y), behind));
    }
    QVERIFY2(most >= 3, qPrintable(QString::number(most)));
    box->setStyle(nullptr);
    applyLook({});
}

} // namespace tst_calmstyle

RANKDECK_WINDOW_TEST(tst_calmstyle, CalmStyleTest)
#include "tst_calmstyle.moc"
