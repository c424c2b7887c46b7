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
    ManualWindow *manual() const
    {
        return m_window->findChild<ManualWindow *>(QStringLiteral("manualWindow"));
    }
    QString page() const { return manual() ? text()->source().fileName() : QString(); }
    QTextBrowser *text() const { return manual()->findChild<QTextBrowser *>(QStringLiteral("manualText")); }
    QListWidget *list() const { return manual()->findChild<QListWidget *>(QStringLiteral("manualPages")); }
    QLineEdit *search() const { return manual()->findChild<QLineEdit *>(QStringLiteral("manualSearch")); }
    void trigger(const char *action) { m_window->findChild<QAction *>(QLatin1String(action))->trigger(); }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<MainWindow> m_window;
};

void HelpInWindowTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_directory->filePath(QStringLiteral("state")).toUtf8());
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
        QVERIFY2(page.text.startsWith(QStringLiteral("# %1\n").arg(page.title)), qPrintable(page.name));
    }
    QSet<QString> named{QStringLiteral("index.md")};
    const QRegularExpression call(QStringLiteral(R"re(setManualPage\(\w+, "(.+?)"\))re"));
    for (QDirIterator file(sourcePath("ui"), {QStringLiteral("*.cpp")}, QDir::Files,
                           QDirIterator::Subdirectories);
         file.hasNext();) {
        QFile source(file.next());
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QString words = QString::fromUtf8(source.readAll());
        for (const QRegularExpressionMatch &found : call.globalMatch(words))
            named << found.captured(1);
    }
    QVERIFY(named.size() > 10);
    QVERIFY2(pages.contains(named), qPrintable((named - pages).values().join(QStringLiteral(", "))));
}

void HelpInWindowTest::f1OpensThePageOfWhatHasTheFocus()
{
    m_window->findChild<RunList *>(QStringLiteral("runList"))->setFocus();
    QTest::keyClick(m_window->focusWidget(), Qt::Key_F1);
    QTRY_COMPARE(page(), QStringLiteral("runs.md"));
    QVERIFY(QTest::qWaitForWindowActive(manual()));
    QTest::keyClick(manual(), Qt::Key_Escape);
    QTRY_VERIFY(!manual()->isVisible());
}

void HelpInWindowTest::f1OpensThePageOfADialog()
{
    trigger("keepAction");
    QDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = m_window->findChild<QDialog *>(QStringLiteral("keepDialog"))));
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    QTest::keyClick(dialog->focusWidget() ? dialog->focusWidget() : dialog, Qt::Key_F1);
    QTRY_COMPARE(page(), QStringLiteral("runs.md"));
    dialog->reject();
}

void HelpInWindowTest::aSearchListsThePagesThatHaveAllWords()
{
    trigger("manualAction");
    QTRY_VERIFY(manual() && manual()->isVisible());
    const int all = list()->count();
    QCOMPARE(all, manualPages().size());
    search()->setText(QStringLiteral("preflight --limit"));
    QVERIFY(list()->count() > 0 && list()->count() < all);
    for (int row = 0; row < list()->count(); ++row) {
        list()->setCurrentRow(row);
        const QString words = text()->toPlainText();
        QVERIFY(words.contains(QStringLiteral("preflight"), Qt::CaseInsensitive));
        QVERIFY(words.contains(QStringLiteral("--limit")));
        QVERIFY(!text()->extraSelections().isEmpty());
    }
    QTest::keyClick(search(), Qt::Key_Return);
    QVERIFY(text()->textCursor().hasSelection());
    search()->setText(QStringLiteral("nosuchword"));
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
        for (const QString &line : page.text.split(QLatin1Char('\n'))) {
            if (!line.startsWith(QStringLiteral("## ")))
                continue;
            manual()->open(page.name + QLatin1Char('#') + headingAnchor(line.mid(3)));
            const QString shown = text()->textCursor().block().text();
            QCOMPARE(headingAnchor(shown), headingAnchor(QString(line.mid(3)).remove(QLatin1Char('`'))));
        }
    }
    QVERIFY(manualPages().size() > 30);
    manual()->open(QStringLiteral("index.md"));
    Q_EMIT text()->anchorClicked(QUrl(QStringLiteral("launchers/msrun.md")));
    QVERIFY(text()->toPlainText().contains(QStringLiteral("--worker_num")));
    Q_EMIT text()->anchorClicked(QUrl(QStringLiteral("../errors.md")));
    const QString before = page();
    Q_EMIT text()->anchorClicked(QUrl(QStringLiteral("logs.md")));
    QCOMPARE(page(), QStringLiteral("logs.md"));
    text()->backward();
    QCOMPARE(page(), before);
}

void HelpInWindowTest::shortcutsAreThoseOfTheActions()
{
    trigger("shortcutsAction");
    auto *dialog = m_window->findChild<ShortcutsDialog *>();
    auto *tree = dialog->findChild<QTreeWidget *>(QStringLiteral("shortcuts"));
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
        QVERIFY2(
            listed.join(QLatin1Char(' ')).contains(action->shortcut().toString(QKeySequence::NativeText)),
            qPrintable(action->text()));
    }
    QVERIFY(expected > 20);
    auto *filter = dialog->findChild<QLineEdit *>(QStringLiteral("shortcutFilter"));
    filter->setText(QStringLiteral("F1"));
    QVERIFY(tree->topLevelItem(0)->isHidden());
    QVERIFY(!tree->findItems(QStringLiteral("Manual"), Qt::MatchExactly | Qt::MatchRecursive)
                 .constFirst()
                 ->isHidden());
    dialog->reject();
}

void HelpInWindowTest::aCodeAndALineAreExplained()
{
    trigger("explainAction");
    auto *dialog = m_window->findChild<ExplainDialog *>();
    auto *asked = dialog->findChild<QLineEdit *>(QStringLiteral("explainCode"));
    auto *answer = dialog->findChild<QPlainTextEdit *>(QStringLiteral("explainAnswer"));
    asked->setText(QStringLiteral("EI0006"));
    QTRY_VERIFY(answer->toPlainText().contains(QStringLiteral("connect")));
    asked->setText(QStringLiteral("RuntimeError: NPU out of memory. Tried to allocate 20.00 GiB"));
    QTRY_VERIFY(answer->toPlainText().contains(QStringLiteral("memory"), Qt::CaseInsensitive));
    asked->setText(QStringLiteral("nothing"));
    QTRY_VERIFY(answer->toPlainText().startsWith(QStringLiteral("Unknown.")));
    dialog->reject();
}

void HelpInWindowTest::theVersionIsCopiedForAReport()
{
    QCoreApplication::setApplicationVersion(QStringLiteral("1.2.3 (abc), Qt 6"));
    trigger("aboutAction");
    auto *box = m_window->findChild<AboutBox *>();
    box->findChild<QPushButton *>(QStringLiteral("copyVersionButton"))->click();
    QVERIFY(box->isVisible());
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.startsWith(QStringLiteral("Rankdeck 1.2.3 (abc), Qt 6\nSystem: ")), qPrintable(copied));
    QVERIFY2(copied.contains(QSysInfo::kernelVersion()), qPrintable(copied));
    box->close();
}

} // namespace tst_helpinwindow

RANKDECK_WINDOW_TEST(tst_helpinwindow, HelpInWindowTest)
#include "tst_helpinwindow.moc"
