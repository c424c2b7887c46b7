#include "launch/host/portlocks.h"
#include "launch/nodes/planlaunch.h"
#include "launch/nodes/portchoice.h"
#include "support/testmain.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_portchoice
{

using namespace rankdeck;

class PortChoiceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_home->path()));
    }
    void theUsualPortIsKeptWhileItIsFree();
    void aReservedPortIsNotChosen();
    void aPortThatTheUserNamedIsKept_data();
    void aPortThatTheUserNamedIsKept();
    void hcclGetsABlockOfItsOwn();
    void ranksThatShareNpusLetHcclChoose();
    void aLaunchPerNodeKeepsItsPort();

private:
    static LaunchSpec torch()
    {
        LaunchSpec spec = processesDefaults();
        spec.command = QStringList{QStringLiteral("train")};
        spec.processes.nproc = 2;
        return spec;
    }
    static LaunchPlan planOf(const LaunchSpec &spec, const HostFacts &facts)
    {
        const auto plan = planNode(spec, {}, {}, facts);
        return plan ? *plan : LaunchPlan();
    }
    static QString valueOf(const LaunchPlan &plan, const char *name)
    {
        return plan.processes.empty() ? QStringLiteral("no process")
                                      : plan.processes.back().setVariables.value(QLatin1String(name));
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void PortChoiceTest::theUsualPortIsKeptWhileItIsFree()
{
    HostFacts facts;
    const LaunchPlan plan = planOf(torch(), facts);
    QCOMPARE(valueOf(plan, "MASTER_PORT"), QStringLiteral("29500"));
    QCOMPARE(valueOf(plan, "HCCL_IF_BASE_PORT"), QString());
    facts.ports = {29502, 60032};
    const LaunchPlan other = planOf(torch(), facts);
    QCOMPARE(valueOf(other, "MASTER_PORT"), QStringLiteral("29502"));
    QCOMPARE(valueOf(other, "HCCL_IF_BASE_PORT"), QStringLiteral("60032"));
    QVERIFY2(textsOf(other.notes).join(QLatin1Char('\n')).contains(QLatin1String("29502")),
             qPrintable(textsOf(other.notes).join(QLatin1Char('\n'))));
    LaunchSpec msrun;
    msrun.launcher = QStringLiteral("msrun");
    msrun.command = QStringList{QStringLiteral("train.py")};
    facts.ports.master = 8119;
    facts.addresses << QStringLiteral("127.0.0.1");
    facts.routes.insert(QStringLiteral("127.0.0.1"),
                        {QStringLiteral("127.0.0.1"), QStringLiteral("127.0.0.1")});
    QCOMPARE(valueOf(planOf(msrun, facts), "MS_SCHED_PORT"), QStringLiteral("8119"));
}

void PortChoiceTest::aReservedPortIsNotChosen()
{
    PortLocks locks;
    const PortChoice before = choosePorts(torch(), {}, 0, PortUse::Look);
    const int first = before.master > 0 ? before.master : 29500;
    QVERIFY(locks.take(first));
    const PortChoice after = choosePorts(torch(), {}, 0, PortUse::Claim);
    QVERIFY(after.master > first);
    QCOMPARE(after.hccl, 0);
    locks.release();
    QCOMPARE(choosePorts(torch(), {}, 0, PortUse::Look), before);
}

void PortChoiceTest::aPortThatTheUserNamedIsKept_data()
{
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("ports");
    QTest::newRow("option") << 29600 << QString() << QStringLiteral("auto");
    QTest::newRow("variable") << 29500 << QStringLiteral("MASTER_PORT") << QStringLiteral("auto");
    QTest::newRow("fixed") << 29500 << QString() << QStringLiteral("fixed");
}

void PortChoiceTest::aPortThatTheUserNamedIsKept()
{
    QFETCH(int, port);
    QFETCH(QString, variable);
    QFETCH(QString, ports);
    LaunchSpec spec = torch();
    spec.processes.masterPort = port;
    spec.common.ports = ports;
    if (!variable.isEmpty())
        spec.environment.insert(variable, QStringLiteral("29500"));
    QCOMPARE(openMasterPort(spec), 0);
    HostFacts facts;
    facts.ports.master = 29777;
    QCOMPARE(valueOf(planOf(spec, facts), "MASTER_PORT"), QString::number(port));
}

void PortChoiceTest::hcclGetsABlockOfItsOwn()
{
    PortLocks locks;
    const PortChoice before = choosePorts(torch(), {}, 8, PortUse::Look);
    const int base = before.hccl > 0 ? before.hccl : 60000;
    QVERIFY(locks.take(base + 7));
    const PortChoice after = choosePorts(torch(), {}, 8, PortUse::Look);
    QVERIFY(after.hccl > base);
    QCOMPARE((after.hccl - 60000) % 32, 0);
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("HCCL_IF_BASE_PORT"), QStringLiteral("61000"));
    QCOMPARE(choosePorts(torch(), environment, 8, PortUse::Look).hccl, 0);
    HostFacts facts;
    facts.environment = environment;
    facts.ports.hccl = 60064;
    QCOMPARE(valueOf(planOf(torch(), facts), "HCCL_IF_BASE_PORT"), QString());
}

void PortChoiceTest::ranksThatShareNpusLetHcclChoose()
{
    HostFacts facts;
    facts.npuCount = 1;
    const LaunchPlan plan = planOf(torch(), facts);
    QCOMPARE(valueOf(plan, "HCCL_HOST_SOCKET_PORT_RANGE"), QStringLiteral("auto"));
    QCOMPARE(valueOf(plan, "HCCL_NPU_SOCKET_PORT_RANGE"), QStringLiteral("auto"));
    facts.npuCount = 2;
    QCOMPARE(valueOf(planOf(torch(), facts), "HCCL_HOST_SOCKET_PORT_RANGE"), QString());
}

void PortChoiceTest::aLaunchPerNodeKeepsItsPort()
{
    LaunchSpec spec = torch();
    spec.processes.nnodes = 2;
    HostFacts facts;
    facts.ports.master = 29777;
    QCOMPARE(valueOf(planOf(spec, facts), "MASTER_PORT"), QStringLiteral("29500"));
    // With named nodes all are told the port that is free on the master's.
    QCOMPARE(masterPortOn(spec, facts), 29777);
}

} // namespace tst_portchoice

RANKDECK_TEST(tst_portchoice, PortChoiceTest)

#include "tst_portchoice.moc"
