#include "base/sentence.h"

#include "base/fields.h"
#include "base/listcomma.h"
#include "support/testmain.h"

#include <QTest>
#include <QTranslator>

namespace tst_sentence
{

using namespace rankdeck;

/// A translator that puts a text in brackets, and its number before it.
class Brackets : public QTranslator
{
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char * /*context*/, const char *source, const char * /*comment*/,
                      int n) const override
    {
        const QString text = u"<%1>"_s.arg(QString::fromUtf8(source));
        return n < 0 ? text : QString::number(n) + text;
    }
};

struct Told {
    Sentence text;
    QList<Sentence> notes;
};

QString earlierWords(const QString &english)
{
    return u"earlier "_s + english;
}

void visitFields(Fields &fields, Told &told)
{
    fields.said("said", told.text, earlierWords, [&](QString &text) { fields.optional("text", text); });
    fields.said("notes_said", told.notes, nullptr, [&](QStringList &texts) { fields("notes", texts); });
}

class SentenceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void englishIsWhatQStringMakes();
    void itIsReadInTheReadersLanguage();
    void plainTextStays();
    void aListHasTheReadersSeparator();
    void ofAnEarlierVersion();
    void ofAStranger_data();
    void ofAStranger();
};

Sentence failed()
{
    return Sentence::tr("%1 failed (%2)").arg(Sentence::tr("rank %1").arg(3), u"50 %1"_s);
}

Sentence behind(int steps)
{
    return Sentence::tr("Rank %1 is %n steps behind.", "Rank %1 is one step behind.", steps)
        .arg(2.5, 0, 'f', 2);
}

/// Returns the value as it is after it was written and read.
Told again(const Told &told)
{
    const QByteArray json = jsonTextOf(told);
    const auto read = fromJsonText<Told>(json);
    return read ? *read : Told{Sentence(u"unreadable"_s), {}};
}

void SentenceTest::englishIsWhatQStringMakes()
{
    QCOMPARE(failed().text(), u"rank 3 failed (50 %1)"_s);
    QCOMPARE(behind(4).text(), u"Rank 2.50 is 4 steps behind."_s);
    QCOMPARE(behind(1).english(), u"Rank 2.50 is one step behind."_s);
    QCOMPARE(joinedBySpaces(QList<Sentence>{failed(), behind(1)}).english(),
             u"rank 3 failed (50 %1) Rank 2.50 is one step behind."_s);
    QCOMPARE(again({failed(), {behind(1), behind(4)}}).text, failed());
    QCOMPARE(again({failed(), {behind(1), behind(4)}}).notes, (QList<Sentence>{behind(1), behind(4)}));
    QVERIFY(behind(1) != behind(4));
}

void SentenceTest::itIsReadInTheReadersLanguage()
{
    const QByteArray json = jsonTextOf(Told{failed(), {behind(1), behind(4)}});
    Brackets brackets;
    QCoreApplication::installTranslator(&brackets);
    const auto told = fromJsonText<Told>(json);
    QVERIFY(told);
    QCOMPARE(told->text.text(), u"<<rank 3> failed (50 %1)>"_s);
    QCOMPARE(told->text.english(), u"rank 3 failed (50 %1)"_s);
    QCOMPARE(textsOf(told->notes),
             (QStringList{u"1<Rank 2.50 is 1 steps behind.>"_s, u"4<Rank 2.50 is 4 steps behind.>"_s}));
    // A program that does not speak English writes it all the same.
    QCOMPARE(jsonTextOf(*told), json);
    QCoreApplication::removeTranslator(&brackets);
}

void SentenceTest::plainTextStays()
{
    const Sentence plain(u"ValueError: %1"_s);
    QVERIFY(plain.isPlain() && !failed().isPlain() && Sentence().isEmpty() && !failed().isEmpty());
    QCOMPARE(jsonTextOf(Told{plain, {}}), QByteArray(R"({"notes":[],"said":"","text":"ValueError: %1"})"));
    QCOMPARE(again({plain, {plain}}).text, plain);
    QCOMPARE(again({plain, {plain}}).notes, QList<Sentence>{plain});
    QCOMPARE(jsonTextOf(Told()), QByteArray(R"({"notes":[]})"));
    const auto louder = [](const QString &text) {
        return text + u'!';
    };
    QCOMPARE(failed().withPlain(louder).text(), u"rank 3! failed (50 %1!)"_s);
}

void SentenceTest::aListHasTheReadersSeparator()
{
    const Sentence names = Sentence::joined({Sentence(u"a"_s), Sentence(u"b"_s)}, nameComma());
    QCOMPARE(names.text(), u"a, b"_s);
    QCOMPARE(Sentence::joined({failed()}, nameComma()), failed());
    QVERIFY(Sentence::joined({}, nameComma()).isEmpty());
    Brackets brackets;
    QCoreApplication::installTranslator(&brackets);
    QCOMPARE(again({names, {}}).text.text(), u"a<, >b"_s);
    QCoreApplication::removeTranslator(&brackets);
}

void SentenceTest::ofAnEarlierVersion()
{
    const auto told = fromJsonText<Told>(R"({"text": "It ended.", "notes": ["One.", "Two."]})");
    QVERIFY(told);
    QCOMPARE(told->text, Sentence(u"earlier It ended."_s));
    QCOMPARE(textsOf(told->notes), (QStringList{u"One."_s, u"Two."_s}));
}

void SentenceTest::ofAStranger_data()
{
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<QString>("text");
    QTest::newRow("an unknown id") << QByteArray(R"(["New: %1.", "x"])") << u"New: x."_s;
    QTest::newRow("too few arguments") << QByteArray(R"(["New: %1 %2.", "x"])") << u"New: x %2."_s;
    QTest::newRow("no number") << QByteArray(R"(["%n\tone\tmany"])") << u"%n"_s;
    QTest::newRow("nothing") << QByteArray("[]") << u"earlier plain"_s;
    QTest::newRow("a number") << QByteArray("4") << u"earlier plain"_s;
    QTest::newRow("deep") << QByteArray(1000, '[').append(1000, ']').replace("[]", "[\"x\"]") << u"plain"_s;
}

void SentenceTest::ofAStranger()
{
    QFETCH(const QByteArray, said);
    const auto told = fromJsonText<Told>(R"({"notes": [], "text": "plain", "said": )" + said + '}');
    QVERIFY(told);
    QTEST(told->text.english(), "text");
}

} // namespace tst_sentence

RANKDECK_TEST(tst_sentence, SentenceTest)
#include "tst_sentence.moc"
