#include "agent/channel/agentorders.h"
#include "agent/channel/agentprotocol.h"
#include "agent/channel/clocks.h"
#include "agent/channel/eventbacklog.h"
#include "agent/channel/headchannel.h"
#include "agent/head/goodbye.h"
#include "agent/messages/nodereplies.h"
#include "run/record/runevent.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <QSignalSpy>

#include <fcntl.h>
#include <unistd.h>

namespace tst_rejoin
{

using namespace rankdeck;

/// What leads a head back to an agent that it has lost the stream to, and what is told again then.
class RejoinTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eventsAreKeptUntilTheyHaveArrived();
    void aNumberIsReadFromAnEventsLineAlone_data();
    void aNumberIsReadFromAnEventsLineAlone();
    void theHeadTalksToTheAgentThatWaits();
    void nobodyWaitsUnderThatName_data();
    void nobodyWaitsUnderThatName();
    void theEndOfTheStreamIsGoodbyeWhereNothingLeadsBack();
    void anAgentWaitsForItsHeadUntilThatSaysGoodbye();
    void aHeadThatHasDiedSaysGoodbyeByAnother();

private:
    /// An agent whose head comes back by `id`, if any.
    static void start(QProcess &agent, const QString &id);

    TestHome m_home;
};

void RejoinTest::eventsAreKeptUntilTheyHaveArrived()
{
    EventBacklog backlog;
    const auto add = [&](const QString &text) {
        return backlog.add(RunEvent::now(events::Note{Sentence(text)}).toLine());
    };
    const QByteArray first = add(u"first"_s);
    const QByteArray second = add(u"second"_s);
    QCOMPARE(EventBacklog::numberIn(first), std::optional<qint64>(1));
    QCOMPARE(EventBacklog::numberIn(second), std::optional<qint64>(2));
    const auto read = RunEvent::fromLine(second);
    QVERIFY(read);
    QCOMPARE(read->text(), u"second"_s);

    backlog.acknowledge(3); // It was never given.
    QCOMPARE(backlog.lines(), (std::deque{first, second}));
    backlog.acknowledge(1);
    backlog.acknowledge(-1);
    QCOMPARE(backlog.lines(), std::deque{second});
    QCOMPARE(EventBacklog::numberIn(add(u"third"_s)), std::optional<qint64>(3));
    backlog.acknowledge(3);
    QVERIFY(backlog.isEmpty());
}

void RejoinTest::aNumberIsReadFromAnEventsLineAlone_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("none") << QByteArray(R"({"event":"note"})");
    QTest::newRow("elsewhere") << QByteArray(R"({"event":"note","n":3})");
    QTest::newRow("zero") << QByteArray(R"({"n":0,"event":"note"})");
    QTest::newRow("negative") << QByteArray(R"({"n":-2,"event":"note"})");
    QTest::newRow("no end") << QByteArray(R"({"n":2)");
    QTest::newRow("too large") << QByteArray(R"({"n":99999999999999999999,"event":"note"})");
}

void RejoinTest::aNumberIsReadFromAnEventsLineAlone()
{
    QFETCH(QByteArray, line);
    QVERIFY(!EventBacklog::numberIn(line));
}

void RejoinTest::theHeadTalksToTheAgentThatWaits()
{
    RejoinSocket socket;
    QVERIFY(socket.listenFor(u"0a1b"_s));
    QSignalSpy joined(&socket, &RejoinSocket::joined);
    QProcess relay;
    relay.start(buildPath("bin/rankdeckctl"), {u"agent"_s, u"--rejoin"_s, u"0a1b"_s});
    relay.write(QByteArray("to the\0agent\n", 14));
    QVERIFY(QTest::qWaitFor([&] { return joined.count() == 1; }, programLimitMs));
    const int agent = joined.first().first().toInt();
    fcntl(agent, F_SETFL, O_NONBLOCK);
    QByteArray heard(14, '\0');
    QVERIFY(QTest::qWaitFor([&] { return ::read(agent, heard.data(), 14) == 14; }, programLimitMs));
    QCOMPARE(heard, QByteArray("to the\0agent\n", 14));
    // What an agent has said before it ended is still carried over.
    const QByteArray much(100'000, '\xff');
    QCOMPARE(::write(agent, much.constData(), static_cast<size_t>(much.size())), ssize_t(much.size()));
    ::close(agent);
    const Outcome outcome = outcomeOf(relay);
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.out, much);
}

