#include "launchform/launchfixture.h"
#include "launchform/nodes/nodepanel.h"
#include "launchform/options/launchfields.h"
#include "support/sshserver.h"
#include "support/windowtest.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace tst_nodepanel
{

using namespace rankdeck;

namespace
{

constexpr int patienceMs = 60'000;

/// Stands in for ssh: host "good" answers, "bare" has no Rankdeck, "stranger" once its key is known,
/// "changed" and "gone" never do.
constexpr char standInSsh[] =
    "#!/bin/sh\n"
    "while [ \"$1\" != -- ]; do\n"
    "    case $1 in UserKnownHostsFile=*) notes=$(printf %s \"${1#*=}\" | tr -d '\\042');; esac\n"
    "    shift\n"
    "done\n"
    "case $2 in\n"
    "good) exec \"$RANKDECK_CTL\" agent;;\n"
    "bare) echo \"rankdeck-asks $(uname -m)\"; read script; echo rankdeck-needs; exec cat;;\n"
    "stranger)\n"
    "    [ -n \"$notes\" ] && echo \"stranger ssh-ed25519 AAAA\" > \"$notes\"\n"
    "    [ -e \"$XDG_CONFIG_HOME/rankdeck/known_hosts\" ] && exec \"$RANKDECK_CTL\" agent\n"
    "    echo \"Host key verification failed.\" >&2;;\n"
    "changed)\n"
    "    echo \"WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! Host key verification failed.\" >&2;;\n"
    "*) echo \"ssh: connect to host $2 port 22: Connection refused\" >&2;;\n"
    "esac\n"
    "exit 255\n";
constexpr char standInKeygen[] = "#!/bin/sh\necho '256 SHA256:standin stranger (ED25519)'\n";

NodeOptions optionsFor(const char *nodes)
{
    NodeOptions options;
    options.list = QLatin1String(nodes);
    return options;
}

} // namespace

/// The nodes of the launch form, and what trying them finds.
class TestNodePanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void withoutNodesItIsThisOne();
    void eachNodeSaysWhatWasFound();
    void aNodeWithoutRankdeckIsUsableAndSaysSo();
    void nodesOfAnAllocationAreShownAtOnce();
    void withoutAnAllocationTheLaunchAsksForNodes();
    void aContainerIsShownOnceItsNameIsTyped();
    void anUnknownKeyIsShownAndTrustedOnRequest();
    void aKeyIsNotTrustedWithoutAYes();
    void whatIsKnownHoldsForTheSameWayOnly();
    void aListThatIsBeingTypedForgetsNothing();
    void theFormHasTheOptions();
    void nodesAreTriedOverARealSsh();

private:
    /// Its rows, in their order.
    QList<NodeRow *> rows() const { return m_panel->findChildren<NodeRow *>(); }
    QString found(int row) const
    {
        return rows().value(row)->findChild<QLabel *>(QStringLiteral("nodeResult"))->text();
    }
    QPushButton *button(int row) const
    {
        return rows().value(row)->findChild<QPushButton *>(QStringLiteral("testNodeButton"));
    }
    void testAll() const { m_panel->findChild<QPushButton *>(QStringLiteral("testAllNodesButton"))->click(); }
    void putProgram(const char *name, const QByteArray &text) const
    {
        QFile program(m_fixture->write(name, text));
        program.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
    }

    std::unique_ptr<LaunchFixture> m_fixture;
    std::unique_ptr<NodePanel> m_panel;
    QByteArray m_path = qgetenv("PATH");
};

void TestNodePanel::init()
{
    m_fixture = std::make_unique<LaunchFixture>();
    qunsetenv("SLURM_JOB_ID");
    putProgram("ssh", standInSsh);
    putProgram("ssh-keygen", standInKeygen);
    qputenv("PATH", QFileInfo(m_fixture->path("ssh")).path().toLocal8Bit() + ':' + m_path);
    m_panel = std::make_unique<NodePanel>();
    m_panel->resize(600, 500);
    m_panel->show();
}

void TestNodePanel::cleanup()
{
    m_panel.reset();
    qputenv("PATH", m_path);
    m_fixture.reset();
}

void TestNodePanel::withoutNodesItIsThisOne()
{
    QCOMPARE(rows().size(), 1);
    QCOMPARE(found(0), QStringLiteral("Not tested."));
    button(0)->click();
    QVERIFY(!button(0)->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(QStringLiteral("Usable: Rankdeck")), patienceMs);
    QVERIFY2(found(0).contains(QStringLiteral("NPUs, clock")), qPrintable(found(0)));
    QVERIFY(button(0)->isEnabled());
}

