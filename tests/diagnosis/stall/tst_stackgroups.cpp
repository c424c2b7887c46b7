#include "diagnosis/stall/stackgroups.h"
#include "support/testmain.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

namespace tst_stackgroups
{

using namespace rankdeck;

namespace
{

DumpedStacks pySpy(int rank, const char *function)
{
    return {rank, u"rank %1, process %2 (python3), py-spy dump --pid %2, host, 2026-11-22T12:00:0%1\n\n"
                  "Process %2: python3 train.py --rank %1\nPython v3.11.7 (/usr/bin/python3)\n\n"
                  "Thread %2 (active): \"MainThread\"\n    %3 (train.py:7)\n    <module> (train.py:20)\n"_s
                      .arg(rank)
                      .arg(4711 + rank)
                      .arg(QLatin1String(function))};
}

} // namespace

/// Stacks of many ranks, told as few.
class StackGroupsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalStacksStandTogetherAndTheOddOnesFirst();
    void whatDiffersAnywayIsNoDifference_data();
    void whatDiffersAnywayIsNoDifference();
    void theInnermostFrameIsNamed_data();
    void theInnermostFrameIsNamed();
    void theLastDumpOfEachIsRead();
    void noFileElsewhereIsRead();
};

void StackGroupsTest::equalStacksStandTogetherAndTheOddOnesFirst()
{
    const auto groups = stackGroups(
        {pySpy(0, "all_reduce"), pySpy(1, "all_reduce"), pySpy(2, "load"), pySpy(3, "all_reduce")});
    QCOMPARE(groups.size(), std::size_t(2));
    QCOMPARE(groups[0].processes, QList<int>{2});
    QCOMPARE(groups[0].top, u"load (train.py:7)"_s);
    QCOMPARE(groups[1].processes, QList<int>({0, 1, 3}));
    QVERIFY(groups[1].text.startsWith(u"rank 0, "_s));
    QVERIFY(stackGroups({}).empty());
}

void StackGroupsTest::whatDiffersAnywayIsNoDifference_data()
{
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::addColumn<bool>("areEqual");
    QTest::newRow("faulthandler")
        << u"Thread 0x00007f12 (most recent call first):\n  File \"a.py\", line 1 in f\n"_s
        << u"Thread 0x00007fff (most recent call first):\n  File \"a.py\", line 1 in f\n"_s << true;
    QTest::newRow("another line") << u"  File \"a.py\", line 1 in f\n"_s
                                  << u"  File \"a.py\", line 2 in f\n"_s << false;
    QTest::newRow("gdb")
        << u"Thread 1 (Thread 0x7f1 (LWP 10) \"python3\"):\n#0  0x0000abc in poll () from /lib/libc.so\n"_s
        << u"Thread 1 (Thread 0x7f2 (LWP 11) \"python3\"):\n#0  0x0000def in poll () from /lib/libc.so\n"_s
        << true;
    QTest::newRow("eu-stack") << u"PID 10 - process\nTID 10:\n#0  0x0000abc poll\n"_s
                              << u"PID 11 - process\nTID 11:\n#0  0x0000def poll\n"_s << true;
    QTest::newRow("another function") << u"#0  0x0000abc poll\n"_s << u"#0  0x0000abc read\n"_s << false;
}

void StackGroupsTest::whatDiffersAnywayIsNoDifference()
{
    QFETCH(QString, one);
    QFETCH(QString, other);
    QFETCH(bool, areEqual);
    QCOMPARE(stackGroups({{0, one}, {1, other}}).size(), std::size_t(areEqual ? 1 : 2));
}

void StackGroupsTest::theInnermostFrameIsNamed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("top");
    QTest::newRow("faulthandler")
        << u"Thread 0x1 (most recent call first):\n  File \"/x/a.py\", line 12 in f\n"_s << u"f (a.py:12)"_s;
    QTest::newRow("gdb") << u"#0  0x0000abc in poll () from /lib\n"_s << u"poll"_s;
    QTest::newRow("gdb, innermost without an address") << u"#0  main () at a.c:3\n"_s << u"main"_s;
    QTest::newRow("eu-stack") << u"TID 10:\n#0  0x0000abc clock_nanosleep\n"_s << u"clock_nanosleep"_s;
    QTest::newRow("nothing") << u"what is this\n"_s << QString();
}

void StackGroupsTest::theInnermostFrameIsNamed()
{
    QFETCH(QString, text);
    QTEST(stackGroups({{0, text}})[0].top, "top");
}

void StackGroupsTest::theLastDumpOfEachIsRead()
{
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir(u"stacks"_s));
    for (const char *name : {"a", "b"}) {
        QFile file(folder.filePath(u"stacks/"_s) + QLatin1String(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(name) == 1);
    }
    const QList<StackDump> dumps{{0, {}, u"stacks/a"_s, {}},
                                 {0, {}, u"stacks/b"_s, {}},
                                 {0, {}, {}, u"it has ended"_s},
                                 {1, {}, {}, u"it has ended"_s}};
    const auto read = readStacks(folder.path(), lastDumps(dumps));
    QCOMPARE(read.size(), std::size_t(1));
    QCOMPARE(read[0].text, u"b"_s);
}

void StackGroupsTest::noFileElsewhereIsRead()
{
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir(u"stacks"_s));
    QFile secret(folder.filePath(u"secret"_s));
    QVERIFY(secret.open(QIODevice::WriteOnly) && secret.write("secret") == 6);
    secret.close();
    QVERIFY(QFile::link(secret.fileName(), folder.filePath(u"stacks/link"_s)));
    QList<StackDump> dumps;
    for (const char *file :
         {"secret", "stacks/../secret", "../secret", "/etc/passwd", "stacks/link", "stacks/", "stacks/none"})
        dumps << StackDump{0, {}, QLatin1String(file), {}};
    QVERIFY(readStacks(folder.path(), dumps).empty());
}

} // namespace tst_stackgroups

RANKDECK_TEST(tst_stackgroups, StackGroupsTest)
#include "tst_stackgroups.moc"
