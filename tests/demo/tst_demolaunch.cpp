#include "base/json.h"
#include "demo/demolaunch.h"
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
    void everyDemoSaysWhatIsInvented_data();
    void everyDemoSaysWhatIsInvented();
    void noOtherLaunchHasInventedNpus();
};

void DemoLaunchTest::eachDemoHasItsWord()
{
    QVERIFY(demoFromWord(u"debug"_s) == Demo::Debug);
    QVERIFY(demoFromWord(u"collective"_s) == Demo::Collective);
    QVERIFY(!demoFromWord(u"collectives"_s));
}

void DemoLaunchTest::theCollectiveDemoNeedsNoRankTable()
{
    qputenv("RANKDECK_CTL", "/somewhere/rankdeckctl");
    const auto spec = demoSpec(Demo::Collective);
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    QCOMPARE(spec->launcher, u"processes"_s);
    QCOMPARE(spec->processes.nproc, 8);
    QCOMPARE(spec->command.mid(0, 2), (QStringList{u"/somewhere/rankdeckctl"_s, u"collective"_s}));
    QVERIFY(spec->rankTableFile.isEmpty());
    QVERIFY(spec->logDir.isEmpty());
    QVERIFY(spec->processes.masterPort > 0);
}

void DemoLaunchTest::everyDemoSaysWhatIsInvented_data()
{
    QTest::addColumn<QString>("word");
    for (const DemoEntry &entry : demos())
        QTest::newRow(qPrintable(entry.word)) << entry.word;
}

void DemoLaunchTest::everyDemoSaysWhatIsInvented()
{
    QFETCH(const QString, word);
    qputenv("RANKDECK_CTL", "/somewhere/rankdeckctl");
    const auto demo = demoFromWord(word);
    QVERIFY(demo);
    const auto spec = demoSpec(*demo);
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    // Ranks that do nothing use no NPU, not even an invented one.
    QCOMPARE(hasInventedNpus(*spec), *demo != Demo::Many);
    QCOMPARE(hasSimulatedRanks(*spec), *demo == Demo::Many);
    const auto again = launchSpecFromJson(toJson(*spec));
    QVERIFY(again);
    QCOMPARE(hasInventedNpus(*again), hasInventedNpus(*spec));
    QCOMPARE(hasSimulatedRanks(*again), hasSimulatedRanks(*spec));
}

void DemoLaunchTest::noOtherLaunchHasInventedNpus()
{
    qputenv("RANKDECK_CTL", "/somewhere/rankdeckctl");
    QVERIFY(!hasInventedNpus(LaunchSpec()));
    const auto demo = demoSpec();
    QVERIFY2(demo, qPrintable(demo.error().sentence()));
    LaunchSpec sameScript = *demo;
    sameScript.isDemo = false;
    QVERIFY(!hasInventedNpus(sameScript));
    // A demo's spec that a user has changed into a training.
    for (const QStringList &command :
         {QStringList{u"python3"_s, u"/home/somebody/train.py"_s}, QStringList{u"python3"_s, u"train.py"_s},
          QStringList{u"/elsewhere/rankdeckctl"_s, u"collective"_s},
          QStringList{u"bash"_s, demo->command.value(1)}, QStringList()}) {
        LaunchSpec changed = *demo;
        changed.command = command;
        QVERIFY2(!hasInventedNpus(changed), qPrintable(command.join(' '_L1)));
    }
}

} // namespace tst_demolaunch

RANKDECK_TEST(tst_demolaunch, DemoLaunchTest)
#include "tst_demolaunch.moc"
