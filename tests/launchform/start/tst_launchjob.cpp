#include "launch/options/launchers.h"
#include "launch/spec/launchspec.h"
#include "launchform/launchfixture.h"
#include "launchform/start/launchjob.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/remoterun.h"
#include "support/testmain.h"

#include <QSignalSpy>
#include <QTcpServer>

namespace tst_launchjob
{

using namespace rankdeck;

class TestLaunchJob : public QObject
{
    Q_OBJECT

private:
    /// Counts what a job says until it is finished.
    struct Watched {
        explicit Watched(const LaunchSpec &spec, LaunchWhen when = LaunchWhen::Asked)
            : job(spec, nullptr, when)
            , progress(&job, &LaunchJob::progress)
            , launched(&job, &LaunchJob::launched)
            , failed(&job, &LaunchJob::failed)
            , cancelled(&job, &LaunchJob::cancelled)
            , finished(&job, &LaunchJob::finished)
        {
        }

        bool saidWaiting() const
        {
            return std::any_of(progress.cbegin(), progress.cend(), [](const QList<QVariant> &arguments) {
                const QString text = arguments.first().toString();
                return text.contains(u"(initializing)"_s) || text.contains(u"(file not found yet)"_s);
            });
        }

        LaunchJob job;
        QSignalSpy progress, launched, failed, cancelled, finished;
    };

    static constexpr int deadlineMs = 20000;

private Q_SLOTS:
    void startsTheRunAndSaysWhereItIs()
    {
        const LaunchFixture fixture;
        Watched watched(fixture.spec());
        watched.job.start();
        QTRY_COMPARE_WITH_TIMEOUT(watched.finished.size(), 1, deadlineMs);
        QVERIFY2(watched.failed.isEmpty(),
                 qPrintable(watched.failed.value(0).value(0).value<Error>().sentence()));
        QCOMPARE(watched.launched.size(), 1);
        const QString directory = watched.launched.first().first().toString();
        QVERIFY2(QFile::exists(directory + u"/run.json"_s), qPrintable(directory));
        // The supervisor is not ours to wait for, but it must be done before its directory goes away.
        QTRY_VERIFY_WITH_TIMEOUT(LaunchFixture::isOver(directory), deadlineMs);
    }

    void aTableWithErrorsWaitsForAnAnswer_data()
    {
        QTest::addColumn<bool>("proceed");
        QTest::newRow("launch anyway") << true;
        QTest::newRow("cancel") << false;
    }
    void aTableWithErrorsWaitsForAnAnswer()
    {
        QFETCH(bool, proceed);
        const LaunchFixture fixture;
        const LaunchSpec spec = fixture.spec();
        fixture.writeTableWithErrors();
        Watched watched(spec);
        QSignalSpy asked(&watched.job, &LaunchJob::tableHasErrors);
        watched.job.start();
        QTRY_COMPARE_WITH_TIMEOUT(asked.size(), 1, deadlineMs);
        const auto check = asked.first().first().value<TableCheck>();
        QCOMPARE(check.errors, 2);
        QCOMPARE(check.firstErrors.size(), 2);
        QVERIFY(watched.finished.isEmpty());
        if (proceed)
            watched.job.proceed();
        else
            watched.job.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(watched.finished.size(), 1, deadlineMs);
        QCOMPARE(watched.launched.size(), proceed ? 1 : 0);
        QCOMPARE(watched.cancelled.size(), proceed ? 0 : 1);
        QCOMPARE(QFile::exists(fixture.path("state/rankdeck/runs")), proceed);
        if (proceed)
            QTRY_VERIFY_WITH_TIMEOUT(LaunchFixture::isOver(watched.launched.first().first().toString()),
                                     deadlineMs);
    }

