#include "base/times.h"
#include "run/control/peer.h"
#include "run/control/runserver.h"
#include "support/otheruser.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QLocalSocket>
#include <QSignalSpy>
#include <QTest>

#include <memory>
#include <vector>

#include <sys/stat.h>

namespace tst_runserver
{

using namespace rankdeck;

class RunServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theSocketIsTheUsersAlone();
    void aClientIsGreetedAndTold();
    void aClientMayAskForAStopOrAKill();
    void whatIsWantedOfSamplesIsKnown();
    void samplesGoToThoseThatWantThem();
    void whatHappensBehindASampleIsTold();
    void aClientThatIsTooSlowGetsTheNewestSamples();
    void whatAnyClientShowsIsKnown();
    void oneClientAtATimeHasTheKeyboard();
    void theKeyboardOfOneThatGoesIsFree();
    void aClientsNameIsOnePlainLine();
    void anUnknownWordIsPassedOver();
    void aClientThatTalksWithoutEndIsCutOff();
    void aClientThatDoesNotReadCostsNothing();
    void aClientOfAnotherVersionIsToldAndNotObeyed_data();
    void aClientOfAnotherVersionIsToldAndNotObeyed();
    void moreClientsThanAnybodyNeedsAreRefused();
    void anotherUserIsRefusedWhateverThePermissions();

private:
    void connectTo(QLocalSocket &socket) const
    {
        socket.connectToServer(m_path);
        QVERIFY(socket.waitForConnected());
    }
    void greet(QLocalSocket &socket) const
    {
        connectTo(socket);
        socket.write(QByteArray(runProtocol) + '\n');
    }
    /// Resident memory of this process, bytes.
    static qint64 memory()
    {
        QFile file(u"/proc/self/statm"_s);
        return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').at(1).toLongLong() * 4096 : 0;
    }

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<RunServer> m_server;
    QString m_path;
};

void RunServerTest::init()
{
    m_server.reset();
    m_home = std::make_unique<TestHome>();
    m_path = m_home->path("s");
    m_server = std::make_unique<RunServer>();
    QVERIFY2(m_server->listen(m_path), qPrintable(m_server->errorString()));
}

void RunServerTest::theSocketIsTheUsersAlone()
{
    struct stat info {
    };
    QCOMPARE(stat(QFile::encodeName(m_path).constData(), &info), 0);
    QCOMPARE(info.st_mode & 0077U, 0U);
}

void RunServerTest::aClientIsGreetedAndTold()
{
    QLocalSocket socket;
    connectTo(socket);
    QByteArray received;
    connect(&socket, &QLocalSocket::readyRead, this, [&] { received += socket.readAll(); });
    const QByteArray greeting = QByteArray(runProtocol) + "\nnews\n";
    QTRY_COMPARE(received, greeting);
    m_server->notify();
    QTRY_COMPARE(received, greeting + "news\n");
    QVERIFY(isSameUser(socket.socketDescriptor()));
}

void RunServerTest::aClientMayAskForAStopOrAKill()
{
    QSignalSpy stops(m_server.get(), &RunServer::requested);
    QLocalSocket socket;
    greet(socket);
    // In two pieces: a stream keeps no borders.
    socket.write("{\"do\": \"sto");
    socket.flush();
    socket.write("p\", \"kill\": false, \"processes\": \"all\"}\n");
    socket.write(toLine(StopRequest{true, {}}) + '\n' + toLine(StopRequest{true, {3}}) + '\n');
    socket.flush();
    QTRY_COMPARE(stops.size(), 3);
    QCOMPARE(stops[0].first().value<Request>(), Request(StopRequest{}));
    QCOMPARE(stops[1].first().value<Request>(), Request(StopRequest{true, {}}));
    QCOMPARE(stops[2].first().value<Request>(), Request(StopRequest{true, {3}}));
}

