#include "agent/node/nodepreparation.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <memory>

namespace tst_nodepreparation
{

using namespace rankdeck;

/// What a node checks and makes for its share before anything of the launch is started.
class NodePreparationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<TestHome>(); }
    void cleanup() { m_home.reset(); }
    void whatTheShareNeedsIsLookedFor_data();
    void whatTheShareNeedsIsLookedFor();
    void aHookMayBringTheScript();
    void anEnvironmentOfPythonThatIsNotThereIsNoOtherPython();
    void filesOfTheLaunchAreLaidInTheNodesOwnDirectory();

private:
    QString at(const char *file) const { return m_home->path(file); }
    void make(const char *file) const
    {
        QDir().mkpath(QFileInfo(at(file)).path());
        QFile made(at(file));
        QVERIFY(made.open(QIODevice::WriteOnly) && made.write("#!/bin/sh\n") > 0);
        made.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    orders::Prepare order(const QStringList &argv) const
    {
        orders::Prepare order;
        order.node = u"beta"_s;
        order.runDirectory = u"/of/the/head/run"_s;
        order.plan.thisNode = order.node;
        ProcessPlan &process = order.plan.processes.emplace_back();
        process.node = order.node;
        process.argv = argv;
        process.workDir = at("work");
        process.logFile = QLatin1String(runDirectoryPlaceholder) + u"/0.log"_s;
        return order;
    }
    static QString problemOf(const orders::Prepare &order)
    {
        const auto problem = NodePreparation().prepare(order).problem;
        return problem ? problem->sentence() : QString();
    }

    std::unique_ptr<TestHome> m_home;
};

void NodePreparationTest::whatTheShareNeedsIsLookedFor_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const char *command, const char *words) {
        QTest::newRow(name) << QString::fromLatin1(command) << QString::fromLatin1(words);
    };
    row("a script", "python3 train.py --lr 1", "");
    row("a script behind options", "python3 -u -W ignore train.py", "");
    row("no such script", "python3 -u -W ignore tune.py", "/work/tune.py: the script does not exist");
    row("a script of the shell", "sh train.py", "");
    row("no such script of the shell", "bash -e scripts/run.sh", "/work/scripts/run.sh: the script does not");
    row("a script of the shell in PATH", "sh in-path", "");
    row("a command of the shell", "sh -ec ./no-script", "");
    row("standard input", "python3 - tune.py", "");
    row("a command of Python", "python3 -c pass tune.py", "");
    row("a module", "python3 -m json.tool", "");
    row("a module of the working directory", "python3 -m own.train", "");
    row("no such module", "python3 -u -m nowhere.train", "nowhere.train: Python has no module");
    row("a program in PATH", "in-path tune.py", "");
    row("a program in the working directory", "./train.py", "");
    row("no such program", "not-in-path train.py", "not-in-path: No such file");
    row("no such interpreter", "/no/venv/bin/python train.py", "/no/venv/bin/python: No such file");
}

void NodePreparationTest::whatTheShareNeedsIsLookedFor()
{
    QFETCH(QString, command);
    QFETCH(QString, words);
    make("work/train.py");
    make("work/own/__init__.py");
    make("bin/in-path");
    orders::Prepare order = this->order(command.split(' '_L1));
    order.plan.processes.front().setVariables.insert(u"PATH"_s,
                                                     at("bin") + ':'_L1 + qEnvironmentVariable("PATH"));
    const QString problem = problemOf(order);
    QVERIFY2(words.isEmpty() ? problem.isEmpty() : problem.contains(words), qPrintable(problem));
}

void NodePreparationTest::aHookMayBringTheScript()
{
    QDir().mkpath(at("work"));
    orders::Prepare order = this->order({u"python3"_s, u"fetched.py"_s});
    QVERIFY(!problemOf(order).isEmpty());
    ProcessPlan &hook = order.plan.before.emplace_back();
    hook.argv = {u"true"_s};
    hook.workDir = at("work");
    QCOMPARE(problemOf(order), QString());
}

void NodePreparationTest::anEnvironmentOfPythonThatIsNotThereIsNoOtherPython()
{
    make("work/train.py");
    orders::Prepare order = this->order({u"python3"_s, u"train.py"_s});
    ProcessPlan &process = order.plan.processes.front();
    process.setVariables = {{u"VIRTUAL_ENV"_s, at("venv")},
                            {u"PATH"_s, at("venv/bin:") + qEnvironmentVariable("PATH")}};
    const QString problem = problemOf(order);
    QVERIFY2(problem.startsWith(at("venv: ")) && problem.contains("--unset-env VIRTUAL_ENV"_L1),
             qPrintable(problem));
    make("venv/bin/python3");
    QCOMPARE(problemOf(order), QString());
    QVERIFY(QDir(at("venv")).removeRecursively());
    process.setVariables.remove(u"VIRTUAL_ENV"_s);
    QCOMPARE(problemOf(order), QString());
}

void NodePreparationTest::filesOfTheLaunchAreLaidInTheNodesOwnDirectory()
{
    QDir().mkpath(at("work"));
    orders::Prepare order = this->order({u"true"_s});
    order.plan.launcher = u"msrun"_s;
    order.plan.rankTableFile = QLatin1String(runDirectoryPlaceholder) + u"/rank_table.json"_s;
    order.plan.files = {{order.plan.rankTableFile, "{}\n"}};
    NodePreparation preparation;
    const PreparedNode prepared = preparation.prepare(order);
    QVERIFY2(!prepared.problem, prepared.problem ? qPrintable(prepared.problem->sentence()) : "");
    QFile table(preparation.plan().rankTableFile);
    QVERIFY(table.fileName().startsWith(at("state")));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll(), QByteArray("{}\n"));
    QVERIFY(!(QFile::permissions(QFileInfo(table).path()) & (QFile::ReadGroup | QFile::ReadOther)));
}

} // namespace tst_nodepreparation

RANKDECK_TEST(tst_nodepreparation, NodePreparationTest)
#include "tst_nodepreparation.moc"
