#include "base/fields.h"

#include "base/json.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_fields
{

using namespace rankdeck;

enum class Colour { Red, Green };
constexpr WordTable<2> colourWords{"red", "green"};

struct Point {
    int x = 0;
    int y = 0;
    bool operator==(const Point &) const = default;
};

struct Shape {
    QString name;
    Colour colour = Colour::Red;
    Point origin;
    std::vector<Point> corners;
    QMap<QString, QString> labels;
    QMap<int, QList<int>> neighbours;
    std::optional<qint64> area;
    QDateTime drawn;
    int layer = -1;
    bool isHidden = false;
    QByteArray raw;
    bool operator==(const Shape &) const = default;
};

/// Written as a list: [1, 2].
void visitFields(Fields &fields, Point &point)
{
    fields.at(0, point.x);
    fields.at(1, point.y);
}

void visitFields(Fields &fields, Shape &shape)
{
    fields("name", shape.name);
    fields.word("colour", shape.colour, colourWords);
    fields("origin", shape.origin);
    fields.optional("corners", shape.corners);
    fields.optional("labels", shape.labels);
    fields.optional("neighbours", shape.neighbours);
    fields.orNull("area", shape.area);
    fields.optional("drawn", shape.drawn);
    fields.optional("layer", shape.layer, -1);
    fields.newer("hidden", shape.isHidden);
    fields.lenient("raw", shape.raw);
}

/// Read leniently, as what another program wrote.
struct Gauge {
    QString name;
    int value = -1;
    std::vector<Point> points;
    bool operator==(const Gauge &) const = default;
};

void visitFields(Fields &fields, Gauge &gauge)
{
    fields.items("points", gauge.points);
    const Fields::Leniently lenient(fields);
    fields("name", gauge.name);
    fields("value", gauge.value);
}

/// Written in another unit, which an item alone does not know.
struct Scaled {
    int scale = 10;
    std::vector<Point> points;
    bool operator==(const Scaled &) const = default;
};

void visitFields(Fields &fields, Scaled &scaled)
{
    fields.each("points", scaled.points, [&](Point &point) {
        Point written{point.x * scaled.scale, point.y * scaled.scale};
        fields("x", written.x);
        fields("y", written.y);
        if (fields.isReading())
            point = {written.x / scaled.scale, written.y / scaled.scale};
    });
}

/// Has a value until another one is read.
struct Measured {
    std::optional<int> length = 7;
};

void visitFields(Fields &fields, Measured &measured)
{
    fields("length", measured.length);
}

struct Settings {
    nlohmann::json json;
};

void visitFields(Fields &fields, Settings &settings)
{
    fields.any(settings.json);
}

struct Kept {
    Settings settings;
};

void visitFields(Fields &fields, Kept &kept)
{
    fields("settings", kept.settings);
}

struct Stop {
    static constexpr char word[] = "stop";
    bool operator==(const Stop &) const = default;
};

struct Move {
    static constexpr char word[] = "move";
    Point to;
    bool operator==(const Move &) const = default;
};

void visitFields(Fields &fields, Move &move)
{
    fields("to", move.to);
}

struct Command {
    std::variant<Stop, Move> kind;
    bool operator==(const Command &) const = default;
};

void visitFields(Fields &fields, Command &command)
{
    fields.oneOf("command", command.kind);
}

Shape triangle()
{
    Shape shape;
    shape.name = u"triangle"_s;
    shape.colour = Colour::Green;
    shape.origin = {1, 2};
    shape.corners = {{3, 4}, {5, 6}};
    shape.labels = {{u"a"_s, u"b"_s}};
    shape.neighbours = {{7, {8, 9}}};
    shape.area = 12;
    shape.drawn = QDateTime::fromString(u"2026-01-02T03:04:05.678Z"_s, Qt::ISODateWithMs);
    shape.layer = 3;
    shape.isHidden = true;
    shape.raw = "bytes";
    return shape;
}

class FieldsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aValueComesBackFromItsJson();
    void usualValuesAreLeftOut();
    void aFieldThatIsAbsentOrOfAnotherTypeFails_data();
    void aFieldThatIsAbsentOrOfAnotherTypeFails();
    void aLenientFieldOfAnotherTypeCountsAsAbsent();
    void lenientReadingLeavesOutWhatIsOfAnotherType();
    void aListOfObjectsIsVisitedItemByItem();
    void nullIsNoValue();
    void anyJsonIsCarriedAsItIs();
    void valuesOfKeysThatAreLeftOutAreNotRead();
    void aMessageIsOneOfSeveralKinds();
    void aKeyedLineIsReadByItsKeyAlone();
    void readingStrictlyNamesTheWrongKey_data();
    void readingStrictlyNamesTheWrongKey();
};