void RunServerTest::whatIsWantedOfSamplesIsKnown()
{
    QSignalSpy changes(m_server.get(), &RunServer::wishChanged);
    QLocalSocket one;
    greet(one);
    QLocalSocket other;
    greet(other);
    one.write(toLine(SampleWish{true, 3}) + '\n');
    one.flush();
    QTRY_COMPARE(m_server->wish(), (SampleWish{true, 3}));
    other.write(toLine(SampleWish{true, -1}) + '\n');
    other.flush();
    QTRY_COMPARE(m_server->wish(), (SampleWish{true, -1}));
    one.write(toLine(SampleWish{true, 4}) + '\n');
    one.flush();
    QTRY_COMPARE(m_server->wish(), (SampleWish{true, 4}));
    QCOMPARE(changes.size(), 3);
    // What a client wants goes with it.
    one.abort();
    QTRY_COMPARE(m_server->wish(), (SampleWish{true, -1}));
    other.write(R"({"do": "sample", "wanted": 1})" + ('\n' + toLine(SampleWish()) + '\n'));
    other.flush();
    QTRY_COMPARE(m_server->wish(), SampleWish());
    QCOMPARE(changes.size(), 5);
}

namespace
{

NodeSample sampleOf(const char *node, qint64 ms)
{
    NodeSample sample;
    sample.node = QString::fromUtf8(node);
    sample.time = utcTime(ms);
    return sample;
}

} // namespace

void RunServerTest::samplesGoToThoseThatWantThem()
{
    QLocalSocket wanting;
    greet(wanting);
    QLocalSocket other;
    greet(other);
    wanting.write(toLine(SampleWish{true, -1}) + '\n');
    wanting.flush();
    QTRY_VERIFY(m_server->wish().isWanted);
    QByteArray told;
    const NodeSample sample = sampleOf("n", 1);
    m_server->send(sample);
    QTRY_VERIFY((told += wanting.readAll()).endsWith(sample.toLine() + '\n'));
    m_server->notify();
    QTRY_VERIFY((told += wanting.readAll()).endsWith("\nnews\n"));
    QByteArray otherTold;
    QTRY_VERIFY((otherTold += other.readAll()).endsWith("news\nnews\n"));
    QVERIFY(!otherTold.contains("node_sample"));
}

void RunServerTest::whatHappensBehindASampleIsTold()
{
    QLocalSocket client;
    greet(client);
    client.write(toLine(SampleWish{true, -1}) + '\n');
    client.flush();
    QTRY_VERIFY(m_server->wish().isWanted);
    // Before the sample is on its way.
    m_server->send(sampleOf("n", 1));
    m_server->notify();
    QByteArray told;
    QTRY_VERIFY2((told += client.readAll()).endsWith("\nnews\n") && told.contains("node_sample"),
                 told.constData());
}

void RunServerTest::aClientThatIsTooSlowGetsTheNewestSamples()
{
    QLocalSocket slow;
    slow.setReadBufferSize(1);
    greet(slow);
    slow.write(toLine(SampleWish{true, -1}) + '\n');
    slow.flush();
    QTRY_VERIFY(m_server->wish().isWanted);
    constexpr qint64 last = 50000;
    for (qint64 ms = 0; ms <= last; ++ms) {
        m_server->send(sampleOf("one", ms));
        m_server->send(sampleOf("other", ms));
        if (ms == last / 2)
            m_server->notify();
    }
    slow.setReadBufferSize(0);
    QByteArray told;
    QTRY_VERIFY2((told += slow.readAll()).contains(sampleOf("one", last).toLine()) &&
                     told.contains(sampleOf("other", last).toLine()),
                 told.right(200).constData());
    // All but what was under way before was the newest.
    QVERIFY2(told.size() < 16 * 1024, QByteArray::number(told.size()).constData());
    QVERIFY(told.contains("\nnews\n"));
}

void RunServerTest::whatAnyClientShowsIsKnown()
{
    QLocalSocket one;
    greet(one);
    QLocalSocket other;
    greet(other);
    one.write(toLine(ShownLogs{{0, 1, 2, 7}}) + '\n');
    one.flush();
    QTRY_COMPARE(m_server->shown(), (QList<int>{0, 1, 2, 7}));
    other.write(toLine(ShownLogs{{2, 3}}) + '\n');
    other.flush();
    QTRY_COMPARE(m_server->shown(), (QList<int>{0, 1, 2, 3, 7}));
    one.write(R"({"do": "show", "processes": "99999999"})" +
              ('\n' + toLine(ShownLogs()) + '\n')); // The first is none.
    one.flush();
    QTRY_COMPARE(m_server->shown(), (QList<int>{2, 3}));
    other.abort();
    QTRY_COMPARE(m_server->shown(), QList<int>());
}

