#include "run/mirror/sharedfolder.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_sharedfolder
{

using namespace rankdeck;

class SharedFolderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoSeesTheFolderKnowsTheSecret();
    void nothingIsLeftThere();
    void onlyFilesOfTheTestAreTold_data();
    void onlyFilesOfTheTestAreTold();
    void aFolderThatCannotBeWrittenIsAnError();
};

void SharedFolderTest::whoSeesTheFolderKnowsTheSecret()
{
    const QTemporaryDir shared;
    const QTemporaryDir other;
    const QTemporaryDir links;
    const QString link = links.filePath(u"link"_s);
    QVERIFY(QFile::link(shared.path(), link));
    const auto probe = SharedFolderProbe::begin(shared.path());
    QVERIFY(probe);
    QVERIFY(probe->isAnsweredBy(answerToSharedFolderProbe(shared.path(), probe->name())));
    QVERIFY(probe->isAnsweredBy(answerToSharedFolderProbe(link, probe->name())));
    QVERIFY(!probe->isAnsweredBy(answerToSharedFolderProbe(other.path(), probe->name())));
    QVERIFY(!probe->isAnsweredBy({}));
    // Another file of that name, as on another machine.
    QFile file(other.filePath(probe->name()));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(64, '0')) == 64);
    file.close();
    QVERIFY(!probe->isAnsweredBy(answerToSharedFolderProbe(other.path(), probe->name())));
}

void SharedFolderTest::nothingIsLeftThere()
{
    const QTemporaryDir folder;
    {
        auto probe = SharedFolderProbe::begin(folder.path());
        QVERIFY(probe);
        const SharedFolderProbe moved = std::move(probe.value());
        const QFileInfoList files =
            QDir(folder.path()).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        QCOMPARE(files.size(), 1);
        QVERIFY(!(files.first().permissions() & (QFile::ReadGroup | QFile::ReadOther)));
    }
    QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

void SharedFolderTest::onlyFilesOfTheTestAreTold_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("another file") << u"secret"_s;
    QTest::newRow("a path") << u"../secret"_s;
    QTest::newRow("a path behind the name")
        << u".rankdeck-shared-0123456789abcdef0123456789abcdef/../secret"_s;
    QTest::newRow("a line end") << u".rankdeck-shared-0123456789abcdef0123456789abcdef\n"_s;
    QTest::newRow("nothing") << QString();
    QTest::newRow("a link") << u".rankdeck-shared-00000000000000000000000000000000"_s;
}

void SharedFolderTest::onlyFilesOfTheTestAreTold()
{
    QFETCH(QString, name);
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(u"in"_s));
    for (const QString &path : {folder.filePath(u"secret"_s), folder.filePath(u"in/secret"_s)}) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(64, 's')) == 64);
    }
    QVERIFY(QFile::link(folder.filePath(u"secret"_s),
                        folder.filePath(u"in/.rankdeck-shared-00000000000000000000000000000000"_s)));
    QCOMPARE(answerToSharedFolderProbe(folder.filePath(u"in"_s), name), QByteArray());
}

void SharedFolderTest::aFolderThatCannotBeWrittenIsAnError()
{
    const auto probe = SharedFolderProbe::begin(u"/proc"_s);
    QVERIFY(!probe);
    QVERIFY(probe.error().sentence().startsWith("/proc: "_L1));
}

} // namespace tst_sharedfolder

RANKDECK_TEST(tst_sharedfolder, SharedFolderTest)
#include "tst_sharedfolder.moc"
