#include "bundle/bundlearchive.h"
#include "bundle/bundlecontent.h"
#include "bundle/bundledescription.h"
#include "bundle/excerpt.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <numeric>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tst_bundlefiles
{

using namespace rankdeck;

/// How much of which file is taken.
class BundleFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roomIsDividedEvenly();
    void theFirstFailureComesFirst();
    void whatIsSmallLeavesItsShareToOthers();
    void aSmallFileIsTakenWhole();
    void theMiddleOfALargeOneIsLeftOut();
    void aLongLineIsCut();
    void whatIsNoFileIsNotWaitedFor();
    void namesFitEverywhere();
    void anUnfinishedArchiveHasNoName();

private:
    static qint64 taken(const std::vector<BundleFile> &files)
    {
        return std::accumulate(files.begin(), files.end(), qint64(0),
                               [](qint64 sum, const BundleFile &file) { return sum + file.most; });
    }
    QString write(const QByteArray &text)
    {
        QFile file(m_folder.filePath(u"log"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("a log cannot be written");
        return file.fileName();
    }

    QTemporaryDir m_folder;
};

void BundleFilesTest::roomIsDividedEvenly()
{
    std::vector<BundleFile> files(8, BundleFile{{}, {}, 50'000'000, 0, false});
    divideRoom(files, 4'000'000);
    for (const BundleFile &file : files)
        QCOMPARE(file.most, 500'000);
    divideRoom(files, 100'000'000);
    for (const BundleFile &file : files)
        QCOMPARE(file.most, 1 << 20);
    divideRoom(files, -5);
    QCOMPARE(taken(files), 0);
}

void BundleFilesTest::theFirstFailureComesFirst()
{
    std::vector<BundleFile> files(101, BundleFile{{}, {}, 50'000'000, 0, false});
    files[50].isOfFirstFailure = true;
    divideRoom(files, (1 << 20) + 2'000'000);
    QCOMPARE(files[50].most, 1 << 20);
    QCOMPARE(files[0].most, 20'000);
    QCOMPARE(taken(files), (1 << 20) + 2'000'000);
}

void BundleFilesTest::whatIsSmallLeavesItsShareToOthers()
{
    std::vector<BundleFile> files(4, BundleFile{{}, {}, 50'000'000, 0, false});
    files[1].bytes = 10;
    files[3].bytes = 10;
    divideRoom(files, 1'000'020);
    QCOMPARE(files[0].most, 500'000);
    QCOMPARE(files[1].most, 10);
    QCOMPARE(files[2].most, 500'000);
}

static BundleDescription::File describedFile(const Excerpt &excerpt)
{
    return {{}, {}, excerpt.fileBytes, excerpt.leftOutBytes(), excerpt.headLines, excerpt.leftOutLines};
}

void BundleFilesTest::aSmallFileIsTakenWhole()
{
    const auto excerpt = readExcerpt(write("a\nb\n"), 4);
    QVERIFY(excerpt);
    QCOMPARE(excerpt->content, QByteArray("a\nb\n"));
    QCOMPARE(excerpt->leftOutBytes(), 0);
    QCOMPARE(describedFile(*excerpt).lineOf(2), 2);
    QCOMPARE(excerpt->placeOf(3), 3);
}

void BundleFilesTest::theMiddleOfALargeOneIsLeftOut()
{
    QByteArray text;
    for (int line = 1; line <= 1000; ++line)
        text += QByteArray::number(line).rightJustified(7, '0') + '\n';
    const auto excerpt = readExcerpt(write(text), 804);
    QVERIFY(excerpt);
    const QList<QByteArray> lines = excerpt->content.split('\n');
    QCOMPARE(lines.at(0), QByteArray("0000001"));
    QCOMPARE(lines.at(24), QByteArray("0000025")); // 201 bytes
    QCOMPARE(lines.at(25), QByteArray("[rankdeck: 7200 bytes (900 lines) omitted here]"));
    QCOMPARE(lines.at(26), QByteArray("0000926"));
    QCOMPARE(lines.at(lines.size() - 2), QByteArray("0001000"));
    QCOMPARE(excerpt->leftOutBytes(), 7200);
    QCOMPARE(excerpt->fileBytes, 8000);
    const BundleDescription::File file = describedFile(*excerpt);
    // From 1 in the file, from 0 here.
    for (const int line : {1, 25, 926, 1000})
        QCOMPARE(lines.at(file.lineOf(line) - 1).toInt(), line);
    QCOMPARE(lines.at(file.lineOf(500) - 1).toInt(), 926);
    for (const int line : {25, 926, 1000})
        QCOMPARE(excerpt->content.mid(excerpt->placeOf((line - 1) * 8), 7).toInt(), line);
}

void BundleFilesTest::aLongLineIsCut()
{
    const auto excerpt = readExcerpt(write(QByteArray(1000, 'x')), 100);
    QVERIFY(excerpt);
    QCOMPARE(excerpt->content,
             QByteArray(25, 'x') + "\n[rankdeck: 900 bytes (0 lines) omitted here]\n" + QByteArray(75, 'x'));
}

void BundleFilesTest::whatIsNoFileIsNotWaitedFor()
{
    const QString pipe = m_folder.filePath(u"pipe"_s);
    QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QVERIFY(!readExcerpt(pipe, 100));
    QVERIFY(!readExcerpt(m_folder.path(), 100));
    QVERIFY(!readExcerpt(m_folder.filePath(u"nothing"_s), 100));
}

void BundleFilesTest::namesFitEverywhere()
{
    QCOMPARE(plainName(u"worker_0.log"_s), u"worker_0.log"_s);
    QCOMPARE(plainName(u".."_s), u"_.."_s);
    QCOMPARE(plainName(QString::fromUtf8("日 志\n/.log")), u"______.log"_s.right(9));
    QCOMPARE(plainName({}), u"_"_s);
}

void BundleFilesTest::anUnfinishedArchiveHasNoName()
{
    const QTemporaryDir folder;
    const int unnamed = ::open(QFile::encodeName(folder.path()).constData(), O_TMPFILE | O_WRONLY, 0600);
    if (unnamed < 0)
        QSKIP("no unnamed files on this file system");
    ::close(unnamed);
    const auto files = [&] {
        return QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
    };
    const QString path = folder.filePath(u"bundle.tar.gz"_s);
    for (const QByteArray text : {"first", "second"}) {
        const QStringList before = files();
        ArchiveWriting archive(path);
        QVERIFY(!archive.open() && !archive.add(u"bundle/log"_s, text, QDateTime::currentDateTime()));
        QCOMPARE(files(), before);
        QVERIFY(archive.finish());
        QCOMPARE(files(), QStringList(u"bundle.tar.gz"_s));
        const QTemporaryDir unpacked;
        QVERIFY(!unpackArchive(path, unpacked.path()));
        QFile log(unpacked.filePath(u"log"_s));
        QVERIFY(log.open(QIODevice::ReadOnly));
        QCOMPARE(log.readAll(), text);
    }
}

} // namespace tst_bundlefiles

RANKDECK_TEST(tst_bundlefiles, BundleFilesTest)
#include "tst_bundlefiles.moc"