namespace
{

/// A client, and what it was last told of the keyboard.
struct Typist {
    QLocalSocket socket;
    LineBuffer lines{PeerTalk::longestLine};
    std::optional<Keyboard> told;
    int news = 0;

    explicit Typist(const QString &path)
    {
        QObject::connect(&socket, &QLocalSocket::readyRead, &socket, [this] {
            lines.add(socket.readAll());
            while (const auto line = lines.take()) {
                if (const auto keyboard = Keyboard::fromLine(*line)) {
                    told = keyboard;
                    ++news;
                }
            }
        });
        socket.connectToServer(path);
        say(runProtocol);
    }
    void say(const QByteArray &line)
    {
        socket.write(line + '\n');
        socket.flush();
    }
    void ask(const char *name, bool evenIfHeld)
    {
        say(toLine(KeyboardRequest{QString::fromUtf8(name), evenIfHeld}));
    }
};

const Keyboard ours{true, {}};

Keyboard heldBy(const char *name)
{
    return {false, QString::fromUtf8(name)};
}

} // namespace

void RunServerTest::oneClientAtATimeHasTheKeyboard()
{
    QSignalSpy typed(m_server.get(), &RunServer::requested);
    Typist one(m_path);
    Typist other(m_path);
    // Who types first has it, asked for or not.
    one.say(toLine(TerminalInput{{0}, "a", {}}));
    QTRY_COMPARE(one.told, ours);
    QTRY_COMPARE(other.told, heldBy("another program"));
    QCOMPARE(typed.size(), 1);

    other.ask("a window", false);
    other.say(toLine(TerminalInput{{0}, "b", {}}));
    other.say(toLine(TerminalInput{{0}, {}, TerminalSize{10, 10}}));
    QTRY_COMPARE(other.news, 4);
    QCOMPARE(other.told, heldBy("another program"));
    QCOMPARE(typed.size(), 1);

    other.ask("a window", true);
    QTRY_COMPARE(other.told, ours);
    QTRY_COMPARE(one.told, heldBy("a window"));
    other.say(toLine(TerminalInput{{0}, "c", {}}));
    QTRY_COMPARE(typed.size(), 2);
    QCOMPARE(typed.last().first().value<Request>(), Request(TerminalInput{{0}, "c", {}}));
}

void RunServerTest::theKeyboardOfOneThatGoesIsFree()
{
    Typist one(m_path);
    Typist other(m_path);
    one.ask("a window", true);
    QTRY_COMPARE(other.told, heldBy("a window"));
    one.socket.abort();
    QTRY_COMPARE(other.told, Keyboard());
    QVERIFY(other.told->isFree());
    other.ask("the other", false);
    QTRY_COMPARE(other.told, ours);
}

void RunServerTest::aClientsNameIsOnePlainLine()
{
    Typist one(m_path);
    Typist other(m_path);
    one.say(R"({"do": "keyboard", "take": true, "name": "<b>x\n\u001b[2J y )" + QByteArray(300, 'z') + "\"}");
    QTRY_VERIFY(other.told);
    QVERIFY(other.told->holder.startsWith(u"<b>x [2J y zz"_s));
    QCOMPARE(other.told->holder.size(), 119);
    other.say(R"({"do": "keyboard"})");
    other.say(R"({"do": "keyboard", "take": "x", "name": "a"})");
    other.ask("last", false);
    QTRY_COMPARE(other.news, 2);
}

void RunServerTest::anUnknownWordIsPassedOver()
{
    QSignalSpy stops(m_server.get(), &RunServer::requested);
    QLocalSocket socket;
    greet(socket);
    socket.write("dance\n\n\0\nstop\n", 14);
    socket.write("{\"do\": \"dance\"}\n" + toLine(StopRequest()) + '\n');
    socket.flush();
    QTRY_COMPARE(stops.size(), 1);
}

