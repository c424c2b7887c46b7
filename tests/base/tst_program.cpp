#include "base/program.h"
#include "support/testmain.h"

#include <QCoreApplication>
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

} // namespace tst_program

RANKDECK_TEST(tst_program, ProgramTest)
#include "tst_program.moc"