    void aPortInUseWaitsForAnAnswer_data()
    {
        QTest::addColumn<bool>("launch");
        QTest::newRow("launch all the same") << true;
        QTest::newRow("cancel") << false;
    }
    void aPortInUseWaitsForAnAnswer()
    {
        QFETCH(bool, launch);
        const LaunchFixture fixture;
        QTcpServer inUse;
        QVERIFY(inUse.listen(QHostAddress::LocalHost));
        LaunchSpec spec = msrunDefaults();
        spec.logDir = fixture.path("logs");
        spec.command = {u"python3"_s, u"-c"_s, u"pass"_s};
        spec.msrun.workerNum = spec.msrun.localWorkerNum = 1;
        spec.msrun.masterPort = inUse.serverPort();
        Watched watched(spec);
        QSignalSpy held(&watched.job, &LaunchJob::held);
        watched.job.start();
        QTRY_COMPARE_WITH_TIMEOUT(held.size(), 1, deadlineMs);
        const auto holders = held.first().first().value<QList<Holder>>();
        QCOMPARE(holders.size(), 1);
        QCOMPARE(holders.first().port, int(inUse.serverPort()));
        QVERIFY(!holders.first().isOurs());
        QVERIFY(watched.finished.isEmpty());
        if (launch)
            watched.job.launchAllTheSame();
        else
            watched.job.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(watched.finished.size(), 1, deadlineMs);
        // The port is in use all the same, and that is no matter of opinion.
        QCOMPARE(watched.failed.size(), launch ? 1 : 0);
        QCOMPARE(watched.cancelled.size(), launch ? 0 : 1);
    }

