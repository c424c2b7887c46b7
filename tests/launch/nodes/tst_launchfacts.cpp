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
        QVERIFY(QDir().mkpath(path(name + QStringLiteral("/bin"))));
        write(name + QStringLiteral("/bin/python3"), "#!/bin/sh\n");
        QVERIFY(QFile::setPermissions(path(name + QStringLiteral("/bin/python3")),
                                      QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
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
    QTest::newRow("binary") << QByteArray("A=1\n\0\1", 6) << "no file of variables";
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
