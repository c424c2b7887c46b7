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
        const QString text = QStringLiteral("<%1>").arg(QString::fromUtf8(source));
        return n < 0 ? text : QString::number(n) + text;
    }
};

struct Told {
    Sentence text;
    QList<Sentence> notes;
};

QString earlierWords(const QString &english)
{
    return QStringLiteral("earlier ") + english;
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
    return Sentence::tr("%1 failed (%2)").arg(Sentence::tr("rank %1").arg(3), QStringLiteral("50 %1"));
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
    return read ? *read : Told{Sentence(QStringLiteral("unreadable")), {}};
}

void SentenceTest::englishIsWhatQStringMakes()
{
    QCOMPARE(failed().text(), QStringLiteral("rank 3 failed (50 %1)"));
    QCOMPARE(behind(4).text(), QStringLiteral("Rank 2.50 is 4 steps behind."));
    QCOMPARE(behind(1).english(), QStringLiteral("Rank 2.50 is one step behind."));
    QCOMPARE(joinedBySpaces(QList<Sentence>{failed(), behind(1)}).english(),
             QStringLiteral("rank 3 failed (50 %1) Rank 2.50 is one step behind."));
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
    QCOMPARE(told->text.text(), QStringLiteral("<<rank 3> failed (50 %1)>"));
    QCOMPARE(told->text.english(), QStringLiteral("rank 3 failed (50 %1)"));
    QCOMPARE(textsOf(told->notes), (QStringList{QStringLiteral("1<Rank 2.50 is 1 steps behind.>"),
                                                QStringLiteral("4<Rank 2.50 is 4 steps behind.>")}));
    // A program that does not speak English writes it all the same.
    QCOMPARE(jsonTextOf(*told), json);
    QCoreApplication::removeTranslator(&brackets);
}

void SentenceTest::plainTextStays()
{
    const Sentence plain(QStringLiteral("ValueError: %1"));
    QVERIFY(plain.isPlain() && !failed().isPlain() && Sentence().isEmpty() && !failed().isEmpty());
    QCOMPARE(jsonTextOf(Told{plain, {}}), QByteArray(R"({"notes":[],"said":"","text":"ValueError: %1"})"));
    QCOMPARE(again({plain, {plain}}).text, plain);
    QCOMPARE(again({plain, {plain}}).notes, QList<Sentence>{plain});
    QCOMPARE(jsonTextOf(Told()), QByteArray(R"({"notes":[]})"));
    const auto louder = [](const QString &text) {
        return text + u'!';
    };
    QCOMPARE(failed().withPlain(louder).text(), QStringLiteral("rank 3! failed (50 %1!)"));
}

void SentenceTest::aListHasTheReadersSeparator()
{
    const Sentence names =
        Sentence::joined({Sentence(QStringLiteral("a")), Sentence(QStringLiteral("b"))}, nameComma());
    QCOMPARE(names.text(), QStringLiteral("a, b"));
    QCOMPARE(Sentence::joined({failed()}, nameComma()), failed());
    QVERIFY(Sentence::joined({}, nameComma()).isEmpty());
    Brackets brackets;
    QCoreApplication::installTranslator(&brackets);
    QCOMPARE(again({names, {}}).text.text(), QStringLiteral("a<, >b"));
    QCoreApplication::removeTranslator(&brackets);
}

void SentenceTest::ofAnEarlierVersion()
{
    const auto told = fromJsonText<Told>(R"({"text": "It ended.", "notes": ["One.", "Two."]})");
    QVERIFY(told);
    QCOMPARE(told->text, Sentence(QStringLiteral("earlier It ended.")));
    QCOMPARE(textsOf(told->notes), (QStringList{QStringLiteral("One."), QStringLiteral("Two.")}));
}

void SentenceTest::ofAStranger_data()
{
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<QString>("text");
    QTest::newRow("an unknown id") << QByteArray(R"(["New: %1.", "x"])") << QStringLiteral("New: x.");
    QTest::newRow("too few arguments")
        << QByteArray(R"(["New: %1 %2.", "x"])") << QStringLiteral("New: x %2.");
    QTest::newRow("no number") << QByteArray(R"(["%n\tone\tmany"])") << QStringLiteral("%n");
    QTest::newRow("nothing") << QByteArray("[]") << QStringLiteral("earlier plain");
    QTest::newRow("a number") << QByteArray("4") << QStringLiteral("earlier plain");
    QTest::newRow("deep") << QByteArray(1000, '[').append(1000, ']').replace("[]", "[\"x\"]")
                          << QStringLiteral("plain");
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
