#include "launch/plan/launchplan.h"
#include "run/workers/ranksearch.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_ranksearch
{

using namespace rankdeck;

/// Which processes below a wrapped launcher are its ranks.
class RankSearchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLaunchersVariablesTellTheRank_data();
    void aLaunchersVariablesTellTheRank();
    void whatTheLauncherItselfHasSaysNothing();
    void theTopmostProcessIsTheRank();
    void thePythonBelowAShellIsTheRank();
    void theRanksOfAnInnerLauncherCount();
    void whatOutlivesARankIsNotTheRank();
    void aProgramThatIsReplacedIsReadAgain();
    void aFoundPlanSurvivesTheJournal();

private:
    static constexpr pid_t root = 1;

    static QProcessEnvironment environment(const QString &words)
    {
        QProcessEnvironment environment;
        for (const QString &word : words.split(' '_L1, Qt::SkipEmptyParts))
            environment.insert(word.section('='_L1, 0, 0), word.section('='_L1, 1));
        return environment;
    }
    void add(pid_t pid, pid_t parent, const char *name, const QString &words)
    {
        ProcessInfo process;
        process.pid = pid;
        process.parent = parent;
        process.state = 'S';
        process.startTime = quint64(pid);
        process.name = QLatin1String(name);
        m_tree.push_back(process);
        m_words[pid] = words;
    }
    /// "0:10 1:11": rank and pid of each rank.
    QString look()
    {
        QStringList found;
        const auto ranks = m_search.look(m_tree, root, [this](const ProcessInfo &process) {
            return environment(m_words.at(process.pid));
        });
        for (const auto &[rank, its] : ranks)
            found << u"%1:%2"_s.arg(rank).arg(its.process.pid);
        return found.join(' '_L1);
    }

    std::vector<ProcessInfo> m_tree;
    std::map<pid_t, QString> m_words;
    RankSearch m_search{QProcessEnvironment()};

private Q_SLOTS:
    void init()
    {
        m_tree.clear();
        m_words.clear();
        m_search = RankSearch(QProcessEnvironment());
    }
};

void RankSearchTest::aLaunchersVariablesTellTheRank_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("ranks");
    QTest::newRow("torchrun") << "RANK=11 LOCAL_RANK=3 WORLD_SIZE=16"
                              << "11 3";
    QTest::newRow("msrun") << "RANK_ID=5 DEVICE_ID=1"
                           << "5 1";
    QTest::newRow("mpirun") << "OMPI_COMM_WORLD_RANK=9 OMPI_COMM_WORLD_LOCAL_RANK=1"
                            << "9 1";
    QTest::newRow("srun") << "SLURM_PROCID=4 SLURM_LOCALID=0"
                          << "4 0";
    QTest::newRow("a loop") << "LOCAL_RANK=2"
                            << "2 2";
    QTest::newRow("nothing") << "HOME=/root"
                             << "";
    QTest::newRow("not a number") << "RANK=first"
                                  << "";
    QTest::newRow("negative") << "RANK=-1"
                              << "";
}

void RankSearchTest::aLaunchersVariablesTellTheRank()
{
    QFETCH(QString, words);
    QFETCH(QString, ranks);
    const auto read = rankWords(environment(words), {});
    QCOMPARE(read ? u"%1 %2"_s.arg(read->rank).arg(read->localRank) : QString(), ranks);
}

void RankSearchTest::whatTheLauncherItselfHasSaysNothing()
{
    // A batch script has SLURM_PROCID, a pod of an operator has RANK.
    const QProcessEnvironment batch = environment(u"SLURM_PROCID=0 RANK=0"_s);
    QVERIFY(!rankWords(batch, batch));
    const auto first = rankWords(environment(u"SLURM_PROCID=0 RANK=0 LOCAL_RANK=0"_s), batch);
    QVERIFY(first);
    QCOMPARE(first->rank, 0);
}

void RankSearchTest::theTopmostProcessIsTheRank()
{
    add(10, root, "torchrun", {});
    for (int rank = 0; rank < 2; ++rank) {
        const QString words = u"RANK=%1"_s.arg(rank);
        add(20 + rank, 10, "python3", words);
        add(30 + rank, 20 + rank, "python3", words); // A data loader.
    }
    QCOMPARE(look(), u"0:20 1:21"_s);
}

void RankSearchTest::thePythonBelowAShellIsTheRank()
{
    add(10, root, "mpirun", {});
    add(20, 10, "bash", u"OMPI_COMM_WORLD_RANK=0"_s);
    QCOMPARE(look(), u"0:20"_s);
    add(21, 20, "sleep", u"OMPI_COMM_WORLD_RANK=0"_s);
    QCOMPARE(look(), u"0:20"_s);
    add(22, 20, "python3", u"OMPI_COMM_WORLD_RANK=0"_s);
    QCOMPARE(look(), u"0:22"_s);
}

void RankSearchTest::theRanksOfAnInnerLauncherCount()
{
    // srun starts torchrun, which starts the ranks.
    add(10, root, "srun", {});
    add(20, 10, "torchrun", u"SLURM_PROCID=0"_s);
    add(30, 20, "python3", u"SLURM_PROCID=0 RANK=0 LOCAL_RANK=0"_s);
    add(31, 20, "python3", u"SLURM_PROCID=0 RANK=1 LOCAL_RANK=1"_s);
    QCOMPARE(look(), u"0:30 1:31"_s);
}

void RankSearchTest::whatOutlivesARankIsNotTheRank()
{
    add(10, root, "torchrun", {});
    add(20, 10, "python3", u"RANK=0"_s);
    add(30, 20, "python3", u"RANK=0"_s);
    QCOMPARE(look(), u"0:20"_s);
    std::erase_if(m_tree, [](const ProcessInfo &process) { return process.pid == 20; });
    m_tree.back().parent = root;
    QCOMPARE(look(), QString());
}

void RankSearchTest::aProgramThatIsReplacedIsReadAgain()
{
    add(10, root, "bash", {});
    add(20, 10, "bash", {});
    QCOMPARE(look(), QString());
    for (int count = 0; count < 20; ++count)
        look();
    m_tree.back().name = u"train"_s;
    m_words[20] = u"RANK=3"_s;
    QCOMPARE(look(), u"3:20"_s);
}

void RankSearchTest::aFoundPlanSurvivesTheJournal()
{
    ProcessPlan plan;
    plan.isFound = true;
    plan.rank = Rank(3);
    plan.argv = QStringList{u"python3"_s, u"train.py"_s};
    plan.setVariables.insert(u"RANK"_s, u"3"_s);
    const auto again = foundFromText(processText(plan));
    QVERIFY(again);
    QCOMPARE(*again, plan);
    plan.isFound = false;
    QVERIFY(!foundFromText(processText(plan)));
    QVERIFY(!foundFromText(u"{}"_s));
}

} // namespace tst_ranksearch

RANKDECK_TEST(tst_ranksearch, RankSearchTest)
#include "tst_ranksearch.moc"
