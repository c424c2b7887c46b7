#include "run/samples/entrylog.h"
#include "support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_entrylog
{

using namespace rankdeck;

constexpr qint64 pid = 3015875;

/// What HCCL's plogs say of collectives while a run goes on.
class EntryLogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLineIsRead_data();
    void aLineIsRead();
    void collectivesAreCountedByGroup();
    void halfALineIsReadOnceItIsWhole();
    void theNextFileIsFollowed();
    void filesOfOthersAreLeftOut();
    void whereTheFirstFilesMayBeGoneNothingIsCounted();
    void moreThanIsReadAtOnceIsReadLater();

private:
    static QByteArray line(const char *operation, const char *group)
    {
        return QByteArray("[INFO] HCCL(3015875,python):2026-03-07-11:43:32.305.623 "
                          "[opbase.cc:56][3017221]Entry-Hccl") +
               operation + ": tag[" + QByteArray(operation) + "_" + group +
               "], sendBuf[0x1], recvBuf[0x2], count[1024], dataType[float32], op[sum], localRank[0], "
               "streamId[7],"
               "comm[0x3], deviceLogicId[0]\n";
    }
    static void append(const QTemporaryDir &folder, const QString &name, const QByteArray &text)
    {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Append));
        QCOMPARE(file.write(text), text.size());
    }
    static QString said(EntryLog &log)
    {
        const auto collectives = log.look({pid});
        return collectives.contains(pid) ? collectives[pid].text() : QString();
    }
};

static QDateTime anHourAgo()
{
    return QDateTime::currentDateTime().addSecs(-3600);
}

void EntryLogTest::aLineIsRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("a group of torch") << line("AllReduce", "127.10.0.1%eth_60000_0_1741318944927847")
                                      << u"AllReduce 127.10.0.1%eth_60000_0_1741318944927847 …"_s;
    QTest::newRow("the inner function, with a space")
        << QByteArray("x Entry-HcclReduceScatterInner: tag[ReduceScatter_tp], sendBuf[(nil)]")
        << u"ReduceScatter tp …"_s;
    QTest::newRow("a tag of the user")
        << QByteArray("Entry-HcclBroadcast:tag[weights], sendBuf[0x1]") << u"Broadcast weights …"_s;
    QTest::newRow("a communicator begins")
        << QByteArray("Entry-HcclCommInitRootInfoInner:ranks[4], rank[3], rootinfo: host ip[127.10.0.1]")
        << QString();
    QTest::newRow("it ends") << QByteArray("Entry-HcclCommDestroy: op_base comm destroy begin") << QString();
    QTest::newRow("another line") << QByteArray("[INFO] tag[AllReduce_tp]") << QString();
}

void EntryLogTest::aLineIsRead()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    auto its = entryOf(text);
    if (its)
        its->isRunning = true;
    QCOMPARE(its ? its->text() : QString(), said);
}

void EntryLogTest::collectivesAreCountedByGroup()
{
    const QTemporaryDir folder;
    EntryLog log(folder.path(), anHourAgo());
    QCOMPARE(said(log), QString());
    const auto file = u"plog-3015875_20260307114332305.log"_s;
    append(folder, file,
           line("AllReduce", "tp") + "another\n" + line("AllGather", "dp") + line("AllReduce", "tp"));
    QCOMPARE(said(log), u"AllReduce #2 tp"_s);
    QCOMPARE(said(log), u"AllReduce #2 tp …"_s); // Nothing has followed it.
    append(folder, file, line("AllGather", "dp"));
    QCOMPARE(said(log), u"AllGather #2 dp"_s);
}

void EntryLogTest::halfALineIsReadOnceItIsWhole()
{
    const QTemporaryDir folder;
    EntryLog log(folder.path(), anHourAgo());
    const auto file = u"plog-3015875_1.log"_s;
    const QByteArray text = line("AllReduce", "tp");
    append(folder, file, text + text.left(150));
    QCOMPARE(said(log), u"AllReduce #1 tp"_s);
    append(folder, file, text.mid(150));
    QCOMPARE(said(log), u"AllReduce #2 tp"_s);
}

void EntryLogTest::theNextFileIsFollowed()
{
    const QTemporaryDir folder;
    EntryLog log(folder.path(), anHourAgo());
    append(folder, u"plog-3015875_1.log"_s, line("AllReduce", "tp"));
    QCOMPARE(said(log), u"AllReduce #1 tp"_s);
    append(folder, u"plog-3015875_1.log"_s, line("AllReduce", "tp"));
    append(folder, u"plog-3015875_2.log"_s, line("AllReduce", "tp"));
    QCOMPARE(said(log), u"AllReduce #3 tp"_s);
}

void EntryLogTest::filesOfOthersAreLeftOut()
{
    const QTemporaryDir folder;
    append(folder, u"plog-30_1.log"_s, line("AllReduce", "tp"));
    append(folder, u"plog-3015875_1.log"_s, line("AllReduce", "tp"));
    EntryLog before(folder.path(), anHourAgo());
    QCOMPARE(before.look({pid, 31}).keys(), QList<qint64>{pid});
    EntryLog after(folder.path(), QDateTime::currentDateTime().addSecs(3600));
    QVERIFY(after.look({pid}).isEmpty()); // That process had the same pid, and is gone.
}

void EntryLogTest::whereTheFirstFilesMayBeGoneNothingIsCounted()
{
    const QTemporaryDir folder;
    for (int number = 10; number < 20; ++number)
        append(folder, u"plog-3015875_%1.log"_s.arg(number), line("AllReduce", "tp"));
    EntryLog log(folder.path(), anHourAgo());
    QCOMPARE(said(log), u"AllReduce tp"_s);
}

void EntryLogTest::moreThanIsReadAtOnceIsReadLater()
{
    constexpr int lines = 40'000; // Some 10 MB.
    const QTemporaryDir folder;
    append(folder, u"plog-3015875_1.log"_s, line("AllReduce", "tp").repeated(lines));
    EntryLog log(folder.path(), anHourAgo());
    QCOMPARE(said(log), QString());
    QCOMPARE(said(log), u"AllReduce #40000 tp"_s);
}

} // namespace tst_entrylog

RANKDECK_TEST(tst_entrylog, EntryLogTest)
#include "tst_entrylog.moc"
