#include "launch/spec/demolaunch.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_demolaunch
{

using namespace rankdeck;

class DemoLaunchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachDemoHasItsWord();
    void theCollectiveDemoNeedsNoRankTable();
};

void DemoLaunchTest::eachDemoHasItsWord()
{
    QVERIFY(demoFromWord(QStringLiteral("debug")) == Demo::Debug);
    QVERIFY(demoFromWord(QStringLiteral("collective")) == Demo::Collective);
    QVERIFY(!demoFromWord(QStringLiteral("collectives")));
}

void DemoLaunchTest::theCollectiveDemoNeedsNoRankTable()
{
    qputenv("RANKDECK_CTL", "/somewhere/rankdeckctl");
    const auto spec = demoSpec(Demo::Collective);
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    QCOMPARE(spec->launcher, QStringLiteral("processes"));
    QCOMPARE(spec->processes.nproc, 8);
    QCOMPARE(spec->command.mid(0, 2),
             (QStringList{QStringLiteral("/somewhere/rankdeckctl"), QStringLiteral("collective")}));
    QVERIFY(spec->rankTableFile.isEmpty());
    QVERIFY(spec->logDir.isEmpty());
    QVERIFY(spec->processes.masterPort > 0);
}

} // namespace tst_demolaunch

RANKDECK_TEST(tst_demolaunch, DemoLaunchTest)
#include "tst_demolaunch.moc"
