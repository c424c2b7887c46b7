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
    QTest::newRow("a command") << TerminalInput{{3}, "where\r", {}} << QByteArray("type 3 d2hlcmUN");
    QTest::newRow("any bytes") << TerminalInput{{0, 1, 2, 7}, QByteArray("\x00\xff\n\x03", 4), {}}
                               << QByteArray("type 0-2,7 AP8KAw==");
    QTest::newRow("a size") << TerminalInput{{3}, {}, TerminalSize{50, 132}} << QByteArray("size 3 50x132");
}

void TerminalInputTest::inputRoundTrips()
{
    QFETCH(TerminalInput, input);
    QFETCH(QByteArray, line);
    QCOMPARE(input.toLine(), line);
    QCOMPARE(TerminalInput::fromLine(line), std::optional(input));
}

void TerminalInputTest::noLineHoldsMoreThanItMay()
{
    const TerminalInput much{{0}, QByteArray(5000, 'x'), {}};
    const auto read = TerminalInput::fromLine(much.toLine());
    QVERIFY(read);
    QCOMPARE(read->bytes.size(), TerminalInput::mostBytes);
}

void TerminalInputTest::whatIsNoInputIsRefused_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line :
         {"", "type", "type 3", "type x AA==", "type 3 A$==", "type 3 AA== AA==", "size 3 50", "size 3 0x80",
          "size 3 24x65536", "size 3 -1x80", "size 3 24x80x2", "size 3 x", "stop 3"})
        QTest::newRow(line) << QByteArray(line);
}

void TerminalInputTest::whatIsNoInputIsRefused()
{
    QFETCH(QByteArray, line);
    QVERIFY(!TerminalInput::fromLine(line));
}

} // namespace tst_terminalinput

RANKDECK_TEST(tst_terminalinput, TerminalInputTest)
#include "tst_terminalinput.moc"
