#include "base/program.h"
#include "support/testmain.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QTest>

namespace tst_program
{

using namespace rankdeck;

/// How a program of a package finds itself is in tests/package/tst_packages.py.
class ProgramTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isItsFile();
    void dropsLibrariesAlone();
    void findsToolsWithoutPath();
};

void ProgramTest::isItsFile()
{
    QCOMPARE(programPath(), QCoreApplication::applicationFilePath());
    QCOMPARE(programDirectory(), QCoreApplication::applicationDirPath());
    QVERIFY(packageDirectory().isEmpty());
}

void ProgramTest::dropsLibrariesAlone()
{
    QProcessEnvironment environment;
    for (const char *name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "PATH", "LD_LIBRARY_PATH_OLD"})
        environment.insert(QString::fromLatin1(name), u"/lib"_s);
    const QStringList kept = withoutLibraries(environment).keys();
    QCOMPARE(kept, (QStringList{u"LD_LIBRARY_PATH_OLD"_s, u"PATH"_s}));
}

void ProgramTest::findsToolsWithoutPath()
{
    const QByteArray own = qgetenv("PATH");
    qputenv("PATH", "");
    const QString shell = systemTool(u"sh"_s);
    const QString none = systemTool(u"no-such-tool"_s);
    qputenv("PATH", own);
    QVERIFY2(QFileInfo(shell).isAbsolute() && QFileInfo(shell).isExecutable(), qPrintable(shell));
    QVERIFY2(QFileInfo(none).isAbsolute(),
             qPrintable(none)); // A relative one might be in the working directory.
    QCOMPARE(systemTool(u"./here/ssh"_s), u"./here/ssh"_s);
}

} // namespace tst_program

RANKDECK_TEST(tst_program, ProgramTest)
#include "tst_program.moc"