void TestNodePanel::eachNodeSaysWhatWasFound()
{
    m_panel->setOptions(optionsFor("good,gone,changed"));
    QCOMPARE(rows().size(), 3);
    testAll();
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(QStringLiteral("Usable")), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(found(1).contains(QStringLiteral("Connection refused")), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(found(2).contains(QStringLiteral("ssh-keygen -R")), patienceMs);
    // A changed key is never asked about.
    QCOMPARE(button(2)->text(), QStringLiteral("Test"));
}

void TestNodePanel::aNodeWithoutRankdeckIsUsableAndSaysSo()
{
    m_panel->setOptions(optionsFor("bare"));
    testAll();
    QTRY_VERIFY_WITH_TIMEOUT(
        found(0).startsWith(QStringLiteral("Usable: rankdeckctl is not installed there: a launch copies")),
        patienceMs);
}

void TestNodePanel::nodesOfAnAllocationAreShownAtOnce()
{
    putProgram("scontrol", "#!/bin/sh\n[ \"$3\" = 'n[1-2]' ] && printf 'n1\\nn2\\n'\n");
    qputenv("SLURM_JOB_ID", "7");
    qputenv("SLURM_JOB_NODELIST", "n[1-2]");
    NodeOptions options;
    options.transport = QStringLiteral("slurm");
    m_panel->setOptions(options);
    QTRY_COMPARE_WITH_TIMEOUT(rows().size(), 2, patienceMs);
    QCOMPARE(rows().last()->findChild<QLabel *>(QStringLiteral("nodeName"))->text(), QStringLiteral("n2"));
    qunsetenv("SLURM_JOB_ID");
    qunsetenv("SLURM_JOB_NODELIST");
}

void TestNodePanel::withoutAnAllocationTheLaunchAsksForNodes()
{
    NodeOptions options;
    options.transport = QStringLiteral("slurm");
    m_panel->setOptions(options);
    QVERIFY(rows().isEmpty());
    auto *testAllButton = m_panel->findChild<QPushButton *>(QStringLiteral("testAllNodesButton"));
    QVERIFY(!testAllButton->isEnabled());
    m_panel->setOptions(optionsFor("good"));
    QVERIFY(testAllButton->isEnabled());
}

void TestNodePanel::aContainerIsShownOnceItsNameIsTyped()
{
    putProgram("docker",
               "#!/bin/sh\n[ \"$1 $2 $3\" = 'exec -i train' ] && exec \"$RANKDECK_CTL\" agent\nexit 1\n");
    m_panel->setOptions(optionsFor("good"));
    QCOMPARE(rows().size(), 1);
    NodeOptions options;
    for (const char *typed : {"docker", "docker:", "docker:-"}) {
        options.transport = QLatin1String(typed);
        m_panel->setOptions(options);
        QVERIFY(rows().isEmpty());
        testAll();
        QTRY_VERIFY_WITH_TIMEOUT(m_panel->findChild<QLabel *>(QStringLiteral("nodesNote"))
                                     ->text()
                                     .contains(QLatin1String("docker:NAME")),
                                 patienceMs);
    }
    options.transport = QStringLiteral("docker:train");
    m_panel->setOptions(options);
    QCOMPARE(rows().size(), 1);
    button(0)->click();
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(QStringLiteral("Usable: Rankdeck ")), patienceMs);
}

void TestNodePanel::anUnknownKeyIsShownAndTrustedOnRequest()
{
    m_panel->setOptions(optionsFor("stranger"));
    button(0)->click();
    QTRY_COMPARE_WITH_TIMEOUT(button(0)->text(), QStringLiteral("Host key…"), patienceMs);
    button(0)->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_panel->findChild<QMessageBox *>(), patienceMs);
    const auto *question = m_panel->findChild<QMessageBox *>();
    QVERIFY2(question->text().contains(QStringLiteral("SHA256:standin (ED25519)")),
             qPrintable(question->text()));
    QCOMPARE(question->textFormat(), Qt::PlainText);
    QCOMPARE(question->defaultButton(), question->button(QMessageBox::Cancel));
    question->findChild<QPushButton *>(QStringLiteral("trustKeyButton"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(QStringLiteral("Usable")), patienceMs);
    QFile kept(m_fixture->path("config/rankdeck/known_hosts"));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("stranger ssh-ed25519 AAAA\n"));
}

