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
        process.start(QStringLiteral("sh"),
                      QStringList{QStringLiteral("-c"), line + QStringLiteral("; exec \"$@\""),
                                  QStringLiteral("sh"), buildPath("bin/rankdeckctl")} +
                          arguments);
        return outcomeOf(process);
    }
    static QStringList ranks(int count, const QString &script)
    {
        return {QStringLiteral("processes"), QStringLiteral("--master-port"),
                QString::number(freePort()), QStringLiteral("--nproc"),
                QString::number(count),      QStringLiteral("sh"),
                QStringLiteral("-c"),        script};
    }
    static QStringList openFilesOf(qint64 pid)
    {
        QStringList targets;
        const QString folder = QStringLiteral("/proc/%1/fd/").arg(pid);
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
    QStringList launch = ranks(2, QStringLiteral("exec sleep 1000"));
    launch.insert(1, QStringLiteral("--detach"));
    const QString held = m_home->path("held");
    QCOMPARE(behind(QStringLiteral("exec 9>'%1' 7<'%1'").arg(held), launch).code, 0);
    const auto run = findRun(QStringLiteral("last"));
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
    QCOMPARE(ctl({QStringLiteral("stop"), QStringLiteral("last")}).code, 0);
}

void CallersWorldTest::whatTheCallerHasLockedIsFreeAtOnce()
{
    QStringList launch = ranks(1, QStringLiteral("true"));
    launch.insert(1, QStringLiteral("--detach"));
    const QString held = m_home->path("held");
    for (int round = 0; round < 5; ++round) {
        QCOMPARE(behind(QStringLiteral("exec 9>'%1'; flock -n 9").arg(held), launch).code, 0);
        QCOMPARE(
            QProcess::execute(QStringLiteral("flock"), {QStringLiteral("-n"), held, QStringLiteral("true")}),
            0);
    }
}

void CallersWorldTest::theHardLimitsAreUsedAndRanksHaveTheirOwn()
{
    const Outcome outcome = behind(QStringLiteral("ulimit -Sn 40; ulimit -Hn 4096"),
                                   ranks(48, QStringLiteral("ulimit -Sn; ulimit -Hn")));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(outcome.out.count("40\n"), 48);
    QCOMPARE(outcome.out.count("4096\n"), 48);
}

void CallersWorldTest::tooFewOpenFilesAreToldBeforeTheFirstRank()
{
    const QString mark = m_home->path("started");
    const Outcome outcome =
        behind(QStringLiteral("ulimit -n 64"), ranks(64, QStringLiteral("touch '%1'").arg(mark)));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("64 processes need about 112 open files; the limit is 64") &&
                 outcome.err.contains("ulimit -n 4096"),
             outcome.err.constData());
    QVERIFY(!QFile::exists(mark));
    QVERIFY(!findRun(QStringLiteral("last")));
}

void CallersWorldTest::tooFewProcessesAreToldBeforeTheFirstRank()
{
    if (geteuid() == 0)
        QSKIP("the limit of processes does not count for root");
    const Outcome outcome =
        behind(QStringLiteral("prlimit --pid $$ --nproc=20"), ranks(64, QStringLiteral("true")));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("64 processes are to be started, and") &&
                 outcome.err.contains("the limit is 20"),
             outcome.err.constData());
}

void CallersWorldTest::aRelativeStateFolderIsIgnored()
{
    qputenv("XDG_STATE_HOME", "relative");
    qputenv("HOME", m_home->path("home").toLocal8Bit());
    const Outcome outcome = behind(QStringLiteral("true"), ranks(1, QStringLiteral("true")));
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
    const QByteArray link = (folder + QStringLiteral("/worker_0.log")).toLocal8Bit();
    QVERIFY(QFile::link(precious, QString::fromLocal8Bit(link)));
    const QStringList launch{QStringLiteral("msrun"),
                             QStringLiteral("--worker_num=2"),
                             QStringLiteral("--local_worker_num=2"),
                             QStringLiteral("--master_port=%1").arg(freePort()),
                             QStringLiteral("--join=True"),
                             QStringLiteral("--log_dir=") + folder,
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
