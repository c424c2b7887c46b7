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
    QFile written(folder.filePath(u"file"_s));
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
    QTest::newRow("nothing") << u"nothing"_s << u"No such file or directory"_s;
    QTest::newRow("pipe") << u"pipe"_s << u"is not a file"_s;
    QTest::newRow("folder") << u"."_s << u"is not a file"_s;
    QTest::newRow("device") << u"/dev/zero"_s << u"is not a file"_s;
}

void RegularFileTest::whatIsNoFileIsRefusedAtOnce()
{
    QFETCH(QString, path);
    QFETCH(QString, problem);
    const QTemporaryDir folder;
    QCOMPARE(mkfifo(QFile::encodeName(folder.filePath(u"pipe"_s)).constData(), 0600), 0);
    RegularFile file(path.startsWith('/'_L1) ? path : folder.filePath(path));
    QVERIFY(!file.open(QIODevice::ReadOnly));
    QCOMPARE(file.errorString(), problem);
}

} // namespace tst_regularfile

RANKDECK_TEST(tst_regularfile, RegularFileTest)
#include "tst_regularfile.moc"
