#include "support/programs.h"
#include "support/testmain.h"

#include <QElapsedTimer>

#include <algorithm>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

namespace tst_longwork
{

using namespace rankdeck;

namespace
{

/// A pseudo terminal; a program's standard error may be on it.
class Terminal
{
public:
    Terminal()
        : m_master(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC))
    {
        if (m_master < 0 || grantpt(m_master) != 0 || unlockpt(m_master) != 0)
            qFatal("no pseudo terminal");
        // It keeps what was printed when the program has ended.
        m_slave = open(ptsname(m_master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    ~Terminal()
    {
        close(m_slave);
        close(m_master);
    }
    Q_DISABLE_COPY_MOVE(Terminal)

    QString path() const { return QString::fromLocal8Bit(ptsname(m_master)); }
    /// Returns all that was printed so far.
    const QByteArray &shown()
    {
        QByteArray bytes(4096, Qt::Uninitialized);
        for (ssize_t size = 0; (size = read(m_master, bytes.data(), std::size_t(bytes.size()))) > 0;)
            m_shown += bytes.first(size);
        return m_shown;
    }
    /// Returns what its last line shows.
    QByteArray lastLine()
    {
        QByteArray line;
        for (const QByteArray &part : shown().split('\r')) {
            if (part.contains('\n'))
                line.clear();
            line.replace(0, part.size(), part);
        }
        return line.trimmed();
    }

private:
    int m_master;
    int m_slave;
    QByteArray m_shown;
};

} // namespace

/// Commands that read gigabytes say how far they are, and can be ended.
class LongWorkTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void progressSaysHowFarItIsAndEnds_data();
    void progressSaysHowFarItIsAndEnds();
    void aReportSaysThatItReads();
    void aReportThatIsEndedLeavesNothing_data();
    void aReportThatIsEndedLeavesNothing();
    void withoutATerminalNothingIsSaid();

private:
    QString logs() const { return m_home->path("logs"); }
    QString bundle() const { return m_home->path("bundles/b.tar.gz"); }
    /// Puts a npu-smi in front of all others.
    void putNpuSmi(const QByteArray &script) const
    {
        QFile file(m_home->path("bin/npu-smi"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("#!/bin/sh\n" + script) > 0);
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        qputenv("PATH", m_home->path("bin").toLocal8Bit() + ':' + m_path);
    }
    void start(QProcess &process, const QStringList &arguments, const Terminal *terminal = nullptr) const
    {
        if (terminal)
            process.setStandardErrorFile(terminal->path(), QIODevice::Append);
        process.start(buildPath("bin/rankdeckctl"), arguments);
        QVERIFY(process.waitForStarted(programLimitMs));
    }

    const QByteArray m_path = qgetenv("PATH");
    std::unique_ptr<TestHome> m_home;
};

void LongWorkTest::init()
{
    m_home = std::make_unique<TestHome>();
    for (const char *folder : {"logs", "bin", "bundles"})
        QVERIFY(QDir().mkpath(m_home->path(folder)));
    QFile log(m_home->path("logs/worker_0.log"));
    QVERIFY(log.open(QIODevice::WriteOnly) && log.write("step: 1, loss: 0.5\n") > 0);
}

void LongWorkTest::cleanup()
{
    qputenv("PATH", m_path);
}

void LongWorkTest::progressSaysHowFarItIsAndEnds_data()
{
    QTest::addColumn<int>("signalNumber");
    QTest::newRow("Ctrl+C") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("a terminal that is closed") << SIGHUP;
}

void LongWorkTest::progressSaysHowFarItIsAndEnds()
{
    QFETCH(int, signalNumber);
    // Zero bytes that take no room on the disk, more than any machine reads in this test's time.
    QVERIFY(QFile::resize(m_home->path("logs/worker_0.log"), qint64(4) << 40));
    Terminal terminal;
    QProcess process;
    start(process, {u"progress"_s, logs()}, &terminal);
    QTRY_VERIFY2_WITH_TIMEOUT(terminal.shown().contains(" of 4.4 TB"), terminal.shown().constData(),
                              programLimitMs);
    QVERIFY2(terminal.shown().contains("\rReading logs: 0 %, "), terminal.shown().constData());
    ::kill(pid_t(process.processId()), signalNumber);
    const Outcome outcome = outcomeOf(process);
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(outcome.code, 128 + signalNumber);
    QCOMPARE(outcome.out, QByteArray());
    QCOMPARE(terminal.lastLine(), QByteArray());
}

void LongWorkTest::aReportSaysThatItReads()
{
    const QString go = m_home->path("go");
    putNpuSmi("while [ ! -e '" + go.toUtf8() + "' ]; do sleep 0.05; done\n");
    Terminal terminal;
    QProcess process;
    start(process, {u"report"_s, logs(), u"--bundle"_s, bundle()}, &terminal);
    QTRY_VERIFY2_WITH_TIMEOUT(terminal.shown().contains("Reading logs"), terminal.shown().constData(),
                              programLimitMs);
    QFile end(go);
    QVERIFY(end.open(QIODevice::WriteOnly));
    const Outcome outcome = outcomeOf(process);
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.startsWith(bundle().toUtf8()), outcome.out.constData());
    QCOMPARE(terminal.lastLine(), QByteArray());
    QVERIFY(QFile::exists(bundle()));
}

void LongWorkTest::aReportThatIsEndedLeavesNothing_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<int>("signalNumber");
    QTest::newRow("bundle, SIGTERM") << u"--bundle"_s << SIGTERM;
    QTest::newRow("bundle, Ctrl+C") << u"--bundle"_s << SIGINT;
    QTest::newRow("bundle, SIGKILL") << u"--bundle"_s << SIGKILL;
}

void LongWorkTest::aReportThatIsEndedLeavesNothing()
{
    QFETCH(QString, option);
    QFETCH(int, signalNumber);
    const QString asked = m_home->path("asked");
    QFile::remove(asked);
    putNpuSmi(": >'" + asked.toUtf8() + "'\nexec sleep 1000\n");
    QProcess process;
    start(process, {u"report"_s, logs(), option, bundle()});
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(asked), programLimitMs);
    const QDir folder(m_home->path("bundles"));
    const auto files = [&] {
        return folder.entryList(QDir::Files | QDir::Hidden);
    };
    const QDir descriptors(u"/proc/%1/fd"_s.arg(process.processId()));
    const QStringList open = descriptors.entryList(QDir::AllEntries | QDir::System);
    QVERIFY(std::ranges::any_of(open, [&](const QString &descriptor) { // Half a bundle, without a name.
        return QFile::symLinkTarget(descriptors.filePath(descriptor)).startsWith(folder.path());
    }));
    ::kill(pid_t(process.processId()), signalNumber);
    const Outcome outcome = outcomeOf(process);
    QCOMPARE(process.exitStatus() == QProcess::CrashExit, signalNumber == SIGKILL);
    if (signalNumber != SIGKILL)
        QCOMPARE(outcome.code, 128 + signalNumber);
    QCOMPARE(outcome.out, QByteArray());
    QCOMPARE(files(), QStringList());
}

void LongWorkTest::withoutATerminalNothingIsSaid()
{
    putNpuSmi("sleep 1.5\n"); // Longer than a terminal waits for the first word.
    QElapsedTimer clock;
    clock.start();
    const Outcome outcome = ctl({u"report"_s, logs(), u"--bundle"_s, bundle()});
    QVERIFY(clock.elapsed() >= 1500);
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.err, QByteArray());
}

} // namespace tst_longwork

RANKDECK_TEST(tst_longwork, LongWorkTest)
#include "tst_longwork.moc"
