#include "launchform/form/launchform.h"
#include "launchform/launchfixture.h"
#include "launchform/start/freedevices.h"
#include "support/npusmistandin.h"
#include "support/windowtest.h"

#include <QLabel>
#include <QPushButton>

#include <csignal>

namespace tst_freedevices
{

using namespace rankdeck;

class FreeDevicesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void freeOnesAreTold();
    void aLaunchOnOthersDevicesIsMoved();
    void aLaunchOnFreeDevicesStays();
    void tooLittleMemoryIsAProblem();
    void aLaunchForOtherNodesIsNotForThese();
    void theFormOffersThemAndStopsAskingWhenItIsHidden();
    void oneThatFailsIsSaid();

private:
    static constexpr int deadlineMs = 30000;

    static DeviceHere device(int number, const QStringList &users = {}, qint64 freeMb = 60000)
    {
        return {number, users.isEmpty(), users, {}, freeMb};
    }
    static LaunchSpec processes(int count)
    {
        LaunchSpec spec = processesDefaults();
        spec.command = {u"true"_s};
        spec.processes.nproc = count;
        return spec;
    }
    static LaunchPlan planOf(const LaunchSpec &spec)
    {
        LaunchPlan plan;
        plan.neededHbmMb = spec.common.neededHbmMb;
        for (int rank = 0; rank < spec.processes.nproc; ++rank) {
            ProcessPlan process;
            process.rank = Rank(rank);
            process.localRank = LocalRank(rank);
            process.device = ProcessPlan::noDevice;
            process.setVariables = spec.environment;
            plan.processes.push_back(process);
        }
        return plan;
    }
    static DeviceOffer offerFor(const QList<DeviceHere> &devices, const LaunchSpec &spec)
    {
        return deviceOffer(devices, spec, planOf(spec));
    }
};

void FreeDevicesTest::freeOnesAreTold()
{
    DeviceHere ill = device(2);
    ill.illness = u"Alarm"_s;
    const DeviceOffer offer =
        offerFor({device(0, {u"python (pid 4711) of bob"_s}), device(1), ill, device(3)}, processes(1));
    QCOMPARE(offer.text, u"NPUs of this machine: 4, free: 1-3.\n"
                         "Device 0: python (pid 4711) of bob\n"
                         "Device 2: its health is Alarm"_s);
    QVERIFY(deviceOffer({}, processes(1), {}).text.isEmpty());
}

void FreeDevicesTest::aLaunchOnOthersDevicesIsMoved()
{
    const QStringList bob{u"python (pid 4711) of bob"_s};
    const DeviceOffer offer =
        offerFor({device(0, bob), device(1), device(2), device(3, bob), device(4)}, processes(2));
    QCOMPARE(offer.problem, u"This launch uses device 0, which is already in use."_s);
    QVERIFY(offer.better);
    QCOMPARE(offer.better->environment.value(u"ASCEND_RT_VISIBLE_DEVICES"_s), u"1,2"_s);
    // And there it stays.
    const DeviceOffer again = offerFor({device(0, bob), device(1), device(2)}, *offer.better);
    QVERIFY2(again.problem.isEmpty(), qPrintable(again.problem));
    QVERIFY(!again.better);
}

void FreeDevicesTest::aLaunchOnFreeDevicesStays()
{
    const DeviceOffer offer = offerFor({device(0), device(1), device(2, {u"x (pid 1)"_s})}, processes(2));
    QVERIFY(offer.problem.isEmpty());
    QVERIFY(!offer.better);
}

void FreeDevicesTest::tooLittleMemoryIsAProblem()
{
    LaunchSpec spec = processes(2);
    spec.common.neededHbmMb = 32000;
    const DeviceOffer offer = offerFor({device(0), device(1, {}, 20000), device(2)}, spec);
    QCOMPARE(offer.problem, u"Less than the required 32000 MB of HBM is free on device 1."_s);
    QCOMPARE(offer.better->environment.value(u"ASCEND_RT_VISIBLE_DEVICES"_s), u"0,2"_s);
}

void FreeDevicesTest::aLaunchForOtherNodesIsNotForThese()
{
    LaunchSpec spec = processes(2);
    spec.nodes.list = u"alpha,beta"_s;
    const DeviceOffer offer = offerFor({device(0, {u"x (pid 1)"_s})}, spec);
    QVERIFY(offer.text.isEmpty() && offer.problem.isEmpty() && !offer.better);
}

void FreeDevicesTest::theFormOffersThemAndStopsAskingWhenItIsHidden()
{
    const LaunchFixture fixture;
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", standIn.folder().toLocal8Bit() + ':' + path);
    LaunchForm form;
    LaunchSpec spec = processes(2);
    form.setSpec(spec);
    form.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form, deadlineMs));
    auto *text = form.findChild<QLabel *>(u"freeDevicesText"_s);
    auto *button = form.findChild<QPushButton *>(u"useFreeDevicesButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(text->isVisible() && text->text().contains(u"free: 1."_s), deadlineMs);
    QVERIFY2(text->text().contains(u"python (pid 4711, 300 MB)"_s), qPrintable(text->text()));
    auto *problem = form.findChild<QLabel *>(u"freeDevicesProblem"_s);
    QTRY_VERIFY_WITH_TIMEOUT(problem->text().contains(u"uses device 0, which is already in use"_s),
                             deadlineMs);
    QVERIFY(button->isVisible());
    button->click();
    QCOMPARE(form.spec().processes.nproc, 1);
    QCOMPARE(form.spec().environment.value(u"ASCEND_RT_VISIBLE_DEVICES"_s), u"1"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!button->isVisible(), deadlineMs);

    // One that hangs, so that there is something to be ended.
    standIn.install("echo $$ >'" + standIn.write("pid", {}) + "'; exec sleep 1000");
    QTRY_VERIFY_WITH_TIMEOUT(!standIn.read("pid").trimmed().isEmpty(), deadlineMs);
    const pid_t pid = standIn.read("pid").trimmed().toInt();
    QVERIFY(::kill(pid, 0) == 0);
    form.hide();
    QTRY_VERIFY_WITH_TIMEOUT(::kill(pid, 0) != 0, deadlineMs);
    qputenv("PATH", path);
}

void FreeDevicesTest::oneThatFailsIsSaid()
{
    const LaunchFixture fixture;
    NpuSmiStandIn standIn;
    standIn.install("echo 'dcmi module initialize failed. ret is -8005'; exit 1");
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", standIn.folder().toLocal8Bit() + ':' + path);
    LaunchForm form;
    form.setSpec(processes(1));
    form.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form, deadlineMs));
    auto *text = form.findChild<QLabel *>(u"freeDevicesText"_s);
    QTRY_VERIFY_WITH_TIMEOUT(text->isVisible() && text->text().contains(u"-8005"_s), deadlineMs);
    qputenv("PATH", path);
}

} // namespace tst_freedevices

RANKDECK_WINDOW_TEST(tst_freedevices, FreeDevicesTest)
#include "tst_freedevices.moc"
