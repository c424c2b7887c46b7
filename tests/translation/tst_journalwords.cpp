#include "diagnosis/verdict/verdict.h"
#include "run/record/journalwords.h"
#include "run/record/runstate.h"
#include "support/testmain.h"
#include "support/testpaths.h"

#include <QDir>
#include <QTest>
#include <QTranslator>

namespace tst_journalwords
{

using namespace rankdeck;

/// The journal is English; whoever reads it in Chinese gets its known sentences in Chinese.
class JournalWordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutATranslationNothingChanges();
    void sentences_data();
    void sentences();
    void aStateHasTheReadersWords();
    void soDoWordsOfTheSystem();
    void soDoesTheVerdictOfABundle();
};

void JournalWordsTest::withoutATranslationNothingChanges()
{
    QCOMPARE(journalWords(QStringLiteral("Stop was requested.")), QStringLiteral("Stop was requested."));
}

void row(const char *english, const char *chinese)
{
    QTest::newRow(english) << QString::fromUtf8(english) << QString::fromUtf8(chinese);
}

void JournalWordsTest::sentences_data()
{
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("chinese");
    row("all_reduce #50 of group tp: ranks 0-5,7 wait at train.py:13 in step. Missing: rank 6: is still at "
        "data.py:7 in load.",
        "组 tp 的 all_reduce #50：rank 0-5,7 在 train.py:13 in step 等待。缺少：rank 6：仍在 data.py:7 in "
        "load。");
    row("Stop was requested.", "已请求停止。");
    row("Stop was requested for rank 3, rank 5.", "已请求停止 rank 3、rank 5。");
    row("Rank 1 failed (exit code 3): the other processes are ended.",
        "rank 1 失败（退出码 3）：结束其他进程。");
    row("Lost node node2 since 12:01:03: no answer for 30 s.",
        "节点 node2 自 12:01:03 起失联：30 s 没有应答。");
    row("Rank 3 is one step behind.", "rank 3 落后 1 个 step。");
    row("Ranks 3-5 are 4 steps behind.", "rank 3-5 落后 4 个 step。");
    row("No output from rank 2 since 12:01:03; the others continue. It is 2 steps behind.",
        "rank 2 自 12:01:03 起没有输出；其他 rank 仍在继续。它落后 2 个 step。");
    row("node1: Device 3 (910B, card 1): its health is Alarm. Rank 5 runs on it.",
        "node1：设备 3（910B、卡 1）：健康状态为 Alarm。其上运行 rank 5。");
    row("Device 3 (910B3 (invented), card 3): its health was OK and is Warning. Rank 3 runs on it.",
        "设备 3（910B3（虚构）、卡 3）：健康状态由 OK 变为 Warning。其上运行 rank 3。");
    row("The supervisor has lost its guardian. The run continues.",
        "监管进程的看护进程已退出。任务继续运行。");
    row("Already set, and kept: HCCL_CONNECT_TIMEOUT=600.", "已设置，保持不变：HCCL_CONNECT_TIMEOUT=600。");
    row("Rank 2 failed first: ValueError: batch 17 has 31 samples",
        "rank 2 最先失败：ValueError: batch 17 has 31 samples");
    row("A sentence of a newer version.", "A sentence of a newer version.");
    row("", "");
}

void JournalWordsTest::sentences()
{
    QTranslator translator;
    QVERIFY(translator.load(buildPath("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&translator);
    QFETCH(const QString, english);
    QTEST(journalWords(english), "chinese");
    QCoreApplication::removeTranslator(&translator);
}

void JournalWordsTest::aStateHasTheReadersWords()
{
    QTranslator translator;
    QVERIFY(translator.load(buildPath("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&translator);
    RunState state;
    state.apply(RunEvent::now(RunEvent::Kind::Note, QStringLiteral("Kill was requested.")));
    QCOMPARE(state.notes, QStringList{QStringLiteral("已请求强制结束。")});
    QCoreApplication::removeTranslator(&translator);
}

void JournalWordsTest::soDoWordsOfTheSystem()
{
    QFile folder(QDir::tempPath());
    QVERIFY(!folder.open(QIODevice::WriteOnly));
    QCOMPARE(problemOf(folder), QStringLiteral("Is a directory"));
    QCOMPARE(errnoWords(ENOSPC), QStringLiteral("No space left on device"));
    QTranslator translator;
    QVERIFY(translator.load(buildPath("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&translator);
    QCOMPARE(problemOf(folder), QStringLiteral("是一个目录"));
    QCOMPARE(errnoWords(ENOSPC), QStringLiteral("设备上没有剩余空间"));
    QCOMPARE(errnoWords(ENOTTY), QString::fromLocal8Bit(std::strerror(ENOTTY))); // Few users meet it.
    QCoreApplication::removeTranslator(&translator);
}

void JournalWordsTest::soDoesTheVerdictOfABundle()
{
    Verdict verdict;
    verdict.cause = QStringLiteral("ranks 0-5,7 gave up waiting: RuntimeError: EI0002: the wait is over");
    verdict.reason = QStringLiteral(
        "The other ranks wait for rank 6, directly or through each other, and it waits for none.");
    verdict.notes = QStringList{QStringLiteral("The traceback is from rank 4.")};
    verdict.known.id = QStringLiteral("hccl-EI0002");
    verdict.known.title = QStringLiteral("What an older catalogue said");
    verdict.groups = {
        {{Rank(1)}, QStringLiteral("EI0002 waiting for rank 6"), QStringLiteral("hccl-EI0002"), 1},
        {{Rank(2)}, QStringLiteral("ValueError: bad value"), {}, 2},
        {{Rank(3)}, QStringLiteral("no error"), {}, 3}};
    QCOMPARE(inWordsOfUser(verdict), verdict);
    QTranslator translator;
    QVERIFY(translator.load(buildPath("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&translator);
    QLocale::setDefault(QLocale(QLocale::Chinese));
    const Verdict chinese = inWordsOfUser(verdict);
    QLocale::setDefault(QLocale::c());
    QCoreApplication::removeTranslator(&translator);
    QCOMPARE(chinese.cause, QStringLiteral("rank 0-5,7 放弃等待：RuntimeError: EI0002: the wait is over"));
    QCOMPARE(chinese.reason, QStringLiteral("其他 rank 直接或间接地等待 rank 6，而它不等待任何 rank。"));
    QCOMPARE(chinese.notes, QStringList{QStringLiteral("异常调用栈来自 rank 4。")});
    QCOMPARE(chinese.known.title, QStringLiteral("集合通信执行超时：对端没有到达"));
    QCOMPARE(chinese.groups.at(0).text, QStringLiteral("EI0002 在等待 rank 6"));
    QCOMPARE(chinese.groups.at(1).text, QStringLiteral("ValueError: bad value"));
    QCOMPARE(chinese.groups.at(2).text, QStringLiteral("没有错误"));
}

} // namespace tst_journalwords

RANKDECK_TEST(tst_journalwords, JournalWordsTest)
#include "tst_journalwords.moc"
