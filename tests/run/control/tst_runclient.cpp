#include "run/control/peer.h"
#include "run/control/runclient.h"
#include "support/otheruser.h"
#include "support/recordedrun.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QElapsedTimer>
#include <QLocalServer>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTest>

#include <memory>

#include <sys/stat.h>

namespace tst_runclient
{

using namespace rankdeck;

/// A client and whoever holds the socket of its run.
class RunClientTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aSupervisorOfAnotherVersionIsNotAsked_data();
    void aSupervisorOfAnotherVersionIsNotAsked();
    void aFloodOfNewsIsReadOnceInAWhile();
    void oneClientTooManyKnocksLessAndLessOften();
    void aSocketOfAnotherUserIsNotSpokenTo();
    void aRunOfAnotherUserIsRefused();

private:
    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<RecordedRun> m_run;
    QString m_socket;
};

void RunClientTest::init()
{
    m_home = std::make_unique<TestHome>();
    m_run = std::make_unique<RecordedRun>();
    m_socket = m_home->path("s");
    m_run->setSocket(m_socket);
    m_run->startAll();
}

void RunClientTest::aSupervisorOfAnotherVersionIsNotAsked_data()
{
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("older") << QByteArray("rankdeck-run 1\nnews\n");
    QTest::newRow("newer") << QByteArray("rankdeck-run 3\n");
    QTest::newRow("noise") << QByteArray(100000, 'x');
}

void RunClientTest::aSupervisorOfAnotherVersionIsNotAsked()
{
    QFETCH(QByteArray, said);
    QLocalServer server;
    QVERIFY(server.listen(m_socket));
    int connections = 0;
    connect(&server, &QLocalServer::newConnection, this, [&] {
        ++connections;
        server.nextPendingConnection()->write(said);
    });
    RunClient client(m_run->directory());
    QSignalSpy failures(&client, &RunClient::failed);
    client.open();
    QTRY_COMPARE(failures.size(), 1);
    const QString sentence = failures.first().first().toString();
    QVERIFY2(sentence.contains("another version"_L1), qPrintable(sentence));
    // It does not knock again, and what it follows goes on.
    m_run->note(u"a note"_s);
    client.stop();
    QTRY_COMPARE(connections, 1);
    QCOMPARE(failures.size(), 1);
}

void RunClientTest::aFloodOfNewsIsReadOnceInAWhile()
{
    QLocalServer server;
    QVERIFY(server.listen(m_socket));
    QByteArray flood = QByteArray(runProtocol) + '\n';
    for (int line = 0; line < 100000; ++line)
        flood += "news\n";
    connect(&server, &QLocalServer::newConnection, this,
            [&] { server.nextPendingConnection()->write(flood); });
    RunClient client(m_run->directory());
    QSignalSpy failures(&client, &RunClient::failed);
    QSignalSpy states(&client, &RunClient::stateChanged);
    client.open();
    m_run->note(u"a note"_s);
    QTRY_VERIFY(!states.last().first().value<RunState>().notes.isEmpty());
    QCOMPARE(failures.size(), 0);
    QVERIFY(states.size() < 10);
}

void RunClientTest::oneClientTooManyKnocksLessAndLessOften()
{
    QLocalServer server;
    QVERIFY(server.listen(m_socket));
    bool isFull = true;
    QList<qint64> knocks; // ms
    QByteArray heard;
    QElapsedTimer clock;
    clock.start();
    connect(&server, &QLocalServer::newConnection, this, [&] {
        knocks << clock.elapsed();
        QLocalSocket *socket = server.nextPendingConnection();
        socket->write(QByteArray(runProtocol) + '\n' + (isFull ? runIsFull : "news") + '\n');
        connect(socket, &QLocalSocket::readyRead, this, [&heard, socket] { heard += socket->readAll(); });
        if (isFull)
            socket->disconnectFromServer();
    });
    RunClient client(m_run->directory());
    QSignalSpy failures(&client, &RunClient::failed);
    QSignalSpy refusals(&client, &RunClient::refused);
    QSignalSpy states(&client, &RunClient::stateChanged);
    client.open();
    client.stop();
    QTRY_VERIFY_WITH_TIMEOUT(knocks.size() == 5, 30000);
    // A timer may be a twentieth early.
    for (qsizetype knock = 2; knock < knocks.size(); ++knock)
        QVERIFY(knocks[knock] - knocks[knock - 1] >= 45 << (knock - 1));
    QCOMPARE(refusals.size(), 1);
    const QString sentence = refusals.first().first().toString();
    QVERIFY2(sentence.contains("too many windows and commands"_L1), qPrintable(sentence));
    QVERIFY2(!heard.contains("stop"), "it was said to one who does not listen");
    m_run->note(u"a note"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!states.last().first().value<RunState>().notes.isEmpty(), 30000);
    isFull = false;
    QTRY_VERIFY_WITH_TIMEOUT(heard.endsWith(toLine(StopRequest()) + '\n'), 30000);
    QCOMPARE(failures.size(), 0);
    QCOMPARE(refusals.size(), 1);
}

void RunClientTest::aSocketOfAnotherUserIsNotSpokenTo()
{
    if (!mayBecomeOtherUser())
        QSKIP(otherUserNeedsRoot);
    QCOMPARE(chmod(QFile::encodeName(m_home->path("")).constData(), 0777), 0);
    const QByteArray path = QFile::encodeName(m_socket);
    // Exits with the number of bytes that it was told, or goes on listening.
    const OtherUser other([&] {
        const int server = socket(AF_UNIX, SOCK_STREAM, 0);
        const sockaddr_un address = addressOf(path);
        if (bind(server, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
            listen(server, 1) != 0)
            return 255;
        const int connection = accept(server, nullptr, nullptr);
        char told = 0;
        return read(connection, &told, 1) == 1 ? 1 : 0;
    });
    RunClient client(m_run->directory());
    QSignalSpy failures(&client, &RunClient::failed);
    client.open();
    client.stop();
    QTRY_COMPARE(failures.size(), 1);
    QVERIFY(failures.first().first().toString().contains("another user"_L1));
    QTRY_VERIFY(other.hasEnded());
    QCOMPARE(other.exitCode(), 0);
}

void RunClientTest::aRunOfAnotherUserIsRefused()
{
    if (!mayBecomeOtherUser())
        QSKIP(otherUserNeedsRoot);
    const QByteArray record = QFile::encodeName(m_run->directory()) + "/run.json";
    QCOMPARE(chown(record.constData(), otherUserId, otherUserId), 0);
    RunClient client(m_run->directory());
    QSignalSpy failures(&client, &RunClient::failed);
    client.open();
    QCOMPARE(failures.size(), 1);
    QVERIFY(failures.first().first().toString().contains("another user"_L1));
}

} // namespace tst_runclient

RANKDECK_TEST(tst_runclient, RunClientTest)
#include "tst_runclient.moc"
