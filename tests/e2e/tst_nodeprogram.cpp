#include "support/barenodes.h"
#include "support/freeport.h"
#include "support/testmain.h"

#include <QCryptographicHash>
#include <QStandardPaths>

#include <memory>

#include <sys/stat.h>
#include <unistd.h>

namespace tst_nodeprogram
{

using namespace rankdeck;

/// How rankdeckctl comes to be on nodes that have none, over a real sshd.
class NodeProgramTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void aNodeWithoutRankdeckGetsOneCopy_data();
    void aNodeWithoutRankdeckGetsOneCopy();
    void aDamagedCopyIsReplacedAndOldOnesGo();
    void aTestSaysWhatALaunchWouldCopy();
    void aNodeOfAnotherArchitectureGetsThatOne();
    void anInstalledOneIsUsed();
    void anotherVersionIsPassedOver_data();
    void anotherVersionIsPassedOver();
    void whatALoginShellPrintsIsPassedOver();
    void aNodeThatCannotHaveACopyIsNamedWithTheMend_data();
    void aNodeThatCannotHaveACopyIsNamedWithTheMend();
    void aFolderThatOthersCanChangeIsNotUsed_data();
    void aFolderThatOthersCanChangeIsNotUsed();
    void aMissingLibraryIsNamed();
    void aCopyOnItsWayIsGivenUpWithTheLaunch();

private:
    /// Launches one rank a node, which prints its rank.
    Outcome launch(const char *nodes = "alpha,beta") const;
    Outcome test(const char *nodes) const;
    QStringList launchArguments(const char *nodes) const;
    QStringList reach(const char *nodes) const
    {
        return {u"--nodes"_s, QString::fromLatin1(nodes), u"--ssh-config"_s, m_nodes->configuration()};
    }
    Outcome run(const QStringList &arguments) const
    {
        QProcess process;
        process.start(m_program, arguments);
        return outcomeOf(process);
    }
    static QString otherArchitecture()
    {
        QProcess process;
        process.start(u"linux32"_s, {u"uname"_s, u"-m"_s});
        return QString::fromUtf8(outcomeOf(process).out.trimmed());
    }
    QByteArray ownHash() const
    {
        return QCryptographicHash::hash(fileText(m_program), QCryptographicHash::Sha256);
    }

    QTemporaryDir m_folder;
    QString m_program; ///< Without what debuggers read, which is most of it.
    std::unique_ptr<BareNodes> m_nodes;
};

void NodeProgramTest::initTestCase()
{
    m_program = m_folder.filePath(u"rankdeckctl"_s);
    QCOMPARE(QProcess::execute(u"strip"_s, {u"-o"_s, m_program, buildPath("bin/rankdeckctl")}), 0);
}

void NodeProgramTest::init()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    m_nodes = std::make_unique<BareNodes>();
    qputenv("RANKDECK_CTL", m_program.toLocal8Bit());
    QVERIFY(m_nodes->start());
}

void NodeProgramTest::cleanup()
{
    m_nodes.reset();
}

QStringList NodeProgramTest::launchArguments(const char *nodes) const
{
    return QStringList{u"processes"_s, u"--master-port"_s, QString::number(freePort()), u"--work-dir"_s,
                       m_nodes->home().path("")} +
           reach(nodes) + QStringList{u"sh"_s, u"-c"_s, u"echo rank $RANK, umask $(umask)"_s};
}

Outcome NodeProgramTest::launch(const char *nodes) const
{
    return run(launchArguments(nodes));
}

Outcome NodeProgramTest::test(const char *nodes) const
{
    return run(QStringList{u"nodes"_s, u"test"_s} + reach(nodes));
}

void NodeProgramTest::aNodeWithoutRankdeckGetsOneCopy_data()
{
    QTest::addColumn<QString>("shell");
    for (const char *shell : {"dash", "bash", "tcsh", "fish"})
        QTest::newRow(shell) << QString::fromLatin1(shell);
}

