#include "launch/host/hostfacts.h"
#include "launch/nodes/planlaunch.h"
#include "launch/spec/launchspec.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_launchfacts
{

using namespace rankdeck;

/// Files of variables and conda environments, as they are found on a disk.
class LaunchFactsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aFileOfVariablesIsRead();
    void aFileThatIsNoneIsNamedWithItsLine_data();
    void aFileThatIsNoneIsNamedWithItsLine();
    void condaEnvironmentsAreFoundWhereCondaKeepsThem();
    void theEnvironmentThatAPlatformNamesNeedNotLookLikeCondas_data();
    void theEnvironmentThatAPlatformNamesNeedNotLookLikeCondas();
    void thePythonOfTheEnvironmentIsFound();
    void theNumaNodesWithMemoryAreRead();
    void aDirectoryThatIsNoEnvironmentIsNotTaken();
    void anEnvironmentIsChosenByItsDirectory();

private:
    QString path(const QString &name) const { return m_directory->filePath(name); }
    void write(const QString &name, const QByteArray &text) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    /// An environment with python3, as conda makes it.
    void makeEnvironment(const QString &name) const
    {
        QVERIFY(QDir().mkpath(path(name + QStringLiteral("/conda-meta"))));
        makeProgram(name + QStringLiteral("/bin/python3"));
    }
    void makeProgram(const QString &name) const
    {
        QVERIFY(QDir().mkpath(QFileInfo(path(name)).path()));
        write(name, "#!/bin/sh\n");
        QVERIFY(QFile::setPermissions(path(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    static LaunchSpec spec()
    {
        LaunchSpec spec = processesDefaults();
        spec.command = QStringList{QStringLiteral("python3")};
        return spec;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void LaunchFactsTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    QVERIFY(m_directory->isValid());
    qputenv("HOME", path(QStringLiteral("home")).toLocal8Bit());
}

void LaunchFactsTest::aFileOfVariablesIsRead()
{
    write(QStringLiteral("e"), "# 训练\nA=1\n\nB=x=\"y\"\n");
    LaunchSpec wanted = spec();
    wanted.common.envFiles = {path(QStringLiteral("e"))};
    const auto facts = gatherLaunchFacts(wanted);
    QVERIFY2(facts, qPrintable(facts.error().sentence()));
    const QMap<QString, QString> expected{{QStringLiteral("A"), QStringLiteral("1")},
                                          {QStringLiteral("B"), QStringLiteral("x=\"y\"")}};
    QCOMPARE(facts->envFiles.value(path(QStringLiteral("e"))), expected);
}

void LaunchFactsTest::aFileThatIsNoneIsNamedWithItsLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("no equals sign") << QByteArray("A=1\nB\n") << "Line 2";
    QTest::newRow("no name") << QByteArray("=1\n") << "Line 1";
    QTest::newRow("binary") << QByteArray("A=1\n\0\1", 6) << "not a file of variables";
}

void LaunchFactsTest::aFileThatIsNoneIsNamedWithItsLine()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    write(QStringLiteral("e"), text);
    LaunchSpec wanted = spec();
    wanted.common.envFiles = {path(QStringLiteral("e"))};
    const auto facts = gatherLaunchFacts(wanted);
    QVERIFY(!facts);
    QCOMPARE(facts.error().where, path(QStringLiteral("e")));
    QVERIFY2(facts.error().what.contains(says), qPrintable(facts.error().what));
}

void LaunchFactsTest::condaEnvironmentsAreFoundWhereCondaKeepsThem()
{
    makeEnvironment(QStringLiteral("anaconda"));
    makeEnvironment(QStringLiteral("anaconda/envs/MindSpore"));
    makeEnvironment(QStringLiteral("mini"));
    makeEnvironment(QStringLiteral("shared/torch"));
    makeEnvironment(QStringLiteral("elsewhere/listed"));
    QVERIFY(QDir().mkpath(path(QStringLiteral("home/.conda"))));
    write(QStringLiteral("home/.conda/environments.txt"),
          path(QStringLiteral("elsewhere/listed")).toUtf8() + "\n/gone\n");
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("ANACONDA_DIR"), path(QStringLiteral("anaconda")));
    environment.insert(QStringLiteral("CONDA_EXE"), path(QStringLiteral("mini/bin/conda")));
    environment.insert(QStringLiteral("CONDA_ENVS_PATH"), path(QStringLiteral("shared")));
    QStringList names;
    for (const CondaEnvironment &found : findCondaEnvironments(spec(), environment)) {
        names << found.name;
        QCOMPARE(found.programs, QStringList{QStringLiteral("python3")});
    }
    QCOMPARE(names, QStringList({QStringLiteral("base"), QStringLiteral("MindSpore"), QStringLiteral("base"),
                                 QStringLiteral("torch"), QStringLiteral("listed")}));
}

void LaunchFactsTest::theEnvironmentThatAPlatformNamesNeedNotLookLikeCondas_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("directory");
    QTest::newRow("an environment") << QStringLiteral("MindSpore")
                                    << QStringLiteral("anaconda/envs/MindSpore");
    QTest::newRow("the root") << QStringLiteral("base") << QStringLiteral("anaconda");
}

void LaunchFactsTest::theEnvironmentThatAPlatformNamesNeedNotLookLikeCondas()
{
    QFETCH(QString, name);
    QFETCH(QString, directory);
    makeProgram(directory + QStringLiteral("/bin/python"));
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("ANACONDA_DIR"), path(QStringLiteral("anaconda")));
    environment.insert(QStringLiteral("DEFAULT_CONDA_ENV_NAME"), name);
    HostFacts facts;
    facts.condaEnvironments = findCondaEnvironments(spec(), environment);
    const auto chosen = chooseCondaEnvironment(name, facts);
    QVERIFY2(chosen, qPrintable(chosen.error().sentence()));
    QCOMPARE(chosen->directory, path(directory));
    QCOMPARE(chosen->programs, QStringList{QStringLiteral("python")});
    // An environment that --conda-env names is one of conda's.
    LaunchSpec named = spec();
    named.common.condaEnv = name;
    QVERIFY(findCondaEnvironments(named, environment).isEmpty());
}

