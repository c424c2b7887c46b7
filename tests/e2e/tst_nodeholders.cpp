#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/remoterun.h"
#include "support/testmain.h"

#include <memory>

namespace tst_nodeholders
{

using namespace rankdeck;

/// Who holds devices on the nodes of a launch is named before it, and what is ours can be stopped for it,
/// over a real sshd. A script stands in for npu-smi, which also says that there are NPUs.
class NodeHoldersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aRunOnTheSameDevicesOfANodeIsNamed();
    void theHoldersAreStoppedWhenAsked();
    void aRunOfTheNodeItselfIsNamedAndStopped();
    void aStrangerOnANodeIsNamed();

private:
    void installNpuSmi(const QByteArray &script) const;
    QStringList launch(const char *nodes, const QStringList &options, const char *script) const;
    /// A run of two ranks a node that goes on until it is stopped. Returns its name.
    QString startHolder(const char *nodes, const QStringList &options = {}) const;
    static RunState stateOf(const QString &name) { return RunReader(*findRun(name)).open().value(); }
    QByteArray nodeState() const { return m_remote->nodeStateHome().toLocal8Bit(); }

    QByteArray m_path = qgetenv("PATH");
    std::unique_ptr<RemoteRun> m_remote;
};

void NodeHoldersTest::init()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    m_remote = std::make_unique<RemoteRun>();
    QVERIFY(m_remote->startSsh());
    installNpuSmi("true\n");
}

void NodeHoldersTest::cleanup()
{
    m_remote.reset();
    qputenv("PATH", m_path);
}

void NodeHoldersTest::installNpuSmi(const QByteArray &script) const
{
    QFile file(m_remote->home().path("npu-smi"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("#!/bin/sh\n" + script) > 0);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("PATH", QFileInfo(file).path().toLocal8Bit() + ':' + m_path);
}

QStringList NodeHoldersTest::launch(const char *nodes, const QStringList &options, const char *script) const
{
    QStringList arguments{u"processes"_s};
    if (nodes)
        arguments << m_remote->nodeOptions(nodes);
    return arguments << u"--work-dir"_s << QFileInfo(m_remote->program()).path() << u"--nproc=2"_s
                     << u"--grace=1"_s << u"--master-port=%1"_s.arg(freePort()) << options << u"sh"_s
                     << u"-c"_s << QString::fromLatin1(script);
}

QString NodeHoldersTest::startHolder(const char *nodes, const QStringList &options) const
{
    const Outcome outcome = ctl(launch(nodes, options + QStringList{u"--detach"_s}, "exec sleep 1000"));
    const QString name = QString::fromUtf8(outcome.out).trimmed();
    const auto allRun = [&] {
        const RunState state = stateOf(name);
        return state.count(RankPhase::Running) == static_cast<int>(state.ranks.size());
    };
    return findRun(name) && QTest::qWaitFor(allRun, programLimitMs) ? name : QString();
}

void NodeHoldersTest::aRunOnTheSameDevicesOfANodeIsNamed()
{
    const QString holder = startHolder("alpha", {u"--env"_s, u"ASCEND_RT_VISIBLE_DEVICES=4,5"_s});
    QVERIFY(!holder.isEmpty());
    const QByteArray live = "beta: The run " + holder.toUtf8() + " is live. It uses device";
    // Alpha and beta are one machine, and each looks at its own.
    Outcome outcome = ctl(launch("beta", {u"--env"_s, u"ASCEND_RT_VISIBLE_DEVICES=5,6"_s}, "true"));
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.err.contains(live + " 5. To stop it, on "), outcome.err);
    outcome = ctl(launch("beta", {}, "true"));
    QVERIFY2(!outcome.err.contains(" is live"), outcome.err);
    // So does a launch on that machine alone.
    const QByteArray home = qgetenv("XDG_STATE_HOME");
    qputenv("XDG_STATE_HOME", nodeState());
    outcome = ctl(launch(nullptr, {u"--env"_s, u"ASCEND_RT_VISIBLE_DEVICES=4,5"_s}, "true"));
    qputenv("XDG_STATE_HOME", home);
    QVERIFY2(outcome.err.contains("The run " + holder.toUtf8() + " is live. It uses devices 4-5."),
             outcome.err);
    // Nothing of it is left once it has ended.
    QCOMPARE(ctl({u"stop"_s, holder}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), programLimitMs);
    outcome = ctl(launch("beta", {u"--env"_s, u"ASCEND_RT_VISIBLE_DEVICES=5,6"_s}, "true"));
    QVERIFY2(!outcome.err.contains(" is live"), outcome.err);
}

void NodeHoldersTest::theHoldersAreStoppedWhenAsked()
{
    const QString holder = startHolder("alpha,beta");
    QVERIFY(!holder.isEmpty());
    const Outcome outcome = ctl(launch("beta", {u"--stop-holders"_s}, "true"));
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.err.contains("beta: The run " + holder.toUtf8() + " is live. It uses devices 0-1."),
             outcome.err);
    QVERIFY2(outcome.err.contains("Stopping it."), outcome.err);
    // What ends on one node ends on all of them.
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(stateOf(holder).phase), programLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), programLimitMs);
}

void NodeHoldersTest::aRunOfTheNodeItselfIsNamedAndStopped()
{
    const QByteArray home = qgetenv("XDG_STATE_HOME");
    qputenv("XDG_STATE_HOME", nodeState());
    const QString holder = startHolder(nullptr);
    qputenv("XDG_STATE_HOME", home);
    QVERIFY(!holder.isEmpty());
    const QByteArray sentence = "beta: The run " + holder.toUtf8() + " is live. It uses devices 0-1.";
    Outcome outcome = ctl(launch("beta", {}, "true"));
    QVERIFY2(outcome.err.contains(sentence + " To stop it, on beta: rankdeckctl stop " + holder.toUtf8()),
             outcome.err);
    outcome = ctl(launch("beta", {u"--stop-holders"_s}, "true"));
    QVERIFY2(outcome.code == 0 && outcome.err.contains(sentence + " Stopping it."), outcome.err);
    qputenv("XDG_STATE_HOME", nodeState());
    QCOMPARE(stateOf(holder).phase, RunPhase::Stopped);
    qputenv("XDG_STATE_HOME", home);
}

void NodeHoldersTest::aStrangerOnANodeIsNamed()
{
    installNpuSmi("cat <<'END'\n"
                  "| NPU     Chip              | Process id    | Process name | Process memory(MB) |\n"
                  "| 1       0                 | 1             | init         | 100                |\n"
                  "END\n");
    const Outcome outcome = ctl(launch("beta", {}, "true"));
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.err.contains("beta: init (pid 1, 100 MB) of root uses device 1."), outcome.err);
}

} // namespace tst_nodeholders

RANKDECK_TEST(tst_nodeholders, NodeHoldersTest)
#include "tst_nodeholders.moc"
