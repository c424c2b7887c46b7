#include "agent/channel/agentorders.h"
#include "agent/channel/agentprotocol.h"
#include "agent/channel/frames.h"
#include "agent/channel/linechannel.h"
#include "agent/head/agentlink.h"
#include "support/testmain.h"

#include <QSignalSpy>
#include <QTest>

#include <array>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

namespace tst_agentprotocol
{

using namespace rankdeck;

namespace
{

/// What an agent says is given by the test; what it is told is kept.
class ScriptedTransport : public AgentTransport
{
public:
    void start() override {}
    void write(const QByteArray &bytes) override { written += bytes; }
    void abort() override { aborted = true; }
    qint64 localPid() const override { return 0; }
    void say(const QByteArray &bytes) { Q_EMIT received(bytes); }

    QByteArray written;
    bool aborted = false;
};

} // namespace

class AgentProtocolTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ordersRoundTrip();
    void whatIsNoOrderIsRefused();
    void chatterBeforeTheMagicLineIsPassedOver();
    void eventsArriveWholeHoweverTheStreamIsCut();
    void aLineWithoutEndCutsTheLink();
    void aChannelKeepsWhatTheOtherEndDoesNotTake();
    void aBurstArrivesWholeAndInOrder();
    void aChannelTellsItsEndOnce();
};

/// Reads what is written of an order.
template <typename Order>
static std::optional<Order> again(const Order &order)
{
    const auto read = orderFromLine(orderLine(order));
    const auto *kind = read ? std::get_if<Order>(&*read) : nullptr;
    return kind ? std::optional(*kind) : std::nullopt;
}

void AgentProtocolTest::ordersRoundTrip()
{
    orders::Start start;
    start.node = u"n"_s;
    start.plan.launcher = u"davincirun"_s;
    start.plan.rankTable.status = u"completed"_s;
    start.plan.processes.resize(3);
    const auto started = again(start);
    QVERIFY(started);
    QCOMPARE(started->node, start.node);
    QCOMPARE(started->plan, start.plan);
    QVERIFY(again(orders::Describe()) && again(orders::TearDown()) && again(orders::Stop()) &&
            again(orders::Kill()));
    QCOMPARE(again(orders::StopProcesses{{3, 5}}).value().processes, (QList<int>{3, 5}));
    QCOMPARE(again(orders::KillProcesses{{3, 5}}).value().processes, (QList<int>{3, 5}));
    const auto sampled = again(orders::Sample{{3}, 2000});
    QVERIFY(sampled);
    QCOMPARE(sampled->intervalMs, 2000);
    QCOMPARE(sampled->processes, QList<int>{3});
    const TerminalInput typed{{3, 5}, QByteArray("\x03\0", 2), {}};
    QCOMPARE(again(typed), std::optional(typed));
    const auto dumped = again(orders::DumpStacks{{3, 5}, 10, true});
    QVERIFY(dumped && dumped->isUrgent);
    QCOMPARE(dumped->processes, (QList<int>{3, 5}));
    QCOMPARE(dumped->dumpSignal, 10);
    const auto recorded = again(orders::DumpRecorders{true, 4});
    QVERIFY(recorded && recorded->sendsDumps);
    QCOMPARE(recorded->seconds, 4);
    const auto checked = again(orders::CheckNode{
        .imports = {u"torch"_s}, .language = u"zh_CN"_s, .tableIps = {{3, u"10.0.0.3"_s}}, .seconds = 7});
    QVERIFY(checked);
    QCOMPARE(checked->imports, QStringList{u"torch"_s});
    QCOMPARE(checked->tableIps.value(3), u"10.0.0.3"_s);
    const auto prepared = again(orders::Prepare{.node = u"n"_s, .probes = {{u"/a"_s, u"b"_s}}});
    QVERIFY(prepared);
    QCOMPARE(prepared->probes, (QList<FolderProbe>{{u"/a"_s, u"b"_s}}));
    const auto told = again(orders::TellRank{3, "a line"});
    QVERIFY(told && told->rank == 3 && told->line == "a line");
    const DumpPiece piece{u"hccl_trace_rank_0"_s, true, QByteArray("\x80\x02\0\n", 4)};
    QCOMPARE(DumpPiece::fromBytes(piece.toBytes()), std::optional(piece));
    for (const char *bad : {"", "name", "/etc/passwd\nx", "../x\nx", ".hidden\nx", "a b\nx", "\nx"})
        QVERIFY2(!DumpPiece::fromBytes(QByteArrayView(bad)), bad);
    const SignalRequest signal{12, {3, 5}};
    QCOMPARE(again(signal), std::optional(signal));
    QCOMPARE(orderLine(orders::Heartbeat()), QByteArray(heartbeatLine));
    QCOMPARE(again(orders::Heartbeat{17}).value().heard, 17);
    QCOMPARE(again(orders::Rejoin{17}).value().heard, 17);
}

void AgentProtocolTest::whatIsNoOrderIsRefused()
{
    for (const char *line :
         {"", "x", "[]", R"({"do": "dance"})", R"({"do": "start"})", R"({"do": 7})",
          R"({"do": "start", "node": 1, "plan": {}})", R"({"do": "start", "node": "n", "plan": {}})",
          R"({"do": "kill-processes"})", R"({"do": "rejoin"})", R"({"do": "type", "input": "stop"})",
          R"({"do": "type"})", R"({"do": "signal", "processes": "1"})",
          R"({"do": "signal", "processes": "1", "signal": 11})",
          R"({"do": "stop-processes", "processes": ["x"]})"})
        QVERIFY2(!orderFromLine(line), line);
}

