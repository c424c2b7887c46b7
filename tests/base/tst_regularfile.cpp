#include "base/regularfile.h"
#include "support/testmain.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

namespace tst_regularfile
{

using namespace rankdeck;

class RegularFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFileIsRead();
    void whatIsNoFileIsRefusedAtOnce_data();
    void whatIsNoFileIsRefusedAtOnce();
};

void RegularFileTest::aFileIsRead()
{
    const QTemporaryDir folder;
    QFile written(folder.filePath(QStringLiteral("file")));
    QVERIFY(written.open(QIODevice::WriteOnly) && written.write("text") == 4 && written.flush());
    RegularFile file(written.fileName());
    QVERIFY(file.open(QIODevice::ReadOnly | QIODevice::Unbuffered));
    QCOMPARE(file.size(), 4);
    QVERIFY(file.seek(1));
    QCOMPARE(file.readAll(), QByteArray("ext"));
}

void RegularFileTest::whatIsNoFileIsRefusedAtOnce_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("problem");
    QTest::newRow("nothing") << QStringLiteral("nothing") << QStringLiteral("No such file or directory");
    QTest::newRow("pipe") << QStringLiteral("pipe") << QStringLiteral("is not a file");
    QTest::newRow("folder") << QStringLiteral(".") << QStringLiteral("is not a file");
    QTest::newRow("device") << QStringLiteral("/dev/zero") << QStringLiteral("is not a file");
}

void RegularFileTest::whatIsNoFileIsRefusedAtOnce()
{
    QFETCH(QString, path);
    QFETCH(QString, problem);
    const QTemporaryDir folder;
    QCOMPARE(mkfifo(QFile::encodeName(folder.filePath(QStringLiteral("pipe"))).constData(), 0600), 0);
    RegularFile file(path.startsWith(QLatin1Char('/')) ? path : folder.filePath(path));
    QVERIFY(!file.open(QIODevice::ReadOnly));
    QCOMPARE(file.errorString(), problem);
}

} // namespace tst_regularfile

RANKDECK_TEST(tst_regularfile, RegularFileTest)
#include "tst_regularfile.moc"
