#include "collective/store/storeserver.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_storeserver
{

using namespace rankdeck;

class StoreServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aValueIsAnsweredOnceItIsThere();
    void aWaitIsAnsweredOnceAllKeysAreThere();
    void aForgottenRankIsNotAnswered();
    void anotherQuestionReplacesTheOpenOne();
    void whatIsMissingIsAnsweredAtOnce();
    void hostileLinesArePassedOver_data();
    void hostileLinesArePassedOver();
    void valuesAndKeysHaveALimit();

private:
    static QByteArray set(const QByteArray &key, const QByteArray &value)
    {
        return "{\"set\":\"" + key + "\",\"value\":\"" + value.toBase64() + "\"}";
    }
    static QByteArray get(const QByteArray &key) { return "{\"get\":\"" + key + "\"}"; }
    static QByteArray value(const QByteArray &value)
    {
        return "{\"n\":0,\"value\":\"" + value.toBase64() + "\"}";
    }
};

void StoreServerTest::aValueIsAnsweredOnceItIsThere()
{
    StoreServer store;
    QVERIFY(store.take(1, get("a")).empty());
    QVERIFY(store.take(2, get("a")).empty());
    QVERIFY(store.take(0, set("b", "other")).empty());
    const auto answers = store.take(0, set("a", QByteArray("\0x\n", 3)));
    QCOMPARE(answers.size(), std::size_t(2));
    QCOMPARE(answers[0].rank, 1);
    QCOMPARE(answers[0].line, value(QByteArray("\0x\n", 3)));
    QCOMPARE(answers[1].rank, 2);
    QVERIFY(store.contains("a"));
    QVERIFY(store.take(0, set("a", "new")).empty());
    QCOMPARE(store.take(5, get("a")).at(0).line, value("new"));
    store.take(0, set("empty", ""));
    QCOMPARE(store.take(5, get("empty")).at(0).line, value(""));
}

void StoreServerTest::aWaitIsAnsweredOnceAllKeysAreThere()
{
    StoreServer store;
    store.take(0, set("a", "1"));
    QVERIFY(store.take(3, "{\"wait\":[\"a\",\"b\",\"c\"]}").empty());
    QVERIFY(store.take(1, set("b", "1")).empty());
    const auto answers = store.take(2, set("c", "1"));
    QCOMPARE(answers.size(), std::size_t(1));
    QCOMPARE(answers[0].rank, 3);
    QCOMPARE(answers[0].line, QByteArray("{\"n\":0,\"ready\":true}"));
    QCOMPARE(store.take(4, "{\"wait\":[\"a\",\"b\"]}").size(), std::size_t(1));
    QCOMPARE(store.take(4, "{\"wait\":[]}").size(), std::size_t(1));
}

void StoreServerTest::aForgottenRankIsNotAnswered()
{
    StoreServer store;
    store.take(2, "{\"wait\":[\"rank/0\",\"rank/1\"]}");
    store.take(0, get("rank/1"));
    store.take(1, set("rank/0", "here"));
    store.forget(2);
    const auto answers = store.take(1, set("rank/1", "here"));
    QCOMPARE(answers.size(), std::size_t(1));
    QCOMPARE(answers.front().rank, 0);
}

void StoreServerTest::anotherQuestionReplacesTheOpenOne()
{
    StoreServer store;
    store.take(0, get("a"));
    store.take(0, "{\"get\":\"b\",\"n\":7}");
    QVERIFY(store.take(1, set("a", "1")).empty());
    QCOMPARE(store.take(1, set("b", "")).at(0).line, QByteArray("{\"n\":7,\"value\":\"\"}"));
    QCOMPARE(store.take(0, "{\"wait\":[\"b\"],\"n\":8}").at(0).line, QByteArray("{\"n\":8,\"ready\":true}"));
}

void StoreServerTest::whatIsMissingIsAnsweredAtOnce()
{
    StoreServer store;
    store.take(0, set("b", "1"));
    store.take(0, get("a"));
    QCOMPARE(store.take(0, R"({"missing":["a","b","c","d"],"n":3})").at(0).line,
             QByteArray(R"({"n":3,"value":")" + QByteArray("0,2-3").toBase64() + R"("})"));
    QCOMPARE(store.take(0, R"({"missing":["b"]})").at(0).line, value(""));
    QVERIFY(store.take(1, set("a", "1")).empty()); // It is asked for no more.
}

void StoreServerTest::hostileLinesArePassedOver_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("hello");
    QTest::newRow("no object") << QByteArray("[1]");
    QTest::newRow("no value") << QByteArray("{\"set\":\"a\"}");
    QTest::newRow("a value that is no text") << QByteArray("{\"set\":\"a\",\"value\":3}");
    QTest::newRow("a value that is no base64") << QByteArray("{\"set\":\"a\",\"value\":\"\\\"}{\"}");
    QTest::newRow("a key that is no text") << QByteArray("{\"set\":{},\"value\":\"\"}");
    QTest::newRow("an empty key") << QByteArray("{\"set\":\"\",\"value\":\"\"}");
    QTest::newRow("a question for nothing") << QByteArray("{\"get\":7}");
    QTest::newRow("keys that are none") << QByteArray("{\"wait\":[\"a\",7]}");
    QTest::newRow("missing what is no text") << QByteArray("{\"missing\":[7]}");
    QTest::newRow("keys that are no list") << QByteArray("{\"wait\":\"a\"}");
    QTest::newRow("deep") << QByteArray(100'000, '[');
    QTest::newRow("not UTF-8") << QByteArray("{\"set\":\"\xff\xfe\",\"value\":\"\"}");
}

void StoreServerTest::hostileLinesArePassedOver()
{
    QFETCH(QByteArray, line);
    StoreServer store;
    QVERIFY(store.take(0, line).empty());
    QVERIFY(!store.contains("a"));
    QVERIFY(store.take(0, get("a")).empty());
    QCOMPARE(store.take(1, set("a", "1")).size(), std::size_t(1));
}

void StoreServerTest::valuesAndKeysHaveALimit()
{
    StoreServer store;
    store.take(0, set("largest", QByteArray(64 * 1024, 'x')));
    store.take(0, set("larger", QByteArray(64 * 1024 + 3, 'x')));
    store.take(0, set(QByteArray(2000, 'k'), "x"));
    QVERIFY(store.contains("largest"));
    QVERIFY(!store.contains("larger"));
    QVERIFY(!store.contains(QByteArray(2000, 'k')));

    for (int key = 0; key < 100'000; ++key)
        store.take(0, set(QByteArray::number(key), "x"));
    QVERIFY(store.contains("99998"));
    QVERIFY(!store.contains("99999"));
    store.take(0, set("largest", "known"));
    QCOMPARE(store.take(0, get("largest")).at(0).line, value("known"));
}

} // namespace tst_storeserver

RANKDECK_TEST(tst_storeserver, StoreServerTest)
#include "tst_storeserver.moc"
