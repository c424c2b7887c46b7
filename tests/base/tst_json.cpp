#include "base/json.h"

#include "run/mirror/logtalk.h"
#include "support/testmain.h"

#include <QTest>

#include <cstdint>
#include <limits>

namespace tst_json
{

using namespace rankdeck;

/// Numbers in JSON that others wrote, whatever they are asked for as; the sanitizers tell what is undefined.
class JsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFloatBeyondIntBecomesWhole_data();
    void aFloatBeyondIntBecomesWhole();
    void aFloatWithinIntStaysOne();
    void aNumberBeyondAllIntegersIsNone();
    void logTalkRefusesNumbersThatDoNotFit_data();
    void logTalkRefusesNumbersThatDoNotFit();
};

void JsonTest::aFloatBeyondIntBecomesWhole_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("number");
    QTest::newRow("above") << QByteArray("8888888888.88") << qint64(8'888'888'888);
    QTest::newRow("below") << QByteArray("-4e12") << qint64(-4'000'000'000'000);
    QTest::newRow("just above") << QByteArray("2147483647.5") << qint64(2'147'483'647);
}

void JsonTest::aFloatBeyondIntBecomesWhole()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, number);
    const auto json = parseJson("[" + text + "]");
    QVERIFY(json && json->at(0).is_number_integer());
    QCOMPARE(json->at(0).get<qint64>(), number);
    QCOMPARE(json->at(0).get<double>(), static_cast<double>(number));
    QCOMPARE(json->at(0).get<int>(), static_cast<int>(number));
}

void JsonTest::aFloatWithinIntStaysOne()
{
    const auto json = parseJson("[2147483646.5, -0.25]");
    QVERIFY(json);
    QCOMPARE(json->at(0).get<double>(), 2147483646.5);
    QCOMPARE(json->at(0).get<int>(), 2147483646);
    QCOMPARE(json->at(1).get<double>(), -0.25);
}

void JsonTest::aNumberBeyondAllIntegersIsNone()
{
    const auto json = parseJson(R"({"far": [1e19, -1e300], "near": 1})");
    QVERIFY(json);
    QCOMPARE(jsonText(*json), QByteArray(R"({"far":[null,null],"near":1})"));
}

void JsonTest::logTalkRefusesNumbersThatDoNotFit_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("fraction") << QByteArray(R"({"logs":{"follow":[[0,1.5,17,4]]}})");
    QTest::newRow("below 0") << QByteArray(R"({"logs":{"follow":[[0,-1,17,4]]}})");
    QTest::newRow("beyond 32 bits") << QByteArray(R"({"logs":{"follow":[[0,1,17,4444444444]]}})");
    QTest::newRow("float beyond 32 bits") << QByteArray(R"({"logs":{"first":[0,8888888888.88]}})");
}

void JsonTest::logTalkRefusesNumbersThatDoNotFit()
{
    QFETCH(const QByteArray, line);
    QVERIFY(!LogWish::fromLine(line));
    QVERIFY(LogWish::fromLine(R"({"logs":{"follow":[[0,4294967295,17,4]],"first":[0],"leave":[3]}})"));
}

} // namespace tst_json

RANKDECK_TEST(tst_json, JsonTest)
#include "tst_json.moc"
