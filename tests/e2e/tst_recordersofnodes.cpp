#include "run/record/runreader.h"
#include "support/freeport.h"
#include "support/remoterun.h"
#include "support/testmain.h"

#include <QStandardPaths>

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace tst_recordersofnodes
{

using namespace rankdeck;

/// Flight recorders of ranks on nodes that see nothing of this machine's file systems.
class RecordersOfNodesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void dumpsComeHereAndNameWhoIsMissing();
};

void RecordersOfNodesTest::dumpsComeHereAndNameWhoIsMissing()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    if (geteuid() != 0)
        QSKIP("only root may give a node a file system of its own");
    const QString python = QStandardPaths::findExecutable(u"python3"_s);
    if (python.isEmpty())
        QSKIP("python3 is not installed");
    RemoteRun remote;
    QVERIFY(remote.startSsh());
    QVERIFY(remote.standApart());
    const QString meet = remote.home().path("meet");
    QVERIFY(QDir().mkpath(meet));
    QStringList launch{u"processes"_s};
    launch << remote.nodeOptions() << u"--work-dir"_s << remote.home().path(QString()) << u"--nproc"_s
           << u"2"_s << u"--master-port"_s << QString::number(freePort()) << u"--flight-recorder"_s << u"on"_s
           << u"--detach"_s << python << sourcePath("tests/e2e/recordingrank.py") << u"skipped"_s << meet;
    const Outcome started = ctl(launch);
    QVERIFY2(started.code == 0, started.err);
    const QString directory = runsDirectory() + '/'_L1 + QString::fromUtf8(started.out.trimmed());
    for (int rank = 0; rank < 4; ++rank)
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(meet + u"/still-%1"_s.arg(rank)), programLimitMs);
    QFile give(meet + u"/give-up"_s);
    QVERIFY(give.open(QIODevice::WriteOnly));
    give.close();
    QTRY_COMPARE_WITH_TIMEOUT(RunReader(directory).open().value().phase, RunPhase::Failed, programLimitMs);

    const Outcome report = ctl({u"report"_s, directory, u"--json"_s});
    const auto told = nlohmann::json::parse(report.out.toStdString(), nullptr, false);
    QVERIFY2(told.is_object() && told.contains("collectives") && !told["collectives"].empty(),
             report.out.constData());
    QCOMPARE(told["rule"].get<std::string>(), std::string("collectives"));
    QCOMPARE(told["root_rank"].get<int>(), 3);
    const Outcome said = ctl({u"collectives"_s, directory});
    QVERIFY2(said.out.contains("ranks 0-2 wait at recordingrank.py:"), said.out.constData());
    QTRY_VERIFY_WITH_TIMEOUT(remote.alive().isEmpty(), programLimitMs);
}

} // namespace tst_recordersofnodes

RANKDECK_TEST(tst_recordersofnodes, RecordersOfNodesTest)
#include "tst_recordersofnodes.moc"