void NodeProgramTest::aNodeWithoutRankdeckGetsOneCopy()
{
    QFETCH(QString, shell);
    const QString path = QStandardPaths::findExecutable(shell);
    if (path.isEmpty())
        QSKIP("this shell is not on this machine");
    m_nodes->setShell("alpha", path);
    const Outcome first = launch();
    QVERIFY2(first.code == 0, first.err);
    QVERIFY2(first.err.contains("Copying rankdeckctl to alpha ("), first.err);
    QVERIFY(first.err.contains("Copying rankdeckctl to beta ("));
    const mode_t own = ::umask(0);
    ::umask(own);
    const QByteArray umaskText = QByteArray::number(own, 8).rightJustified(4, '0');
    QVERIFY2(first.out.contains("rank 0, umask " + umaskText), first.out);
    for (const char *node : {"alpha", "beta"}) {
        const QStringList copies = m_nodes->copies(node);
        QCOMPARE(copies.size(), 1);
        QCOMPARE(QCryptographicHash::hash(fileText(copies.first()), QCryptographicHash::Sha256), ownHash());
        QCOMPARE(QFile::permissions(copies.first()) &
                     (QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther |
                      QFile::WriteOther | QFile::ExeOther),
                 QFile::Permissions());
    }
    const Outcome second = launch();
    QVERIFY2(second.code == 0, second.err);
    QVERIFY2(!second.err.contains("Copying"), second.err);
    QTRY_VERIFY_WITH_TIMEOUT(m_nodes->agents().isEmpty(), programLimitMs);
}

void NodeProgramTest::aDamagedCopyIsReplacedAndOldOnesGo()
{
    QCOMPARE(launch("alpha").code, 0);
    const QString copy = m_nodes->copies("alpha").value(0);
    QFile damaged(copy);
    QVERIFY(damaged.open(QIODevice::ReadWrite));
    QVERIFY(damaged.seek(damaged.size() / 2));
    const char was = damaged.peek(1).at(0);
    damaged.putChar(static_cast<char>(was ^ 1));
    damaged.close();
    const auto old = [&](const char *name, int days) {
        QFile file(QFileInfo(copy).path() + '/'_L1 + QLatin1String(name));
        if (!file.open(QIODevice::WriteOnly))
            return QString();
        file.setFileTime(QDateTime::currentDateTime().addDays(-days), QFileDevice::FileModificationTime);
        return file.fileName();
    };
    const QString unused = old("rankdeckctl-0.0-0123", 40);
    const QString used = old("rankdeckctl-0.0-4567", 5);
    const Outcome outcome = launch("alpha");
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.err.contains("Copying rankdeckctl to alpha ("), outcome.err);
    QCOMPARE(QCryptographicHash::hash(fileText(copy), QCryptographicHash::Sha256), ownHash());
    QVERIFY(!QFile::exists(unused));
    QVERIFY(QFile::exists(used));
}

void NodeProgramTest::aTestSaysWhatALaunchWouldCopy()
{
    const Outcome before = test("alpha");
    QVERIFY2(before.code == 0, before.out);
    QVERIFY2(before.out.startsWith(
                 "alpha  ok, rankdeckctl is not installed there: a launch copies this machine's"),
             before.out);
    QVERIFY(m_nodes->copies("alpha").isEmpty());
    QCOMPARE(launch("alpha").code, 0);
    const Outcome after = test("alpha");
    QVERIFY2(after.out.contains(m_nodes->copies("alpha").value(0).toUtf8()), after.out);
}

