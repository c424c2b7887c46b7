#include "logview/find/filterbar.h"
#include "support/windowtest.h"

#include <QCheckBox>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace tst_filtertext
{

using namespace rankdeck;

namespace
{

constexpr int longMs = 30000;

/// "a|!b&c": patterns of a group, groups.
QByteArray written(const std::vector<std::vector<LogPattern>> &all)
{
    QByteArrayList groups;
    for (const std::vector<LogPattern> &any : all) {
        QByteArrayList patterns;
        for (const LogPattern &pattern : any)
            patterns << (pattern.isNegated ? "!" : "") + pattern.text.toUtf8();
        groups << patterns.join('|');
    }
    return groups.join('&');
}

} // namespace

/// What is written into a filter, and what becomes of it.
class TestFilterText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void patternsAreJoined_data();
    void patternsAreJoined();
    void theBarSpeaksUpWhenItsFilterIsAnother();
    void theBarSaysWhatIsWrong();
    void aSelectionIsAdded_data();
    void aSelectionIsAdded();
    void filtersAreSavedUnderAName();
};

void TestFilterText::patternsAreJoined_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("patterns");
    const auto row = [](const char *text, const char *patterns) {
        QTest::newRow(text) << QString::fromLatin1(text) << QByteArray(patterns);
    };
    row("", "");
    row("loss is 0.2", "loss is 0.2");
    row("a && b", "a&b");
    row("a || b && !c", "a|b&!c");
    row("!a || !b", "!a|!b");
    row("!", "!"); // To be found as it stands.
    row("a&&b||c", "a&&b||c");
    row("a && ", "a");
    row(" || ", "");
}

void TestFilterText::patternsAreJoined()
{
    QFETCH(QString, text);
    const auto patterns = patternsIn(text, true, false);
    QTEST(written(patterns), "patterns");
    if (!patterns.empty())
        QVERIFY(patterns[0][0].isRegex && !patterns[0][0].caseSensitive);
}

void TestFilterText::theBarSpeaksUpWhenItsFilterIsAnother()
{
    FilterBar bar;
    bar.show();
    QVERIFY(bar.filter().isEmpty());
    QSignalSpy changed(&bar, &FilterBar::changed);
    bar.focusText();
    auto *const edit = bar.findChild<QLineEdit *>(u"filterText"_s);
    QTest::keyClicks(edit, u"Loss"_s);
    QCOMPARE(changed.size(), 0); // Who writes is not done.
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, longMs);
    QVERIFY(bar.filter().wants("the loss", {}));
    QVERIFY(!bar.filter().wants("the gain", {}));
    bar.findChild<QCheckBox *>(u"filterCase"_s)->click();
    QCOMPARE(changed.size(), 2);
    QVERIFY(!bar.filter().wants("the loss", {}));
    edit->clear();
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(changed.size(), 3);
    auto *const severity = bar.findChild<QComboBox *>(u"filterSeverity"_s);
    severity->setCurrentIndex(severity->count() - 1);
    QCOMPARE(changed.size(), 4);
    QVERIFY(bar.filter().wants("x", {LogSeverity::Error, {}}));
    QVERIFY(!bar.filter().wants("x", {LogSeverity::Warning, {}}));
}

void TestFilterText::theBarSaysWhatIsWrong()
{
    FilterBar bar;
    auto *const result = bar.findChild<QLabel *>(u"filterResult"_s);
    auto *const edit = bar.findChild<QLineEdit *>(u"filterText"_s);
    bar.setLineCount(12);
    bar.findChild<QCheckBox *>(u"filterRegex"_s)->click();
    QSignalSpy changed(&bar, &FilterBar::changed);
    QTest::keyClicks(edit, u"(a"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY2(result->text().contains(u"not a regular expression"_s), qPrintable(result->text()));
    QCOMPARE(changed.size(), 0);
    QTest::keyClicks(edit, u")"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(result->text(), u"12 lines"_s);
    QCOMPARE(changed.size(), 1);
}

void TestFilterText::aSelectionIsAdded_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isExcluded");
    QTest::addColumn<QByteArray>("wanted");
    QTest::addColumn<QByteArray>("unwanted");
    QTest::newRow("first") << ""
                           << "a.b" << false << QByteArray("x a.b") << QByteArray("axb");
    QTest::newRow("further") << "loss"
                             << "a" << false << QByteArray("loss a") << QByteArray("a");
    QTest::newRow("excluded") << "loss"
                              << "a" << true << QByteArray("loss b") << QByteArray("loss a");
    QTest::newRow("joiner") << ""
                            << "a && b" << false << QByteArray("a && b") << QByteArray("a b");
    QTest::newRow("exclamation mark") << ""
                                      << "!a" << false << QByteArray("x !a") << QByteArray("x b");
    QTest::newRow("excluded exclamation mark") << ""
                                               << "!a" << true << QByteArray("a") << QByteArray("!a");
}

void TestFilterText::aSelectionIsAdded()
{
    QFETCH(QString, before);
    QFETCH(QString, text);
    QFETCH(bool, isExcluded);
    QFETCH(QByteArray, wanted);
    QFETCH(QByteArray, unwanted);
    FilterBar bar;
    bar.findChild<QLineEdit *>(u"filterText"_s)->setText(before);
    bar.add(text, isExcluded);
    QVERIFY(bar.filter().wants(wanted, {}));
    QVERIFY(!bar.filter().wants(unwanted, {}));
}

void TestFilterText::filtersAreSavedUnderAName()
{
    QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    QCoreApplication::setOrganizationName(u"rankdeck-test"_s);
    FilterBar bar;
    bar.show();
    const SavedFilter filter{{}, u"loss || nan"_s, true, true, LogSeverity::Warning, 3};
    bar.setContent(filter);
    QMenu *const menu = bar.findChild<QToolButton *>(u"savedFilters"_s)->menu();
    const auto actions = [menu] {
        Q_EMIT menu->aboutToShow();
        QStringList texts;
        for (const QAction *action : menu->actions())
            texts << action->text();
        return texts;
    };
    QCOMPARE(actions().size(), 3); // Separator, save, delete.
    menu->actions().at(1)->trigger();
    auto *const dialog = bar.findChild<QInputDialog *>();
    dialog->setTextValue(u"Q&A"_s);
    dialog->accept();
    QCOMPARE(actions().constFirst(), u"Q&&A"_s);

    FilterBar other;
    QMenu *const otherMenu = other.findChild<QToolButton *>(u"savedFilters"_s)->menu();
    Q_EMIT otherMenu->aboutToShow();
    otherMenu->actions().constFirst()->trigger();
    QVERIFY(other.content() == filter);
    QVERIFY(other.filter().wants("a nan", {LogSeverity::Warning, {}}));
    // The same name again replaces it.
    saveFilter({u"Q&A"_s, u"other"_s});
    QCOMPARE(savedFilters().size(), 1);
    QCOMPARE(savedFilters()[0].text, u"other"_s);
    QMenu *const removing = (Q_EMIT otherMenu->aboutToShow(), otherMenu->actions().constLast()->menu());
    removing->actions().constFirst()->trigger();
    QVERIFY(savedFilters().isEmpty());
}

} // namespace tst_filtertext

RANKDECK_WINDOW_TEST(tst_filtertext, TestFilterText)
#include "tst_filtertext.moc"