void FieldsTest::aValueComesBackFromItsJson()
{
    const Shape shape = triangle();
    const QByteArray text = jsonTextOf(shape);
    QCOMPARE(text,
             R"({"area":12,"colour":"green","corners":[[3,4],[5,6]],"drawn":"2026-01-02T03:04:05.678Z",)"
             R"("hidden":true,"labels":{"a":"b"},"layer":3,"name":"triangle","neighbours":{"7":[8,9]},)"
             R"("origin":[1,2],"raw":"bytes"})");
    QCOMPARE(fromJsonText<Shape>(text), shape);

    nlohmann::json json;
    writeJson(json, shape);
    QCOMPARE(readJson<Shape>(json), shape);
    QCOMPARE(fromJsonText<std::vector<Shape>>(jsonTextOf(std::vector{shape, Shape()})),
             (std::vector{shape, Shape()}));
}

void FieldsTest::usualValuesAreLeftOut()
{
    const QByteArray text = jsonTextOf(Shape());
    QCOMPARE(text, R"({"area":null,"colour":"red","hidden":false,"name":"","origin":[0,0]})");
    QCOMPARE(fromJsonText<Shape>(text), Shape());
    // "hidden" is newer than the other fields.
    QCOMPARE(fromJsonText<Shape>(R"({"area":null,"colour":"red","name":"","origin":[0,0]})"), Shape());
}

void FieldsTest::aFieldThatIsAbsentOrOfAnotherTypeFails_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("not JSON") << QByteArray("{");
    QTest::newRow("another value") << QByteArray("7");
    QTest::newRow("absent") << QByteArray(R"({"colour":"red","origin":[0,0]})");
    QTest::newRow("number for a text") << QByteArray(R"({"colour":"red","name":1,"origin":[0,0]})");
    QTest::newRow("unknown word") << QByteArray(R"({"colour":"blue","name":"","origin":[0,0]})");
    QTest::newRow("short list") << QByteArray(R"({"colour":"red","name":"","origin":[0]})");
    QTest::newRow("beyond int") << QByteArray(R"({"colour":"red","name":"","origin":[0,3000000000]})");
    QTest::newRow("fraction for int") << QByteArray(R"({"colour":"red","name":"","origin":[0,1.5]})");
    QTest::newRow("float beyond") << QByteArray(R"({"colour":"red","name":"","origin":[0,1e300]})");
    QTest::newRow("unsigned beyond") << QByteArray(
        R"({"colour":"red","name":"","origin":[0,0],"area":18446744073709551615})");
    QTest::newRow("optional of another type")
        << QByteArray(R"({"colour":"red","name":"","origin":[0,0],"layer":"top"})");
    QTest::newRow("text for a list") << QByteArray(
        R"({"colour":"red","name":"","origin":[0,0],"corners":"none"})");
    QTest::newRow("key that is no number")
        << QByteArray(R"({"colour":"red","name":"","origin":[0,0],"neighbours":{"x":[]}})");
}

void FieldsTest::aFieldThatIsAbsentOrOfAnotherTypeFails()
{
    QFETCH(const QByteArray, text);
    QVERIFY(!fromJsonText<Shape>(text));
}

void FieldsTest::aLenientFieldOfAnotherTypeCountsAsAbsent()
{
    const auto shape = fromJsonText<Shape>(R"({"colour":"red","name":"","origin":[0,0],"raw":{}})");
    QVERIFY(shape);
    QCOMPARE(shape->raw, QByteArray());
}

void FieldsTest::lenientReadingLeavesOutWhatIsOfAnotherType()
{
    const auto gauge = fromJsonText<Gauge>(R"({"name":7,"value":1.5,"points":[[1,2],7,[3,"x"],[5,6]]})");
    QVERIFY(gauge);
    QCOMPARE(*gauge, (Gauge{{}, -1, {{1, 2}, {3, 0}, {5, 6}}}));
    QCOMPARE(fromJsonText<Gauge>(jsonTextOf(*gauge)), gauge);
    // But the list must be there, and be one.
    QVERIFY(!fromJsonText<Gauge>(R"({"name":"a"})"));
    QVERIFY(!fromJsonText<Gauge>(R"({"points":{}})"));
}

