#include "mainwindow/window/mainwindow.h"
#include "support/programs.h"
#include "support/windowhome.h"
#include "support/windowtest.h"

#include <QAbstractButton>
#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QTranslator>

#include <memory>

namespace tst_mnemonics
{

using namespace rankdeck;

/// In Chinese no two things in a menu or a dialog have the same letter.
class MnemonicsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aMenuHasEachLetterOnce();
    void aDialogHasEachLetterOnce();
    void cleanupTestCase();

private:
    std::unique_ptr<WindowHome> m_home;
    QTranslator m_translator;
    std::unique_ptr<MainWindow> m_window;
};

/// Returns the texts among these that share a letter.
QStringList sharing(const QStringList &texts)
{
    QHash<QString, QStringList> byKey;
    for (const QString &text : texts) {
        const QString key = QKeySequence::mnemonic(text).toString();
        if (!key.isEmpty() && !byKey[key].contains(text))
            byKey[key] << text;
    }
    QStringList wrong;
    for (const QStringList &same : std::as_const(byKey)) {
        if (same.size() > 1)
            wrong << same.join(u" = "_s);
    }
    return wrong;
}

QStringList textsOf(const QList<QAction *> &actions)
{
    QStringList texts;
    for (const QAction *action : actions)
        texts << action->text();
    return texts;
}

void MnemonicsTest::initTestCase()
{
    m_home = std::make_unique<WindowHome>();
    QVERIFY(m_translator.load(buildPath("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&m_translator);
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1024, 700);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get(), 30000));
    QVERIFY(m_window->menuBar()->actions().first()->text().contains(u"文件"_s));
}

void MnemonicsTest::aMenuHasEachLetterOnce()
{
    QStringList wrong = sharing(textsOf(m_window->menuBar()->actions()));
    for (const QMenu *menu : m_window->menuBar()->findChildren<QMenu *>())
        wrong += sharing(textsOf(menu->actions()));
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n'_L1)));
}

void MnemonicsTest::aDialogHasEachLetterOnce()
{
    m_window->openRankTable(demoTable());
    QStringList wrong;
    int dialogs = 0;
    QList<QAction *> actions;
    for (const QMenu *menu : m_window->findChildren<QMenu *>())
        actions += menu->actions();
    for (QAction *action : std::as_const(actions)) {
        if (!action->isEnabled() || !action->text().endsWith(QChar(0x2026)))
            continue;
        action->trigger();
        QTest::qWait(0);
        for (QWidget *top : QApplication::topLevelWidgets()) {
            auto *dialog = qobject_cast<QDialog *>(top);
            if (!dialog || !dialog->isVisible())
                continue;
            QStringList texts;
            for (const QAbstractButton *button : dialog->findChildren<QAbstractButton *>()) {
                if (button->isVisibleTo(dialog))
                    texts << button->text();
            }
            for (const QLabel *label : dialog->findChildren<QLabel *>()) {
                if (label->buddy() && label->isVisibleTo(dialog))
                    texts << label->text();
            }
            if (!dialog->inherits("QFileDialog")) { // Its letters are Qt's.
                ++dialogs;
                for (const QString &same : sharing(texts))
                    wrong << dialog->windowTitle() + ": "_L1 + same;
            }
            dialog->reject();
        }
        QTest::qWait(0);
    }
    QVERIFY(dialogs > 3);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n'_L1)));
}

void MnemonicsTest::cleanupTestCase()
{
    m_window.reset();
    QCoreApplication::removeTranslator(&m_translator);
}

} // namespace tst_mnemonics

RANKDECK_WINDOW_TEST(tst_mnemonics, MnemonicsTest)

#include "tst_mnemonics.moc"
