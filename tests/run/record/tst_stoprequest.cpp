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
    void whoseStacksAreAskedForIsALine();
    void aStartRoundTrips();
    void rangesMayOverlapAndStandInAnyOrder();
};

void StopRequestTest::requestsRoundTrip_data()
{
    QTest::addColumn<StopRequest>("request");
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("whole") << StopRequest{} << QByteArray("stop");
    QTest::newRow("whole, kill") << StopRequest{true, {}} << QByteArray("kill");
    QTest::newRow("one") << StopRequest{false, {3}} << QByteArray("stop 3");
    QTest::newRow("ranges") << StopRequest{true, {0, 1, 2, 5, 7, 8}} << QByteArray("kill 0-2,5,7-8");
}

void StopRequestTest::requestsRoundTrip()
{
    QFETCH(StopRequest, request);
    QFETCH(QByteArray, line);
    QCOMPARE(request.toLine(), line);
    QCOMPARE(StopRequest::fromLine(line), std::optional(request));
}

void StopRequestTest::whatIsNoRequestIsRefused_data()
{
    QTest::addColumn<QByteArray>("line");
    // A line that names processes must never be taken for one that names none.
    for (const char *line :
         {"", "stopp", "stop ", "kill  3", "stop -1", "stop 3-", "stop -3", "stop 5-3", "stop 1,", "stop +1",
          "stop 0-99999999", "stop 2147483647", "stop 99999999999", "stop 1-2-3", "news"})
        QTest::newRow(line) << QByteArray(line);
}

void StopRequestTest::whatIsNoRequestIsRefused()
{
    QFETCH(QByteArray, line);
    QVERIFY(!StopRequest::fromLine(line));
}

void StopRequestTest::whoseStacksAreAskedForIsALine()
{
    QCOMPARE(dumpLine({0, 1, 2, 5}), QByteArray("dump 0-2,5"));
    QCOMPARE(dumpFromLine("dump 0-2,5"), std::optional(QList<int>{0, 1, 2, 5}));
    for (const char *line : {"", "dump", "dump ", "dump x", "dumps 3", "stop 3", "dump 0-99999999"})
        QVERIFY2(!dumpFromLine(line), line);
    QVERIFY(!StopRequest::fromLine(dumpLine({3})));
}

void StopRequestTest::aStartRoundTrips()
{
    QCOMPARE(startLine({0, 1, 2, 5}), QByteArray("start 0-2,5"));
    QCOMPARE(startFromLine("start 0-2,5"), std::optional(QList<int>{0, 1, 2, 5}));
    for (const char *line : {"", "start", "start ", "start x", "starts 3", "stop 3", "start 0-99999999"})
        QVERIFY2(!startFromLine(line), line);
    QVERIFY(!StopRequest::fromLine(startLine({3})));
}

void StopRequestTest::rangesMayOverlapAndStandInAnyOrder()
{
    QCOMPARE(numbersFromRanges(QStringLiteral("7,0-2,1-3")), std::optional(QList<int>{0, 1, 2, 3, 7}));
}

} // namespace tst_stoprequest

RANKDECK_TEST(tst_stoprequest, StopRequestTest)
#include "tst_stoprequest.moc"
