#include "launchform/launchfixture.h"
#include "launchform/preview/planpreview.h"
#include "support/testmain.h"

#include <QSignalSpy>

namespace tst_planpreview
{

using namespace rankdeck;

class TestPlanPreview : public QObject
{
    Q_OBJECT

private:
    static PreviewResult previewOf(const LaunchSpec &spec)
    {
        PlanPreview preview;
        QSignalSpy ready(&preview, &PlanPreview::ready);
        preview.request(spec);
        return ready.wait() ? ready.first().first().value<PreviewResult>() : PreviewResult();
    }

private Q_SLOTS:
    void aGoodSpecHasAPlanAndNoError()
    {
        const LaunchFixture fixture;
        const PreviewResult result = previewOf(fixture.spec());
        QVERIFY2(result.errors.isEmpty(), qPrintable(result.errors.value(0).sentence()));
        QVERIFY(result.plan.has_value());
        QCOMPARE(result.plan->processes.size(), size_t(8));
        QCOMPARE(result.tablePath, fixture.path("table.json"));
        QVERIFY(result.tableStatus.isEmpty());
    }

    void anUnfinishedTableIsNoErrorAndHasNoPlan()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.rankTableFile = fixture.writeTable("initializing");
        const PreviewResult result = previewOf(spec);
        QVERIFY(result.errors.isEmpty());
        QVERIFY(!result.plan);
        QCOMPARE(result.tableStatus, u"initializing"_s);
    }

    void whatIsWrongBesidesTheTableIsFoundWhileTheTableIsUnfinished()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.rankTableFile = fixture.writeTable("initializing");
        spec.workDir = u"/dev/null/work"_s;
        const PreviewResult result = previewOf(spec);
        QCOMPARE(result.errors.size(), 1);
        QCOMPARE(result.errors.first().where, spec.workDir);
    }

    void aProgramThatDoesNotExistIsAnErrorThoughThereIsAPlan()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.command = QStringList{u"/no/such/program"_s};
        const PreviewResult result = previewOf(spec);
        QVERIFY(result.plan.has_value());
        QCOMPARE(result.errors.size(), 1);
        QVERIFY2(result.errors.first().sentence().contains(u"/no/such/program"_s),
                 qPrintable(result.errors.first().sentence()));
    }

    void anEmptyFieldIsFilledFromTheEnvironment()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        qputenv("RANK_TABLE_FILE", spec.rankTableFile.toUtf8());
        spec.rankTableFile.clear();
        const PreviewResult result = previewOf(spec);
        QCOMPARE(result.defaultTableVariable, u"RANK_TABLE_FILE"_s);
        QCOMPARE(result.tablePath, fixture.path("table.json"));
        QVERIFY(result.plan.has_value());
    }

    void theNewestOfSeveralRequestsWins()
    {
        const LaunchFixture fixture;
        PlanPreview preview;
        QSignalSpy ready(&preview, &PlanPreview::ready);
        LaunchSpec spec = fixture.spec();
        for (int i = 0; i < 50; ++i) {
            spec.name = QString::number(i);
            preview.request(spec);
        }
        QVERIFY(ready.wait());
        QCOMPARE(ready.size(), 1);
        QCOMPARE(ready.first().first().value<PreviewResult>().spec.name, u"49"_s);
        QVERIFY(!preview.isPending());
    }

    void theSameThingsSeenAgainMakeAnEqualResult()
    {
        const LaunchFixture fixture;
        QCOMPARE(previewOf(fixture.spec()), previewOf(fixture.spec()));
    }
};

} // namespace tst_planpreview

RANKDECK_TEST(tst_planpreview, TestPlanPreview)
#include "tst_planpreview.moc"