void NodeProgramTest::aNodeOfAnotherArchitectureGetsThatOne()
{
    // What stands for the other machine's program is this one's, and says that it was started.
    m_nodes->set("alpha", "wrapper", "/usr/bin/linux32");
    const QString architecture = otherArchitecture();
    const QString version = QString::fromUtf8(run({u"--version"_s}).out).section(' '_L1, 1, 1);
    const QTemporaryDir data;
    const QString nodes = data.filePath(u"rankdeck/nodes"_s);
    const QString name = u"rankdeckctl-%1-linux-%2"_s.arg(version, architecture);
    QDir tree(data.filePath(name));
    QVERIFY(tree.mkpath(u"bin"_s) && QDir().mkpath(nodes));
    QFile program(tree.filePath(u"bin/rankdeckctl"_s));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.write("#!/bin/sh\necho started > '" + m_nodes->path("alpha", "started").toUtf8() + "'\nexec '" +
                  m_program.toUtf8() + "' \"$@\"\n");
    program.close();
    program.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    QCOMPARE(QProcess::execute(u"tar"_s,
                               {u"-czf"_s, nodes + '/'_L1 + name + u".tar.gz"_s, u"-C"_s, data.path(), name}),
             0);
    qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
    const Outcome first = launch();
    const Outcome second = launch();
    qunsetenv("XDG_DATA_HOME");
    QVERIFY2(first.code == 0, first.err);
    QVERIFY2(first.err.contains("Copying rankdeckctl to alpha ("), first.err);
    QVERIFY(QFile::exists(m_nodes->path("alpha", "started")));
    QVERIFY(!QFile::exists(m_nodes->path("beta", "started")));
    QVERIFY2(second.code == 0 && !second.err.contains("Copying"), second.err);
}

void NodeProgramTest::anInstalledOneIsUsed()
{
    const QString installed = m_nodes->path("alpha", "bin/rankdeckctl");
    QVERIFY(QFile::link(buildPath("bin/rankdeckctl"), installed));
    const Outcome tested = test("alpha");
    QVERIFY2(tested.code == 0 && tested.out.startsWith("alpha  ok, Rankdeck "), tested.out);
    const Outcome outcome = launch("alpha");
    QVERIFY2(outcome.code == 0 && !outcome.err.contains("Copying"), outcome.err);
    QVERIFY(m_nodes->copies("alpha").isEmpty());
}

void NodeProgramTest::anotherVersionIsPassedOver_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("another protocol") << QByteArray("echo rankdeck-agent 0\nexec cat >/dev/null");
    QTest::newRow("no agent yet") << QByteArray("echo there is no command agent >&2\nexit 2");
}

void NodeProgramTest::anotherVersionIsPassedOver()
{
    QFETCH(QByteArray, script);
    m_nodes->setProgram("alpha", "rankdeckctl", script);
    const Outcome outcome = launch("alpha");
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.err.contains("rankdeckctl on the node is an incompatible version of Rankdeck"),
             outcome.err);
    QVERIFY2(outcome.err.contains("Copying rankdeckctl to alpha ("), outcome.err);
}

void NodeProgramTest::whatALoginShellPrintsIsPassedOver()
{
    QByteArray noise("Welcome\n\n*** to alpha ***\nrankdeck-agents are {welcome}\n");
    for (int byte = 0; byte < 256; ++byte)
        noise += static_cast<char>(byte);
    m_nodes->set("alpha", "banner", noise + QByteArray(200000, 'x')); // It ends without a line's end.
    for (int time = 0; time < 2; ++time) {
        const Outcome outcome = launch("alpha");
        QVERIFY2(outcome.code == 0, outcome.err);
        QVERIFY2(outcome.out.contains("rank 0"), outcome.out);
    }
}

void NodeProgramTest::aNodeThatCannotHaveACopyIsNamedWithTheMend_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("another architecture")
        << QByteArray("wrapper") << QByteArray("/usr/bin/linux32")
        << QByteArray("this machine has none for " + otherArchitecture().toUtf8() + ". Put rankdeckctl-");
    QTest::newRow("no sha256sum") << QByteArray() << QByteArray()
                                  << QByteArray("a copy cannot be verified without sha256sum");
    QTest::newRow("no folder") << QByteArray(".cache") << QByteArray("a file")
                               << QByteArray(".cache/rankdeck in your home, is not writable");
    QTest::newRow("damaged on the way")
        << QByteArray("wrapper") << QByteArray("/usr/bin/prlimit --fsize=1000") << QByteArray("is corrupt");
}

