#include "bundle/openbundle.h"

#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <utime.h>

namespace tst_hostilebundles
{

using namespace rankdeck;

/// Archives that somebody made to do harm, or that are no bundles.
class HostileBundlesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<TestHome>(); }
    void evilEntriesAreRefused_data();
    void evilEntriesAreRefused();
    void aBombIsRefused();
    void manyFilesAreRefused();
    void whatIsNoArchiveIsRefused_data();
    void whatIsNoArchiveIsRefused();
    void forgottenOnesAreRemoved();

private:
    struct Entry {
        QByteArray name;
        unsigned type = AE_IFREG;
        QByteArray target = {};
        bool isHardLink = false;
        qint64 bytes = 4;
    };
    QString write(const QList<Entry> &entries) const;
    /// Of the directories that hold unpacked bundles.
    QStringList left() const
    {
        return QDir(m_home->path("state/rankdeck/bundles"))
            .entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    }
    void verifyRefused(const QString &path, const QString &words, const UnpackLimits &limits = {}) const;

    std::unique_ptr<TestHome> m_home;
};

QString HostileBundlesTest::write(const QList<Entry> &entries) const
{
    const QString path = m_home->path("evil.tar.gz");
    archive *writer = archive_write_new();
    archive_write_add_filter_gzip(writer);
    archive_write_set_format_pax_restricted(writer);
    archive_write_set_format_option(writer, "pax", "hdrcharset", "BINARY");
    if (archive_write_open_filename(writer, QFile::encodeName(path).constData()) != ARCHIVE_OK)
        qFatal("the archive cannot be made");
    for (const Entry &each : entries) {
        archive_entry *entry = archive_entry_new();
        archive_entry_set_pathname(entry, each.name.constData());
        archive_entry_set_filetype(entry, each.type);
        archive_entry_set_perm(entry, 0777);
        const bool hasContent = each.type == AE_IFREG && !each.isHardLink;
        archive_entry_set_size(entry, hasContent ? each.bytes : 0);
        if (each.isHardLink)
            archive_entry_set_hardlink(entry, each.target.constData());
        else if (!each.target.isEmpty())
            archive_entry_set_symlink(entry, each.target.constData());
        if (archive_write_header(writer, entry) != ARCHIVE_OK)
            qFatal("%s", archive_error_string(writer));
        const QByteArray block(1 << 20, 'x');
        for (qint64 left = hasContent ? each.bytes : 0; left > 0; left -= block.size())
            archive_write_data(writer, block.constData(), size_t(std::min<qint64>(left, block.size())));
        archive_entry_free(entry);
    }
    archive_write_free(writer);
    return path;
}

void HostileBundlesTest::verifyRefused(const QString &path, const QString &words,
                                       const UnpackLimits &limits) const
{
    const auto bundle = openBundle(path, {}, limits);
    QVERIFY(!bundle);
    const QString sentence = bundle.error().sentence();
    QVERIFY2(sentence.contains(words), qPrintable(sentence));
    QVERIFY2(!sentence.contains('\n'_L1), qPrintable(sentence));
    QCOMPARE(left(), QStringList());
}

void HostileBundlesTest::evilEntriesAreRefused_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<unsigned>("type");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<bool>("isHardLink");
    QTest::addColumn<QString>("words");
    const QString name = u"an invalid file name"_s;
    const auto file = [&](const char *row, const QByteArray &path) {
        QTest::newRow(row) << path << unsigned(AE_IFREG) << QByteArray() << false << name;
    };
    file("absolute", "/tmp/evil");
    file("upwards", "run/../../evil");
    file("a dot", "./run/evil");
    file("hidden", "run/.ssh");
    file("a blank", "run/a b");
    file("an escape", "run/\x1b[2J");
    file("a line end", "run/a\nb");
    file("no utf-8", "run/\xff\xfe");
    file("deep", "run/a/a/a/a/a/a/a/a/a/a");
    file("long", "run/" + QByteArray(300, 'a'));
    QTest::newRow("outside") << QByteArray("other/evil") << unsigned(AE_IFREG) << QByteArray() << false
                             << u"outside its folder"_s;
    QTest::newRow("no folder") << QByteArray("evil") << unsigned(AE_IFREG) << QByteArray() << false
                               << u"outside its folder"_s;
    QTest::newRow("symbolic link") << QByteArray("run/logs") << unsigned(AE_IFLNK) << QByteArray("/tmp")
                                   << false << u"a link"_s;
    QTest::newRow("hard link") << QByteArray("run/logs") << unsigned(AE_IFREG) << QByteArray("/etc/passwd")
                               << true << u"a link"_s;
    QTest::newRow("pipe") << QByteArray("run/logs") << unsigned(AE_IFIFO) << QByteArray() << false
                          << u"not a file"_s;
    QTest::newRow("device") << QByteArray("run/logs") << unsigned(AE_IFCHR) << QByteArray() << false
                            << u"not a file"_s;
    QTest::newRow("twice") << QByteArray("run/good") << unsigned(AE_IFREG) << QByteArray() << false
                           << u"File exists"_s;
}

