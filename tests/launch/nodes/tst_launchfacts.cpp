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
        QVERIFY(QDir().mkpath(path(name + u"/conda-meta"_s)));
        makeProgram(name + u"/bin/python3"_s);
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
        spec.command = QStringList{u"python3"_s};
        return spec;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void LaunchFactsTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    QVERIFY(m_directory->isValid());
    qputenv("HOME", path(u"home"_s).toLocal8Bit());
}

void LaunchFactsTest::aFileOfVariablesIsRead()
{
    write(u"e"_s, "# 训练\nA=1\n\nB=x=\"y\"\n");
    LaunchSpec wanted = spec();
    wanted.common.envFiles = {path(u"e"_s)};
    const auto facts = gatherLaunchFacts(wanted);
    QVERIFY2(facts, qPrintable(facts.error().sentence()));
    const QMap<QString, QString> expected{{u"A"_s, u"1"_s}, {u"B"_s, u"x=\"y\""_s}};
    QCOMPARE(facts->envFiles.value(path(u"e"_s)), expected);
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
    write(u"e"_s, text);
    LaunchSpec wanted = spec();
    wanted.common.envFiles = {path(u"e"_s)};
    const auto facts = gatherLaunchFacts(wanted);
    QVERIFY(!facts);
    QCOMPARE(facts.error().where, path(u"e"_s));
    QVERIFY2(facts.error().what.contains(says), qPrintable(facts.error().what));
}

void LaunchFactsTest::condaEnvironmentsAreFoundWhereCondaKeepsThem()
{
    makeEnvironment(u"anaconda"_s);
    makeEnvironment(u"anaconda/envs/MindSpore"_s);
    makeEnvironment(u"mini"_s);
    makeEnvironment(u"shared/torch"_s);
    makeEnvironment(u"elsewhere/listed"_s);
    QVERIFY(QDir().mkpath(path(u"home/.conda"_s)));
    write(u"home/.conda/environments.txt"_s, path(u"elsewhere/listed"_s).toUtf8() + "\n/gone\n");
    QProcessEnvironment environment;
    environment.insert(u"ANACONDA_DIR"_s, path(u"anaconda"_s));
    environment.insert(u"CONDA_EXE"_s, path(u"mini/bin/conda"_s));
    environment.insert(u"CONDA_ENVS_PATH"_s, path(u"shared"_s));
    QStringList names;
    for (const CondaEnvironment &found : findCondaEnvironments(spec(), environment)) {
        names << found.name;
        QCOMPARE(found.programs, QStringList{u"python3"_s});
    }
    QCOMPARE(names, QStringList({u"base"_s, u"MindSpore"_s, u"base"_s, u"torch"_s, u"listed"_s}));
}

void LaunchFactsTest::theEnvironmentThatAPlatformNamesNeedNotLookLikeCondas_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("directory");
    QTest::newRow("an environment") << u"MindSpore"_s << u"anaconda/envs/MindSpore"_s;
    QTest::newRow("the root") << u"base"_s << u"anaconda"_s;
}

void LaunchFactsTest::theEnvironmentThatAPlatformNamesNeedNotLookLikeCondas()
{
    QFETCH(QString, name);
    QFETCH(QString, directory);
    makeProgram(directory + u"/bin/python"_s);
    QProcessEnvironment environment;
    environment.insert(u"ANACONDA_DIR"_s, path(u"anaconda"_s));
    environment.insert(u"DEFAULT_CONDA_ENV_NAME"_s, name);
    HostFacts facts;
    facts.condaEnvironments = findCondaEnvironments(spec(), environment);
    const auto chosen = chooseCondaEnvironment(name, facts);
    QVERIFY2(chosen, qPrintable(chosen.error().sentence()));
    QCOMPARE(chosen->directory, path(directory));
    QCOMPARE(chosen->programs, QStringList{u"python"_s});
    // An environment that --conda-env names is one of conda's.
    LaunchSpec named = spec();
    named.common.condaEnv = name;
    QVERIFY(findCondaEnvironments(named, environment).isEmpty());
}

void LaunchFactsTest::thePythonOfTheEnvironmentIsFound()
{
    makeProgram(u"venv/bin/python"_s);
    makeProgram(u"conda/bin/python"_s);
    QProcessEnvironment environment;
    QCOMPARE(pythonOfEnvironment(spec(), environment), QString());
    environment.insert(u"CONDA_PREFIX"_s, path(u"conda"_s));
    QCOMPARE(pythonOfEnvironment(spec(), environment), path(u"conda/bin/python"_s));
    environment.insert(u"VIRTUAL_ENV"_s, path(u"venv"_s));
    QCOMPARE(pythonOfEnvironment(spec(), environment), path(u"venv/bin/python"_s));
    LaunchSpec without = spec();
    without.common.unsetVariables = QStringList{u"VIRTUAL_ENV"_s};
    QCOMPARE(pythonOfEnvironment(without, environment), path(u"conda/bin/python"_s));
    environment.insert(u"VIRTUAL_ENV"_s, path(u"gone"_s));
    QCOMPARE(pythonOfEnvironment(spec(), environment), path(u"conda/bin/python"_s));
}

void LaunchFactsTest::theNumaNodesWithMemoryAreRead()
{
    for (const char *node : {"node0", "node1", "node2"})
        QVERIFY(QDir().mkpath(path(QLatin1String(node))));
    write(u"has_memory"_s, "0,2\n");
    write(u"node0/cpulist"_s, "0-1,4\n");
    write(u"node2/cpulist"_s, "\n");
    const QList<NumaNode> nodes = findNumaNodes(path(QString()));
    QCOMPARE(nodes.size(), 2);
    QCOMPARE(nodes[0].cpus, (QList<int>{0, 1, 4}));
    QCOMPARE(nodes[1].number, 2);
    QVERIFY(nodes[1].cpus.isEmpty());
    QVERIFY(findNumaNodes(path(u"none"_s)).isEmpty());
}

void LaunchFactsTest::aDirectoryThatIsNoEnvironmentIsNotTaken()
{
    QVERIFY(QDir().mkpath(path(u"anaconda/envs/empty"_s)));
    QProcessEnvironment environment;
    environment.insert(u"ANACONDA_DIR"_s, path(u"anaconda"_s));
    QVERIFY(findCondaEnvironments(spec(), environment).isEmpty());
}

void LaunchFactsTest::anEnvironmentIsChosenByItsDirectory()
{
    makeEnvironment(u"mine"_s);
    LaunchSpec wanted = spec();
    wanted.common.condaEnv = path(u"mine/"_s);
    HostFacts facts;
    facts.condaEnvironments = findCondaEnvironments(wanted, {});
    const auto chosen = chooseCondaEnvironment(wanted.common.condaEnv, facts);
    QVERIFY2(chosen, qPrintable(chosen.error().sentence()));
    QCOMPARE(chosen->directory, path(u"mine"_s));
    QVERIFY(!chooseCondaEnvironment(path(u"other"_s), facts));
}

} // namespace tst_launchfacts

RANKDECK_TEST(tst_launchfacts, LaunchFactsTest)
#include "tst_launchfacts.moc"
