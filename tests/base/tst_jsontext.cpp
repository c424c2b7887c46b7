#include "base/jsontext.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_jsontext
{

using namespace rankdeck;

class JsonTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void valuesAreJson_data();
    void valuesAreJson();
    void aMemberOfTheSameNameIsReplaced();
    void aValueWithFieldsTakesFurtherMembers();
    void keysBecomeSnakeCaseAtAnyDepth();
    void anIndentIsForReaders();
};

void JsonTextTest::valuesAreJson_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const JsonText &json, const QByteArray &expected) {
        QTest::newRow(name) << json.text() << expected;
    };
    row("nothing", {}, "null");
    row("a text", u"a \"b\""_s, "\"a \\\"b\\\"\"");
    row("no number", std::optional<double>(), "null");
    row("a number", std::optional<double>(0.5), "0.5");
    row("keys in their order", {{"b", 1}, {"a", true}, {"c", {}}}, R"({"a":true,"b":1,"c":null})");
    row("an object in an object", {{"a", {{"b", "c"}}}}, R"({"a":{"b":"c"}})");
    row("no items", QList<JsonText>(), "[]");
    row("items",
        JsonText::list(QList<int>{1, 2},
                       [](int number) {
                           return JsonText{{"n", number}};
                       }),
        R"([{"n":1},{"n":2}])");
    row("other JSON", JsonText::of(" {\"b\": 1,\n\"a\": [2]}"), R"({"a":[2],"b":1})");
    row("no JSON", JsonText::of("{\"a\""), "null");
}

void JsonTextTest::valuesAreJson()
{
    QFETCH(const QByteArray, text);
    QTEST(text, "expected");
}

void JsonTextTest::aMemberOfTheSameNameIsReplaced()
{
    JsonText json{{"a", 1}};
    json.insert("a", 2);
    json.insertUnlessEmpty("b", QString());
    QCOMPARE(json.text(), QByteArray(R"({"a":2})"));
}

void JsonTextTest::aValueWithFieldsTakesFurtherMembers()
{
    JsonText json = Error{u"w"_s, {}, {}};
    json.insert("line", 3);
    QCOMPARE(json.text(), QByteArray(R"({"line":3,"mend":"","what":"w","where":""})"));
}

void JsonTextTest::keysBecomeSnakeCaseAtAnyDepth()
{
    JsonText json{{"aB", QList<JsonText>{{{"cDeF", "gH"}}}}};
    json.useSnakeCase();
    json.insert("i", 1);
    QCOMPARE(json.text(), QByteArray(R"({"a_b":[{"c_de_f":"gH"}],"i":1})"));
}

void JsonTextTest::anIndentIsForReaders()
{
    QCOMPARE(JsonText({{"b", QList<int>{1}}, {"a", {}}}).text(2),
             QByteArray("{\n  \"a\": null,\n  \"b\": [\n    1\n  ]\n}"));
}

} // namespace tst_jsontext

RANKDECK_TEST(tst_jsontext, JsonTextTest)
#include "tst_jsontext.moc"
