#include "launch/host/portlocks.h"
#include "support/testmain.h"

#include <QFile>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <sys/wait.h>
#include <utime.h>

#include <csignal>
#include <unistd.h>

namespace tst_portlocks
{

using namespace rankdeck;

/// Locks in a runtime directory of the test's own.
class PortLocksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_home->path()));
    }
    void aLockKeepsOthersOut();
    void aDeadHolderFreesItsPort();
    void aClaimLastsAFewSeconds();
    void aLockEndsTheClaim();
    void runsOfOtherUsersAreKeptOut();
    void theDirectoryIsTheUsersAlone();
    void aListenerTakesAPort();

private:
    /// A number that no other test has: the locks are the whole machine's. It is none of a real port.
    int newPort() { return 100'000 * ++m_ports + getpid() % 100'000; }
    /// Another process, which does `work` and is then asked to end. Returns its pid.
    static pid_t inOtherProcess(void (*work)(int), int port)
    {
        int ready[2] = {};
        if (pipe(ready) != 0)
            return -1;
        const pid_t pid = fork();
        if (pid == 0) {
            work(port);
            close(ready[1]);
            pause();
            _exit(0);
        }
        close(ready[1]);
        char byte = 0;
        while (read(ready[0], &byte, 1) < 0 && errno == EINTR) {
        }
        close(ready[0]);
        return pid;
    }
    static void end(pid_t pid)
    {
        kill(pid, SIGKILL);
        int status = 0;
        waitpid(pid, &status, 0);
    }
    QByteArray file(int port, const char *kind) const
    {
        return QFile::encodeName(m_home->path()) + "/rankdeck/ports/" + QByteArray::number(port) + kind;
    }

    std::unique_ptr<QTemporaryDir> m_home;
    int m_ports = 0;
};

void PortLocksTest::aLockKeepsOthersOut()
{
    const int port = newPort();
    QCOMPARE(lockerOfPort(port), qint64(0));
    PortLocks locks;
    QVERIFY(locks.take(port));
    QCOMPARE(lockerOfPort(port), qint64(getpid()));
    PortLocks others;
    QVERIFY(!others.take(port));
    QVERIFY(others.take(port + 1));
    locks.release();
    QCOMPARE(lockerOfPort(port), qint64(0));
    QVERIFY(others.take(port));
}

void PortLocksTest::aDeadHolderFreesItsPort()
{
    const int port = newPort();
    const pid_t pid = inOtherProcess([](int wanted) { (new PortLocks)->take(wanted); }, port);
    QCOMPARE(lockerOfPort(port), qint64(pid));
    PortLocks locks;
    QVERIFY(!locks.take(port));
    end(pid);
    QCOMPARE(lockerOfPort(port), qint64(0));
    QVERIFY(locks.take(port));
}

void PortLocksTest::aClaimLastsAFewSeconds()
{
    const int port = newPort();
    QVERIFY(claimPort(port));
    QVERIFY(claimPort(port)); // Again by the same process.
    QVERIFY(!isPortClaimed(port));
    QFile::remove(QFile::decodeName(file(port, ".claim")));
    const pid_t pid = inOtherProcess([](int wanted) { claimPort(wanted); }, port);
    end(pid); // A launch that has ended may have started its run.
    QVERIFY(isPortClaimed(port));
    QVERIFY(!claimPort(port));
    const utimbuf old{time(nullptr) - claimSeconds - 1, time(nullptr) - claimSeconds - 1};
    QCOMPARE(utime(file(port, ".claim").constData(), &old), 0);
    QVERIFY(!isPortClaimed(port));
    QVERIFY(claimPort(port));
}

void PortLocksTest::aLockEndsTheClaim()
{
    const int port = newPort();
    const pid_t pid = inOtherProcess([](int wanted) { claimPort(wanted); }, port);
    end(pid);
    QVERIFY(isPortClaimed(port));
    PortLocks locks;
    QVERIFY(locks.take(port));
    QVERIFY(!isPortClaimed(port));
}

void PortLocksTest::runsOfOtherUsersAreKeptOut()
{
    const int port = newPort();
    const QByteArray own = qgetenv("XDG_RUNTIME_DIR");
    const QTemporaryDir theirs;
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(theirs.path()));
    const pid_t claiming = inOtherProcess([](int wanted) { claimPort(wanted); }, port);
    const pid_t locking = inOtherProcess([](int wanted) { (new PortLocks)->take(wanted); }, port + 1);
    qputenv("XDG_RUNTIME_DIR", own);
    QVERIFY(isPortClaimed(port) && !isPortReserved(port));
    QVERIFY(!claimPort(port));
    QVERIFY(isPortReserved(port + 1) && !isPortClaimed(port + 1));
    QCOMPARE(lockerOfPort(port + 1), qint64(0)); // Another user's process is not named.
    PortLocks locks;
    QVERIFY(!locks.take(port + 1));
    end(claiming);
    end(locking);
    QVERIFY(!isPortClaimed(port) && claimPort(port));
    QVERIFY(!isPortReserved(port + 1) && locks.take(port + 1));
}

void PortLocksTest::theDirectoryIsTheUsersAlone()
{
    const int port = newPort();
    const QString directory = portLockDirectory();
    QCOMPARE(directory, m_home->filePath(u"rankdeck/ports"_s));
    struct stat info = {};
    QCOMPARE(stat(QFile::encodeName(directory).constData(), &info), 0);
    QCOMPARE(info.st_mode & 0777, mode_t(0700));
    // A link could lead to a directory of somebody else.
    QVERIFY(QFile::remove(directory) || rmdir(QFile::encodeName(directory).constData()) == 0);
    QVERIFY(QFile::link(u"/tmp"_s, directory));
    QVERIFY(portLockDirectory().isEmpty());
    PortLocks locks;
    QVERIFY(!locks.take(port));
    QVERIFY(!claimPort(port));
    QCOMPARE(lockerOfPort(port), qint64(0));
}

void PortLocksTest::aListenerTakesAPort()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    QVERIFY(!isPortFree(server.serverPort()));
    const int port = server.serverPort();
    server.close();
    QVERIFY(isPortFree(port));
}

} // namespace tst_portlocks

RANKDECK_TEST(tst_portlocks, PortLocksTest)

#include "tst_portlocks.moc"
