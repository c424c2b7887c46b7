#include "support/barenodes.h"
#include "support/freeport.h"
#include "support/slurmcluster.h"
#include "support/testmain.h"

#include <memory>

namespace tst_foreignworlds
{

using namespace rankdeck;

/// LD_PRELOAD and PATH of callers and of nodes' login shells: ranks get them as they are, Rankdeck is not
/// misled.
class ForeignWorldsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_nodes.reset(); }
    void aProfileMaySetAnything_data();
    void aProfileMaySetAnything();
    void aBannerWithoutALineEndIsPassedOverOnTheWayBack();
    void aCallerMayHaveAnything_data();
    void aCallerMayHaveAnything();
    void aForeignSshThatFailsIsNamed();
    void aContainerMayHaveAnything_data();
    void aContainerMayHaveAnything();
    void aSlurmJobMayHaveAnything();

private:
    static QString library() { return buildPath("tests/libchatty.so"); }
    /// Programs that fail and print, under the names of those that Rankdeck needs on a node.
    QString foreignPrograms() const;
    QStringList launch(const QStringList &options) const
    {
        return QStringList{u"processes"_s, u"--master-port"_s, QString::number(freePort()), u"--work-dir"_s,
                           m_nodes->home().path("")} +
               options +
               QStringList{u"--"_s, u"/bin/sh"_s, u"-c"_s, u"echo \"rank $RANK [$LD_PRELOAD] [$PATH]\""_s};
    }
    QStringList overSsh() const
    {
        return launch({u"--nodes"_s, u"alpha"_s, u"--ssh-config"_s, m_nodes->configuration()});
    }
    Outcome run(const QStringList &arguments, const QProcessEnvironment &environment) const
    {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(buildPath("bin/rankdeckctl"), arguments);
        return outcomeOf(process);
    }
    static void addWorlds();
    /// The environment with the row's LD_PRELOAD and PATH; what is empty stays as it was.
    QProcessEnvironment world(QString preload, QString path) const;
    QByteArray expected(const QProcessEnvironment &environment) const
    {
        return u"rank 0 [%1] [%2]\n"_s.arg(environment.value(u"LD_PRELOAD"_s), environment.value(u"PATH"_s))
            .toUtf8();
    }

    std::unique_ptr<BareNodes> m_nodes;
};

void ForeignWorldsTest::init()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    m_nodes = std::make_unique<BareNodes>();
    QVERIFY(m_nodes->start());
}

QString ForeignWorldsTest::foreignPrograms() const
{
    for (const char *name : {"sh", "python3", "tar", "gzip", "uname", "sha256sum", "find", "id", "head",
                             "mktemp", "mkdir", "chmod", "ln", "mv", "rm", "touch", "env", "cat"})
        m_nodes->setProgram("foreign", name, "echo a foreign program\nexit 1");
    return m_nodes->path("foreign", "bin");
}

void ForeignWorldsTest::addWorlds()
{
    QTest::addColumn<QString>("preload");
    QTest::addColumn<QString>("path");
    QTest::newRow("a library that does not exist") << u"/no/such/library.so"_s << QString();
    QTest::newRow("a library that prints") << library() << QString();
    QTest::newRow("other programs") << QString() << u"foreign"_s;
    QTest::newRow("an empty PATH") << QString() << u"empty"_s;
    QTest::newRow("a PATH without /usr/bin") << QString() << u"/nowhere"_s;
    QTest::newRow("all of it") << library() << u"foreign"_s;
}

QProcessEnvironment ForeignWorldsTest::world(QString preload, QString path) const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!preload.isEmpty())
        environment.insert(u"LD_PRELOAD"_s, preload);
    if (path == "foreign"_L1)
        environment.insert(u"PATH"_s, foreignPrograms() + ':'_L1 + environment.value(u"PATH"_s));
    else if (!path.isEmpty())
        environment.insert(u"PATH"_s, path == "empty"_L1 ? QString() : path);
    return environment;
}

void ForeignWorldsTest::aProfileMaySetAnything_data()
{
    addWorlds();
}