    void aRunAgainWaitsUntilItsPortIsFree_data()
    {
        QTest::addColumn<bool>("cancel");
        QTest::addColumn<bool>("isOnANode");
        QTest::newRow("it becomes free") << false << false;
        QTest::newRow("cancelled") << true << false;
        QTest::newRow("it becomes free on a node") << false << true;
        QTest::newRow("cancelled, on a node") << true << true;
    }
    void aRunAgainWaitsUntilItsPortIsFree()
    {
        QFETCH(bool, cancel);
        QFETCH(bool, isOnANode);
        const LaunchFixture fixture;
        QTcpServer inUse;
        QVERIFY(inUse.listen(QHostAddress::LocalHost));
        LaunchSpec spec = msrunDefaults();
        spec.logDir = fixture.path("logs");
        spec.command = {u"python3"_s, u"-c"_s, u"pass"_s};
        spec.msrun.workerNum = spec.msrun.localWorkerNum = 1;
        spec.msrun.masterPort = inUse.serverPort();
        if (isOnANode) {
            spec.nodes.list = u"127.0.0.1"_s;
            spec.nodes.transportCommand = u"env NODE={node}"_s; // It is this machine.
            spec.nodes.program = buildPath("bin/rankdeckctl");
        }
        Watched watched(spec, LaunchWhen::OnceFree);
        QSignalSpy held(&watched.job, &LaunchJob::held);
        watched.job.start();
        const auto hasSaid = [&] {
            return std::any_of(watched.progress.cbegin(), watched.progress.cend(), [](const auto &said) {
                return said.first().toString().contains(u"Waiting until"_s);
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasSaid(), deadlineMs);
        if (cancel)
            watched.job.cancel();
        else
            inUse.close();
        QTRY_COMPARE_WITH_TIMEOUT(watched.finished.size(), 1, deadlineMs);
        QVERIFY(held.isEmpty());
        QCOMPARE(watched.cancelled.size(), cancel ? 1 : 0);
        QCOMPARE(watched.launched.size(), cancel ? 0 : 1);
        if (!cancel)
            QTRY_VERIFY_WITH_TIMEOUT(LaunchFixture::isOver(watched.launched.first().first().toString()),
                                     deadlineMs);
    }

    void aRunOnANodeWaitsForAnAnswer()
    {
        if (!SshServer::isInstalled())
            QSKIP("no OpenSSH server on this machine");
        RemoteRun remote;
        QVERIFY(remote.startSsh());
        const QString folder = QFileInfo(remote.program()).path();
        QFile npuSmi(folder + u"/npu-smi"_s); // Says that there are NPUs, and no more.
        QVERIFY(npuSmi.open(QIODevice::WriteOnly) && npuSmi.write("#!/bin/sh\n") > 0);
        npuSmi.close();
        npuSmi.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.toLocal8Bit() + ':' + path);
        const Outcome holder = ctl(QStringList{u"processes"_s} + remote.nodeOptions("alpha") +
                                   QStringList{u"--detach"_s, u"--grace=1"_s, u"--work-dir"_s, folder,
                                               u"--master-port=%1"_s.arg(freePort()), u"sleep"_s, u"1000"_s});
        const QString name = QString::fromUtf8(holder.out).trimmed();
        const auto isRunning = [&] {
            const auto directory = findRun(name);
            const auto state = directory ? RunReader(*directory).open() : Result<RunState>(Error{});
            return state && state->phase == RunPhase::Running;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isRunning(), deadlineMs);

        LaunchSpec spec = processesDefaults();
        spec.command = {u"true"_s};
        spec.workDir = folder;
        spec.processes.masterPort = freePort();
        spec.nodes.list = u"beta"_s;
        spec.nodes.sshConfig = remote.nodeOptions().at(3);
        spec.nodes.program = remote.program();
        Watched watched(spec);
        QSignalSpy held(&watched.job, &LaunchJob::held);
        watched.job.start();
        QTRY_COMPARE_WITH_TIMEOUT(held.size(), 1, deadlineMs);
        const auto holders = held.first().first().value<QList<Holder>>();
        QCOMPARE(holders.size(), 1);
        QCOMPARE(holders.first().sentence(), u"beta: The run %1 is live. It uses device 0."_s.arg(name));
        QVERIFY(watched.finished.isEmpty());
        watched.job.stopHolders();
        QTRY_COMPARE_WITH_TIMEOUT(watched.finished.size(), 1, deadlineMs);
        QVERIFY2(watched.failed.isEmpty(),
                 qPrintable(watched.failed.value(0).value(0).value<Error>().sentence()));
        QCOMPARE(watched.launched.size(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(LaunchFixture::isOver(watched.launched.first().first().toString()),
                                 deadlineMs);
        QTRY_VERIFY_WITH_TIMEOUT(remote.alive().isEmpty(), deadlineMs);
        qputenv("PATH", path);
    }

    void aLauncherWithoutATableStartsAtOnce()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = msrunDefaults();
        spec.logDir = fixture.path("logs");
        spec.command = {u"python3"_s, u"-c"_s, u"pass"_s};
        spec.msrun.workerNum = spec.msrun.localWorkerNum = 1;
        spec.msrun.simLevel = 0; // No scheduler, so no port.
        spec.msrun.masterAddr = u"localhost"_s;
        Watched watched(spec);
        watched.job.start();
        QTRY_COMPARE_WITH_TIMEOUT(watched.finished.size(), 1, deadlineMs);
        QVERIFY2(watched.failed.isEmpty(),
                 qPrintable(watched.failed.value(0).value(0).value<Error>().sentence()));
        QTRY_VERIFY_WITH_TIMEOUT(LaunchFixture::isOver(watched.launched.first().first().toString()),
                                 deadlineMs);
        QVERIFY(QFile::exists(fixture.path("logs/worker_0.log")));
    }

    void waitsForATableThatIsCompletedLater_data()
    {
        QTest::addColumn<bool>("isThere");
        QTest::newRow("not completed") << true;
        QTest::newRow("not there") << false;
    }
    void waitsForATableThatIsCompletedLater()
    {
        QFETCH(bool, isThere);
        const LaunchFixture fixture;
        const LaunchSpec spec = fixture.spec();
        fixture.writeTable("initializing");
        QVERIFY(isThere || QFile::remove(spec.rankTableFile));
        Watched watched(spec);
        watched.job.start();
        QTRY_VERIFY_WITH_TIMEOUT(watched.saidWaiting(), deadlineMs);
        QVERIFY(watched.finished.isEmpty());
        fixture.writeTable();
        QTRY_COMPARE_WITH_TIMEOUT(watched.launched.size(), 1, deadlineMs);
        QTRY_VERIFY_WITH_TIMEOUT(LaunchFixture::isOver(watched.launched.first().first().toString()),
                                 deadlineMs);
    }

    void cancelWhileWaitingEndsTheJobAndStartsNothing()
    {
        const LaunchFixture fixture;
        const LaunchSpec spec = fixture.spec();
        fixture.writeTable("initializing");
        Watched watched(spec);
        watched.job.start();
        QTRY_VERIFY_WITH_TIMEOUT(watched.saidWaiting(), deadlineMs);
        watched.job.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(watched.finished.size(), 1, deadlineMs);
        QCOMPARE(watched.cancelled.size(), 1);
        QVERIFY(watched.launched.isEmpty());
        QVERIFY(watched.failed.isEmpty());
        QVERIFY(!QFile::exists(fixture.path("state/rankdeck/runs")));
    }

    void aWrongCommandIsNotWaitedFor()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.command = QStringList{u"/no/such/program"_s};
        fixture.writeTable("initializing");
        Watched watched(spec);
        watched.job.start();
        QTRY_COMPARE_WITH_TIMEOUT(watched.finished.size(), 1, deadlineMs);
        QCOMPARE(watched.failed.size(), 1);
    }

    void cancelBeforeItBeganStartsNothing()
    {
        const LaunchFixture fixture;
        Watched watched(fixture.spec());
        watched.job.cancel();
        watched.job.start();
        QTRY_COMPARE_WITH_TIMEOUT(watched.finished.size(), 1, deadlineMs);
        QCOMPARE(watched.cancelled.size(), 1);
        QVERIFY(watched.launched.isEmpty());
    }

    void aDeletedJobStartsNothing()
    {
        const LaunchFixture fixture;
        const LaunchSpec spec = fixture.spec();
        fixture.writeTable("initializing");
        {
            Watched watched(spec);
            watched.job.start();
            QTRY_VERIFY_WITH_TIMEOUT(watched.saidWaiting(), deadlineMs);
        }
        QVERIFY(!QFile::exists(fixture.path("state/rankdeck/runs")));
    }

    void whatIsWrongIsSaidAndNothingStarted_data()
    {
        QTest::addColumn<QString>("wrong");
        for (const char *wrong : {"table", "command", "program", "work dir", "launcher"})
            QTest::newRow(wrong) << QString::fromLatin1(wrong);
    }
    void whatIsWrongIsSaidAndNothingStarted()
    {
        QFETCH(QString, wrong);
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        if (wrong == "table"_L1)
            spec.rankTableFile = fixture.path("no/absent.json");
        else if (wrong == "command"_L1)
            spec.command.clear();
        else if (wrong == "program"_L1)
            spec.command = QStringList{u"/no/such/program"_s};
        else if (wrong == "work dir"_L1)
            spec.workDir = u"/dev/null/absent"_s;
        else
            spec.launcher = u"mpirun"_s;
        Watched watched(spec);
        watched.job.start();
        QTRY_COMPARE_WITH_TIMEOUT(watched.finished.size(), 1, deadlineMs);
        QCOMPARE(watched.failed.size(), 1);
        QVERIFY(!watched.failed.first().first().value<Error>().what.isEmpty());
        QVERIFY(!QFile::exists(fixture.path("state/rankdeck/runs")));
    }
};

} // namespace tst_launchjob

RANKDECK_TEST(tst_launchjob, TestLaunchJob)
#include "tst_launchjob.moc"
