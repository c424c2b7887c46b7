#include "ranktable/reading/jsondocument.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_jsondocument
{

using namespace rankdeck;

class JsonDocumentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyValueKnowsItsPlace();
    void columnsCountCharacters();
    void pointersEscapeWhatTheyMust();
    void aKeyWithEscapesIsFoundByItsMeaning();
    void numbersAreWholeOrNone_data();
    void numbersAreWholeOrNone();
    void theLastOfTwoKeysCounts();
    void whatPeopleLeaveInIsPassedOver_data();
    void whatPeopleLeaveInIsPassedOver();
    void whatStandsInAStringIsLeftAlone();
    void textThatIsNoJsonHasAProblem_data();
    void textThatIsNoJsonHasAProblem();
};

namespace
{

JsonValue at(const JsonDocument &document, const QString &pointer)
{
    JsonValue value = document.root();
    for (const QString &step : pointer.split('/'_L1, Qt::SkipEmptyParts)) {
        if (!value.isArray()) {
            value = value[step.toUtf8().constData()];
            continue;
        }
        JsonValue element = value.first();
        for (int index = step.toInt(); index > 0; --index)
            element = element.next();
        value = element;
    }
    return value;
}

} // namespace

void JsonDocumentTest::everyValueKnowsItsPlace()
{
    const JsonDocument document("{\n  \"a\" : [1, {\"b\":\n\"c\"}, null],\n\"d\":{}, \"e\" :-2.5e3}");
    QVERIFY(!document.problem());
    const auto place = [&](const char *pointer) {
        return at(document, QString::fromLatin1(pointer)).place();
    };
    QCOMPARE(place(""), (TextPlace{1, 1}));
    QCOMPARE(place("/a"), (TextPlace{2, 3}));
    QCOMPARE(place("/a/0"), (TextPlace{2, 10}));
    QCOMPARE(place("/a/1"), (TextPlace{2, 13}));
    QCOMPARE(place("/a/1/b"), (TextPlace{2, 14}));
    QCOMPARE(place("/a/2"), (TextPlace{3, 7}));
    QCOMPARE(place("/d"), (TextPlace{4, 1}));
    QCOMPARE(place("/e"), (TextPlace{4, 9}));
    QCOMPARE(at(document, u"/a/1/b"_s).pointer(), u"/a/1/b"_s);
    QCOMPARE(at(document, u"/e"_s).source().toByteArray(), QByteArray("-2.5e3"));
    QCOMPARE(at(document, u"/a"_s).size(), 3);
    QVERIFY(!at(document, u"/x"_s).exists());
}

void JsonDocumentTest::columnsCountCharacters()
{
    const JsonDocument document("{\"节点\": 1, \"b\": 2}");
    QCOMPARE(document.root()["b"].place(), (TextPlace{1, 11}));
    QCOMPARE(document.root().first().pointer(), u"/节点"_s);
}

void JsonDocumentTest::pointersEscapeWhatTheyMust()
{
    const JsonDocument document(R"({"a/b~c": {"d": 1}})");
    QCOMPARE(document.root().first().first().pointer(), u"/a~1b~0c/d"_s);
}

void JsonDocumentTest::aKeyWithEscapesIsFoundByItsMeaning()
{
    const JsonDocument document(R"({"stat\u0075s": "a\nb", "statu": "no", "statuss": "no"})");
    QCOMPARE(document.root()["status"].text(), u"a\nb"_s);
}

void JsonDocumentTest::numbersAreWholeOrNone_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isNumber");
    QTest::addColumn<qint64>("number");
    const auto row = [](const char *text, bool isNumber, qint64 number = 0) {
        QTest::newRow(text) << QByteArray(text) << isNumber << number;
    };
    row("7", true, 7);
    row("\"7\"", true, 7);
    row("\"-1\"", true, -1);
    row("9223372036854775807", true, std::numeric_limits<qint64>::max());
    row("9223372036854775808", false);
    row("7.5", false);
    row("1e3", false);
    row("\"\"", false);
    row("\" 7\"", false);
    row("\"7x\"", false);
    row("\"--7\"", false);
    row("true", false);
    row("[7]", false);
}

void JsonDocumentTest::numbersAreWholeOrNone()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isNumber);
    QFETCH(qint64, number);
    const JsonDocument document(text);
    const auto read = document.root().integer();
    QCOMPARE(read.has_value(), isNumber);
    QCOMPARE(read.value_or(0), number);
}

