#include "run/record/rundirectory.h"
#include "run/record/runevent.h"
#include "run/record/runkeeper.h"
#include "support/recordedrun.h"
#include "support/smalldisk.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QTest>

#include <cerrno>
#include <memory>

#include <sys/stat.h>

namespace tst_runkeeper
{

using namespace rankdeck;

class RunKeeperTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<TestHome>();
        m_directory = RecordedRun().directory();
        m_journal = std::make_unique<Journal>(m_directory);
    }
    void nothingIsSaidWhileAllIsWell();
    void aRemovedDirectoryIsMadeAnewWithItsJournal();
    void aRemovedJournalIsToldOf();
    void aDirectoryThatWasOpenedIsClosedAgain();
    void aFullDiskIsToldOfOnceAndThatThereIsRoomAgain();
    void aFullQuotaIsToldOfLikeAFullDisk();
    void aDiskWithoutInodesIsNoQuota();
    void onlyWantOfRoomIsWantOfRoom();
    void roomIsTakenAndGivenBack();
    void aFolderWithoutANameIsLeftOut();

private:
    unsigned mode() const
    {
        struct stat info {
        };
        return stat(QFile::encodeName(m_directory).constData(), &info) == 0 ? info.st_mode & 0777U : 0U;
    }

    std::unique_ptr<TestHome> m_home;
    QString m_directory;
    std::unique_ptr<Journal> m_journal;
};

void RunKeeperTest::nothingIsSaidWhileAllIsWell()
{
    RunKeeper keeper(m_directory, *m_journal, {m_directory, m_directory + u"/later/0"_s});
    QCOMPARE(textsOf(keeper.look().notes), QStringList());
    QCOMPARE(textsOf(keeper.look().notes), QStringList());
}

void RunKeeperTest::aRemovedDirectoryIsMadeAnewWithItsJournal()
{
    QVERIFY(m_journal->append(RunEvent::now(events::Note{Sentence(u"before"_s)})));
    RunKeeper keeper(m_directory, *m_journal, {m_directory});
    QVERIFY(QDir(runsDirectory()).removeRecursively());
    const QStringList notes = textsOf(keeper.look().notes);
    QCOMPARE(notes.size(), 1);
    QVERIFY2(notes.first().contains("made it again"_L1), qPrintable(notes.first()));
    QCOMPARE(mode(), 0700U);
    QFile file(journalPath(m_directory));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("before"));
    QCOMPARE(textsOf(keeper.look().notes), QStringList());
}

void RunKeeperTest::aRemovedJournalIsToldOf()
{
    RunKeeper keeper(m_directory, *m_journal, {m_directory});
    QVERIFY(QFile::remove(journalPath(m_directory)));
    QCOMPARE(keeper.look().notes.size(), 1);
    QVERIFY(QFile::exists(journalPath(m_directory)));
}

void RunKeeperTest::aDirectoryThatWasOpenedIsClosedAgain()
{
    RunKeeper keeper(m_directory, *m_journal, {m_directory});
    QCOMPARE(chmod(QFile::encodeName(m_directory).constData(), 0777), 0);
    const QStringList notes = textsOf(keeper.look().notes);
    QCOMPARE(notes.size(), 1);
    QVERIFY2(notes.first().contains("Other users"_L1), qPrintable(notes.first()));
    QCOMPARE(mode(), 0700U);
}

void RunKeeperTest::aFullDiskIsToldOfOnceAndThatThereIsRoomAgain()
{
    const SmallDisk disk;
    if (!disk.isThere())
        QSKIP(smallDiskNeedsRoot);
    RunKeeper keeper(m_directory, *m_journal, {disk.path(u"logs/0"_s), disk.path()});
    QCOMPARE(textsOf(keeper.look().notes), QStringList());
    disk.fill();
    const RunKeeper::Findings found = keeper.look();
    const QStringList full = textsOf(found.notes);
    QCOMPARE(full.size(), 1);
    QCOMPARE(found.fullFolders, QStringList{disk.path(u"logs/0"_s)});
    QVERIFY2(full.first().contains("0 bytes of 1.0 MiB free"_L1), qPrintable(full.first()));
    QVERIFY(full.first().contains(disk.path(u"logs/0"_s)));
    QCOMPARE(textsOf(keeper.look().notes), QStringList());
    disk.makeRoom();
    const QStringList room = textsOf(keeper.look().notes);
    QCOMPARE(room.size(), 1);
    QVERIFY2(room.first().contains("has space again"_L1), qPrintable(room.first()));
    QCOMPARE(textsOf(keeper.look().notes), QStringList());
}

void RunKeeperTest::aFullQuotaIsToldOfLikeAFullDisk()
{
    int answer = 0;
    int asked = 0;
    DiskWatch disks({m_directory}, [&](const QString &, qint64) {
        ++asked;
        return answer;
    });
    QVERIFY(disks.look().empty());
    QVERIFY(disks.look().empty());
    QCOMPARE(asked, 1); // It costs too much to be asked at every look.

    answer = EDQUOT;
    DiskWatch full({m_directory}, [&](const QString &, qint64) { return answer; });
    auto changes = full.look();
    QCOMPARE(changes.size(), std::size_t(1));
    QVERIFY(changes.front().isFull);
    QCOMPARE(changes.front().folder, m_directory);
    QVERIFY2(changes.front().text.text().contains("Your quota is full"_L1), qPrintable(changes.front().text));
    QVERIFY(full.look().empty());
    answer = 0;
    changes = full.look();
    QCOMPARE(changes.size(), std::size_t(1));
    QVERIFY(!changes.front().isFull);
    QVERIFY2(changes.front().text.text().contains("has space again"_L1), qPrintable(changes.front().text));
}

void RunKeeperTest::aDiskWithoutInodesIsNoQuota()
{
    const SmallDisk disk;
    if (!disk.isThere())
        QSKIP(smallDiskNeedsRoot);
    disk.takeInodes();
    DiskWatch disks({disk.path()});
    const auto changes = disks.look();
    QCOMPARE(changes.size(), std::size_t(1));
    QVERIFY2(changes.front().text.text().contains("has no inodes left"_L1), qPrintable(changes.front().text));
}

void RunKeeperTest::onlyWantOfRoomIsWantOfRoom()
{
    QVERIFY(leavesNoRoom(EDQUOT));
    QVERIFY(leavesNoRoom(ENOSPC));
    for (const int other : {0, EACCES, EROFS, EIO, EOPNOTSUPP, EFBIG})
        QVERIFY(!leavesNoRoom(other));
}

void RunKeeperTest::roomIsTakenAndGivenBack()
{
    const SmallDisk disk;
    if (!disk.isThere())
        QSKIP(smallDiskNeedsRoot);
    for (int turn = 0; turn < 20; ++turn)
        QCOMPARE(takeRoom(disk.path(u"later/0"_s), 512 * 1024), 0);
    QVERIFY(QDir(disk.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    disk.fill();
    QCOMPARE(takeRoom(disk.path(), 4096), ENOSPC);
}

void RunKeeperTest::aFolderWithoutANameIsLeftOut()
{
    QCOMPARE(takeRoom({}, 4096), 0);
    DiskWatch disks({QString()});
    QVERIFY(disks.look().empty());
}

} // namespace tst_runkeeper

RANKDECK_TEST(tst_runkeeper, RunKeeperTest)
#include "tst_runkeeper.moc"
