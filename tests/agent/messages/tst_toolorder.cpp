#include "agent/channel/agentorders.h"
#include "agent/messages/processorders.h"
#include "run/record/runrequests.h"
#include "run/record/runstate.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_toolorder
{

using namespace rankdeck;

/// What becomes of a request for a debugger.
class ToolOrderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requestsRoundTrip();
    void aToolStandsInTheJournalAndInAnOrder();
    void whatKeepsAToolFromLookingIsSaid_data();
    void whatKeepsAToolFromLookingIsSaid();
    void capabilitiesAreRead();

private:
    static ProcessPlan tool(const QString &name)
    {
        ProcessPlan looked;
        looked.rank = Rank(3);
        looked.node = u"alpha"_s;
        looked.workDir = u"/"_s;
        return toolPlan(*toolKind(name), looked, 4711, u"/runs/a"_s, 2);
    }
};

void ToolOrderTest::requestsRoundTrip()
{
    const ToolRequest request{u"py-spy-top"_s, 3};
    QCOMPARE(toLine(request), QByteArray(R"({"do":"tool","process":3,"tool":"py-spy-top"})"));
    QCOMPARE(clientMessageFrom(toLine(request)), std::optional<ClientMessage>(request));
    for (const char *line :
         {"", "tool gdb 3", R"({"do":"tool"})", R"({"do":"tool","tool":"gdb"})",
          R"({"do":"tool","tool":"gdb","process":"x"})", R"({"do":"tool","tool":"gdb","process":-1})",
          R"({"do":"tool","tool":"rm","process":3})"})
        QVERIFY2(!clientMessageFrom(line), line);
}

void ToolOrderTest::aToolStandsInTheJournalAndInAnOrder()
{
    const ProcessPlan gdb = tool(u"gdb"_s);
    QCOMPARE(gdb.label(), u"gdb-rank-3-2"_s);
    QCOMPARE(gdb.logFile, u"/runs/a/tools/gdb-rank-3-2.log"_s);
    QCOMPARE(gdb.argv.mid(gdb.argv.size() - 2), (QStringList{u"-p"_s, u"4711"_s}));
    QCOMPARE(toolFromText(processText(gdb)), std::optional(gdb));
    for (const char *text : {"", "{}", "[]", "gdb"})
        QVERIFY2(!toolFromText(QLatin1String(text)), text);
    QByteArray line = orderLine(orders::AttachTool{8, 3, gdb});
    const auto read = orderFromLine(line);
    const auto *order = read ? std::get_if<orders::AttachTool>(&*read) : nullptr;
    QVERIFY(order);
    QCOMPARE(order->index, 8);
    QCOMPARE(order->process, 3);
    QCOMPARE(order->tool, gdb);
    QVERIFY(line.contains("[8,3]"));
    QVERIFY(!orderFromLine(line.replace("[8,3]", "[8]")));
}

void ToolOrderTest::whatKeepsAToolFromLookingIsSaid_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("scope");
    QTest::addColumn<bool>("mayTrace");
    QTest::addColumn<QString>("words");
    const QString path = u"/usr/bin:/bin"_s;
    const QString nowhere = u"/nowhere"_s;
    QTest::newRow("missing") << nowhere << 0 << true << u"sh is not installed on alpha"_s;
    QTest::newRow("no yama") << path << -1 << false << QString();
    QTest::newRow("scope 0") << path << 0 << false << QString();
    QTest::newRow("scope 1") << path << 1 << false << u"sysctl kernel.yama.ptrace_scope=0"_s;
    QTest::newRow("scope 1, root") << path << 1 << true << QString();
    QTest::newRow("scope 2") << path << 2 << false << u"ptrace_scope is 2 there"_s;
    QTest::newRow("scope 3, root") << path << 3 << true << u"ptrace_scope is 3 there"_s;
}

void ToolOrderTest::whatKeepsAToolFromLookingIsSaid()
{
    QFETCH(QString, path);
    QFETCH(int, scope);
    QFETCH(bool, mayTrace);
    QFETCH(QString, words);
    ProcessPlan process = tool(u"gdb"_s);
    process.argv.first() = u"sh"_s; // Which is everywhere.
    const QString said = toolObstacle(process, path, scope, mayTrace);
    QCOMPARE(said.isEmpty(), words.isEmpty());
    QVERIFY2(said.contains(words), qPrintable(said));
    const QString missing = toolObstacle(tool(u"gdb"_s), u"/nowhere"_s, 0, true);
    QCOMPARE(missing, u"gdb is not installed on alpha: apt install gdb."_s);
}

void ToolOrderTest::capabilitiesAreRead()
{
    QVERIFY(hasTracingCapability("Name:\tx\nCapEff:\t000001ffffffffff\nCapBnd:\t0\n"));
    QVERIFY(hasTracingCapability("Name:\tx\nCapEff:\t0000000000080000\n"));
    QVERIFY(!hasTracingCapability("Name:\tx\nCapEff:\t0000000000000000\nCapBnd:\t00080000\n"));
    QVERIFY(!hasTracingCapability(""));
}

} // namespace tst_toolorder

RANKDECK_TEST(tst_toolorder, ToolOrderTest)
#include "tst_toolorder.moc"
