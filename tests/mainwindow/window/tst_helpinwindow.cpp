#include "help/helpdialogs.h"
#include "help/manualwindow.h"
#include "launchform/form/launchform.h"
#include "mainwindow/window/mainwindow.h"
#include "runlist/runlist.h"
#include "support/testpaths.h"
#include "support/windowtest.h"

#include <QAction>
#include <QClipboard>
#include <QDirIterator>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTreeWidget>

namespace tst_helpinwindow
{

using namespace rankdeck;

/// Help > Manual, Keyboard shortcuts, Explain an error code.
class HelpInWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyPageThatAWidgetNamesIsThere();
    void f1OpensThePageOfWhatHasTheFocus();
    void f1OpensThePageOfADialog();
    void aSearchListsThePagesThatHaveAllWords();
    void linksLeadToHeadings();
    void shortcutsAreThoseOfTheActions();
    void aCodeAndALineAreExplained();
    void theVersionIsCopiedForAReport();

private:
    ManualWindow *manual() const { return m_window->findChild<ManualWindow *>(u"manualWindow"_s); }
    QString page() const { return manual() ? text()->source().fileName() : QString(); }
    QTextBrowser *text() const { return manual()->findChild<QTextBrowser *>(u"manualText"_s); }
    QListWidget *list() const { return manual()->findChild<QListWidget *>(u"manualPages"_s); }
    QLineEdit *search() const { return manual()->findChild<QLineEdit *>(u"manualSearch"_s); }
    void trigger(const char *action) { m_window->findChild<QAction *>(QLatin1String(action))->trigger(); }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<MainWindow> m_window;
};

void HelpInWindowTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_directory->filePath(u"state"_s).toUtf8());
    qputenv("XDG_RUNTIME_DIR", m_directory->path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_directory->path());
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void HelpInWindowTest::cleanup()
{
    m_window.reset();
    m_directory.reset();
}

void HelpInWindowTest::everyPageThatAWidgetNamesIsThere()
{
    QSet<QString> pages;
    for (const ManualPage &page : manualPages()) {
        pages << page.name;
        QVERIFY2(page.text.startsWith(u"# %1\n"_s.arg(page.title)), qPrintable(page.name));
    }
    QSet<QString> named{u"index.md"_s};
    const QRegularExpression call(QStringLiteral(R"re(setManualPage\(\w+, "(.+?)"\))re"));
    for (QDirIterator file(sourcePath("ui"), {u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
         file.hasNext();) {
        QFile source(file.next());
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QString words = QString::fromUtf8(source.readAll());
        for (const QRegularExpressionMatch &found : call.globalMatch(words))
            named << found.captured(1);
    }
    QVERIFY(named.size() > 10);
    QVERIFY2(pages.contains(named), qPrintable((named - pages).values().join(u", "_s)));
}

void HelpInWindowTest::f1OpensThePageOfWhatHasTheFocus()
{
    m_window->findChild<RunList *>(u"runList"_s)->setFocus();
    QTest::keyClick(m_window->focusWidget(), Qt::Key_F1);
    QTRY_COMPARE(page(), u"runs.md"_s);
    QVERIFY(QTest::qWaitForWindowActive(manual()));
    QTest::keyClick(manual(), Qt::Key_Escape);
    QTRY_VERIFY(!manual()->isVisible());
}

void HelpInWindowTest::f1OpensThePageOfADialog()
{
    trigger("keepAction");
    QDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = m_window->findChild<QDialog *>(u"keepDialog"_s)));
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    QTest::keyClick(dialog->focusWidget() ? dialog->focusWidget() : dialog, Qt::Key_F1);
    QTRY_COMPARE(page(), u"runs.md"_s);
    dialog->reject();
}

void HelpInWindowTest::aSearchListsThePagesThatHaveAllWords()
{
    trigger("manualAction");
    QTRY_VERIFY(manual() && manual()->isVisible());
    const int all = list()->count();
    QCOMPARE(all, manualPages().size());
    search()->setText(u"preflight --limit"_s);
    QVERIFY(list()->count() > 0 && list()->count() < all);
    for (int row = 0; row < list()->count(); ++row) {
        list()->setCurrentRow(row);
        const QString words = text()->toPlainText();
        QVERIFY(words.contains(u"preflight"_s, Qt::CaseInsensitive));
        QVERIFY(words.contains(u"--limit"_s));
        QVERIFY(!text()->extraSelections().isEmpty());
    }
    QTest::keyClick(search(), Qt::Key_Return);
    QVERIFY(text()->textCursor().hasSelection());
    search()->setText(u"nosuchword"_s);
    QCOMPARE(list()->count(), 1);
    QCOMPARE(list()->item(0)->flags(), Qt::NoItemFlags);
    QTest::keyClick(search(), Qt::Key_Return); // Nowhere to go.
    QTest::keyClick(search(), Qt::Key_Escape);
    QCOMPARE(list()->count(), all);
}

