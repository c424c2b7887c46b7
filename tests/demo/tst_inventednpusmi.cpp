#include "demo/demolaunch.h"
#include "launch/plan/launchplan.h"
#include "support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_inventednpusmi
{

using namespace rankdeck;

class TestInventedNpuSmi : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNodeAloneHasItUnderItsName();
    void nodesOfOneMachineHaveOneEach();

private:
    /// The share of node alpha: so many ranks of `all`, from the first one.
    LaunchPlan share(int first, int count, int all) const;
    static QByteArray textOf(const DeviceSource &source)
    {
        QFile file(source.path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir m_folder;
};

LaunchPlan TestInventedNpuSmi::share(int first, int count, int all) const
{
    LaunchPlan plan;
    plan.totalRanks = all;
    plan.inventedNpuSmi = m_folder.filePath(u"npu-smi"_s);
    for (int local = 0; local < count; ++local) {
        ProcessPlan process;
        process.node = u"alpha"_s;
        process.rank = Rank(first + local);
        process.localRank = LocalRank(local);
        process.logFile = u"/logs/%1.txt"_s.arg(first + local);
        plan.processes.push_back(process);
    }
    return plan;
}

void TestInventedNpuSmi::aNodeAloneHasItUnderItsName()
{
    const DeviceSource source = writeInventedNpuSmi(share(0, 8, 8), u"alpha"_s);
    QVERIFY(source.kind == DeviceSource::Kind::Invented);
    QCOMPARE(source.path, m_folder.filePath(u"npu-smi"_s));
    QVERIFY(textOf(source).contains("--rank 7 7 /logs/7.txt"));
}

void TestInventedNpuSmi::nodesOfOneMachineHaveOneEach()
{
    const DeviceSource source = writeInventedNpuSmi(share(4, 4, 8), u"alpha"_s);
    QCOMPARE(source.path, m_folder.filePath(u"npu-smi-alpha"_s));
    // Ranks are told apart as in the journal of the whole run; cards are those of the node.
    QVERIFY2(textOf(source).contains("--rank 4 0 /logs/4.txt"), textOf(source).constData());
    QVERIFY(!textOf(source).contains("--rank 0 "));
}

} // namespace tst_inventednpusmi

RANKDECK_TEST(tst_inventednpusmi, TestInventedNpuSmi)
#include "tst_inventednpusmi.moc"
