#include "base/fields.h"
#include "base/json.h"
#include "bundle/openbundle.h"
#include "diagnosis/verdict/verdict.h"
#include "launch/plan/launchplan.h"
#include "run/record/journalwords.h"
#include "run/record/runreader.h"
#include "run/record/runstate.h"
#include "support/testhome.h"
#include "support/testmain.h"
#include "support/testpaths.h"

#include <QDir>
#include <QTest>
#include <QTranslator>

namespace tst_journalwords
{

using namespace rankdeck;

/// Records of earlier versions are English alone: whoever reads them in Chinese gets their known sentences in
/// Chinese. Records of this version do not come there.
class JournalWordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutATranslationNothingChanges();
    void sentences_data();
    void sentences();
    void aStateHasTheReadersWords();
    void anEventOfThisVersionDoesNotComeThere();
    void soDoWordsOfTheSystem();
    void soDoesTheVerdictOfABundle();
    void aVerdictOfThisVersionDoesNotComeThere();
    void whatAnEarlierVersionRecorded();
};

void JournalWordsTest::withoutATranslationNothingChanges()
{
    QCOMPARE(journalWords(u"Stop was requested."_s), u"Stop was requested."_s);
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
    const auto event = RunEvent::fromLine(
        R"({"event": "note", "mono": 1, "time": "2026-11-28T15:31:39.534Z", "text": "Kill was requested."})");
    QVERIFY(event);
    RunState state;
    state.apply(*event);
    QCOMPARE(state.notes, QStringList{u"已请求强制结束。"_s});
    QCoreApplication::removeTranslator(&translator);
}

