#include "base/cpuset.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_cpuset
{

using namespace rankdeck;

class CpuSetTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSetHoldsWhatItWasMadeOf();
    void thisProcessMayRunSomewhere();
    void bindingNarrowsTheSet();
    void cpusThatDoNotExistCannotBeUsed();
};

void CpuSetTest::aSetHoldsWhatItWasMadeOf()
{
    QCOMPARE(CpuSet({5, 0, 63, 64, 2047, -1}).cpus(), QList<int>({0, 5, 63, 64, 2047}));
    QVERIFY(CpuSet(QList<int>()).cpus().isEmpty());
}

void CpuSetTest::thisProcessMayRunSomewhere()
{
    QVERIFY(!CpuSet::ofThisProcess().cpus().isEmpty());
}

void CpuSetTest::bindingNarrowsTheSet()
{
    const CpuSet before = CpuSet::ofThisProcess();
    const QList<int> one{before.cpus().constLast()};
    QVERIFY(CpuSet(one).apply());
    QCOMPARE(CpuSet::ofThisProcess().cpus(), one);
    QVERIFY(before.apply());
    QCOMPARE(CpuSet::ofThisProcess().cpus(), before.cpus());
}

void CpuSetTest::cpusThatDoNotExistCannotBeUsed()
{
    QVERIFY(!CpuSet({60000}).apply());
    QVERIFY(!CpuSet(QList<int>()).apply());
}

} // namespace tst_cpuset

RANKDECK_TEST(tst_cpuset, CpuSetTest)
#include "tst_cpuset.moc"
