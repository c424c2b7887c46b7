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
    QString found(int row) const { return rows().value(row)->findChild<QLabel *>(u"nodeResult"_s)->text(); }
    QPushButton *button(int row) const
    {
        return rows().value(row)->findChild<QPushButton *>(u"testNodeButton"_s);
    }
    void testAll() const { m_panel->findChild<QPushButton *>(u"testAllNodesButton"_s)->click(); }
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
    QCOMPARE(found(0), u"Not tested."_s);
    button(0)->click();
    QVERIFY(!button(0)->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(u"Usable: Rankdeck"_s), patienceMs);
    QVERIFY2(found(0).contains(u"NPUs, clock"_s), qPrintable(found(0)));
    QVERIFY(button(0)->isEnabled());
}

void TestNodePanel::eachNodeSaysWhatWasFound()
{
    m_panel->setOptions(optionsFor("good,gone,changed"));
    QCOMPARE(rows().size(), 3);
    testAll();
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(u"Usable"_s), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(found(1).contains(u"Connection refused"_s), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(found(2).contains(u"ssh-keygen -R"_s), patienceMs);
    // A changed key is never asked about.
    QCOMPARE(button(2)->text(), u"Test"_s);
}

void TestNodePanel::aNodeWithoutRankdeckIsUsableAndSaysSo()
{
    m_panel->setOptions(optionsFor("bare"));
    testAll();
    QTRY_VERIFY_WITH_TIMEOUT(
        found(0).startsWith(u"Usable: rankdeckctl is not installed there: a launch copies"_s), patienceMs);
}

void TestNodePanel::nodesOfAnAllocationAreShownAtOnce()
{
    putProgram("scontrol", "#!/bin/sh\n[ \"$3\" = 'n[1-2]' ] && printf 'n1\\nn2\\n'\n");
    qputenv("SLURM_JOB_ID", "7");
    qputenv("SLURM_JOB_NODELIST", "n[1-2]");
    NodeOptions options;
    options.transport = u"slurm"_s;
    m_panel->setOptions(options);
    QTRY_COMPARE_WITH_TIMEOUT(rows().size(), 2, patienceMs);
    QCOMPARE(rows().last()->findChild<QLabel *>(u"nodeName"_s)->text(), u"n2"_s);
    qunsetenv("SLURM_JOB_ID");
    qunsetenv("SLURM_JOB_NODELIST");
}

void TestNodePanel::withoutAnAllocationTheLaunchAsksForNodes()
{
    NodeOptions options;
    options.transport = u"slurm"_s;
    m_panel->setOptions(options);
    QVERIFY(rows().isEmpty());
    auto *testAllButton = m_panel->findChild<QPushButton *>(u"testAllNodesButton"_s);
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
        QTRY_VERIFY_WITH_TIMEOUT(
            m_panel->findChild<QLabel *>(u"nodesNote"_s)->text().contains("docker:NAME"_L1), patienceMs);
    }
    options.transport = u"docker:train"_s;
    m_panel->setOptions(options);
    QCOMPARE(rows().size(), 1);
    button(0)->click();
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(u"Usable: Rankdeck "_s), patienceMs);
}

void TestNodePanel::anUnknownKeyIsShownAndTrustedOnRequest()
{
    m_panel->setOptions(optionsFor("stranger"));
    button(0)->click();
    QTRY_COMPARE_WITH_TIMEOUT(button(0)->text(), u"Host key…"_s, patienceMs);
    button(0)->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_panel->findChild<QMessageBox *>(), patienceMs);
    const auto *question = m_panel->findChild<QMessageBox *>();
    QVERIFY2(question->text().contains(u"SHA256:standin (ED25519)"_s), qPrintable(question->text()));
    QCOMPARE(question->textFormat(), Qt::PlainText);
    QCOMPARE(question->defaultButton(), question->button(QMessageBox::Cancel));
    question->findChild<QPushButton *>(u"trustKeyButton"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(u"Usable"_s), patienceMs);
    QFile kept(m_fixture->path("config/rankdeck/known_hosts"));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("stranger ssh-ed25519 AAAA\n"));
}

