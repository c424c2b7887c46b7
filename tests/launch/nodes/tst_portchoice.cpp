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
        spec.command = QStringList{u"train"_s};
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
        return plan.processes.empty() ? u"no process"_s
                                      : plan.processes.back().setVariables.value(QLatin1String(name));
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void PortChoiceTest::theUsualPortIsKeptWhileItIsFree()
{
    HostFacts facts;
    const LaunchPlan plan = planOf(torch(), facts);
    QCOMPARE(valueOf(plan, "MASTER_PORT"), u"29500"_s);
    QCOMPARE(valueOf(plan, "HCCL_IF_BASE_PORT"), QString());
    facts.ports = {29502, 60032};
    const LaunchPlan other = planOf(torch(), facts);
    QCOMPARE(valueOf(other, "MASTER_PORT"), u"29502"_s);
    QCOMPARE(valueOf(other, "HCCL_IF_BASE_PORT"), u"60032"_s);
    QVERIFY2(textsOf(other.notes).join('\n'_L1).contains("29502"_L1),
             qPrintable(textsOf(other.notes).join('\n'_L1)));
    LaunchSpec msrun;
    msrun.launcher = u"msrun"_s;
    msrun.command = QStringList{u"train.py"_s};
    facts.ports.master = 8119;
    facts.addresses << u"127.0.0.1"_s;
    facts.routes.insert(u"127.0.0.1"_s, {u"127.0.0.1"_s, u"127.0.0.1"_s});
    QCOMPARE(valueOf(planOf(msrun, facts), "MS_SCHED_PORT"), u"8119"_s);
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
    QTest::newRow("option") << 29600 << QString() << u"auto"_s;
    QTest::newRow("variable") << 29500 << u"MASTER_PORT"_s << u"auto"_s;
    QTest::newRow("fixed") << 29500 << QString() << u"fixed"_s;
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
        spec.environment.insert(variable, u"29500"_s);
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
    environment.insert(u"HCCL_IF_BASE_PORT"_s, u"61000"_s);
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
    QCOMPARE(valueOf(plan, "HCCL_HOST_SOCKET_PORT_RANGE"), u"auto"_s);
    QCOMPARE(valueOf(plan, "HCCL_NPU_SOCKET_PORT_RANGE"), u"auto"_s);
    facts.npuCount = 2;
    QCOMPARE(valueOf(planOf(torch(), facts), "HCCL_HOST_SOCKET_PORT_RANGE"), QString());
}

void PortChoiceTest::aLaunchPerNodeKeepsItsPort()
{
    LaunchSpec spec = torch();
    spec.processes.nnodes = 2;
    HostFacts facts;
    facts.ports.master = 29777;
    QCOMPARE(valueOf(planOf(spec, facts), "MASTER_PORT"), u"29500"_s);
    // With named nodes all are told the port that is free on the master's.
    QCOMPARE(masterPortOn(spec, facts), 29777);
}

} // namespace tst_portchoice

RANKDECK_TEST(tst_portchoice, PortChoiceTest)

#include "tst_portchoice.moc"
