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
    const QString link = links.filePath(QStringLiteral("link"));
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
    QTest::newRow("another file") << QStringLiteral("secret");
    QTest::newRow("a path") << QStringLiteral("../secret");
    QTest::newRow("a path behind the name")
        << QStringLiteral(".rankdeck-shared-0123456789abcdef0123456789abcdef/../secret");
    QTest::newRow("a line end") << QStringLiteral(".rankdeck-shared-0123456789abcdef0123456789abcdef\n");
    QTest::newRow("nothing") << QString();
    QTest::newRow("a link") << QStringLiteral(".rankdeck-shared-00000000000000000000000000000000");
}

void SharedFolderTest::onlyFilesOfTheTestAreTold()
{
    QFETCH(QString, name);
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("in")));
    for (const QString &path :
         {folder.filePath(QStringLiteral("secret")), folder.filePath(QStringLiteral("in/secret"))}) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(64, 's')) == 64);
    }
    QVERIFY(
        QFile::link(folder.filePath(QStringLiteral("secret")),
                    folder.filePath(QStringLiteral("in/.rankdeck-shared-00000000000000000000000000000000"))));
    QCOMPARE(answerToSharedFolderProbe(folder.filePath(QStringLiteral("in")), name), QByteArray());
}

void SharedFolderTest::aFolderThatCannotBeWrittenIsAnError()
{
    const auto probe = SharedFolderProbe::begin(QStringLiteral("/proc"));
    QVERIFY(!probe);
    QVERIFY(probe.error().sentence().startsWith(QLatin1String("/proc: ")));
}

} // namespace tst_sharedfolder

RANKDECK_TEST(tst_sharedfolder, SharedFolderTest)
#include "tst_sharedfolder.moc"