void NodeProgramTest::aNodeThatCannotHaveACopyIsNamedWithTheMend()
{
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, words);
    if (!file.isEmpty()) {
        m_nodes->set("alpha", file.constData(), text);
    } else if (geteuid() != 0) {
        QSKIP("only root may take a tool away from a node");
    } else {
        m_nodes->replaceTool("alpha", "sha256sum", {});
    }
    const Outcome outcome = launch();
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("alpha cannot start its processes"), outcome.err);
    QVERIFY2(outcome.err.contains(words), outcome.err);
    QVERIFY(m_nodes->copies("alpha").isEmpty());
    QVERIFY(!outcome.out.contains("rank"));
    QTRY_VERIFY_WITH_TIMEOUT(m_nodes->agents().isEmpty(), programLimitMs);
}

void NodeProgramTest::aFolderThatOthersCanChangeIsNotUsed_data()
{
    QTest::addColumn<mode_t>("mode");
    QTest::addColumn<bool>("isLink");
    QTest::addColumn<bool>("isOthers");
    QTest::newRow("writable by all") << mode_t(0777) << false << false;
    QTest::newRow("writable by the group") << mode_t(0770) << false << false;
    QTest::newRow("a link") << mode_t(0700) << true << false;
    QTest::newRow("another user's") << mode_t(0700) << false << true;
}

void NodeProgramTest::aFolderThatOthersCanChangeIsNotUsed()
{
    QFETCH(mode_t, mode);
    QFETCH(bool, isLink);
    QFETCH(bool, isOthers);
    if (isOthers && geteuid() != 0)
        QSKIP("only root may give a folder away");
    const QString folder = m_nodes->path("alpha", ".cache/rankdeck");
    const QString made = isLink ? m_nodes->path("alpha", "elsewhere") : folder;
    QVERIFY(QDir().mkpath(made) && QDir().mkpath(QFileInfo(folder).path()));
    QCOMPARE(chmod(QFile::encodeName(made).constData(), mode), 0);
    QVERIFY(!isLink || QFile::link(made, folder));
    if (isOthers && chown(QFile::encodeName(made).constData(), 65534, 65534) != 0)
        QSKIP("there is no other user to give a folder to");
    const Outcome outcome = launch();
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(".cache/rankdeck in your home, is a link, or others can write there"),
             outcome.err);
    QVERIFY(m_nodes->copies("alpha").isEmpty());
}

void NodeProgramTest::aMissingLibraryIsNamed()
{
    QByteArray program = fileText(m_program);
    const auto at = program.indexOf("libQt6Network.so.6");
    QVERIFY(at > 0);
    program.replace(at, 18, "libQt6Nowhere.so.6");
    QFile file(m_nodes->path("alpha", "bin/rankdeckctl"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(program) == program.size());
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    const Outcome outcome = test("alpha");
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.out.contains("the library libQt6Nowhere.so.6 is missing. Install Qt 6.4"), outcome.out);
}

void NodeProgramTest::aCopyOnItsWayIsGivenUpWithTheLaunch()
{
    if (geteuid() != 0)
        QSKIP("only root may replace a tool of a node");
    // It takes nothing of what is sent.
    m_nodes->replaceTool("alpha", "head", "echo $$ > taking.new\nmv taking.new taking\nexec sleep 1000");
    QProcess process;
    process.start(m_program, launchArguments("alpha"));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(m_nodes->path("alpha", "taking")), programLimitMs);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome outcome = outcomeOf(process);
    // What does not look at its input stays; a real one ends with it.
    QCOMPARE(::kill(fileText(m_nodes->path("alpha", "taking")).toInt(), SIGKILL), 0);
    QVERIFY2(outcome.code == 130, outcome.err);
    QTRY_VERIFY_WITH_TIMEOUT(m_nodes->agents().isEmpty(), programLimitMs);
}

} // namespace tst_nodeprogram

RANKDECK_TEST(tst_nodeprogram, NodeProgramTest)
#include "tst_nodeprogram.moc"
