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
    QCoreApplication::setOrganizationName(u"rankdeck-test"_s);
}

void TestEditor::theWordsOfACommandAreKept()
{
    const QString path = u"/x/a b; rm {line} \"$HOME\".py"_s;
    QCOMPARE(editorWords(u"code -g {file}:{line}"_s, path, 14),
             QStringList({u"code"_s, u"-g"_s, path + u":14"_s}));
    QCOMPARE(editorWords(u"\"/opt/my editor\" +{line} {file}"_s, path, 0),
             QStringList({u"/opt/my editor"_s, u"+1"_s, path}));
    QCOMPARE(editorWords(u"kate"_s, path, 3), QStringList({u"kate"_s, path}));
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
    QSettings().setValue(QLatin1String(editorSetting), u"true {file}"_s);
    QVERIFY(openInEditor(m_directory->filePath(u"none.py"_s)).contains(u"none.py"_s));
    QVERIFY(!openInEditor(m_directory->path()).isEmpty());
    QVERIFY(!openInEditor(u"/dev/null"_s).isEmpty());
    QVERIFY(!openFolder(m_directory->filePath(u"none"_s)).isEmpty());
}

void TestEditor::anEditorThatCannotBeStartedIsTold()
{
    QSettings().setValue(QLatin1String(editorSetting), u"/nonexistent/editor {file}"_s);
    QFile file(m_directory->filePath(u"a.py"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(openInEditor(file.fileName()).contains(u"/nonexistent/editor"_s));
    QSettings().setValue(QLatin1String(editorSetting), u"true {file}"_s);
    QCOMPARE(openInEditor(file.fileName()), QString());
    // Without an editor of the user's, a desktop's own file might be run.
    qunsetenv("VISUAL");
    qunsetenv("EDITOR");
    QSettings().remove(QLatin1String(editorSetting));
    QFile desktop(m_directory->filePath(u"a.desktop"_s));
    QVERIFY(desktop.open(QIODevice::WriteOnly));
    desktop.write("[Desktop Entry]\nType=Application\nExec=true\n");
    desktop.close();
    QVERIFY(openInEditor(desktop.fileName()).contains(u"not a text file"_s));
}

} // namespace tst_editor

RANKDECK_WINDOW_TEST(tst_editor, TestEditor)
#include "tst_editor.moc"
