#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <memory>

#include <unistd.h>

namespace tst_callersworld
{

using namespace rankdeck;

/// What a run has, and has not, from the shell that launched it.
class CallersWorldTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<TestHome>(); }
    void cleanup() { killProcessesOf(*m_home); }
    void nobodyKeepsADescriptorOfTheCaller();
    void whatTheCallerHasLockedIsFreeAtOnce();
    void theHardLimitsAreUsedAndRanksHaveTheirOwn();
    void tooFewOpenFilesAreToldBeforeTheFirstRank();
    void tooFewProcessesAreToldBeforeTheFirstRank();
    void aRelativeStateFolderIsIgnored();
    void noLinkOfAnotherUserIsFollowed();

private:
    /// Runs rankdeckctl behind a line of a shell.
    Outcome behind(const QString &line, const QStringList &arguments) const
    {
        QProcess process;
        process.setWorkingDirectory(m_home->path("."));
        process.start(u"sh"_s,
                      QStringList{u"-c"_s, line + u"; exec \"$@\""_s, u"sh"_s, buildPath("bin/rankdeckctl")} +
                          arguments);
        return outcomeOf(process);
    }
    static QStringList ranks(int count, const QString &script)
    {
        return {u"processes"_s,
                u"--master-port"_s,
                QString::number(freePort()),
                u"--nproc"_s,
                QString::number(count),
                u"sh"_s,
                u"-c"_s,
                script};
    }
    static QStringList openFilesOf(qint64 pid)
    {
        QStringList targets;
        const QString folder = u"/proc/%1/fd/"_s.arg(pid);
        const QStringList names =
            QDir(folder).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
        for (const QString &name : names)
            targets << QFile::symLinkTarget(folder + name);
        return targets;
    }

    std::unique_ptr<TestHome> m_home;
};

void CallersWorldTest::nobodyKeepsADescriptorOfTheCaller()
{
    QStringList launch = ranks(2, u"exec sleep 1000"_s);
    launch.insert(1, u"--detach"_s);
    const QString held = m_home->path("held");
    QCOMPARE(behind(u"exec 9>'%1' 7<'%1'"_s.arg(held), launch).code, 0);
    const auto run = findRun(u"last"_s);
    QVERIFY(run);
    const auto isUp = [&] {
        const auto state = RunReader(*run).open();
        return state && state->count(RankPhase::Running) == 2;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isUp(), programLimitMs);
    const auto record = readRunRecord(*run);
    const auto state = RunReader(*run).open();
    const QList<qint64> all = processesOf(m_home->path("state"));
    QVERIFY(all.contains(record->supervisor->pid) && all.contains(record->guardian->pid));
    QVERIFY(all.size() >= 5); // The agent as well, and two ranks.
    for (const qint64 pid : all)
        QVERIFY2(!openFilesOf(pid).contains(held), qPrintable(QString::number(pid)));
    for (const RankState &rank : state->ranks)
        QCOMPARE(openFilesOf(rank.pid).size(), 3);
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
}

void CallersWorldTest::whatTheCallerHasLockedIsFreeAtOnce()
{
    QStringList launch = ranks(1, u"true"_s);
    launch.insert(1, u"--detach"_s);
    const QString held = m_home->path("held");
    for (int round = 0; round < 5; ++round) {
        QCOMPARE(behind(u"exec 9>'%1'; flock -n 9"_s.arg(held), launch).code, 0);
        QCOMPARE(QProcess::execute(u"flock"_s, {u"-n"_s, held, u"true"_s}), 0);
        QCOMPARE(ctl({u"wait"_s, u"last"_s}).code, 0); // Its port is free then.
    }
}

void CallersWorldTest::theHardLimitsAreUsedAndRanksHaveTheirOwn()
{
    const Outcome outcome =
        behind(u"ulimit -Sn 40; ulimit -Hn 4096"_s, ranks(48, u"ulimit -Sn; ulimit -Hn"_s));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(outcome.out.count("40\n"), 48);
    QCOMPARE(outcome.out.count("4096\n"), 48);
}

void CallersWorldTest::tooFewOpenFilesAreToldBeforeTheFirstRank()
{
    const QString mark = m_home->path("started");
    const Outcome outcome = behind(u"ulimit -n 64"_s, ranks(64, u"touch '%1'"_s.arg(mark)));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("64 processes need about 112 open files; the limit is 64") &&
                 outcome.err.contains("ulimit -n 4096"),
             outcome.err.constData());
    QVERIFY(!QFile::exists(mark));
    QVERIFY(!findRun(u"last"_s));
}

void CallersWorldTest::tooFewProcessesAreToldBeforeTheFirstRank()
{
    if (geteuid() == 0)
        QSKIP("the limit of processes does not count for root");
    const Outcome outcome = behind(u"prlimit --pid $$ --nproc=20"_s, ranks(64, u"true"_s));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("64 processes are to be started, and") &&
                 outcome.err.contains("the limit is 20"),
             outcome.err.constData());
}

void CallersWorldTest::aRelativeStateFolderIsIgnored()
{
    qputenv("XDG_STATE_HOME", "relative");
    qputenv("HOME", m_home->path("home").toLocal8Bit());
    const Outcome outcome = behind(u"true"_s, ranks(1, u"true"_s));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(!QFile::exists(m_home->path("relative")));
    QCOMPARE(QDir(m_home->path("home/.local/state/rankdeck/runs"))
                 .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                 .size(),
             1);
}

void CallersWorldTest::noLinkOfAnotherUserIsFollowed()
{
    if (geteuid() != 0)
        QSKIP("only root can make a link of another user's");
    const QString folder = m_home->path("logs");
    const QString precious = m_home->path("precious");
    QVERIFY(QDir().mkpath(folder));
    {
        QFile file(precious);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("kept") == 4);
    }
    const QByteArray link = (folder + u"/worker_0.log"_s).toLocal8Bit();
    QVERIFY(QFile::link(precious, QString::fromLocal8Bit(link)));
    const QStringList launch{u"msrun"_s,
                             u"--worker_num=2"_s,
                             u"--local_worker_num=2"_s,
                             u"--master_port=%1"_s.arg(freePort()),
                             u"--join=True"_s,
                             u"--log_dir="_s + folder,
                             train({}).last()};
    constexpr uid_t another = 1;
    QCOMPARE(lchown(link.constData(), another, another), 0);
    const Outcome refused = ctl(launch);
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("a link, or a file of another user"), refused.err.constData());
    QCOMPARE(fileText(precious), QByteArray("kept"));
    QVERIFY(QFile::remove(QString::fromLocal8Bit(link)));
    QFile others(QString::fromLocal8Bit(link));
    QVERIFY(others.open(QIODevice::WriteOnly));
    QCOMPARE(fchown(others.handle(), another, another), 0);
    QCOMPARE(ctl(launch).code, 2);
}

} // namespace tst_callersworld

RANKDECK_TEST(tst_callersworld, CallersWorldTest)
#include "tst_callersworld.moc"