void RunServerTest::aClientThatTalksWithoutEndIsCutOff()
{
    QLocalSocket socket;
    connectTo(socket);
    socket.write(QByteArray(100000, 'x'));
    socket.flush();
    QTRY_COMPARE(socket.state(), QLocalSocket::UnconnectedState);
}

void RunServerTest::aClientThatDoesNotReadCostsNothing()
{
    std::vector<std::unique_ptr<QLocalSocket>> silent;
    for (int index = 0; index < 20; ++index) {
        silent.push_back(std::make_unique<QLocalSocket>());
        silent.back()->setReadBufferSize(1);
        connectTo(*silent.back());
    }
    QLocalSocket listening;
    connectTo(listening);
    QTRY_VERIFY(listening.bytesAvailable() > 0);
    const qint64 before = memory();
    for (int turn = 0; turn < 100000; ++turn)
        m_server->notify();
    QVERIFY(memory() - before < 8 * 1024 * 1024);
    QByteArray told;
    QTRY_VERIFY((told += listening.readAll()).endsWith("news\n"));
}

void RunServerTest::aClientOfAnotherVersionIsToldAndNotObeyed_data()
{
    QTest::addColumn<QByteArray>("said");
    const QByteArray stop = toLine(StopRequest()) + '\n';
    QTest::newRow("an older one") << QByteArray("rankdeck-run 1\n" + stop);
    QTest::newRow("a newer one") << QByteArray("rankdeck-run 3\n" + stop);
    QTest::newRow("a stranger") << QByteArray("GET / HTTP/1.0\r\n\r\n" + stop);
    QTest::newRow("no greeting") << QByteArray(stop + runProtocol + "\n" + stop);
}

void RunServerTest::aClientOfAnotherVersionIsToldAndNotObeyed()
{
    QFETCH(QByteArray, said);
    QSignalSpy stops(m_server.get(), &RunServer::requested);
    QLocalSocket socket;
    connectTo(socket);
    socket.write(said);
    QTRY_COMPARE(socket.state(), QLocalSocket::UnconnectedState);
    QVERIFY(socket.readAll().startsWith(QByteArray(runProtocol) + '\n'));
    QCOMPARE(stops.size(), 0);
}

void RunServerTest::moreClientsThanAnybodyNeedsAreRefused()
{
    std::vector<std::unique_ptr<QLocalSocket>> sockets;
    for (std::size_t index = 0; index < RunServer::mostClients; ++index) {
        sockets.push_back(std::make_unique<QLocalSocket>());
        connectTo(*sockets.back());
        QTRY_VERIFY(sockets.back()->bytesAvailable() > 0);
    }
    QLocalSocket late;
    connectTo(late);
    QTRY_COMPARE(late.state(), QLocalSocket::UnconnectedState);
    QCOMPARE(late.readAll(), QByteArray(runProtocol) + '\n' + runIsFull + '\n');
    // One that leaves makes room.
    sockets.pop_back();
    QTRY_VERIFY(late.state() == QLocalSocket::ConnectedState ? late.bytesAvailable() > 0
                                                             : (late.connectToServer(m_path), false));
}

void RunServerTest::anotherUserIsRefusedWhateverThePermissions()
{
    if (!mayBecomeOtherUser())
        QSKIP(otherUserNeedsRoot);
    const QByteArray socket = QFile::encodeName(m_path);
    QCOMPARE(chmod(QFile::encodeName(m_home->path("")).constData(), 0777), 0);
    QCOMPARE(chmod(socket.constData(), 0777), 0);
    QSignalSpy stops(m_server.get(), &RunServer::requested);
    // Exits with the number of bytes that it was told.
    const OtherUser other([&] {
        const int connection = connectedTo(socket);
        const QByteArray request = QByteArray(runProtocol) + '\n' + toLine(StopRequest()) + '\n';
        if (connection < 0 || write(connection, request.constData(), size_t(request.size())) < 0)
            return errno == EPIPE ? 0 : 255;
        char told = 0;
        return read(connection, &told, 1) == 1 ? 1 : 0;
    });
    QTRY_VERIFY(other.hasEnded());
    QCOMPARE(other.exitCode(), 0);
    QCOMPARE(stops.size(), 0);
}

} // namespace tst_runserver

RANKDECK_TEST(tst_runserver, RunServerTest)
#include "tst_runserver.moc"
