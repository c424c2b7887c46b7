#include "logview/find/filterbar.h"
#include "support/windowtest.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

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
    auto *const edit = bar.findChild<QLineEdit *>(QStringLiteral("filterText"));
    QTest::keyClicks(edit, QStringLiteral("Loss"));
    QCOMPARE(changed.size(), 0); // Who writes is not done.
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, longMs);
    QVERIFY(bar.filter().wants("the loss", {}));
    QVERIFY(!bar.filter().wants("the gain", {}));
    bar.findChild<QCheckBox *>(QStringLiteral("filterCase"))->click();
    QCOMPARE(changed.size(), 2);
    QVERIFY(!bar.filter().wants("the loss", {}));
    edit->clear();
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(changed.size(), 3);
    auto *const severity = bar.findChild<QComboBox *>(QStringLiteral("filterSeverity"));
    severity->setCurrentIndex(severity->count() - 1);
    QCOMPARE(changed.size(), 4);
    QVERIFY(bar.filter().wants("x", {LogSeverity::Error, {}}));
    QVERIFY(!bar.filter().wants("x", {LogSeverity::Warning, {}}));
}

void TestFilterText::theBarSaysWhatIsWrong()
{
    FilterBar bar;
    auto *const result = bar.findChild<QLabel *>(QStringLiteral("filterResult"));
    auto *const edit = bar.findChild<QLineEdit *>(QStringLiteral("filterText"));
    bar.setLineCount(12);
    bar.findChild<QCheckBox *>(QStringLiteral("filterRegex"))->click();
    QSignalSpy changed(&bar, &FilterBar::changed);
    QTest::keyClicks(edit, QStringLiteral("(a"));
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY2(result->text().contains(QStringLiteral("not a regular expression")), qPrintable(result->text()));
    QCOMPARE(changed.size(), 0);
    QTest::keyClicks(edit, QStringLiteral(")"));
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(result->text(), QStringLiteral("12 lines"));
    QCOMPARE(changed.size(), 1);
}

} // namespace tst_filtertext

RANKDECK_WINDOW_TEST(tst_filtertext, TestFilterText)
#include "tst_filtertext.moc"