void LaunchFactsTest::thePythonOfTheEnvironmentIsFound()
{
    makeProgram(QStringLiteral("venv/bin/python"));
    makeProgram(QStringLiteral("conda/bin/python"));
    QProcessEnvironment environment;
    QCOMPARE(pythonOfEnvironment(spec(), environment), QString());
    environment.insert(QStringLiteral("CONDA_PREFIX"), path(QStringLiteral("conda")));
    QCOMPARE(pythonOfEnvironment(spec(), environment), path(QStringLiteral("conda/bin/python")));
    environment.insert(QStringLiteral("VIRTUAL_ENV"), path(QStringLiteral("venv")));
    QCOMPARE(pythonOfEnvironment(spec(), environment), path(QStringLiteral("venv/bin/python")));
    LaunchSpec without = spec();
    without.common.unsetVariables = QStringList{QStringLiteral("VIRTUAL_ENV")};
    QCOMPARE(pythonOfEnvironment(without, environment), path(QStringLiteral("conda/bin/python")));
    environment.insert(QStringLiteral("VIRTUAL_ENV"), path(QStringLiteral("gone")));
    QCOMPARE(pythonOfEnvironment(spec(), environment), path(QStringLiteral("conda/bin/python")));
}

void LaunchFactsTest::theNumaNodesWithMemoryAreRead()
{
    for (const char *node : {"node0", "node1", "node2"})
        QVERIFY(QDir().mkpath(path(QLatin1String(node))));
    write(QStringLiteral("has_memory"), "0,2\n");
    write(QStringLiteral("node0/cpulist"), "0-1,4\n");
    write(QStringLiteral("node2/cpulist"), "\n");
    const QList<NumaNode> nodes = findNumaNodes(path(QString()));
    QCOMPARE(nodes.size(), 2);
    QCOMPARE(nodes[0].cpus, (QList<int>{0, 1, 4}));
    QCOMPARE(nodes[1].number, 2);
    QVERIFY(nodes[1].cpus.isEmpty());
    QVERIFY(findNumaNodes(path(QStringLiteral("none"))).isEmpty());
}

void LaunchFactsTest::aDirectoryThatIsNoEnvironmentIsNotTaken()
{
    QVERIFY(QDir().mkpath(path(QStringLiteral("anaconda/envs/empty"))));
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("ANACONDA_DIR"), path(QStringLiteral("anaconda")));
    QVERIFY(findCondaEnvironments(spec(), environment).isEmpty());
}

void LaunchFactsTest::anEnvironmentIsChosenByItsDirectory()
{
    makeEnvironment(QStringLiteral("mine"));
    LaunchSpec wanted = spec();
    wanted.common.condaEnv = path(QStringLiteral("mine/"));
    HostFacts facts;
    facts.condaEnvironments = findCondaEnvironments(wanted, {});
    const auto chosen = chooseCondaEnvironment(wanted.common.condaEnv, facts);
    QVERIFY2(chosen, qPrintable(chosen.error().sentence()));
    QCOMPARE(chosen->directory, path(QStringLiteral("mine")));
    QVERIFY(!chooseCondaEnvironment(path(QStringLiteral("other")), facts));
}

} // namespace tst_launchfacts

RANKDECK_TEST(tst_launchfacts, LaunchFactsTest)
#include "tst_launchfacts.moc"
