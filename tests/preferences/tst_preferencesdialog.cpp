#include "preferences/preferencesdialog.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/labels.h"

#include <QComboBox>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>

#include <algorithm>

namespace tst_preferencesdialog
{

using namespace rankdeck;

class PreferencesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void whatIsSavedIsLoadedAgain();
    void whatIsAsUsualIsNotKept();
    void theDialogSavesWhatIsSet();
    void itFitsOnASmallScreenWithLargeText();
    void notesTakeTheRoomOfTheirLines();
    void themeAndZoomChangeWhatIsShown();

private:
    std::unique_ptr<WindowHome> m_home;
};

void PreferencesTest::init()
{
    m_home = std::make_unique<WindowHome>();
}

void PreferencesTest::cleanup()
{
    Preferences().save();
    m_home.reset();
}

void PreferencesTest::whatIsSavedIsLoadedAgain()
{
    Preferences all;
    all.theme = Preferences::Theme::Dark;
    all.zoom = 120;
    all.logFont = QStringLiteral("DejaVu Sans Mono");
    all.logSize = 11.5;
    all.language = QStringLiteral("en");
    all.editor = QStringLiteral("code --goto {file}:{line}");
    all.notifies = false;
    all.endCommand = QStringLiteral("mail-me 'a b'");
    all.asksToStop = all.asksToClose = false;
    all.launcher = QStringLiteral("msrun");
    all.launchNumbers = {{QStringLiteral("--sample-every"), 10}, {QStringLiteral("--stall-after"), 0}};
    const QSignalSpy changed(&preferencesNews(), &PreferencesNews::changed);
    all.save();
    QCOMPARE(changed.size(), 1);
    QCOMPARE(Preferences::load(), all);
}

void PreferencesTest::whatIsAsUsualIsNotKept()
{
    Preferences preferences;
    preferences.zoom = 150;
    preferences.save();
    QVERIFY(!QSettings().allKeys().isEmpty());
    Preferences().save();
    QCOMPARE(QSettings().allKeys(), QStringList());
}

void PreferencesTest::theDialogSavesWhatIsSet()
{
    auto *dialog = new PreferencesDialog({QStringLiteral("davincirun"), QStringLiteral("msrun")}, {});
    dialog->show();
    QCOMPARE(dialog->preferences(), Preferences());
    dialog->findChild<QComboBox *>(QStringLiteral("defaultLauncherCombo"))
        ->setCurrentText(QStringLiteral("msrun"));
    dialog->findChild<QComboBox *>(QStringLiteral("themeCombo"))->setCurrentIndex(2);
    dialog->findChild<QLineEdit *>(QStringLiteral("editorEdit"))
        ->setText(QStringLiteral("vi +{line} {file}"));
    dialog->findChild<QCheckBox *>(QStringLiteral("asksToStopCheck"))->setChecked(false);
    dialog->findChild<QSpinBox *>(QStringLiteral("stallAfterSpin"))->setValue(0);
    QCOMPARE(Preferences::load(), Preferences());
    dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
    Preferences wanted;
    wanted.launcher = QStringLiteral("msrun");
    wanted.theme = Preferences::Theme::Dark;
    wanted.editor = QStringLiteral("vi +{line} {file}");
    wanted.asksToStop = false;
    wanted.launchNumbers = {{QStringLiteral("--stall-after"), 0}};
    QCOMPARE(Preferences::load(), wanted);
}

void PreferencesTest::itFitsOnASmallScreenWithLargeText()
{
    PreferencesDialog dialog({QStringLiteral("davincirun")}, {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    QFont large = dialog.font();
    large.setPointSize(18);
    dialog.setFont(large);
    dialog.show();
    const QSize least = dialog.minimumSizeHint();
    QVERIFY2(least.width() <= 1008 && least.height() <= 652,
             qPrintable(QStringLiteral("%1x%2").arg(least.width()).arg(least.height())));
}

void PreferencesTest::notesTakeTheRoomOfTheirLines()
{
    PreferencesDialog dialog({QStringLiteral("msrun")}, {});
    dialog.show();
    auto *tabs = dialog.findChild<QTabWidget *>(QStringLiteral("preferencesTabs"));
    for (int page = 0; page < tabs->count(); ++page) {
        tabs->setCurrentIndex(page);
        const QList<NoteLabel *> notes = tabs->widget(page)->findChildren<NoteLabel *>();
        QVERIFY(!notes.isEmpty());
        for (const NoteLabel *note : notes)
            QTRY_COMPARE(note->height(), note->heightForWidth(note->width()));
    }
}

void PreferencesTest::themeAndZoomChangeWhatIsShown()
{
    QWidget window;
    auto *plain = new QLabel(QStringLiteral("plain"), &window);
    auto *large = new QLabel(QStringLiteral("large"), &window);
    makeBold(large, 2);
    auto *fixed = new QLabel(QStringLiteral("fixed"), &window);
    useFixedFont(fixed);
    window.show();
    const auto sizes = [&] {
        return QList<double>{plain->font().pointSizeF(), large->font().pointSizeF(),
                             fixed->font().pointSizeF()};
    };
    const QList<double> before = sizes();
    const QColor lightBase = window.palette().color(QPalette::Base);

    Preferences preferences;
    preferences.zoom = 200;
    preferences.theme = Preferences::Theme::Dark;
    preferences.save();
    const auto areTimes = [&](double factor) {
        const QList<double> now = sizes();
        return std::ranges::equal(
            now, before, [factor](double one, double other) { return qAbs(one - factor * other) < 0.1; });
    };
    QTRY_VERIFY(areTimes(2));
    QLabel late;
    useFixedFont(&late);
    QVERIFY(qAbs(late.font().pointSizeF() - fixed->font().pointSizeF()) < 0.1);
    QTRY_VERIFY(window.palette().color(QPalette::Base).lightness() < 80);
    QVERIFY(window.palette().color(QPalette::Text).lightness() > 180);

    Preferences().save();
    QTRY_VERIFY(areTimes(1));
    QTRY_COMPARE(window.palette().color(QPalette::Base), lightBase);
}

} // namespace tst_preferencesdialog

RANKDECK_WINDOW_TEST(tst_preferencesdialog, PreferencesTest)
#include "tst_preferencesdialog.moc"