void JournalWordsTest::anEventOfThisVersionDoesNotComeThere()
{
    QTranslator translator;
    QVERIFY(translator.load(buildPath("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&translator);
    const auto read = [](const Sentence &text) {
        const auto event = RunEvent::fromLine(RunEvent::now(events::Note{text}).toLine());
        return event ? event->text().text() : QString();
    };
    const QString known = u"Stop was requested."_s;
    QCOMPARE(journalWords(known), u"已请求停止。"_s);
    QCOMPARE(read(Sentence(known)), known);
    QCOMPARE(read(Sentence::tr("Stop was requested.")), u"已请求停止。"_s);
    QCOMPARE(read(Sentence::tr("%1 is not started again: its end was requested.").arg(u"x"_s)),
             u"x 不再重新启动：已请求停止它。"_s);
    QCoreApplication::removeTranslator(&translator);
}

void JournalWordsTest::soDoWordsOfTheSystem()
{
    QFile folder(QDir::tempPath());
    QVERIFY(!folder.open(QIODevice::WriteOnly));
    QCOMPARE(problemOf(folder), u"Is a directory"_s);
    QCOMPARE(errnoWords(ENOSPC), u"No space left on device"_s);
    QTranslator translator;
    QVERIFY(translator.load(buildPath("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&translator);
    QCOMPARE(problemOf(folder), u"是一个目录"_s);
    QCOMPARE(errnoWords(ENOSPC), u"设备上没有剩余空间"_s);
    QCOMPARE(errnoWords(ENOTTY), QString::fromLocal8Bit(std::strerror(ENOTTY))); // Few users meet it.
    QCoreApplication::removeTranslator(&translator);
}

/// Returns the JSON of a verdict as earlier versions wrote it.
QByteArray asEarlier(const QByteArray &text)
{
    const std::function<void(nlohmann::json &)> drop = [&drop](nlohmann::json &json) {
        for (auto member = json.is_structured() ? json.begin() : json.end(); member != json.end();) {
            drop(*member);
            member = json.is_object() && QString::fromStdString(member.key()).endsWith("Said"_L1)
                         ? json.erase(member)
                         : std::next(member);
        }
    };
    nlohmann::json json = nlohmann::json::parse(text);
    drop(json);
    return jsonText(json);
}

void JournalWordsTest::soDoesTheVerdictOfABundle()
{
    Verdict verdict;
    verdict.cause = Sentence(u"ranks 0-5,7 gave up waiting: RuntimeError: EI0002: the wait is over"_s);
    verdict.reason = Sentence(
        u"The other ranks wait for rank 6, directly or through each other, and it waits for none."_s);
    verdict.notes = {Sentence(u"The traceback is from rank 4."_s)};
    verdict.known.id = u"hccl-EI0002"_s;
    verdict.known.title = u"What an older catalogue said"_s;
    verdict.groups = {{{Rank(1)}, Sentence(u"EI0002 waiting for rank 6"_s), u"hccl-EI0002"_s, 1},
                      {{Rank(2)}, Sentence(u"ValueError: bad value"_s), {}, 2},
                      {{Rank(3)}, Sentence(u"no error"_s), {}, 3}};
    QCOMPARE(inWordsOfUser(verdict), verdict);
    const QByteArray json = asEarlier(jsonTextOf(verdict));
    QTranslator translator;
    QVERIFY(translator.load(buildPath("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&translator);
    QLocale::setDefault(QLocale(QLocale::Chinese));
    const auto read = fromJsonText<Verdict>(json);
    QVERIFY(read);
    const Verdict chinese = inWordsOfUser(*read);
    QLocale::setDefault(QLocale::c());
    QCoreApplication::removeTranslator(&translator);
    QCOMPARE(chinese.cause, u"rank 0-5,7 放弃等待：RuntimeError: EI0002: the wait is over"_s);
    QCOMPARE(chinese.reason, u"其他 rank 直接或间接地等待 rank 6，而它不等待任何 rank。"_s);
    QCOMPARE(textsOf(chinese.notes), QStringList{u"异常调用栈来自 rank 4。"_s});
    QCOMPARE(chinese.known.title, u"集合通信执行超时：对端没有到达"_s);
    QCOMPARE(chinese.groups.at(0).text, u"EI0002 在等待 rank 6"_s);
    QCOMPARE(chinese.groups.at(1).text, u"ValueError: bad value"_s);
    QCOMPARE(chinese.groups.at(2).text, u"没有错误"_s);
}

void JournalWordsTest::aVerdictOfThisVersionDoesNotComeThere()
{
    Verdict verdict;
    verdict.reason = Sentence(u"The log does not name the rank."_s);
    verdict.notes = {verdict.reason, Sentence::tr("The traceback is from rank %1.").arg(4)};
    verdict.groups = {{{Rank(3)}, Sentence(u"no error"_s), {}, -1}};
    const QByteArray json = jsonTextOf(verdict);
    QTranslator translator;
    QVERIFY(translator.load(buildPath("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&translator);
    const auto read = fromJsonText<Verdict>(json);
    QVERIFY(read);
    QCOMPARE(read->reason, verdict.reason);
    QCOMPARE(read->groups.at(0).text.text(), u"no error"_s);
    QCOMPARE(textsOf(read->notes), (QStringList{verdict.reason, u"异常调用栈来自 rank 4。"_s}));
    QCoreApplication::removeTranslator(&translator);
}

/// See tests/data/README.md.
void JournalWordsTest::whatAnEarlierVersionRecorded()
{
    QTranslator translator;
    QVERIFY(translator.load(buildPath("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&translator);
    const auto state = RunReader(testData("earlier/run")).open();
    QVERIFY(state);
    QCOMPARE(state->notes, (QStringList{u"每个 rank 的 OMP_NUM_THREADS 为 1，以免 4 个 rank 使本节点过载。"
                                        "要用更多线程请自行设置。"_s,
                                        u"设备 1（910B3、卡 5）：健康状态为 Alarm。其上运行 rank 1。"_s,
                                        u"proc-rank-2 失败（退出码 1）：结束其他进程。"_s}));
    const QString advice = u"请先看该 rank 的日志：其他 rank 随后的输出大多是后果。"_s;
    QFile file(testData("earlier/run/verdict.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto kept = verdictFrom(file.readAll(), *state->plan);
    QVERIFY(kept);
    QCOMPARE(kept->advice.text(), advice);
    QCOMPARE(kept->ending.text(), u"退出码 1"_s);
    const auto bundle = openBundle(testData("earlier/bundle.tar.gz"));
    QVERIFY(bundle && bundle->verdict);
    QCOMPARE(bundle->verdict->advice.text(), advice);
    QCoreApplication::removeTranslator(&translator);
}

} // namespace tst_journalwords

RANKDECK_TEST(tst_journalwords, JournalWordsTest)
#include "tst_journalwords.moc"