void JsonDocumentTest::theLastOfTwoKeysCounts()
{
    const JsonDocument document(R"({"a": 1, "b": 2, "a": 3})");
    QCOMPARE(document.root()["a"].integer(), std::optional<qint64>(3));
    QCOMPARE(document.duplicates().size(), std::size_t(1));
    QCOMPARE(document.duplicates()[0].place(), (TextPlace{1, 18}));
}

void JsonDocumentTest::whatPeopleLeaveInIsPassedOver_data()
{
    using Kind = JsonBlemish::Kind;
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<std::vector<JsonBlemish>>("blemishes");
    const auto row = [](const char *text, std::vector<JsonBlemish> blemishes) {
        QTest::newRow(text) << QByteArray(text) << blemishes;
    };
    row("[1, // one\n 2]", {{Kind::Comment, 4}});
    row("[1, /* one,\n */ 2]", {{Kind::Comment, 4}});
    row("[1, # one\n 2]", {{Kind::Comment, 4}});
    row("[1, 2,]", {{Kind::TrailingComma, 5}});
    row("[1, 2, // last\n]", {{Kind::Comment, 7}, {Kind::TrailingComma, 5}});
    row("[1,\n...\n, 2]", {{Kind::Elision, 4}, {Kind::TrailingComma, 8}});
    row("[1, 2\n...]", {{Kind::Elision, 6}});
    row("[1, 2 \xE2\x80\xA6]", {{Kind::Elision, 6}});
    row("\xEF\xBB\xBF[1, 2]", {{Kind::ByteOrderMark, 0}});
}

void JsonDocumentTest::whatPeopleLeaveInIsPassedOver()
{
    QFETCH(QByteArray, text);
    QFETCH(std::vector<JsonBlemish>, blemishes);
    const JsonDocument document(text);
    QVERIFY(!document.problem());
    QCOMPARE(document.root().size(), 2);
    QCOMPARE(document.root().first().next().integer(), std::optional<qint64>(2));
    QCOMPARE(document.blemishes(), blemishes);
}

void JsonDocumentTest::whatStandsInAStringIsLeftAlone()
{
    const JsonDocument document(R"({"a": "// no, ...\" /* no */ # no,]", "b": 1,})");
    QVERIFY(!document.problem());
    QCOMPARE(document.blemishes().size(), std::size_t(1));
    QCOMPARE(document.root()["a"].text(), u"// no, ...\" /* no */ # no,]"_s);
}

void JsonDocumentTest::textThatIsNoJsonHasAProblem_data()
{
    using Kind = JsonDocument::Problem::Kind;
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<qsizetype>("offset");
    const auto row = [](const char *name, const QByteArray &text, Kind kind, qsizetype offset) {
        QTest::newRow(name) << text << int(kind) << offset;
    };
    row("nothing", "", Kind::Truncated, 0);
    row("half a list", "[1, 2", Kind::Truncated, 5);
    row("half a string", "[\"ab", Kind::Truncated, 4);
    row("half a comment", "[1 /* and", Kind::Truncated, 9);
    row("a missing or surplus comma", "[1 2]", Kind::Syntax, 3);
    row("two roots", "{} {}", Kind::Syntax, 3);
    row("not UTF-8", "[\"\xFF\"]", Kind::Syntax, 2);
    row("a control character", QByteArray("[\"a\0\"]", 6), Kind::Syntax, 3);
    row("a number that is too large", "[1e400]", Kind::NumberTooLarge, 5);
    row("33 lists in each other", QByteArray(33, '[') + QByteArray(33, ']'), Kind::TooDeep, 32);
}

void JsonDocumentTest::textThatIsNoJsonHasAProblem()
{
    QFETCH(QByteArray, text);
    QFETCH(int, kind);
    QFETCH(qsizetype, offset);
    const JsonDocument document(text);
    QVERIFY(document.problem());
    QCOMPARE(int(document.problem()->kind), kind);
    QCOMPARE(document.problem()->offset, offset);
    QVERIFY(!document.root().exists());
    QVERIFY(document.duplicates().empty());
}

} // namespace tst_jsondocument

RANKDECK_TEST(tst_jsondocument, JsonDocumentTest)
#include "tst_jsondocument.moc"