void HostileBundlesTest::evilEntriesAreRefused()
{
    QFETCH(QByteArray, name);
    QFETCH(unsigned, type);
    QFETCH(QByteArray, target);
    QFETCH(bool, isHardLink);
    QFETCH(QString, words);
    verifyRefused(write({Entry{"run/good"}, Entry{name, type, target, isHardLink}}), words);
}

void HostileBundlesTest::aBombIsRefused()
{
    UnpackLimits limits;
    limits.bytes = 8 << 20;
    const QString path = write({Entry{"run/log", AE_IFREG, {}, false, 64 << 20}});
    QVERIFY(QFileInfo(path).size() < 1 << 20);
    verifyRefused(path, u"more than 8 MB"_s, limits);
}

void HostileBundlesTest::manyFilesAreRefused()
{
    UnpackLimits limits;
    limits.files = 10;
    QList<Entry> entries;
    for (int file = 0; file < 11; ++file)
        entries.append(Entry{"run/" + QByteArray::number(file)});
    verifyRefused(write(entries), u"more than 10 files"_s, limits);
}

void HostileBundlesTest::whatIsNoArchiveIsRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("words");
    QTest::newRow("empty") << QByteArray() << u"not a .tar.gz file"_s;
    QTest::newRow("text") << QByteArray("hello") << u"not a .tar.gz file"_s;
    QTest::newRow("a torn gzip") << QByteArray::fromHex("1f8b080000000000") << u"not a .tar.gz file"_s;
    QTest::newRow("another archive") << QByteArray() << u"not a report bundle"_s;
}

void HostileBundlesTest::whatIsNoArchiveIsRefused()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, words);
    QString path = m_home->path("evil.tar.gz");
    if (qstrcmp(QTest::currentDataTag(), "another archive") == 0) {
        path = write({Entry{"run/good"}});
    } else {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }
    verifyRefused(path, words);
    verifyRefused(m_home->path("nothing.tar.gz"), u"No such file"_s);
    verifyRefused(m_home->path({}), u"it is not a file"_s);
}

void HostileBundlesTest::forgottenOnesAreRemoved()
{
    const auto kept = BundleDirectory::make(u"kept"_s);
    QVERIFY(kept);
    const QString forgotten = m_home->path("state/rankdeck/bundles/forgotten");
    const QString recent = m_home->path("state/rankdeck/bundles/recent");
    for (const QString &path : {forgotten, recent, (*kept)->path()})
        QVERIFY(QDir().mkpath(path));
    const utimbuf old{1, 1};
    for (const QString &path : {forgotten, (*kept)->path()})
        QCOMPARE(utime(QFile::encodeName(path).constData(), &old), 0);
    const auto next = BundleDirectory::make(u"next"_s);
    QVERIFY(next);
    QVERIFY(!QFile::exists(forgotten));
    QVERIFY(QFile::exists(recent));
    QVERIFY(QFile::exists((*kept)->path()));
    QCOMPARE(QFileInfo((*next)->path()).permissions() & 0x77, QFileDevice::Permissions());
}

} // namespace tst_hostilebundles

RANKDECK_TEST(tst_hostilebundles, HostileBundlesTest)
#include "tst_hostilebundles.moc"