void RejoinTest::nobodyWaitsUnderThatName_data()
{
    QTest::addColumn<QString>("id");
    QTest::newRow("nobody") << "0a1b2c";
    QTest::newRow("a path") << "../0a1b";
    QTest::newRow("nothing") << "";
    QTest::newRow("too long") << QString(2000, 'a'_L1);
}

void RejoinTest::nobodyWaitsUnderThatName()
{
    QFETCH(QString, id);
    const Outcome outcome = ctl({u"agent"_s, u"--rejoin"_s, id});
    QCOMPARE(outcome.code, 1);
    QCOMPARE(outcome.out, QByteArray(noAgentLine) + '\n');
    QVERIFY(!RejoinSocket().listenFor(id) || id == "0a1b2c"_L1);
}

void RejoinTest::start(QProcess &agent, const QString &id)
{
    agent.start(buildPath("bin/rankdeckctl"), {u"agent"_s});
    orders::Gather gather;
    gather.silenceSeconds = 600;
    gather.rejoinId = id;
    agent.write(orderLine(gather) + '\n');
    // Its answer shows that it has read the order.
    bool hasAnswered = false;
    QVERIFY(QTest::qWaitFor(
        [&] {
            while (!hasAnswered && agent.canReadLine())
                hasAnswered = GatheredFacts::fromLine(agent.readLine().chopped(1)).has_value();
            return hasAnswered;
        },
        programLimitMs));
}

void RejoinTest::theEndOfTheStreamIsGoodbyeWhereNothingLeadsBack()
{
    QProcess agent;
    start(agent, {});
    agent.closeWriteChannel();
    QCOMPARE(outcomeOf(agent).code, 0);
}

void RejoinTest::anAgentWaitsForItsHeadUntilThatSaysGoodbye()
{
    QProcess agent;
    start(agent, u"0c2d"_s);
    agent.closeWriteChannel();
    for (const bool isLast : {false, true}) {
        QProcess relay;
        relay.start(buildPath("bin/rankdeckctl"), {u"agent"_s, u"--rejoin"_s, u"0c2d"_s});
        QVERIFY(QTest::qWaitFor([&] { return relay.canReadLine(); }, programLimitMs));
        QCOMPARE(relay.readLine(), QByteArray(agentMagic) + '\n');
        relay.write(orderLine(orders::Rejoin()) + '\n');
        if (isLast)
            relay.write(orderLine(orders::Goodbye()) + '\n');
        relay.closeWriteChannel();
        QVERIFY(relay.waitForFinished(programLimitMs));
    }
    QCOMPARE(outcomeOf(agent).code, 0);
}

void RejoinTest::aHeadThatHasDiedSaysGoodbyeByAnother()
{
    QProcess agent;
    start(agent, u"0e3f"_s);
    agent.closeWriteChannel();
    // The first streams come to nothing.
    QStringList programs{u"/bin/false"_s, u"/bin/true"_s};
    Goodbye goodbye([&] {
        const QString program = programs.isEmpty() ? buildPath("bin/rankdeckctl") : programs.takeFirst();
        NodeOptions options;
        options.transportCommand = u"env"_s;
        return makeRejoinTransport(TransportKind::Command, u"alpha"_s, options, program, u"0e3f"_s);
    });
    QSignalSpy done(&goodbye, &Goodbye::done);
    goodbye.start();
    QVERIFY(QTest::qWaitFor([&] { return done.count() == 1; }, programLimitMs));
    QCOMPARE(outcomeOf(agent).code, 0);
    QVERIFY(programs.isEmpty() && goodbye.isDone());
    // Where no agent waits, there is nobody to wait for.
    goodbye.start();
    QVERIFY(QTest::qWaitFor([&] { return done.count() == 2; }, programLimitMs));
}

} // namespace tst_rejoin

RANKDECK_TEST(tst_rejoin, RejoinTest)
#include "tst_rejoin.moc"