void FieldsTest::aListOfObjectsIsVisitedItemByItem()
{
    const Scaled scaled{10, {{1, 2}, {3, 4}}};
    QCOMPARE(jsonTextOf(scaled), R"({"points":[{"x":10,"y":20},{"x":30,"y":40}]})");
    QCOMPARE(fromJsonText<Scaled>(jsonTextOf(scaled)), scaled);
    QVERIFY(!fromJsonText<Scaled>("{}"));
    QVERIFY(!fromJsonText<Scaled>(R"({"points":[7]})"));
    QVERIFY(!fromJsonText<Scaled>(R"({"points":[{"x":10}]})"));
}

void FieldsTest::nullIsNoValue()
{
    QCOMPARE(fromJsonText<Measured>(R"({"length":3})")->length, std::optional(3));
    QCOMPARE(fromJsonText<Measured>(R"({"length":null})")->length, std::nullopt);
    QVERIFY(!fromJsonText<Measured>("{}"));
}

void FieldsTest::anyJsonIsCarriedAsItIs()
{
    const QByteArray text = R"({"settings":{"a":[1,null]}})";
    const auto kept = fromJsonText<Kept>(text);
    QVERIFY(kept);
    QCOMPARE(jsonTextOf(*kept), text);
}

void FieldsTest::valuesOfKeysThatAreLeftOutAreNotRead()
{
    const QByteArray text = jsonTextOf(triangle());
    const auto shape = fromJsonText<Shape>(text, {"corners", "labels"});
    QVERIFY(shape);
    QVERIFY(shape->corners.empty() && shape->labels.isEmpty());
    QCOMPARE(shape->neighbours, triangle().neighbours);
}

void FieldsTest::aMessageIsOneOfSeveralKinds()
{
    const Command stop{Stop()};
    const Command move{Move{{1, 2}}};
    QCOMPARE(jsonTextOf(stop), R"({"command":"stop"})");
    QCOMPARE(jsonTextOf(move), R"({"command":"move","to":[1,2]})");
    QCOMPARE(fromJsonText<Command>(jsonTextOf(stop)), stop);
    QCOMPARE(fromJsonText<Command>(jsonTextOf(move)), move);
    QVERIFY(!fromJsonText<Command>(R"({"command":"jump"})"));
    QVERIFY(!fromJsonText<Command>(R"({"command":"move"})"));
}

void FieldsTest::aKeyedLineIsReadByItsKeyAlone()
{
    QCOMPARE(keyedLine("point", Point{1, 2}), R"({"point":[1,2]})");
    QCOMPARE(fromKeyedLine<Point>("point", R"({"n":1,"point":[1,2]})"), (Point{1, 2}));
    QVERIFY(!fromKeyedLine<Point>("point", R"({"place":[1,2]})"));
    QVERIFY(!fromKeyedLine<Point>("point", "[]"));
}

void FieldsTest::readingStrictlyNamesTheWrongKey_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("key");
    QTest::addColumn<bool>("isKnown");
    QTest::newRow("unknown") << QByteArray(R"({"size":1,"colour":"red","name":"","origin":[0,0]})") << "size"
                             << false;
    QTest::newRow("of another type") << QByteArray(R"({"colour":"red","name":"","origin":[0,0],"layer":[]})")
                                     << "layer" << true;
    QTest::newRow("inside") << QByteArray(R"({"colour":"red","name":"","origin":[0,0],"labels":{"a":1}})")
                            << "labels.a" << true;
    QTest::newRow("not a number") << QByteArray(
                                         R"({"colour":"red","name":"","origin":[0,0],"neighbours":{"x":[]}})")
                                  << "neighbours.x" << false;
}

void FieldsTest::readingStrictlyNamesTheWrongKey()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, key);
    QFETCH(const bool, isKnown);
    const auto json = parseJson(text);
    Shape shape;
    const auto wrong = readJsonStrictly(*json, shape);
    QVERIFY(wrong);
    QCOMPARE(wrong->key, key);
    QCOMPARE(wrong->isKnown, isKnown);
}

} // namespace tst_fields

RANKDECK_TEST(tst_fields, FieldsTest)
#include "tst_fields.moc"
