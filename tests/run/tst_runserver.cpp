#include "run/peer.h"
#include "run/runserver.h"
#include "support/testhome.h"

#include <QLocalSocket>
#include <QSignalSpy>
#include <QTest>

#include <memory>

#include <sys/stat.h>

using namespace rankdeck;

class RunServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theSocketIsTheUsersAlone();
    void aClientIsGreetedAndTold();
    void aClientMayAskForAStopOrAKill();
    void anUnknownWordIsPassedOver();
    void aClientThatTalksWithoutEndIsCutOff();
    void aClientThatDoesNotReadCostsNothing();

private:
    void connectTo(QLocalSocket &socket) const
    {
        socket.connectToServer(m_path);
        QVERIFY(socket.waitForConnected());
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
    QVERIFY(isSameUser(socket));
}

void RunServerTest::aClientMayAskForAStopOrAKill()
{
    QSignalSpy stops(m_server.get(), &RunServer::stopRequested);
    QSignalSpy kills(m_server.get(), &RunServer::killRequested);
    QLocalSocket socket;
    connectTo(socket);
    // In two pieces: a stream keeps no borders.
    socket.write("sto");
    socket.flush();
    socket.write("p\nkill\n");
    socket.flush();
    QTRY_COMPARE(kills.size(), 1);
    QCOMPARE(stops.size(), 1);
}

void RunServerTest::anUnknownWordIsPassedOver()
{
    QSignalSpy stops(m_server.get(), &RunServer::stopRequested);
    QLocalSocket socket;
    connectTo(socket);
    socket.write("dance\n\n\0\nstop\n", 14);
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
    QLocalSocket silent;
    silent.setReadBufferSize(1);
    connectTo(silent);
    QLocalSocket listening;
    connectTo(listening);
    for (int turn = 0; turn < 100000; ++turn)
        m_server->notify();
    QTRY_VERIFY(listening.bytesAvailable() > 0);
}

QTEST_GUILESS_MAIN(RunServerTest)
#include "tst_runserver.moc"
