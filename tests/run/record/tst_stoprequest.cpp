#include "base/numberranges.h"
#include "run/record/runrequests.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_stoprequest
{

using namespace rankdeck;

class StopRequestTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requestsRoundTrip_data();
    void requestsRoundTrip();
    void whatIsNoRequestIsRefused_data();
    void whatIsNoRequestIsRefused();
    void rangesMayOverlapAndStandInAnyOrder();
};

void StopRequestTest::requestsRoundTrip_data()
{
    QTest::addColumn<ClientMessage>("message");
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char *name, const ClientMessage &message, const char *line) {
        QTest::newRow(name) << message << QByteArray(line);
    };
    row("whole", StopRequest{}, R"({"do":"stop","kill":false,"processes":"all"})");
    row("whole, kill", StopRequest{true, {}}, R"({"do":"stop","kill":true,"processes":"all"})");
    row("one", StopRequest{false, {3}}, R"({"do":"stop","kill":false,"processes":"3"})");
    row("ranges", StopRequest{true, {0, 1, 2, 5, 7, 8}},
        R"({"do":"stop","kill":true,"processes":"0-2,5,7-8"})");
    row("stacks", DumpRequest{{0, 1, 2, 5}}, R"({"do":"dump","processes":"0-2,5"})");
    row("start", StartRequest{{3}}, R"({"do":"start","processes":"3"})");
    row("tool", ToolRequest{u"gdb"_s, 3}, R"({"do":"tool","process":3,"tool":"gdb"})");
    row("keyboard", KeyboardRequest{u"a \"window\""_s, true},
        R"({"do":"keyboard","name":"a \"window\"","take":true})");
    row("logs", ShownLogs{{0, 1}}, R"({"do":"show","processes":"0-1"})");
    row("no logs", ShownLogs{}, R"({"do":"show","processes":"none"})");
}

void StopRequestTest::requestsRoundTrip()
{
    QFETCH(ClientMessage, message);
    QFETCH(QByteArray, line);
    QCOMPARE(toLine(message), line);
    QCOMPARE(clientMessageFrom(line), std::optional(message));
}

void StopRequestTest::whatIsNoRequestIsRefused_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line :
         {"", "stop", "news", "[]", "7", R"({"do":7})", R"({"do":"stopp","kill":false,"processes":"3"})",
          R"({"do":"stop","processes":"3"})", R"({"do":"tool","process":-1,"tool":"gdb"})",
          R"({"do":"tool","process":1,"tool":"rm"})", R"({"do":"keyboard","name":7,"take":true})"})
        QTest::newRow(line) << QByteArray(line);
    // A line that names processes must never be taken for one that names none, nor one that lost them.
    for (const char *word : {"stop", "dump", "start", "show"}) {
        const QByteArray begin = QByteArray(R"({"kill":false,"do":")") + word + '"';
        QTest::addRow("%s without processes", word) << begin + '}';
        for (const char *ranges : {"", "x", " 3", "-1", "3-", "-3", "5-3", "1,", "+1", "0-99999999",
                                   "2147483647", "99999999999", "1-2-3", "All"})
            QTest::addRow("%s \"%s\"", word, ranges) << begin + R"(,"processes":")" + ranges + "\"}";
    }
    for (const char *word : {"dump", "start"}) {
        for (const char *none : {"all", "none"})
            QTest::addRow("%s %s", word, none)
                << QByteArray(R"({"do":")") + word + R"(","processes":")" + none + "\"}";
    }
}

void StopRequestTest::whatIsNoRequestIsRefused()
{
    QFETCH(QByteArray, line);
    QVERIFY(!clientMessageFrom(line));
}

void StopRequestTest::rangesMayOverlapAndStandInAnyOrder()
{
    QCOMPARE(numbersFromRanges(u"7,0-2,1-3"_s), std::optional(QList<int>{0, 1, 2, 3, 7}));
}

} // namespace tst_stoprequest

RANKDECK_TEST(tst_stoprequest, StopRequestTest)
#include "tst_stoprequest.moc"