void ForeignWorldsTest::aProfileMaySetAnything()
{
    QFETCH(QString, preload);
    QFETCH(QString, path);
    const QProcessEnvironment there = world(preload, path);
    QByteArray profile = "export PATH='" + there.value(u"PATH"_s).toUtf8() + "'\n";
    if (!preload.isEmpty())
        profile += "export LD_PRELOAD='" + preload.toUtf8() + "'\n";
    m_nodes->set("alpha", "profile", profile);
    // PATH is sent along over ssh; what this machine has not set is the node's.
    QProcessEnvironment given = QProcessEnvironment::systemEnvironment();
    given.insert(u"LD_PRELOAD"_s, preload);
    for (const bool isFirst : {true, false}) {
        const Outcome outcome = run(overSsh(), QProcessEnvironment::systemEnvironment());
        QVERIFY2(outcome.code == 0, outcome.err + outcome.out);
        QCOMPARE(outcome.err.contains("Copying rankdeckctl to alpha ("), isFirst);
        QVERIFY2(outcome.out.contains(expected(given)), outcome.out);
    }
    QCOMPARE(m_nodes->copies("alpha").size(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(m_nodes->agents().isEmpty(), programLimitMs);
}

void ForeignWorldsTest::aBannerWithoutALineEndIsPassedOverOnTheWayBack()
{
    m_nodes->set("alpha", "banner", "Welcome");
    m_nodes->set("alpha", "profile", "export LD_PRELOAD='" + library().toUtf8() + "'\n");
    const QString mark = m_nodes->home().path("go");
    QStringList arguments = overSsh();
    arguments.last() = u"echo up; while [ ! -e '%1' ]; do sleep 0.1; done; echo rank goes on"_s.arg(mark);
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"), arguments);
    QByteArray out;
    QVERIFY(QTest::qWaitFor([&] { return (out += process.readAllStandardOutput()).contains("up\n"); },
                            programLimitMs));
    // The program that carries the stream is killed; the way back is another one.
    const QList<qint64> before = processesOf(m_nodes->home().path("state"));
    int cut = 0;
    for (const qint64 pid : before) {
        if (const auto carrier = readProcess(static_cast<pid_t>(pid)); carrier && carrier->name == "ssh"_L1)
            cut += ::kill(carrier->pid, SIGKILL) == 0 ? 1 : 0;
    }
    QCOMPARE(cut, 1);
    QVERIFY(QTest::qWaitFor(
        [&] {
            const auto directory = findRun(u"last"_s);
            return directory && fileText(*directory + u"/journal.jsonl"_s).contains("\"link-back\"");
        },
        programLimitMs));
    QVERIFY(QFile(mark).open(QIODevice::WriteOnly));
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.out.contains("rank goes on"), outcome.out);
}

void ForeignWorldsTest::aCallerMayHaveAnything_data()
{
    addWorlds();
}

void ForeignWorldsTest::aCallerMayHaveAnything()
{
    QFETCH(QString, preload);
    QFETCH(QString, path);
#ifdef __SANITIZE_ADDRESS__
    if (!preload.isEmpty())
        QSKIP("the sanitizer has to be loaded first");
#endif
    const QProcessEnvironment here = world(preload, path);
    for (const QStringList &arguments :
         {overSsh(), launch({}), launch({u"--nodes"_s, u"here"_s, u"--transport"_s, u"local"_s})}) {
        const Outcome outcome = run(arguments, here);
        QVERIFY2(outcome.code == 0, outcome.err + outcome.out);
        QVERIFY2(outcome.out.contains(expected(here)), outcome.out);
    }
}

void ForeignWorldsTest::aForeignSshThatFailsIsNamed()
{
    m_nodes->setProgram("foreign", "ssh", "echo no such cipher >&2\nexit 3");
    const Outcome outcome = run(overSsh(), world({}, u"foreign"_s));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(
                 "alpha cannot start its processes: ssh ended with exit code 3 and said \"no such "
                 "cipher\""),
             outcome.err);
}

void ForeignWorldsTest::aContainerMayHaveAnything_data()
{
    addWorlds();
}

void ForeignWorldsTest::aContainerMayHaveAnything()
{
    QFETCH(QString, preload);
    QFETCH(QString, path);
    const QProcessEnvironment there = world(preload, path);
    QProcessEnvironment inside; // A container keeps its own places.
    inside.insert(u"HOME"_s, m_nodes->path("beta", ""));
    inside.insert(u"XDG_STATE_HOME"_s, m_nodes->path("beta", "state"));
    inside.insert(u"XDG_RUNTIME_DIR"_s, m_nodes->home().path(""));
    inside.insert(u"PATH"_s, there.value(u"PATH"_s));
    if (!preload.isEmpty())
        inside.insert(u"LD_PRELOAD"_s, preload);
    QByteArray enter = "shift; exec /usr/bin/env -i";
    for (const QString &variable : inside.toStringList())
        enter += " '" + variable.toUtf8() + '\'';
    m_nodes->setProgram("beta", "enter", enter + " \"$@\"");
    for (const bool isFirst : {true, false}) {
        const Outcome outcome = run(launch({u"--nodes"_s, u"box"_s, u"--transport-command"_s,
                                            m_nodes->path("beta", "bin/enter") + u" {node}"_s}),
                                    QProcessEnvironment::systemEnvironment());
        QVERIFY2(outcome.code == 0, outcome.err + outcome.out);
        QCOMPARE(outcome.err.contains("Copying rankdeckctl to box ("), isFirst);
        QVERIFY2(outcome.out.contains(expected(inside)), outcome.out);
    }
}

void ForeignWorldsTest::aSlurmJobMayHaveAnything()
{
    if (!SlurmCluster::canRun())
        QSKIP("no Slurm on this machine, or not root");
#ifdef __SANITIZE_ADDRESS__
    QSKIP("the sanitizer has to be loaded first");
#endif
    const QByteArray ownPath = qgetenv("PATH");
    SlurmCluster cluster(m_nodes->home().path("slurm"));
    const bool isUp = cluster.start();
    qputenv("PATH", ownPath);
    QVERIFY(isUp);
    for (const QProcessEnvironment &here :
         {world(u"/no/such/library.so"_s, u"empty"_s), world(library(), u"foreign"_s)}) {
        const Outcome outcome = run(launch({u"--slurm"_s, u"--nnodes"_s, u"1"_s}), here);
        QVERIFY2(outcome.code == 0, outcome.err + outcome.out);
        QVERIFY2(outcome.out.contains(expected(here)), outcome.out);
    }
}

} // namespace tst_foreignworlds

RANKDECK_TEST(tst_foreignworlds, ForeignWorldsTest)
#include "tst_foreignworlds.moc"
