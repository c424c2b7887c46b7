#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/remoterun.h"
#include "support/smalldisk.h"
#include "support/testmain.h"

#include <memory>

namespace tst_nodedisks
{

using namespace rankdeck;

/// Two nodes of which each has a disk of its own; beta's is small, and fills.
class NodeDisksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aFullDiskIsToldWithItsNode();
    void aRankThatFailsOnAFullDiskIsToldWithIt();
    void aLaunchOnAFullDiskStartsNothing();
    void aRunCanBeStoppedOnAFullDisk();

private:
    QString path(const char *name) const { return m_remote->home().path(name); }
    QStringList launch(const QStringList &options, const QString &script) const
    {
        return QStringList{u"processes"_s} + m_remote->nodeOptions() +
               QStringList{u"--work-dir"_s,    m_remote->home().path(QString()),
                           u"--grace"_s,       u"2"_s,
                           u"--nproc"_s,       u"1"_s,
                           u"--master-port"_s, QString::number(freePort())} +
               options + QStringList{u"sh"_s, u"-c"_s, script};
    }
    /// Returns once both ranks run and have printed.
    void start(const QString &script)
    {
        const Outcome outcome = ctl(launch({u"--detach"_s}, script));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        m_directory = runsDirectory() + '/'_L1 + QString::fromUtf8(outcome.out.trimmed());
        QTRY_VERIFY_WITH_TIMEOUT(!logOf(0).isEmpty() && !logOf(1).isEmpty(), programLimitMs);
    }
    RunState state() const
    {
        const auto read = RunReader(m_directory).open();
        return read ? *read : RunState();
    }
    QByteArray logOf(int rank) const
    {
        const RunState now = state();
        return now.plan && int(now.plan->processes.size()) > rank
                   ? fileText(now.plan->processes[std::size_t(rank)].logFile)
                   : QByteArray();
    }
    bool isTold(const QString &words) const
    {
        return std::ranges::any_of(state().notes,
                                   [&](const QString &note) { return note.startsWith(words); });
    }
    void open(const char *gate) const
    {
        QFile file(path(gate));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    void verifyNothingIsLeft() const
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), programLimitMs);
    }

    std::unique_ptr<RemoteRun> m_remote;
    std::unique_ptr<SmallDisk> m_disk;
    QString m_directory;
};

void NodeDisksTest::init()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    if (geteuid() != 0)
        QSKIP(smallDiskNeedsRoot);
    m_remote = std::make_unique<RemoteRun>();
    QVERIFY(m_remote->startSsh());
    QVERIFY(m_remote->standApartFromEachOther());
    m_disk = std::make_unique<SmallDisk>(path("nodes/beta/state"));
    if (!m_disk->isThere())
        QSKIP(smallDiskNeedsRoot);
}

void NodeDisksTest::cleanup()
{
    m_disk.reset();
    m_remote.reset();
}

void NodeDisksTest::aFullDiskIsToldWithItsNode()
{
    start(u"until [ -e %1 ]; do echo a line; sleep 0.02; done; echo the end"_s.arg(path("gate")));
    m_disk->fill();
    QTRY_VERIFY_WITH_TIMEOUT(isTold(u"beta: The disk is full: "_s), programLimitMs);
    QCOMPARE(state().phase, RunPhase::Running);
    m_disk->makeRoom();
    QTRY_VERIFY_WITH_TIMEOUT(isTold(u"beta: The file system of "_s), programLimitMs);
    open("gate");
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), programLimitMs);
    QCOMPARE(state().phase, RunPhase::Succeeded);
    QVERIFY(!isTold(u"alpha: "_s) && !isTold(u"The disk "_s));
    QVERIFY(logOf(0).endsWith("a line\nthe end\n"));
    QVERIFY(logOf(1).endsWith("the end\n"));
    verifyNothingIsLeft();
}

void NodeDisksTest::aRankThatFailsOnAFullDiskIsToldWithIt()
{
    start(u"echo begun; until [ -e %1 ]; do sleep 0.02; done; "
          "if [ $RANK = 1 ]; then echo checkpoint >%2/state/checkpoint || exit 5; fi; exec sleep 1000"_s.arg(
              path("gate"), path("")));
    m_disk->fill();
    QTRY_VERIFY_WITH_TIMEOUT(isTold(u"beta: The disk is full: "_s), programLimitMs);
    open("gate");
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), programLimitMs);
    const RunState ended = state();
    QCOMPARE(ended.phase, RunPhase::Failed);
    QCOMPARE(ended.exitCode, 5);
    QVERIFY(ended.failure);
    QCOMPARE(ended.failure->rank, Rank(1));
    QCOMPARE(ended.failure->node, u"beta"_s);
    QCOMPARE(ended.ranks[0].phase, RankPhase::Ended);
    verifyNothingIsLeft();
}

void NodeDisksTest::aLaunchOnAFullDiskStartsNothing()
{
    m_disk->fill();
    m_disk->takeInodes();
    const Outcome outcome = ctl(launch({}, u"echo started"_s));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("beta cannot start its processes: "), outcome.err.constData());
    QVERIFY2(!outcome.out.contains("started"), outcome.out.constData());
    verifyNothingIsLeft();
}

void NodeDisksTest::aRunCanBeStoppedOnAFullDisk()
{
    start(u"echo begun; trap 'exit 0' TERM; while :; do echo a line; sleep 0.02; done"_s);
    m_disk->fill();
    QTRY_VERIFY_WITH_TIMEOUT(isTold(u"beta: The disk is full: "_s), programLimitMs);
    const Outcome stopped = ctl({u"stop"_s, m_directory});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    QCOMPARE(state().phase, RunPhase::Stopped);
    verifyNothingIsLeft();
}

} // namespace tst_nodedisks

RANKDECK_TEST(tst_nodedisks, NodeDisksTest)
#include "tst_nodedisks.moc"