void AgentProtocolTest::chatterBeforeTheMagicLineIsPassedOver()
{
    auto owned = std::make_unique<ScriptedTransport>();
    ScriptedTransport *transport = owned.get();
    AgentLink link(std::move(owned), u"n"_s);
    QSignalSpy ready(&link, &AgentLink::ready);
    QSignalSpy events(&link, &AgentLink::happened);
    const QByteArray event = RunEvent::now(events::Note()).toLine() + '\n';
    transport->say("Welcome to node n!\n" + event);
    QCOMPARE(ready.size(), 0);
    QCOMPARE(events.size(), 0);
    transport->say(QByteArray(agentMagic) + '\n' + event);
    QCOMPARE(ready.size(), 1);
    QCOMPARE(events.size(), 1);
}

void AgentProtocolTest::eventsArriveWholeHoweverTheStreamIsCut()
{
    auto owned = std::make_unique<ScriptedTransport>();
    ScriptedTransport *transport = owned.get();
    AgentLink link(std::move(owned), u"n"_s);
    QSignalSpy events(&link, &AgentLink::happened);
    const RunEvent note = RunEvent::now(events::Note{Sentence(u"中文"_s)});
    const QByteArray stream = QByteArray(agentMagic) + '\n' + note.toLine() + '\n' + heartbeatLine + '\n' +
                              RunEvent::now(events::NodeDone()).toLine() + '\n';
    for (const char byte : stream)
        transport->say(QByteArray(1, byte));
    QCOMPARE(events.size(), 2);
    QCOMPARE(events.first().first().value<RunEvent>().text(), note.text());
    QVERIFY(link.isDone());
}

void AgentProtocolTest::aLineWithoutEndCutsTheLink()
{
    auto owned = std::make_unique<ScriptedTransport>();
    ScriptedTransport *transport = owned.get();
    AgentLink link(std::move(owned), u"n"_s);
    transport->say(QByteArray(2 * 1024 * 1024, 'x'));
    QVERIFY(transport->aborted);
}

void AgentProtocolTest::aChannelKeepsWhatTheOtherEndDoesNotTake()
{
    std::array<int, 2> toUs{};
    std::array<int, 2> fromUs{};
    QVERIFY(pipe2(toUs.data(), O_CLOEXEC) == 0 && pipe2(fromUs.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    LineChannel channel(toUs[0], fromUs[1]);
    const QByteArray line(100000, 'x'); // More than a pipe holds.
    for (int count = 0; count < 5; ++count)
        channel.send(line);
    qsizetype taken = 0;
    QByteArray buffer(65536, '\0');
    const auto takeMore = [&] {
        taken += std::max<ssize_t>(0, read(fromUs[0], buffer.data(), static_cast<size_t>(buffer.size())));
        return taken == 5 * 100001;
    };
    QTRY_VERIFY(takeMore());
    for (const int end : {toUs[0], toUs[1], fromUs[0], fromUs[1]})
        close(end);
}

void AgentProtocolTest::aBurstArrivesWholeAndInOrder()
{
    std::array<int, 2> toUs{};
    std::array<int, 2> fromUs{};
    QVERIFY(pipe2(toUs.data(), O_CLOEXEC) == 0 && pipe2(fromUs.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    LineChannel channel(toUs[0], fromUs[1]);
    QByteArray taken;
    const auto takeMore = [&] {
        QByteArray buffer(1024, '\0');
        const auto size = read(fromUs[0], buffer.data(), static_cast<size_t>(buffer.size()));
        taken += buffer.left(std::max<ssize_t>(0, size));
        return taken;
    };
    for (const char *line : {"one", "two", "three"})
        channel.send(line);
    QTRY_COMPARE(takeMore(), QByteArray("one\ntwo\nthree\n"));
    for (const char *line : {"four", "five"})
        channel.send(line);
    channel.flush(); // Needs no event loop.
    QCOMPARE(takeMore(), QByteArray("one\ntwo\nthree\nfour\nfive\n"));
    for (const int end : {toUs[0], toUs[1], fromUs[0], fromUs[1]})
        close(end);
}

void AgentProtocolTest::aChannelTellsItsEndOnce()
{
    std::array<int, 2> toUs{};
    std::array<int, 2> fromUs{};
    QVERIFY(pipe2(toUs.data(), O_CLOEXEC) == 0 && pipe2(fromUs.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    LineChannel channel(toUs[0], fromUs[1]);
    QSignalSpy lines(&channel, &LineChannel::received);
    QSignalSpy closed(&channel, &LineChannel::closed);
    QCOMPARE(write(toUs[1], "one\ntwo\nhalf", 12), 12);
    close(toUs[1]);
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(lines.size(), 2);
    close(fromUs[0]);
    channel.send("to nobody");
    QCOMPARE(closed.size(), 1);
    for (const int end : {toUs[0], fromUs[1]})
        close(end);
}

} // namespace tst_agentprotocol

RANKDECK_TEST(tst_agentprotocol, AgentProtocolTest)
#include "tst_agentprotocol.moc"
