#include "log/line/logfilter.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_logfilter
{

using namespace rankdeck;

namespace
{

LogPattern plain(const char *text)
{
    return {QString::fromUtf8(text), false, true, false};
}

LogPattern regex(const char *text)
{
    return {QString::fromUtf8(text), true, true, false};
}

LogPattern folded(LogPattern pattern)
{
    pattern.caseSensitive = false;
    return pattern;
}

LogPattern no(LogPattern pattern)
{
    pattern.isNegated = true;
    return pattern;
}

using Patterns = std::vector<std::vector<LogPattern>>;

} // namespace

class TestLogFilter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesAreChosenByPatterns_data();
    void linesAreChosenByPatterns();
    void linesAreChosenBySeverityAndTime();
    void aPatternThatIsNoneIsOneSentence_data();
    void aPatternThatIsNoneIsOneSentence();
    void aCatastrophicPatternTakesNoTime();
    void severitiesHaveNames();
    void timesAreGivenInWords_data();
    void timesAreGivenInWords();
};

void TestLogFilter::linesAreChosenByPatterns_data()
{
    QTest::addColumn<Patterns>("patterns");
    QTest::addColumn<QList<QByteArray>>("wanted");
    using Lines = QList<QByteArray>;
    QTest::newRow("none") << Patterns{}
                          << Lines{"loss 1.5", "Loss 2 nan", "\x1b[31mlo\x1b[0mss 3", "梯度 nan", "a.b"};
    QTest::newRow("plain") << Patterns{{plain("loss")}} << Lines{"loss 1.5", "\x1b[31mlo\x1b[0mss 3"};
    QTest::newRow("plain, no expression") << Patterns{{plain("a.b")}} << Lines{"a.b"};
    QTest::newRow("any case") << Patterns{{folded(plain("LOSS"))}}
                              << Lines{"loss 1.5", "Loss 2 nan", "\x1b[31mlo\x1b[0mss 3"};
    QTest::newRow("expression") << Patterns{{regex("loss \\d\\.")}} << Lines{"loss 1.5"};
    QTest::newRow("of no ASCII") << Patterns{{regex("^梯.\\s")}} << Lines{"梯度 nan"};
    QTest::newRow("or") << Patterns{{plain("1.5"), plain("nan")}}
                        << Lines{"loss 1.5", "Loss 2 nan", "梯度 nan"};
    QTest::newRow("and") << Patterns{{folded(plain("loss"))}, {plain("nan")}} << Lines{"Loss 2 nan"};
    QTest::newRow("not") << Patterns{{no(plain("nan"))}, {no(plain("a.b"))}}
                         << Lines{"loss 1.5", "\x1b[31mlo\x1b[0mss 3"};
    QTest::newRow("or not") << Patterns{{plain("2"), no(regex("s|n"))}} << Lines{"Loss 2 nan", "a.b"};
}

void TestLogFilter::linesAreChosenByPatterns()
{
    QFETCH(Patterns, patterns);
    const auto filter = LogFilter::create({patterns, LogSeverity::None, std::nullopt});
    QVERIFY(filter);
    QCOMPARE(filter->isEmpty(), patterns.empty());
    QVERIFY(!filter->needsHeads());
    QList<QByteArray> wanted;
    for (const char *line : {"loss 1.5", "Loss 2 nan", "\x1b[31mlo\x1b[0mss 3", "梯度 nan", "a.b"}) {
        if (filter->wants(line, {}))
            wanted << line;
    }
    QTEST(wanted, "wanted");
}

void TestLogFilter::linesAreChosenBySeverityAndTime()
{
    const auto filter = LogFilter::create({{{plain("x")}}, LogSeverity::Warning, LogTime(100)});
    QVERIFY(filter && filter->needsHeads());
    QVERIFY(filter->wants("x", {LogSeverity::Warning, LogTime(100)}));
    QVERIFY(filter->wants("x", {LogSeverity::Critical, LogTime(200)}));
    QVERIFY(!filter->wants("y", {LogSeverity::Critical, LogTime(200)}));
    QVERIFY(!filter->wants("x", {LogSeverity::Info, LogTime(200)}));
    QVERIFY(!filter->wants("x", {LogSeverity::None, LogTime(200)}));
    QVERIFY(!filter->wants("x", {LogSeverity::Error, LogTime(99)}));
    QVERIFY(!filter->wants("x", {LogSeverity::Error, std::nullopt}));
}

void TestLogFilter::aPatternThatIsNoneIsOneSentence_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("open") << u"rank("_s
                          << u"rank(: the pattern is not a regular expression: missing ): "
                             "rank(. See the syntax of RE2, or search for plain text."_s;
    QTest::newRow("empty") << QString() << u"the pattern is empty. Give the text to search for."_s;
}

void TestLogFilter::aPatternThatIsNoneIsOneSentence()
{
    QFETCH(QString, pattern);
    const auto filter = LogFilter::create({{{{pattern}}}, LogSeverity::None, std::nullopt});
    QVERIFY(!filter);
    QTEST(filter.error().sentence(), "sentence");
}

void TestLogFilter::aCatastrophicPatternTakesNoTime()
{
    const auto filter = LogFilter::create({{{regex("(a*)*(a|aa)*b$")}}, LogSeverity::None, std::nullopt});
    QVERIFY(filter);
    QVERIFY(!filter->wants(QByteArray(100000, 'a'), {})); // Never ends where it is tried step by step.
}

void TestLogFilter::severitiesHaveNames()
{
    QCOMPARE(*severityNamed(u"WARN"_s), LogSeverity::Warning);
    QCOMPARE(*severityNamed(u"error"_s), LogSeverity::Error);
    QCOMPARE(severityNamed(u"bad"_s).error().what, u"\"bad\" is not a severity"_s);
}

void TestLogFilter::timesAreGivenInWords_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("meant");
    const auto row = [](const char *text, const char *meant) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(meant);
    };
    row("2024-12-26 14:22:26", "2024-12-26T14:22:26");
    row("2024-12-26 14:22:26.500", "2024-12-26T14:22:26.500");
    row("2024-12-26T14:22", "2024-12-26T14:22:00");
    row("2024-12-26", "2024-12-26T00:00:00");
    row("14:22", "2025-03-10T14:22:00");
    row("90s", "2025-03-10T11:58:30");
    row("10m", "2025-03-10T11:50:00");
    row("2h", "2025-03-10T10:00:00");
    row("1d", "2025-03-09T12:00:00");
    row("soon", "");
    row("", "");
    row("-5m", "");
    row("2024-13-26 14:22", "");
    row("x 14:22", "");
}

void TestLogFilter::timesAreGivenInWords()
{
    QFETCH(QString, text);
    QFETCH(QString, meant);
    const auto time = timeGiven(text, QDateTime(QDate(2025, 3, 10), QTime(12, 0)));
    QCOMPARE(bool(time), !meant.isEmpty());
    if (time)
        QCOMPARE(*time, logTimeOf(QDateTime::fromString(meant, Qt::ISODateWithMs)));
}

} // namespace tst_logfilter

RANKDECK_TEST(tst_logfilter, TestLogFilter)
#include "tst_logfilter.moc"
