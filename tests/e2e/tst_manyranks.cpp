#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <memory>

#include <sys/resource.h>

namespace tst_manyranks
{

using namespace rankdeck;

/// 256 ranks on one node, each with two logs, where nobody may have more than 1024 files open.
class ManyRanksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theyRunAndAreWatchedWith1024OpenFiles();

private:
    static constexpr int ranks = 256;

    /// rankdeckctl, and all that it starts, under the limit.
    static std::unique_ptr<QProcess> limitedCtl(const QStringList &arguments)
    {
        auto process = std::make_unique<QProcess>();
        process->setChildProcessModifier([] {
            const rlimit limit{1024, 1024};
            setrlimit(RLIMIT_NOFILE, &limit);
        });
        process->start(buildPath("bin/rankdeckctl"), arguments);
        return process;
    }
    static RunState lastRun()
    {
        const auto directory = findRun(u"last"_s);
        const auto state = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return state ? *state : RunState();
    }
};

void ManyRanksTest::theyRunAndAreWatchedWith1024OpenFiles()
{
    const TestHome home;
    const QString end = home.path("end");
    const auto launched = limitedCtl({u"processes"_s, u"--nproc=%1"_s.arg(ranks), u"--master-port"_s,
                                      QString::number(freePort()), u"--"_s, u"sh"_s, u"-c"_s,
                                      u"echo files $(ulimit -Sn) $(ulimit -Hn); echo error >&2; "
                                      "while [ ! -e '%1' ]; do sleep 1; done"_s.arg(end)});
    QTRY_COMPARE_WITH_TIMEOUT(lastRun().count(RankPhase::Running), ranks, 90000);
    const auto attached = limitedCtl({u"attach"_s, u"last"_s});
    // Both read every log while it is open.
    QByteArray seen;
    const auto sawAll = [&] {
        seen += attached->readAllStandardOutput();
        return seen.count("files 1024 1024\n") == ranks && seen.count("error\n") == ranks;
    };
    QTRY_VERIFY_WITH_TIMEOUT(sawAll(), 60000);
    QFile file(end);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(outcomeOf(*attached).code, 0);
    const Outcome outcome = outcomeOf(*launched);
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(outcome.out.count("files 1024 1024\n"), ranks);
    QCOMPARE(outcome.err.count("error\n"), ranks);
    QCOMPARE(lastRun().count(RankPhase::Exited), ranks);
}

} // namespace tst_manyranks

RANKDECK_TEST(tst_manyranks, ManyRanksTest)
#include "tst_manyranks.moc"