void HelpInWindowTest::linksLeadToHeadings()
{
    trigger("manualAction");
    QTRY_VERIFY(manual() && manual()->isVisible());
    for (const ManualPage &page : manualPages()) {
        for (const QString &line : page.text.split('\n'_L1)) {
            if (!line.startsWith(u"## "_s))
                continue;
            manual()->open(page.name + '#'_L1 + headingAnchor(line.mid(3)));
            const QString shown = text()->textCursor().block().text();
            QCOMPARE(headingAnchor(shown), headingAnchor(QString(line.mid(3)).remove('`'_L1)));
        }
    }
    QVERIFY(manualPages().size() > 30);
    manual()->open(u"index.md"_s);
    Q_EMIT text()->anchorClicked(QUrl(u"launchers/msrun.md"_s));
    QVERIFY(text()->toPlainText().contains(u"--worker_num"_s));
    Q_EMIT text()->anchorClicked(QUrl(u"../errors.md"_s));
    const QString before = page();
    Q_EMIT text()->anchorClicked(QUrl(u"logs.md"_s));
    QCOMPARE(page(), u"logs.md"_s);
    text()->backward();
    QCOMPARE(page(), before);
}

void HelpInWindowTest::shortcutsAreThoseOfTheActions()
{
    trigger("shortcutsAction");
    auto *dialog = m_window->findChild<ShortcutsDialog *>();
    auto *tree = dialog->findChild<QTreeWidget *>(u"shortcuts"_s);
    QStringList listed;
    for (int group = 0; group < tree->topLevelItemCount(); ++group) {
        for (int at = 0; at < tree->topLevelItem(group)->childCount(); ++at)
            listed << tree->topLevelItem(group)->child(at)->text(1);
    }
    int expected = 0;
    for (const QAction *action : m_window->findChildren<QAction *>()) {
        if (action->shortcut().isEmpty() || action->text().isEmpty() ||
            dialog->isAncestorOf(qobject_cast<QWidget *>(action->parent())))
            continue;
        ++expected;
        QVERIFY2(listed.join(' '_L1).contains(action->shortcut().toString(QKeySequence::NativeText)),
                 qPrintable(action->text()));
    }
    QVERIFY(expected > 20);
    auto *filter = dialog->findChild<QLineEdit *>(u"shortcutFilter"_s);
    filter->setText(u"F1"_s);
    QVERIFY(tree->topLevelItem(0)->isHidden());
    QVERIFY(!tree->findItems(u"Manual"_s, Qt::MatchExactly | Qt::MatchRecursive).constFirst()->isHidden());
    dialog->reject();
}

void HelpInWindowTest::aCodeAndALineAreExplained()
{
    trigger("explainAction");
    auto *dialog = m_window->findChild<ExplainDialog *>();
    auto *asked = dialog->findChild<QLineEdit *>(u"explainCode"_s);
    auto *answer = dialog->findChild<QPlainTextEdit *>(u"explainAnswer"_s);
    asked->setText(u"EI0006"_s);
    QTRY_VERIFY(answer->toPlainText().contains(u"connect"_s));
    asked->setText(u"RuntimeError: NPU out of memory. Tried to allocate 20.00 GiB"_s);
    QTRY_VERIFY(answer->toPlainText().contains(u"memory"_s, Qt::CaseInsensitive));
    asked->setText(u"nothing"_s);
    QTRY_VERIFY(answer->toPlainText().startsWith(u"Unknown."_s));
    dialog->reject();
}

void HelpInWindowTest::theVersionIsCopiedForAReport()
{
    QCoreApplication::setApplicationVersion(u"1.2.3 (abc), Qt 6"_s);
    trigger("aboutAction");
    auto *box = m_window->findChild<AboutBox *>();
    box->findChild<QPushButton *>(u"copyVersionButton"_s)->click();
    QVERIFY(box->isVisible());
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.startsWith(u"Rankdeck 1.2.3 (abc), Qt 6\nSystem: "_s), qPrintable(copied));
    QVERIFY2(copied.contains(QSysInfo::kernelVersion()), qPrintable(copied));
    box->close();
}

} // namespace tst_helpinwindow

RANKDECK_WINDOW_TEST(tst_helpinwindow, HelpInWindowTest)
#include "tst_helpinwindow.moc"
