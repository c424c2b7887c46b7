#include "agent/preflight/holders.h"
#include "device/sampling/devicetool.h"
#include "launch/plan/launchplan.h"
#include "support/testmain.h"

#include <QScopeGuard>
#include <QTest>

namespace tst_deviceholders
{

using namespace rankdeck;

/// Who and what is in the way of a launch on its NPUs, without any.
class DeviceHoldersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStrangerIsNamed();
    void inAContainerTheHostsPidsAreNotOurs();
    void aProcessOnTwoDevicesIsOneHolder();
    void missingMemoryIsNamed();
    void ranksThatShareADeviceNeedMore();
    void memoryThatIsThereIsNoHolder();
    void memoryThatCannotBeLookedAtIsSaid();

private:
    static LaunchPlan planOf(const QList<int> &devices, int neededMb = 0)
    {
        LaunchPlan plan;
        plan.thisNode = u"here"_s;
        plan.neededHbmMb = neededMb;
        for (const int device : devices) {
            ProcessPlan process;
            process.node = plan.thisNode;
            process.device = DeviceId(device);
            process.rank = Rank(static_cast<int>(plan.processes.size()));
            plan.processes.push_back(process);
        }
        return plan;
    }

    static DeviceSample chip(const QList<DeviceProcess> &processes, qint64 usedMb = 0)
    {
        DeviceSample sample;
        sample.health = DeviceHealth::Ok;
        sample.hbm = {usedMb, 65536};
        sample.processes = processes;
        return sample;
    }

    static DeviceReading reading(const QList<DeviceSample> &samples)
    {
        DeviceReading reading;
        reading.samples = samples;
        return reading;
    }

    static DeviceProcess python(qint64 pid, std::optional<qint64> containerPid = {})
    {
        return {pid, u"python"_s, 100, containerPid};
    }
};

void DeviceHoldersTest::aStrangerIsNamed()
{
    const qint64 own = QCoreApplication::applicationPid();
    const auto holders = strangersOnDevices(
        planOf({0, 1}), {}, reading({chip({}), chip({python(own)}), chip({python(7)})}), {}, {});
    QCOMPARE(holders.size(), 1);
    QCOMPARE(holders.first().devices, QList<int>{1});
    QVERIFY2(holders.first().sentence().startsWith(u"python (pid %1, 100 MB) of "_s.arg(own)),
             qPrintable(holders.first().sentence()));
}

void DeviceHoldersTest::inAContainerTheHostsPidsAreNotOurs()
{
    const qint64 own = QCoreApplication::applicationPid();
    PidView view;
    view.areHostPids = false;
    view.byContainerPid.insert(own, own);
    // A host's pid that happens to be one of ours proves nothing; the pid in the container does.
    const auto unknown = strangersOnDevices(planOf({0}), {}, reading({chip({python(own)})}), view, {});
    QVERIFY2(unknown.first().sentence().contains(", not visible from here)"_L1),
             qPrintable(unknown.first().sentence()));
    const auto known = strangersOnDevices(planOf({0}), {}, reading({chip({python(99, own)})}), view, {});
    QVERIFY2(known.first().sentence().startsWith(u"python (pid %1, 100 MB) of "_s.arg(own)),
             qPrintable(known.first().sentence()));
}

void DeviceHoldersTest::aProcessOnTwoDevicesIsOneHolder()
{
    const auto holders =
        strangersOnDevices(planOf({0, 1}), {}, reading({chip({python(7)}), chip({python(7)})}), {}, {});
    QCOMPARE(holders.size(), 1);
    QCOMPARE(holders.first().devices, (QList<int>{0, 1}));
    QVERIFY2(holders.first().sentence().startsWith("python (pid 7, 200 MB)"_L1),
             qPrintable(holders.first().sentence()));
}

void DeviceHoldersTest::missingMemoryIsNamed()
{
    const auto missing =
        missingMemory(planOf({0, 1, 2}, 32000), {},
                      reading({chip({}, 3000), chip({}, 60000), chip({}, 50000), chip({}, 65000)}));
    QVERIFY(missing);
    QCOMPARE(missing->devices, (QList<int>{1, 2}));
    QCOMPARE(missing->sentence(),
             u"32000 MB of HBM are needed, but on devices 1-2 only 5536 MB are free (on the fullest)."_s);
    const auto line = Holders{{*missing}, {}}.toLine();
    const auto heard = Holders::fromLine(line);
    QVERIFY(heard);
    QCOMPARE(heard->list, QList<Holder>{*missing});
}

void DeviceHoldersTest::ranksThatShareADeviceNeedMore()
{
    const auto missing =
        missingMemory(planOf({0, 0, 1}, 30000), {}, reading({chip({}, 10000), chip({}, 10000)}));
    QVERIFY(missing);
    QCOMPARE(missing->sentence(), u"60000 MB of HBM are needed, but on device 0 only 55536 MB are free."_s);
}

void DeviceHoldersTest::memoryThatIsThereIsNoHolder()
{
    QVERIFY(!missingMemory(planOf({0}, 32000), {}, reading({chip({}, 3000), chip({}, 65000)})));
    QVERIFY(!missingMemory(planOf({0}), {}, reading({chip({}, 65536)})));
    DeviceSample silent = chip({});
    silent.hbm = {};
    QVERIFY(!missingMemory(planOf({0}, 32000), {}, reading({silent})));
}

void DeviceHoldersTest::memoryThatCannotBeLookedAtIsSaid()
{
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([&] { qputenv("PATH", path); });
    qputenv("PATH", "/nowhere");
    if (!npuSmiPath().isEmpty())
        QSKIP("npu-smi is installed here");
    const Holders holders = findAllHolders(planOf({0}, 32000), {});
    QVERIFY(holders.npuProblem);
    QCOMPARE(holders.npuProblem->sentence(),
             u"--needs-hbm: the free memory of the NPUs was not checked: npu-smi is not installed here"_s);
    QVERIFY(!findAllHolders(planOf({0}), {}).npuProblem);
}

} // namespace tst_deviceholders

RANKDECK_TEST(tst_deviceholders, DeviceHoldersTest)
#include "tst_deviceholders.moc"