void TestNodePanel::aKeyIsNotTrustedWithoutAYes()
{
    m_panel->setOptions(optionsFor("stranger"));
    button(0)->click();
    QTRY_COMPARE_WITH_TIMEOUT(button(0)->text(), QStringLiteral("Host key…"), patienceMs);
    button(0)->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_panel->findChild<QMessageBox *>(), patienceMs);
    m_panel->findChild<QMessageBox *>()->button(QMessageBox::Cancel)->click();
    QTRY_VERIFY(!m_panel->findChild<QMessageBox *>());
    QVERIFY(!QFile::exists(m_fixture->path("config/rankdeck/known_hosts")));
    QCOMPARE(button(0)->text(), QStringLiteral("Host key…"));
}

void TestNodePanel::whatIsKnownHoldsForTheSameWayOnly()
{
    NodeOptions options = optionsFor("good");
    m_panel->setOptions(options);
    testAll();
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(QStringLiteral("Usable")), patienceMs);
    options.list = QStringLiteral("other,good");
    m_panel->setOptions(options);
    QCOMPARE(found(0), QStringLiteral("Not tested."));
    QVERIFY(found(1).startsWith(QStringLiteral("Usable")));
    options.program = QStringLiteral("/opt/rankdeckctl");
    m_panel->setOptions(options);
    QCOMPARE(found(1), QStringLiteral("Not tested."));
}

void TestNodePanel::aListThatIsBeingTypedForgetsNothing()
{
    m_panel->setOptions(optionsFor("good"));
    testAll();
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(QStringLiteral("Usable")), patienceMs);
    m_panel->setOptions(optionsFor("good,"));
    m_panel->setOptions(optionsFor("good,b"));
    QCOMPARE(rows().size(), 2);
    QVERIFY(found(0).startsWith(QStringLiteral("Usable")));
}

void TestNodePanel::theFormHasTheOptions()
{
    LaunchFields fields;
    LaunchSpec spec = m_fixture->processesSpec();
    spec.nodes.list = QStringLiteral("a,b");
    spec.nodes.transport = QStringLiteral("ssh");
    spec.nodes.transportCommand = QStringLiteral("enroot exec {node}");
    spec.nodes.sshConfig = QStringLiteral("/etc/my_ssh");
    spec.nodes.program = QStringLiteral("/opt/rankdeckctl");
    spec.nodes.mirror = false;
    spec.nodes.silenceSeconds = 60;
    spec.nodes.slurmOptions = QStringLiteral("-p npu");
    spec.nodes.slurmWaitSeconds = 120;
    fields.setSpec(spec);
    QCOMPARE(fields.spec().nodes, spec.nodes);
    QCOMPARE(fields.findChildren<NodeRow *>().size(), 2);
    QVERIFY(fields.findChild<QToolButton *>(QStringLiteral("nodeOptionsButton"))->isChecked());
    fields.findChild<QLineEdit *>(QStringLiteral("nodesEdit"))->setText(QStringLiteral("a,b,c"));
    QCOMPARE(fields.findChildren<NodeRow *>().size(), 3);
    fields.findChild<QComboBox *>(QStringLiteral("transportCombo"))->setCurrentText(QStringLiteral("local"));
    QCOMPARE(fields.spec().nodes.transport, QStringLiteral("local"));
    fields.findChild<QLineEdit *>(QStringLiteral("transportCommandEdit"))->clear();
    fields.findChild<QComboBox *>(QStringLiteral("transportCombo"))
        ->setEditText(QStringLiteral("docker:{node}"));
    QCOMPARE(fields.spec().nodes.transport, QStringLiteral("docker:{node}"));
    QCOMPARE(fields.findChildren<NodeRow *>().size(), 3);
    // Another launcher has the same nodes.
    fields.setLauncher(QStringLiteral("davincirun"));
    QCOMPARE(fields.spec().nodes.list, QStringLiteral("a,b,c"));
}

void TestNodePanel::nodesAreTriedOverARealSsh()
{
    qputenv("PATH", m_path);
    if (!SshServer::isInstalled())
        QSKIP("sshd and ssh are not installed");
    SshServer server(m_fixture->path("sshd"));
    QVERIFY(server.start());
    NodeOptions options = optionsFor("alpha,beta");
    options.sshConfig = server.configuration();
    options.program = buildPath("bin/rankdeckctl");
    m_panel->setOptions(options);
    testAll();
    for (int row = 0; row < 2; ++row)
        QTRY_VERIFY_WITH_TIMEOUT(found(row).startsWith(QStringLiteral("Usable")), patienceMs);
}

} // namespace tst_nodepanel

RANKDECK_WINDOW_TEST(tst_nodepanel, TestNodePanel)
#include "tst_nodepanel.moc"