void TestNodePanel::aKeyIsNotTrustedWithoutAYes()
{
    m_panel->setOptions(optionsFor("stranger"));
    button(0)->click();
    QTRY_COMPARE_WITH_TIMEOUT(button(0)->text(), u"Host key…"_s, patienceMs);
    button(0)->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_panel->findChild<QMessageBox *>(), patienceMs);
    m_panel->findChild<QMessageBox *>()->button(QMessageBox::Cancel)->click();
    QTRY_VERIFY(!m_panel->findChild<QMessageBox *>());
    QVERIFY(!QFile::exists(m_fixture->path("config/rankdeck/known_hosts")));
    QCOMPARE(button(0)->text(), u"Host key…"_s);
}

void TestNodePanel::whatIsKnownHoldsForTheSameWayOnly()
{
    NodeOptions options = optionsFor("good");
    m_panel->setOptions(options);
    testAll();
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(u"Usable"_s), patienceMs);
    options.list = u"other,good"_s;
    m_panel->setOptions(options);
    QCOMPARE(found(0), u"Not tested."_s);
    QVERIFY(found(1).startsWith(u"Usable"_s));
    options.program = u"/opt/rankdeckctl"_s;
    m_panel->setOptions(options);
    QCOMPARE(found(1), u"Not tested."_s);
}

void TestNodePanel::aListThatIsBeingTypedForgetsNothing()
{
    m_panel->setOptions(optionsFor("good"));
    testAll();
    QTRY_VERIFY_WITH_TIMEOUT(found(0).startsWith(u"Usable"_s), patienceMs);
    m_panel->setOptions(optionsFor("good,"));
    m_panel->setOptions(optionsFor("good,b"));
    QCOMPARE(rows().size(), 2);
    QVERIFY(found(0).startsWith(u"Usable"_s));
}

void TestNodePanel::theFormHasTheOptions()
{
    LaunchFields fields;
    LaunchSpec spec = m_fixture->processesSpec();
    spec.nodes.list = u"a,b"_s;
    spec.nodes.transport = u"ssh"_s;
    spec.nodes.transportCommand = u"enroot exec {node}"_s;
    spec.nodes.sshConfig = u"/etc/my_ssh"_s;
    spec.nodes.program = u"/opt/rankdeckctl"_s;
    spec.nodes.mirror = false;
    spec.nodes.silenceSeconds = 60;
    spec.nodes.slurmOptions = u"-p npu"_s;
    spec.nodes.slurmWaitSeconds = 120;
    fields.setSpec(spec);
    QCOMPARE(fields.spec().nodes, spec.nodes);
    QCOMPARE(fields.findChildren<NodeRow *>().size(), 2);
    QVERIFY(fields.findChild<QToolButton *>(u"nodeOptionsButton"_s)->isChecked());
    fields.findChild<QLineEdit *>(u"nodesEdit"_s)->setText(u"a,b,c"_s);
    QCOMPARE(fields.findChildren<NodeRow *>().size(), 3);
    fields.findChild<QComboBox *>(u"transportCombo"_s)->setCurrentText(u"local"_s);
    QCOMPARE(fields.spec().nodes.transport, u"local"_s);
    fields.findChild<QLineEdit *>(u"transportCommandEdit"_s)->clear();
    fields.findChild<QComboBox *>(u"transportCombo"_s)->setEditText(u"docker:{node}"_s);
    QCOMPARE(fields.spec().nodes.transport, u"docker:{node}"_s);
    QCOMPARE(fields.findChildren<NodeRow *>().size(), 3);
    // Another launcher has the same nodes.
    fields.setLauncher(u"davincirun"_s);
    QCOMPARE(fields.spec().nodes.list, u"a,b,c"_s);
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
        QTRY_VERIFY_WITH_TIMEOUT(found(row).startsWith(u"Usable"_s), patienceMs);
}

} // namespace tst_nodepanel

RANKDECK_WINDOW_TEST(tst_nodepanel, TestNodePanel)
#include "tst_nodepanel.moc"
