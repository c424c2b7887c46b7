#include "agent/channel/agentorders.h"
#include "agent/channel/agentprotocol.h"
#include "agent/channel/clocks.h"
#include "agent/channel/eventbacklog.h"
#include "agent/channel/headchannel.h"
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
    void onlyTheEndAfterASilenceIsWaitedThrough_data();
    void onlyTheEndAfterASilenceIsWaitedThrough();

private:
    /// So often the agent has said that it is alive, and was told at once that the head is, too.
    static bool hasSaidThatItLives(QProcess &agent, int times, bool isAnswered);

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

bool RejoinTest::hasSaidThatItLives(QProcess &agent, int times, bool isAnswered)
{
    ClockOffset clock;
    return QTest::qWaitFor(
        [&] {
            if (isAnswered)
                agent.write(orderLine(orders::Heartbeat()) + '\n');
            while (agent.canReadLine())
                times -= clock.note(agent.readLine().chopped(1)) ? 1 : 0;
            return times <= 0;
        },
        programLimitMs);
}

void RejoinTest::onlyTheEndAfterASilenceIsWaitedThrough_data()
{
    QTest::addColumn<bool>("isSilent");
    QTest::addColumn<bool>("saysMore");
    QTest::newRow("who dies closes it") << false << true;
    QTest::newRow("after a silence") << true << false;
    QTest::newRow("after what the silence kept back") << true << true;
}

void RejoinTest::onlyTheEndAfterASilenceIsWaitedThrough()
{
    QFETCH(bool, isSilent);
    QFETCH(bool, saysMore);
    QProcess agent;
    agent.start(buildPath("bin/rankdeckctl"), {u"agent"_s});
    orders::Gather gather;
    gather.silenceSeconds = 600;
    gather.rejoinId = u"0c2d"_s;
    agent.write(orderLine(gather) + '\n');
    // It says so every two seconds; a head that lives says something within five.
    QVERIFY(hasSaidThatItLives(agent, isSilent ? 5 : 2, !isSilent));
    if (saysMore)
        agent.write(orderLine(orders::Heartbeat()) + '\n');
    agent.closeWriteChannel();
    if (!isSilent) {
        QCOMPARE(outcomeOf(agent).code, 0);
        return;
    }
    QProcess relay;
    relay.start(buildPath("bin/rankdeckctl"), {u"agent"_s, u"--rejoin"_s, gather.rejoinId});
    QVERIFY(QTest::qWaitFor([&] { return relay.canReadLine(); }, programLimitMs));
    QCOMPARE(relay.readLine(), QByteArray(agentMagic) + '\n');
    // Over the new stream nothing was kept back.
    relay.write(orderLine(orders::Rejoin()) + '\n');
    relay.closeWriteChannel();
    QVERIFY(relay.waitForFinished(programLimitMs));
    QCOMPARE(outcomeOf(agent).code, 0);
}

} // namespace tst_rejoin

RANKDECK_TEST(tst_rejoin, RejoinTest)
#include "tst_rejoin.moc"
