#include "run/record/runrequests.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_terminalinput
{

using namespace rankdeck;

class TerminalInputTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void inputRoundTrips_data();
    void inputRoundTrips();
    void noLineHoldsMoreThanItMay();
    void whatIsNoInputIsRefused_data();
    void whatIsNoInputIsRefused();
};

void TerminalInputTest::inputRoundTrips_data()
{
    QTest::addColumn<TerminalInput>("input");
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("a command") << TerminalInput{{3}, "where\r", {}}
                               << QByteArray(R"({"bytes":"d2hlcmUN","do":"type","processes":"3"})");
    QTest::newRow("any bytes") << TerminalInput{{0, 1, 2, 7}, QByteArray("\x00\xff\n\x03", 4), {}}
                               << QByteArray(R"({"bytes":"AP8KAw==","do":"type","processes":"0-2,7"})");
    QTest::newRow("a size") << TerminalInput{{3}, {}, TerminalSize{50, 132}}
                            << QByteArray(
                                   R"({"do":"type","processes":"3","size":{"columns":132,"rows":50}})");
}

void TerminalInputTest::inputRoundTrips()
{
    QFETCH(TerminalInput, input);
    QFETCH(QByteArray, line);
    QCOMPARE(toLine(input), line);
    QCOMPARE(clientMessageFrom(line), std::optional(ClientMessage(input)));
}

void TerminalInputTest::noLineHoldsMoreThanItMay()
{
    const TerminalInput much{{0}, QByteArray(5000, 'x'), {}};
    const auto read = clientMessageFrom(toLine(much));
    QVERIFY(read);
    QCOMPARE(std::get<TerminalInput>(*read).bytes.size(), TerminalInput::mostBytes);
}

void TerminalInputTest::whatIsNoInputIsRefused_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line :
         {R"({"do":"type"})", R"({"do":"type","processes":"x","bytes":"AA=="})",
          R"({"do":"type","processes":"3","bytes":"A$=="})", R"({"do":"type","processes":"3","bytes":7})",
          R"({"do":"type","processes":"3","size":{"rows":50}})",
          R"({"do":"type","processes":"3","size":{"rows":0,"columns":80}})",
          R"({"do":"type","processes":"3","size":{"rows":24,"columns":65536}})",
          R"({"do":"type","processes":"3","size":{"rows":-1,"columns":80}})",
          R"({"do":"type","processes":"3","size":"24x80"})"})
        QTest::newRow(line) << QByteArray(line);
}

void TerminalInputTest::whatIsNoInputIsRefused()
{
    QFETCH(QByteArray, line);
    QVERIFY(!clientMessageFrom(line));
}

} // namespace tst_terminalinput

RANKDECK_TEST(tst_terminalinput, TerminalInputTest)
#include "tst_terminalinput.moc"
