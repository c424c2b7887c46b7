#include "support/windowtest.h"
#include "widgets/editor.h"

#include <QDir>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace tst_editor
{

using namespace rankdeck;

/// What opens a file in the user's editor.
class TestEditor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theWordsOfACommandAreKept();
    void onlyGraphicalEditorsOfTheEnvironmentCount_data();
    void onlyGraphicalEditorsOfTheEnvironmentCount();
    void whatIsNoFileIsNotOpened();
    void anEditorThatCannotBeStartedIsTold();

private:
    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestEditor::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_directory->path());
    QCoreApplication::setOrganizationName(QStringLiteral("rankdeck-test"));
}

void TestEditor::theWordsOfACommandAreKept()
{
    const QString path = QStringLiteral("/x/a b; rm {line} \"$HOME\".py");
    QCOMPARE(editorWords(QStringLiteral("code -g {file}:{line}"), path, 14),
             QStringList({QStringLiteral("code"), QStringLiteral("-g"), path + QStringLiteral(":14")}));
    QCOMPARE(editorWords(QStringLiteral("\"/opt/my editor\" +{line} {file}"), path, 0),
             QStringList({QStringLiteral("/opt/my editor"), QStringLiteral("+1"), path}));
    QCOMPARE(editorWords(QStringLiteral("kate"), path, 3), QStringList({QStringLiteral("kate"), path}));
    QVERIFY(editorWords({}, path, 3).isEmpty());
}

void TestEditor::onlyGraphicalEditorsOfTheEnvironmentCount_data()
{
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("command");
    QTest::newRow("code") << "code --wait"
                          << "code --wait -g {file}:{line}";
    QTest::newRow("path") << "/usr/bin/gvim"
                          << "/usr/bin/gvim +{line} {file}";
    QTest::newRow("vi") << "vi" << QString();
    QTest::newRow("emacs in a terminal") << "emacs -nw" << QString();
    QTest::newRow("none") << QString() << QString();
}

void TestEditor::onlyGraphicalEditorsOfTheEnvironmentCount()
{
    QFETCH(QString, variable);
    QTEST(graphicalEditor(variable), "command");
}

void TestEditor::whatIsNoFileIsNotOpened()
{
    QSettings().setValue(QLatin1String(editorSetting), QStringLiteral("true {file}"));
    QVERIFY(
        openInEditor(m_directory->filePath(QStringLiteral("none.py"))).contains(QStringLiteral("none.py")));
    QVERIFY(!openInEditor(m_directory->path()).isEmpty());
    QVERIFY(!openInEditor(QStringLiteral("/dev/null")).isEmpty());
    QVERIFY(!openFolder(m_directory->filePath(QStringLiteral("none"))).isEmpty());
}

void TestEditor::anEditorThatCannotBeStartedIsTold()
{
    QSettings().setValue(QLatin1String(editorSetting), QStringLiteral("/nonexistent/editor {file}"));
    QFile file(m_directory->filePath(QStringLiteral("a.py")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(openInEditor(file.fileName()).contains(QStringLiteral("/nonexistent/editor")));
    QSettings().setValue(QLatin1String(editorSetting), QStringLiteral("true {file}"));
    QCOMPARE(openInEditor(file.fileName()), QString());
    // Without an editor of the user's, a desktop's own file might be run.
    qunsetenv("VISUAL");
    qunsetenv("EDITOR");
    QSettings().remove(QLatin1String(editorSetting));
    QFile desktop(m_directory->filePath(QStringLiteral("a.desktop")));
    QVERIFY(desktop.open(QIODevice::WriteOnly));
    desktop.write("[Desktop Entry]\nType=Application\nExec=true\n");
    desktop.close();
    QVERIFY(openInEditor(desktop.fileName()).contains(QStringLiteral("not a text file")));
}

} // namespace tst_editor

RANKDECK_WINDOW_TEST(tst_editor, TestEditor)
#include "tst_editor.moc"
