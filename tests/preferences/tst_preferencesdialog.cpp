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
    all.logFont = u"DejaVu Sans Mono"_s;
    all.logSize = 11.5;
    all.language = u"en"_s;
    all.editor = u"code --goto {file}:{line}"_s;
    all.notifies = false;
    all.endCommand = u"mail-me 'a b'"_s;
    all.asksToStop = all.asksToClose = false;
    all.launcher = u"msrun"_s;
    all.launchNumbers = {{u"--sample-every"_s, 10}, {u"--stall-after"_s, 0}};
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
    auto *dialog = new PreferencesDialog({u"davincirun"_s, u"msrun"_s}, {});
    dialog->show();
    QCOMPARE(dialog->preferences(), Preferences());
    dialog->findChild<QComboBox *>(u"defaultLauncherCombo"_s)->setCurrentText(u"msrun"_s);
    dialog->findChild<QComboBox *>(u"themeCombo"_s)->setCurrentIndex(2);
    dialog->findChild<QLineEdit *>(u"editorEdit"_s)->setText(u"vi +{line} {file}"_s);
    dialog->findChild<QCheckBox *>(u"asksToStopCheck"_s)->setChecked(false);
    dialog->findChild<QSpinBox *>(u"stallAfterSpin"_s)->setValue(0);
    QCOMPARE(Preferences::load(), Preferences());
    dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
    Preferences wanted;
    wanted.launcher = u"msrun"_s;
    wanted.theme = Preferences::Theme::Dark;
    wanted.editor = u"vi +{line} {file}"_s;
    wanted.asksToStop = false;
    wanted.launchNumbers = {{u"--stall-after"_s, 0}};
    QCOMPARE(Preferences::load(), wanted);
}

void PreferencesTest::itFitsOnASmallScreenWithLargeText()
{
    PreferencesDialog dialog({u"davincirun"_s}, {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    QFont large = dialog.font();
    large.setPointSize(18);
    dialog.setFont(large);
    dialog.show();
    const QSize least = dialog.minimumSizeHint();
    QVERIFY2(least.width() <= 1008 && least.height() <= 652,
             qPrintable(u"%1x%2"_s.arg(least.width()).arg(least.height())));
}

void PreferencesTest::notesTakeTheRoomOfTheirLines()
{
    PreferencesDialog dialog({u"msrun"_s}, {});
    dialog.show();
    auto *tabs = dialog.findChild<QTabWidget *>(u"preferencesTabs"_s);
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
    auto *plain = new QLabel(u"plain"_s, &window);
    auto *large = new QLabel(u"large"_s, &window);
    makeBold(large, 2);
    auto *fixed = new QLabel(u"fixed"_s, &window);
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
